"""What metrics ask of a judge: a failure is a reply, what ends a run goes on, and nothing is left running."""

import asyncio

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
from magistrate.judges import BaseJudge, ExtractAndVerify, SingleReply, VerdictsReply, Verify, together
from magistrate.metrics.verification import ask
from magistrate.verdict import IssueCode, Status

QUESTION = Verify(["It is."], ["It is."])


class Answering(BaseJudge):
    """Answers every question with the same, or raises it."""

    def __init__(self, answer):
        self.answer = answer

    async def ask(self, question, /):
        del question
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer


class TestAsk:
    async def test_returns_the_reply(self):
        reply = VerdictsReply()
        assert await ask(Answering(reply), QUESTION, VerdictsReply) is reply

    @pytest.mark.parametrize(
        "error",
        [
            JudgeAuthError("no key"),
            JudgeNotFoundError("no model"),
            ConfigurationError("no option"),
            BudgetExceededError("no money"),
            RunInterrupted("no time"),
            asyncio.CancelledError(),
        ],
    )
    async def test_what_ends_a_run_goes_on_as_it_is(self, error):
        with pytest.raises(type(error)) as caught:
            await ask(Answering(error), QUESTION, VerdictsReply)
        assert caught.value is error

    @pytest.mark.parametrize(
        ("error", "status", "code"),
        [
            (JudgeTimeoutError("no answer in 30 s"), Status.JUDGE_ERROR, IssueCode.JUDGE_ERROR),
            (JudgePolicyError("blocked"), Status.REFUSED, IssueCode.REFUSAL),
            (JudgeContextError("too long"), Status.CONTEXT_TRUNCATED, IssueCode.CONTEXT_TRUNCATED),
            (RuntimeError("Authorization: Bearer sk-secret"), Status.JUDGE_ERROR, IssueCode.JUDGE_ERROR),
        ],
    )
    async def test_any_other_failure_is_a_reply(self, error, status, code):
        reply = await ask(Answering(error), QUESTION, VerdictsReply)
        assert (reply.status, [issue.code for issue in reply.issues]) == (status, [code])
        assert "sk-secret" not in repr(reply)
        single = await ask(Answering(error), ExtractAndVerify("It is.", ["It is."]), SingleReply)
        assert (single.statements.status, single.verdicts.status) == (status, status)

    async def test_a_reply_of_another_type_or_none_is_a_fault_of_the_judge(self):
        with pytest.raises(ConfigurationError):
            await ask(Answering(["yes"]), QUESTION, VerdictsReply)
        with pytest.raises(ConfigurationError):
            await ask(BaseJudge(), QUESTION, VerdictsReply)


async def after(steps):
    for _ in range(steps):
        await asyncio.sleep(0)
    return steps


class TestTogether:
    async def test_results_keep_their_order(self):
        assert await together([after(5), after(1), after(3)]) == [5, 1, 3]
        assert await together([]) == []

    async def test_an_error_cancels_the_others_and_waits_for_them(self):
        ended: list[str] = []

        async def lasting():
            try:
                await asyncio.Event().wait()
            finally:
                await after(10)
                ended.append("ended")
                raise ValueError("while cancelling")

        async def failing():
            await after(1)
            raise JudgeAuthError("no key")

        with pytest.raises(JudgeAuthError, match="no key"):
            await together([lasting(), failing(), lasting()])
        assert ended == ["ended", "ended"]

    async def test_cancelling_it_cancels_its_calls(self):
        ended: list[str] = []

        async def lasting():
            try:
                await asyncio.Event().wait()
            finally:
                ended.append("ended")

        task = asyncio.ensure_future(together([lasting(), lasting()]))
        await after(3)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert ended == ["ended", "ended"]
