"""Runs and results as a notebook shows them."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from magistrate import evaluate
from magistrate.verdict import Issue, IssueCode, Status, Verdict

from .conftest import make_result, make_run, make_verdict

VERDICTS = [
    make_verdict(0, Verdict.SUPPORTED),
    make_verdict(1, None, issues=(Issue(IssueCode.MISSING_VERDICT, "not in the reply"),)),
]


def parsed(html: str) -> ET.Element:
    return ET.fromstring(f"<html>{html}</html>")


class TestRun:
    def test_figures_and_cases_have_bars_bounds_and_reasons(self):
        partial = make_result(1, None, Status.PARTIAL, bounds=(0.25, 0.75), reason="1 of 2 unknown")
        html = make_run([make_result(0, 0.5), partial])._repr_html_()
        bars = [bar.get("aria-label") for bar in parsed(html).iter("svg")]
        assert bars == ["0.500 to 0.500", "0.500 to 0.500", "0.250 to 0.750"]
        assert "partial, between 0.250 and 0.750" in html
        assert "1 of 2 unknown" in html
        assert "1 of 2" in html

    def test_of_many_cases_the_first_are_shown(self):
        html = make_run([make_result(n) for n in range(60)])._repr_html_()
        assert "The first 50 of 60 cases." in html
        assert "c50" not in html

    def test_an_offline_judge_is_said(self):
        assert "OFFLINE" in make_run([make_result(0)], judge="offline")._repr_html_()


class TestResult:
    def test_each_statement_has_its_verdict_or_why_it_has_none(self):
        html = make_result(0, None, Status.PARTIAL, bounds=(0.5, 1.0), verdicts=VERDICTS)._repr_html_()
        rows = [["".join(cell.itertext()) for cell in row] for row in parsed(html).iter("tr")]
        assert [row[2] for row in rows[1:]] == ["supported", "no verdict"]
        assert "missing-verdict: not in the reply" in rows[2][3]

    def test_no_text_is_an_element(self):
        text = "<img src=x onerror=alert(1)>"
        run = make_run([make_result(0, 0.1, id=text, question=text, answer=text, reason=text)], judge=text)
        for html in (run._repr_html_(), run.results[0]._repr_html_()):
            assert not list(parsed(html).iter("img"))


class Notebook(ModuleType):
    """What a bar needs of IPython, in a kernel or not; `shown` is what stands below the cell."""

    def __init__(self, *, kernel: bool) -> None:
        super().__init__("IPython")
        self.shown: list[str] = []
        self.display = SimpleNamespace(HTML=str, display=lambda *_, **_ignored: self)
        self.get_ipython = lambda: SimpleNamespace(kernel=1) if kernel else SimpleNamespace()

    def update(self, html: str) -> None:
        self.shown.append(html)


class TestProgress:
    CASES = (
        {"answer": "It is open.", "contexts": ["It is open."]},
        {"answer": "It is red.", "contexts": ["It is open."]},
    )

    @pytest.mark.parametrize(("kernel", "asked", "bars"), [(True, None, 1), (True, False, 0), (False, None, 0)])
    def test_a_notebook_has_a_bar_unless_it_is_turned_off(
        self, monkeypatch: pytest.MonkeyPatch, kernel: bool, asked: Any, bars: int
    ):
        notebook = Notebook(kernel=kernel)
        monkeypatch.setitem(sys.modules, "IPython", notebook)
        run = evaluate(self.CASES, progress=asked)
        assert len(run.results) == 2
        assert bool(notebook.shown) == bool(bars)
        if bars:
            bar = ET.fromstring(f"<html>{notebook.shown[-1]}</html>").find("progress")
            assert bar is not None
            assert (bar.get("value"), bar.get("max")) == ("2", "2")
            assert "2 of 2 cases" in notebook.shown[-1]
