"""JUnit XML: what a CI system reads of a run."""

import tempfile
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.case_tables import tables_of
from tests.making import make_result, make_run, make_verdict

from magistrate.evaluation.gate import Gate, check
from magistrate.evaluation.runs.results import CaseResult
from magistrate.evaluation.runs.run import Run
from magistrate.evaluation.runs.store import RunHeader
from magistrate.report.documents import write_junit
from magistrate.report.text import inert_lines
from magistrate.report.view import RunView
from magistrate.verdict import Evidence, Issue, IssueCode, Status, Verdict


def written(run, folder, checks=None):
    return ET.fromstring(write_junit(RunView(run, checks), folder / "junit.xml").read_bytes())


def at_line(result, line):
    return CaseResult(index=result.index, case=result.case, metrics=result.metrics, line=line)


def sample():
    bad = [
        make_verdict(0, Verdict.NOT_ENOUGH_INFO, statement="A guess."),
        make_verdict(1, statement="It is 45.", reason="it says 54", evidence=(Evidence("54", 0, 0, 2, 1.0),)),
        make_verdict(2, Verdict.SUPPORTED, statement="It is so."),
    ]
    unscored = {"issues": (Issue(IssueCode.REFUSAL, "I would rather not"),)}
    return [
        make_result(0, 1.0, category="fact"),
        make_result(1, 0.3, verdicts=bad, reason="supported 1 of 3"),
        make_result(2, None, Status.REFUSED, metric=unscored),
    ]


class TestCases:
    def test_equal_ids_stay_apart(self, tmp_path):
        run = make_run([make_result(0, id="twin"), make_result(1, id="twin")])
        assert [test.get("name") for test in written(run, tmp_path).iter("testcase")] == ["twin", "twin (row 2)"]

    def test_each_case_and_metric_is_a_test_case(self, tmp_path):
        root = written(make_run(sample()), tmp_path)
        assert root.tag == "testsuites"
        assert [(t.get("classname"), t.get("name")) for t in root.iter("testcase")] == [
            ("faithfulness", "c0"),
            ("faithfulness", "c1"),
            ("faithfulness", "c2"),
        ]
        for element in (root, *root.iter("testsuite")):
            counts = [element.get(name) for name in ("tests", "failures", "errors", "skipped")]
            assert counts == ["3", "1", "0", "1"]

    def test_a_failing_case_says_which_statements_failed_worst_first(self, tmp_path):
        failure = written(make_run(sample()), tmp_path).find(".//failure")
        assert failure.get("message") == "score 0.300; at least 0.7 is required"
        assert (failure.text or "").splitlines() == tables_of(__file__)["junit: failure"]

    def test_an_inconclusive_case_is_skipped_never_a_success(self, tmp_path):
        skipped = written(make_run(sample()), tmp_path).find(".//testcase[@name='c2']/skipped")
        assert skipped.get("message") == "no score, refused: The judge, or its provider, refused to answer."
        assert "refusal: I would rather not" in (skipped.text or "")

    def test_properties_hold_what_programs_ask_for(self, tmp_path):
        case = written(make_run(sample()), tmp_path).find(".//testcase[@name='c0']")
        found = {p.get("name"): p.get("value") for p in case.iter("property")}
        assert found == tables_of(__file__)["junit: properties"]

    @pytest.mark.parametrize("folder", ["/data", "data"])
    def test_the_row_of_the_dataset_is_named_where_it_is_known_from_the_working_folder(
        self, tmp_path, monkeypatch, folder
    ):
        monkeypatch.chdir(tmp_path)
        path = str(tmp_path.resolve() / folder / "cases.jsonl")
        header = RunHeader(config={"dataset": {"name": "cases.jsonl", "path": path}}, magistrate="1", created="now")
        root = written(Run([at_line(make_result(0), 7), make_result(1)], header), tmp_path)
        first, second = root.iter("testcase")
        assert (first.get("file"), first.get("line")) == (f"{folder}/cases.jsonl", "7")
        assert second.get("file") is None


class TestGates:
    def test_each_gate_is_a_test_case_of_its_own(self, tmp_path):
        run = make_run(sample())
        checks = check(run.summary, [Gate(threshold=0.9, min_coverage=0.5)])
        root = written(run, tmp_path, checks=checks)
        coverage, mean = root.findall(".//testcase[@classname='gate']")
        assert coverage.get("name") == "faithfulness coverage"
        assert len(coverage) == 0
        assert mean.find("failure") is not None
        assert root.get("tests") == "5"

    def test_an_offline_judge_and_an_early_end_are_noted(self, tmp_path):
        root = written(make_run(sample(), judge="offline", state="interrupted"), tmp_path)
        notes = [p.get("value") or "" for p in root.iter("property") if (p.get("name") or "").startswith("notice")]
        assert "OFFLINE" in notes[0]
        assert "did not complete" in notes[1]


class TestUntrustedText:
    @given(text=st.text(st.characters(codec=None), max_size=200))
    def test_any_text_gives_valid_xml_that_holds_it_as_text(self, text):
        run = make_run([make_result(0, 0.0, id=f"x{text}", reason=text, verdicts=[make_verdict(0, statement=text)])])
        with tempfile.TemporaryDirectory() as folder:
            root = written(run, Path(folder))
        assert {element.tag for element in root.iter()} == set(
            """
            testsuites testsuite properties property testcase failure
        """.split()
        )
        [case] = root.iter("testcase")
        assert case.get("name") == inert_lines(f"x{text}")
        failure = case.find("failure")
        assert (failure.text or "").startswith(inert_lines(text))
