"""The calls of a judge: one made and put on record, and several at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from magistrate.completion.cache import cache_key
from magistrate.completion.payments import current_calls
from magistrate.errors import (
    BudgetExceededError,
    ConfigurationError,
    JudgeAuthError,
    JudgeContextError,
    JudgeDownError,
    JudgeError,
    JudgeNotFoundError,
    JudgePolicyError,
)
from magistrate.judges.collector import ERROR
from magistrate.judges.windows import Window
from magistrate.records import TOO_LONG, CallRecord, CompletionRequest
from magistrate.verdict import ParseStatus

if TYPE_CHECKING:
    from magistrate.completion.base import CompletionClient

__all__ = ["Caller", "together"]

_FATAL = (JudgeAuthError, JudgeNotFoundError, JudgeDownError, ConfigurationError, BudgetExceededError)
"""What ends a run: no other case would fare better."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Makes the calls of a judge.

    Args:
        client: What answers them.
        api_base: Where it is reached, as a cache knows it; None for the provider's own address.
        limits: The context windows in tokens that providers spoke of, by model.
    """

    client: CompletionClient
    api_base: str | None
    limits: dict[str, int] = field(default_factory=dict)

    async def call(
        self,
        request: CompletionRequest,
        *,
        statements: tuple[int, ...] = (),
        window: Window = (),
        scale: str | None = None,
    ) -> CallRecord:
        """Make one call; a failure that does not end the run becomes a record of it.

        Args:
            request: What is asked.
            statements: The statements or items it is about, 0-based.
            window: The part of the contexts that it shows.
            scale: Name of the scale of its verdicts.

        Raises:
            JudgeError: What ends a run: no access, no such model, a provider that is down.
            ConfigurationError: If the client cannot make such a call.
            BudgetExceededError: If the budget is spent.
        """
        record = CallRecord(
            request.purpose,
            request.prompt,
            request.model,
            statements=statements,
            window=window,
            scale=scale,
            token=request.token,
            key=cache_key(request, self.api_base),
        )
        try:
            return _noted(replace(record, completion=await self.client.complete(request)))
        except _FATAL:
            raise
        except JudgeError as error:
            if isinstance(error, JudgeContextError) and error.limit is not None:
                self.limits[request.model] = error.limit
            return _noted(
                replace(
                    record,
                    status=_status(error),
                    error=f"{type(error).__name__}: {error.message}",
                    attempts=error.attempts,
                    free=not error.billable,
                )
            )


def _noted(call: CallRecord) -> CallRecord:
    noted = current_calls.get()
    if noted is not None:
        noted.append(call)
    return call


def _status(error: JudgeError) -> str:
    if isinstance(error, JudgePolicyError):
        return ParseStatus.REFUSAL.value
    return TOO_LONG if isinstance(error, JudgeContextError) else ERROR


async def together(jobs: Sequence[Coroutine[Any, Any, None]]) -> None:
    """Run coroutines at the same time; the first error ends the others.

    When the budget is spent, those under way are let finish: they are paid for, and a cache keeps what they bring.
    """
    if len(jobs) == 1:
        await jobs[0]
        return
    tasks = [asyncio.ensure_future(job) for job in jobs]
    try:
        await asyncio.gather(*tasks)
    except BaseException as error:
        if not isinstance(error, BudgetExceededError):
            for task in tasks:
                task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        raise
