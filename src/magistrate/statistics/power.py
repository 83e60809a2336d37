"""How small a change a comparison can see."""

from __future__ import annotations

import math

from magistrate.statistics.distributions import t_quantile


def minimum_detectable_effect(sd: float, n: int, *, alpha: float = 0.05, power: float = 0.8) -> float | None:
    """The least true mean difference that a paired comparison of n cases finds with the given power.

    (t[1 - alpha / 2] + t[power]) sd / sqrt(n), with Student's quantiles for n - 1 degrees of freedom. Bloom, Minimum
    detectable effects, Evaluation Review 19 (1995). A change smaller than this may be real and still look like noise.

    Args:
        sd: Standard deviation of the paired differences, not negative, in the unit of the score.
        n: Pairs, not negative.
        alpha: Significance level of the two-sided test, in (0, 1).
        power: Probability of finding the change, in [0.5, 1).

    Returns:
        The effect, in the unit of the score; None for fewer than two pairs, and where the differences do not vary,
        since then their spread is not known.

    Raises:
        ValueError: If an argument is outside its range.
    """
    if not 0.0 <= sd < math.inf or n < 0:
        raise ValueError(f"a standard deviation and a number of pairs are at least 0, not {sd} and {n}")
    if not 0.0 < alpha < 1.0:
        raise ValueError(f"alpha is a share between 0 and 1, such as 0.05, not {alpha}")
    if not 0.5 <= power < 1.0:  # noqa: PLR2004 - below one half the formula means nothing
        raise ValueError(f"power is a share from 0.5 to below 1, such as 0.8, not {power}")
    if n < 2 or sd == 0.0:  # noqa: PLR2004 - one pair says nothing about spread
        return None
    return (t_quantile(1.0 - alpha / 2, n - 1) + t_quantile(power, n - 1)) * sd / math.sqrt(n)
