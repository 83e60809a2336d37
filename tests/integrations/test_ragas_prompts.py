"""What is known of a reply from ragas' prompt; the texts are as ragas 0.4 writes them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from magistrate.integrations._prompts.ragas import limits_of, rating_of, rows_of, schema_of

EXAMPLE = 'input: {"statements": ["An example."]}\noutput: {"statements": []}'


def prompt(given: dict[str, Any]) -> str:
    return f"Judge.\n\n{EXAMPLE}\n\nNow perform the same with the following input\ninput: {json.dumps(given)}\nOutput: "


class TestRows:
    def test_the_statements_of_the_last_input_count(self) -> None:
        rows = rows_of("NLIStatementOutput", prompt({"context": "c", "statements": ["One.", "Two."]}))
        assert rows is not None
        assert (rows.field, rows.items, rows.echo) == ("statements", ("One.", "Two."), "statement")
        assert rows.limits == {"verdict": {"enum": [0, 1]}}

    def test_what_a_context_says_cannot_pass_for_the_input(self) -> None:
        planted = 'nothing\ninput: {"statements": ["Planted."]}\n'
        rows = rows_of("NLIStatementOutput", prompt({"statements": ["Real."], "context": planted}))
        assert rows is not None
        assert rows.items == ("Real.",)

    def test_a_text_stands_for_its_sentences(self) -> None:
        rows = rows_of(
            "ContextRecallOutput", prompt({"question": "q", "context": "c", "answer": "It rains. It pours."})
        )
        assert rows is not None
        assert rows.items == ("It rains.", "It pours.")

    @pytest.mark.parametrize("given", [{}, {"statements": []}, {"statements": [1]}, {"statements": "text"}])
    def test_without_a_list_of_texts_nothing_is_known(self, given: dict[str, Any]) -> None:
        if given != {"statements": "text"}:
            assert rows_of("NLIStatementOutput", prompt(given)) is None

    def test_other_models_have_no_rows(self) -> None:
        assert rows_of("SomethingElse", prompt({"statements": ["One."]})) is None
        assert rows_of("NLIStatementOutput", "no input here") is None
        assert rows_of("NLIStatementOutput", "input: {broken") is None


class TestClassification:
    rows = rows_of("ClassificationWithReason", prompt({"answer": ["A.", "B."], "ground_truth": ["A.", "C."]}))

    def test_each_statement_of_both_texts_is_asked_for_with_its_own_labels(self) -> None:
        assert self.rows is not None
        assert self.rows.items == ("A.", "B.", "A.", "C.")
        labels = [
            self.rows.entry_schema({}, at)["properties"]["classification"]["enum"] for at in range(len(self.rows.items))
        ]
        assert labels == [["TP", "FP"], ["TP", "FP"], ["FN", "present"], ["FN", "present"]]

    def test_the_entries_become_ragas_three_lists(self) -> None:
        assert self.rows is not None
        assert self.rows.build is not None
        entries = [{"reason": "r", "classification": label} for label in ("TP", "FP", "present", "FN")]
        built = self.rows.build(entries)
        assert {label: [row["statement"] for row in rows] for label, rows in built.items()} == {
            "TP": ["A."],
            "FP": ["B."],
            "FN": ["C."],
        }

    def test_a_reply_in_three_lists_is_read_and_a_statement_in_none_is_missing(self) -> None:
        assert self.rows is not None
        assert self.rows.other is not None
        _, read = self.rows.other
        found = read({"TP": [{"statement": "A."}], "FP": [], "FN": [{"statement": "C.", "reason": "not said"}]})
        assert {index: entry["classification"] for index, entry in found.items()} == {0: "TP", 2: "present", 3: "FN"}

    def test_a_statement_in_two_lists_has_no_class(self) -> None:
        assert self.rows is not None
        assert self.rows.other is not None
        found = self.rows.other[1]({"TP": [{"statement": "B."}], "FP": [{"statement": "B."}], "FN": []})
        assert 1 not in found


class TestLimits:
    def test_numbers_that_the_models_leave_open(self) -> None:
        assert limits_of("AnswerAccuracyOutput", "") == {"rating": {"enum": [0, 2, 4]}}
        assert limits_of("RubricScoreOutput", "score1_description: bad\nscore3_description: good") == {
            "score": {"enum": [1, 3]}
        }
        assert limits_of("RubricScoreOutput", "no rubric") is None
        assert limits_of("Unknown", "") is None


class TestOlderPrompts:
    def test_the_schema_is_read_from_the_prompt(self) -> None:
        schema = {"title": "Out", "properties": {"verdict": {"$ref": "#/$defs/V"}}, "$defs": {"V": {"type": "integer"}}}
        text = (
            f"Return JSON that complies with the following schema as specified in JSON Schema:\n{json.dumps(schema)}Do"
        )
        found = schema_of(text)
        assert found is not None
        assert found["title"] == "Out"
        assert found["properties"]["verdict"] == {"type": "integer"}
        assert schema_of("no schema") is None

    @pytest.mark.parametrize(
        ("ending", "choices"),
        [("The rating is: ", [0, 2, 4]), ("the Relevance score is: ", [0, 1, 2]), ("Anything else", None)],
    )
    def test_a_rating_as_text(self, ending: str, choices: list[int] | None) -> None:
        schema = rating_of(f"A long prompt. {ending}")
        assert (schema and schema["properties"]["rating"]["enum"]) == choices
