"""The little statistics that reports need: mean, bootstrap interval, percentiles. Deterministic."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import NamedTuple

CONFIDENCE = 0.95
_Z = 1.959963984540054
"""97.5th percentile of the standard normal distribution."""
_RESAMPLES = 2000
_FEWEST_RESAMPLES = 400
_MOST_DRAWS = 4_000_000
_EXACT_UP_TO = 10_000


class Interval(NamedTuple):
    """A 95 % interval and the method that gave it."""

    low: float
    high: float
    method: str


def mean_interval(values: Sequence[float], *, seed: int = 0, low: float = 0.0, high: float = 1.0) -> Interval | None:
    """A 95 % confidence interval for the mean of values in [low, high].

    Up to 10,000 values: the percentile bootstrap (Efron 1979), the values sorted first so that their order never
    matters, 2,000 resamples, fewer (at least 400) above 2,000 values. Above 10,000 values the normal approximation,
    with which the bootstrap of a mean agrees there to three digits, at none of its cost.

    Args:
        values: One value a case.
        seed: Seed of the resampling; equal seeds give equal intervals.
        low: Least possible value.
        high: Greatest possible value.

    Returns:
        The interval, or None for fewer than two values: one value says nothing about spread.
    """
    n = len(values)
    if n < 2:  # noqa: PLR2004
        return None
    mean = math.fsum(values) / n
    if n > _EXACT_UP_TO:
        variance = math.fsum((value - mean) ** 2 for value in values) / (n - 1)
        half = _Z * math.sqrt(variance / n)
        return Interval(max(low, mean - half), min(high, mean + half), "normal approximation, 95 %")
    ordered = sorted(values)
    if ordered[0] == ordered[-1]:
        return Interval(ordered[0], ordered[0], "all values equal")
    resamples = max(_FEWEST_RESAMPLES, min(_RESAMPLES, _MOST_DRAWS // n))
    choices = random.Random(seed).choices  # noqa: S311 - a bootstrap needs no cryptography
    means = sorted(sum(choices(ordered, k=n)) / n for _ in range(resamples))
    tail = (1 - CONFIDENCE) / 2
    method = f"percentile bootstrap, 95 %, {resamples:,} resamples, seed {seed}"
    return Interval(percentile(means, tail), percentile(means, 1 - tail), method)


def percentile(ordered: Sequence[float], share: float) -> float:
    """The value below which a share of the sorted values lies, with linear interpolation between neighbours.

    Raises:
        ValueError: If there are no values.
    """
    if not ordered:
        raise ValueError("no values")
    place = share * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)
