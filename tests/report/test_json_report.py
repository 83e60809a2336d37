"""report.json."""

import json
import stat

import pytest
from tests.making import make_result, make_run, make_verdict

from magistrate.errors import StoreError
from magistrate.evaluation.gate import Gate, check
from magistrate.evaluation.runs.run import load_run
from magistrate.records import CallRecord, Completion, PromptRef, Usage
from magistrate.report.programs.run import write_json_report
from magistrate.report.view import RunView
from magistrate.verdict import Status, Verdict

CALL = CallRecord(
    "verify",
    PromptRef("verify", "3", "feedc0de"),
    "gpt-4o",
    Completion("the raw reply", model="gpt-4o-2024", usage=Usage(calls=1, latency_ms=800), reasoning="thoughts"),
    statements=(0,),
)
RUN = make_run(
    [
        make_result(
            0,
            0.0,
            verdicts=[make_verdict(0, Verdict.CONTRADICTED, reason="no")],
            metric={"calls": (CALL,), "usage": Usage(calls=1, cost=None)},
        ),
        make_result(1, None, Status.REFUSED, reason="refused"),
    ]
)


class TestReport:
    def test_it_is_private_and_replaces_an_older_one_whole(self, tmp_path):
        path = tmp_path / "deep" / "report.json"
        for _ in range(2):
            write_json_report(RunView(RUN), path)
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert [found.name for found in path.parent.iterdir()] == ["report.json"]

    def test_it_holds_what_was_found_and_how(self, tmp_path):
        path = write_json_report(RunView(RUN, check(RUN.summary, [Gate(threshold=0.9)])), tmp_path / "report.json")
        report = json.loads(path.read_text())
        figures = report["summary"]["metrics"]["faithfulness"]
        assert (figures["mean"], figures["coverage"], figures["not_scored"]) == (0.0, 0.5, {"refused": 1})
        assert report["summary"]["usage"]["cost"] == "unknown"
        assert report["summary"]["models"] == [{"requested": "gpt-4o", "served": "gpt-4o-2024", "calls": 1}]
        assert report["summary"]["prompts"] == [{"name": "verify", "version": "3", "calls": 1}]
        assert report["summary"]["call_latency_ms"] == {"n": 1, "p50": 800.0, "p95": 800.0, "p99": 800.0}
        assert report["gate"]["exit_code"] == 1
        case = report["cases"][0]["metrics"]["faithfulness"]
        assert case["verdicts"][0]["verdict"] == "contradicted"
        assert case["calls"][0]["prompt"] == {"name": "verify", "version": "3", "hash": "feedc0de"}
        assert case["calls"][0]["completion"]["text"] == "the raw reply"
        assert case["calls"][0]["requested_model"] == "gpt-4o"

    def test_without_raw_completions_the_rest_is_the_same(self, tmp_path):
        path = write_json_report(RunView(RUN, raw=False), tmp_path / "report.json")
        assert "the raw reply" not in path.read_text()
        assert "thoughts" not in path.read_text()
        assert load_run(path).results[0].verdicts == RUN.results[0].verdicts

    def test_where_it_cannot_be_written_it_says_so(self, tmp_path):
        (tmp_path / "file").write_text("")
        with pytest.raises(StoreError, match="cannot be written"):
            write_json_report(RunView(RUN), tmp_path / "file" / "report.json")
        (tmp_path / "folder").mkdir()
        with pytest.raises(StoreError, match="is a folder"):
            write_json_report(RunView(RUN), tmp_path / "folder")
        assert sorted(p.name for p in tmp_path.iterdir()) == ["file", "folder"]
