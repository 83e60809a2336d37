"""Which cases people should label, and how many."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from magistrate.statistics.distributions import normal_quantile
from magistrate.trust.correction import verdict_of
from magistrate.trust.records import Judgement


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """A case to label.

    Attributes:
        case_id: The case.
        stratum: What it was drawn from: the judge's least favourable verdict in it and the half of its confidence.
        probability: That it was drawn, in (0, 1].
    """

    case_id: str
    stratum: str
    probability: float


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
    cases: dict[str, list[Judgement]] = {}
    for row in judgements:
        cases.setdefault(row.case_id, []).append(row)
    strata: dict[str, list[str]] = {}
    for verdict, members in _by_verdict(cases).items():
        for half, ids in _halves(members, cases):
            strata.setdefault(f"{verdict}, {half}" if half else verdict, []).extend(ids)
    rng = random.Random(seed)  # noqa: S311
    # One place in line for each case: the k-th of a stratum of m stands at (k + u) / m, so that any beginning of the
    # line holds each stratum by its share, give or take one.
    places: list[tuple[float, Draw]] = []
    share = min(1.0, n / len(cases)) if cases else 0.0
    for stratum in sorted(strata):
        ids = sorted(strata[stratum])
        rng.shuffle(ids)
        offset = rng.random()
        places += [
            ((k + offset) / len(ids), Draw(case_id=case, stratum=stratum, probability=share))
            for k, case in enumerate(ids)
        ]
    places.sort(key=lambda place: (place[0], place[1].case_id))
    before = set(done) & cases.keys()
    wanted = max(0, n - len(before))
    return [place[1] for place in places if place[1].case_id not in before][:wanted]


def _by_verdict(cases: dict[str, list[Judgement]]) -> dict[str, list[str]]:
    members: dict[str, list[str]] = {}
    for case, rows in cases.items():
        first = min(rows, key=lambda row: (row.positive is not None, row.positive is True, verdict_of(row)))
        members.setdefault(verdict_of(first), []).append(case)
    return members


def _halves(members: Sequence[str], cases: dict[str, list[Judgement]]) -> list[tuple[str, list[str]]]:
    """The cases of a stratum, the less sure half and the surer one; one part where no confidence is known."""
    sure = {
        case: min((row.confidence for row in cases[case] if row.confidence is not None), default=None)
        for case in members
    }
    known = sorted(value for value in sure.values() if value is not None)
    if len(known) < 2 or known[0] == known[-1]:
        return [("", list(members))]
    middle = known[len(known) // 2]
    low = [case for case in members if (value := sure[case]) is not None and value < middle]
    high = [case for case in members if (value := sure[case]) is None or value >= middle]
    return [(name, ids) for name, ids in (("less sure", low), ("surer", high)) if ids]


def planned_half_width(
    labels: float, *, rate: float, phi: float, n: int, design_effect: float = 1.0, confidence: float = 0.95
) -> float:
    """The half width that so many labels bring a corrected rate to; see `plan_labels`.

    Args:
        labels: In all, more than 0.
        rate: The rate as far as it is known, in [0, 1].
        phi: Correlation of judge and people, in [-1, 1].
        n: Judged statements.
        design_effect: From a correction so far, at least 1.
        confidence: Share in (0, 1).
    """
    z = normal_quantile((1 + confidence) / 2)
    spread = max(rate * (1 - rate), 1 / (4 * (n + 4)))
    return z * math.sqrt(spread * ((1 - phi * phi) * design_effect / labels + phi * phi / (n + labels)))


def plan_labels(
    half_width: float,
    *,
    rate: float,
    phi: float,
    n: int,
    design_effect: float = 1.0,
    confidence: float = 0.95,
) -> int | None:
    """Labels that bring a corrected rate to a half width.

    With z the normal quantile, p the rate and D the design effect, the half width h of n labels beside N judged
    statements has h^2 = z^2 p (1 - p) ((1 - phi^2) D / n + phi^2 / (N + n)); solved for n. Over 55 recorded judges the
    real width was 1.007 of the planned one.

    Args:
        half_width: Wanted, in (0, 1).
        rate: The rate as far as it is known, in [0, 1].
        phi: Correlation of judge and people, in [-1, 1]; 0 where nothing is known.
        n: Judged statements.
        design_effect: From a correction so far, at least 1.
        confidence: Share in (0, 1).

    Returns:
        Labels in all, at least 1; None where no number of labels of these statements brings it.

    Raises:
        ValueError: If the half width is no share.
    """
    if not 0.0 < half_width < 1.0:
        raise ValueError(f"the half width is a share such as 0.05, not {half_width!r}")
    z = normal_quantile((1 + confidence) / 2)
    # A rate of 0 or 1 among a few labels does not mean that nothing varies.
    spread = max(rate * (1 - rate), 1 / (4 * (n + 4)) if n else 0.25) * z * z
    wanted = 1.0
    for _ in range(50):
        left = half_width**2 - spread * phi * phi / (n + wanted)
        if left <= 0.0:
            return None
        found = spread * (1 - phi * phi) * design_effect / left
        if abs(found - wanted) < 0.01:
            break
        wanted = max(1.0, found)
    return math.ceil(wanted) if wanted <= n else None
