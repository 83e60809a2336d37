"""Ragas itself, with our judge behind its metrics and our metrics among its own. Needs the extra: `make interop`."""

import json
import math

import pytest
from ragas import EvaluationDataset, evaluate
from ragas.dataset_schema import SingleTurnSample
from ragas.exceptions import RagasException
from ragas.metrics import Faithfulness as LegacyFaithfulness
from ragas.metrics import MultiModalRelevance
from ragas.metrics.collections import Faithfulness

from magistrate.integrations.ragas import (
    JudgeFailureError,
    MagistrateLegacyLLM,
    MagistrateLegacyMetric,
    MagistrateLLM,
    MagistrateMetric,
)

SAMPLE = {
    "user_input": "When does the mill grind?",
    "response": "The mill grinds on Mondays. It has two stones.",
    "retrieved_contexts": ["The mill grinds on Mondays."],
}
PIXEL = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="
STATEMENTS = ["The mill grinds on Mondays.", "The mill has two stones."]
SPLIT = json.dumps({"statements": STATEMENTS})


def verdicts(*values):
    rows = {str(at): {"reason": "r", "verdict": value} for at, value in enumerate(values, 1)}
    return json.dumps({"statements": rows})


class TestBackend:
    async def test_a_reply_in_a_fence_counts(self, replies):
        replies.texts = [f"```json\n{SPLIT}\n```", f"So:\n```json\n{verdicts(1, 0)}\n```"]
        result = await Faithfulness(llm=MagistrateLLM("gpt-4o", api_base=replies.url)).ascore(**SAMPLE)
        assert result.value == 0.5

    async def test_what_is_missing_is_asked_for_again(self, replies):
        second = json.dumps({"statements": {"2": {"reason": "r", "verdict": 0}}})
        replies.texts = [SPLIT, verdicts(1), second]
        result = await Faithfulness(llm=MagistrateLLM("gpt-4o", api_base=replies.url)).ascore(**SAMPLE)
        assert (result.value, len(replies.calls)) == (0.5, 3)

    async def test_too_few_verdicts_raise_ragas_own_kind_of_error(self, replies):
        replies.texts = [SPLIT, verdicts(1)]
        with pytest.raises(JudgeFailureError, match="no entry for statement 2") as caught:
            await Faithfulness(llm=MagistrateLLM("gpt-4o", api_base=replies.url)).ascore(**SAMPLE)
        assert isinstance(caught.value, RagasException)
        assert caught.value.status == "unparseable"

    def test_sync(self, replies):
        replies.texts = [SPLIT, verdicts(1, 1)]
        assert Faithfulness(llm=MagistrateLLM("gpt-4o", api_base=replies.url)).score(**SAMPLE).value == 1.0

    @pytest.mark.parametrize("backend", [MagistrateLLM, MagistrateLegacyLLM])
    def test_in_evaluate_with_the_older_metrics(self, replies, backend):
        replies.texts = [SPLIT, verdicts(1, 0)]
        found = evaluate(
            EvaluationDataset.from_list([SAMPLE]),
            metrics=[LegacyFaithfulness()],
            llm=backend("gpt-4o", api_base=replies.url),
            show_progress=False,
        )
        assert found["faithfulness"] == [0.5]

    async def test_the_older_metrics_are_not_asked_ten_times_over(self, replies):
        replies.texts = ["I'm sorry, but I can't help with that."]
        metric = LegacyFaithfulness(llm=MagistrateLegacyLLM("gpt-4o", api_base=replies.url))
        with pytest.raises(JudgeFailureError, match="refused"):
            await metric.single_turn_ascore(SingleTurnSample(**SAMPLE))
        assert len(replies.calls) == 1

    async def test_images_are_sent_as_images(self, replies):
        replies.texts = [json.dumps({"relevance": True})]
        metric = MultiModalRelevance(llm=MagistrateLegacyLLM("gpt-4o", api_base=replies.url))
        sample = {**SAMPLE, "retrieved_contexts": ["The mill grinds on Mondays.", PIXEL]}
        assert await metric.single_turn_ascore(SingleTurnSample(**sample)) == 1.0
        parts = replies.calls[0].request.raw["messages"][-1]["content"]
        assert [part["image_url"]["url"] for part in parts if part["type"] == "image_url"] == [PIXEL]
        assert not any("base64" in part["text"] for part in parts if part["type"] == "text")


class TestMetric:
    async def test_the_score_comes_with_its_verdicts(self):
        result = await MagistrateMetric("offline").ascore(**SAMPLE)
        assert 0 <= result.value <= 1
        assert result.traces["output"]["status"] == "scored"
        assert len(result.traces["output"]["verdicts"]) == 2

    async def test_no_score_is_none_with_the_reason(self):
        result = await MagistrateMetric("offline").ascore(user_input="q", response="An answer.", retrieved_contexts=[])
        assert result.value is None
        assert result.reason.startswith("no_context: ")

    def test_in_evaluate_no_score_is_nan(self):
        metric = MagistrateLegacyMetric("offline")
        samples = [SAMPLE, {**SAMPLE, "response": "It grinds.", "retrieved_contexts": []}]
        found = evaluate(EvaluationDataset.from_list(samples), metrics=[metric], show_progress=False)
        assert 0 <= found["magistrate_faithfulness"][0] <= 1
        assert math.isnan(found["magistrate_faithfulness"][1])
        assert {result.status.value for result in metric.results.values()} == {"scored", "no_context"}
