"""LangSmith and openevals themselves, with our evaluators and our client."""

import json
import uuid
from datetime import UTC, datetime

import langsmith
import openai
import pytest
from langsmith import schemas
from openevals import llm

from magistrate import as_async_openai_client, as_openai_client
from magistrate.integrations.langsmith import as_evaluator

CONTEXT = ["The mill grinds on Mondays."]
INPUTS = {"question": "When does the mill grind?"}
OUTPUTS = {"answer": "The mill grinds on Mondays. It has two stones.", "context": CONTEXT}


def test_lang_smith_evaluate_keeps_score_and_metadata():
    example = schemas.Example(
        id=uuid.uuid4(), dataset_id=uuid.uuid4(), inputs=INPUTS, outputs={}, created_at=datetime.now(UTC)
    )
    client = langsmith.Client(api_url="http://127.0.0.1:9", api_key="unused", auto_batch_tracing=False)
    found = langsmith.evaluate(
        lambda inputs: {**OUTPUTS, "asked": inputs["question"]},
        data=[example],
        evaluators=[as_evaluator("offline")],
        client=client,
        upload_results=False,
    )
    ((result,),) = [row["evaluation_results"]["results"] for row in found]
    assert (result.key, result.score, result.value) == ("faithfulness", 0.5, "scored")
    assert result.metadata["status"] == "scored"


class TestOpenevals:
    def judge(self, replies, *texts, **options):
        replies.texts = list(texts)
        client = as_openai_client("gpt-4o", api_base=replies.url)
        return llm.create_llm_as_judge(prompt="Is it right? {outputs}", judge=client, model="openai:gpt-4o", **options)

    def test_a_mended_reply(self, replies):
        judge = self.judge(replies, "Sure: {'reasoning': 'r', 'score': True,}")
        found = judge(inputs="q", outputs="a")
        assert (found["score"], found["comment"]) == (True, "r")

    def test_a_score_out_of_the_stated_range_is_asked_for_again(self, replies):
        texts = [json.dumps({"reasoning": "r", "score": score}) for score in (7, 0.5)]
        assert self.judge(replies, *texts, continuous=True)(inputs="q", outputs="a")["score"] == 0.5
        assert len(replies.calls) == 2

    def test_a_score_that_is_no_choice_is_an_error(self, replies):
        judge = self.judge(replies, json.dumps({"reasoning": "r", "score": 0.7}), choices=[0.0, 0.5, 1.0])
        with pytest.raises(openai.UnprocessableEntityError):
            judge(inputs="q", outputs="a")

    async def test_asynchronously(self, replies):
        replies.texts = ["{'reasoning': 'r', 'score': False}"]
        client = as_async_openai_client("gpt-4o", api_base=replies.url)
        judge = llm.create_async_llm_as_judge(prompt="Is it right? {outputs}", judge=client, model="gpt-4o")
        assert (await judge(inputs="q", outputs="a"))["score"] is False
