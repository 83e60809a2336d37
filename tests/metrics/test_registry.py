"""Metrics by name."""

import math
import re

import pytest
from tests.case_tables import cases_of

from magistrate import metrics
from magistrate.case import Case
from magistrate.errors import ConfigurationError
from magistrate.evaluation.api import evaluate
from magistrate.judges.offline import OfflineJudge
from magistrate.metrics import GROUPS, METRICS, Faithfulness, Finding, make_metric, make_metrics, metric, metric_infos
from magistrate.metrics.base import Metric
from magistrate.verdict import Outcome, Status

cases = cases_of(__file__)


class TestEachMetric:
    def test_is_made_under_its_name_with_a_threshold(self):
        for name in METRICS:
            metric = make_metric(name, 0.25)
            assert isinstance(metric, Metric)
            assert (metric.name, metric.threshold) == (name, 0.25)

    def test_says_what_it_needs_costs_and_how_its_score_comes_about(self):
        infos = {info.name: info for info in metric_infos()}
        assert list(infos) == list(METRICS)
        assert all(info.description and info.needs and info.cost and info.formula for info in infos.values())
        assert {info.direction for info in infos.values()} == {"maximize", "minimize"}

    def test_can_be_imported_by_the_name_of_its_class(self):
        assert {cls.__name__ for cls, _ in METRICS.values()} <= set(metrics.__all__)

    @pytest.mark.parametrize("name", METRICS)
    def test_documents_formula_threshold_empty_input_and_cost(self, name):
        text = type(make_metric(name)).__doc__
        for part in (
            r"better|minimize",
            r"[Tt]hreshold",
            r"Cost per case: ",
            r"[Ss]ource: |formula\s+of\s+Es et al",
            r"never pass|no score|Empty input",
        ):
            assert re.search(part, text), f"the docstring of the class of {name} lacks {part}"


class TestMakingSeveral:
    def test_a_group_stands_for_its_members(self):
        assert [metric.name for metric in make_metrics(["rag_triad"])] == list(GROUPS["rag_triad"])

    def test_each_is_made_once(self):
        assert [m.name for m in make_metrics(["faithfulness", "vera", "faithfulness"])].count("faithfulness") == 1

    def test_they_judge_alike_so_that_calls_are_shared(self):
        judging = Faithfulness(decompose="sentences")
        first, second = make_metrics(["grounding_precision", "unsupported_rate"], judging=judging)
        assert first.judging is second.judging is judging

    @cases("registry: a threshold holds for those of one direction")
    def test_a_threshold_holds_for_those_of_one_direction(self, names, threshold, found):
        assert [metric.threshold for metric in make_metrics(names, threshold)] == found


class TestMetricsOfTheUsers:
    def test_are_imported(self, tmp_path, monkeypatch):
        (tmp_path / "own_metrics_for_test.py").write_text(
            "from magistrate.metrics import metric\n@metric\ndef loud(case):\n    return case.answer.isupper()\n"
            "def plain(case):\n    return 1\n"
        )
        monkeypatch.chdir(tmp_path)
        assert make_metric("own_metrics_for_test:loud").name == "loud"
        with pytest.raises(ConfigurationError, match="decorate"):
            make_metric("own_metrics_for_test:plain")
        with pytest.raises(ConfigurationError, match="cannot be imported"):
            make_metric("own_metrics_for_test:missing")

    def test_rubrics_are_loaded(self, tmp_path):
        path = tmp_path / "tone.toml"
        path.write_text('criteria = "be kind"')
        assert make_metric(f"rubric:{path}").name == "tone"


@pytest.mark.parametrize(("wrong", "near"), [("faithfullness", "faithfulness"), ("rag-triads", "rag_triad")])
def test_an_unknown_name_names_the_nearest(wrong, near):
    with pytest.raises(ConfigurationError, match=near):
        make_metric(wrong)


CASE = Case(id="c", answer="Sorry, no.", contexts=("Yes.",))


@metric
def short(case):
    """The answer is short.

    More text.
    """
    return len(case.answer) < 20


class TestTheDecorator:
    def test_makes_a_metric_of_a_function(self):
        assert isinstance(short, Metric)
        assert (short.name, short.description) == ("short", "The answer is short.")
        result = short.evaluate_sync(CASE, OfflineJudge())
        assert (result.score, result.outcome, result.policy) == (1.0, Outcome.PASS, "custom")
        assert short(CASE) is True

    def test_takes_options(self):
        @metric(name="calm", threshold=0.2, direction="minimize", needs=["answer"])
        def excitement(case):
            return case.answer.count("!") / len(case.answer)

        assert excitement.evaluate_sync(CASE, OfflineJudge()).outcome is Outcome.PASS
        assert excitement.evaluate_sync(Case(), OfflineJudge()).status is Status.NO_ANSWER

    def test_takes_a_coroutine_function_with_a_judge_and_counts_what_it_asks(self, rule_judge):
        @metric
        async def supported(case, judge):
            reply = await judge.verify([case.answer], case.contexts)
            return float(reply[0].verdict == "supported")

        result = supported.evaluate_sync(CASE, rule_judge())
        assert (result.score, result.usage.calls) == (0.0, 1)

    def test_may_use_another_metric(self, rule_judge):
        @metric
        async def twice(case, judge):
            found = await Faithfulness().evaluate(case, judge)
            return Finding(status=found.status, score=found.score, bounds=found.bounds, verdicts=found.verdicts)

        result = twice.evaluate_sync(CASE, rule_judge(lambda *_: "supported"))
        assert (result.score, result.usage.calls) == (1.0, 2)

    def test_none_means_that_nothing_can_be_measured(self):
        result = metric(lambda_named("nothing", None)).evaluate_sync(CASE, OfflineJudge())
        assert (result.status, result.score, result.outcome) == (Status.VACUOUS, None, Outcome.INCONCLUSIVE)


def lambda_named(name, value):
    def function(_):
        return value

    function.__name__ = name
    return function


class TestWhatIsNoScore:
    @pytest.mark.parametrize("value", [1.5, -0.1, math.nan, math.inf, "0.5", [1]])
    def test_is_never_made_to_fit(self, value):
        with pytest.raises((ValueError, TypeError), match="bad"):
            metric(lambda_named("bad", value)).evaluate_sync(CASE, OfflineJudge())

    def test_costs_one_row_in_a_run_and_never_the_run(self):
        run = evaluate([CASE], metrics=[metric(lambda_named("bad", 7)), short])
        assert run.results[0].metrics["bad"].status is Status.JUDGE_ERROR
        assert run.results[0].metrics["short"].score == 1.0


@pytest.mark.parametrize("function", [lambda: 1, lambda _a, _b, _c: 1, lambda _a, *, judge: judge])
def test_a_function_of_another_shape_is_refused(function):
    with pytest.raises(ConfigurationError, match="takes a case"):
        metric(function)


@pytest.mark.parametrize("options", [{"direction": "up"}, {"needs": ["mood"]}, {"threshold": 3}])
def test_wrong_options_are_refused(options):
    with pytest.raises(ConfigurationError):
        metric(**options)(lambda _: 1)
