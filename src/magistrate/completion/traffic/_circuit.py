"""Tells a bad moment of a provider from a provider that is down. Pure: the time is given.

After a few failures in a row the calls are held back and the provider is tried with one at a time, at growing
intervals. So an outage costs a call every half minute, not every call of a run; and one that passes costs no row.
"""

from __future__ import annotations

import math

_PAUSES = (0.0, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0)
"""Seconds before the first, the second, ... try of a provider that fails; the last one for all that follow."""
_FRESH = 6.0
"""A provider that never answered gets this part of the patience: there it is the address that is wrong."""
_ABSENT = 120.0
"""And this one where nothing listens: no patience starts a server."""
_ABSENT_FAILURES = 3
"""Failures in a row that are enough there: fewer than one call has attempts, so that a single call tells it too."""


class Circuit:
    """Whether calls to a provider are made: all of them, one at a time, or none."""

    def __init__(self, *, failures: int = 5, patience: float = 120.0) -> None:
        self.failures = failures
        self.patience = patience
        self._streak = 0
        self._since = math.inf
        self._tried = 0
        self._try_at = 0.0
        self._trying = False
        self._answered = False
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
        """Return when the next call may begin; infinity while one is being tried."""
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
        self._answered = True
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
        gone = absent and not self._answered
        patience = self.patience if self._answered else self.patience / (_ABSENT if gone else _FRESH)
        enough = self.suspects or (gone and self._streak >= _ABSENT_FAILURES)
        if self.is_open or (enough and now - self._since >= patience):
            self._opened = now
            self.why = f"{self._streak} calls in a row failed within {now - self._since:.0f} s, the last one: {why}"

    def give_up(self, *, trying: bool) -> None:
        """Note that a call ended without a word about the provider: it was cancelled."""
        if trying:
            self._trying = False

    def trip(self, now: float, why: str) -> None:
        """Note that the provider itself says that no call will succeed."""
        self._opened = now
        self._trying = False
        self.why = why
