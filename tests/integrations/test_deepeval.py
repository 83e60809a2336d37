"""DeepEval itself, with our judge behind its metrics and our metrics among its own. Needs the extra: `make interop`."""

from __future__ import annotations

import json
import pickle
from typing import Any

import pytest

pytest.importorskip("deepeval")

from deepeval import evaluate
from deepeval.errors import DeepEvalError
from deepeval.evaluate import AsyncConfig, DisplayConfig, ErrorConfig
from deepeval.metrics import FaithfulnessMetric, GEval
from deepeval.test_case import LLMTestCase, SingleTurnParams

from magistrate.integrations.deepeval import JudgeFailureError, MagistrateMetric, MagistrateModel
from magistrate.metrics.faithfulness import Faithfulness
from magistrate.verdict import Status

CASE = LLMTestCase(
    input="When does the mill grind?",
    actual_output="The mill grinds on Mondays. It has two stones.",
    retrieval_context=["The mill grinds on Mondays."],
)
CLAIMS = json.dumps({"claims": ["The mill grinds on Mondays.", "The mill has two stones."]})
TRUTHS = json.dumps({"truths": ["The mill grinds on Mondays."]})


def verdicts(*words: str) -> str:
    return json.dumps({"verdicts": {str(at): {"reason": "r", "verdict": word} for at, word in enumerate(words, 1)}})


def faithfulness(replies: Any) -> Any:
    model = MagistrateModel("gpt-4o", api_base=replies.url)
    return FaithfulnessMetric(model=model, include_reason=False, async_mode=False)


class TestBackend:
    def test_each_claim_has_its_verdict(self, replies: Any) -> None:
        replies.texts = [TRUTHS, CLAIMS, f"```json\n{verdicts('yes', 'no')}\n```"]
        assert faithfulness(replies).measure(CASE, _show_indicator=False) == 0.5

    def test_what_is_missing_is_asked_for_again(self, replies: Any) -> None:
        second = json.dumps({"verdicts": {"2": {"reason": "r", "verdict": "no"}}})
        replies.texts = [TRUTHS, CLAIMS, verdicts("yes"), second]
        assert faithfulness(replies).measure(CASE, _show_indicator=False) == 0.5
        assert len(replies.calls) == 4

    def test_no_verdicts_at_all_are_no_perfect_score(self, replies: Any) -> None:
        replies.texts = [TRUTHS, CLAIMS, json.dumps({"verdicts": []})]
        with pytest.raises(JudgeFailureError) as caught:
            faithfulness(replies).measure(CASE, _show_indicator=False)
        assert isinstance(caught.value, DeepEvalError)

    def test_a_score_outside_the_stated_range_is_none(self, replies: Any) -> None:
        replies.texts = [json.dumps({"reason": "r", "score": 70})]
        metric = GEval(
            name="Clarity",
            evaluation_steps=["Is it clear?"],
            evaluation_params=[SingleTurnParams.ACTUAL_OUTPUT],
            model=MagistrateModel("gpt-4o", api_base=replies.url),
            async_mode=False,
        )
        with pytest.raises(JudgeFailureError, match=r"out_of_range|unparseable"):
            metric.measure(CASE, _show_indicator=False)

    def test_in_evaluate_a_failure_is_the_metrics_error(self, replies: Any) -> None:
        replies.texts = ["I'm sorry, but I can't help with that."]
        found = evaluate(
            [CASE],
            [faithfulness(replies)],
            async_config=AsyncConfig(run_async=False),
            error_config=ErrorConfig(ignore_errors=True),
            display_config=DisplayConfig(show_indicator=False, print_results=False),
        )
        (data,) = found.test_results[0].metrics_data
        assert (data.score, data.success) == (None, False)
        assert "refused" in data.error

    def test_usage_is_counted(self, replies: Any) -> None:
        replies.texts = ["A text."]
        model = MagistrateModel("gpt-4o", api_base=replies.url)
        assert model.generate("Say something.") == "A text."
        assert model.usage.calls == 1

    def test_the_error_can_be_pickled(self) -> None:
        error = pickle.loads(pickle.dumps(JudgeFailureError("refused: no", Status.REFUSED)))
        assert (str(error), error.status) == ("refused: no", Status.REFUSED)


class TestMetric:
    def test_the_score_comes_with_its_verdicts(self) -> None:
        metric = MagistrateMetric("offline", threshold=0.1)
        assert metric.measure(CASE) == metric.score
        assert (metric.error, metric.threshold) == (None, 0.1)
        assert len(metric.score_breakdown["verdicts"]) == 2
        assert metric.is_successful() is (metric.score >= 0.1)

    async def test_no_score_is_an_error_and_no_success(self) -> None:
        metric = MagistrateMetric("offline")
        case = LLMTestCase(input="q", actual_output="An answer.", retrieval_context=[])
        assert await metric.a_measure(case) is None
        assert metric.error.startswith("no_context: ")
        assert metric.is_successful() is False

    def test_in_evaluate(self) -> None:
        found = evaluate(
            [CASE],
            [MagistrateMetric("offline", Faithfulness(0.1))],
            display_config=DisplayConfig(show_indicator=False, print_results=False),
        )
        (data,) = found.test_results[0].metrics_data
        assert data.name == "Magistrate faithfulness"
        assert data.score is not None
        assert (data.threshold, data.success) == (0.1, data.score >= 0.1)
