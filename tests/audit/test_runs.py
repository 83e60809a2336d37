"""Runs of this package, audited like any other file."""

import json

import pytest

from magistrate.audit import Standing, VerdictsTask, audit_files
from magistrate.case import Case
from magistrate.errors import StoreError
from magistrate.evaluation.runs.results import CaseResult
from magistrate.evaluation.runs.run import Run
from magistrate.evaluation.runs.store import RunHeader
from magistrate.metrics.base import MetricResult
from magistrate.records import CallRecord, Completion, PromptRef
from magistrate.verdict import Outcome, StatementVerdict, Status, Verdict

ASKED = ("The lift is out of order.", "The stairs are in wing B.")
HEADER = RunHeader(config={"metrics": [{"name": "faithfulness"}]}, magistrate="0.1.0", created="2026-01-01")
REPLY = json.dumps([{"id": 1, "verdict": "supported"}, {"id": 2, "verdict": "contradicted"}])


def result(index, text, score, verdicts=(), **details):
    """A result as some reader left it."""
    call = CallRecord(
        "verify", PromptRef("verify", "1", "h"), "m", Completion(text, "stop"), statements=(0, 1), scale="ternary"
    )
    metric = MetricResult(
        metric="faithfulness",
        policy="strict",
        status=Status.SCORED,
        score=score,
        threshold=0.7,
        outcome=Outcome.FAIL,
        statements=ASKED,
        verdicts=tuple(
            StatementVerdict(index=at, id=f"s{at + 1}", statement=ASKED[at], verdict=verdict)
            for at, verdict in enumerate(verdicts)
        ),
        calls=(call,),
        details={"scale": "ternary", "mode": "batched", "truths": None, **details},
    )
    case = Case(
        id=f"c{index}", answer=" ".join(ASKED), contexts=["The lift is out of order. The stairs are in wing C."]
    )
    return CaseResult(index=index, case=case, metrics={"faithfulness": metric})


def audited(tmp_path, *results):
    folder = tmp_path / "run"
    Run(results, HEADER).save(folder)
    found = list(audit_files([str(folder)], VerdictsTask()))
    again = list(audit_files([str(folder / "results.jsonl")], VerdictsTask()))
    assert [one.standing for one in found] == [one.standing for one in again]
    return found


class TestRuns:
    def test_what_was_read_right_stands_and_what_was_not_is_wrong(self, tmp_path):
        right = (Verdict.SUPPORTED, Verdict.CONTRADICTED)
        found = audited(
            tmp_path,
            result(0, REPLY, 0.5, right),
            result(1, REPLY, 1.0, (Verdict.SUPPORTED, Verdict.SUPPORTED)),
            result(2, REPLY, None),
            result(3, '[{"id": 1, "verdict": "supported"}', 0.5, right),
            result(4, '[{"id": 1, "verdict": "contradicted"}', 1.0),
        )
        assert [one.standing for one in found] == [
            Standing.STANDS, Standing.WRONG, Standing.UNRECORDED, Standing.UNDECIDED, Standing.IMPOSSIBLE,
        ]  # fmt: skip
        assert (found[1].wrong, found[1].place.id, found[1].reply) == ((1,), "c1", REPLY)

    def test_results_without_a_raw_completion_are_left_out(self, tmp_path):
        assert audited(tmp_path, result(0, None, 0.5)) == []

    def test_what_cannot_be_read_again_is_said_to_be_unusable(self, tmp_path):
        [found] = audited(tmp_path, result(0, REPLY, 0.5, scale="my own"))
        assert (found.standing, found.why) == (Standing.UNUSABLE, "its scale or its policy is the user's own")

    def test_a_report_is_read_as_well(self, tmp_path):
        path = tmp_path / "report.json"
        Run([result(0, REPLY, 1.0)], HEADER).save(path)
        assert [one.standing for one in audit_files([str(path)], VerdictsTask())] == [Standing.WRONG]

    def test_a_damaged_run_is_an_error(self, tmp_path):
        path = tmp_path / "results.jsonl"
        path.write_text('{"type": "run", "schema": 99, "config": {}, "magistrate": "9", "created": "x"}\n')
        with pytest.raises(StoreError):
            list(audit_files([str(path)], VerdictsTask()))
