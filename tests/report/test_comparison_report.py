"""A comparison on the terminal: which cases flipped."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from magistrate.evaluation.comparison import compare_with
from magistrate.report.terminal.run import print_baseline

from .conftest import make_result, make_run

Shown = Callable[..., str]


class TestFlips:
    @pytest.mark.parametrize(
        ("before", "now", "one", "rest"),
        [
            (0.0, 1.0, "c0 now passes, 0.000 to 1.000", "and 2 more now pass"),
            (1.0, 0.0, "c0 now fails", "and 2 more now fail"),
        ],
    )
    def test_the_first_are_named_and_the_others_counted(
        self, shown: Shown, before: float, now: float, one: str, rest: str
    ):
        old, new = (make_run([make_result(n, score) for n in range(12)]) for score in (before, now))
        said = shown(print_baseline, compare_with(new, old, "main"), width=120)
        assert one in said
        assert said.rstrip().endswith(rest)


class TestFigures:
    def test_a_probability_is_never_written_as_zero(self, shown: Shown):
        old, new = (make_run([make_result(n, score) for n in range(30)]) for score in (0.0, 1.0))
        assert "<0.001" in shown(print_baseline, compare_with(new, old, "main"), width=140)

    @pytest.mark.parametrize("width", [40, 80])
    def test_where_the_table_does_not_fit_no_figure_is_cut(self, shown: Shown, width: int):
        old, new = (make_run([make_result(n, score) for n in range(3)]) for score in (0.25, 0.5))
        said = " ".join(shown(print_baseline, compare_with(new, old, "main"), width=width).split())
        for figure in ("baseline 0.250, this run 0.500", "change +0.250", "better 3, worse 0, compared 3 of 3", "…"):
            assert (figure in said) is (figure != "…")
