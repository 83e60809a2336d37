"""Quantiles of the normal and of Student's t distribution, and percentiles of a sample."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist

_NORMAL = NormalDist()
_EXACT_UP_TO = 200
"""Degrees of freedom up to which the t quantile is solved for; above, the expansion errs by less than 2e-7."""


def normal_cdf(z: float) -> float:
    """Share of the standard normal distribution below z, in [0, 1]."""
    return _NORMAL.cdf(z)


def normal_quantile(share: float) -> float:
    """The value below which a share of the standard normal distribution lies."""
    if not 0.0 < share < 1.0:
        raise ValueError(f"a quantile needs a share between 0 and 1, not {share!r}")
    return _NORMAL.inv_cdf(share)


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
