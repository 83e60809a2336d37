"""How many calls to make at a time, and how many a minute. Pure: the time is given.

The number at a time is found as TCP finds its window (additive increase, multiplicative decrease; Chiu and Jain, 1989;
slow start; Jacobson, 1988): it is halved when calls are turned away, and grows while they succeed, doubling a round up
to half of where calls were last turned away, and by two a round after that.
"""

from __future__ import annotations

from magistrate.errors import ConfigurationError

_MINUTE = 60.0
_SLACK = 1.0
"""Seconds that a pace may make up for: timers fire late."""
_LONGEST_HOLD = 30.0
_GROWTH = 2.0
"""Calls at a time that a round of calls which succeed adds. With one, every fifth call refused leaves three at a time
where five do no harm; with three, a provider that lets 20 calls a second through refuses more than half of them."""


class AdaptiveLimit:
    """The number of calls at a time."""

    def __init__(self, *, start: int = 64, most: int = 500) -> None:
        if most < 1:
            raise ConfigurationError(f"at most {most} calls at a time: it must be 1 or more")
        self.most = most
        self.value = float(min(start, most))
        self.epoch = 0
        self._threshold = float(most)
        self._in_a_row = self._holds = 0

    def allows(self, under_way: int) -> bool:
        """Whether one more call may begin."""
        return under_way < int(self.value)

    def succeed(self, under_way: int) -> None:
        """Note that a call succeeded while so many were under way; a limit that was not reached need not grow."""
        self._in_a_row = self._holds = 0
        if under_way >= int(self.value):
            step = 1.0 if self.value < self._threshold else _GROWTH / self.value
            self.value = min(self.most, self.value + step)

    def turned_away(self, epoch: int) -> float:
        """Note that a call was turned away.

        Calls that began before the limit was last lowered are not held against it once more.
        """
        if epoch != self.epoch:
            return 0.0
        self.epoch += 1
        lowest = int(self.value) == 1
        self.value = max(1.0, self.value / 2)
        if not self._in_a_row:
            self._threshold = self.value
        self._in_a_row += 1
        if not lowest:
            return 0.0
        self._holds += 1
        return float(min(_LONGEST_HOLD, 2.0 ** (self._holds - 1)))


class Pace:
    """Units a minute, evenly spread: calls, or tokens.

    Where a call is one unit, no 60 seconds hold more calls than allowed. Where it is many (tokens), they hold at most
    one call more: a call begins once those before it are paid off.
    """

    def __init__(self, per_minute: float) -> None:
        if not 0 < per_minute < float("inf"):
            raise ConfigurationError(f"a limit of {per_minute} a minute: it must be more than 0")
        # One second's worth may be made up for, if that is a unit or more; the interval leaves room for it.
        self._slack = _SLACK if per_minute >= _MINUTE / _SLACK else 0.0
        self._interval = (_MINUTE + self._slack) / per_minute
        self._next = float("-inf")

    def ready_at(self) -> float:
        """Return when the next call may begin."""
        return self._next

    def take(self, now: float, units: float = 1.0) -> None:
        """Note that a call of so many units begins."""
        self._next = max(self._next, now - self._slack) + units * self._interval

    def correct(self, units: float) -> None:
        """Note that a call took so many units more than was noted, or less."""
        self._next += units * self._interval
