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
    mean_interval,
    relative_change,
    relative_change_interval,
    wilson_limits,
)
from magistrate.statistics.intervals import unanimous_interval

Z = 1.959964
COUNTS = st.integers(1, 5000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(counts=COUNTS, less=st.floats(0.5, 1.9))
def test_wilson_limits_they_hold_the_rate_mirror_that_of_failures_and_widen_with_confidence(counts, less):
    successes, n = counts
    low, high = wilson_limits(successes / n, n, Z)
    assert 0.0 <= low <= successes / n <= high <= 1.0
    assert low < high
    assert 1.0 - wilson_limits((n - successes) / n, n, Z)[1] == pytest.approx(low, abs=1e-12)
    narrow = wilson_limits(successes / n, n, less)
    assert low <= narrow[0] <= narrow[1] <= high


@given(n=st.integers(1, 500))
def test_unanimous_interval_a_population_beyond_the_bound_would_rarely_have_agreed(n):
    # The worst population: a share q scores 0, the others 1. All n agree with probability (1 - q)^n.
    low = unanimous_interval(1.0, n, 0.0, 1.0).low
    assert low**n == pytest.approx(0.05)


FIGURES = st.floats(1e-6, 1e6)


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


SCORES = st.one_of(st.sampled_from([0.0, 0.25, 0.5, 2 / 3, 0.75, 0.8, 1.0]), st.floats(0.0, 1.0))
PAIRS = st.lists(st.tuples(SCORES, SCORES), min_size=2, max_size=40)
QUICK = Bootstrap(resamples=200)


def mean(values):
    return math.fsum(values) / len(values)


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


class TestRelativeChangeInterval:
    @given(pairs=st.lists(st.tuples(st.floats(0.1, 1.0), SCORES), min_size=2, max_size=40))
    def test_it_lies_around_the_relative_change(self, pairs):
        a, b = zip(*pairs, strict=True)
        interval = relative_change_interval(a, b, QUICK)
        if interval is not None:
            change = relative_change(mean(a), mean(b))
            assert -100.0 - 1e-9 <= interval.low <= change + 1e-6
            assert change - 1e-6 <= interval.high < math.inf

    def test_a_baseline_that_rarely_is_nothing_has_one_and_says_so(self):
        # Six of 200 are missed by 0.2 % of the resamples.
        interval = relative_change_interval([0.0] * 194 + [1.0] * 6, [0.0, 0.1] * 100)
        assert interval.method.endswith("of them undefined and left out")
        assert -100.0 <= interval.low < 5 / 3 * 100 - 100 < interval.high
