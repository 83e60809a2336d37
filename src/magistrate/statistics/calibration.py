"""How good probabilities are: do they rank right (AUC), and do they mean what they say (ECE)?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


def roc_auc(labels: Sequence[bool], scores: Sequence[float]) -> float | None:
    """The probability that a random positive item scores above a random negative one, ties counted half.

    By ranks: (sum of the positives' ranks - p (p + 1) / 2) / (p q), with p positive and q negative items, tied scores
    sharing the mean of their ranks. Hanley and McNeil, The meaning and use of the area under a receiver operating
    characteristic curve, Radiology 143 (1982).

    Args:
        labels: Whether each item is positive.
        scores: Its score, finite; only the order counts.

    Returns:
        In [0, 1], 0.5 for scores that tell nothing; None where all items are of one class.

    Raises:
        ValueError: If the lengths differ or a score is not finite.
    """
    _check_lengths(labels, scores)
    if not all(map(math.isfinite, scores)):
        raise ValueError("scores must be finite numbers")
    ordered = sorted(zip(scores, labels, strict=True), key=lambda item: item[0])
    positives = sum(map(bool, labels))
    negatives = len(ordered) - positives
    if not positives or not negatives:
        return None
    doubled = start = 0
    while start < len(ordered):
        end = start
        while end < len(ordered) and ordered[end][0] == ordered[start][0]:
            end += 1
        doubled += (start + 1 + end) * sum(bool(label) for _, label in ordered[start:end])
        start = end
    return (doubled - positives * (positives + 1)) / (2 * positives * negatives)


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

    Args:
        labels: Whether each item is positive.
        probabilities: What was said to be the probability of that, in [0, 1].
        bins: How many, at least 1. The intervals are (k / bins, (k + 1) / bins]; the first includes 0.

    Returns:
        The bins that hold items, in ascending order.

    Raises:
        ValueError: If the lengths differ, a probability is outside [0, 1] or bins is less than 1.
    """
    _check_probabilities(labels, probabilities)
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

    Args:
        labels: Whether each item is positive.
        probabilities: What was said to be the probability of that, in [0, 1].
        bins: See `calibration_bins`.

    Returns:
        In [0, 1]; None without items.

    Raises:
        ValueError: If the lengths differ, a probability is outside [0, 1] or bins is less than 1.
    """
    diagram = calibration_bins(labels, probabilities, bins=bins)
    if not diagram:
        return None
    return math.fsum(b.n / len(labels) * abs(b.rate - b.mean_probability) for b in diagram)


def _check_lengths(labels: Sequence[bool], numbers: Sequence[float]) -> None:
    if len(labels) != len(numbers):
        raise ValueError(f"every label needs its number: there are {len(labels)} labels and {len(numbers)} numbers")


def _check_probabilities(labels: Sequence[bool], probabilities: Sequence[float]) -> None:
    _check_lengths(labels, probabilities)
    for place, probability in enumerate(probabilities):
        if not 0.0 <= probability <= 1.0:
            raise ValueError(f"probability {place} is {probability}: it must be in [0, 1]")
