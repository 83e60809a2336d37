"""Figures that are known, and what has none."""

from operator import attrgetter

import pytest
from tests.case_tables import cases_of

from magistrate import statistics
from magistrate.statistics import compare_paired, intervals

cases = cases_of(__file__)


def told_of(result, name):
    value = attrgetter(name)(result) if name else result
    return [getattr(one, "id", one) for one in value] if isinstance(value, tuple) else value


def function(name):
    return getattr(statistics, name, None) or getattr(intervals, name)


@cases("figures")
def test_what_is_known_of_a_figure(name, arguments, told):
    result = function(name)(**arguments)
    for part, value in told.items():
        assert told_of(result, part) == pytest.approx(value), part


@cases("refused")
def test_what_is_impossible_is_refused_and_never_clipped(name, arguments, message):
    with pytest.raises(ValueError, match=message):
        function(name)(**arguments)


@cases("comparisons")
def test_what_is_known_of_a_comparison(a, b, options, told):
    result = compare_paired(a, b, **options)
    assert {part: told_of(result, part) for part in told} == {k: pytest.approx(v) for k, v in told.items()}
