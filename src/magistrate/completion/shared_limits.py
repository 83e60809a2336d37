"""Limits that processes keep together: what is left of them stands in one place that each changes in its turn."""

import json
import math
import os
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from functools import cache, partial
from operator import attrgetter, methodcaller
from pathlib import Path
from typing import Any, Protocol, TypeVar

from magistrate.completion.budget import Budget
from magistrate.completion.traffic import Pace
from magistrate.errors import MagistrateError

_SPARE = 4.0
"""Seconds of a minute that are left unused: on a busy machine calls arrive in bunches, later than they began."""

Found = TypeVar("Found")
State = dict[str, Any]


class Limits(Protocol):
    """Where what is left of limits stands. It can be sent to other processes, and equal ones are the same place."""

    def __hash__(self) -> int: ...

    def change(self, do: Callable[[State], Found], /) -> Found:
        """Have what stands there changed, while nobody else does; return what `do`, which can be sent too, returns."""
        ...


@dataclass(frozen=True, slots=True)
class LimitsFile:
    """A file, for the processes of one machine."""

    path: Path

    def change(self, do: Callable[[State], Found], /) -> Found:
        """Read what is written, and write it anew; see `Limits`."""
        private = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
        with os.fdopen(private, "r+b", buffering=0) as file, _lock(self.path):
            raw = file.read()
            state: State = json.loads(raw or b"{}")
            found = do(state)
            file.seek(0)
            file.write(json.dumps(state).encode().ljust(len(raw)))  # at once: a process that is killed empties nothing
        return found


@cache
def _lock(path: Path) -> Any:
    from filelock import FileLock  # noqa: PLC0415 - only where limits are shared

    return FileLock(path.with_suffix(".lock"), mode=0o600)


class Keeper(State):
    """An actor of a cluster: one call at a time changes what it keeps."""

    def change(self, do: Callable[[State], Any]) -> Any:
        """Change what is kept, by the clock of this machine."""
        return do(self)


@dataclass(frozen=True, slots=True)
class ActorLimits:
    """Limits that an actor keeps for all machines."""

    keeper: Any

    def change(self, do: Callable[[State], Found], /) -> Found:
        """Have the actor change what it keeps; see `Limits`."""
        found: Found = result_of(self.keeper.change.remote(do).future())
        return found


def result_of(call: Future[Found]) -> Found:
    """What a call in a cluster returned; what it raised is raised as it was."""
    try:
        return call.result()
    except Exception as error:  # noqa: BLE001 - what a cluster itself raises has no common root
        raise getattr(error, "cause", None) or MagistrateError(f"the cluster: {error}") from None


class SharedBudget(Budget):
    """A budget that processes spend together. What one that was killed had set aside stays set aside."""

    def __init__(self, limits: Limits, *, max_cost: float | None = None, max_calls: int | None = None) -> None:
        super().__init__(max_cost=max_cost, max_calls=max_calls)
        self._limits = limits

    def _together(self, do: Callable[[Budget], Any]) -> Any:
        return self._limits.change(partial(_spend, self.max_cost, self.max_calls, do))

    @property
    def left(self) -> tuple[int | None, float | None]:
        """Calls and US dollars that are left to all, calls in flight as if they cost nothing."""
        found: tuple[int | None, float | None] = self._together(attrgetter("left"))
        return found

    def _try_hold(self, worst: float) -> bool:
        return bool(self._together(methodcaller("_try_hold", worst)))

    def settle(self, held: float, cost: float | None) -> None:
        """Book what a call cost; None books what was set aside for it."""
        self._together(methodcaller("settle", held, cost))


def _spend(max_cost: float | None, max_calls: int | None, do: Callable[[Budget], Found], state: State) -> Found:
    budget = Budget(max_cost=max_cost, max_calls=max_calls)
    vars(budget).update(state.get("budget", {}))
    found = do(budget)
    state["budget"] = {name: vars(budget)[name] for name in ("spent", "_held", "calls")}
    return found


class SharedPace(Pace):
    """A pace that processes keep together. To ask when the next call may begin sets its place aside for the asker."""

    def __init__(self, limits: Limits, name: str, per_minute: float) -> None:
        super().__init__(per_minute)
        # A place that was set aside may be used late, beside that of another process: a little room is left for these.
        self._interval = (60.0 + self._slack + _SPARE) / per_minute
        self._limits = limits
        self._name = name
        self._mine = False

    def ready_at(self) -> float:
        """Return when the next call may begin, by this machine's clock."""
        wait = -math.inf
        if not self._mine:
            wait = self._limits.change(partial(_place, self._name, self._slack, self._interval))
            self._mine = wait == -math.inf
        return time.monotonic() + wait

    def take(self, now: float, units: float = 1.0) -> None:
        """Note that a call of so many units begins, for which `ready_at` set one unit aside."""
        del now
        self._mine = False
        self.correct(units - 1.0)

    def correct(self, units: float) -> None:
        """Note that a call took so many units more than was noted, or less."""
        if units:
            self._limits.change(partial(_shift, self._name, units * self._interval))


def _place(name: str, slack: float, interval: float, state: State) -> float:
    """Seconds until a call may begin; where it may now, its place is taken."""
    now = time.monotonic()
    at: float = state.get(name, -math.inf)
    if at > now:
        return at - now
    state[name] = max(at, now - slack) + interval
    return -math.inf


def _shift(name: str, seconds: float, state: State) -> None:
    state[name] = state.get(name, time.monotonic()) + seconds
