"""What our calls accept of an HTTP answer: no redirect, and no more than a few megabytes, unpacked.

LiteLLM makes the HTTP clients and keeps them in a cache of its own. Each client that comes into it gets a hook that
looks at the answers to our calls, and at no others.
"""

from __future__ import annotations

import contextvars
import zlib
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, Final

MOST_BYTES: Final = 8 * 1024 * 1024
"""Bytes of an answer: a reply of 50 verdicts has some 20,000."""
_GZIP: Final = 16 + zlib.MAX_WBITS

_calling: contextvars.ContextVar[bool] = contextvars.ContextVar("magistrate_calling", default=False)


class RedirectRefusedError(Exception):
    """The answer points to another address."""


class ReplyTooLargeError(Exception):
    """The answer has more bytes than any completion."""


def is_calling() -> bool:
    """Whether one of our own calls is being made."""
    return _calling.get()


@contextmanager
def quietly() -> Iterator[None]:
    """Mark what runs inside as one of our own calls."""
    token = _calling.set(True)
    try:
        yield
    finally:
        _calling.reset(token)


def watch_clients(cache: Any) -> None:
    """Give every client that LiteLLM puts into its cache the hook."""
    put = cache.set_cache

    def set_cache(key: str, value: Any, **options: Any) -> Any:
        client = getattr(value, "client", None) or getattr(value, "_client", None)
        hooks = getattr(client, "event_hooks", None)
        if client is not None and hooks is not None and _check not in hooks["response"]:
            client.event_hooks = {**hooks, "response": [*hooks["response"], _check]}
        return put(key=key, value=value, **options)

    cache.set_cache = set_cache


async def _check(response: Any) -> None:
    if not _calling.get():
        return
    if response.has_redirect_location:
        raise RedirectRefusedError(f"{response.status_code} to {response.headers['location'][:100]}")
    zipped = response.headers.get("content-encoding", "").strip().casefold() == "gzip"
    if zipped:
        del response.headers["content-encoding"]  # it is unpacked here, so that it can be bounded
    base = next(kind for kind in type(response.stream).__mro__ if kind.__name__ == "AsyncByteStream")
    response.stream = _bounded(base)(response.stream, zipped=zipped)


@lru_cache(maxsize=4)
def _bounded(base: type) -> Any:
    """A bounded stream that is one of the library's own kind."""
    return type("BoundedStream", (_Bounded, base), {})


class _Bounded:
    """A stream that gives up beyond `MOST_BYTES`, before they are in memory."""

    def __init__(self, inner: Any, *, zipped: bool) -> None:
        self._inner = inner
        self._unpack = zlib.decompressobj(_GZIP) if zipped else None

    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = MOST_BYTES
        async for piece in self._inner:
            data = piece if self._unpack is None else self._unpack.decompress(piece, left + 1)
            left -= len(data)
            if left < 0:
                raise ReplyTooLargeError(f"more than {MOST_BYTES:,} bytes")
            yield data

    async def aclose(self) -> None:
        await self._inner.aclose()
