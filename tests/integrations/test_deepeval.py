"""DeepEval itself, with our judge behind its metrics and our metrics among its own. Needs the extra: `make interop`."""

import importlib
import json

import pytest
from deepeval import evaluate
from deepeval.errors import DeepEvalError
from deepeval.evaluate import AsyncConfig, DisplayConfig, ErrorConfig
from deepeval.metrics import ContextualRecallMetric, FaithfulnessMetric, GEval, JevEval
from deepeval.metrics.jev_eval import Noul, Score
from deepeval.test_case import LLMTestCase, SingleTurnParams

from magistrate.integrations.deepeval import JudgeFailureError, MagistrateMetric, MagistrateModel, MagistrateSystemOne
from magistrate.metrics.faithfulness import Faithfulness

CASE = LLMTestCase(
    input="When does the mill grind?",
    actual_output="The mill grinds on Mondays. It has two stones.",
    retrieval_context=["The mill grinds on Mondays."],
)
CLAIMS = json.dumps({"claims": ["The mill grinds on Mondays.", "The mill has two stones."]})
TRUTHS = json.dumps({"truths": ["The mill grinds on Mondays."]})


def verdicts(*words):
    return json.dumps({"verdicts": {str(at): {"reason": "r", "verdict": word} for at, word in enumerate(words, 1)}})


def faithfulness(replies):
    model = MagistrateModel("gpt-4o", api_base=replies.url)
    return FaithfulnessMetric(model=model, include_reason=False, async_mode=False)


def hybrid(replies, judge, kind=FaithfulnessMetric):
    """A metric whose claims are decided by a judge, and all else by a model."""
    options = {} if judge.startswith(("offline", "nli:")) else {"api_base": replies.url}
    return kind(
        model=MagistrateModel("gpt-4o", api_base=replies.url),
        system_one_model=MagistrateSystemOne(judge, **options),
        eval_mode="hybrid",
        include_reason=False,
        async_mode=False,
    )


class TestBackend:
    def test_each_claim_has_its_verdict(self, replies):
        replies.texts = [TRUTHS, CLAIMS, f"```json\n{verdicts('yes', 'no')}\n```"]
        assert faithfulness(replies).measure(CASE, _show_indicator=False) == 0.5

    def test_what_is_missing_is_asked_for_again(self, replies):
        second = json.dumps({"verdicts": {"2": {"reason": "r", "verdict": "no"}}})
        replies.texts = [TRUTHS, CLAIMS, verdicts("yes"), second]
        assert faithfulness(replies).measure(CASE, _show_indicator=False) == 0.5
        assert len(replies.calls) == 4

    def test_no_verdicts_at_all_are_no_perfect_score(self, replies):
        replies.texts = [TRUTHS, CLAIMS, json.dumps({"verdicts": []})]
        with pytest.raises(JudgeFailureError) as caught:
            faithfulness(replies).measure(CASE, _show_indicator=False)
        assert isinstance(caught.value, DeepEvalError)

    def test_a_score_outside_the_stated_range_is_none(self, replies):
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

    def test_in_evaluate_a_failure_is_the_metrics_error(self, replies):
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

    def test_usage_is_counted(self, replies):
        replies.texts = ["A text."]
        model = MagistrateModel("gpt-4o", api_base=replies.url)
        assert model.generate("Say something.") == "A text."
        assert model.usage.calls == 1


def truth(probability, answer=None):
    answer = probability >= 0.5 if answer is None else answer
    return {"reason": "r", "answer": answer, "probability_true": probability}


def decisions(*entries):
    return json.dumps({"answers": {str(at): entry for at, entry in enumerate(entries, 1)}})


class TestSystemOne:
    def test_the_claims_are_decided_by_probability(self, replies):
        replies.texts = [TRUTHS, CLAIMS, decisions(truth(0.95), truth(0.1))]
        metric = hybrid(replies, "gpt-4o")
        assert metric.measure(CASE, _show_indicator=False) == 0.5
        assert [verdict.reason for verdict in metric.verdicts] == ["P(yes)=0.95", "P(yes)=0.10"]
        assert metric.system_one_fallback_reason is None

    async def test_a_whole_metric_is_one_request(self, replies):
        levels = {"reason": "r", "answer": 4, "probabilities": {"p1": 0.0, "p2": 0.0, "p3": 0.1, "p4": 0.9}}
        replies.texts = [decisions(truth(0.9), truth(1.0), levels)]
        metric = FaithfulnessMetric(
            system_one_model=MagistrateSystemOne("gpt-4o", api_base=replies.url), eval_mode="system_one"
        )
        score = await metric.a_measure(CASE, _show_indicator=False)
        assert score == pytest.approx((2 * 0.9 + 1.0 + 2.9 / 3) / 4)
        assert len(replies.calls) == 1
        assert metric.confidence == pytest.approx(0.8)
        assert metric.evaluation_cost > 0

    def test_an_answer_against_its_own_probability_is_an_error(self, replies):
        replies.texts = [decisions(truth(0.9, answer=False))]
        metric = JevEval(
            "Plain",
            [SingleTurnParams.ACTUAL_OUTPUT],
            [Noul("It is plain.")],
            system_one_model=MagistrateSystemOne("gpt-4o", api_base=replies.url),
            async_mode=False,
        )
        with pytest.raises(JudgeFailureError, match="unparseable"):
            metric.measure(CASE, _show_indicator=False)

    def test_where_it_fails_in_hybrid_the_model_decides_and_that_is_noted(self, replies):
        replies.texts = [TRUTHS, CLAIMS, "I cannot help with that.", verdicts("yes", "no")]
        metric = hybrid(replies, "gpt-4o")
        assert metric.measure(CASE, _show_indicator=False) == 0.5
        assert "refused" in metric.system_one_fallback_reason

    def test_grounding_is_measured_without_a_language_model(self, replies):
        replies.texts = [TRUTHS, CLAIMS]
        metric = hybrid(replies, "offline")
        metric.measure(CASE, _show_indicator=False)
        assert (len(replies.calls), len(metric.verdicts)) == (2, 2)
        first, second = (float(verdict.reason.removeprefix("P(yes)=")) for verdict in metric.verdicts)
        assert first > 0.65 > second

    def test_the_sentences_of_a_reference_too(self, replies):
        metric = hybrid(replies, "offline", ContextualRecallMetric)
        case = LLMTestCase(
            input="When?",
            actual_output="On Mondays.",
            expected_output="The mill grinds on Mondays. A heron nests there.",
            retrieval_context=["The mill grinds on Mondays."],
        )
        metric.measure(case, _show_indicator=False)
        assert metric.system_one_fallback_reason is None
        assert len(metric.verdicts) == 2

    def test_an_entailment_model_measures_the_claims(self, replies, tmp_path):
        tiny_nli = importlib.import_module("tests.tiny_nli")
        claims = ["The gardener sells plums.", "The gardener sells no plums."]
        passage = "The gardener sells plums at the market."
        replies.texts = [json.dumps({"truths": [passage]}), json.dumps({"claims": claims})]
        metric = hybrid(replies, f"nli:{tiny_nli.write_tiny_nli(tmp_path / 'orchard')}")
        case = LLMTestCase(input="What is sold?", actual_output=" ".join(claims), retrieval_context=[passage])
        metric.measure(case, _show_indicator=False)
        assert metric.system_one_fallback_reason is None
        assert len(replies.calls) == 2
        first, second = (float(verdict.reason.removeprefix("P(yes)=")) for verdict in metric.verdicts)
        assert first > 0.9
        assert second < 0.1

    def test_what_cannot_be_measured_is_refused(self):
        metric = JevEval(
            "Plain",
            [SingleTurnParams.ACTUAL_OUTPUT],
            [Score("How plain is it?", levels=["Not at all", "Plain"])],
            system_one_model=MagistrateSystemOne("offline"),
            async_mode=False,
        )
        with pytest.raises(JudgeFailureError, match="offline tells what follows from a text"):
            metric.measure(CASE, _show_indicator=False)


class TestMetric:
    def test_the_score_comes_with_its_verdicts(self):
        metric = MagistrateMetric("offline", threshold=0.1)
        assert metric.measure(CASE) == metric.score
        assert (metric.error, metric.threshold) == (None, 0.1)
        assert len(metric.score_breakdown["verdicts"]) == 2
        assert metric.is_successful() is (metric.score >= 0.1)

    async def test_no_score_is_an_error_and_no_success(self):
        metric = MagistrateMetric("offline")
        case = LLMTestCase(input="q", actual_output="An answer.", retrieval_context=[])
        assert await metric.a_measure(case) is None
        assert metric.error.startswith("no_context: ")
        assert metric.is_successful() is False

    def test_in_evaluate(self):
        found = evaluate(
            [CASE],
            [MagistrateMetric("offline", Faithfulness(threshold=0.1))],
            display_config=DisplayConfig(show_indicator=False, print_results=False),
        )
        (data,) = found.test_results[0].metrics_data
        assert data.name == "Magistrate faithfulness"
        assert data.score is not None
        assert (data.threshold, data.success) == (0.1, data.score >= 0.1)
