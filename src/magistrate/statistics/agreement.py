"""Agreement beyond chance: of two raters, and of any number of them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from magistrate.statistics.bootstrap import DEFAULT, Bootstrap, statistic_interval
from magistrate.statistics.intervals import Interval

Label = TypeVar("Label", bound=Hashable)


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """How far raters agree, and how far beyond chance.

    Attributes:
        coefficient: At most 1; 0 is chance; None where it is undefined: nothing to compare, or one label throughout.
        interval: Its bootstrap interval; None where it has none (see `statistic_interval`).
        observed: Share of agreement, in [0, 1]; None where there is nothing to compare.
        expected: Share of agreement by chance, in [0, 1]; None where there is nothing to compare.
        n: Items with labels enough.
        n_missing: Items without; left out.
    """

    coefficient: float | None
    interval: Interval | None
    observed: float | None
    expected: float | None
    n: int
    n_missing: int


def cohen_kappa(a: Sequence[Label | None], b: Sequence[Label | None], *, bootstrap: Bootstrap = DEFAULT) -> Agreement:
    """Cohen's kappa of two raters: (o - e) / (1 - e).

    o is the share of pairs that agree, and e = sum p_a(k) p_b(k) over the labels k is the share that would if the
    raters kept their base rates and labelled at random. Cohen, A coefficient of agreement for nominal scales,
    Educational and Psychological Measurement 20 (1960).

    Args:
        a: The first rater's label for each item; None where there is none.
        b: The second rater's, in the same order.
        bootstrap: Confidence, resamples and seed of the interval.

    Raises:
        ValueError: If the lengths differ.
    """
    if len(a) != len(b):
        raise ValueError(f"agreement needs as many labels on both sides, not {len(a)} and {len(b)}")
    pairs = Counter((x, y) for x, y in zip(a, b, strict=True) if x is not None and y is not None)
    return _agreement(pairs, _kappa_shares, bootstrap, n_missing=len(a) - pairs.total())


def krippendorff_alpha(units: Iterable[Sequence[Label | None]], *, bootstrap: Bootstrap = DEFAULT) -> Agreement:
    """Krippendorff's alpha of any number of raters, for labels without an order: 1 - observed / expected disagreement.

    With n labels in units that have at least two, m of them in a unit and n_k of label k over all: observed = 1 - sum
    over units of sum_k c (c - 1) / (m - 1) / n, c being the unit's count of k; expected = 1 - sum_k n_k (n_k - 1) / (n
    (n - 1)). Krippendorff, Computing Krippendorff's alpha-reliability, 2011. It corrects for small samples and takes
    missing labels.

    Args:
        units: For each item, the labels that the raters gave it; None where a rater gave none. Who gave which does not
            matter.
        bootstrap: Confidence, resamples and seed of the interval, which resamples units.
    """
    labels = [[label for label in unit if label is not None] for unit in units]
    kinds = Counter(tuple(sorted(Counter(unit).items(), key=repr)) for unit in labels if len(unit) > 1)
    return _agreement(kinds, _alpha_shares, bootstrap, n_missing=len(labels) - kinds.total())


Shares = Callable[[Mapping[Any, int]], "tuple[float, float]"]


def _agreement(counts: Counter[Any], shares: Shares, bootstrap: Bootstrap, *, n_missing: int) -> Agreement:
    def coefficient(counts: Mapping[Any, int]) -> float | None:
        observed, expected = shares(counts)
        return None if expected == 1.0 else (observed - expected) / (1.0 - expected)

    observed, expected = shares(counts) if counts else (None, None)
    return Agreement(
        coefficient=coefficient(counts) if counts else None,
        interval=statistic_interval(counts, coefficient, bootstrap),
        observed=observed,
        expected=expected,
        n=counts.total(),
        n_missing=n_missing,
    )


def _rates(pairs: Mapping[Any, int], rater: int) -> Counter[Any]:
    rates: Counter[Any] = Counter()
    for pair, count in pairs.items():
        rates[pair[rater]] += count
    return rates


def _kappa_shares(pairs: Mapping[Any, int]) -> tuple[float, float]:
    n, second = sum(pairs.values()), _rates(pairs, 1)
    # Whole numbers until the end, so that "all of one label" is exactly 1.
    agreed = sum(count for (x, y), count in pairs.items() if x == y)
    return agreed / n, sum(count * second[label] for label, count in _rates(pairs, 0).items()) / (n * n)


def _alpha_shares(units: Mapping[Any, int]) -> tuple[float, float]:
    totals: Counter[Any] = Counter()
    agreements = []
    for unit, frequency in units.items():
        size = sum(count for _, count in unit)
        agreements.append(frequency * sum(count * (count - 1) for _, count in unit) / (size - 1))
        for label, count in unit:
            totals[label] += frequency * count
    n = totals.total()
    return min(1.0, math.fsum(agreements) / n), sum(count * (count - 1) for count in totals.values()) / (n * (n - 1))
