"""Ranking and calibration of probabilities."""

import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magistrate.statistics import calibration_bins, calibration_error, roc_auc

ITEMS = st.lists(
    st.tuples(st.booleans(), st.one_of(st.floats(0, 1), st.sampled_from([0.0, 0.1, 0.5, 0.7, 1.0]))), max_size=40
)


def unzip(items):
    return [label for label, _ in items], [number for _, number in items]


class TestRocAuc:
    @pytest.mark.parametrize(
        ("labels", "scores", "auc"),
        [
            ([True, False], [0.9, 0.1], 1.0),
            ([True, False], [0.1, 0.9], 0.0),
            ([True, False], [0.5, 0.5], 0.5),
            ([True, True, False, False], [0.9, 0.4, 0.6, 0.1], 0.75),
            ([True, False, False], [0.5, 0.5, 0.1], 0.75),
        ],
    )
    def test_it_is_the_chance_that_a_positive_ranks_above_a_negative(self, labels, scores, auc):
        assert roc_auc(labels, scores) == auc

    @given(items=ITEMS)
    def test_it_counts_pairs(self, items):
        positives = [score for label, score in items if label]
        negatives = [score for label, score in items if not label]
        if positives and negatives:
            wins = sum((p > q) + (p == q) / 2 for p in positives for q in negatives)
            assert roc_auc(*unzip(items)) == pytest.approx(wins / len(positives) / len(negatives))
        else:
            assert roc_auc(*unzip(items)) is None

    @given(items=ITEMS)
    def test_only_the_order_of_the_scores_counts_and_exchanging_the_classes_mirrors(self, items):
        labels, scores = unzip(items)
        auc = roc_auc(labels, scores)
        assert roc_auc(labels[::-1], scores[::-1]) == auc
        ranks = [sorted(set(scores)).index(score) for score in scores]
        assert roc_auc(labels, ranks) == auc
        if auc is not None:
            assert roc_auc([not label for label in labels], scores) == pytest.approx(1 - auc)

    def test_a_half_pair_is_refused(self):
        with pytest.raises(ValueError, match="1 labels and 0 numbers"):
            roc_auc([True], [])

    def test_what_is_no_number_is_refused(self):
        with pytest.raises(ValueError, match="finite"):
            roc_auc([True, False], [math.nan, 0.0])


class TestCalibrationBins:
    def test_each_item_is_in_the_bin_that_ends_at_or_above_it(self):
        bins = calibration_bins([True] * 5, [0.0, 0.1, 0.7, 0.70001, 1.0])
        assert [(b.low, b.high, b.n) for b in bins] == [(0.0, 0.1, 2), (0.6, 0.7, 1), (0.7, 0.8, 1), (0.9, 1.0, 1)]

    @given(items=ITEMS, bins=st.integers(1, 20))
    def test_they_hold_all_items_and_the_overall_rate(self, items, bins):
        labels, probabilities = unzip(items)
        diagram = calibration_bins(labels, probabilities, bins=bins)
        assert sum(b.n for b in diagram) == len(items)
        assert sum(b.n * b.rate for b in diagram) == pytest.approx(sum(labels))
        assert sum(b.n * b.mean_probability for b in diagram) == pytest.approx(math.fsum(probabilities))
        assert all(b.low - 1e-9 <= b.mean_probability <= b.high + 1e-9 for b in diagram)
        assert [b.low for b in diagram] == sorted({b.low for b in diagram})

    def test_it_needs_a_bin(self):
        with pytest.raises(ValueError, match="bins must be at least 1"):
            calibration_bins([], [], bins=0)


class TestCalibrationError:
    def test_a_worked_example(self):
        # Two items at 0.8, one right: off by 0.3. Two at 0.2, none right: off by 0.2.
        assert calibration_error([True, False, False, False], [0.8, 0.8, 0.2, 0.2]) == pytest.approx(0.25)

    def test_probabilities_that_mean_what_they_say_have_nearly_none(self):
        draw = Random(2)
        probabilities = [draw.random() for _ in range(20_000)]
        labels = [draw.random() < p for p in probabilities]
        assert calibration_error(labels, probabilities) < 0.015

    @given(items=ITEMS)
    def test_it_lies_between_the_overall_gap_and_one(self, items):
        labels, probabilities = unzip(items)
        error = calibration_error(labels, probabilities)
        if items:
            gap = abs(sum(labels) - math.fsum(probabilities)) / len(items)
            assert gap - 1e-9 <= error <= 1.0
            assert calibration_error(labels, probabilities, bins=1) == pytest.approx(gap, abs=1e-12)
        else:
            assert error is None
