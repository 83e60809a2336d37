"""Who paid for a completion, so that a run that was cut off and goes on reports what it cost, each call once.

A cached completion is free for every run but the one that paid for it. There it may have been paid for a case that the
run did not finish: no result counts it yet. Whoever asks for it again in that run then gets it with what it cost. A
payment is counted by one result at most. Which ones are counted already is read from the results themselves, each time
a run goes on: nothing else is still right after a process was killed between two writes.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from itertools import islice
from typing import TYPE_CHECKING

from magistrate.records import CallRecord, Usage

if TYPE_CHECKING:
    import sqlite3

PAYMENTS = """
CREATE TABLE IF NOT EXISTS payments (
    run TEXT NOT NULL, key TEXT NOT NULL, counted INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (run, key)
) WITHOUT ROWID
"""
Payment = tuple[Usage, int]
"""What a completion cost, and the calls that were made until it came."""

_BATCH = 500
"""Keys marked in one transaction: other processes may wait for the file meanwhile."""


class Payer:
    """A run that pays for completions."""

    def __init__(self, run: str, counted: Callable[[], Iterable[str]] = tuple) -> None:
        self.run = run
        self._counted = counted
        self._lock = threading.Lock()
        self._marked: set[str] = set()

    def mark(self, database: sqlite3.Connection, path: str) -> None:
        """Mark in a cache's file what the results count; once for each file, before anything is taken from it."""
        with self._lock:
            if path in self._marked:
                return
            if database.execute("SELECT 1 FROM payments WHERE run = ? LIMIT 1", (self.run,)).fetchone():
                database.execute("UPDATE payments SET counted = 0 WHERE run = ?", (self.run,))
                keys = iter(self._counted())
                while batch := [(self.run, key) for key in islice(keys, _BATCH)]:
                    database.execute("BEGIN IMMEDIATE")
                    with database:
                        database.executemany("UPDATE payments SET counted = 1 WHERE run = ? AND key = ?", batch)
            self._marked.add(path)


current_payer: ContextVar[Payer | None] = ContextVar("magistrate_payer", default=None)
"""The run whose calls are being made; None where no run is kept."""

current_calls: ContextVar[list[CallRecord] | None] = ContextVar("magistrate_calls", default=None)
"""Where calls are noted as they end, for a result that comes to nothing: what it had cost until then is known."""
