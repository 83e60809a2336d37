"""LiteLLM itself: loaded when a model is named, quiet about our calls, and telling its listeners of nothing else.

The only module that imports it: it takes seconds to import. The HTTP clients that it makes get a hook, by which no call
of ours accepts a redirect, or more than a few megabytes, unpacked.
"""

import contextvars
import gc
import importlib
import logging
import os
import sys
import warnings
import zlib
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from typing import Any, Final

from magistrate.completion.base import MODELS_MISSING
from magistrate.errors import ConfigurationError, MissingExtraError

MOST_BYTES: Final = 8 * 1024 * 1024
"""Bytes of an answer: a reply of 50 verdicts has some 20,000."""
_GZIP: Final = 16 + zlib.MAX_WBITS

_calling: contextvars.ContextVar[bool] = contextvars.ContextVar("magistrate_calling", default=False)
_priced: contextvars.ContextVar[bool] = contextvars.ContextVar("magistrate_priced", default=True)


class RedirectRefusedError(Exception):
    """The answer points to another address."""


class ReplyTooLargeError(Exception):
    """The answer has more bytes than any completion."""


@contextmanager
def quietly(*, priced: bool = True) -> Iterator[None]:
    """Mark what runs inside as one of our own calls, and whether LiteLLM is to price it.

    It is spared the log entry of the call, a fifth of its work, where nobody has registered to read it.
    """
    flags: list[tuple[contextvars.ContextVar[bool], bool]] = [(_calling, True), (_priced, priced)]
    internal = getattr(sys.modules.get("litellm._internal_context"), "is_internal_call", None)
    if internal is not None and not _listened():
        flags.append((internal, True))
    with ExitStack() as undone:
        for flag, value in flags:
            undone.callback(flag.reset, flag.set(value))
        yield


def _spare_prices(utils: Any) -> None:
    """Spare LiteLLM its search for a price, a third of its work where there is none, if nobody wants it."""
    if (update := getattr(utils, "update_response_metadata", None)) is not None:
        utils.update_response_metadata = lambda *given, **named: (
            update(*given, **named) if _priced.get() or _listened() else None
        )


def _listened() -> bool:
    """Whether somebody has registered to hear of calls."""
    return any(getattr(library(), name, None) for name in _LISTENERS)


def watch_clients(cache: Any) -> None:
    """Give every client that LiteLLM puts into its cache the hook."""
    put = cache.set_cache

    def set_cache(key: str, value: Any, **options: Any) -> Any:
        client: Any = getattr(value, "client", None) or getattr(value, "_client", None)
        hooks = getattr(client, "event_hooks", None)
        if hasattr(client, "aclose") and hooks is not None and _check not in hooks["response"]:
            client.event_hooks = {**hooks, "response": [*hooks["response"], _check]}
            client.headers["accept-encoding"] = "gzip"  # the size of all else could not be bounded
        return put(key=key, value=value, **options)

    cache.set_cache = set_cache


def _refuse_redirects(response_type: Any) -> None:
    """Let no call of ours be redirected, whoever makes it: httpx looks here before it follows."""
    points_away = response_type.has_redirect_location.fget

    def refused(response: Any) -> bool:
        if (away := bool(points_away(response))) and _calling.get():
            raise RedirectRefusedError(f"{response.status_code} to {response.headers['location'][:100]}")
        return away

    response_type.has_redirect_location = property(refused)


async def _check(response: Any) -> None:
    if not _calling.get():
        return
    packed = response.headers.get("content-encoding", "").strip().casefold()
    if zipped := packed == "gzip":
        del response.headers["content-encoding"]  # it is unpacked here, so that it can be bounded
    elif packed not in {"", "identity"}:
        raise ReplyTooLargeError(f"packed as {packed[:20]}, which was not asked for")
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


_LISTENERS = (
    "callbacks",
    "input_callback",
    "success_callback",
    "failure_callback",
    "_async_success_callback",
    "_async_failure_callback",
)
_HELLO: dict[str, Any] = {
    "model": "gpt-4o",
    "messages": [{"role": "user", "content": "hello"}],
    "mock_response": "hello",
    "no-log": True,
}
"""A call that goes nowhere, of which no entry is made: the entries are made later, in a thread."""


@lru_cache(maxsize=1)
def library() -> Any:
    """Import LiteLLM: offline (it would fetch a price map), without reading a `.env`, without its banners.

    What is alive then is left out of garbage collection from there on, in the whole process.
    """
    os.environ.setdefault("LITELLM_OFFLINE_MODE", "true")
    os.environ.setdefault("LITELLM_MODE", "PRODUCTION")
    collecting = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        # While it is imported, and again in its first call, it warns about itself and changes the filters of the
        # process. Both happen in here, where the filters are put back.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            litellm: Any = importlib.import_module("litellm")
            litellm.suppress_debug_info = True
            with _unheard(litellm):
                litellm.completion(**_HELLO)
        gc.freeze()  # half a million objects that stay: going through them again and again is a quarter of a call
    except ImportError as error:
        if isinstance(error, ModuleNotFoundError) and error.name == "litellm":
            raise MissingExtraError.needed(MODELS_MISSING, "models") from None
        raise ConfigurationError(f"LiteLLM cannot be imported: {error}. Reinstall magistrate.") from None
    finally:
        if collecting:
            gc.enable()
    watch_clients(litellm.in_memory_llm_clients_cache)
    _refuse_redirects(sys.modules["httpx"].Response)
    _spare_prices(litellm.utils)
    logging.getLogger("LiteLLM").addFilter(not_while_calling)
    return litellm


@lru_cache(maxsize=1)
def prepare_streams() -> None:
    """Let LiteLLM load what it needs for its first stream, with the warnings that it gives of itself."""
    litellm = library()
    with warnings.catch_warnings(), _unheard(litellm):
        warnings.simplefilter("ignore")
        chunks = list(litellm.completion(**_HELLO, stream=True))
        litellm.stream_chunk_builder(chunks, messages=_HELLO["messages"])


def not_while_calling(record: logging.LogRecord) -> bool:
    """Keep quiet what the libraries log about our own calls: our errors say it, without keys and prompts."""
    del record
    return not _calling.get()


@contextmanager
def _unheard(litellm: Any) -> Iterator[None]:
    """Set those aside who have registered to hear of calls, as these are none of the user's."""
    registered = {name: getattr(litellm, name) for name in _LISTENERS if hasattr(litellm, name)}
    for name in registered:
        setattr(litellm, name, [])
    try:
        yield
    finally:
        for name, listeners in registered.items():
            setattr(litellm, name, listeners)
