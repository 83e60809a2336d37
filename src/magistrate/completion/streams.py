"""Text as it comes from a model: handed on piece by piece, and put together to the completion that it is.

Who wants the pieces says so around the call; all that stands between (retries, budgets, caches) sees one call with one
completion. A call that fails once pieces were handed on is not made again: they cannot be taken back.
"""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any


class Listener:
    """Takes pieces of text."""

    def __init__(self, hear: Callable[[str], None]) -> None:
        self._hear = hear
        self.heard = False

    def __call__(self, piece: str) -> None:
        """Take a piece."""
        if piece:
            self.heard = True
            self._hear(piece)


listener: ContextVar[Listener | None] = ContextVar("magistrate_listener", default=None)
"""Who wants the text of the call at hand as it comes; None for nobody."""


@contextmanager
def listening(given: Listener | None) -> Iterator[None]:
    """Hand the text of calls for plain text that are made inside of this to a listener."""
    token = listener.set(given)
    try:
        yield
    finally:
        listener.reset(token)


async def gathered(chunks: AsyncIterator[Any], given: Listener) -> list[Any]:
    """Hand on the text of a stream; return its chunks."""
    kept = []
    async for chunk in chunks:
        kept.append(chunk)
        for choice in getattr(chunk, "choices", None) or ():
            given(getattr(choice.delta, "content", None) or "")
    return kept
