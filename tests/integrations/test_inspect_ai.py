"""Inspect itself, with our judge behind its graders and our metrics among its scorers."""

import json
import math
import subprocess
import sys
from typing import Any

import pytest
from inspect_ai import Task, eval  # noqa: A004 - this is what it is called
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageUser, ContentImage, ContentText, GenerateConfig, ModelOutput, get_model
from inspect_ai.model import ResponseSchema as Wanted
from inspect_ai.scorer import model_graded_qa
from inspect_ai.solver import solver
from inspect_ai.tool import ToolInfo
from inspect_ai.util import json_schema

from magistrate.errors import ConfigurationError
from magistrate.integrations.inspect_ai import magistrate_scorer

SAMPLE = Sample(
    input="When does the tram run?",
    target="All night.",
    metadata={"context": ["The tram runs all night.", "A ticket costs two euros."]},
)


@solver
def says(answer: str) -> Any:
    async def solve(state, generate):
        del generate
        state.output = ModelOutput.from_content("none/none", answer)
        return state

    return solve


def run(tmp_path, scorer, answer="The tram runs all night.", sample=SAMPLE):
    task = Task(dataset=[sample], solver=says(answer), scorer=scorer)
    (log,) = eval(task, model="none/none", log_dir=str(tmp_path), display="none")
    assert log.status == "success"
    (score,) = log.samples[0].scores.values()
    return score


def grader(replies):
    return get_model("magistrate/gpt-4o", base_url=replies.url, memoize=False)


class TestGrader:
    @pytest.mark.slow
    def test_it_is_found_by_its_name(self):
        code = (
            "from inspect_ai.model import get_model; print(get_model('magistrate/gpt-4o'))\n"
            "import sys; print('magistrate.integrations.inspect_ai' in sys.modules)"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert done.stdout.split() == ["magistrate/gpt-4o", "True"]

    def test_its_grade_is_the_score(self, tmp_path, replies):
        replies.texts = ["It says all night, as it should.\n\nGRADE: C"]
        assert run(tmp_path, model_graded_qa(model=grader(replies))).value == "C"

    def test_a_grade_that_is_not_offered_is_asked_for_again(self, tmp_path, replies):
        replies.texts = ["GRADE: P", "GRADE: I"]
        assert run(tmp_path, model_graded_qa(model=grader(replies))).value == "I"
        assert len(replies.calls) == 2

    @pytest.mark.parametrize("text", ["GRADE: P", "I'm sorry, but I can't help with that.", "GRADE: C or GRADE: I"])
    def test_no_grade_is_no_score(self, tmp_path, replies, text):
        replies.texts = [text]
        score = run(tmp_path, model_graded_qa(model=grader(replies)))
        assert math.isnan(score.value)
        assert score.reason == "grader_failed"
        assert score.metadata["grading"][1]["metadata"]["magistrate"]["why"]

    def test_a_grade_in_passing_does_not_count_where_the_reply_was_cut(self, tmp_path, replies):
        replies.texts = ["One could say GRADE: I, if it were not for"]
        replies.finish = "length"
        assert math.isnan(run(tmp_path, model_graded_qa(model=grader(replies))).value)


class TestModel:
    async def test_a_reply_fits_the_schema(self, replies):
        replies.texts = ["Sure: {'verdict': 'yes',}"]
        schema = {"type": "object", "properties": {"verdict": {"type": "string"}}, "required": ["verdict"]}
        wanted = Wanted(name="verdict", json_schema=json_schema(dict).model_validate(schema))
        output = await grader(replies).generate("Is it?", config=GenerateConfig(response_schema=wanted))
        assert json.loads(output.completion) == {"verdict": "yes"}
        assert (output.stop_reason, output.error, output.usage.input_tokens > 0) == ("stop", None, True)

    async def test_text_goes_through(self, replies):
        replies.texts = ["A poem."]
        assert (await grader(replies).generate("Write one.")).completion == "A poem."

    async def test_what_was_cut_is_not_handed_on(self, replies):
        replies.texts, replies.finish = ["A poe"], "length"
        output = await grader(replies).generate("Write one.")
        assert (output.completion, output.stop_reason) == ("", "max_tokens")
        assert output.error == "truncated: the judge was asked for a text, and its reply was cut off"

    async def test_images_are_sent_along(self, replies):
        replies.texts = ["A cat."]
        content = [ContentText(text="What is it?"), ContentImage(image="data:image/png;base64,iVBORw0KGgo=")]
        assert (await grader(replies).generate([ChatMessageUser(content=content)])).completion == "A cat."
        parts = replies.calls[0].request.raw["messages"][-1]["content"]
        assert [part["type"] for part in parts] == ["text", "image_url"]

    async def test_tools_are_an_error(self, replies):
        tool = ToolInfo(name="look", description="Looks.")
        with pytest.raises(ConfigurationError, match="calls no tools"):
            await grader(replies).generate("Look.", tools=[tool])


class TestScorer:
    def test_the_score_comes_with_its_verdicts(self, tmp_path):
        score = run(tmp_path, magistrate_scorer("offline"))
        assert score.value == 1.0
        assert score.metadata["status"] == "scored"
        assert [row["verdict"] for row in score.metadata["verdicts"]] == ["supported"]

    def test_no_context_is_unscored_with_the_reason(self, tmp_path):
        score = run(tmp_path, magistrate_scorer("offline"), sample=Sample(input="When?", target=""))
        assert math.isnan(score.value)
        assert (score.reason, score.metadata["status"]) == ("scoring_failed", "no_context")

    def test_a_judge_that_refuses_is_a_grader_that_failed(self, tmp_path, replies):
        replies.texts = ["I'm sorry, but I can't help with that."]
        score = run(tmp_path, magistrate_scorer("gpt-4o", api_base=replies.url))
        assert math.isnan(score.value)
        assert (score.reason, score.metadata["status"]) == ("grader_failed", "refused")
        assert score.explanation.startswith("refused: ")
