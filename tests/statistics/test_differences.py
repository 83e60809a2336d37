"""The change between two figures."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magistrate.statistics import difference, format_change, relative_change

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

    def test_the_decimals_can_be_chosen(self):
        assert format_change(41.538, decimals=0) == "+42%"
        assert format_change(-0.04, decimals=2) == "-0.04%"

    def test_none_stays_none(self):
        assert format_change(None) is None
