"""Pydantic Evals itself, with our judge behind its `LLMJudge` and our metrics among its evaluators."""

import json

import pytest
from pydantic import BaseModel
from pydantic_ai import Agent, BinaryContent, ToolOutput
from pydantic_ai.exceptions import UnexpectedModelBehavior, UserError
from pydantic_evals import Case, Dataset
from pydantic_evals.evaluators import GEval, LLMJudge, OutputConfig

from magistrate.errors import ConfigurationError
from magistrate.integrations.pydantic_evals import JudgeFailureError, MagistrateEvaluator, MagistrateModel

CONTEXT = ["The tram runs all night.", "A ticket costs two euros."]


def report(evaluator, metadata=None, answer="The tram runs all night."):
    cases = [Case(name="tram", inputs="When does the tram run?", metadata=metadata)]
    dataset = Dataset(name="trams", cases=cases, evaluators=[evaluator])
    found = dataset.evaluate_sync(lambda _: answer, progress=False)
    assert not found.failures
    return found


def graded(replies, *texts):
    replies.texts = list(texts)
    judge = LLMJudge("It is right.", model=MagistrateModel("gpt-4o", api_base=replies.url), score=OutputConfig())
    return report(judge)


def grading(score, passed=True):
    return json.dumps({"reason": "It says so.", "pass": passed, "score": score})


class TestJudge:
    def test_a_mended_reply_is_a_grade(self, replies):
        (case,) = graded(replies, "Sure!\n```json\n{'reason': 'r', 'pass': True, 'score': 0.75,}\n```").cases
        assert case.scores["LLMJudge_score"].value == 0.75
        assert case.assertions["LLMJudge_pass"].value is True

    def test_a_score_out_of_range_is_asked_for_again(self, replies):
        (case,) = graded(replies, grading(7), grading(0.5)).cases
        assert case.scores["LLMJudge_score"].value == 0.5
        assert len(replies.calls) == 2

    @pytest.mark.parametrize("text", [grading(7), grading(0.5, "maybe"), "I'm sorry, but I can't help with that."])
    def test_no_grade_is_a_failure_of_the_evaluator(self, replies, text):
        found = graded(replies, text)
        (failure,) = found.cases[0].evaluator_failures
        assert (found.cases[0].scores, found.averages().scores) == ({}, {})
        assert failure.error_type == "JudgeFailureError"
        assert "the judge was asked" in failure.error_message

    def test_a_range_of_its_own_holds(self, replies):
        replies.texts = [json.dumps({"reason": "r", "score": 9}), json.dumps({"reason": "r", "score": 4})]
        model = MagistrateModel("gpt-4o", api_base=replies.url)
        (case,) = report(GEval("Right?", ["Look."], model=model)).cases
        assert [score.value for score in case.scores.values()] == [4]


class TestModel:
    class Answer(BaseModel):
        answer: bool

    async def test_text_goes_through(self, replies):
        replies.texts = ["A poem."]
        run = await Agent(MagistrateModel("gpt-4o", api_base=replies.url), instructions="Rhyme.").run("Write one.")
        assert run.output == "A poem."
        assert run.usage.requests == 1
        sent = replies.calls[0].request.raw["messages"]
        assert [(message["role"], message["content"]) for message in sent] == [
            ("system", "Rhyme."),
            ("user", "Write one."),
        ]

    async def test_an_object_may_be_the_argument_of_a_tool(self, replies):
        replies.texts = ["{'answer': True}"]
        model = MagistrateModel("gpt-4o", api_base=replies.url)
        agent = Agent(model, output_type=ToolOutput(self.Answer))
        assert (await agent.run("Is it?")).output.answer is True

    async def test_images_are_sent_along(self, replies):
        replies.texts = ["A cat."]
        agent = Agent(MagistrateModel("gpt-4o", api_base=replies.url))
        await agent.run(["What is it?", BinaryContent(b"\x89PNG", media_type="image/png")])
        parts = replies.calls[0].request.raw["messages"][-1]["content"]
        assert [part["type"] for part in parts] == ["text", "image_url"]

    async def test_a_refusal_is_an_error_of_theirs(self, replies):
        replies.texts = ["I'm sorry, but I can't help with that."]
        agent = Agent(MagistrateModel("gpt-4o", api_base=replies.url), output_type=self.Answer)
        with pytest.raises(JudgeFailureError) as caught:
            await agent.run("Is it?")
        assert isinstance(caught.value, UnexpectedModelBehavior)
        assert caught.value.status.value == "refused"

    async def test_tools_are_an_error(self, replies):
        agent = Agent(MagistrateModel("gpt-4o", api_base=replies.url))
        agent.tool_plain(lambda: "nothing", name="look")
        with pytest.raises(UserError, match="calls no tools"):
            await agent.run("Look.")


class TestEvaluator:
    def test_a_score_an_assertion_and_the_status(self):
        (case,) = report(MagistrateEvaluator("offline", threshold=0.5), {"context": CONTEXT}).cases
        assert case.scores["faithfulness"].value == 1.0
        assert case.scores["faithfulness"].reason.startswith("supported 1 of 1")
        assert case.assertions["faithfulness_pass"].value is True
        assert case.labels["faithfulness_status"].value == "scored"

    def test_no_context_is_a_failure_with_the_status(self):
        found = report(MagistrateEvaluator("offline"))
        (failure,) = found.cases[0].evaluator_failures
        assert failure.error_message.startswith("NoScoreError: no_context: ")
        assert found.averages().scores == {}

    def test_a_refusal_is_a_failure_with_the_status(self, replies):
        replies.texts = ["I'm sorry, but I can't help with that."]
        found = report(MagistrateEvaluator("gpt-4o", options={"api_base": replies.url}), {"context": CONTEXT})
        (failure,) = found.cases[0].evaluator_failures
        assert "refused: " in failure.error_message

    def test_it_is_written_to_a_file_and_read_again(self, tmp_path):
        dataset = Dataset(
            name="trams",
            cases=[Case(name="tram", inputs={"question": "When?", "context": CONTEXT})],
            evaluators=[MagistrateEvaluator("offline")],
        )
        dataset.to_file(tmp_path / "trams.yaml", custom_evaluator_types=[MagistrateEvaluator])
        again = Dataset.from_file(tmp_path / "trams.yaml", custom_evaluator_types=[MagistrateEvaluator])
        (case,) = again.evaluate_sync(lambda _: CONTEXT[0], progress=False).cases
        assert case.scores["faithfulness"].value == 1.0

    def test_what_does_not_fit_together_fails_at_once(self):
        with pytest.raises(ConfigurationError):
            MagistrateEvaluator("offline", options={"temperature": 1.0})
