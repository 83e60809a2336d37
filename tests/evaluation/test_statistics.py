"""Mean, interval, percentiles."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from magistrate.evaluation.statistics import mean_interval, percentile

SCORES = st.lists(st.floats(0, 1), min_size=2, max_size=60)


class TestMeanInterval:
    @settings(deadline=None)
    @given(values=SCORES, seed=st.integers(0, 5))
    def test_it_lies_in_range_around_the_mean_and_is_the_same_each_time(self, values: list[float], seed: int):
        interval = mean_interval(values, seed=seed)
        assert interval is not None
        mean = math.fsum(values) / len(values)
        assert 0.0 <= interval.low <= mean + 1e-9
        assert mean - 1e-9 <= interval.high <= 1.0
        assert mean_interval(values, seed=seed) == interval

    @settings(deadline=None)
    @given(values=SCORES, shuffle=st.randoms())
    def test_the_order_of_the_values_never_matters(self, values: list[float], shuffle: random.Random):
        other = list(values)
        shuffle.shuffle(other)
        assert mean_interval(other) == mean_interval(values)

    @pytest.mark.parametrize("values", [[], [0.5]])
    def test_fewer_than_two_values_say_nothing_about_spread(self, values: list[float]):
        assert mean_interval(values) is None

    def test_equal_values_have_an_interval_of_no_width_and_say_so(self):
        interval = mean_interval([1.0] * 5)
        assert interval is not None
        assert (interval.low, interval.high, interval.method) == (1.0, 1.0, "all values equal")

    def test_the_method_is_stated(self):
        interval = mean_interval([0.0, 1.0] * 10, seed=3)
        assert interval is not None
        assert interval.method == "percentile bootstrap, 95 %, 2,000 resamples, seed 3"

    def test_it_agrees_with_the_normal_approximation_where_both_hold(self):
        values = [0.0, 0.5, 1.0, 1.0] * 500
        interval = mean_interval(values)
        mean = sum(values) / len(values)
        half = 1.96 * math.sqrt(sum((v - mean) ** 2 for v in values) / (len(values) - 1) / len(values))
        assert interval is not None
        assert interval.low == pytest.approx(mean - half, abs=0.003)
        assert interval.high == pytest.approx(mean + half, abs=0.003)

    def test_a_large_run_uses_the_normal_approximation_and_says_so(self):
        interval = mean_interval([0.0, 1.0] * 6000)
        assert interval is not None
        assert interval.method == "normal approximation, 95 %"
        assert (interval.low, interval.high) == pytest.approx((0.491054, 0.508946), abs=1e-5)

    def test_it_covers_the_true_mean_about_as_often_as_it_says(self):
        draw = random.Random(7)  # noqa: S311 - a simulation
        hits = 0
        for _ in range(60):
            interval = mean_interval([float(draw.random() < 0.7) for _ in range(60)])
            assert interval is not None
            hits += interval.low <= 0.7 <= interval.high
        assert hits >= 53


class TestPercentile:
    @pytest.mark.parametrize(
        ("values", "share", "expected"),
        [([1.0], 0.99, 1.0), ([1.0, 3.0], 0.5, 2.0), ([1, 2, 3, 4, 5], 0.25, 2), (list(range(101)), 0.95, 95)],
    )
    def test_it_interpolates_between_neighbours(self, values: list[float], share: float, expected: float):
        assert percentile(values, share) == expected

    def test_no_values_have_none(self):
        with pytest.raises(ValueError, match="no values"):
            percentile([], 0.5)
