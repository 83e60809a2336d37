"""Quantiles and intervals without resampling: Wilson's, Student's, one for equal values; and changes, as written."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

_EXACT_UP_TO = 200
"""Degrees of freedom up to which the t quantile is solved for; above, the expansion errs by less than 2e-7."""


normal_cdf = NormalDist().cdf
"""Share of the standard normal distribution below a value, in [0, 1]."""


def normal_quantile(share: float) -> float:
    """The value below which a share of the standard normal distribution lies."""
    if not 0.0 < share < 1.0:
        raise ValueError(f"a quantile needs a share between 0 and 1, not {share!r}")
    return NormalDist().inv_cdf(share)


def t_cdf(t: float, df: int) -> float:
    """Share of Student's t distribution below t, in [0, 1].

    With theta = atan(t / sqrt(df)) the share between -t and t is a finite sum of powers of cos(theta) for whole degrees
    of freedom (Abramowitz and Stegun, Handbook of Mathematical Functions, 1964, 26.7.3 and 26.7.4).
    """
    if df < 1:
        raise ValueError(f"degrees of freedom must be at least 1, not {df}")
    theta = math.atan(t / math.sqrt(df))
    squared = math.cos(theta) ** 2
    odd = df % 2
    term = math.cos(theta) if odd else 1.0
    total = 0.0
    for k in range(df // 2):
        total += term
        term *= squared * (2 * k + 1 + odd) / (2 * k + 2 + odd)
    middle = 2 / math.pi * (theta + math.sin(theta) * total) if odd else math.sin(theta) * total
    return (1.0 + middle) / 2


def t_quantile(share: float, df: int) -> float:
    """The value below which a share of Student's t distribution lies.

    Newton's method on `t_cdf` up to 200 degrees of freedom; it starts at the normal quantile, which is nearer to zero,
    and climbs to the answer from one side only, since the distribution function is concave above zero. Beyond that the
    expansion around the normal quantile (Abramowitz and Stegun 1964, 26.7.5) to the third term, which errs by less than
    2e-7 there for shares of up to 0.9999.
    """
    z = normal_quantile(share)
    if df < 1:
        raise ValueError(f"degrees of freedom must be at least 1, not {df}")
    if share < 0.5:  # noqa: PLR2004 - the distribution is symmetric
        return -t_quantile(1.0 - share, df)
    if df == 1:
        return math.tan(math.pi * (share - 0.5))
    if df > _EXACT_UP_TO:
        return _expansion(z, df)
    log_peak = math.lgamma((df + 1) / 2) - math.lgamma(df / 2) - 0.5 * math.log(df * math.pi)
    t, step = z, math.inf
    while step > 1e-12 * (1.0 + t):
        density = math.exp(log_peak - (df + 1) / 2 * math.log1p(t * t / df))
        step = (share - t_cdf(t, df)) / density
        t += step
    return t


def _expansion(z: float, df: int) -> float:
    s = z * z
    terms = (
        (s + 1) / 4,
        ((5 * s + 16) * s + 3) / 96,
        (((3 * s + 19) * s + 17) * s - 15) / 384,
    )
    return z * (1.0 + math.fsum(term / df**power for power, term in enumerate(terms, start=1)))


def percentile(ordered: Sequence[float], share: float) -> float:
    """The value below which a share of the sorted values lies, with linear interpolation between neighbours.

    Definition 7 of Hyndman and Fan, Sample quantiles in statistical packages, The American Statistician 50 (1996).

    Raises:
        ValueError: If there are no values, or the share is outside [0, 1].
    """
    if not ordered:
        raise ValueError("no values: a percentile needs at least one")
    if not 0.0 <= share <= 1.0:
        raise ValueError(f"a percentile needs a share in [0, 1], not {share!r}")
    place = share * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    low, high = ordered[below], ordered[above]
    return min(high, low + (high - low) * (place - below))


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval and where it comes from.

    Args:
        low: Its lower end, finite.
        high: Its upper end, finite, never below `low`.
        method: How it was computed, in words for a report.
        confidence: How often such intervals hold the true value, as a share in (0, 1), as far as the method keeps it.
    """

    low: float
    high: float
    method: str
    confidence: float = 0.95

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high


CONFIDENCE = 0.95
"""Of the intervals of scores."""


def percent(share: float) -> str:
    """A share as "95 %", with the decimals it has."""
    return f"{100 * share:.6g} %"


def wilson_limits(rate: float, n: float, z: float) -> tuple[float, float]:
    """Wilson's limits of a rate of n cases, which need not be whole; 0 and 1 where there are none.

    (p + z^2 / 2n +- z sqrt(p (1 - p) / n + z^2 / 4n^2)) / (1 + z^2 / n), p being the rate. Wilson, Probable inference,
    the law of succession, and statistical inference, Journal of the American Statistical Association 22 (1927). Unlike
    the textbook interval it stays in [0, 1] and keeps a width when all cases pass.
    """
    if n <= 0:
        return 0.0, 1.0
    spare = z * z / n
    centre = rate + spare / 2
    half = z * math.sqrt(rate * (1.0 - rate) / n + spare / (4 * n))
    # At 0 and n the ends are 0 and 1 exactly; rounding would leave them a hair inside.
    low = 0.0 if rate == 0.0 else max(0.0, (centre - half) / (1.0 + spare))
    high = 1.0 if rate == 1.0 else min(1.0, (centre + half) / (1.0 + spare))
    return low, high


def binomial_cdf(k: int, n: int, p: float) -> float:
    """Probability of k or fewer of n at rate p, which lies in (0, 1)."""
    series = term = 1.0
    for i in range(k, 0, -1):
        term *= i / (n - i + 1) * (1.0 - p) / p
        series += term
        if term < 1e-18 * series:
            break
    return math.exp(math.log(math.comb(n, k)) + k * math.log(p) + (n - k) * math.log1p(-p)) * series


def t_interval(
    estimate: float, standard_error: float, n: int, *, low: float = -math.inf, high: float = math.inf
) -> Interval:
    """Student's 95 % interval: estimate +- t standard_error, with t the quantile for n - 1 degrees of freedom."""
    half = t_quantile((1.0 + CONFIDENCE) / 2, n - 1) * standard_error
    return Interval(max(low, estimate - half), min(high, estimate + half), f"Student's t, {percent(CONFIDENCE)}")


def unanimous_interval(value: float, n: int, low: float, high: float) -> Interval:
    """An interval for the mean where all n values are the same, which leaves no spread to compute one from.

    If a share q of all possible cases differed from the value, n cases would all agree with probability (1 - q)^n. So
    with 95 % confidence q is at most 1 - 0.05^(1/n), about 3 / n (the rule of three; Hanley
    and Lippman-Hand, JAMA 249, 1983), and the mean lies no farther from the value than q times the way to either end of
    the range. It holds for every distribution on the range.
    """
    share = 1.0 - (1.0 - CONFIDENCE) ** (1.0 / n)
    method = f"all {n:,} values equal, {percent(CONFIDENCE)} bound on how many others differ"
    return Interval(value - share * (value - low), value + share * (high - value), method)


TOLERANCE = 1e-9
"""Scores nearer than this are equal: they are ratios, and sums of ratios round differently in different orders."""


def difference(before: float, after: float) -> float:
    """The change after - before, exactly 0.0 where they are within 1e-9 of each other."""
    change = after - before
    return change if abs(change) > TOLERANCE else 0.0


def relative_change(before: float, after: float) -> float | None:
    """The change in percent of the first figure: 100 (after - before) / |before|.

    Returns:
        A finite number, positive where the figure grew, whichever direction is better; None where the baseline is zero
        (within 1e-9), since there is no relative change from nothing. Never infinite, never NaN.

    Raises:
        ValueError: If a figure is not finite.
    """
    if not (math.isfinite(before) and math.isfinite(after)):
        raise ValueError(f"a relative change needs finite figures, not {before} and {after}")
    if abs(before) <= TOLERANCE:
        return None
    change = 100.0 * (difference(before, after) / abs(before))
    return change if math.isfinite(change) else None


def format_change(percent: float | None) -> str | None:
    """A relative change as text: "+41.5%", "-75.0%", "+0.0%" (what rounds to zero has no direction)."""
    if percent is None:
        return None
    text = f"{percent:+.1f}%"
    return text if any(digit in text for digit in "123456789") else "+" + text[1:]
