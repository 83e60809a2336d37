"""Put questions to a judge: at the same time, and so that what fails becomes a value."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

from magistrate.errors import (
    BudgetExceededError,
    ConfigurationError,
    JudgeAuthError,
    JudgeContextError,
    JudgeDownError,
    JudgeNotFoundError,
    JudgePolicyError,
    MagistrateError,
    RunInterrupted,
)
from magistrate.verdict import Issue, IssueCode, Status

__all__ = ["ask", "gather"]

T = TypeVar("T")

ENDS_THE_RUN = (
    JudgeAuthError,
    JudgeNotFoundError,
    JudgeDownError,
    ConfigurationError,
    BudgetExceededError,
    RunInterrupted,
)
"""Errors that every further call would meet as well."""


async def ask(call: Awaitable[Any], kind: type[T], failed: Callable[[Status, Issue], T]) -> T:
    """Await a judge's reply; a failure of the call is a reply too.

    A judge should report its failures as replies. This is for those that raise, and for faults in a judge: one lost
    call must not end the evaluation of a thousand cases.

    Args:
        call: The call.
        kind: The type of reply the protocol promises.
        failed: Makes the reply of a failed call from its status and the issue that says what failed.

    Raises:
        ConfigurationError: If the reply is of another type.
        JudgeAuthError: And the other errors that end a run, as they come.
    """
    try:
        reply = await call
    except ENDS_THE_RUN:
        raise
    except Exception as error:  # noqa: BLE001 - a judge is foreign code; whatever it raises is reported
        return failed(*_describe(error))
    if not isinstance(reply, kind):
        raise ConfigurationError(f"the judge returned {type(reply).__name__} where {kind.__name__} is due")
    return reply


def _describe(error: Exception) -> tuple[Status, Issue]:
    # The text of a foreign exception may carry request headers, so only its type is kept.
    text = f"{type(error).__name__}: {error}" if isinstance(error, MagistrateError) else type(error).__name__
    if isinstance(error, JudgePolicyError):
        return Status.REFUSED, Issue(IssueCode.REFUSAL, text)
    if isinstance(error, JudgeContextError):
        return Status.CONTEXT_TRUNCATED, Issue(IssueCode.CONTEXT_TRUNCATED, text)
    return Status.JUDGE_ERROR, Issue(IssueCode.JUDGE_ERROR, text)


async def gather(*calls: Coroutine[Any, Any, Any]) -> list[Any]:
    """Await calls at the same time and return their results in order.

    If one raises, the others are cancelled and awaited before the error goes on: no call is left running, or paid for,
    behind the back of a run that has ended.
    """
    tasks = [asyncio.ensure_future(call) for call in calls]
    try:
        return await asyncio.gather(*tasks)
    except BaseException:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        raise
