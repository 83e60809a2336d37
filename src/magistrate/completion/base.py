"""What a client for completions is."""

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar, runtime_checkable

from magistrate.records import Completion, CompletionRequest

R = TypeVar("R")

MODELS_MISSING = "LiteLLM and Instructor, which call models, are missing"
"""What a name of a model ends in where magistrate-core stands alone."""


@runtime_checkable
class CompletionClient(Protocol):
    """Anything that answers completion requests: clients wrap each other, and a test's needs these two methods."""

    async def complete(self, request: CompletionRequest) -> Completion:
        """Answer one request, or raise a `JudgeError`, or a `BudgetExceededError` before it is made."""
        ...

    async def close(self) -> None:
        """Close what the client holds open. It may be called more than once."""
        ...


@dataclass(eq=False)
class WrappedClient:
    """A client around another one, which is closed with it; what it adds is in its `complete`."""

    inner: CompletionClient

    async def close(self) -> None:
        """Close the inner client."""
        await self.inner.close()


class Shared(Generic[R]):
    """Something that is under way once, and that several wait for. If everybody stops waiting, it is cancelled."""

    def __init__(self, doing: Awaitable[R]) -> None:
        self._task = asyncio.ensure_future(doing)
        self._waiting = 0

    @property
    def ended(self) -> bool:
        """Whether it has ended, or was cancelled: whoever comes now waits for nothing."""
        return self._task.done() or bool(self._task.cancelling())

    async def result(self) -> R:
        """Wait for what it brings, or raise its error."""
        self._waiting += 1
        try:
            return await asyncio.shield(self._task)
        finally:
            self._waiting -= 1
            if not self._waiting and not self._task.done():
                self._task.cancel()
                await asyncio.gather(self._task, return_exceptions=True)
