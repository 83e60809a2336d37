"""A mean score as people would give it: prediction-powered inference with a jackknife."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from magistrate.statistics.distributions import t_quantile
from magistrate.statistics.intervals import Interval, check_confidence, percent

LEAST_CASES = 30
"""Labelled cases below which the interval of a corrected mean holds the truth too seldom: none is given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanCorrection:
    """A corrected mean and what it rests on.

    Attributes:
        judge: Mean of the judge's scores; None where it scored nothing.
        people: Mean of people's scores.
        corrected: The corrected mean, in [0, 1].
        interval: Its interval, by the jackknife over labelled cases and Student's quantile.
        weight: How much of the judge is believed, in [0, 1].
        labelled: Labelled cases.
        n: All cases.
    """

    judge: float | None
    people: float
    corrected: float
    interval: Interval
    weight: float
    labelled: int
    n: int


def correct_mean(
    judge: Mapping[str, float | None], people: Mapping[str, float], *, confidence: float = 0.95
) -> MeanCorrection | None:
    """The mean score of all cases as people would give it.

    PPI++ (Angelopoulos, Duchi and Zrnic, arXiv 2311.01453): mean_n y + w (mean_N f - mean_n f) with
    w = cov_n(y, f) / ((1 + n/N) var f), cut to [0, 1]; its error by leaving out one labelled case at a time, w fitted
    anew each time, and Student's quantile. A case that the judge could not score has the mean of the others as its f,
    which keeps the estimate unbiased: f may be anything that does not look at the label.

    Args:
        judge: The judge's score of each case, in [0, 1]; None where it gave none.
        people: People's score of the labelled cases, in [0, 1].
        confidence: Share in (0, 1).

    Returns:
        The correction; None with fewer than 30 labelled cases, where it would claim more than it knows.

    Raises:
        ValueError: If the confidence is no share or a score is outside [0, 1].
    """
    check_confidence(confidence)
    scored = [score for score in judge.values() if score is not None]
    if any(not 0.0 <= score <= 1.0 for score in (*scored, *people.values())):
        raise ValueError("scores lie in [0, 1]")
    keys = [key for key in people if key in judge]
    n = len(keys)
    if n < LEAST_CASES:
        return None
    middle = math.fsum(scored) / len(scored) if scored else 0.5
    everything = [middle if score is None else score for score in judge.values()]
    total = math.fsum(everything) / len(everything)
    y = [people[key] for key in keys]
    f = [middle if (score := judge[key]) is None else score for key in keys]
    spread = math.fsum((value - total) ** 2 for value in everything) / max(1, len(everything) - 1)
    estimate, weight = _estimate(_Sums.of(y, f), total, len(everything), spread)
    sums = _Sums.of(y, f)
    left_out = [_estimate(sums.without(a, b), total, len(everything), spread)[0] for a, b in zip(y, f, strict=True)]
    centre = math.fsum(left_out) / n
    variance = (n - 1) / n * math.fsum((value - centre) ** 2 for value in left_out)
    variance += weight * weight * spread / len(everything)
    half = t_quantile((1 + confidence) / 2, n - 1) * math.sqrt(variance)
    corrected = min(1.0, max(0.0, estimate))
    return MeanCorrection(
        judge=math.fsum(scored) / len(scored) if scored else None,
        people=math.fsum(y) / n,
        corrected=corrected,
        interval=Interval(
            max(0.0, min(corrected, estimate - half)),
            min(1.0, max(corrected, estimate + half)),
            f"PPI++ with jackknife, Student's t, {percent(confidence)}",
            confidence,
        ),
        weight=weight,
        labelled=n,
        n=len(everything),
    )


@dataclass(frozen=True, slots=True)
class _Sums:
    n: int
    y: float
    f: float
    yf: float

    @classmethod
    def of(cls, y: Sequence[float], f: Sequence[float]) -> _Sums:
        return cls(len(y), math.fsum(y), math.fsum(f), math.fsum(a * b for a, b in zip(y, f, strict=True)))

    def without(self, y: float, f: float) -> _Sums:
        return _Sums(self.n - 1, self.y - y, self.f - f, self.yf - y * f)


def _estimate(sums: _Sums, total: float, size: int, spread: float) -> tuple[float, float]:
    """The corrected mean and the weight of the judge."""
    mean_y, mean_f = sums.y / sums.n, sums.f / sums.n
    covariance = (sums.yf - sums.n * mean_y * mean_f) / (sums.n - 1)
    weight = min(1.0, max(0.0, covariance / ((1 + sums.n / size) * spread))) if spread > 0.0 else 0.0
    return mean_y + weight * (total - mean_f), weight
