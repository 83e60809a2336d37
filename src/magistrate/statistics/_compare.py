"""Two runs over the same cases, compared case by case."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import stdev
from typing import Literal

from magistrate.statistics._bootstrap import DEFAULT, Bootstrap, change_interval, relative_change_interval
from magistrate.statistics._paired_tests import (
    McNemarTest,
    SignedRankTest,
    mcnemar_test,
    minimum_detectable_effect,
    signed_rank_test,
)
from magistrate.statistics.intervals import CONFIDENCE, TOLERANCE, Interval, difference, relative_change

_ROUGH_BELOW = 10


@dataclass(frozen=True, slots=True)
class Pair:
    """The scores of one case in both runs.

    Args:
        id: The case.
        a: Its score in the first run.
        b: Its score in the second run.
    """

    id: str
    a: float
    b: float

    @property
    def change(self) -> float:
        """The change b - a, exactly 0.0 within 1e-9."""
        return difference(self.a, self.b)


@dataclass(frozen=True, slots=True, kw_only=True)
class Flips:
    """The cases that pass in one run and not in the other.

    Attributes:
        threshold: The score that passes.
        gained: Cases that pass in the second run only, by id.
        lost: Cases that pass in the first run only, by id.
        test: Whether that is more than chance.
    """

    threshold: float
    gained: tuple[Pair, ...]
    lost: tuple[Pair, ...]
    test: McNemarTest


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What two runs say of the same cases. Every id of either run is in exactly one place.

    `wins`, `losses` and `ties` hold the cases that both runs scored; `unscored_in_a`, `unscored_in_b` and
    `unscored_in_both` those that both runs have but did not both score; `only_in_a` and `only_in_b` the rest.

    Attributes:
        n: Cases with a score in both runs. All figures below are over these.
        n_ids: Cases that are in either run.
        direction: "maximize" where a higher score is better, else "minimize".
        confidence: Of the intervals.
        mean_a: Mean score in the first run; None without pairs.
        mean_b: Mean score in the second run; None without pairs.
        change: mean_b - mean_a, whichever direction is better; None without pairs.
        change_interval: Its interval (`change_interval`); None for fewer than two pairs.
        change_bounds: Least and greatest change over all cases that both runs have which the missing scores leave
            possible; None where there is no such case.
        relative_change: In percent of mean_a; None without pairs or where mean_a is 0.
        relative_change_interval: Its interval in percent; None where it has none (`relative_change_interval`).
        sd: Standard deviation of the changes (n - 1); None for fewer than two pairs.
        minimum_detectable_effect: The least true change that such a comparison finds with 80 % power; None where it
            cannot be known.
        test: McNemar's exact test where every score is 0 or 1, else Wilcoxon's signed-rank test.
        wins: Cases that are better in the second run, greatest change first, then by id.
        losses: Cases that are worse, likewise.
        ties: Ids of the cases whose scores are equal, sorted.
        flips: The cases that pass in one run only; None where no threshold was given.
        unscored_in_a: Ids of the cases that only the second run scored, sorted.
        unscored_in_b: Ids of the cases that only the first run scored, sorted.
        unscored_in_both: Ids of the cases that both runs have and neither scored, sorted.
        only_in_a: Ids of the cases that only the first run has, sorted.
        only_in_b: Ids of the cases that only the second run has, sorted.
        notes: Why a figure is None or rough, one sentence each.
    """

    n: int
    n_ids: int
    direction: Literal["maximize", "minimize"]
    confidence: float
    mean_a: float | None
    mean_b: float | None
    change: float | None
    change_interval: Interval | None
    change_bounds: tuple[float, float] | None
    relative_change: float | None
    relative_change_interval: Interval | None
    sd: float | None
    minimum_detectable_effect: float | None
    test: McNemarTest | SignedRankTest
    wins: tuple[Pair, ...]
    losses: tuple[Pair, ...]
    ties: tuple[str, ...]
    flips: Flips | None
    unscored_in_a: tuple[str, ...]
    unscored_in_b: tuple[str, ...]
    unscored_in_both: tuple[str, ...]
    only_in_a: tuple[str, ...]
    only_in_b: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def coverage(self) -> float:
        """Share of the cases of either run that could be compared, in [0, 1]; 0 without cases."""
        return self.n / self.n_ids if self.n_ids else 0.0


def compare_paired(
    a: Mapping[str, float | None],
    b: Mapping[str, float | None],
    *,
    threshold: float | None = None,
    direction: Literal["maximize", "minimize"] = "maximize",
    bootstrap: Bootstrap = DEFAULT,
) -> Comparison:
    """Compare two runs over the same cases, aligned by id, never by position.

    Raises:
        ValueError: If a score is not in [0, 1] (the message names the case), or the direction is neither.
    """
    if direction not in ("maximize", "minimize"):
        raise ValueError(f'direction must be "maximize" or "minimize", not {direction!r}')
    _check(a, "first")
    _check(b, "second")
    shared = sorted(a.keys() & b.keys())
    both = ((key, a[key], b[key]) for key in shared)
    pairs = [Pair(key, float(x), float(y)) for key, x, y in both if x is not None and y is not None]
    first, second = [pair.a for pair in pairs], [pair.b for pair in pairs]
    mean_a, mean_b = _mean(first), _mean(second)
    change = relative = None
    if mean_a is not None and mean_b is not None:
        change, relative = difference(mean_a, mean_b), relative_change(mean_a, mean_b)
    relative_interval = relative_change_interval(first, second, bootstrap)
    interval = change_interval(first, second, bootstrap)
    changes = [pair.change for pair in pairs]
    sd = stdev(changes) if len(pairs) > 1 else None
    binary = bool(pairs) and {*first, *second} <= {0.0, 1.0}
    sign = 1.0 if direction == "maximize" else -1.0
    moved = sorted((pair for pair in pairs if pair.change), key=lambda pair: (-abs(pair.change), pair.id))
    return Comparison(
        n=len(pairs),
        n_ids=len(a.keys() | b.keys()),
        direction=direction,
        confidence=CONFIDENCE,
        mean_a=mean_a,
        mean_b=mean_b,
        change=change,
        change_interval=interval,
        change_bounds=_bounds(a, b, shared),
        relative_change=relative,
        relative_change_interval=relative_interval,
        sd=sd,
        minimum_detectable_effect=None if sd is None else minimum_detectable_effect(sd, len(pairs)),
        test=mcnemar_test([x == 1.0 for x in first], [x == 1.0 for x in second])
        if binary
        else signed_rank_test(changes),
        wins=tuple(pair for pair in moved if sign * pair.change > 0.0),
        losses=tuple(pair for pair in moved if sign * pair.change < 0.0),
        ties=tuple(pair.id for pair in pairs if not pair.change),
        flips=None if threshold is None else _flips(pairs, threshold, sign),
        unscored_in_a=tuple(key for key in shared if a[key] is None and b[key] is not None),
        unscored_in_b=tuple(key for key in shared if b[key] is None and a[key] is not None),
        unscored_in_both=tuple(key for key in shared if a[key] is None and b[key] is None),
        only_in_a=tuple(sorted(a.keys() - b.keys())),
        only_in_b=tuple(sorted(b.keys() - a.keys())),
        notes=tuple(_notes(len(pairs), len(moved), mean_a, interval, relative_interval)),
    )


def _check(scores: Mapping[str, float | None], which: str) -> None:
    for key, score in scores.items():
        if score is not None and not -TOLERANCE <= score <= 1.0 + TOLERANCE:
            raise ValueError(f"case {key!r} of the {which} run: {score:g} is no score in [0, 1]; None is no score")


def _mean(values: list[float]) -> float | None:
    return math.fsum(values) / len(values) if values else None


def _bounds(
    a: Mapping[str, float | None], b: Mapping[str, float | None], shared: list[str]
) -> tuple[float, float] | None:
    if not shared:
        return None

    def mean(scores: Mapping[str, float | None], missing: float) -> float:
        values = (scores[key] for key in shared)
        return math.fsum(missing if value is None else value for value in values) / len(shared)

    return difference(mean(a, 1.0), mean(b, 0.0)), difference(mean(a, 0.0), mean(b, 1.0))


def _flips(pairs: list[Pair], threshold: float, sign: float) -> Flips:
    def passes(score: float) -> bool:
        return sign * (score - threshold) >= -TOLERANCE

    return Flips(
        threshold=threshold,
        gained=tuple(pair for pair in pairs if passes(pair.b) and not passes(pair.a)),
        lost=tuple(pair for pair in pairs if passes(pair.a) and not passes(pair.b)),
        test=mcnemar_test([passes(pair.a) for pair in pairs], [passes(pair.b) for pair in pairs]),
    )


def _notes(
    n: int, n_moved: int, mean_a: float | None, interval: Interval | None, relative: Interval | None
) -> Iterable[str]:
    if n == 0:
        yield "no case has a score in both runs: there is nothing to compare"
        return
    if mean_a is not None and abs(mean_a) <= TOLERANCE:
        yield "the mean of the first run is 0: there is no relative change from nothing"
    elif relative is None:
        yield "the relative change has no interval: too few pairs, too few scores above 0, or no spread"
    if interval is None:
        yield "the change has no interval: it takes two pairs"
    elif n_moved < _ROUGH_BELOW:
        moved = f"only {n_moved}" if n_moved else "none"
        yield f"{moved} of {n} pairs differ: the interval of the change is rough, go by the test"
