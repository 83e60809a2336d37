"""The badge: one figure, with its coverage, as a picture."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magistrate.evaluation.gate import Gate, check
from magistrate.evaluation.runs.results import CaseResult
from magistrate.evaluation.runs.run import Run
from magistrate.report.documents import badge_svg, write_badge
from magistrate.report.view import RunView
from magistrate.verdict import Outcome, Status

from .conftest import make_result, make_run

SVG = "{http://www.w3.org/2000/svg}"


def title(run: Run, folder: Path, checks: Any = None, **options: object) -> str:
    root = ET.fromstring(write_badge(RunView(run, checks), folder / "badge.svg", **options).read_text())  # type: ignore[arg-type]
    return root.findtext(f"{SVG}title") or ""


class TestFigure:
    def test_the_mean_stands_with_its_coverage(self, tmp_path: Path):
        assert title(make_run([make_result(0), make_result(1, 0.8)]), tmp_path) == "faithfulness: 0.90 (pass)"
        partly = make_run([make_result(0), make_result(1, None, Status.REFUSED)])
        assert title(partly, tmp_path) == "faithfulness: 1.00 (1 of 2 scored) (inconclusive)"

    def test_no_score_is_no_number(self, tmp_path: Path):
        assert "not scored" in title(make_run([make_result(0, None, Status.REFUSED)]), tmp_path)

    def test_gates_decide_its_colour_where_there_are_any(self, tmp_path: Path):
        run = make_run([make_result(0, 0.8)])
        checks = check(run.summary, [Gate(threshold=0.9)])
        assert title(run, tmp_path, checks=checks) == "faithfulness: 0.80 (fail)"

    def test_several_metrics_are_counted_or_one_is_named(self, tmp_path: Path):
        one = make_result(0, 0.9).metrics["faithfulness"]
        two = make_result(0, 0.1).metrics["faithfulness"]
        run = make_run([CaseResult(index=0, case=make_result(0).case, metrics={"one": one, "two": two})])
        assert title(run, tmp_path) == "magistrate: 1 of 2 pass (fail)"
        assert title(run, tmp_path, metric="one") == "one: 0.90 (pass)"
        with pytest.raises(KeyError):
            write_badge(RunView(run), tmp_path / "b.svg", metric="three")

    def test_a_run_that_did_not_complete_passes_nothing(self, tmp_path: Path):
        assert title(make_run([make_result(0)], state="interrupted"), tmp_path) == "faithfulness: 1.00"


class TestPicture:
    @given(label=st.text(st.characters(codec=None)), message=st.text(st.characters(codec=None)))
    def test_any_text_gives_valid_svg_without_anything_but_text(self, label: str, message: str):
        root = ET.fromstring(badge_svg(label, message, Outcome.PASS))
        kinds = {element.tag.removeprefix(SVG) for element in root.iter()}
        assert kinds == {"svg", "title", "clipPath", "g", "rect", "text"}
        attributes = {name for element in root.iter() for name in element.attrib}
        assert not [name for name in attributes if name.startswith("on") or name.endswith("href")]

    @pytest.mark.parametrize("outcome", [*Outcome, None])
    def test_its_words_are_legible(self, outcome: Outcome | None):
        root = ET.fromstring(badge_svg("a", "b", outcome))
        fills = [rect.get("fill") for rect in root.iter(f"{SVG}rect") if rect.get("fill")]
        assert len(fills) == 2
        assert min(1.05 / (luminance(fill) + 0.05) for fill in fills if fill) >= 4.5


def luminance(colour: str) -> float:
    """Relative luminance of a colour (WCAG 2.2)."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
