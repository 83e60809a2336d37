"""Run a coroutine from synchronous code, also where an event loop is already running (a notebook, a web handler)."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

__all__ = ["run_sync"]

T = TypeVar("T")


def run_sync(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end and return what it returns.

    Where a loop is running in this thread already, the coroutine gets a thread and a loop of its own, and this thread
    waits for it. Context variables are seen by the coroutine either way.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(coroutine)
    context = contextvars.copy_context()
    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="magistrate-sync") as pool:
        return pool.submit(context.run, asyncio.run, coroutine).result()
