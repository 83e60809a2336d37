"""The same figures as SciPy, where it has them."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from magistrate.statistics import (
    Bootstrap,
    mcnemar_test,
    mean_interval,
    minimum_detectable_effect,
    percentile,
    relative_change_interval,
    signed_rank_test,
    wilson_limits,
)
from magistrate.statistics.intervals import normal_quantile, t_cdf, t_quantile

pytestmark = pytest.mark.slow


class _SciPy:
    """scipy.stats, loaded by the first test that runs: it takes two seconds, also where none does."""

    def __getattr__(self, name):
        if name.startswith("_"):  # pytest looks for fixtures
            raise AttributeError(name)
        from scipy import stats as found

        return getattr(found, name)


stats = _SciPy()
SHARES = st.floats(0.001, 0.999)
CONFIDENCES = st.sampled_from([0.8, 0.9, 0.95, 0.99])
SKEWED = [((7 * k + 3) % 40 / 40) ** 0.3 for k in range(40)]


def widened(n):
    """The confidence at which a plain interval is as wide as ours of n cases at 95 %."""
    return 2 * float(stats.norm.cdf(math.sqrt(n / (n - 1)) * stats.t.ppf(0.975, n - 1))) - 1


class TestDistributions:
    @given(share=SHARES, df=st.integers(1, 2000))
    def test_students_t(self, share, df):
        assert t_quantile(share, df) == pytest.approx(stats.t.ppf(share, df), rel=1e-7, abs=2e-7)

    @pytest.mark.parametrize("share", [0.6, 0.9, 0.975, 0.995, 0.9999])
    @pytest.mark.parametrize("df", [201, 202, 300, 1000, 10**6])
    def test_the_expansion_for_many_degrees_of_freedom(self, share, df):
        assert t_quantile(share, df) == pytest.approx(stats.t.ppf(share, df), rel=0, abs=2e-7)

    @given(t=st.floats(-50, 50), df=st.integers(1, 300))
    def test_share_below_t(self, t, df):
        assert t_cdf(t, df) == pytest.approx(stats.t.cdf(t, df), abs=1e-12)

    @given(share=SHARES)
    def test_normal(self, share):
        assert normal_quantile(share) == pytest.approx(stats.norm.ppf(share), abs=1e-9)

    @given(values=st.lists(st.floats(-5, 5), min_size=1, max_size=30), share=st.floats(0, 1))
    def test_percentile(self, values, share):
        assert percentile(sorted(values), share) == pytest.approx(float(np.quantile(values, share)), abs=1e-9)


class TestIntervals:
    @given(
        counts=st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), confidence=CONFIDENCES
    )
    def test_wilson(self, counts, confidence):
        ours = wilson_limits(counts[0] / counts[1], counts[1], normal_quantile((1 + confidence) / 2))
        theirs = stats.binomtest(*counts).proportion_ci(confidence, method="wilson")
        assert ours == pytest.approx(tuple(theirs), abs=1e-9)

    @pytest.mark.parametrize("n", [8, 20, 40])
    def test_bootstrap_of_the_mean(self, n):
        values = SKEWED[:n]
        interval = mean_interval(values, Bootstrap(resamples=20_000))
        expected = stats.bootstrap(
            (values,), np.mean, confidence_level=widened(n), n_resamples=20_000, rng=1
        ).confidence_interval
        width = expected.high - expected.low
        # Both are random: the ends of 20,000 resamples are known to about 2 % of the width.
        assert (interval.low, interval.high) == pytest.approx((expected.low, expected.high), abs=0.05 * width)

    def test_bootstrap_of_the_relative_change(self):
        a, b = SKEWED, [score**1.5 if k % 3 else min(1.0, score + 0.1) for k, score in enumerate(SKEWED)]

        def change(x, y, axis=-1):
            return 100 * (np.mean(y, axis) - np.mean(x, axis)) / np.mean(x, axis)

        interval = relative_change_interval(a, b, Bootstrap(resamples=20_000))
        expected = stats.bootstrap(
            (a, b), change, paired=True, confidence_level=widened(len(a)), n_resamples=20_000, rng=1
        ).confidence_interval
        width = expected.high - expected.low
        assert (interval.low, interval.high) == pytest.approx((expected.low, expected.high), abs=0.05 * width)


class TestTests:
    @given(up=st.integers(0, 300), down=st.integers(0, 300))
    def test_mcnemar(self, up, down):
        assume(up + down)
        expected = stats.binomtest(up, up + down).pvalue
        first = [False] * up + [True] * down
        assert mcnemar_test(first, [not x for x in first]).p_value == pytest.approx(expected, rel=1e-9)

    @given(sizes=st.lists(st.integers(1, 10_000), unique=True, min_size=1, max_size=50), data=st.data())
    def test_exact_signed_ranks(self, sizes, data):
        differences = [size * data.draw(st.sampled_from([-1.0, 1.0])) for size in sizes]
        ours, theirs = signed_rank_test(differences), stats.wilcoxon(differences, method="exact")
        assert min(ours.w_plus, ours.w_minus) == theirs.statistic
        assert ours.p_value == pytest.approx(theirs.pvalue, rel=1e-9)

    @given(differences=st.lists(st.sampled_from([-0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 1.0]), min_size=160, max_size=250))
    def test_approximate_signed_ranks_with_ties_and_zeros(self, differences):
        test = signed_rank_test(differences)
        assume(test.n > 100)
        expected = stats.wilcoxon(differences, method="approx", zero_method="wilcox", correction=False)
        assert test.p_value == pytest.approx(expected.pvalue, rel=1e-9)


@pytest.mark.parametrize("n", [5, 10, 30, 200])
def test_power_the_detectable_effect_has_the_power_it_claims(n):
    effect = minimum_detectable_effect(0.3, n)
    shift, critical = effect / 0.3 * np.sqrt(n), stats.t.ppf(0.975, n - 1)
    power = stats.nct.sf(critical, n - 1, shift) + stats.nct.cdf(-critical, n - 1, shift)
    assert power == pytest.approx(0.8, abs=0.03)
