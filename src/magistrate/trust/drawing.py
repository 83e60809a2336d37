"""Which cases people should label, and how many."""

import math
import random
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass

from magistrate.trust.correction import RateCorrection, quantile, rate_limits, verdict_of
from magistrate.trust.records import Judgement


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """A case to label.

    Attributes:
        case_id: The case.
        stratum: What it was drawn from: the judge's least favourable verdict in it and the half of its confidence.
    """

    case_id: str
    stratum: str


def draw(judgements: Iterable[Judgement], n: int, *, seed: int, done: Iterable[str] = ()) -> list[Draw]:
    """Whole cases to label, proportional over (verdict, confidence half).

    Proportional strata brought 56 labels' worth from 40 labels where random ones brought 52; drawing as many of each
    verdict was worse than random, so that is not offered. A case is in the stratum of its rarest kind of verdict: none
    before a no before a yes; a stratum is halved at the median of its cases' least confidence.

    Args:
        judgements: One for each statement of the run.
        n: Cases wanted, those of `done` included; the first n of a larger draw with the same seed are these.
        seed: Makes the draw repeatable.
        done: Cases that have been drawn before; they count and are not drawn again.

    Returns:
        The cases in the order to label them, mixed over strata, at most all there are.

    Raises:
        ValueError: If n is negative.
    """
    if n < 0:
        raise ValueError(f"n is a number of cases, not {n}")
    strata = _strata(judgements)
    rng = random.Random(seed)  # noqa: S311
    # One place in line for each case: the k-th of a stratum of m stands at (k + u) / m, so that any beginning of the
    # line holds each stratum by its share, give or take one.
    places: list[tuple[float, Draw]] = []
    for stratum in sorted(strata):
        ids = sorted(strata[stratum])
        rng.shuffle(ids)
        offset = rng.random()
        places += [((k + offset) / len(ids), Draw(case_id=case, stratum=stratum)) for k, case in enumerate(ids)]
    places.sort(key=lambda place: (place[0], place[1].case_id))
    before = set(done)
    left = [place for _, place in places if place.case_id not in before]
    return left[: max(0, n - (len(places) - len(left)))]


def _strata(judgements: Iterable[Judgement]) -> dict[str, list[str]]:
    """Stratum -> cases; a verdict of which no two confidences are known has one part."""
    cases: dict[str, list[Judgement]] = {}
    for row in judgements:
        cases.setdefault(row.case_id, []).append(row)
    sure: dict[str, dict[str, float]] = {}
    for case, rows in cases.items():
        rarest = min(rows, key=lambda row: (row.positive is not None, row.positive is True, verdict_of(row)))
        known = (row.confidence for row in rows if row.confidence is not None)
        sure.setdefault(verdict_of(rarest), {})[case] = min(known, default=math.inf)
    strata: dict[str, list[str]] = {}
    for verdict, members in sure.items():
        ordered = sorted(value for value in members.values() if value < math.inf)
        middle = ordered[len(ordered) // 2] if ordered else 0.0
        parted = ordered[:1] != ordered[-1:]
        for case, value in members.items():
            name = f"{verdict}, {'less sure' if value < middle else 'surer'}" if parted else verdict
            strata.setdefault(name, []).append(case)
    return strata


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What further labels would bring.

    Attributes:
        labels: Further labels of statements.
        cases: Further cases, about.
        half_width: Half the width of the corrected rate's interval then, about.
    """

    labels: int
    cases: int
    half_width: float


def plan_further(found: RateCorrection, labels: int) -> Plan:
    """What so many further labels would bring, by the formula of the interval itself.

    The statements of each verdict are labelled by their share of those that are left, in whole cases. Of the new ones
    people support (yes + 1) / (labels + 2), so that a verdict with few labels, or with equal ones, is not taken for
    known. They hang together as so far; where one answer is rare, which hides that, in part as much as they can.

    Args:
        found: The correction so far.
        labels: Further labels, 0 or more; of no more than there are is spoken.
    """
    left = found.n - found.labelled
    labels = min(labels, left)
    if not labels:
        return Plan(labels=0, cases=0, half_width=(found.interval.high - found.interval.low) / 2)
    part = labels / left
    parts = []
    for stratum in found.strata:
        new = part * (stratum.share * found.n - stratum.labelled)
        n = stratum.labelled + new
        likely = stratum.yes + new * (stratum.yes + 1) / (stratum.labelled + 2)
        parts.append((stratum.share, likely / n if n else 0.5, n))
    cases = math.ceil(part * (found.all_cases - found.cases) - 1e-9)
    z = quantile(found.cases + cases, clustered=found.labelled > found.cases)
    yes = sum(stratum.yes for stratum in found.strata)
    doubt = labels / (found.labelled + labels) * 2 / (2 + min(yes, found.labelled - yes))
    effect = found.design_effect + max(0.0, found.labelled / found.cases - found.design_effect) * doubt
    low, high = rate_limits(parts, effect=effect, z=z, effective_n=found.effective_n)
    return Plan(labels=labels, cases=cases, half_width=(high - low) / 2)


def plan_labels(half_width: float, found: RateCorrection) -> Plan | None:
    """The fewest further labels that bring a corrected rate to a half width; see `plan_further`.

    Args:
        half_width: Wanted, in (0, 1).
        found: The correction so far.

    Returns:
        The plan, of 0 labels where it is reached; None where no number of labels of these statements brings it.

    Raises:
        ValueError: If the half width is no share.
    """
    if not 0.0 < half_width < 1.0:
        raise ValueError(f"the half width is a share such as 0.05, not {half_width!r}")
    if (now := plan_further(found, 0)).half_width <= half_width:
        return now
    left = range(found.n - found.labelled + 1)
    wanted = bisect_left(left, -half_width, key=lambda n: -plan_further(found, n).half_width)
    return plan_further(found, wanted) if wanted in left else None
