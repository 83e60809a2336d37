"""Bootstrap intervals: for a mean, and for the change between two runs over the same cases.

BCa (bias-corrected and accelerated): Efron, Better bootstrap confidence intervals, Journal of the American Statistical
Association 82 (1987). With z0 = PHI^-1(share of replicates below the estimate, ties counted half), a = sum d^3 / (6
(sum d^2)^(3/2)) over the jackknife deviations d, and z the normal quantile at (1 -+ confidence) / 2, the ends are the
percentiles of the replicates at PHI(z0 + (z0 + z) / (1 - a (z0 + z))); where that is undefined, z0 = a = 0.

The interval is too narrow for few cases. So z is widened to sqrt(n / (n - 1)) t, with t Student's quantile for n - 1
degrees of freedom, and the interval is as wide as Student's (the "expanded" interval of Hesterberg, What teachers
should know about the bootstrap, The American Statistician 69, 2015). `benchmarks/intervals.py` measures how often the
intervals hold the true value: nominal 95 % intervals of 10 to 300 values do in 92 to 100 % of the samples, save where
few values differ at all; of 10 changes of which four in five are zero, 79 % do, of 20 such changes 84 %.
"""

import math
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from magistrate.statistics.intervals import (
    CONFIDENCE,
    TOLERANCE,
    Interval,
    difference,
    normal_cdf,
    normal_quantile,
    percent,
    percentile,
    relative_change,
    t_interval,
    t_quantile,
    unanimous_interval,
)

_FEWEST = 8
"""With fewer cases the replicates are too coarse, and Student's interval holds the true value more often (measured)."""
_MOST_DRAWS = 4_000_000
"""Single draws worth waiting for, a fraction of a second: above, fewer resamples."""
_LEAST_RESAMPLES = 400
"""With less than these the bootstrap of a mean says no more than Student's interval, which is then taken."""
_MOST_UNDEFINED = 0.01


@dataclass(frozen=True, slots=True, kw_only=True)
class Bootstrap:
    """How intervals are bootstrapped.

    Args:
        resamples: How many, at least 100; fewer are drawn of more than 2,000 cases.
        seed: Equal seeds give equal intervals.

    Raises:
        ValueError: If it is fewer than 100 resamples.
    """

    resamples: int = 2000
    seed: int = 0

    def __post_init__(self) -> None:
        if self.resamples < 100:  # noqa: PLR2004 - the 2.5th percentile of fewer is one of the two least
            raise ValueError(f"a bootstrap needs at least 100 resamples, not {self.resamples}")


DEFAULT = Bootstrap()


def mean_interval(
    values: Iterable[float],
    bootstrap: Bootstrap = DEFAULT,
    *,
    low: float = 0.0,
    high: float = 1.0,
) -> Interval | None:
    """A 95 % confidence interval for the mean of the population that the values are drawn from.

    The bootstrap where it is good; Student's interval for fewer than 8 values, and for more than 10,000, where both
    agree; a bound of its own where all values are equal (see `unanimous_interval`). The order of the values never
    matters. The method that was used is named in the interval.

    Returns:
        The interval; None for fewer than two values.

    Raises:
        ValueError: If a value is not finite or lies outside the range.
    """
    # Equal values are counted: a run of a million cases has few different scores.
    counts = Counter(_checked(values, low, high, "value"))
    n = counts.total()
    if n < 2:  # noqa: PLR2004 - one value says nothing about spread
        return None
    least = min(counts)
    if max(counts) - least <= TOLERANCE:
        return unanimous_interval(least, n, low, high)
    total = math.fsum(count * value for value, count in counts.items())
    return _interval(
        total / n,
        counts,
        statistic=lambda drawn: sum(drawn) / n,
        without=lambda value: (total - value) / (n - 1),
        bootstrap=bootstrap,
        low=low,
        high=high,
    )


def change_interval(a: Sequence[float], b: Sequence[float], bootstrap: Bootstrap = DEFAULT) -> Interval | None:
    """A confidence interval for mean(b) - mean(a) over pairs of scores in [0, 1].

    It is the `mean_interval` of the differences b[i] - a[i].

    Differences within 1e-9 of zero are zero. Permuting the pairs changes nothing; exchanging a and b mirrors the
    interval.

    Returns:
        The interval; None for fewer than two pairs.

    Raises:
        ValueError: If the lengths differ, or a score is not finite or lies outside [0, 1].
    """
    changes = [difference(before, after) for before, after in _checked_pairs(a, b)]
    # A rise is drawn as the fall that it mirrors: one set of resamples serves both.
    rises = math.fsum(changes) > 0
    drawn = (0.0 - change for change in changes) if rises else changes
    found = mean_interval(drawn, bootstrap, low=-1.0)
    return replace(found, low=0.0 - found.high, high=0.0 - found.low) if found is not None and rises else found


def relative_change_interval(a: Sequence[float], b: Sequence[float], bootstrap: Bootstrap = DEFAULT) -> Interval | None:
    """A confidence interval for the relative change 100 (mean(b) - mean(a)) / mean(a) over pairs, in percent.

    Pairs are resampled, so numerator and denominator vary together.

    Returns:
        The interval, in percent; None for fewer than two pairs, where the change is undefined (mean(a) is 0) or is in
        so many resamples (over 1 %) that it has no bound, and where it is the same whatever is drawn.

    Raises:
        ValueError: If the lengths differ, or a score is not finite or lies outside [0, 1].
    """
    pairs = Counter(_checked_pairs(a, b))
    base = math.fsum(count * before for (before, _), count in pairs.items())
    other = math.fsum(count * after for (_, after), count in pairs.items())

    def statistic(drawn: Sequence[tuple[float, float]]) -> float | None:
        return relative_change(sum(before for before, _ in drawn), sum(after for _, after in drawn))

    def without(pair: tuple[float, float]) -> float | None:
        return relative_change(base - pair[0], other - pair[1])

    estimate = relative_change(base, other) if pairs.total() > 1 else None
    return _interval(estimate, pairs, statistic=statistic, without=without, bootstrap=bootstrap, low=-100.0)


def _interval(
    estimate: float | None,
    counts: Mapping[Any, int],
    *,
    statistic: Callable[[Sequence[Any]], float | None],
    without: Callable[[Any], float | None],
    bootstrap: Bootstrap,
    low: float,
    high: float = math.inf,
) -> Interval | None:
    """The interval of a statistic, which is known for all cases, for any sample of them, and without one case."""
    if estimate is None:
        return None
    jackknife = [(without(kind), count) for kind, count in counts.items()]
    known = [(value, count) for value, count in jackknife if value is not None]
    n = sum(count for _, count in jackknife)
    mean = math.fsum(count * value for value, count in known) / n
    squares = math.fsum(count * (mean - value) ** 2 for value, count in known)
    # Different scores differ by more than the tolerance; what is left below a tenth of it is rounding.
    if len(known) < len(jackknife) or math.sqrt(squares) <= 0.1 * TOLERANCE * max(1.0, abs(estimate)) / n:
        return None
    resamples = min(bootstrap.resamples, _MOST_DRAWS // n)
    if n < _FEWEST or resamples < min(_LEAST_RESAMPLES, bootstrap.resamples):
        error = math.sqrt((n - 1) / n * squares)
        return t_interval(estimate, error, n, low=low, high=high)
    cases = [kind for kind, count in sorted(counts.items(), key=repr) for _ in range(count)]
    choices = Random(bootstrap.seed).choices  # noqa: S311 - a bootstrap needs no cryptography
    drawn = (statistic(choices(cases, k=n)) for _ in range(resamples))
    replicates = sorted(value for value in drawn if value is not None)
    undefined = resamples - len(replicates)
    if undefined > _MOST_UNDEFINED * resamples:
        return None
    z = math.sqrt(n / (n - 1)) * t_quantile((1.0 + CONFIDENCE) / 2, n - 1)
    acceleration = math.fsum(count * (mean - value) ** 3 for value, count in known) / (6 * squares**1.5)
    name, below, above = _shares(replicates, estimate, acceleration, z)
    method = f"{name} bootstrap, {percent(CONFIDENCE)}, {resamples:,} resamples, seed {bootstrap.seed}"
    if undefined:
        method += f", {undefined} of them undefined and left out"
    bottom, top = percentile(replicates, below), percentile(replicates, above)
    hair = TOLERANCE * (replicates[-1] - replicates[0])
    return Interval(bottom, top, method) if bottom - hair <= estimate <= top + hair else None


def _shares(replicates: Sequence[float], estimate: float, acceleration: float, z: float) -> tuple[str, float, float]:
    """The shares of the replicates below the ends, and the name of the method: without correction where that fails.

    That is where all replicates lie on one side of the estimate (and then no interval holds it), or the acceleration is
    so large that the corrected quantile passes its pole.
    """
    hair = TOLERANCE * (replicates[-1] - replicates[0])
    below = bisect_left(replicates, estimate - hair)
    up_to = bisect_right(replicates, estimate + hair)
    share = (below + up_to) / (2 * len(replicates))
    bias = normal_quantile(share) if 0.0 < share < 1.0 else math.inf
    low, high = bias - z, bias + z
    if math.isinf(bias) or max(acceleration * low, acceleration * high) >= 1.0:
        return "percentile", normal_cdf(-z), normal_cdf(z)
    bottom, top = (normal_cdf(bias + end / (1.0 - acceleration * end)) for end in (low, high))
    return "BCa", bottom, top


def _checked(values: Iterable[float], low: float, high: float, what: str) -> Iterator[float]:
    for place, value in enumerate(map(float, values)):
        if not low - TOLERANCE <= value <= high + TOLERANCE:
            raise ValueError(f"{what} {place} is {value:g}: it must be a number in [{low:g}, {high:g}]")
        yield value


def _checked_pairs(a: Sequence[float], b: Sequence[float]) -> Iterator[tuple[float, float]]:
    if len(a) != len(b):
        raise ValueError(f"pairs need as many scores on both sides, not {len(a)} and {len(b)}")
    first, second = (_checked(run, 0.0, 1.0, f"score of the {name} run") for name, run in (("first", a), ("second", b)))
    return zip(first, second, strict=True)
