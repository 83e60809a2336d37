"""Evaluator functions; with LangSmith and openevals where they are installed: `make interop NAME=langsmith`."""

from __future__ import annotations

import json
from typing import Any

import pytest

from magistrate import as_async_openai_client, as_openai_client
from magistrate.integrations.langsmith import as_async_evaluator, as_evaluator

CONTEXT = ["The mill grinds on Mondays."]
INPUTS = {"question": "When does the mill grind?"}
OUTPUTS = {"answer": "The mill grinds on Mondays. It has two stones.", "context": CONTEXT}


class TestFunction:
    def test_the_score_comes_with_its_verdicts(self) -> None:
        found = as_evaluator("offline")(INPUTS, OUTPUTS)
        assert (found["key"], found["score"], found["value"]) == ("faithfulness", 0.5, "scored")
        assert found["comment"].startswith("supported 1 of 2")
        assert [row["verdict"] for row in found["metadata"]["verdicts"]] == ["supported", "not_enough_info"]
        assert json.loads(json.dumps(found)) == found

    async def test_asynchronously(self) -> None:
        assert (await as_async_evaluator("offline")(INPUTS, OUTPUTS))["score"] == 0.5

    def test_no_score_is_none_and_says_why(self, replies: Any) -> None:
        replies.texts = ["I'm sorry, but I can't help with that."]
        found = as_evaluator("gpt-4o", api_base=replies.url)(INPUTS, OUTPUTS)
        assert (found["score"], found["value"], found["metadata"]["status"]) == (None, "refused", "refused")
        assert found["comment"].startswith("refused: ")

    @pytest.mark.parametrize(
        ("inputs", "outputs", "given"),
        [
            (INPUTS, OUTPUTS, {}),
            ("When?", OUTPUTS["answer"], {"context": CONTEXT}),
            ({"q": "When?"}, {"text": OUTPUTS["answer"], "documents": CONTEXT}, {}),
            ({**INPUTS, "contexts": CONTEXT}, {"output": OUTPUTS["answer"]}, {}),
            (INPUTS, {"messages": [{"role": "assistant", "content": OUTPUTS["answer"]}]}, {"context": CONTEXT}),
        ],
    )
    def test_the_parts_are_found_where_they_usually_are(self, inputs: Any, outputs: Any, given: Any) -> None:
        assert as_evaluator("offline")(inputs, outputs, None, **given)["score"] == 0.5

    def test_or_where_they_are_said_to_be(self) -> None:
        evaluator = as_evaluator("offline", answer="final", context="notes")
        assert evaluator(INPUTS, {"final": OUTPUTS["answer"], "notes": CONTEXT, "answer": "x"})["score"] == 0.5

    def test_they_are_not_guessed(self) -> None:
        found = as_evaluator("offline")(INPUTS, {"draft": "The mill.", "final": "It grinds.", "context": CONTEXT})
        assert (found["score"], found["value"]) == (None, "no_answer")


class TestLangSmith:
    def test_evaluate_keeps_score_and_metadata(self) -> None:
        langsmith = pytest.importorskip("langsmith", reason="needs magistrate[langsmith]")
        schemas = pytest.importorskip("langsmith.schemas")
        import uuid
        from datetime import UTC, datetime

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
    def judge(self, replies: Any, *texts: str, **options: Any) -> Any:
        llm = pytest.importorskip("openevals.llm", reason="needs magistrate[langsmith]")
        replies.texts = list(texts)
        client = as_openai_client("gpt-4o", api_base=replies.url)
        return llm.create_llm_as_judge(prompt="Is it right? {outputs}", judge=client, model="openai:gpt-4o", **options)

    def test_a_mended_reply(self, replies: Any) -> None:
        judge = self.judge(replies, "Sure: {'reasoning': 'r', 'score': True,}")
        found = judge(inputs="q", outputs="a")
        assert (found["score"], found["comment"]) == (True, "r")

    def test_a_score_out_of_the_stated_range_is_asked_for_again(self, replies: Any) -> None:
        texts = [json.dumps({"reasoning": "r", "score": score}) for score in (7, 0.5)]
        assert self.judge(replies, *texts, continuous=True)(inputs="q", outputs="a")["score"] == 0.5
        assert len(replies.calls) == 2

    def test_a_score_that_is_no_choice_is_an_error(self, replies: Any) -> None:
        import openai

        judge = self.judge(replies, json.dumps({"reasoning": "r", "score": 0.7}), choices=[0.0, 0.5, 1.0])
        with pytest.raises(openai.UnprocessableEntityError):
            judge(inputs="q", outputs="a")

    async def test_asynchronously(self, replies: Any) -> None:
        llm = pytest.importorskip("openevals.llm", reason="needs magistrate[langsmith]")
        replies.texts = ["{'reasoning': 'r', 'score': False}"]
        client = as_async_openai_client("gpt-4o", api_base=replies.url)
        judge = llm.create_async_llm_as_judge(prompt="Is it right? {outputs}", judge=client, model="gpt-4o")
        assert (await judge(inputs="q", outputs="a"))["score"] is False
