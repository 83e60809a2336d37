"""Two runs over the same cases, compared case by case: tests of whether they differ, and what change they can see.

The tests are two-sided. A p value is the probability of a difference at least as large as the one seen if the runs were
equally good; 1.0 where no pair differs, None where there is no pair. It may underflow to 0.0, below about 1e-308.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import stdev
from typing import Literal

from magistrate.statistics._bootstrap import DEFAULT, Bootstrap, change_interval, relative_change_interval
from magistrate.statistics.intervals import (
    CONFIDENCE,
    TOLERANCE,
    Interval,
    binomial_cdf,
    difference,
    normal_cdf,
    relative_change,
    t_quantile,
)

_EXACT_UP_TO = 100
"""Pairs that differ up to which the signed-rank distribution is computed exactly, in about a millisecond."""


@dataclass(frozen=True, slots=True, kw_only=True)
class McNemarTest:
    """What two runs made of the same cases, passed or not, and what that proves.

    Attributes:
        both: Cases that pass in both runs.
        only_a: Cases that pass in the first run only.
        only_b: Cases that pass in the second run only.
        neither: Cases that pass in neither.
        p_value: Exact, two-sided, in [0, 1]; None without cases.
    """

    both: int
    only_a: int
    only_b: int
    neither: int
    p_value: float | None
    method: str = "exact McNemar test"


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedRankTest:
    """Wilcoxon's test of paired differences.

    Attributes:
        n: Pairs that differ.
        n_zero: Pairs that do not.
        w_plus: Sum of the ranks of the positive differences.
        w_minus: Sum of the ranks of the negative differences.
        p_value: Two-sided, in [0, 1]; None without pairs.
        method: Whether it is exact or approximate.
    """

    n: int
    n_zero: int
    w_plus: float
    w_minus: float
    p_value: float | None
    method: str


def mcnemar_test(a: Sequence[bool], b: Sequence[bool]) -> McNemarTest:
    """Test whether two runs pass the same share of the same cases.

    Only the cases that pass in one run alone say anything; if the runs are equally good each of them is as likely to be
    one's as the other's: p = min(1, 2 P(X <= min(only_a, only_b))), X binomial with probability 1/2. McNemar, Note on
    the sampling error of the difference between correlated proportions, Psychometrika 12 (1947), in its exact form.

    Raises:
        ValueError: If the lengths differ.
    """
    if len(a) != len(b):
        raise ValueError(f"a paired test needs as many cases on both sides, not {len(a)} and {len(b)}")
    pairs = [(bool(x), bool(y)) for x, y in zip(a, b, strict=True)]
    only_a, only_b = pairs.count((True, False)), pairs.count((False, True))
    return McNemarTest(
        both=pairs.count((True, True)),
        only_a=only_a,
        only_b=only_b,
        neither=pairs.count((False, False)),
        p_value=min(1.0, 2 * binomial_cdf(min(only_a, only_b), only_a + only_b, 0.5)) if pairs else None,
    )


def signed_rank_test(differences: Iterable[float]) -> SignedRankTest:
    """Test whether paired differences are symmetric around zero, by their signs and the ranks of their sizes.

    Pairs that do not differ are left out (Wilcoxon, Individual comparisons by ranking methods, Biometrics Bulletin 1,
    1945). Up to 100 pairs that differ, the p value is exact given the sizes, with ties as well: if the runs are equally
    good every rank is as likely to be positive as negative, and the distribution of w_plus follows by adding one rank
    after the other (Streitberg and Röhmel, Exact distributions for permutation and rank tests, Statistical Software
    Newsletter 12, 1986). Above, w_plus is taken as normal with mean sum r / 2 and variance sum r^2 / 4 over the ranks
    r, without a continuity correction.

    Raises:
        ValueError: If a difference is not finite.
    """
    values = [float(value) for value in differences]
    if not all(map(math.isfinite, values)):
        raise ValueError("differences must be finite numbers")
    signed = sorted((value for value in values if abs(value) > TOLERANCE), key=abs)
    n_zero = len(values) - len(signed)
    doubled = _doubled_ranks(signed)
    plus = sum(rank for rank, value in zip(doubled, signed, strict=True) if value > 0.0)
    total = sum(doubled)
    exact = len(signed) <= _EXACT_UP_TO
    if exact:
        p = _exact_p(doubled, plus)
    else:
        p = 2.0 * normal_cdf(-abs(2 * plus - total) / math.sqrt(sum(rank * rank for rank in doubled)))
    return SignedRankTest(
        n=len(signed),
        n_zero=n_zero,
        w_plus=plus / 2,
        w_minus=(total - plus) / 2,
        p_value=p if values else None,
        method=f"{'exact' if exact else 'normal approximation of the'} Wilcoxon signed-rank test",
    )


def _doubled_ranks(signed: Sequence[float]) -> list[int]:
    """Twice the rank of each size, so that the mean rank of ties is a whole number. The sizes ascend."""
    doubled: list[int] = []
    start = 0
    for end in range(1, len(signed) + 1):
        if end == len(signed) or abs(signed[end]) - abs(signed[end - 1]) > TOLERANCE:
            doubled.extend([start + 1 + end] * (end - start))
            start = end
    return doubled


def _exact_p(doubled: Sequence[int], plus: int) -> float:
    # One whole number holds the counts of all sums, n + 1 bits each: adding it to itself, shifted by a rank, adds that
    # rank to every sum or not. The counts of the tail are then the digits below it, and a number is its digits' sum
    # modulo the base less one (as with 9 in decimal); that sum, at most 2^n, is smaller than the modulus.
    n = len(doubled)
    if n == 0:
        return 1.0
    least = min(plus, sum(doubled) - plus)
    counts = 1
    for rank in doubled:
        counts += counts << (rank * (n + 1))
    tail = counts & ((1 << ((least + 1) * (n + 1))) - 1)
    base_less_one = (1 << (n + 1)) - 1
    return min(1.0, 2 * (tail % base_less_one) / (1 << n))


def minimum_detectable_effect(sd: float, n: int) -> float | None:
    """The least true mean difference that a paired comparison of n cases finds at 95 % with a power of 80 %.

    (t[.975] + t[.8]) sd / sqrt(n), with Student's quantiles for n - 1 degrees of freedom. Bloom, Minimum
    detectable effects, Evaluation Review 19 (1995). A change smaller than this may be real and still look like noise.

    Returns:
        The effect, in the unit of the score; None for fewer than two pairs, and where the differences do not vary,
        since then their spread is not known.

    Raises:
        ValueError: If an argument is outside its range.
    """
    if not 0.0 <= sd < math.inf or n < 0:
        raise ValueError(f"a standard deviation and a number of pairs are at least 0, not {sd} and {n}")
    if n < 2 or sd == 0.0:  # noqa: PLR2004 - one pair says nothing about spread
        return None
    return (t_quantile(0.975, n - 1) + t_quantile(0.8, n - 1)) * sd / math.sqrt(n)


_ROUGH_BELOW = 10


@dataclass(frozen=True, slots=True)
class Pair:
    """The scores of one case in both runs.

    Args:
        id: The case.
        a: Its score in the first run.
        b: Its score in the second run.
    """

    id: str
    a: float
    b: float

    @property
    def change(self) -> float:
        """The change b - a, exactly 0.0 within 1e-9."""
        return difference(self.a, self.b)


@dataclass(frozen=True, slots=True, kw_only=True)
class Flips:
    """The cases that pass in one run and not in the other.

    Attributes:
        threshold: The score that passes.
        gained: Cases that pass in the second run only, by id.
        lost: Cases that pass in the first run only, by id.
        test: Whether that is more than chance.
    """

    threshold: float
    gained: tuple[Pair, ...]
    lost: tuple[Pair, ...]
    test: McNemarTest


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What two runs say of the same cases. Every id of either run is in exactly one place.

    `wins`, `losses` and `ties` hold the cases that both runs scored; `unscored_in_a`, `unscored_in_b` and
    `unscored_in_both` those that both runs have but did not both score; `only_in_a` and `only_in_b` the rest.

    Attributes:
        n: Cases with a score in both runs. All figures below are over these.
        n_ids: Cases that are in either run.
        direction: "maximize" where a higher score is better, else "minimize".
        confidence: Of the intervals.
        mean_a: Mean score in the first run; None without pairs.
        mean_b: Mean score in the second run; None without pairs.
        change: mean_b - mean_a, whichever direction is better; None without pairs.
        change_interval: Its interval (`change_interval`); None for fewer than two pairs.
        change_bounds: Least and greatest change over all cases that both runs have which the missing scores leave
            possible; None where there is no such case.
        relative_change: In percent of mean_a; None without pairs or where mean_a is 0.
        relative_change_interval: Its interval in percent; None where it has none (`relative_change_interval`).
        sd: Standard deviation of the changes (n - 1); None for fewer than two pairs.
        minimum_detectable_effect: The least true change that such a comparison finds with 80 % power; None where it
            cannot be known.
        test: McNemar's exact test where every score is 0 or 1, else Wilcoxon's signed-rank test.
        wins: Cases that are better in the second run, greatest change first, then by id.
        losses: Cases that are worse, likewise.
        ties: Ids of the cases whose scores are equal, sorted.
        flips: The cases that pass in one run only; None where no threshold was given.
        unscored_in_a: Ids of the cases that only the second run scored, sorted.
        unscored_in_b: Ids of the cases that only the first run scored, sorted.
        unscored_in_both: Ids of the cases that both runs have and neither scored, sorted.
        only_in_a: Ids of the cases that only the first run has, sorted.
        only_in_b: Ids of the cases that only the second run has, sorted.
        notes: Why a figure is None or rough, one sentence each.
    """

    n: int
    n_ids: int
    direction: Literal["maximize", "minimize"]
    confidence: float
    mean_a: float | None
    mean_b: float | None
    change: float | None
    change_interval: Interval | None
    change_bounds: tuple[float, float] | None
    relative_change: float | None
    relative_change_interval: Interval | None
    sd: float | None
    minimum_detectable_effect: float | None
    test: McNemarTest | SignedRankTest
    wins: tuple[Pair, ...]
    losses: tuple[Pair, ...]
    ties: tuple[str, ...]
    flips: Flips | None
    unscored_in_a: tuple[str, ...]
    unscored_in_b: tuple[str, ...]
    unscored_in_both: tuple[str, ...]
    only_in_a: tuple[str, ...]
    only_in_b: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def coverage(self) -> float:
        """Share of the cases of either run that could be compared, in [0, 1]; 0 without cases."""
        return self.n / self.n_ids if self.n_ids else 0.0


def compare_paired(
    a: Mapping[str, float | None],
    b: Mapping[str, float | None],
    *,
    threshold: float | None = None,
    direction: Literal["maximize", "minimize"] = "maximize",
    bootstrap: Bootstrap = DEFAULT,
) -> Comparison:
    """Compare two runs over the same cases, aligned by id, never by position.

    Raises:
        ValueError: If a score is not in [0, 1] (the message names the case), or the direction is neither.
    """
    if direction not in ("maximize", "minimize"):
        raise ValueError(f'direction must be "maximize" or "minimize", not {direction!r}')
    _check(a, "first")
    _check(b, "second")
    shared = sorted(a.keys() & b.keys())
    both = ((key, a[key], b[key]) for key in shared)
    pairs = [Pair(key, float(x), float(y)) for key, x, y in both if x is not None and y is not None]
    first, second = [pair.a for pair in pairs], [pair.b for pair in pairs]
    mean_a, mean_b = _mean(first), _mean(second)
    change = relative = None
    if mean_a is not None and mean_b is not None:
        change, relative = difference(mean_a, mean_b), relative_change(mean_a, mean_b)
    relative_interval = relative_change_interval(first, second, bootstrap)
    interval = change_interval(first, second, bootstrap)
    changes = [pair.change for pair in pairs]
    sd = stdev(changes) if len(pairs) > 1 else None
    binary = bool(pairs) and {*first, *second} <= {0.0, 1.0}
    sign = 1.0 if direction == "maximize" else -1.0
    moved = sorted((pair for pair in pairs if pair.change), key=lambda pair: (-abs(pair.change), pair.id))
    return Comparison(
        n=len(pairs),
        n_ids=len(a.keys() | b.keys()),
        direction=direction,
        confidence=CONFIDENCE,
        mean_a=mean_a,
        mean_b=mean_b,
        change=change,
        change_interval=interval,
        change_bounds=_bounds(a, b, shared),
        relative_change=relative,
        relative_change_interval=relative_interval,
        sd=sd,
        minimum_detectable_effect=None if sd is None else minimum_detectable_effect(sd, len(pairs)),
        test=mcnemar_test([x == 1.0 for x in first], [x == 1.0 for x in second])
        if binary
        else signed_rank_test(changes),
        wins=tuple(pair for pair in moved if sign * pair.change > 0.0),
        losses=tuple(pair for pair in moved if sign * pair.change < 0.0),
        ties=tuple(pair.id for pair in pairs if not pair.change),
        flips=None if threshold is None else _flips(pairs, threshold, sign),
        unscored_in_a=tuple(key for key in shared if a[key] is None and b[key] is not None),
        unscored_in_b=tuple(key for key in shared if b[key] is None and a[key] is not None),
        unscored_in_both=tuple(key for key in shared if a[key] is None and b[key] is None),
        only_in_a=tuple(sorted(a.keys() - b.keys())),
        only_in_b=tuple(sorted(b.keys() - a.keys())),
        notes=tuple(_notes(len(pairs), len(moved), mean_a, interval, relative_interval)),
    )


def _check(scores: Mapping[str, float | None], which: str) -> None:
    for key, score in scores.items():
        if score is not None and not -TOLERANCE <= score <= 1.0 + TOLERANCE:
            raise ValueError(f"case {key!r} of the {which} run: {score:g} is no score in [0, 1]; None is no score")


def _mean(values: list[float]) -> float | None:
    return math.fsum(values) / len(values) if values else None


def _bounds(
    a: Mapping[str, float | None], b: Mapping[str, float | None], shared: list[str]
) -> tuple[float, float] | None:
    if not shared:
        return None

    def mean(scores: Mapping[str, float | None], missing: float) -> float:
        values = (scores[key] for key in shared)
        return math.fsum(missing if value is None else value for value in values) / len(shared)

    return difference(mean(a, 1.0), mean(b, 0.0)), difference(mean(a, 0.0), mean(b, 1.0))


def _flips(pairs: list[Pair], threshold: float, sign: float) -> Flips:
    def passes(score: float) -> bool:
        return sign * (score - threshold) >= -TOLERANCE

    return Flips(
        threshold=threshold,
        gained=tuple(pair for pair in pairs if passes(pair.b) and not passes(pair.a)),
        lost=tuple(pair for pair in pairs if passes(pair.a) and not passes(pair.b)),
        test=mcnemar_test([passes(pair.a) for pair in pairs], [passes(pair.b) for pair in pairs]),
    )


def _notes(
    n: int, n_moved: int, mean_a: float | None, interval: Interval | None, relative: Interval | None
) -> Iterable[str]:
    if n == 0:
        yield "no case has a score in both runs: there is nothing to compare"
        return
    if mean_a is not None and abs(mean_a) <= TOLERANCE:
        yield "the mean of the first run is 0: there is no relative change from nothing"
    elif relative is None:
        yield "the relative change has no interval: too few pairs, too few scores above 0, or no spread"
    if interval is None:
        yield "the change has no interval: it takes two pairs"
    elif n_moved < _ROUGH_BELOW:
        moved = f"only {n_moved}" if n_moved else "none"
        yield f"{moved} of {n} pairs differ: the interval of the change is rough, go by the test"
