"""Quantiles and percentiles."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magistrate.statistics.distributions import normal_cdf, normal_quantile, percentile, t_cdf, t_quantile

FREEDOM = st.integers(1, 400)
SHARES = st.floats(0.001, 0.999)


class TestNormal:
    def test_the_quantile_that_everybody_knows(self):
        assert normal_quantile(0.975) == pytest.approx(1.959963984540054)

    @given(share=SHARES)
    def test_quantile_and_share_undo_each_other(self, share):
        assert normal_cdf(normal_quantile(share)) == pytest.approx(share, abs=1e-12)

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

    @given(share=SHARES, df=st.integers(1, 200))
    def test_quantile_and_share_undo_each_other(self, share, df):
        assert t_cdf(t_quantile(share, df), df) == pytest.approx(share, abs=1e-10)

    @given(share=st.floats(0.001, 0.5), df=FREEDOM)
    def test_it_is_symmetric(self, share, df):
        assert t_quantile(share, df) == pytest.approx(-t_quantile(1.0 - share, df), abs=1e-9)

    @given(df=st.integers(1, 400), share=st.floats(0.6, 0.999))
    def test_fewer_degrees_of_freedom_have_wider_tails(self, df, share):
        assert t_quantile(share, df) > t_quantile(share, df + 1) > normal_quantile(share)

    def test_the_expansion_takes_over_without_a_step(self):
        step = t_quantile(0.975, 200) - t_quantile(0.975, 201)
        assert step == pytest.approx(t_quantile(0.975, 199) - t_quantile(0.975, 200), rel=0.02)

    def test_the_middle_is_zero(self):
        assert t_quantile(0.5, 7) == pytest.approx(0.0, abs=1e-12)

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

    @given(values=st.lists(st.floats(-1e6, 1e6), min_size=1), share=st.floats(0, 1), other=st.floats(0, 1))
    def test_it_stays_among_the_values_and_never_falls(self, values, share, other):
        ordered = sorted(values)
        low, high = sorted((share, other))
        assert ordered[0] <= percentile(ordered, low) <= percentile(ordered, high) + 1e-9
        assert percentile(ordered, high) <= ordered[-1]

    def test_no_values_have_none(self):
        with pytest.raises(ValueError, match="no values"):
            percentile([], 0.5)

    @pytest.mark.parametrize("share", [-0.01, 1.01, math.nan])
    def test_a_share_is_a_share(self, share):
        with pytest.raises(ValueError, match=r"share in \[0, 1\]"):
            percentile([1.0], share)
