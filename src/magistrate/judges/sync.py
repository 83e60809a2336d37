"""Runs a coroutine from code that is not async, also inside a running event loop (a notebook, a web server).

All of them run on one event loop in one thread of their own: LiteLLM keeps its connections per event loop, and one loop
per call would open them anew each time.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

from magistrate.completion.connections import close_connections

__all__ = ["run_sync"]

T = TypeVar("T")


class _Background:
    """An event loop in a daemon thread, started with the first coroutine."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def loop(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None or self._thread is None or not self._thread.is_alive():
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=self._run, args=(self._loop,), name="magistrate", daemon=True)
                self._thread.start()
            return self._loop

    @staticmethod
    def _run(loop: asyncio.AbstractEventLoop) -> None:
        asyncio.set_event_loop(loop)
        try:
            loop.run_forever()
        finally:
            loop.run_until_complete(close_connections())
            # LiteLLM leaves a worker of its own running on every loop, which may want to tidy up for long: it is told
            # twice.
            for _ in range(2):
                left = asyncio.all_tasks(loop)
                for task in left:
                    task.cancel()
                if left:
                    loop.run_until_complete(asyncio.wait(left, timeout=1))
            loop.run_until_complete(loop.shutdown_asyncgens())
            loop.close()

    def stop(self) -> None:
        with self._lock:
            loop, thread, self._loop, self._thread = self._loop, self._thread, None, None
        if loop is not None and thread is not None:
            with contextlib.suppress(RuntimeError):  # the loop may have ended by itself
                loop.call_soon_threadsafe(loop.stop)
            thread.join(timeout=5)


_BACKGROUND = _Background()
atexit.register(_BACKGROUND.stop)


def run_sync(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end on the background loop, and return its result or raise its error.

    An interrupt (Ctrl-C) while waiting cancels it.
    """
    future = asyncio.run_coroutine_threadsafe(coroutine, _BACKGROUND.loop())
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise
