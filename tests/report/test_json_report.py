"""report.json."""

import json

import pytest
from tests.making import make_result, make_run, make_verdict

from magistrate.case import Case
from magistrate.evaluation.api import evaluate
from magistrate.evaluation.comparison import compare_with
from magistrate.evaluation.gate import Gate, check
from magistrate.evaluation.runs.run import load_run
from magistrate.metrics import make_metrics
from magistrate.records import CallRecord, Completion, PromptRef, Usage
from magistrate.report.programs.run import vera_json, vera_report, write_json_report
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


def cases(wrong):
    return [
        Case(
            id=f"q{n}",
            question=f"Where is item {n}?",
            answer=f"Item {n} is in room {9 if n in wrong else n} [1].",
            contexts=(f"Item {n} is in room {n}.",),
            reference=f"Item {n} is in room {n}.",
            category="fact_single" if n % 2 else "reasoning",
        )
        for n in range(6)
    ]


def run(wrong=(), names=("vera",)):
    return evaluate(cases(wrong), metrics=make_metrics(names))


class TestTheFigures:
    def test_are_means_with_f1_of_the_two(self):
        report = vera_report(RunView(run([0, 1, 2])))
        figures = report["metrics"]
        assert (figures["faithfulness"], figures["hallucination_rate"]) == (0.5, 0.5)
        precision, recall = figures["grounding_precision"], figures["grounding_recall"]
        assert figures["f1_score"] == pytest.approx(2 * precision * recall / (precision + recall))
        assert figures["latency_p99_ms"] > 0
        assert report["per_category_breakdown"]["reasoning"]["count"] == 3

    def test_changes_are_relative_with_sign_and_percent(self):
        better = compare_with(run([0]), run([0, 1, 2]), "naive-rag")
        compared = vera_report(RunView(run([0]), baselines=[better]))["baseline_comparison"]
        assert compared["naive_rag"]["grounding_precision"] == 0.5
        assert compared["improvement_over_baseline"]["grounding_precision"] == "+66.7%"
        assert compared["improvement_over_baseline"]["hallucination_rate"] == "-66.7%"

    def test_a_change_from_nothing_is_null(self):
        compared = vera_report(RunView(run(), baselines=[compare_with(run(), run(), "b")]))["baseline_comparison"]
        assert compared["improvement_over_baseline"]["hallucination_rate"] is None


def test_a_latency_that_is_no_number_of_milliseconds_is_not_reported():
    run = make_run([make_result(0, metadata={"latency_ms": float("inf")}, metric={"latency_ms": 5.0})])
    assert json.loads(vera_json(RunView(run)), parse_constant=pytest.fail)["metrics"]["latency_p99_ms"] == 5.0
