"""Distributions, intervals and differences."""

import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magistrate.statistics import (
    Bootstrap,
    change_interval,
    difference,
    format_change,
    mean_interval,
    relative_change,
    relative_change_interval,
    wilson_limits,
)
from magistrate.statistics.intervals import (
    normal_quantile,
    percentile,
    t_cdf,
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


class TestUnanimousInterval:
    @given(n=st.integers(1, 500))
    def test_a_population_beyond_the_bound_would_rarely_have_agreed(self, n):
        # The worst population: a share q scores 0, the others 1. All n agree with probability (1 - q)^n.
        low = unanimous_interval(1.0, n, 0.0, 1.0).low
        assert low**n == pytest.approx(0.05)


FIGURES = st.floats(1e-6, 1e6)


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


class TestNormal:
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


SCORES = st.one_of(st.sampled_from([0.0, 0.25, 0.5, 2 / 3, 0.75, 0.8, 1.0]), st.floats(0.0, 1.0))
PAIRS = st.lists(st.tuples(SCORES, SCORES), min_size=2, max_size=40)
QUICK = Bootstrap(resamples=200)


def mean(values):
    return math.fsum(values) / len(values)


class TestBootstrap:
    def test_a_handful_of_resamples_has_no_percentiles(self):
        with pytest.raises(ValueError, match="at least 100 resamples, not 20"):
            Bootstrap(resamples=20)
        assert Bootstrap(resamples=100).resamples == 100


class TestMeanInterval:
    @given(values=st.lists(SCORES, min_size=2, max_size=60), seed=st.integers(0, 5))
    def test_it_lies_in_range_around_the_mean_and_is_the_same_each_time(self, values, seed):
        bootstrap = Bootstrap(resamples=200, seed=seed)
        interval = mean_interval(values, bootstrap)
        assert -1e-12 <= interval.low <= mean(values) + 1e-12
        assert mean(values) - 1e-12 <= interval.high <= 1.0 + 1e-12
        assert mean_interval(values, bootstrap) == interval

    @given(values=st.lists(SCORES, min_size=2, max_size=60), shuffle=st.randoms())
    def test_the_order_of_the_values_never_matters(self, values, shuffle):
        other = list(values)
        shuffle.shuffle(other)
        assert mean_interval(other, QUICK) == mean_interval(values, QUICK)

    @pytest.mark.parametrize("values", [[], [0.5]])
    def test_fewer_than_two_values_say_nothing_about_spread(self, values):
        assert mean_interval(values) is None

    def test_equal_values_have_an_interval_that_does_not_feign_certainty(self):
        interval = mean_interval([1.0] * 5)
        assert interval.low == pytest.approx(0.05**0.2)
        assert interval.high == 1.0
        assert interval.method == "all 5 values equal, 95 % bound on how many others differ"

    def test_few_values_have_students_interval_cut_at_the_range(self):
        interval = mean_interval([1.0, 1.0, 0.5])
        assert interval.method == "Student's t, 95 %"
        assert interval.high == 1.0
        assert interval.low == pytest.approx(5 / 6 - 4.302653 / 6, abs=1e-6)

    def test_the_method_is_stated(self):
        assert (
            mean_interval([0.0, 1.0] * 10, Bootstrap(seed=3)).method == "BCa bootstrap, 95 %, 2,000 resamples, seed 3"
        )

    def test_so_many_different_values_that_it_would_take_seconds_use_the_normal_approximation(self):
        values = [i / 25_000 for i in range(25_000)]
        interval = mean_interval(values)
        assert interval.method == "Student's t, 95 %"
        half = 1.959964 * math.sqrt(1 / 12 / 25_000)
        assert (interval.low, interval.high) == pytest.approx((0.49998 - half, 0.49998 + half), abs=1e-6)

    @pytest.mark.parametrize(
        ("value", "bounds"), [(1.5, {}), (-0.5, {}), (9.0, {"high": 5.0}), (math.nan, {}), (math.inf, {})]
    )
    def test_what_is_out_of_range_is_refused_and_never_clipped(self, value, bounds):
        with pytest.raises(ValueError, match="value 1 is "):
            mean_interval([0.5, value], **bounds)


class TestChangeInterval:
    @pytest.mark.parametrize("interval", [change_interval, relative_change_interval])
    @given(pairs=PAIRS, shuffle=st.randoms())
    def test_permuting_the_pairs_changes_nothing(self, interval, pairs, shuffle):
        a, b = zip(*pairs, strict=True)
        shuffle.shuffle(pairs)
        c, d = zip(*pairs, strict=True)
        assert interval(a, b, QUICK) == interval(c, d, QUICK)

    @given(pairs=PAIRS)
    def test_exchanging_the_runs_mirrors_it(self, pairs):
        a, b = zip(*pairs, strict=True)
        there, back = change_interval(a, b, QUICK), change_interval(b, a, QUICK)
        assert (there is None) == (back is None)
        if math.fsum(a) != math.fsum(b) and there is not None:
            assert (there.low, there.high) == (pytest.approx(-back.high), pytest.approx(-back.low))

    def test_pairing_finds_a_change_that_is_small_next_to_the_spread_of_the_cases(self):
        draw = Random(3)
        a = [draw.random() * 0.9 for _ in range(100)]
        b = [score + 0.02 + draw.random() * 0.02 for score in a]
        interval = change_interval(a, b)
        assert 0.025 < interval.low < 0.03 < interval.high < 0.035

    def test_a_half_pair_is_refused(self):
        with pytest.raises(ValueError, match="not 2 and 1"):
            change_interval([0.1, 0.2], [0.1])


class TestRelativeChangeInterval:
    @given(pairs=st.lists(st.tuples(st.floats(0.1, 1.0), SCORES), min_size=2, max_size=40))
    def test_it_lies_around_the_relative_change(self, pairs):
        a, b = zip(*pairs, strict=True)
        interval = relative_change_interval(a, b, QUICK)
        if interval is not None:
            change = relative_change(mean(a), mean(b))
            assert -100.0 - 1e-9 <= interval.low <= change + 1e-6
            assert change - 1e-6 <= interval.high < math.inf

    @pytest.mark.parametrize(
        ("a", "b"),
        [
            ([0.0] * 20, [0.0, 1.0] * 10),  # nothing grows from nothing
            ([0.0] * 19 + [1.0], [0.5] * 20),  # the baseline hangs on one case
            ([0.0] * 18 + [1.0, 1.0], [0.5] * 19 + [0.4]),  # it is nothing in 12 % of the resamples: (1 - 2/20)^20
            ([0.5], [0.6]),
            ([0.1, 0.2, 0.3] * 5, [0.2, 0.4, 0.6] * 5),  # the same change in every pair
            ([0.1, 0.2, 0.3] * 5, [0.1, 0.2, 0.3] * 5),
        ],
    )
    def test_a_change_that_is_not_known_or_never_varies_has_none(self, a, b):
        assert relative_change_interval(a, b) is None

    def test_a_baseline_that_rarely_is_nothing_has_one_and_says_so(self):
        # Six of 200 are missed by 0.2 % of the resamples.
        interval = relative_change_interval([0.0] * 194 + [1.0] * 6, [0.0, 0.1] * 100)
        assert interval.method.endswith("of them undefined and left out")
        assert -100.0 <= interval.low < 5 / 3 * 100 - 100 < interval.high

    def test_a_negative_score_has_no_relative_change(self):
        with pytest.raises(ValueError, match="is -1"):
            relative_change_interval([-1.0, 1.0], [1.0, 1.0])
