import json

import pytest
from tests.making import make_result, make_run

from magistrate.case import Case
from magistrate.evaluation.api import evaluate
from magistrate.evaluation.comparison import compare_with
from magistrate.metrics import make_metrics
from magistrate.report.programs.run import vera_json, vera_report
from magistrate.report.view import RunView


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

    def test_what_was_not_measured_is_null(self):
        figures = vera_report(RunView(run(names=["faithfulness"])))["metrics"]
        assert figures["faithfulness"] == 1.0
        assert figures["citation_accuracy"] is figures["f1_score"] is None


def test_a_latency_that_is_no_number_of_milliseconds_is_not_reported():
    run = make_run([make_result(0, metadata={"latency_ms": float("inf")}, metric={"latency_ms": 5.0})])
    assert json.loads(vera_json(RunView(run)), parse_constant=pytest.fail)["metrics"]["latency_p99_ms"] == 5.0
