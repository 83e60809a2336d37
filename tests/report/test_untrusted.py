"""The same hostile texts, in every field that a judge, a dataset or a provider fills, through every channel."""

import csv
import io
import json
import re
import xml.etree.ElementTree as ET
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from rich.console import Console
from tests.making import make_result, make_verdict

from magistrate.case import Problem
from magistrate.evaluation.comparison import compare_with
from magistrate.evaluation.gate import Gate, check
from magistrate.evaluation.laws import LawResult
from magistrate.evaluation.runs.run import Run
from magistrate.evaluation.runs.store import RunHeader
from magistrate.records import CallRecord, Completion, PromptRef, Usage
from magistrate.report import documents
from magistrate.report.documents import write_reports
from magistrate.report.github import publish
from magistrate.report.programs.run import baseline_dict, laws_dict, vera_json
from magistrate.report.terminal.run import print_case, print_run
from magistrate.report.text import CommandGuard, printable_json
from magistrate.report.view import RunView
from magistrate.verdict import Evidence, Issue, IssueCode, Status, Verdict

HOSTILE = json.loads((Path(__file__).parent / "data" / "hostile.json").read_text("utf-8"))
UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
PLAIN = "plain text"


def result_of(index, text, score, status=Status.SCORED):
    verdict = make_verdict(
        0,
        Verdict.CONTRADICTED,
        statement=text,
        reason=text,
        evidence=(Evidence(text), Evidence(text, 0, 0, 1, 1.0)),
        issues=(Issue(IssueCode.LOW_CONFIDENCE, text),),
    )
    completion = Completion(text, refusal=text, reasoning=text, model=text, usage=Usage(1, 0, 1, 1, 0.1, 1.0))
    call = CallRecord(
        "verify", PromptRef(text, text, "h"), text, completion, error=text, statements=(0,), key=f"k{index}"
    )
    made = make_result(
        index,
        score,
        status,
        verdicts=[verdict],
        reason=text,
        id=f"{text} {index}" if index else text,
        question=text,
        answer=text,
        reference=text,
        category=text,
        contexts=(text, "another"),
        metadata={text: text},
        problems=(Problem(source=text, field=text, message=text, expected=text, hint=text),),
        metric={"issues": (Issue(IssueCode.REFUSAL, text),), "calls": (call,), "details": {text: text}},
    )
    repeats = {"n": 2, "scores": [1.0, 0.0], "statuses": [text] * 2, "outcomes": ["pass", "fail"], "flip_rate": 1.0}
    metric = made.metrics["faithfulness"]
    metric = replace(metric, judge=text, details={**metric.details, "repeats": repeats})
    return replace(made, metrics={"faithfulness": metric}, line=index + 1)


def run_of(text, *scores, folder=None):
    """A run in which a text stands wherever one may."""
    results = [
        result_of(n, text, score, Status.SCORED if score is not None else Status.REFUSED)
        for n, score in enumerate(scores)
    ]
    path = str((folder or Path.cwd()) / "cases.jsonl")
    config = {
        "dataset": {"name": text, "path": path},
        "judge": {"name": text, "model": text},
        "metrics": [{"name": "faithfulness", "judging": text}],
    }
    header = RunHeader(config=config, magistrate="1", created="2026-01-01T00:00:00+00:00")
    return Run(results, header, state="failed", message=text)


def everything(text, folder=None):
    """A run with gates that fail, a baseline, laws that are broken: what all reports take."""
    run = run_of(text, 0.0, 0.0, 0.0, 0.5, None, folder=folder)
    baselines = [compare_with(run, run_of(text, 1.0, 1.0, 1.0, 1.0, None), text)]
    law = LawResult(law="contradiction", kind="measured")
    law.count(text, kept=False, detail=text)
    gates = [Gate(threshold=0.9, min_coverage=1.0, max_drop=0.0)]
    return {"run": run, "checks": check(run.summary, gates, baselines[0]), "baselines": baselines, "laws": [law]}


NAMES = ("junit.xml", "badge.svg", "results.csv", "results.statements.csv", "report.json", "report.html", "summary.md")


class Made:
    """All reports of a run that holds a text wherever one may stand."""

    def __init__(self, text, folder):
        self.text, self.folder = text, folder
        self.given = everything(text, folder)
        self.view = RunView(**self.given)
        write_reports(self.view, [folder / name for name in NAMES])
        out, output = io.StringIO(), folder / "output"
        environment = {
            "GITHUB_WORKSPACE": str(folder),
            "GITHUB_OUTPUT": str(output),
            "GITHUB_STEP_SUMMARY": str(folder / "step.md"),
        }
        publish(self.view, out, environment=environment, files={"html": Path(f"r{text}")})
        self.log, self.outputs = out.getvalue(), output.read_bytes().decode("utf-8", "replace")

    def read(self, name):
        return (self.folder / name).read_bytes().decode("utf-8")


@pytest.fixture(scope="module", params=HOSTILE.values(), ids=HOSTILE)
def made(request, tmp_path_factory):
    return Made(request.param, tmp_path_factory.mktemp("made"))


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    return Made(PLAIN, tmp_path_factory.mktemp("plain"))


def test_no_channel_is_left_out_here():
    assert set(documents._WRITERS) - {".parquet"} == {Path(name).suffix for name in NAMES}


@pytest.mark.parametrize("colour", [False, True])
def test_terminal_no_control_reaches_it_and_no_markup_is_obeyed(made, colour):
    file = io.StringIO()
    console = Console(file=file, width=200, markup=False, highlight=False, emoji=False, force_terminal=colour)
    print_run(made.view, console)
    print_case(made.given["run"].results[0], console)
    shown = file.getvalue()
    ours = re.sub(r"\x1b\[[0-9;]*m", "", shown) if colour else shown
    assert UNSEEN.findall(ours) == []
    if made.text == HOSTILE["rich markup"]:
        assert "[bold red]loud[/]" in ours
        assert ":bomb:" in ours


class TestActions:
    def test_the_log_gives_only_our_own_commands(self, made, plain):
        out = io.StringIO()
        print_run(made.view, Console(file=CommandGuard(out), width=200, markup=False, highlight=False, emoji=False))
        assert _commands(out.getvalue()) == []
        assert [_kind(line) for line in _commands(made.log)] == [_kind(line) for line in _commands(plain.log)]
        assert UNSEEN.findall(made.log) == []

    def test_outputs_of_the_step_are_only_ours(self, made, plain):
        found = _outputs(made.outputs)
        assert found["outcome"] == "fail"
        assert set(found) == set(_outputs(plain.outputs))


def _commands(text):
    return [line for line in re.split(r"[\r\n]", text) if re.match(r"\s*::", line) or "##[" in line]


def _kind(line):
    return re.sub(r"title=[^:]*", "", line.split("::")[1])


def _outputs(text):
    """What a runner reads: `name<<end`, lines, `end`."""
    found, lines = {}, iter(text.split("\n"))
    for line in lines:
        if not line:
            continue
        name, _, end = line.partition("<<")
        assert end.startswith("end-")
        value = []
        for inner in lines:
            if inner == end:
                break
            value.append(inner)
        found[name] = "\n".join(value)
    return found


def test_markdown_it_makes_no_markup_and_nobody_is_mentioned(made, plain):
    written = made.read("summary.md")
    found, expected = list(_tokens(written)), list(_tokens(plain.read("summary.md")))
    assert Counter(token.type for token in found if token.type in _MARKUP) == Counter(
        token.type for token in expected if token.type in _MARKUP
    )
    html = [[token.content.strip() for token in each if token.type.startswith("html")] for each in (found, expected)]
    assert html[0] == html[1]
    outside = "".join(token.content for token in found if token.type == "text")
    assert not re.search(r"evil|octocat|alert|pwned|SUM|calc", outside)
    assert UNSEEN.findall(written) == []


_MARKUP = set("image link_open heading_open hr fence code_block blockquote_open em_open strong_open".split())


def _tokens(text):
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        yield token
        yield from token.children or ()


@pytest.mark.parametrize("name", ["junit.xml", "badge.svg"])
def test_xml_it_is_well_formed_and_has_only_our_elements(made, plain, name):
    tags = [Counter(element.tag for element in ET.fromstring(each.read(name)).iter()) for each in (made, plain)]
    assert tags[0] == tags[1]
    assert UNSEEN.findall(made.read(name)) == []


@pytest.mark.parametrize("name", ["results.csv", "results.statements.csv"])
def test_tables_no_cell_is_a_formula_and_no_row_is_added(made, plain, name):
    rows = [list(csv.reader(io.StringIO(each.read(name), newline=""))) for each in (made, plain)]
    assert len(rows[0]) == len(rows[1])
    assert {len(row) for row in rows[0]} == {len(rows[0][0])}
    for cell in (cell for row in rows[0][1:] for cell in row):
        assert not cell.lstrip().startswith(("=", "+", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")), cell
        assert not cell.lstrip().startswith("-") or re.fullmatch(r"-[\d.]+", cell), cell
        assert UNSEEN.findall(cell) == []


class TestJson:
    def test_it_is_read_back_as_it_was(self, made):
        report = json.loads(made.read("report.json"))
        encodable = re.sub("[\ud800-\udfff]", "\ufffd", made.text)
        assert report["cases"][0]["metrics"]["faithfulness"]["verdicts"][0]["reason"] == encodable
        assert report["categorical_tests"]["contradiction"]["status"] == "FAIL"

    def test_printed_it_says_the_same_and_holds_no_control(self, made):
        given = made.given
        for one in (laws_dict(given["laws"]), baseline_dict(given["baselines"][0]), json.loads(vera_json(made.view))):
            printed = printable_json(json.dumps(one, indent=2, ensure_ascii=False))
            assert json.loads(printed) == json.loads(json.dumps(one))
            assert UNSEEN.findall(printed) == []


def test_html_no_text_is_an_element(made, plain):
    pages = []
    for each in (made, plain):
        parser = _Tags()
        parser.feed(each.read("report.html"))
        pages.append(parser.tags)
    assert pages[0] == pages[1]


class _Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags = Counter()

    def handle_starttag(self, tag, _attributes):
        self.tags[tag] += 1
