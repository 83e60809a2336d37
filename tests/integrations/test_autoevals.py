"""Autoevals itself, with our judge behind its scorers and our metrics among them."""

import json

import openai
import pytest
from autoevals import Factuality, init
from autoevals.ragas import ContextPrecision, ContextRecall, Faithfulness
from autoevals.score import Score

from magistrate import as_async_openai_client, as_openai_client
from magistrate.integrations.autoevals import MagistrateScorer

CASE = {"input": "When does the mill grind?", "output": "The mill grinds on Mondays. It has two stones."}
CONTEXT = ["The mill grinds on Mondays."]
STATEMENTS = json.dumps({"statements": ["The mill grinds on Mondays.", "The mill has two stones."]})


def judged(*verdicts):
    rows = {str(at): {"reason": "r", "verdict": verdict} for at, verdict in enumerate(verdicts, 1)}
    return json.dumps({"faithfulness": rows})


def faithfulness(replies, *texts):
    replies.texts = [STATEMENTS, *texts]
    client = as_openai_client("gpt-4o", api_base=replies.url)
    return Faithfulness(client=client, model="gpt-4o").eval(**CASE, context=CONTEXT)


class TestListsOfStatements:
    def test_each_has_its_verdict(self, replies):
        score = faithfulness(replies, f"```json\n{judged(1, 0)}\n```")
        assert score.score == 0.5
        assert [row["statement"] for row in score.metadata["faithfulness"]] == score.metadata["statements"]

    def test_what_is_missing_is_asked_for_again(self, replies):
        second = json.dumps({"faithfulness": {"2": {"reason": "r", "verdict": 0}}})
        assert faithfulness(replies, judged(1), second).score == 0.5
        assert len(replies.calls) == 3

    @pytest.mark.parametrize("text", [judged(1), judged(1, 7), "I'm sorry, but I can't help with that."])
    def test_else_it_is_an_error_of_the_client(self, replies, text):
        with pytest.raises(openai.UnprocessableEntityError):
            faithfulness(replies, text)

    def test_sentences_of_the_expected_answer(self, replies):
        rows = {str(at): {"attributed": word, "reason": "r"} for at, word in enumerate((1, 0), 1)}
        replies.texts = [json.dumps({"statements": rows})]
        client = as_openai_client("gpt-4o", api_base=replies.url)
        scorer = ContextRecall(client=client, model="gpt-4o")
        assert scorer.eval(**CASE, expected=CASE["output"], context=CONTEXT).score == 0.5


class TestLabels:
    @pytest.mark.parametrize("model", ["gpt-4o", "gpt-5-mini"])  # asked by chat, and for a response
    def test_a_mended_choice(self, replies, model):
        replies.texts = ["Well: {'reasons': 'r', 'choice': 'C',}"]
        client = as_openai_client(model, api_base=replies.url)
        assert Factuality(client=client, model=model).eval(**CASE, expected="It grinds on Mondays.").score == 1

    def test_a_choice_that_is_not_offered_is_asked_for_again(self, replies):
        replies.texts = [json.dumps({"reasons": "r", "choice": letter}) for letter in "ZA"]
        init(client=as_openai_client("gpt-4o", api_base=replies.url), default_model="gpt-4o")
        try:
            assert Factuality().eval(**CASE, expected="It grinds on Mondays.").metadata["choice"] == "A"
        finally:
            init()

    async def test_from_async_code(self, replies):
        replies.texts = ["{'reasons': 'r', 'choice': 'D'}"]
        client = as_async_openai_client("gpt-4o", api_base=replies.url)
        score = await Factuality(client=client, model="gpt-4o").eval_async(**CASE, expected="On Sundays.")
        assert score.score == 0

    def test_a_verdict_that_is_no_verdict_is_none(self, replies):
        replies.texts = [json.dumps({"reason": "r", "verdict": 7})]
        client = as_openai_client("gpt-4o", api_base=replies.url)
        with pytest.raises(openai.UnprocessableEntityError):
            ContextPrecision(client=client, model="gpt-4o").eval(**CASE, expected="On Mondays.", context=CONTEXT)


class TestScorer:
    async def test_the_score_comes_with_its_verdicts(self):
        scorer = MagistrateScorer("offline")
        score = scorer(**CASE, context=CONTEXT)
        assert (score.name, score.score) == ("faithfulness", 0.5)
        assert [row["verdict"] for row in score.metadata["verdicts"]] == ["supported", "not_enough_info"]
        assert (await scorer.eval_async(**CASE, metadata={"context": CONTEXT})).score == score.score

    def test_no_score_is_skipped_and_says_why(self):
        score = MagistrateScorer("offline").eval(**CASE)
        assert isinstance(score, Score)
        assert (score.score, score.metadata["status"]) == (None, "no_context")
        assert score.metadata["rationale"].startswith("no_context: ")
