"""How many calls to make at a time, or a minute, and none where the provider is down. Pure: the time is given.

The number at a time is found as TCP finds its window (slow start; Jacobson, 1988): it is halved when more than a
quarter of the calls meet an overload, and grows while nearly all succeed: it doubles a round until it was halved first,
then it grows by an eighth, two at least.
A limited rate has nothing to do with that number: as many calls a second are let through, however long their replies
take. There the time between two calls is what is found: a little longer for each that is turned away, a little
shorter for each that succeeds, so that about a quarter is turned away. Fewer refusals than that cost the refused call
its wait, and all others nothing. Where calls are let through one by one, four refusals in a row double that time.
"""

import math

from magistrate.errors import ConfigurationError

_MINUTE = 60.0
_SLACK = 1.0
"""Seconds that a pace may make up for: timers fire late."""
_SHORTEST_GAP, _LONGEST_GAP = 1e-3, 15.0
_SLOWER, _FASTER = 1.15, 1.05
"""What a call that is turned away, and one that succeeds, make of the time between two calls: they hold the balance
where 26 % are turned away."""
_LONG_GAP, _DOUBLED, _ROW = 0.25, 2.0, 4
"""Seconds from which on the time doubles where so many in a row are turned away, and halves where one succeeds: a
provider that refuses half of what it is asked at random would make it endless."""
_HOPELESS, _IDLE = 30, 150.0
"""Calls in a row that no chance turns away; seconds without one after which they are counted anew: nobody asked."""
_AT_FIRST = 2.0
"""How many times the rate that was just measured a rate is first taken to be."""
_GROWTH, _SHARE = 2.0, 1 / 8
"""Calls at a time, and the part of them, of which a round of calls which succeed adds the larger."""
_REFUSED = 0.25
"""The part of the calls that may be turned away without a word about their number: hardly one is so ten times."""
_MANY = 8
"""Calls at a time below which each that is turned away counts: there they are what the provider lets through."""
_FEW = 0.02
"""The part up to which the number grows."""


class AdaptiveLimit:
    def __init__(self, *, start: int = 64, most: int = 500) -> None:
        if most < 1:
            raise ConfigurationError(f"at most {most} calls at a time: it must be 1 or more")
        self.most = most
        self.value = float(min(start, most))
        self.epoch = 0
        self._ended = self._refused = 0.0

    def allows(self, under_way: int) -> bool:
        return under_way < int(self.value)

    def succeed(self, under_way: int) -> None:
        """Note that a call succeeded while so many were under way; a limit that was not reached need not grow."""
        self._count()
        if under_way >= int(self.value) and self._refused <= _FEW * self._ended:
            self.value = min(self.most, self.value + (max(_GROWTH / self.value, _SHARE) if self.epoch else 1.0))

    def turned_away(self, epoch: int, under_way: int) -> None:
        """Note that a call met an overload; one that began before the limit was last lowered counts no more."""
        if epoch != self.epoch:
            return
        self._refused += 1
        if self.value >= _MANY and self._refused <= _REFUSED * (self._ended + min(under_way, int(self.value))):
            self._count()
            return
        self.epoch += 1
        self._ended = self._refused = 0.0
        self.value = max(1.0, self.value / 2)

    def _count(self) -> None:
        """Count a call that ended; those of some rounds ago count half."""
        self._ended += 1.0
        if self._ended >= 4 * self.value:
            self._ended, self._refused = self._ended / 2, self._refused / 2


class AdaptiveRate:
    """The time between two calls: none, until a provider limits their rate."""

    def __init__(self) -> None:
        self.gap = 0.0
        self.ready_at = self.passed_at = self._since = self._at = self._first = self._latest = -math.inf
        self._begun = self._refused = 0.0
        self._in_a_row = 0

    def begin(self, now: float) -> None:
        """Note that a call begins."""
        # What lies a second back counts about a third: so the calls that are counted are those of a second.
        faded = math.exp(min(0.0, self._at - now))
        self._at = max(self._at, now)
        self._begun, self._refused = self._begun * faded + 1, self._refused * faded
        self.ready_at = max(self.ready_at, now) + self.gap

    def succeed(self, now: float) -> None:
        self.passed_at, self._in_a_row = now, 0
        faster = _FASTER if self.gap < _LONG_GAP else _DOUBLED
        self.gap = self.gap / faster if self.gap > _SHORTEST_GAP else 0.0

    def turned_away(self, now: float, began: float) -> float:
        """Note that a call was turned away; return the seconds for which all were, 0 where they are too few to tell."""
        if now - self._latest > _IDLE:
            self._in_a_row = 0
        self._first, self._latest = self._first if self._in_a_row else now, now
        self._refused += 1
        self._in_a_row += 1
        long = self.gap >= _LONG_GAP
        if began > self._since and self._refused > _REFUSED * self._begun and (self._in_a_row >= _ROW or not long):
            gap, measured = self.gap, 1.0 / (_AT_FIRST * max(1.0, self._begun))
            self.gap = min(_LONGEST_GAP, gap * (_DOUBLED if long else _SLOWER))
            if gap < measured:
                self.gap, self._since = measured, now
            self.ready_at = max(self.ready_at, now) + self.gap - gap
        return now - self._first if self._in_a_row >= _HOPELESS else 0.0


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
        return self._next

    def take(self, now: float, units: float = 1.0) -> None:
        """Note that a call of so many units begins."""
        self._next = max(self._next, now - self._slack) + units * self._interval

    def correct(self, units: float) -> None:
        """Note that a call took so many units more than was noted, or less."""
        self._next += units * self._interval


_PAUSES = (0.0, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0)
"""Seconds before the first, the second, ... try of a provider that fails; the last one for all that follow."""
_FRESH = 6.0
"""A provider that never answered gets this part of the patience: there it is the address that is wrong."""
_ABSENT = 120.0
"""And this one where nothing listens: no patience starts a server."""
_ABSENT_FAILURES = 3
"""Failures in a row that are enough there: fewer than one call has attempts, so that a single call tells it too."""


class Circuit:
    """Whether calls to a provider are made: all of them, one at a time, or none.

    After a few failures in a row the provider is tried with one call at a time, at growing intervals. So an outage
    costs a call every half minute, not every call of a run; and one that passes costs no row.
    """

    def __init__(self, *, failures: int = 5, patience: float = 120.0) -> None:
        self.failures = failures
        self.patience = patience
        self._streak = 0
        self._since = math.inf
        self._tried = 0
        self._try_at = 0.0
        self._trying = False
        self.answered = False
        self._opened: float | None = None
        self.why = ""

    @property
    def is_open(self) -> bool:
        """Whether the provider counts as down."""
        return self._opened is not None

    @property
    def suspects(self) -> bool:
        """Whether the provider is tried with one call at a time."""
        return self.is_open or self._streak >= self.failures

    def refuses(self, now: float) -> bool:
        """Whether no call is made. One that is open for long is tried again: a service may outlive an outage."""
        return self._opened is not None and now < self._opened + self.patience

    def ready_at(self, now: float) -> float:
        if not self.suspects:
            return now
        return math.inf if self._trying else self._try_at

    def begin(self) -> bool:
        """Note that a call begins; return whether it is a try."""
        self._trying = self._trying or self.suspects
        return self._trying

    def succeed(self) -> None:
        """Note that the provider answered, whatever it said."""
        self._streak = self._tried = 0
        self._since = math.inf
        self._trying = False
        self.answered = True
        self._opened = None

    def fail(self, now: float, began: float, why: str, *, trying: bool, absent: bool = False) -> None:
        """Note that a call failed in a way that a provider that is down fails."""
        if self.is_open and not trying:
            return  # one that was under way when the others were given up tells nothing new
        suspected = self.suspects
        self._streak += 1
        self._since = min(self._since, began)
        if trying:
            self._trying = False
            self._tried += 1
        if self.suspects and (trying or not suspected):
            self._try_at = now + _PAUSES[min(self._tried, len(_PAUSES) - 1)]
        gone = absent and not self.answered
        patience = self.patience if self.answered else self.patience / (_ABSENT if gone else _FRESH)
        enough = self.suspects or (gone and self._streak >= _ABSENT_FAILURES)
        if self.is_open or (enough and now - self._since >= patience):
            self._opened = now
            self.why = f"{why} ({self._streak} calls in a row failed)"

    def give_up(self, *, trying: bool) -> None:
        """Note that a call ended without a word about the provider: it was cancelled."""
        if trying:
            self._trying = False

    def trip(self, now: float, why: str) -> None:
        """Note that the provider itself says that no call will succeed."""
        self._opened = now
        self._trying = False
        self.why = why
