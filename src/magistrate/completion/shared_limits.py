"""Limits that processes of one machine keep together: what is left stands in a file that each locks to take of it."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from magistrate.completion.budget import Budget
from magistrate.completion.traffic import Pace

_SPARE = 4.0
"""Seconds of a minute that are left unused: on a busy machine calls arrive in bunches, later than they began."""


class LimitsFile:
    """What processes share of their limits."""

    def __init__(self, path: Path) -> None:
        from filelock import FileLock  # noqa: PLC0415 - only where limits are shared

        self._path = path
        self._threads = threading.Lock()
        self._lock = FileLock(path.with_suffix(".lock"), mode=0o600)

    def reset(self) -> None:
        """Begin anew: limits hold for one invocation."""
        with self.change() as state:
            state.clear()

    @contextmanager
    def change(self) -> Iterator[dict[str, Any]]:
        """Give what is written, and write it anew at the end; nobody else does meanwhile."""
        with self._threads, self._lock:
            file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
            try:
                raw = os.read(file, 1 << 16)
                state: dict[str, Any] = json.loads(raw) if raw else {}
                yield state
                new = json.dumps(state).encode()
                os.ftruncate(file, 0)
                os.pwrite(file, new, 0)
            finally:
                os.close(file)


class SharedBudget(Budget):
    """A budget that processes spend together. What one that was killed had set aside stays set aside."""

    def __init__(self, file: LimitsFile, *, max_cost: float | None = None, max_calls: int | None = None) -> None:
        super().__init__(max_cost=max_cost, max_calls=max_calls)
        self._file = file

    @contextmanager
    def _together(self) -> Iterator[None]:
        with self._file.change() as state:
            self.spent, self._held, self.calls = state.get("budget", (0.0, 0.0, 0))
            yield
            state["budget"] = (self.spent, self._held, self.calls)

    @property
    def left(self) -> tuple[int | None, float | None]:
        """Calls and US dollars that are left to all, calls in flight as if they cost nothing."""
        with self._together():
            return super().left

    def _try_hold(self, worst: float) -> bool:
        with self._together():
            return super()._try_hold(worst)

    def settle(self, held: float, cost: float | None) -> None:
        """Book what a call cost; None books what was set aside for it."""
        with self._together():
            super().settle(held, cost)


class SharedPace(Pace):
    """A pace that processes keep together. To ask when the next call may begin sets its place aside for the asker."""

    def __init__(self, file: LimitsFile, name: str, per_minute: float) -> None:
        super().__init__(per_minute)
        # A place that was set aside may be used late, beside that of another process: a little room is left for these.
        self._interval = (60.0 + self._slack + _SPARE) / per_minute
        self._file = file
        self._name = name
        self._mine = False

    def ready_at(self) -> float:
        """Return when the next call may begin, by the clock that the processes of a machine share."""
        if not self._mine:
            now = time.monotonic()
            with self._file.change() as state:
                self._next = state.get(self._name, float("-inf"))
                if self._next > now:
                    return self._next
                super().take(now)
                state[self._name] = self._next
            self._mine = True
        return float("-inf")

    def take(self, now: float, units: float = 1.0) -> None:
        """Note that a call of so many units begins, for which `ready_at` set one unit aside."""
        del now
        self._mine = False
        self.correct(units - 1.0)

    def correct(self, units: float) -> None:
        """Note that a call took so many units more than was noted, or less."""
        if units:
            with self._file.change() as state:
                state[self._name] = state.get(self._name, time.monotonic()) + units * self._interval
