"""Hands out the records of a dataset, from the event loop or from a thread of their own."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING

from magistrate.evaluation.dataset import Record

if TYPE_CHECKING:
    from magistrate.evaluation.runner import Stop

__all__ = ["Feed", "ThreadFeed"]


class Feed:
    """Hands out records one at a time."""

    def __init__(self, records: Iterator[Record]) -> None:
        self._records = records

    async def next(self, stop: Stop | None) -> Record | None:
        """The next record; None at the end, or once `stop` is requested."""
        del stop
        return next(self._records, None)

    def close(self) -> None:
        """Close the source."""
        close = getattr(self._records, "close", None)
        if close is not None:
            close()


class ThreadFeed(Feed):
    """Reads in a thread of its own, because a read from a pipe may block the loop.

    A daemon thread, because a blocked read cannot be interrupted and must not keep the process from ending.
    """

    _AHEAD = 32

    def __init__(self, records: Iterator[Record]) -> None:
        super().__init__(records)
        self._loop = asyncio.get_running_loop()
        self._ready: deque[Record | BaseException | None] = deque()
        self._wake = asyncio.Event()
        self._room = threading.Semaphore(self._AHEAD)
        self._closed = False
        threading.Thread(target=self._read, name="magistrate-dataset", daemon=True).start()

    def _read(self) -> None:
        item: Record | BaseException | None
        try:
            for item in self._records:
                self._room.acquire()
                if self._closed:
                    return
                self._hand(item)
            item = None
        except Exception as error:  # noqa: BLE001 - raised again where the record is awaited
            item = error
        self._hand(item)

    def _hand(self, item: Record | BaseException | None) -> None:
        self._ready.append(item)
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
            self._loop.call_soon_threadsafe(self._wake.set)

    async def next(self, stop: Stop | None) -> Record | None:
        """The next record; None at the end, or once `stop` is requested while none is there."""
        while not self._ready:
            self._wake.clear()
            if stop is not None and stop.requested:
                return None
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), timeout=0.2)
        item = self._ready[0]
        if item is None:
            return None
        if isinstance(item, BaseException):
            raise item
        self._ready.popleft()
        self._room.release()
        return item

    def close(self) -> None:
        """Let the thread end at its next record."""
        self._closed = True
        self._room.release()
