"""What LiteLLM keeps per event loop, its connections and its logging worker: who uses them, and their end.

LiteLLM shares the connections between all clients, and its own function closes those of every loop at once; its worker
it forgets when a call comes on another loop. This module imports nothing of it; what is not loaded has neither.
"""

import asyncio
import sys
import threading
import weakref
from collections.abc import AsyncGenerator, Awaitable
from contextlib import suppress
from typing import Any

from magistrate.log import get_logger

_log = get_logger("magistrate.completion")

_CLOSING = "_magistrate_closing"
_WORKERS = "_magistrate_litellm_workers"
_WORKER = "LoggingWorker._worker_loop"
_TURNS = 3
"""Turns of a loop that a closed connection needs to give its socket back."""


class Loops:
    """Counts the clients that use each event loop's connections: LiteLLM shares these between all of them.

    They are closed when the last client leaves, or with the loop: `asyncio.run` (and whatever ends a loop as it should)
    ends the loop's asynchronous generators, and the one that is held for each loop closes them.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._users: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, int] = weakref.WeakKeyDictionary()

    async def enter(self, mine: weakref.WeakSet[asyncio.AbstractEventLoop]) -> None:
        """Note that a client makes calls on the running loop."""
        loop = asyncio.get_running_loop()
        if loop in mine:
            return
        with self._lock:
            mine.add(loop)
            self._users[loop] = self._users.get(loop, 0) + 1
        if getattr(loop, _CLOSING, None) is None:
            closing = _closing()
            _attach(loop, _CLOSING, closing)
            await anext(closing)

    async def leave(self, mine: weakref.WeakSet[asyncio.AbstractEventLoop]) -> None:
        """Note that a client is done with the running loop; the last one closes its connections."""
        loop = asyncio.get_running_loop()
        with self._lock:
            if loop not in mine:
                return
            mine.discard(loop)
            left = self._users[loop] = self._users[loop] - 1
            if left == 0:
                del self._users[loop]
        closing = getattr(loop, _CLOSING, None)
        if left == 0 and closing is not None:
            setattr(loop, _CLOSING, None)
            await closing.aclose()


LOOPS = Loops()


async def _closing() -> AsyncGenerator[None, None]:
    """Close the connections of the running loop when this generator is ended."""
    try:
        yield
    finally:
        await _close_connections()


async def _close_connections() -> None:
    """Close LiteLLM's clients of the running loop alone, which its own function does not, and let it forget them."""
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
    for _ in range(_TURNS):
        await asyncio.sleep(0)


async def minding_worker(call: Awaitable[Any]) -> Any:
    """Await a call of LiteLLM's; see to its logging worker afterwards."""
    try:
        return await call
    finally:
        loop = asyncio.get_running_loop()
        loop.call_soon(_mind_worker, loop)  # the worker starts after the call's last step


def _mind_worker(loop: asyncio.AbstractEventLoop) -> None:
    """Keep LiteLLM's logging workers as long as their loop, end those that were replaced, and let none be reported.

    LiteLLM holds one for all loops, and forgets that of another loop; asyncio reports it as "destroyed but pending".
    Calls in two threads at once make one meet the other's queue, and fail. The next worker logs what was to be logged.
    """
    module = sys.modules.get("litellm.litellm_core_utils.logging_worker")
    current = getattr(getattr(module, "GLOBAL_LOGGING_WORKER", None), "_worker_task", None)
    workers: set[asyncio.Task[Any]] = getattr(loop, _WORKERS, set())
    if current is None or current in workers:
        return
    # Another thread may have replaced the one that was started here a moment ago: only the loop still knows it.
    for task in asyncio.all_tasks(loop) - workers:
        if getattr(task.get_coro(), "__qualname__", "") == _WORKER:
            task._log_destroy_pending = False  # type: ignore[attr-defined]  # noqa: SLF001 - asyncio's own way to say so
            task.add_done_callback(_ended)
            task.add_done_callback(workers.discard)
            workers.add(task)
    if current in workers:
        for former in workers - {current}:
            former.cancel()
    _attach(loop, _WORKERS, workers)


def _attach(loop: asyncio.AbstractEventLoop, name: str, value: object) -> None:
    """Hold something by a loop, in a circle, so that neither outlives the other."""
    with suppress(AttributeError):  # a loop that takes no attributes goes without
        setattr(loop, name, value)


def _ended(worker: asyncio.Task[Any]) -> None:
    error = None if worker.cancelled() else worker.exception()
    if error is not None:
        _log.debug("litellm.logging_worker.failed", error=f"{type(error).__name__}: {error}")
