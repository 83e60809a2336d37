"""Evaluator functions; with LangSmith and openevals where they are installed: `make interop NAME=langsmith`."""

import json

from tests.case_tables import cases_of

from magistrate.integrations.langsmith import as_async_evaluator, as_evaluator

cases = cases_of(__file__)

CONTEXT = ["The mill grinds on Mondays."]
INPUTS = {"question": "When does the mill grind?"}
OUTPUTS = {"answer": "The mill grinds on Mondays. It has two stones.", "context": CONTEXT}


class TestFunction:
    def test_the_score_comes_with_its_verdicts(self):
        found = as_evaluator("offline")(INPUTS, OUTPUTS)
        assert (found["key"], found["score"], found["value"]) == ("faithfulness", 0.5, "scored")
        assert found["comment"].startswith("supported 1 of 2")
        assert [row["verdict"] for row in found["metadata"]["verdicts"]] == ["supported", "not_enough_info"]
        assert json.loads(json.dumps(found)) == found

    async def test_asynchronously(self):
        assert (await as_async_evaluator("offline")(INPUTS, OUTPUTS))["score"] == 0.5

    def test_no_score_is_none_and_says_why(self, replies):
        replies.texts = ["I'm sorry, but I can't help with that."]
        found = as_evaluator("gpt-4o", api_base=replies.url)(INPUTS, OUTPUTS)
        assert (found["score"], found["value"], found["metadata"]["status"]) == (None, "refused", "refused")
        assert found["comment"].startswith("refused: ")

    @cases("langsmith: the parts are found where they usually are")
    def test_the_parts_are_found_where_they_usually_are(self, inputs, outputs, given):
        assert as_evaluator("offline")(inputs, outputs, None, **given)["score"] == 0.5

    def test_or_where_they_are_said_to_be(self):
        evaluator = as_evaluator("offline", answer="final", context="notes")
        assert evaluator(INPUTS, {"final": OUTPUTS["answer"], "notes": CONTEXT, "answer": "x"})["score"] == 0.5

    def test_they_are_not_guessed(self):
        found = as_evaluator("offline")(INPUTS, {"draft": "The mill.", "final": "It grinds.", "context": CONTEXT})
        assert (found["score"], found["value"]) == (None, "no_answer")
