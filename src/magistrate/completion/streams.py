"""Text as it comes from a model: handed on piece by piece, and put together to the completion that it is.

Who wants the pieces says so around the call; all that stands between (retries, budgets, caches) sees one call with one
completion. A call that fails once pieces were handed on is not made again: they cannot be taken back.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

Hear = Callable[[str], None]
"""Takes a piece of text."""

listener: ContextVar[Hear | None] = ContextVar("magistrate_listener", default=None)
"""Who wants the text of the call at hand as it comes; None for nobody."""


@contextmanager
def listening(given: Hear | None) -> Iterator[None]:
    """Hand the text of calls for plain text that are made inside of this to a listener."""
    token = listener.set(given)
    try:
        yield
    finally:
        listener.reset(token)


def texts_of(chunk: Any) -> list[str]:
    """The pieces of text in a chunk of a stream."""
    given = (getattr(choice.delta, "content", None) for choice in getattr(chunk, "choices", None) or ())
    return [text for text in given if text]
