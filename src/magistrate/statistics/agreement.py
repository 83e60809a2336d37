"""Agreement: of two raters, of many raters, and of a judge with the truth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from magistrate.statistics.bootstrap import DEFAULT, Bootstrap, statistic_interval
from magistrate.statistics.intervals import Interval

__all__ = ["Alpha", "BinaryScores", "Kappa", "binary_scores", "cohen_kappa", "krippendorff_alpha"]

Label = TypeVar("Label", bound=Hashable)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kappa(Generic[Label]):
    """The agreement of two raters beyond chance, with what it was computed from.

    A kappa says little without the base rates: where one label is rare, chance agreement is high and kappa is low
    although the raters nearly always agree.

    Attributes:
        kappa: At most 1; 0 is chance; None where it is undefined: no pairs, or both raters gave one same label to all.
        interval: Its bootstrap interval; None where it has none (see `statistic_interval`).
        observed: Share of the pairs that agree, in [0, 1]; None without pairs.
        expected: Share that would agree by chance, in [0, 1]; None without pairs.
        base_rates_a: Label -> share of the pairs to which the first rater gave it; every label of either rater is
            listed.
        base_rates_b: The same of the second rater.
        n: Pairs with both labels.
        n_missing: Pairs without one or both; left out.
    """

    kappa: float | None
    interval: Interval | None
    observed: float | None
    expected: float | None
    base_rates_a: Mapping[Label, float]
    base_rates_b: Mapping[Label, float]
    n: int
    n_missing: int


def cohen_kappa(
    a: Sequence[Label | None], b: Sequence[Label | None], *, bootstrap: Bootstrap = DEFAULT
) -> Kappa[Label]:
    """Cohen's kappa: (o - e) / (1 - e).

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
    pairs, n_missing = _label_pairs(a, b)
    cells = sorted(Counter(pairs).items(), key=repr)
    keys = [pair for pair, _ in cells]
    counts = [count for _, count in cells]
    n = sum(counts)
    rates_a = _base_rates(keys, counts, 0)
    rates_b = _base_rates(keys, counts, 1)
    labels = sorted(rates_a.keys() | rates_b.keys(), key=repr)
    return Kappa(
        kappa=_kappa(keys, counts),
        interval=statistic_interval(counts, lambda drawn: _kappa(keys, drawn), bootstrap),
        observed=sum(count for (x, y), count in cells if x == y) / n if n else None,
        expected=sum(rates_a.get(label, 0) * rates_b.get(label, 0) for label in labels) / (n * n) if n else None,
        base_rates_a={label: rates_a.get(label, 0) / n for label in labels},
        base_rates_b={label: rates_b.get(label, 0) / n for label in labels},
        n=n,
        n_missing=n_missing,
    )


def _base_rates(keys: Sequence[tuple[Label, Label]], counts: Sequence[int], rater: int) -> dict[Label, int]:
    totals: dict[Label, int] = {}
    for key, count in zip(keys, counts, strict=True):
        totals[key[rater]] = totals.get(key[rater], 0) + count
    return totals


def _kappa(keys: Sequence[tuple[Label, Label]], counts: Sequence[int]) -> float | None:
    n = sum(counts)
    rates_b = _base_rates(keys, counts, 1)
    chance = sum(count * rates_b.get(label, 0) for label, count in _base_rates(keys, counts, 0).items())
    agreed = sum(count for (x, y), count in zip(keys, counts, strict=True) if x == y)
    # In whole numbers, so that "all of one label" is recognised exactly.
    return (n * agreed - chance) / (n * n - chance) if n * n != chance else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Alpha:
    """The agreement of any number of raters beyond chance.

    Attributes:
        alpha: At most 1; 0 is chance; None where it is undefined: no unit with two labels, or one label throughout.
        interval: Its interval over units; None where it has none (see `statistic_interval`).
        observed: Observed disagreement, in [0, 1]; None without pairable labels.
        expected: Disagreement expected by chance, in [0, 1]; None without pairable labels.
        n_units: Units with at least two labels.
        n_labels: Labels in those units.
        n_left_out: Units with fewer than two labels.
    """

    alpha: float | None
    interval: Interval | None
    observed: float | None
    expected: float | None
    n_units: int
    n_labels: int
    n_left_out: int


def krippendorff_alpha(units: Iterable[Sequence[Label | None]], *, bootstrap: Bootstrap = DEFAULT) -> Alpha:
    """Krippendorff's alpha for labels without an order: 1 - observed / expected disagreement.

    With n labels in units that have at least two, m of them in a unit and n_k of label k over all: observed = 1 - sum
    over units of sum_k c (c - 1) / (m - 1) / n, c being the unit's count of k; expected = 1 - sum_k n_k (n_k - 1) / (n
    (n - 1)). Krippendorff, Computing Krippendorff's alpha-reliability, 2011. It corrects for small samples and takes
    missing labels.

    Args:
        units: For each item, the labels that the raters gave it; None where a rater gave none. Who gave which does not
            matter.
        bootstrap: Confidence, resamples and seed of the interval, which resamples units.
    """
    kinds: Counter[tuple[tuple[Label, int], ...]] = Counter()
    n_left_out = 0
    for unit in units:
        counts = Counter(label for label in unit if label is not None)
        if counts.total() > 1:
            kinds[tuple(sorted(counts.items(), key=repr))] += 1
        else:
            n_left_out += 1
    items = sorted(kinds.items(), key=repr)
    compositions = [composition for composition, _ in items]
    frequencies = [frequency for _, frequency in items]
    disagreement = _disagreement(compositions, frequencies)
    return Alpha(
        alpha=_alpha(compositions, frequencies),
        interval=statistic_interval(frequencies, lambda drawn: _alpha(compositions, drawn), bootstrap),
        observed=disagreement[0] if disagreement else None,
        expected=disagreement[1] if disagreement else None,
        n_units=sum(frequencies),
        n_labels=sum(frequency * sum(c for _, c in unit) for unit, frequency in items),
        n_left_out=n_left_out,
    )


_Composition = tuple[tuple[Label, int], ...]


def _disagreement(
    compositions: Sequence[_Composition[Label]], frequencies: Sequence[int]
) -> tuple[float, float] | None:
    totals: Counter[Label] = Counter()
    agreement = 0.0
    for composition, frequency in zip(compositions, frequencies, strict=True):
        size = sum(count for _, count in composition)
        agreement += frequency * sum(count * (count - 1) for _, count in composition) / (size - 1)
        for label, count in composition:
            totals[label] += frequency * count
    n = totals.total()
    if n == 0:
        return None
    same = sum(count * (count - 1) for count in totals.values())
    return max(0.0, 1.0 - agreement / n), 1.0 - same / (n * (n - 1))


def _alpha(compositions: Sequence[_Composition[Label]], frequencies: Sequence[int]) -> float | None:
    disagreement = _disagreement(compositions, frequencies)
    return 1.0 - disagreement[0] / disagreement[1] if disagreement and disagreement[1] > 0.0 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class BinaryScores:
    """How well a judge finds one label, against the truth.

    Attributes:
        true_positives: Items that have the label and were given it.
        false_positives: Items that were given it without having it.
        false_negatives: Items that have it and were not given it.
        true_negatives: Items that neither have it nor were given it.
        n_missing: Items without a true or a predicted label; left out.
    """

    true_positives: int
    false_positives: int
    false_negatives: int
    true_negatives: int
    n_missing: int

    @property
    def n(self) -> int:
        """Items with both labels."""
        return self.true_positives + self.false_positives + self.false_negatives + self.true_negatives

    @property
    def accuracy(self) -> float | None:
        """(TP + TN) / n, in [0, 1]; None without items."""
        return _ratio(self.true_positives + self.true_negatives, self.n)

    @property
    def precision(self) -> float | None:
        """TP / (TP + FP), in [0, 1]; None where the label was never given."""
        return _ratio(self.true_positives, self.true_positives + self.false_positives)

    @property
    def recall(self) -> float | None:
        """TP / (TP + FN), in [0, 1]; None where no item has the label."""
        return _ratio(self.true_positives, self.true_positives + self.false_negatives)

    @property
    def specificity(self) -> float | None:
        """TN / (TN + FP), in [0, 1]; None where every item has the label."""
        return _ratio(self.true_negatives, self.true_negatives + self.false_positives)

    @property
    def f1(self) -> float | None:
        """The harmonic mean of precision P and recall R, 2 P R / (P + R), in [0, 1].

        0 where both are 0; None where either is undefined. Van Rijsbergen, Information Retrieval, 2nd edition, 1979.
        """
        if self.precision is None or self.recall is None:
            return None
        twice = 2 * self.true_positives
        return _ratio(twice, twice + self.false_positives + self.false_negatives)

    @property
    def prevalence(self) -> float | None:
        """Share of the items that have the label, in [0, 1]; None without items."""
        return _ratio(self.true_positives + self.false_negatives, self.n)

    @property
    def predicted_rate(self) -> float | None:
        """Share of the items that were given the label, in [0, 1]; None without items."""
        return _ratio(self.true_positives + self.false_positives, self.n)


def binary_scores(truth: Sequence[Label | None], predicted: Sequence[Label | None], *, positive: Label) -> BinaryScores:
    """Count how one label was found, all others together being the negative class.

    Args:
        truth: The true label of each item; None where it is not known.
        predicted: The judge's label, in the same order; None where it gave none.
        positive: The label to be found.

    Raises:
        ValueError: If the lengths differ.
    """
    pairs, n_missing = _label_pairs(truth, predicted)
    counts = Counter((x == positive, y == positive) for x, y in pairs)
    return BinaryScores(
        true_positives=counts[True, True],
        false_positives=counts[False, True],
        false_negatives=counts[True, False],
        true_negatives=counts[False, False],
        n_missing=n_missing,
    )


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _label_pairs(a: Sequence[Label | None], b: Sequence[Label | None]) -> tuple[list[tuple[Label, Label]], int]:
    if len(a) != len(b):
        raise ValueError(f"agreement needs as many labels on both sides, not {len(a)} and {len(b)}")
    pairs = [(x, y) for x, y in zip(a, b, strict=True) if x is not None and y is not None]
    return pairs, len(a) - len(pairs)
