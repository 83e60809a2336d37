"""Reports that are one text: the Markdown summary, the badge, what a notebook shows."""

import re
import sys
import xml.etree.ElementTree as ET
from types import ModuleType, SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from tests.making import make_result, make_run, make_verdict

from magistrate import evaluate
from magistrate.evaluation.gate import Gate, check
from magistrate.evaluation.runs.results import CaseResult
from magistrate.report.documents import badge_svg, markdown_summary, write_badge
from magistrate.report.rendering import code_span
from magistrate.report.view import RunView
from magistrate.verdict import Issue, IssueCode, Outcome, Status, Verdict


def tokens(text):
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        yield token
        yield from token.children or ()


class TestSummary:
    def test_figures_have_their_coverage(self):
        text = markdown_summary(
            RunView(make_run([make_result(0, 1.0), make_result(1, 0.5), make_result(2, None, Status.REFUSED)]))
        )
        assert re.search(r"\| `faithfulness` \| 0\.750 \| -?\d\.\d+ to \d\.\d+ \| 2 of 3 \| 1 \| 1 \| 1 \|", text)
        assert "- 1 refused: The judge, or its provider, refused to answer." in text
        assert "With those cases the mean lies between 0.500 and 0.833." in text

    def test_only_failing_cases_are_listed_worst_first_with_their_statements(self):
        bad = [make_verdict(0, statement="It is 45.", reason="it says 54"), make_verdict(1, Verdict.SUPPORTED)]
        text = markdown_summary(
            RunView(make_run([make_result(0, 0.5), make_result(1, 0.2, verdicts=bad), make_result(2, 1.0)]))
        )
        assert "**Failing cases, `faithfulness`** (2)" in text
        assert text.index("- `c1`: 0.200") < text.index("- `c0`: 0.500")
        assert "  - contradicted: `It is 45.`<br>`it says 54`" in text
        assert "`c2`" not in text

    @pytest.mark.parametrize(("threshold", "title"), [(0.1, "✅ passed"), (0.9, "❌ failed")])
    def test_gates_are_the_first_thing_said(self, threshold, title):
        run = make_run([make_result(0, 0.5)])
        text = markdown_summary(RunView(run, check(run.summary, [Gate(threshold=threshold)])))
        assert text.startswith(f"## Magistrate: {title}\n")
        assert "`faithfulness`: `mean 0.500 over 1 case; at least" in text


class TestCodeSpan:
    @given(text=st.text(st.characters(codec=None), max_size=300))
    def test_any_text_stays_inside(self, text):
        inline = [token for token in tokens(f"before {code_span(text)} after") if token.type != "inline"]
        kinds = [token.type for token in inline]
        assert kinds == ["paragraph_open", "text", "code_inline", "text", "paragraph_close"]

    @given(text=st.text(alphabet="`|\\ a", min_size=1, max_size=30))
    def test_ticks_pipes_and_backslashes_stay_inside_a_cell(self, text):
        table = f"| {code_span(text)} | end |\n|---|---|\n"
        cells = [token.content for token in tokens(table) if token.type == "inline"]
        assert cells == [code_span(text), "end"]


SVG = "{http://www.w3.org/2000/svg}"


def title(run, folder, checks=None):
    root = ET.fromstring(write_badge(RunView(run, checks), folder / "badge.svg").read_text())
    return root.findtext(f"{SVG}title") or ""


class TestFigure:
    def test_the_mean_stands_with_its_coverage(self, tmp_path):
        assert title(make_run([make_result(0), make_result(1, 0.8)]), tmp_path) == "faithfulness: 0.90 (pass)"
        partly = make_run([make_result(0), make_result(1, None, Status.REFUSED)])
        assert title(partly, tmp_path) == "faithfulness: 1.00 (1 of 2 scored) (inconclusive)"

    def test_gates_decide_its_colour_where_there_are_any(self, tmp_path):
        run = make_run([make_result(0, 0.8)])
        checks = check(run.summary, [Gate(threshold=0.9)])
        assert title(run, tmp_path, checks=checks) == "faithfulness: 0.80 (fail)"

    def test_several_metrics_are_counted(self, tmp_path):
        one = make_result(0, 0.9).metrics["faithfulness"]
        two = make_result(0, 0.1).metrics["faithfulness"]
        run = make_run([CaseResult(index=0, case=make_result(0).case, metrics={"one": one, "two": two})])
        assert title(run, tmp_path) == "magistrate: 1 of 2 pass (fail)"


class TestPicture:
    @given(label=st.text(st.characters(codec=None)), message=st.text(st.characters(codec=None)))
    def test_any_text_gives_valid_svg_without_anything_but_text(self, label, message):
        root = ET.fromstring(badge_svg(label, message, Outcome.PASS))
        kinds = {element.tag.removeprefix(SVG) for element in root.iter()}
        assert kinds == {"svg", "title", "clipPath", "g", "rect", "text"}
        attributes = {name for element in root.iter() for name in element.attrib}
        assert not [name for name in attributes if name.startswith("on") or name.endswith("href")]

    @pytest.mark.parametrize("outcome", [*Outcome, None])
    def test_its_words_are_legible(self, outcome):
        root = ET.fromstring(badge_svg("a", "b", outcome))
        fills = [rect.get("fill") for rect in root.iter(f"{SVG}rect") if rect.get("fill")]
        assert len(fills) == 2
        assert min(1.05 / (luminance(fill) + 0.05) for fill in fills if fill) >= 4.5


def luminance(colour):
    """Relative luminance of a colour (WCAG 2.2)."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


VERDICTS = [
    make_verdict(0, Verdict.SUPPORTED),
    make_verdict(1, None, issues=(Issue(IssueCode.MISSING_VERDICT, "not in the reply"),)),
]


def parsed(html):
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

    def __init__(self, *, kernel):
        super().__init__("IPython")
        self.shown = []
        self.display = SimpleNamespace(HTML=str, display=lambda *_, **_ignored: self)
        self.get_ipython = lambda: SimpleNamespace(kernel=1) if kernel else SimpleNamespace()

    def update(self, html):
        self.shown.append(html)


class TestProgress:
    CASES = (
        {"answer": "It is open.", "contexts": ["It is open."]},
        {"answer": "It is red.", "contexts": ["It is open."]},
    )

    @pytest.mark.parametrize(("kernel", "asked", "bars"), [(True, None, 1), (True, False, 0), (False, None, 0)])
    def test_a_notebook_has_a_bar_unless_it_is_turned_off(self, monkeypatch, kernel, asked, bars):
        notebook = Notebook(kernel=kernel)
        monkeypatch.setitem(sys.modules, "IPython", notebook)
        run = evaluate(self.CASES, progress=asked)
        assert len(run.results) == 2
        assert bool(notebook.shown) == bool(bars)
        if bars:
            bar = ET.fromstring(f"<html>{notebook.shown[-1]}</html>").find("progress")
            assert (bar.get("value"), bar.get("max")) == ("2", "2")
            assert "2 of 2 cases" in notebook.shown[-1]
