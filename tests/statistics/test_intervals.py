"""Intervals without resampling."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magistrate.statistics import Interval, wilson_interval
from magistrate.statistics.intervals import percent, t_interval, unanimous_interval

COUNTS = st.integers(1, 5000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


class TestInterval:
    def test_it_holds_what_lies_between_its_ends(self):
        interval = Interval(0.2, 0.4, "by hand")
        assert 0.2 in interval
        assert 0.4 in interval
        assert 0.41 not in interval

    @pytest.mark.parametrize(("share", "text"), [(0.95, "95 %"), (0.9, "90 %"), (0.999, "99.9 %"), (0.975, "97.5 %")])
    def test_a_confidence_is_written_with_the_decimals_it_has(self, share, text):
        assert percent(share) == text


class TestWilsonInterval:
    def test_a_worked_example(self):
        # 81 of 263 (Newcombe, Statistics in Medicine 17, 1998, table I, method 3).
        interval = wilson_interval(81, 263)
        assert interval.low == pytest.approx(0.2553, abs=5e-5)
        assert interval.high == pytest.approx(0.3662, abs=5e-5)
        assert interval.method == "Wilson score interval, 95 %"

    @given(counts=COUNTS)
    def test_it_holds_the_rate_and_stays_in_range(self, counts):
        successes, n = counts
        interval = wilson_interval(successes, n)
        assert 0.0 <= interval.low <= successes / n <= interval.high <= 1.0
        assert interval.low < interval.high

    @given(counts=COUNTS)
    def test_failures_mirror_successes(self, counts):
        successes, n = counts
        one, other = wilson_interval(successes, n), wilson_interval(n - successes, n)
        assert one.low == pytest.approx(1.0 - other.high, abs=1e-12)

    @given(counts=COUNTS, low=st.floats(0.5, 0.98))
    def test_more_confidence_is_wider(self, counts, low):
        wide, narrow = wilson_interval(*counts, confidence=0.99), wilson_interval(*counts, confidence=low)
        assert wide.low <= narrow.low
        assert wide.high >= narrow.high

    @given(counts=COUNTS)
    def test_one_more_success_never_lowers_it(self, counts):
        successes, n = counts
        if successes < n:
            less, more = wilson_interval(successes, n), wilson_interval(successes + 1, n)
            assert less.low <= more.low
            assert less.high <= more.high

    def test_all_passing_leaves_room_for_doubt(self):
        interval = wilson_interval(5, 5)
        assert interval.high == 1.0
        assert interval.low == pytest.approx(0.5655, abs=1e-4)

    def test_no_cases_have_no_rate(self):
        assert wilson_interval(0, 0) is None

    @pytest.mark.parametrize("counts", [(3, 2), (-1, 2), (0, -1)])
    def test_impossible_counts_are_refused(self, counts):
        with pytest.raises(ValueError, match="is no rate"):
            wilson_interval(*counts)

    @pytest.mark.parametrize("confidence", [0.0, 1.0, 95, math.nan])
    def test_a_confidence_is_a_share(self, confidence):
        with pytest.raises(ValueError, match=r"such as 0\.95"):
            wilson_interval(1, 2, confidence=confidence)


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
