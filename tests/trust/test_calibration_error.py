"""Calibration of probabilities."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magistrate.trust import calibration_error

ITEMS = st.lists(
    st.tuples(st.booleans(), st.one_of(st.floats(0, 1), st.sampled_from([0.0, 0.1, 0.5, 0.7, 1.0]))), max_size=40
)


def unzip(items):
    return [label for label, _ in items], [number for _, number in items]


class TestCalibrationError:
    def test_a_worked_example(self):
        # Two items at 0.8, one right: off by 0.3. Two at 0.2, none right: off by 0.2.
        assert calibration_error([True, False, False, False], [0.8, 0.8, 0.2, 0.2]) == pytest.approx(0.25)

    @given(items=ITEMS)
    def test_it_lies_between_the_overall_gap_and_one(self, items):
        labels, probabilities = unzip(items)
        error = calibration_error(labels, probabilities)
        if items:
            gap = abs(sum(labels) - math.fsum(probabilities)) / len(items)
            assert gap - 1e-9 <= error <= 1.0
        else:
            assert error is None

    def test_each_item_is_in_the_bin_that_ends_at_or_above_it(self):
        # Errors of one bin cancel, those of two add up: 0.7 ends its bin, and what lies above it is in the next.
        assert calibration_error([False, True], [0.0, 0.1]) == pytest.approx(0.45)
        assert calibration_error([False, True], [0.7, 0.70001]) == pytest.approx((0.7 + 0.29999) / 2)
        assert calibration_error([False, True], [0.70001, 1.0]) == pytest.approx(0.350005)

    @pytest.mark.parametrize("probabilities", [[], [1.5], [math.nan]])
    def test_what_is_impossible_is_refused(self, probabilities):
        with pytest.raises(ValueError, match=r"every label|must be in"):
            calibration_error([True], probabilities)
