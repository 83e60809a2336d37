from __future__ import annotations

import asyncio
from typing import Any

import pytest

from magistrate.errors import (
    BudgetExceededError,
    ConfigurationError,
    JudgeAuthError,
    JudgeContextError,
    JudgeNotFoundError,
    JudgePolicyError,
    JudgeTimeoutError,
    RunInterrupted,
)
from magistrate.metrics.asking import ask, gather
from magistrate.verdict import Issue, Status


async def give(value: Any) -> Any:
    if isinstance(value, BaseException):
        raise value
    return value


def failed(status: Status, issue: Issue) -> str:
    return f"{status} {issue.code} {issue.message}"


class TestAsk:
    async def test_returns_the_reply(self) -> None:
        assert await ask(give("a reply"), str, failed) == "a reply"

    @pytest.mark.parametrize(
        "error",
        [
            JudgeAuthError("no key"),
            JudgeNotFoundError("no model"),
            ConfigurationError("no option"),
            BudgetExceededError("no money"),
            RunInterrupted("no time"),
        ],
    )
    async def test_what_ends_a_run_goes_on_as_it_is(self, error: Exception) -> None:
        with pytest.raises(type(error)) as caught:
            await ask(give(error), str, failed)
        assert caught.value is error

    async def test_cancelling_is_not_a_failure_of_the_judge(self) -> None:
        with pytest.raises(asyncio.CancelledError):
            await ask(give(asyncio.CancelledError()), str, failed)

    @pytest.mark.parametrize(
        ("error", "reply"),
        [
            (
                JudgeTimeoutError("no answer in 30 s"),
                "judge_error judge-error JudgeTimeoutError: no answer in 30 s",
            ),
            (JudgePolicyError("blocked"), "refused refusal JudgePolicyError: blocked"),
            (JudgeContextError("too long"), "context_truncated context-truncated JudgeContextError: too long"),
        ],
    )
    async def test_any_other_failure_is_a_reply_that_says_what_failed(self, error: Exception, reply: str) -> None:
        assert await ask(give(error), str, failed) == reply

    async def test_the_text_of_a_foreign_error_is_not_repeated(self) -> None:
        reply = await ask(give(RuntimeError("Authorization: Bearer sk-secret")), str, failed)
        assert reply == "judge_error judge-error RuntimeError"

    async def test_a_reply_of_another_type_is_a_fault_of_the_judge(self) -> None:
        with pytest.raises(ConfigurationError, match=r"^the judge returned list where str is due$"):
            await ask(give(["yes"]), str, failed)


class TestGather:
    async def test_results_keep_their_order(self) -> None:
        async def after(steps: int) -> int:
            for _ in range(steps):
                await asyncio.sleep(0)
            return steps

        assert await gather(after(5), after(1), after(3)) == [5, 1, 3]

    async def test_nothing_gives_nothing(self) -> None:
        assert await gather() == []

    async def test_an_error_cancels_the_others_and_waits_for_them(self) -> None:
        seen: list[str] = []

        async def lasting() -> None:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                for _ in range(10):
                    await asyncio.sleep(0)
                seen.append("cancelled")
                raise

        async def failing() -> None:
            await asyncio.sleep(0)
            raise BudgetExceededError("spent")

        with pytest.raises(BudgetExceededError, match="spent"):
            await gather(lasting(), failing(), lasting())
        assert seen == ["cancelled", "cancelled"]

    async def test_the_first_error_counts_and_not_what_goes_wrong_while_cancelling(self) -> None:
        async def stubborn() -> None:
            try:
                await asyncio.Event().wait()
            finally:
                raise ValueError("while cancelling")

        async def failing() -> None:
            await asyncio.sleep(0)
            raise BudgetExceededError("spent")

        with pytest.raises(BudgetExceededError, match="spent"):
            await gather(stubborn(), failing())

    async def test_cancelling_it_cancels_its_calls(self) -> None:
        seen: list[str] = []

        async def lasting() -> None:
            try:
                await asyncio.Event().wait()
            finally:
                seen.append("ended")

        task = asyncio.ensure_future(gather(lasting(), lasting()))
        for _ in range(3):
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert seen == ["ended", "ended"]
