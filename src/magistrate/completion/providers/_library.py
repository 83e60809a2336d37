"""LiteLLM itself: loaded when a model is named, quiet about our calls, and telling its listeners of nothing else.

The only module that imports it: it takes seconds to import.
"""

from __future__ import annotations

import importlib
import logging
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from magistrate.completion.base import MODELS_MISSING
from magistrate.completion.providers._transport import is_calling, watch_clients
from magistrate.errors import ConfigurationError, MissingExtraError

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
    """Import LiteLLM: offline (it would fetch a price map), without reading a `.env`, without its banners."""
    os.environ.setdefault("LITELLM_OFFLINE_MODE", "true")
    os.environ.setdefault("LITELLM_MODE", "PRODUCTION")
    try:
        # While it is imported, and again in its first call, it warns about itself and changes the filters of the
        # process. Both happen in here, where the filters are put back.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            litellm: Any = importlib.import_module("litellm")
            litellm.suppress_debug_info = True
            with _unheard(litellm):
                litellm.completion(**_HELLO)
    except ModuleNotFoundError as error:
        if error.name != "litellm":
            raise ConfigurationError(f"LiteLLM cannot be imported: {error}. Reinstall magistrate.") from None
        raise MissingExtraError(MODELS_MISSING, extra="models") from None
    except ImportError as error:
        raise ConfigurationError(f"LiteLLM cannot be imported: {error}. Reinstall magistrate.") from None
    watch_clients(litellm.in_memory_llm_clients_cache)
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
    return not is_calling()


@contextmanager
def unlogged() -> Iterator[None]:
    """Spare LiteLLM the log entry of a call, a fifth of its work, where nobody has registered to read it."""
    if any(getattr(library(), name, None) for name in _LISTENERS):
        yield
        return
    flag = getattr(sys.modules.get("litellm._internal_context"), "is_internal_call", None)
    if flag is None:
        yield
        return
    token = flag.set(True)
    try:
        yield
    finally:
        flag.reset(token)


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
