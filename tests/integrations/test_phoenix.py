"""Phoenix evals itself, with our judge behind its evaluators and our metrics among them."""

import json

import pandas as pd
import pytest
from phoenix.evals import LLM, create_classifier, evaluate_dataframe
from phoenix.evals.exceptions import PhoenixException

from magistrate.integrations.phoenix import JudgeFailureError, MagistrateEvaluator

RECORD = {"input": "When does the mill grind?", "output": "The mill grinds on Mondays. It has two stones."}
CONTEXT = "The mill grinds on Mondays."


def classifier(replies, *texts):
    replies.texts = list(texts)
    llm = LLM(provider="magistrate", model="gpt-4o", api_base=replies.url)
    return create_classifier("tone", "Is this kind? {{output}}", llm, {"kind": 1.0, "unkind": 0.0})


class TestProvider:
    def test_a_label_in_a_fence_counts(self, replies):
        text = f"So:\n```json\n{json.dumps({'explanation': 'e', 'label': 'kind'})}\n```"
        (score,) = classifier(replies, text).evaluate(RECORD)
        assert (score.score, score.label) == (1.0, "kind")

    async def test_async(self, replies):
        text = json.dumps({"explanation": "e", "label": "unkind"})
        (score,) = await classifier(replies, text).async_evaluate(RECORD)
        assert score.score == 0.0

    @pytest.mark.parametrize(
        "text", ["I'm sorry, but I can't help with that.", json.dumps({"explanation": "e", "label": "rude"})]
    )
    def test_what_cannot_be_read_is_phoenix_own_kind_of_error(self, replies, text):
        with pytest.raises(JudgeFailureError) as caught:
            classifier(replies, text).evaluate(RECORD)
        assert isinstance(caught.value, PhoenixException)

    def test_in_a_table_the_failure_is_in_the_details(self, replies):
        judge = classifier(replies, "I'm sorry, but I can't help with that.")
        found = evaluate_dataframe(pd.DataFrame([RECORD]), [judge], exit_on_error=False, max_retries=0)
        assert found.get("tone_score") is None or found["tone_score"][0] is None
        assert "refused" in str(found["tone_execution_details"][0])

    def test_text(self, replies):
        replies.texts = ["A text."]
        llm = LLM(provider="magistrate", model="gpt-4o", api_base=replies.url)
        assert llm.generate_text("Say something.") == "A text."


class TestEvaluator:
    def test_the_score_comes_with_its_verdicts(self):
        (score,) = MagistrateEvaluator("offline", threshold=0.1).evaluate({**RECORD, "context": CONTEXT})
        assert 0 <= score.score <= 1
        assert score.label == ("pass" if score.score >= 0.1 else "fail")
        assert len(score.metadata["verdicts"]) == 2

    async def test_no_score_is_none_with_the_reason(self):
        (score,) = await MagistrateEvaluator("offline").async_evaluate({**RECORD, "context": []})
        assert (score.score, score.label) == (None, "inconclusive")
        assert score.explanation.startswith("no_context: ")

    def test_in_a_table(self):
        frame = pd.DataFrame([{**RECORD, "context": CONTEXT}])
        found = evaluate_dataframe(frame, [MagistrateEvaluator("offline")])
        told = found["magistrate_faithfulness_score"][0]
        assert (told if isinstance(told, dict) else json.loads(told))["metadata"]["status"] == "scored"
