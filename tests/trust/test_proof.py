"""What the methods promise, simulated: the figures of benchmarks/trust.py, of fewer draws."""

import pytest
from benchmarks.trust import PARTS, held


@pytest.mark.slow
@pytest.mark.parametrize("part", PARTS)
def test_each_figure_is_what_it_must_be(part):
    figures = list(part(60))
    assert figures
    assert [figure for figure in figures if not held(figure)] == []
