"""The HTML report as a file: what is in it, and that no text of a run can be more than a text."""

import base64
import hashlib
import json
import math
import re
from html.parser import HTMLParser
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.making import make_call, make_result, make_run, make_verdict

from magistrate.evaluation.comparison import compare_with
from magistrate.evaluation.runs.results import CaseResult
from magistrate.judges import Verify
from magistrate.judges.llm.reading import read_verdicts
from magistrate.report.html.page import case_data, units, write_html
from magistrate.report.view import RunView
from magistrate.verdict import Status, Verdict


class Page(HTMLParser):
    """The elements of a page, and what its scripts and styles hold."""

    def __init__(self, text):
        super().__init__()
        self.tags = []
        self.held = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        if self.tags and self.tags[-1][0] in {"script", "style"} and data.strip():
            self.held.append(data)


def data_of(path):
    """The JSON of each data element by its id."""
    text = path.read_text("utf-8")
    found = re.findall(r'<script type="application/json" id="([\w-]+)">(.*?)</script>', text, re.DOTALL)
    return {name: json.loads(value) for name, value in found}


def written(tmp_path, results, **options):
    return write_html(RunView(make_run(results)), tmp_path / "report.html", **options)


class TestWriteHtml:
    def test_it_holds_the_figures_a_row_for_each_case_and_the_cases(self, tmp_path):
        results = [
            make_result(0, question="When?", category="hours"),
            make_result(1, 0.25, verdicts=[make_verdict(0, reason="says otherwise")]),
        ]
        found = data_of(written(tmp_path, results))
        assert found["head"]["summary"]["metrics"]["faithfulness"]["mean"] == 0.625
        assert [row[:3] for row in found["head"]["rows"]] == [["c0", "hours", "When?"], ["c1", None, ""]]
        assert found["head"]["rows"][1][3]["faithfulness"][3:6] == ["fail", "scored", ["contradicted"]]
        assert found["pack-0"]["1"]["metrics"]["faithfulness"]["verdicts"][0]["reason"] == "says otherwise"

    def test_cases_lie_in_packs_that_the_page_reads_one_by_one(self, tmp_path):
        found = data_of(written(tmp_path, [make_result(index) for index in range(201)]))
        assert list(found) == ["head", "pack-0", "pack-1", "pack-2"]
        assert list(found["pack-2"]) == ["200"]

    def test_the_worst_statement_of_the_worst_cases_is_named(self, tmp_path):
        verdicts = [make_verdict(0, Verdict.SUPPORTED), make_verdict(1, Verdict.CONTRADICTED)]
        found = data_of(written(tmp_path, [make_result(0, 0.5, verdicts=verdicts)]))["head"]["worst"]["faithfulness"]
        assert (found[0]["key"], found[0]["id"], found[0]["verdict"]) == ("c0", "s2", "contradicted")

    def test_rows_say_which_cases_flipped_against_the_baseline(self, tmp_path):
        run = make_run([make_result(0, 0.1), make_result(1, 1.0), make_result(2, 1.0)])
        base = make_run([make_result(0, 1.0), make_result(1, 0.1), make_result(2, 1.0)])
        path = write_html(RunView(run, baselines=[compare_with(run, base, "older")]), tmp_path / "r.html")
        head = data_of(path)["head"]
        assert [row[3]["faithfulness"][6] for row in head["rows"]] == [["lost"], ["gained"], None]
        assert head["baselines"][0]["name"] == "older"

    def test_of_too_many_cases_the_texts_of_those_that_do_not_pass_are_kept(self, tmp_path):
        results = [make_result(0), make_result(1, 0.1), make_result(2, None, Status.REFUSED), make_result(3)]
        found = data_of(written(tmp_path, results, most=3))
        assert list(found["pack-0"]) == ["0", "1", "2"]
        assert len(found["head"]["rows"]) == 4
        assert found["head"]["detailed"] == 3


class TestSafety:
    @given(text=st.text(st.characters(codec=None)))
    def test_any_text_comes_back_as_it_was_but_for_half_surrogates(self, text, tmp_path_factory):
        path = written(tmp_path_factory.mktemp("html"), [make_result(0, answer=text)])
        assert data_of(path)["pack-0"]["0"]["answer"] == text.encode("utf-8", "replace").decode()

    def test_the_policy_admits_its_own_style_and_script_and_nothing_else(self, tmp_path):
        page = Page(written(tmp_path, [make_result(0)]).read_text("utf-8"))
        policy = next(tag[1]["content"] for tag in page.tags if tag[1].get("http-equiv") == "Content-Security-Policy")
        assert policy.startswith("default-src 'none'; ")
        assert "unsafe" not in policy
        hashes = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in page.held]
        assert [f"'sha256-{found}'" in policy for found in hashes].count(True) == 2

    def test_without_scripts_it_says_so_and_no_path_of_the_writers_machine_is_in_it(self, tmp_path):
        run = make_run([make_result(0)])
        run.header.config["dataset"] = {"name": "own.csv", "path": "/home/somebody/own.csv"}
        path = write_html(RunView(run), tmp_path / "report.html")
        assert any(tag == "noscript" for tag, _ in Page(path.read_text("utf-8")).tags)
        assert "own.csv" in path.read_text("utf-8")
        assert "somebody" not in path.read_text("utf-8")

    def test_nothing_is_loaded_from_anywhere(self, tmp_path):
        page = Page(written(tmp_path, [make_result(0)]).read_text("utf-8"))
        assert not [tag for tag, attributes in page.tags if {"src", "href", "srcset"} & attributes.keys()]
        assert "url(" not in "".join(page.held)
        assert "@import" not in "".join(page.held)

    @pytest.mark.parametrize("name", ["core", "data", "plots", "overview", "cases", "case", "main"])
    def test_the_script_makes_nodes_and_never_markup(self, name):
        text = (files("magistrate.report") / "html" / f"{name}.js").read_text("utf-8")
        for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(", "fetch("):
            assert word not in text


def test_numbers_that_are_none_are_null(tmp_path):
    found = data_of(written(tmp_path, [make_result(0, metric={"latency_ms": math.inf, "details": {"x": math.nan}})]))
    assert found["pack-0"]["0"]["metrics"]["faithfulness"]["latency_ms"] is None


STATEMENTS = ("The mill has two wheels.", "It grinds rye.")
PASSAGE = "\U0001f33e The mill has two wheels. It grinds wheat."


ROWS = [
    {"id": f"s{n}", "verdict": verdict, "quotes": ["The mill has two wheels"]}
    for n, verdict in enumerate(("supported", "contradicted"), 1)
]
REPLY = "\U0001f600 " + json.dumps({"verdicts": ROWS})
ANSWER = " ".join(STATEMENTS)


def judged(*calls, answer=ANSWER):
    verdicts = read_verdicts(calls, Verify(STATEMENTS, [PASSAGE])).verdicts
    metric = {"statements": STATEMENTS, "calls": calls}
    return make_result(0, None, verdicts=verdicts, metric=metric, answer=answer, contexts=(PASSAGE,))


def cut(text, place):
    """What a browser cuts out of a text."""
    return text.encode("utf-16-le")[2 * place[0] : 2 * place[1]].decode("utf-16-le")


@given(text=st.text(), data=st.data())
def test_units_a_place_is_counted_as_utf_16_counts(text, data):
    at = data.draw(st.integers(0, len(text)))
    assert units(text, at) == len(text[:at].encode("utf-16-le")) // 2


class TestCaseData:
    def test_evidence_is_where_a_browser_finds_it(self):
        found = case_data(judged(make_call(REPLY)), raw=True)
        quote = found["metrics"]["faithfulness"]["verdicts"][0]["evidence"][0]
        assert quote["context"] == 0
        assert cut(PASSAGE, (quote["start"], quote["end"])) == "The mill has two wheels"

    def test_the_row_that_was_read_is_marked_in_the_reply_of_its_call(self):
        found = case_data(judged(make_call(REPLY)), raw=True)
        verdict = found["metrics"]["faithfulness"]["verdicts"][1]
        assert found["calls"][verdict["call"]]["text"] == REPLY
        assert '"s2"' in cut(REPLY, verdict["span"])
        assert '"s1"' not in cut(REPLY, verdict["span"])

    def test_of_several_calls_the_one_is_marked_that_gave_the_verdict(self):
        calls = (make_call("I cannot say." + " " * 300), make_call(REPLY))
        found = case_data(judged(*calls), raw=True)
        assert [verdict["call"] for verdict in found["metrics"]["faithfulness"]["verdicts"]] == [1, 1]

    def test_statements_are_found_in_the_answer(self):
        answer = f"\U0001f600 {STATEMENTS[1]} And more."
        found = case_data(judged(make_call(REPLY), answer=answer), raw=True)
        first, second = (verdict["at"] for verdict in found["metrics"]["faithfulness"]["verdicts"])
        assert first is None
        assert cut(answer, second) == STATEMENTS[1]

    def test_without_raw_no_reply_is_in_it_and_none_is_marked(self):
        found = case_data(judged(make_call(REPLY)), raw=False)
        assert found["calls"][0]["text"] is None
        assert found["metrics"]["faithfulness"]["verdicts"][0]["span"] is None

    def test_a_call_that_two_metrics_share_is_in_it_once(self):
        whole = judged(make_call(REPLY, key="k"))
        first = whole.metrics["faithfulness"]
        other = judged(make_call(REPLY, key="k", shared=True)).metrics["faithfulness"]
        result = CaseResult(index=0, case=whole.case, metrics={"faithfulness": first, "other": other})
        found = case_data(result, raw=True)
        assert len(found["calls"]) == 1
        assert found["metrics"]["other"]["calls"] == [0]
