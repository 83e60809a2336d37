"""Intervals without resampling."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magistrate.statistics import Interval, wilson_limits
from magistrate.statistics.intervals import t_interval, unanimous_interval

Z = 1.959964
COUNTS = st.integers(1, 5000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


class TestInterval:
    def test_it_holds_what_lies_between_its_ends(self):
        interval = Interval(0.2, 0.4, "by hand")
        assert 0.2 in interval
        assert 0.4 in interval
        assert 0.41 not in interval


class TestWilsonLimits:
    def test_a_worked_example(self):
        # 81 of 263 (Newcombe, Statistics in Medicine 17, 1998, table I, method 3).
        assert wilson_limits(81 / 263, 263, Z) == pytest.approx((0.2553, 0.3662), abs=5e-5)

    @given(counts=COUNTS, less=st.floats(0.5, 1.9))
    def test_they_hold_the_rate_mirror_that_of_failures_and_widen_with_confidence(self, counts, less):
        successes, n = counts
        low, high = wilson_limits(successes / n, n, Z)
        assert 0.0 <= low <= successes / n <= high <= 1.0
        assert low < high
        assert 1.0 - wilson_limits((n - successes) / n, n, Z)[1] == pytest.approx(low, abs=1e-12)
        narrow = wilson_limits(successes / n, n, less)
        assert low <= narrow[0] <= narrow[1] <= high

    def test_all_passing_leaves_room_for_doubt_and_no_cases_leave_everything_open(self):
        assert wilson_limits(1.0, 5, Z) == (pytest.approx(0.5655, abs=1e-4), 1.0)
        assert wilson_limits(0.0, 0, Z) == (0.0, 1.0)


class TestTInterval:
    def test_a_worked_example(self):
        # 1, 2, 3: mean 2, standard error 1 / sqrt(3), t = 4.302653.
        interval = t_interval(2.0, 1 / math.sqrt(3), 3)
        assert (interval.low, interval.high) == pytest.approx((2 - 2.484138, 2 + 2.484138), abs=1e-6)

    def test_it_is_cut_at_the_ends_of_the_range(self):
        interval = t_interval(0.9, 0.1, 3, low=0.0, high=1.0)
        assert interval.high == 1.0
        assert 0.0 < interval.low < 0.9
        assert t_interval(0.1, 0.1, 3, low=0.0).low == 0.0


class TestUnanimousInterval:
    def test_the_rule_of_three(self):
        interval = unanimous_interval(1.0, 100, 0.0, 1.0)
        assert interval.low == pytest.approx(1 - 3 / 100, abs=0.001)
        assert interval.high == 1.0
        assert "all 100 values equal" in interval.method

    @given(value=st.floats(0, 1), n=st.integers(1, 10_000))
    def test_it_holds_the_value_within_the_range_and_shrinks_with_more_cases(self, value, n):
        interval, next_one = (unanimous_interval(value, size, 0.0, 1.0) for size in (n, n + 1))
        assert 0.0 <= interval.low <= value <= interval.high <= 1.0
        assert interval.low <= next_one.low
        assert next_one.high <= interval.high

    @given(n=st.integers(1, 500), confidence=st.sampled_from([0.8, 0.95, 0.99]))
    def test_a_population_beyond_the_bound_would_rarely_have_agreed(self, n, confidence):
        # The worst population: a share q scores 0, the others 1. All n agree with probability (1 - q)^n.
        low = unanimous_interval(1.0, n, 0.0, 1.0, confidence=confidence).low
        assert low**n == pytest.approx(1 - confidence)
