import math

import pytest

from magistrate.case import Case
from magistrate.errors import ConfigurationError
from magistrate.evaluation.api import evaluate
from magistrate.judges.offline import OfflineJudge
from magistrate.metrics import Faithfulness, Finding, metric
from magistrate.metrics.base import Metric
from magistrate.verdict import Outcome, Status

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

    def test_leaves_the_function_callable(self):
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
