"""How small a change a comparison can see, and how many cases it needs to see one."""

from __future__ import annotations

import math

from magistrate.statistics.distributions import t_quantile

_FEWEST, _MOST = 2, 10**9


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
    _check(sd, alpha, power)
    if n < 0:
        raise ValueError(f"there cannot be {n} pairs")
    return _effect(sd, n, alpha, power) if n >= _FEWEST and sd > 0.0 else None


def cases_needed(effect: float, sd: float, *, alpha: float = 0.05, power: float = 0.8) -> int | None:
    """The fewest cases whose `minimum_detectable_effect` is at most the given effect.

    Args:
        effect: The true mean difference to be found, positive, in the unit of the score.
        sd: Standard deviation of the paired differences, not negative.
        alpha: Significance level of the two-sided test, in (0, 1).
        power: Probability of finding it, in [0.5, 1).

    Returns:
        At least 2; None where sd is 0, or a billion cases would not do.

    Raises:
        ValueError: If an argument is outside its range.
    """
    _check(sd, alpha, power)
    if not effect > 0.0:
        raise ValueError(f"the effect to be found must be positive, not {effect}")
    if sd == 0.0 or _effect(sd, _MOST, alpha, power) > effect:
        return None
    low, high = _FEWEST - 1, _MOST
    while high - low > 1:
        middle = (low + high) // 2
        if _effect(sd, middle, alpha, power) <= effect:
            high = middle
        else:
            low = middle
    return high


def _effect(sd: float, n: int, alpha: float, power: float) -> float:
    return (t_quantile(1.0 - alpha / 2, n - 1) + t_quantile(power, n - 1)) * sd / math.sqrt(n)


def _check(sd: float, alpha: float, power: float) -> None:
    if not 0.0 <= sd < math.inf:
        raise ValueError(f"a standard deviation is a finite number of at least 0, not {sd}")
    if not 0.0 < alpha < 1.0:
        raise ValueError(f"alpha is a share between 0 and 1, such as 0.05, not {alpha}")
    if not 0.5 <= power < 1.0:  # noqa: PLR2004 - below one half the formula means nothing
        raise ValueError(f"power is a share from 0.5 to below 1, such as 0.8, not {power}")
