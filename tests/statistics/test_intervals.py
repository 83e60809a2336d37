"""Distributions, intervals and differences."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magistrate.statistics import difference, format_change, relative_change, wilson_limits
from magistrate.statistics.intervals import (
    normal_quantile,
    percentile,
    t_cdf,
    t_interval,
    t_quantile,
    unanimous_interval,
)

Z = 1.959964
COUNTS = st.integers(1, 5000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


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

    @given(n=st.integers(1, 500))
    def test_a_population_beyond_the_bound_would_rarely_have_agreed(self, n):
        # The worst population: a share q scores 0, the others 1. All n agree with probability (1 - q)^n.
        low = unanimous_interval(1.0, n, 0.0, 1.0).low
        assert low**n == pytest.approx(0.05)


FIGURES = st.floats(1e-6, 1e6)


class TestSeedS113:
    """Improvement over a baseline as the evaluation framework of the seeds prints it."""

    @pytest.mark.parametrize(
        ("baseline", "figure", "text"), [(0.65, 0.92, "+41.5%"), (0.72, 0.96, "+33.3%"), (0.28, 0.07, "-75.0%")]
    )
    def test_s1_13_the_printed_improvements_recompute(self, baseline, figure, text):
        assert format_change(relative_change(baseline, figure)) == text

    def test_s1_13_a_baseline_of_zero_gives_none_and_never_infinity(self):
        assert relative_change(0.0, 0.5) is None
        assert format_change(relative_change(0.0, 0.5)) is None


class TestDifference:
    def test_rounding_is_no_change(self):
        assert difference(0.3, 0.1 + 0.2) == 0.0
        assert difference(0.3, 0.30001) > 0.0


class TestRelativeChange:
    @given(before=FIGURES, after=FIGURES)
    def test_its_sign_is_the_direction(self, before, after):
        change = relative_change(before, after)
        assert change == pytest.approx(100 * (after / before - 1), rel=1e-6, abs=1e-2)
        assert (change > 0) == (difference(before, after) > 0)

    @given(
        before=st.floats(allow_nan=False, allow_infinity=False), after=st.floats(allow_nan=False, allow_infinity=False)
    )
    def test_it_is_finite_or_none(self, before, after):
        change = relative_change(before, after)
        assert change is None or math.isfinite(change)

    @given(after=st.floats(-1, 1), before=st.floats(-1e-9, 1e-9))
    def test_nothing_grows_from_nothing_not_even_from_a_rounding_error(self, before, after):
        assert relative_change(before, after) is None

    def test_a_rise_from_below_zero_is_a_rise(self):
        assert relative_change(-2.0, -1.0) == 50.0

    @pytest.mark.parametrize("figures", [(math.nan, 1.0), (1.0, math.inf)])
    def test_what_is_no_number_is_refused(self, figures):
        with pytest.raises(ValueError, match="finite figures"):
            relative_change(*figures)


class TestFormatChange:
    @pytest.mark.parametrize(
        ("percent", "text"),
        [(41.538, "+41.5%"), (-75.0, "-75.0%"), (0.0, "+0.0%"), (-0.0, "+0.0%"), (-0.04, "+0.0%"), (-0.06, "-0.1%")],
    )
    def test_a_sign_one_decimal_and_no_space(self, percent, text):
        assert format_change(percent) == text

    def test_none_stays_none(self):
        assert format_change(None) is None


FREEDOM = st.integers(1, 400)
SHARES = st.floats(0.001, 0.999)


class TestNormal:
    def test_the_quantile_that_everybody_knows(self):
        assert normal_quantile(0.975) == pytest.approx(1.959963984540054)

    @pytest.mark.parametrize("share", [0.0, 1.0, -0.1, 1.5, math.nan])
    def test_no_quantile_outside_the_distribution(self, share):
        with pytest.raises(ValueError, match="share between 0 and 1"):
            normal_quantile(share)


class TestStudentsT:
    @pytest.mark.parametrize(
        ("df", "expected"),
        [(1, 12.706205), (2, 4.302653), (3, 3.182446), (10, 2.228139), (30, 2.042272), (120, 1.979930)],
    )
    def test_the_table_at_the_back_of_every_textbook(self, df, expected):
        assert t_quantile(0.975, df) == pytest.approx(expected, abs=1e-6)

    @given(df=st.integers(1, 400), share=st.floats(0.6, 0.999))
    def test_fewer_degrees_of_freedom_have_wider_tails(self, df, share):
        assert t_quantile(share, df) > t_quantile(share, df + 1) > normal_quantile(share)

    @pytest.mark.parametrize("df", [0, -3])
    def test_it_needs_a_degree_of_freedom(self, df):
        with pytest.raises(ValueError, match="at least 1"):
            t_quantile(0.9, df)
        with pytest.raises(ValueError, match="at least 1"):
            t_cdf(1.0, df)


class TestPercentile:
    @pytest.mark.parametrize(
        ("values", "share", "expected"),
        [([1.0], 0.99, 1.0), ([1.0, 3.0], 0.5, 2.0), ([1, 2, 3, 4, 5], 0.25, 2), (list(range(101)), 0.95, 95)],
    )
    def test_it_interpolates_between_neighbours(self, values, share, expected):
        assert percentile(values, share) == expected

    def test_no_values_have_none(self):
        with pytest.raises(ValueError, match="no values"):
            percentile([], 0.5)

    @pytest.mark.parametrize("share", [-0.01, 1.01, math.nan])
    def test_a_share_is_a_share(self, share):
        with pytest.raises(ValueError, match=r"share in \[0, 1\]"):
            percentile([1.0], share)
