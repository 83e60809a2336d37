"""The same cases judged several times: majority, how often the outcome flips, how large a change noise makes."""

import math
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from statistics import stdev, variance
from typing import Generic, Literal, TypeVar

from magistrate.statistics.intervals import CONFIDENCE, t_quantile

Label = TypeVar("Label", bound=Hashable)


@dataclass(frozen=True, slots=True, kw_only=True)
class Majority(Generic[Label]):
    """What most of the repeats said, or why there is no such thing.

    Attributes:
        label: What more than half of the votes cast say; None where no label has that many.
        reason: "majority"; "tie" where two or more labels lead with equally many votes; "no-majority" where one leads
            with half of the votes or fewer; "no-quorum" where too few repeats gave a label; "no-votes" where none did.
        votes: Label -> votes, most first.
        n: Repeats.
        n_missing: Repeats without a label. They are no votes, for no side.
    """

    label: Label | None
    reason: Literal["majority", "tie", "no-majority", "no-quorum", "no-votes"]
    votes: Mapping[Label, int]
    n: int
    n_missing: int


def majority(labels: Sequence[Label | None]) -> Majority[Label]:
    """The label that more than half of the votes cast agree on. Position never decides, and a tie gives none."""
    votes = _counts(labels)
    cast = sum(votes.values())
    leader, most = next(iter(votes.items()), (None, 0))
    reason: Literal["majority", "tie", "no-majority", "no-quorum", "no-votes"]
    if not votes:
        reason = "no-votes"
    elif 2 * cast <= len(labels):
        reason = "no-quorum"
    elif sum(count == most for count in votes.values()) > 1:
        reason = "tie"
    elif 2 * most <= cast:
        reason = "no-majority"
    else:
        reason = "majority"
    return Majority(
        label=leader if reason == "majority" else None,
        reason=reason,
        votes=votes,
        n=len(labels),
        n_missing=len(labels) - cast,
    )


def flip_rate(labels: Sequence[Label | None]) -> float | None:
    """The probability that two different repeats disagree: 1 - sum c (c - 1) / (m (m - 1)).

    c are the counts of the labels and m is their sum: Simpson's index of diversity, without bias (Simpson, Measurement
    of diversity, Nature 163, 1949).

    Returns:
        In [0, 1]: 0 where all agree, 1 where no two do; None for fewer than two labels.
    """
    counts = _counts(labels)
    m = sum(counts.values())
    if m < 2:  # noqa: PLR2004 - it takes two to disagree
        return None
    return 1.0 - sum(c * (c - 1) for c in counts.values()) / (m * (m - 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStability:
    """How stable the outcomes of a run are over repeats.

    Attributes:
        rates: Case id -> its flip rate, by id; None for fewer than two labels.
        flip_rate: Mean of the cases' flip rates, in [0, 1]; None where no case has one.
        flipped: Ids of the cases with more than one label, the least stable first, then by id.
        left_out: Ids of the cases with fewer than two labels, sorted: nothing is known of their stability.
    """

    rates: Mapping[str, float | None]
    flip_rate: float | None
    flipped: tuple[str, ...]
    left_out: tuple[str, ...]


def run_stability(repeats: Sequence[Mapping[str, Hashable | None]]) -> RunStability:
    """The stability of every case of a run that was judged several times, aligned by id."""
    ids = sorted({key for repeat in repeats for key in repeat})
    rates = {key: flip_rate([repeat.get(key) for repeat in repeats]) for key in ids}
    known = {key: rate for key, rate in rates.items() if rate is not None}
    return RunStability(
        rates=rates,
        flip_rate=math.fsum(known.values()) / len(known) if known else None,
        flipped=tuple(sorted((key for key, rate in known.items() if rate > 0.0), key=lambda key: (-known[key], key))),
        left_out=tuple(key for key in ids if rates[key] is None),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class NoiseFloor:
    """How much a metric's mean moves when nothing but the judge's chance differs.

    Two estimates. `sd` looks at the means of the repeats themselves: it sees all noise, also such as moves many cases
    at once (another served model), but from few repeats it is itself uncertain, which Student's t makes up for.
    `sd_within` adds up the noise of the single cases: it is steady from two repeats on, but right only if their noise
    is independent. An `sd` well above `sd_within` tells of a shift between the repeats. With fewer than two
    repeats or no cases, all four figures are None.

    Attributes:
        n_repeats: Repeats.
        n_cases: Cases with a score in every repeat; all figures are over these.
        left_out: Ids of the cases without a score in some repeat, sorted.
        means: The metric's mean in each repeat; empty without cases.
        sd: Standard deviation of those means (n - 1).
        half_width: Half the width of the range that the change between two single runs stays in with 95 %
            confidence: t sqrt(2) sd, t for n_repeats - 1 degrees of freedom.
        sd_within: Standard deviation of the mean from the variances v of the cases over the repeats: sqrt(sum v) /
            n_cases.
        half_width_within: The same half width from it, t for n_cases (n_repeats - 1) degrees of freedom.
        confidence: Of the half widths.
    """

    n_repeats: int
    n_cases: int
    left_out: tuple[str, ...]
    means: tuple[float, ...]
    sd: float | None
    half_width: float | None
    sd_within: float | None
    half_width_within: float | None
    confidence: float


def noise_floor(repeats: Sequence[Mapping[str, float | None]]) -> NoiseFloor:
    """Measure a metric's noise from repeats over the same cases.

    A change between two single runs that is smaller than the half width happens by chance alone: a gate that allows
    less cannot be kept.

    Raises:
        ValueError: If a score is not finite.
    """
    ids = sorted({key for repeat in repeats for key in repeat})
    scores = {key: [float(s) for repeat in repeats if (s := repeat.get(key)) is not None] for key in ids}
    if wrong := [key for key, row in scores.items() if not all(map(math.isfinite, row))]:
        raise ValueError(f"case {wrong[0]!r} has a score that is not finite; use None where there is none")
    rows = [row for row in scores.values() if len(row) == len(repeats)]
    means = tuple(math.fsum(column) / len(rows) for column in zip(*rows, strict=True))
    sd = half_width = sd_within = half_width_within = None
    if len(means) > 1:
        share, freedom = (1.0 + CONFIDENCE) / 2, len(means) - 1
        sd = stdev(means)
        half_width = t_quantile(share, freedom) * math.sqrt(2.0) * sd
        sd_within = math.sqrt(math.fsum(variance(row) for row in rows)) / len(rows)
        half_width_within = t_quantile(share, len(rows) * freedom) * math.sqrt(2.0) * sd_within
    return NoiseFloor(
        n_repeats=len(repeats),
        n_cases=len(rows),
        left_out=tuple(key for key, row in scores.items() if len(row) < len(repeats)),
        means=means,
        sd=sd,
        half_width=half_width,
        sd_within=sd_within,
        half_width_within=half_width_within,
        confidence=CONFIDENCE,
    )


def _counts(labels: Sequence[Label | None]) -> dict[Label, int]:
    """Label -> how often, most first; equal counts by name, so that the order of the repeats never shows."""
    counts = Counter(label for label in labels if label is not None)
    return dict(sorted(counts.items(), key=lambda item: (-item[1], repr(item[0]))))
