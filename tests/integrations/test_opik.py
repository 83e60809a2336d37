"""Opik itself, with our judge behind its metrics and our metrics among its own."""

import json

import pytest
from opik.evaluation.metrics import ConversationalCoherenceMetric, Hallucination
from opik.exceptions import MetricComputationError

from magistrate.integrations.opik import MagistrateMetric, MagistrateModel

CASE = {"input": "When does the mill grind?", "output": "The mill grinds on Mondays. It has two stones."}
CONTEXT = ["The mill grinds on Mondays."]


def hallucination(replies, *texts):
    replies.texts = list(texts)
    model = MagistrateModel("gpt-4o", api_base=replies.url)
    return Hallucination(model=model, track=False)


def judged(score):
    return json.dumps({"score": score, "reason": ["it has one stone"]})


class TestModel:
    def test_a_reply_in_a_fence_counts(self, replies):
        result = hallucination(replies, f"So:\n```json\n{judged(1)}\n```").score(**CASE, context=CONTEXT)
        assert (result.value, result.scoring_failed) == (1.0, False)

    def test_a_score_off_the_scale_is_asked_for_again(self, replies):
        result = hallucination(replies, judged(7), judged(1)).score(**CASE, context=CONTEXT)
        assert (result.value, len(replies.calls)) == (1.0, 2)

    def test_a_word_that_is_neither_yes_nor_no_is_no_verdict(self, replies):
        replies.texts = ['{"verdict": "partly", "reason": "so so"}']
        metric = ConversationalCoherenceMetric(model=MagistrateModel("gpt-4o", api_base=replies.url), track=False)
        turns = [{"role": "user", "content": "When?"}, {"role": "assistant", "content": "On Mondays."}]
        with pytest.raises(MetricComputationError):
            metric.score(conversation=turns)
        assert len(replies.calls) > 1

    async def test_async(self, replies):
        assert (await hallucination(replies, judged(0)).ascore(**CASE, context=CONTEXT)).value == 0.0

    @pytest.mark.parametrize("text", ["I'm sorry, but I can't help with that.", judged("many"), judged(7)])
    def test_what_cannot_be_read_is_opiks_own_kind_of_error(self, replies, text):
        with pytest.raises(MetricComputationError):
            hallucination(replies, text).score(**CASE, context=CONTEXT)

    def test_conversations(self, replies):
        replies.texts = ["A text."]
        model = MagistrateModel("gpt-4o", api_base=replies.url)
        told = model.generate_chat_completion([{"role": "system", "content": "s"}, {"role": "user", "content": "u"}])
        assert told == {"role": "assistant", "content": "A text."}
        assert [message["role"] for message in replies.calls[0].request.raw["messages"]] == ["system", "user"]


class TestMetric:
    def test_the_score_comes_with_its_verdicts(self):
        result = MagistrateMetric("offline").score(**CASE, context=CONTEXT)
        assert 0 <= result.value <= 1
        assert result.scoring_failed is False
        assert len(result.metadata["verdicts"]) == 2

    async def test_no_score_has_failed_and_says_why(self):
        result = await MagistrateMetric("offline").ascore(**CASE, context=[])
        assert result.scoring_failed is True
        assert result.reason.startswith("no_context: ")
