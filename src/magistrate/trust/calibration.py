"""What a judge's confidence is worth: a probability that means what it says, and when a cheap judge may answer."""

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from magistrate.statistics.intervals import binomial_cdf

ISOTONIC_FROM = 100
"""Labels from which isotonic regression is fitted; below it Platt's curve, which has two parameters."""
LEAST = 20
FOLDS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """A map from what the judge said to a probability, and a threshold on it.

    Attributes:
        method: "platt" or "isotonic".
        points: Of isotonic regression: (probability said, probability meant), rising in both.
        slope: Of Platt's curve, on log-odds.
        intercept: Of Platt's curve.
        threshold: The probability said from which a yes parts best from a no (balanced accuracy).
        n: Labels it was fitted on.
        error_before: Expected calibration error of what was said, in [0, 1]; None where it is not defined.
        error_after: The same cross-fitted, so that no label judges the map it made.
        accuracy_before: Balanced accuracy at 1/2.
        accuracy_after: Balanced accuracy at the threshold, cross-fitted.
        fingerprint: Of the judge it holds for.
    """

    method: Literal["platt", "isotonic"]
    points: tuple[tuple[float, float], ...] = ()
    slope: float = 1.0
    intercept: float = 0.0
    threshold: float = 0.5
    n: int = 0
    error_before: float | None = None
    error_after: float | None = None
    accuracy_before: float | None = None
    accuracy_after: float | None = None
    fingerprint: str | None = None

    def apply(self, probability: float) -> float:
        """The calibrated probability of yes, in [0, 1].

        Args:
            probability: What the judge said, in [0, 1].
        """
        if self.method == "platt":
            return _logistic(self.slope * log_odds(probability) + self.intercept)
        return _interpolate(self.points, probability)


def calibrate(
    probabilities: Sequence[float],
    labels: Sequence[bool],
    cases: Sequence[str] | None = None,
    *,
    fingerprint: str | None = None,
) -> Calibration:
    """Fit a calibration to labels.

    Platt's curve (Advances in Large Margin Classifiers, 1999, with his smoothed targets) below 100 labels, isotonic
    regression by pooling adjacent violators from there on. The figures after are cross-fitted over five parts of the
    cases: each part is judged by the map that the other four made.

    Args:
        probabilities: Of yes, as the judge said it, in [0, 1].
        labels: What people said.
        cases: The case of each label; labels of one case stay in one part. None: each is its own case.
        fingerprint: Of the judge.

    Raises:
        ValueError: If the lengths differ, a probability is outside [0, 1], there are fewer than 20 labels, or all
            labels are the same.
    """
    groups = list(map(str, range(len(labels)))) if cases is None else list(cases)
    if not len(probabilities) == len(labels) == len(groups):
        raise ValueError("there is one probability, and one case, for each label")
    if any(not 0.0 <= p <= 1.0 for p in probabilities):
        raise ValueError("probabilities lie in [0, 1]")
    if len(labels) < LEAST:
        raise ValueError(f"{len(labels)} labels are too few to calibrate with: {LEAST} are needed")
    if len(set(map(bool, labels))) == 1:
        raise ValueError("all labels are the same: there is nothing to part")
    fitted = _fit(probabilities, labels)
    after, sides = cross_fitted(probabilities, labels, groups)
    return replace(
        fitted,
        n=len(labels),
        error_before=calibration_error(labels, probabilities),
        error_after=calibration_error(labels, after),
        accuracy_before=balanced_accuracy([p >= 0.5 for p in probabilities], labels),
        accuracy_after=balanced_accuracy(sides, labels),
        fingerprint=fingerprint,
    )


def cross_fitted(
    probabilities: Sequence[float], labels: Sequence[bool], cases: Sequence[str]
) -> tuple[list[float], list[bool]]:
    """Each probability by the map that the other four parts of the cases make, and its side of their threshold.

    Args:
        probabilities: Of yes, in [0, 1].
        labels: What people said.
        cases: The case of each; those of one case stay in one part.
    """
    part_of = {case: k % FOLDS for k, case in enumerate(dict.fromkeys(cases))}
    after, sides = list(probabilities), [False] * len(labels)
    for part in range(FOLDS):
        rest = [i for i, case in enumerate(cases) if part_of[case] != part]
        other = _fit([probabilities[i] for i in rest], [labels[i] for i in rest])
        for i, case in enumerate(cases):
            if part_of[case] == part:
                after[i], sides[i] = other.apply(probabilities[i]), probabilities[i] >= other.threshold
    return after, sides


def calibration_error(labels: Sequence[bool], probabilities: Sequence[float]) -> float | None:
    """The expected calibration error: sum over the bins of n_bin / n |rate - mean probability|. Lower is better.

    Naeini, Cooper and Hauskrecht, Obtaining well calibrated probabilities using Bayesian binning, AAAI 2015. The ten
    bins are of equal width, (k / 10, (k + 1) / 10], the first with 0. Few items a bin inflate it.

    Returns:
        In [0, 1]; None without items.

    Raises:
        ValueError: If the lengths differ or a probability is outside [0, 1].
    """
    found = binned(labels, probabilities, 10)
    return math.fsum(n * abs(rate - said) for said, rate, n in found) / len(labels) if found else None


def binned(labels: Sequence[bool], probabilities: Sequence[float], bins: int) -> list[tuple[float, float, int]]:
    """Mean of what was said, share of yes and number of labels in each part of [0, 1] that has any."""
    if len(labels) != len(probabilities):
        raise ValueError(f"every label needs its number: {len(labels)} labels and {len(probabilities)} numbers")
    found: dict[int, list[tuple[float, bool]]] = {}
    for place, (label, probability) in enumerate(zip(labels, probabilities, strict=True)):
        if not 0.0 <= probability <= 1.0:
            raise ValueError(f"probability {place} is {probability}: it must be in [0, 1]")
        # Rounded, since 0.7 * 10 is just above 7 and would land in the wrong bin.
        found.setdefault(max(1, math.ceil(round(probability * bins, 9))), []).append((probability, label))
    sums = (
        (math.fsum(said for said, _ in one), sum(label for _, label in one), len(one))
        for _, one in sorted(found.items())
    )
    return [(said / n, yes / n, n) for said, yes, n in sums]


def balanced_accuracy(sides: Sequence[bool], labels: Sequence[bool]) -> float | None:
    """Mean of sensitivity and specificity; None where all labels are the same.

    Args:
        sides: What was said.
        labels: What is true.
    """
    yes = sum(map(bool, labels))
    no = len(labels) - yes
    if not yes or not no:
        return None
    right = [label for side, label in zip(sides, labels, strict=True) if side == label]
    return (sum(right) / yes + (len(right) - sum(right)) / no) / 2


def log_odds(probability: float) -> float:
    """ln(p / (1 - p)), with p kept a millionth away from 0 and 1."""
    p = min(1 - 1e-6, max(1e-6, probability))
    return math.log(p / (1 - p))


def _fit(probabilities: Sequence[float], labels: Sequence[bool]) -> Calibration:
    threshold = _threshold(probabilities, labels)
    if len(labels) >= ISOTONIC_FROM:
        return Calibration(method="isotonic", points=_isotonic(probabilities, labels), threshold=threshold)
    slope, intercept = _platt([log_odds(p) for p in probabilities], labels)
    return Calibration(method="platt", slope=slope, intercept=intercept, threshold=threshold)


def _threshold(probabilities: Sequence[float], labels: Sequence[bool]) -> float:
    """The middle of the gap at which balanced accuracy is highest; of equal ones the nearest to 1/2."""
    ordered = sorted(zip(probabilities, labels, strict=True))
    yes = sum(label for _, label in ordered)
    no = len(ordered) - yes
    if not yes or not no:
        return 0.5
    best, chosen = -1.0, 0.5
    below_yes = below_no = 0
    for (here, label), (above, _) in pairwise(ordered):
        below_yes, below_no = below_yes + label, below_no + (not label)
        if above > here:
            value, middle = (yes - below_yes) / yes + below_no / no, (here + above) / 2
            if value > best + 1e-12 or (value > best - 1e-12 and abs(middle - 0.5) < abs(chosen - 0.5)):
                best, chosen = value, middle
    return chosen


def _isotonic(probabilities: Sequence[float], labels: Sequence[bool]) -> tuple[tuple[float, float], ...]:
    """Pool adjacent violators: the rising steps nearest to the labels, as the points between which it is drawn."""
    blocks: list[tuple[int, int, float, float]] = []  # yes, labels, first x, last x
    for x, label in sorted(zip(probabilities, labels, strict=True), key=lambda pair: pair[0]):
        yes, n, first = int(label), 1, x
        while blocks and (blocks[-1][3] == x or blocks[-1][0] * n >= yes * blocks[-1][1]):
            before = blocks.pop()
            yes, n, first = yes + before[0], n + before[1], before[2]
        blocks.append((yes, n, first, x))
    return tuple((x, yes / n) for yes, n, first, end in blocks for x in dict.fromkeys((first, end)))


def _interpolate(points: Sequence[tuple[float, float]], x: float) -> float:
    for (left, low), (right, high) in pairwise(((-1.0, points[0][1]), *points)):
        if x <= right:
            return low + (high - low) * (x - left) / (right - left)
    return points[-1][1]


def _platt(scores: Sequence[float], labels: Sequence[bool]) -> tuple[float, float]:
    """Slope and intercept of greatest likelihood, by Newton's steps with halving, towards Platt's smoothed targets."""
    yes, no = sum(map(bool, labels)), len(labels) - sum(map(bool, labels))
    pairs = [(x, (yes + 1) / (yes + 2) if label else 1 / (no + 2)) for x, label in zip(scores, labels, strict=True)]

    def loss(a: float, b: float) -> float:
        return math.fsum(math.log1p(math.exp(-abs(z := a * x + b))) + max(z, 0.0) - t * z for x, t in pairs)

    a, b = 0.0, math.log((yes + 1) / (no + 1))
    for _ in range(100):
        chances = [_logistic(a * x + b) for x in scores]
        weights = [p * (1 - p) for p in chances]
        ga = math.fsum((p - t) * x for p, (x, t) in zip(chances, pairs, strict=True))
        gb = math.fsum(p - t for p, (_, t) in zip(chances, pairs, strict=True))
        haa, hab, hbb = (math.fsum(w * x**k for w, x in zip(weights, scores, strict=True)) for k in (2, 1, 0))
        determinant = (haa := haa + 1e-9) * (hbb := hbb + 1e-9) - hab * hab
        if determinant <= 0.0 or abs(ga) + abs(gb) < 1e-9:
            break
        da, db = (hbb * ga - hab * gb) / determinant, (haa * gb - hab * ga) / determinant
        halvings = (0.5**k for k in range(20))
        step = next((step for step in halvings if loss(a - step * da, b - step * db) <= loss(a, b)), 0.0)
        a, b = a - step * da, b - step * db
        if not step:
            break
    return a, b


def _logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))


DELTA = 0.1
"""Probability, over the draw of the pairs, that the guarantee does not hold."""

THRESHOLDS = (1.0, 0.999, 0.995, *(round(0.99 - 0.01 * step, 2) for step in range(100)))
"""Tried from the surest down; fixed beforehand, as the guarantee needs."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What one judge said of a statement: a verdict, None where it gave none, and how sure it was, in [0, 1]."""

    verdict: str | None
    confidence: float | None


@dataclass(frozen=True, slots=True)
class Paired:
    """One statement that all judges of a cascade judged.

    Attributes:
        cheap: The answers of all judges whose verdict may stand, in their order: all but the last, or all.
        last: What they are held against: the last judge's verdict, or people's; None where there is none.
        case: The case it is of; statements of one case count as one. None: each is its own.
    """

    cheap: tuple[Answer, ...]
    last: str | None
    case: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CascadeFit:
    """How sure a cheap judge must be for its verdict to stand.

    Attributes:
        threshold: A cheap verdict with at least this confidence stands; None: nothing could be certified, the last
            judge answers everything.
        risk: Share of the cases in which a verdict may differ from the last judge's.
        pairs: Cases that all judges judged.
        saved: Share of their statements that a cheap judge settles.
        limit: Upper limit of the risk at the threshold, at most `risk`; 1 where there is none.
        why: What was found, in a sentence for the user.
    """

    threshold: float | None
    risk: float
    pairs: int
    saved: float
    limit: float
    why: str

    @property
    def certified(self) -> bool:
        """Whether a threshold was found."""
        return self.threshold is not None


def fit_cascade(pairs: Sequence[Paired], risk: float, *, delta: float = DELTA, of_standing: bool = False) -> CascadeFit:
    """Find the lowest confidence at which verdicts may stand.

    Fixed-sequence testing (Jung, Brahman and Choi, ICLR 2025, arXiv 2407.18370): thresholds from the surest down; each
    is certified while the exact binomial upper limit (Clopper and Pearson) of the share of cases with a verdict that
    would stand and differs is at most `risk`; at the first that is not, it ends. With probability 1 - delta over the
    draw of the cases, a verdict differs in at most `risk` of them. It speaks of what the verdicts are held against.

    Args:
        pairs: Statements that all judges judged, of cases drawn at random from those to come.
        risk: In (0, 1), such as 0.05.
        delta: In (0, 1).
        of_standing: Whether the risk is one of the verdicts that stand, and not of all: for a guarantee against people,
            who judge the rest. Thresholds at which too few stand to certify anything are passed over; which these are
            does not depend on who is right.

    Raises:
        ValueError: If risk or delta is no share.
    """
    if not 0.0 < risk < 1.0 or not 0.0 < delta < 1.0:
        raise ValueError("risk and delta are shares between 0 and 1")
    units: dict[object, list[Paired]] = {}
    for number, pair in enumerate(pairs):
        units.setdefault(number if pair.case is None else pair.case, []).append(pair)
    n, needed = len(units), pairs_needed(risk, delta=delta)
    found, saved, of_them = None, 0, (1, 1)
    for threshold in THRESHOLDS if n >= needed else ():
        standing = [
            [(next((one.verdict for one in pair.cheap if stands(one, threshold)), None), pair.last) for pair in unit]
            for unit in units.values()
        ]
        kept = sum(verdict is not None for unit in standing for verdict, _ in unit)
        of = sum(any(verdict is not None for verdict, _ in unit) for unit in standing) if of_standing else n
        if of < needed:
            continue
        wrong = sum(any(verdict is not None and verdict != last for verdict, last in unit) for unit in standing)
        if binomial_cdf(wrong, of, risk) > delta:  # then the upper limit is above the risk
            break
        if kept > saved:
            found, saved, of_them = threshold, kept, (wrong, of)
    share = saved / max(1, len(pairs))
    if found is not None:
        why = f"a verdict of confidence {found:g} or more stands: {share:.1%} of the statements"
    elif n < needed:
        why = f"{n} pairs can certify nothing at a risk of {risk:g}: {needed} are needed"
    elif any(stands(answer, 0.0) for pair in pairs for answer in pair.cheap):
        why = f"where the judges are surest they are wrong too often: nothing is certified at a risk of {risk:g}"
    else:
        why = f"no judge whose verdict may stand says how sure it is: nothing is certified at a risk of {risk:g}"
    limit = upper_limit(*of_them, delta)
    return CascadeFit(threshold=found, risk=risk, pairs=n, saved=share, limit=limit, why=why)


def stands(answer: Answer, threshold: float | None) -> bool:
    """Whether an answer is a verdict that is sure enough; without a confidence it never is."""
    return (
        threshold is not None
        and answer.verdict is not None
        and answer.confidence is not None
        and answer.confidence >= threshold
    )


def pairs_needed(risk: float, *, delta: float = DELTA) -> int:
    """The fewest pairs that can certify anything: the least n with (1 - risk)^n <= delta.

    Args:
        risk: In (0, 1).
        delta: In (0, 1).
    """
    return math.ceil(math.log(delta) / math.log1p(-risk) - 1e-9)


def upper_limit(k: int, n: int, delta: float) -> float:
    """The largest rate at which k or fewer of n would still be seen with probability delta (Clopper and Pearson).

    Args:
        k: 0 to n.
        n: 1 or more.
        delta: In (0, 1).
    """
    if k >= n:
        return 1.0
    steps = 2**48
    return bisect_left(range(1, steps), True, key=lambda step: binomial_cdf(k, n, step / steps) < delta) / steps
