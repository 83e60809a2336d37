"""Run a coroutine from synchronous code, also within a running loop: all on one loop, as long as the process lasts."""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import os
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

_INTERRUPTED_SECONDS = 10.0
"""How long an interrupted coroutine may take to end: it may have files to finish."""
_CLOSING_SECONDS = 1.0

_here = threading.local()


class _Background:
    """An event loop in a daemon thread, started with the first coroutine."""

    def __init__(self) -> None:
        self._inner: _Background | None = None
        self.forget()

    def forget(self) -> None:
        """Begin anew, in a process that was forked: it has none of its parent's threads."""
        # The loop's selector and sockets are the parent's too: it is kept, as dropping it would close them.
        self._parents: asyncio.AbstractEventLoop | None = getattr(self, "_loop", None)
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        if self._inner is not None:
            self._inner.forget()

    def loop(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None or self._thread is None or not self._thread.is_alive():
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=self._run, args=(self._loop,), name="magistrate", daemon=True)
                self._thread.start()
            return self._loop

    def inner(self) -> _Background:
        """The loop for what is run from a coroutine on this one, which cannot wait for itself."""
        with self._lock:
            if self._inner is None:
                self._inner = _Background()
            return self._inner

    def _run(self, loop: asyncio.AbstractEventLoop) -> None:
        _here.background = self
        asyncio.set_event_loop(loop)
        try:
            loop.run_forever()
        finally:
            for _ in range(2):  # what is still running is cancelled twice: one that tidies up for long ends then
                if left := asyncio.all_tasks(loop):
                    for task in left:
                        task.cancel()
                    loop.run_until_complete(asyncio.wait(left, timeout=_CLOSING_SECONDS))
            loop.run_until_complete(loop.shutdown_asyncgens())
            loop.close()

    def stop(self) -> None:
        """Close the loop and end its thread."""
        if self._inner is not None:
            self._inner.stop()
        with self._lock:
            loop, thread, self._loop, self._thread = self._loop, self._thread, None, None
        if loop is not None and thread is not None:
            with contextlib.suppress(RuntimeError):  # the loop may have ended by itself
                loop.call_soon_threadsafe(loop.stop)
            thread.join(timeout=5)


_background = _Background()
atexit.register(_background.stop)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_background.forget)


def run_sync(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end on the background loop, and return its result or raise its error.

    The coroutine sees the caller's context variables. An interrupt (Ctrl-C) while waiting cancels it, and is raised
    once it has ended; a second one does not wait.
    """
    running: _Background | None = getattr(_here, "background", None)
    background = _background if running is None else running.inner()
    ended = threading.Event()

    async def whole() -> T:
        try:
            return await coroutine
        finally:
            ended.set()

    future = asyncio.run_coroutine_threadsafe(whole(), background.loop())
    try:
        return future.result()
    except BaseException:
        if not ended.is_set():
            future.cancel()
            ended.wait(_INTERRUPTED_SECONDS)
        raise


async def on_background(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine on the background loop, and await it on the caller's.

    For callers whose own loops come and go: what is kept per event loop lasts as long as the loop.
    """
    if getattr(_here, "background", None) is not None:
        return await coroutine
    return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(coroutine, _background.loop()))
