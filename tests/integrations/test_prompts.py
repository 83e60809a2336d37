"""What is known of a reply from a framework's prompt; the texts are as the frameworks write them."""

import json

import pytest
from pydantic import create_model
from tests.case_tables import cases_of

from magistrate.integrations._prompts import grade_in, letters_offered, stated_limits
from magistrate.integrations._prompts.deepeval import limits_of as deepeval_limits
from magistrate.integrations._prompts.deepeval import rows_of as deepeval_rows
from magistrate.integrations._prompts.deepeval import said_in as deepeval_said
from magistrate.integrations._prompts.ragas import limits_of, rating_of, rows_of, said_in, schema_of
from magistrate.verdict import Status

cases = cases_of(__file__)

EXAMPLE = 'input: {"statements": ["An example."]}\noutput: {"statements": []}'


def prompt(given):
    return f"Judge.\n\n{EXAMPLE}\n\nNow perform the same with the following input\ninput: {json.dumps(given)}\nOutput: "


def text_of(given):
    return given if isinstance(given, str) else prompt(given)


def judging(statements):
    return f"Your task.\n\nstatements: ['old']\nanswer: x\n\ncontext: c\nstatements: {statements}\nanswer:\n"


class TestRows:
    @cases("prompts: what the last input asks for")
    def test_what_the_last_input_asks_for(self, name, given, found):
        rows = rows_of(name, text_of(given))
        assert (rows and {rows.field: list(rows.items)}) == found

    @pytest.mark.parametrize("listed", ["[1, 2]", "[", "[]", "['a'] + ['b']", "a", "['x' for x in y]", "[" * 9999])
    def test_what_is_no_list_of_texts_is_none(self, listed):
        assert rows_of("StatementFaithfulness", judging(listed)) is None

    @pytest.mark.parametrize(
        ("name", "given"),
        [("NLIStatementOutput", prompt({"statements": ["a"]})), ("StatementFaithfulness", judging(["a"]))],
    )
    def test_statements_are_told_back_with_0_or_1(self, name, given):
        rows = rows_of(name, given)
        assert (rows.echo, rows.limits) == ("statement", {"verdict": {"enum": [0, 1]}})


class TestWhatAnAnswerSays:
    @cases("prompts: of ragas and autoevals")
    def test_of_ragas_and_autoevals_is_all_listed(self, name, given, found):
        assert said_in(name, text_of(given)) == (found and tuple(found))

    @cases("prompts: what an answer says")
    def test_of_deepeval_is_all_listed(self, feature, name, heading):
        told = "It rains.\n\nJSON:\nText:\nIt pours."
        given = f"Example Text: a\nExample:\n**\n\n{heading}:\n{told}\n\nJSON:\n"
        assert deepeval_said(model(feature, name), given) == (name.lower(), told)
        assert deepeval_said(model(feature, "Truths"), given) is None
        assert deepeval_said(model("bias", name), given) is None
        assert deepeval_said(model(feature, name), "another template") is None


class TestClassification:
    rows = rows_of("ClassificationWithReason", prompt({"answer": ["A.", "B."], "ground_truth": ["A.", "C."]}))

    def test_each_statement_of_both_texts_is_asked_for_with_its_own_labels(self):
        assert self.rows.items == ("A.", "B.", "A.", "C.")
        labels = [
            self.rows.entry_schema({}, at)["properties"]["classification"]["enum"] for at in range(len(self.rows.items))
        ]
        assert labels == [["TP", "FP"], ["TP", "FP"], ["FN", "present"], ["FN", "present"]]

    def test_the_entries_become_ragas_three_lists(self):
        entries = [{"reason": "r", "classification": label} for label in ("TP", "FP", "present", "FN")]
        built = self.rows.build(entries)
        assert {label: [row["statement"] for row in rows] for label, rows in built.items()} == {
            "TP": ["A."],
            "FP": ["B."],
            "FN": ["C."],
        }

    def test_a_reply_in_three_lists_is_read_and_a_statement_in_none_is_missing(self):
        assert self.rows.other is not None
        _, read = self.rows.other
        found = read({"TP": [{"statement": "A."}], "FP": [], "FN": [{"statement": "C.", "reason": "not said"}]})
        assert {index: entry["classification"] for index, entry in found.items()} == {0: "TP", 2: "present", 3: "FN"}

    def test_a_statement_in_two_lists_has_no_class(self):
        found = self.rows.other[1]({"TP": [{"statement": "B."}], "FP": [{"statement": "B."}], "FN": []})
        assert 1 not in found


@cases("prompts: numbers that the models leave open")
def test_limits_numbers_that_the_models_leave_open(name, prompt, limits):
    assert limits_of(name, prompt) == limits


class TestOlderPrompts:
    def test_the_schema_is_read_from_the_prompt(self):
        schema = {"title": "Out", "properties": {"verdict": {"$ref": "#/$defs/V"}}, "$defs": {"V": {"type": "integer"}}}
        text = (
            f"Return JSON that complies with the following schema as specified in JSON Schema:\n{json.dumps(schema)}Do"
        )
        found = schema_of(text)
        assert found["title"] == "Out"
        assert found["properties"]["verdict"] == {"type": "integer"}
        assert schema_of("no schema") is None

    @cases("prompts: a rating as text")
    def test_a_rating_as_text(self, ending, choices):
        schema = rating_of(f"A long prompt. {ending}")
        assert (schema and schema["properties"]["rating"]["enum"]) == choices


def model(feature, name="Verdicts", **fields):
    return create_model(name, __module__=f"deepeval.metrics.{feature}.schema", **(fields or {"verdicts": (list, ...)}))


CLAIMS = ["The kiln holds 60 pots.", 'He said: "it\'s hot".']


class TestRowsOfDeepEval:
    @cases("prompts: the items of each kind of prompt")
    def test_the_items_of_each_kind_of_prompt(self, feature, prompt, noun):
        rows = deepeval_rows(model(feature), "\n" + prompt if feature != "role_violation" else prompt)
        assert (rows.field, list(rows.items), rows.noun) == ("verdicts", CLAIMS, noun)

    @cases("prompts: the items that are asked for")
    def test_the_items_that_are_asked_for(self, feature, prompt, items):
        rows = deepeval_rows(model(feature), prompt)
        assert (rows and list(rows.items)) == items

    def test_tool_calls_are_counted_by_their_beginnings(self):
        calls = '[ToolCall(\n    name="a",\n    output="x"\n), ToolCall(\n    name="b"\n)]'
        rows = deepeval_rows(model("argument_correctness"), f"...\n\nTool Calls:\n{calls}\n\nJSON:\n")
        assert len(rows.items) == 2

    def test_answers_are_yes_or_no_to_each_question(self):
        prompt = f"Text:\nt\n\nQuestions:\n{CLAIMS}\n\nJSON:\n"
        rows = deepeval_rows(model("summarization", "Answers", answers=(list[str], ...)), prompt)
        assert (rows.field, rows.limits) == ("answers", {"": {"enum": ["yes", "no"]}})

    @pytest.mark.parametrize("listed", ["[", "[1, x]", "{}", "['a", "[" * 5000])
    def test_what_is_no_list_is_not_read(self, listed):
        assert deepeval_rows(model("bias"), f"\nOpinions:\n{listed}]\n\nJSON:") is None

    def test_other_models_have_no_rows(self):
        assert deepeval_rows(model("g_eval"), f"\nClaims:\n{CLAIMS}\n\nJSON:") is None
        assert deepeval_rows(model("faithfulness", "Claims"), f"\nClaims:\n{CLAIMS}\n\nJSON:") is None


class TestLimitsOfDeepEval:
    @cases("prompts: the limits of each kind of score")
    def test_of_each_kind_of_score(self, feature, name, field, prompt, limits):
        kind = list[float] if limits and "items" in limits[field] else float
        assert deepeval_limits(model(feature, name, **{field: (kind, ...)}), prompt) == limits

    def test_the_winner_is_one_of_the_contestants(self):
        names = {"Anna": "{}", "Ben\nContestants:\n{": "{}"}
        prompt = (
            f"Choose.\n\nContestants:\n{json.dumps({'input': 'q', 'arena_test_cases': names})}\n\nParameters:\nInput"
        )
        winner = model("arena_g_eval", "Winner", winner=str)
        assert deepeval_limits(winner, prompt) == {"winner": {"enum": sorted(names)}}

    @pytest.mark.parametrize("prompt", ["Choose.", "\nContestants:\n{", '\nContestants:\n{"arena_test_cases": []}'])
    def test_without_contestants_any_winner_may_come(self, prompt):
        assert deepeval_limits(model("arena_g_eval", "Winner", winner=str), prompt) is None


class TestGradeIn:
    @cases("prompts: one grade of a whole reply is one")
    def test_one_grade_of_a_whole_reply_is_one(self, text, finish, grade, status):
        assert grade_in(text, "CI", finish) == (grade, Status(status))


class TestLettersOffered:
    def test_they_are_those_of_inspects_instructions(self):
        said = "reply with 'GRADE: $LETTER' (without quotes) where LETTER is one of CPI.  Please choose ONE"
        assert letters_offered(said) == "CPI"

    def test_other_prompts_offer_none(self):
        assert letters_offered("Is it right? End with GRADE: C or GRADE: I.") == ""


def schema(**node):
    return {"type": "object", "properties": {"score": node, "reason": {"type": "string"}}}


@cases("prompts: a range in words is a range")
def test_a_range_in_words_is_a_range(words, low, high):
    words = words.replace("Between", "between")
    for kind in ("number", "integer"):
        assert stated_limits(schema(type=kind, description=words)) == {"score": {"minimum": low, "maximum": high}}


@cases("prompts: what is not stated clearly is no range")
def test_what_is_not_stated_clearly_is_no_range(node):
    assert stated_limits({"properties": {"score": node}}) is None


def test_a_schema_without_properties_states_none():
    assert stated_limits({"type": "array"}) is None
