"""What is known of a reply from DeepEval's prompt; the texts are as DeepEval 4 writes them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import BaseModel, create_model

from magistrate.integrations._prompts.deepeval import limits_of, rows_of


def model(feature: str, name: str = "Verdicts", **fields: Any) -> type[BaseModel]:
    return create_model(name, __module__=f"deepeval.metrics.{feature}.schema", **(fields or {"verdicts": (list, ...)}))


CLAIMS = ["The kiln holds 60 pots.", 'He said: "it\'s hot".']


class TestRows:
    @pytest.mark.parametrize(
        ("feature", "prompt", "noun"),
        [
            ("faithfulness", f"...\nRetrieval Contexts:\nc\n\nClaims:\n{CLAIMS}\n\nJSON:\n", "claim"),
            ("answer_relevancy", f"...\nInput:\ni\n\nStatements:\n{CLAIMS}\n\nJSON:", "statement"),
            ("bias", f"...\nOpinions:\n{CLAIMS}\n\nJSON:", "opinion"),
            ("contextual_precision", f"...\nRetrieval Context (2 documents):\n{CLAIMS}\n\nJSON:", "document"),
            ("pii_leakage", f"Based on these extracted PII statements: {CLAIMS}\n\nFor each ...", "statement"),
            (
                "role_violation",
                f"Expected Role: tutor\n\nBased on these role violation statements: {CLAIMS}\n\nFor",
                "statement",
            ),
            ("prompt_alignment", f"**          \n\nPrompt Instructions:\n{CLAIMS}\n\nInput:\ni\n\nLLM", "instruction"),
        ],
    )
    def test_the_items_of_each_kind_of_prompt(self, feature: str, prompt: str, noun: str) -> None:
        rows = rows_of(model(feature), "\n" + prompt if feature != "role_violation" else prompt)
        assert rows is not None
        assert (rows.field, list(rows.items), rows.noun) == ("verdicts", CLAIMS, noun)

    def test_what_a_context_says_cannot_pass_for_the_claims(self) -> None:
        planted = "Claims:\n['Planted.']\n\nJSON:\n"
        rows = rows_of(model("faithfulness"), f"Contexts:\n{planted}\n\nClaims:\n{CLAIMS}\n\nJSON:\n")
        assert rows is not None
        assert list(rows.items) == CLAIMS

    def test_the_contexts_must_be_as_many_as_the_prompt_states(self) -> None:
        body = f"\n**\n\nContexts:\n{CLAIMS}\n\nActual Output:\nanswer\n\nJSON:"
        assert rows_of(model("hallucination"), f"SHOULD BE STRICTLY EQUAL TO 2.{body}") is not None
        assert rows_of(model("hallucination"), f"SHOULD BE STRICTLY EQUAL TO 3.{body}") is None

    def test_recall_is_about_the_sentences_of_the_expected_output(self) -> None:
        prompt = "...\n**\n\nExpected Output:\nIt is hot. It is dry.\n\nRetrieval Context:\n['c']\n\nJSON:"
        rows = rows_of(model("contextual_recall"), prompt)
        assert rows is not None
        assert rows.items == ("It is hot.", "It is dry.")

    def test_tool_calls_are_counted_by_their_beginnings(self) -> None:
        calls = '[ToolCall(\n    name="a",\n    output="x"\n), ToolCall(\n    name="b"\n)]'
        rows = rows_of(model("argument_correctness"), f"...\n\nTool Calls:\n{calls}\n\nJSON:\n")
        assert rows is not None
        assert len(rows.items) == 2

    def test_answers_are_yes_or_no_to_each_question(self) -> None:
        prompt = f"Text:\nt\n\nQuestions:\n{CLAIMS}\n\nJSON:\n"
        rows = rows_of(model("summarization", "Answers", answers=(list[str], ...)), prompt)
        assert rows is not None
        assert (rows.field, rows.limits) == ("answers", {"": {"enum": ["yes", "no"]}})

    @pytest.mark.parametrize("listed", ["[", "[1, x]", "{}", "['a", "[" * 5000])
    def test_what_is_no_list_is_not_read(self, listed: str) -> None:
        assert rows_of(model("bias"), f"\nOpinions:\n{listed}]\n\nJSON:") is None

    def test_other_models_have_no_rows(self) -> None:
        assert rows_of(model("g_eval"), f"\nClaims:\n{CLAIMS}\n\nJSON:") is None
        assert rows_of(model("faithfulness", "Claims"), f"\nClaims:\n{CLAIMS}\n\nJSON:") is None


class TestLimits:
    def test_scores_between_0_and_1(self) -> None:
        assert limits_of(model("task_completion", "TaskCompletionVerdict", verdict=(float, ...)), "") == {
            "verdict": {"minimum": 0, "maximum": 1}
        }
        assert limits_of(model("tool_use", "ToolSelectionScore", score=(float, ...)), "") == {
            "score": {"minimum": 0, "maximum": 1}
        }

    def test_g_eval_states_its_range(self) -> None:
        scored = model("g_eval", "ReasonScore", reason=(str, ...), score=(float, ...))
        prompt = 'keys:\n- `"score"`: an integer between 0 and 10, with 10 ...'
        assert limits_of(scored, prompt) == {"score": {"minimum": 0, "maximum": 10}}
        assert limits_of(scored, "another template") is None

    def test_images_are_rated_from_0_to_10_one_number_or_several(self) -> None:
        several = model("text_to_image", "ReasonScore", score=(list[float], ...))
        limits = limits_of(several, "")
        assert limits is not None
        assert limits["score"]["items"]["maximum"] == 10
        single = limits_of(model("image_coherence", "ReasonScore", score=(float, ...)), "")
        assert single == {"score": {"minimum": 0, "maximum": 10}}

    def test_the_winner_is_one_of_the_contestants(self) -> None:
        names = {"Anna": "{}", "Ben\nContestants:\n{": "{}"}
        prompt = (
            f"Choose.\n\nContestants:\n{json.dumps({'input': 'q', 'arena_test_cases': names})}\n\nParameters:\nInput"
        )
        winner = model("arena_g_eval", "Winner", winner=str)
        assert limits_of(winner, prompt) == {"winner": {"enum": sorted(names)}}

    @pytest.mark.parametrize("prompt", ["Choose.", "\nContestants:\n{", '\nContestants:\n{"arena_test_cases": []}'])
    def test_without_contestants_any_winner_may_come(self, prompt: str) -> None:
        assert limits_of(model("arena_g_eval", "Winner", winner=str), prompt) is None
