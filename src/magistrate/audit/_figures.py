"""Figures that are added up: means that are exact, agreement with people."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

from magistrate.statistics import wilson_limits

_UNIT = 1074
_Z = 1.959964


@dataclass(slots=True)
class Mean:
    """A mean that is added up."""

    count: int = 0
    _units: int = 0
    """The exact sum, in units of 2 to the power of -1074: every float is so many of them."""

    def add(self, value: float, times: int = 1) -> None:
        """Take a further value, or one that comes so many times."""
        numerator, denominator = float(value).as_integer_ratio()
        self._units += (times * numerator) << (_UNIT - denominator.bit_length() + 1)
        self.count += times

    def merge(self, other: Mean) -> None:
        """Take the values of another mean: in whatever parts they are added up, the sum is the same."""
        self._units += other._units
        self.count += other.count

    @property
    def value(self) -> float | None:
        """The mean; None of nothing."""
        return float(Fraction(self._units, self.count << _UNIT)) if self.count else None


@dataclass(frozen=True, slots=True)
class Agreed:
    """How far a judge's labels or scores agree with people's."""

    n: int
    share: float
    low: float
    high: float
    kappa: float | None

    @classmethod
    def of(cls, counted: Counter[tuple[str, str]], n: int) -> Agreed:
        """Add up (read, people's label) -> how often."""
        agreed = sum(times for (read, truth), times in counted.items() if read == truth)
        low, high = wilson_limits(agreed / n, n, _Z)
        read, truth = Counter[str](), Counter[str]()
        for (one, other), times in counted.items():
            read[one] += times
            truth[other] += times
        chance = sum(read[label] * truth[label] for label in truth) / n**2
        kappa = (agreed / n - chance) / (1 - chance) if chance < 1 and len(truth) > 1 else None
        return cls(n, agreed / n, low, high, kappa)
