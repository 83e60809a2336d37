"""When a cheap judge may answer instead of a dear one, with a guarantee."""

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from magistrate.statistics.intervals import binomial_cdf

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
