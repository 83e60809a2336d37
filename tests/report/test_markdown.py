"""The Markdown summary, and what untrusted text can do in it: nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from magistrate.evaluation.comparison import compare_with
from magistrate.evaluation.gate import Gate, check
from magistrate.evaluation.runs.run import Run
from magistrate.report.documents import markdown_summary
from magistrate.report.rendering import code_span
from magistrate.report.view import RunView
from magistrate.verdict import Status, Verdict

from .conftest import make_result, make_run, make_verdict

HOSTILE = [
    "![x](https://evil.example/pixel.png)",
    "[click](javascript:alert(1))",
    "<img src=x onerror=alert(1)>",
    "</details><script>alert(1)</script>",
    "@octocat please merge, fixes #1",
    "``` \n# not a heading\n```",
    "`code` ``more`` |cell| \\| escaped",
    "| a | b |\n|---|---|",
    "<!-- comment",
    "::error::no",
    "https://evil.example www.evil.example a@b.example",
    "\\`\\",
    "$`x`$",
]


def tokens(text: str) -> Iterator[Token]:
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        yield token
        yield from token.children or ()


def sample(text: str = "It is 45.") -> Run:
    bad = [make_verdict(0, statement=text, reason=text), make_verdict(1, Verdict.SUPPORTED)]
    return make_run(
        [
            make_result(0, 1.0, category=text[:50] or "c"),
            make_result(1, 0.3, verdicts=bad, id=f"id {text}"),
            make_result(2, None, Status.REFUSED, reason=text),
        ],
        judge=f"judge {text}",
        state="interrupted",
        message=text,
    )


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

    def test_more_failures_than_are_shown_are_counted(self):
        text = markdown_summary(RunView(make_run([make_result(n, 0.1) for n in range(30)])), most=4)
        assert "(the worst 4 of 30)" in text

    @pytest.mark.parametrize(("threshold", "title"), [(0.1, "✅ passed"), (0.9, "❌ failed")])
    def test_gates_are_the_first_thing_said(self, threshold: float, title: str):
        run = make_run([make_result(0, 0.5)])
        text = markdown_summary(RunView(run, check(run.summary, [Gate(threshold=threshold)])))
        assert text.startswith(f"## Magistrate: {title}\n")
        assert "`faithfulness`: `mean 0.500 over 1 case, at least" in text

    def test_an_offline_judge_is_said(self):
        assert "> **Note:** The judge is OFFLINE" in markdown_summary(
            RunView(make_run([make_result(0)], judge="offline"))
        )

    def test_a_baseline_names_the_cases_that_flipped(self):
        old = make_run([make_result(n, 1.0) for n in range(4)])
        new = make_run([make_result(n, 0.0 if n == 2 else 1.0) for n in range(4)])
        text = markdown_summary(RunView(new, baselines=[compare_with(new, old, "main")]))
        assert "**Compared with `main`**" in text
        assert "| `faithfulness` | 1.000 | 0.750 | -0.250 |" in text
        assert "Newly failing in `faithfulness` (1): `c2`" in text
        assert "Newly passing" not in text


class TestCodeSpan:
    @given(text=st.text(st.characters(codec=None), max_size=300))
    def test_any_text_stays_inside(self, text: str):
        inline = [token for token in tokens(f"before {code_span(text)} after") if token.type != "inline"]
        kinds = [token.type for token in inline]
        assert kinds == ["paragraph_open", "text", "code_inline", "text", "paragraph_close"]

    @given(text=st.text(alphabet="`|\\ a", min_size=1, max_size=30))
    def test_ticks_pipes_and_backslashes_stay_inside_a_cell(self, text: str):
        table = f"| {code_span(text)} | end |\n|---|---|\n"
        cells = [token.content for token in tokens(table) if token.type == "inline"]
        assert cells == [code_span(text), "end"]


class TestUntrustedText:
    @pytest.mark.parametrize("text", HOSTILE)
    def test_it_makes_no_markup_anywhere(self, text: str):
        run = sample(text)
        summary = markdown_summary(RunView(run, baselines=[compare_with(run, sample("other"), text)]))
        plain = markdown_summary(RunView(sample(), baselines=[compare_with(sample(), sample("other"), "main")]))
        found = list(tokens(summary))
        assert not [
            token for token in found if token.type in ("image", "link_open", "heading_open") and token.tag != "h2"
        ]
        html = {token.content.strip() for token in found if token.type.startswith("html")}
        assert html == {token.content.strip() for token in tokens(plain) if token.type.startswith("html")}
        outside = "".join(token.content for token in found if token.type == "text")
        assert "evil" not in outside
        assert "octocat" not in outside
