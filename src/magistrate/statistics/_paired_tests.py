"""Tests of whether two runs over the same cases differ: McNemar, Wilcoxon's signed ranks; what change they can see.

All are two-sided. A p value is the probability of a difference at least as large as the one seen if the runs were
equally good; 1.0 where no pair differs, None where there is no pair. It may underflow to 0.0, below about 1e-308.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from magistrate.statistics.intervals import TOLERANCE, binomial_cdf, normal_cdf, t_quantile

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
