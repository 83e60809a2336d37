"""How good probabilities are: do they mean what they say?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationBin:
    """The items whose probability falls into one interval.

    Attributes:
        low: Its lower end; excluded, but for 0.
        high: Its upper end; included.
        n: Items in it, at least 1.
        mean_probability: Mean of their probabilities.
        rate: Share of them that are positive.
    """

    low: float
    high: float
    n: int
    mean_probability: float
    rate: float


def calibration_bins(
    labels: Sequence[bool], probabilities: Sequence[float], *, bins: int = 10
) -> tuple[CalibrationBin, ...]:
    """The points of a reliability diagram: probability said against rate seen, in bins of equal width.

    Returns:
        The bins that hold items, in ascending order.

    Raises:
        ValueError: If the lengths differ, a probability is outside [0, 1] or bins is less than 1.
    """
    if len(labels) != len(probabilities):
        raise ValueError(f"every label needs its number: {len(labels)} labels and {len(probabilities)} numbers")
    for place, probability in enumerate(probabilities):
        if not 0.0 <= probability <= 1.0:
            raise ValueError(f"probability {place} is {probability}: it must be in [0, 1]")
    if bins < 1:
        raise ValueError(f"bins must be at least 1, not {bins}")
    members: dict[int, list[tuple[float, bool]]] = {}
    for label, probability in zip(labels, probabilities, strict=True):
        # Rounded, since 0.7 * 10 is just above 7 and would land in the wrong bin.
        place = max(0, math.ceil(round(probability * bins, 9)) - 1)
        members.setdefault(place, []).append((probability, bool(label)))
    return tuple(
        CalibrationBin(
            low=place / bins,
            high=(place + 1) / bins,
            n=len(items),
            mean_probability=math.fsum(probability for probability, _ in items) / len(items),
            rate=sum(label for _, label in items) / len(items),
        )
        for place, items in sorted(members.items())
    )


def calibration_error(labels: Sequence[bool], probabilities: Sequence[float], *, bins: int = 10) -> float | None:
    """The expected calibration error: sum over the bins of n_bin / n |rate - mean probability|. Lower is better.

    Naeini, Cooper and Hauskrecht, Obtaining well calibrated probabilities using Bayesian binning, AAAI 2015. It depends
    on the number of bins, and few items a bin inflate it: report both with it.

    Returns:
        In [0, 1]; None without items.

    Raises:
        ValueError: If the lengths differ, a probability is outside [0, 1] or bins is less than 1.
    """
    diagram = calibration_bins(labels, probabilities, bins=bins)
    if not diagram:
        return None
    return math.fsum(b.n / len(labels) * abs(b.rate - b.mean_probability) for b in diagram)
