"""promptfoo's two functions, called as its Python wrapper calls them."""

import json
import re

import pytest
from tests.case_tables import cases_of

from magistrate.integrations.promptfoo import call_api, get_assert

cases = cases_of(__file__)

STATEMENTS = ["The bakery opens at six.", "It sells bicycles.", "Rye bread is baked on Fridays."]


def grade(replies, label, **values):
    options = {"config": {"model": "gpt-4o", "api_base": replies.url}}
    return call_api("Grade this.", options, {"prompt": {"raw": "", "label": label}, "vars": values})


def words(*verdicts):
    return json.dumps(
        {"verdicts": {str(n): {"reason": "no. yes.", "verdict": word} for n, word in enumerate(verdicts, 1)}}
    )


def faithfulness(output, statements):
    """promptfoo 0.121's own reading of a grader's reply."""
    text = output.lower().strip()
    parts = [part for part in text.split("final verdict for each statement in order:")[1].split(".") if part.strip()]
    wrong = sum("yes" not in part for part in parts) + max(0, len(statements) - len(parts))
    return 1 - wrong / len(statements)


class TestGrader:
    def test_promptfoo_counts_right(self, replies):
        replies.texts = [words("yes", "no", "yes")]
        told = grade(replies, "context-faithfulness-nli", context="c", statements=STATEMENTS)
        assert told["output"] == "Final verdict for each statement in order: Yes. No. Yes."
        assert faithfulness(told["output"], STATEMENTS) == pytest.approx(2 / 3)
        assert told["tokenUsage"]["numRequests"] == 1
        assert told["cost"] > 0

    @cases("promptfoo: what cannot be read is an error")
    def test_what_cannot_be_read_is_an_error(self, replies, text, label, values, error):
        replies.texts = [text]
        told = grade(replies, label, **values)
        assert told["error"].startswith("magistrate: ")
        assert (error in told["error"], "output" in told) == (True, False)

    def test_a_rubric_gets_a_grade_in_range(self, replies):
        replies.texts = ['Sure: {"reason": "fine", "pass": true, "score": 0.75}']
        assert json.loads(grade(replies, "llm-rubric", rubric="r")["output"])["score"] == 0.75

    def test_recall_has_a_line_for_each_sentence(self, replies):
        replies.texts = [words("attributed", "not attributed")]
        output = grade(replies, "context-recall", context="c", groundTruth="It rains. It's 3.5 [Attributed] warm!")[
            "output"
        ]
        lines = [line for line in re.split(r"(?<=\.)\s|\n", output) if "attributed]" in line.lower()]
        assert len(lines) == 2
        assert ["not attributed" in line.lower() for line in lines] == [False, True]

    def test_the_first_step_gives_a_statement_a_line_and_nothing_else(self, replies):
        listed = json.dumps({"statements": ["It opens\nat six.", "It sells rye."]})
        replies.texts = [f"Here they are:\n```json\n{listed}\n```"]
        told = grade(replies, "context-faithfulness-longform", question="q", answer="a")
        assert told["output"] == "It opens at six.\nIt sells rye."

    def test_a_chat_is_sent_as_its_texts(self, replies):
        replies.texts = ["Fine."]
        chat = json.dumps([{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Go."}])
        call_api(chat, {"config": {"model": "gpt-4o", "api_base": replies.url}}, {"vars": {}})
        assert replies.prompt() == "Be brief.\n\nGo."

    def test_without_a_model_the_error_says_what_to_write(self):
        assert "config: {model: gpt-4o}" in call_api("p", {}, {})["error"]

    def test_an_option_that_no_judge_has_is_named(self):
        config = {"model": "gpt-4o", "tresholds": 0.8}
        assert "'tresholds'. Did you mean 'threshold'?" in call_api("p", {"config": config}, {})["error"]
        assert "'tresholds'. Did you mean 'threshold'?" in get_assert("An answer.", {"config": config})["reason"]


class TestAssertion:
    def test_one_component_per_statement(self):
        told = get_assert(
            "The bakery opens at six. It has a tower.",
            {"vars": {"query": "When?", "context": "The bakery opens at six."}, "config": {"model": "offline"}},
        )
        assert [component["pass"] for component in told["componentResults"]] == [True, False]
        assert told["componentResults"][1]["reason"] == "not_enough_info: It has a tower."
        assert (told["pass"], told["score"], told["namedScores"]) == (False, 0.5, {"faithfulness": 0.5})
        assert "graderError" not in told["metadata"]
        json.dumps(told)

    def test_a_threshold_decides(self):
        context = {"vars": {"context": "The bakery opens at six."}, "config": {"model": "offline", "threshold": 0.4}}
        assert get_assert("The bakery opens at six. It has a tower.", context)["pass"] is True

    def test_no_score_fails_and_says_why(self):
        told = get_assert("An answer.", {"vars": {}, "config": {"model": "offline"}})
        assert (told["pass"], told["score"], told["namedScores"]) == (False, 0.0, {})
        assert told["reason"].startswith("no_context: ")
        assert told["metadata"]["graderError"] is True

    @pytest.mark.parametrize("config", [{"model": "gpt-4o"}, {}])
    def test_a_judge_that_fails_is_a_graders_error_and_no_named_score(self, replies, config):
        replies.texts = ["I'm sorry, but I can't help with that."]
        given = {"vars": {"context": "The bakery opens."}, "config": config | {"api_base": replies.url}}
        told = get_assert("The bakery opens.", given)
        assert (told["pass"], told["metadata"]["graderError"], told.get("namedScores", {})) == (False, True, {})

    def test_other_names_of_the_variables(self):
        config = {"model": "offline", "context": "passages", "question": "ask"}
        told = get_assert(
            "The bakery opens at six.", {"vars": {"passages": ["The bakery opens at six."]}, "config": config}
        )
        assert told["pass"] is True
