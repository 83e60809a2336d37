"""The connections that LiteLLM keeps per event loop: who uses them, and closing them.

LiteLLM shares them between all clients, and its own function closes those of every loop at once. This module imports
nothing of it; what is not loaded has no connections.
"""

from __future__ import annotations

import asyncio
import sys
import threading
import weakref
from collections.abc import Awaitable
from contextlib import suppress
from typing import Any

__all__ = ["LOOPS", "close_connections", "keeping_worker"]

_WORKER = "_magistrate_litellm_worker"


async def keeping_worker(call: Awaitable[Any]) -> Any:
    """Await a call of LiteLLM's; see to its logging worker afterwards."""
    try:
        return await call
    finally:
        loop = asyncio.get_running_loop()
        loop.call_soon(_keep_worker, loop)  # the worker starts after the call's last step


def _keep_worker(loop: asyncio.AbstractEventLoop) -> None:
    """Keep LiteLLM's logging worker alive as long as its event loop, and end the one before it.

    LiteLLM forgets the worker of one loop when a call comes on another (a notebook's loop and the one of the `..._sync`
    methods, say); forgotten, it is destroyed while it waits, and asyncio says so on standard error.
    """
    module = sys.modules.get("litellm.litellm_core_utils.logging_worker")
    worker = getattr(getattr(module, "GLOBAL_LOGGING_WORKER", None), "_worker_task", None)
    if not isinstance(worker, asyncio.Task) or worker.get_loop() is not loop:
        return
    former = getattr(loop, _WORKER, None)
    if former is not worker:
        if former is not None:
            former.cancel()
        with suppress(AttributeError):  # a loop that takes no attributes goes without
            setattr(loop, _WORKER, worker)  # a circle, so that neither outlives the other


class Loops:
    """Counts the clients that use each event loop's connections: LiteLLM shares these between all of them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._users: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, int] = weakref.WeakKeyDictionary()

    def enter(self, mine: weakref.WeakSet[asyncio.AbstractEventLoop]) -> None:
        """Note that a client makes calls on the running loop."""
        loop = asyncio.get_running_loop()
        if loop not in mine:
            with self._lock:
                mine.add(loop)
                self._users[loop] = self._users.get(loop, 0) + 1

    def leave(self, mine: weakref.WeakSet[asyncio.AbstractEventLoop]) -> bool:
        """Note that a client is done with the running loop; say whether it was the last one."""
        loop = asyncio.get_running_loop()
        with self._lock:
            if loop not in mine:
                return False
            mine.discard(loop)
            left = self._users[loop] = self._users[loop] - 1
            if left == 0:
                del self._users[loop]
            return left == 0


LOOPS = Loops()


async def close_connections() -> None:
    """Close LiteLLM's clients of the running loop, and let it forget them.

    Its own `close_litellm_async_clients` closes those of every loop, also under another thread's calls.
    """
    litellm = sys.modules.get("litellm")
    cache = getattr(litellm, "in_memory_llm_clients_cache", None)
    if cache is None:
        return
    marker = cache.update_cache_key_with_event_loop("")
    for key in [key for key in cache.cache_dict if key.endswith(marker)]:
        client = cache.cache_dict.pop(key)
        cache.ttl_dict.pop(key, None)
        close = getattr(client, "aclose", None) or getattr(client, "close", None)
        if close is not None:
            closing = close()
            if asyncio.iscoroutine(closing):
                await closing
