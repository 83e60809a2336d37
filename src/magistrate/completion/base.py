"""What a client for completions is."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from magistrate.records import Completion, CompletionRequest

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


class WrappedClient:
    """A client around another one, which is closed with it; what it adds is in its `complete`."""

    def __init__(self, inner: CompletionClient) -> None:
        self._inner = inner

    async def close(self) -> None:
        """Close the inner client."""
        await self._inner.close()
