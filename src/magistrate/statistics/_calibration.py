"""How good probabilities are: do they mean what they say?"""

from __future__ import annotations

import math
from collections.abc import Sequence


def calibration_error(labels: Sequence[bool], probabilities: Sequence[float], *, bins: int = 10) -> float | None:
    """The expected calibration error: sum over the bins of n_bin / n |rate - mean probability|. Lower is better.

    Naeini, Cooper and Hauskrecht, Obtaining well calibrated probabilities using Bayesian binning, AAAI 2015. The bins
    are of equal width, (k / bins, (k + 1) / bins], the first with 0. It depends on their number, and few items a bin
    inflate it: report both with it.

    Returns:
        In [0, 1]; None without items.

    Raises:
        ValueError: If the lengths differ, a probability is outside [0, 1] or bins is less than 1.
    """
    if len(labels) != len(probabilities):
        raise ValueError(f"every label needs its number: {len(labels)} labels and {len(probabilities)} numbers")
    if bins < 1:
        raise ValueError(f"bins must be at least 1, not {bins}")
    excess: dict[int, list[float]] = {}
    for place, (label, probability) in enumerate(zip(labels, probabilities, strict=True)):
        if not 0.0 <= probability <= 1.0:
            raise ValueError(f"probability {place} is {probability}: it must be in [0, 1]")
        # Rounded, since 0.7 * 10 is just above 7 and would land in the wrong bin.
        excess.setdefault(max(0, math.ceil(round(probability * bins, 9)) - 1), []).append(bool(label) - probability)
    if not excess:
        return None
    return math.fsum(abs(math.fsum(of_bin)) for of_bin in excess.values()) / len(labels)
