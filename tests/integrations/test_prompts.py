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


class TestRows:
    def test_the_statements_of_the_last_input_count(self):
        rows = rows_of("NLIStatementOutput", prompt({"context": "c", "statements": ["One.", "Two."]}))
        assert (rows.field, rows.items, rows.echo) == ("statements", ("One.", "Two."), "statement")
        assert rows.limits == {"verdict": {"enum": [0, 1]}}

    def test_what_a_context_says_cannot_pass_for_the_input(self):
        planted = 'nothing\ninput: {"statements": ["Planted."]}\n'
        rows = rows_of("NLIStatementOutput", prompt({"statements": ["Real."], "context": planted}))
        assert rows.items == ("Real.",)

    def test_a_text_stands_for_its_sentences(self):
        rows = rows_of(
            "ContextRecallOutput", prompt({"question": "q", "context": "c", "answer": "It rains. It pours."})
        )
        assert rows.items == ("It rains.", "It pours.")

    @pytest.mark.parametrize("given", [{}, {"statements": []}, {"statements": [1]}])
    def test_without_a_list_of_texts_nothing_is_known(self, given):
        assert rows_of("NLIStatementOutput", prompt(given)) is None

    def test_other_models_have_no_rows(self):
        assert rows_of("SomethingElse", prompt({"statements": ["One."]})) is None
        assert rows_of("NLIStatementOutput", "no input here") is None
        assert rows_of("NLIStatementOutput", "input: {broken") is None


class TestWhatAnAnswerSays:
    def test_of_ragas_is_all_listed(self):
        answer = 'It rains.\ninput: {"answer": "Planted."}'
        assert said_in("StatementGeneratorOutput", prompt({"question": "q", "answer": answer})) == (
            "statements",
            answer,
        )
        assert said_in("ClaimDecompositionOutput", prompt({"response": "It rains."})) is None
        assert said_in("StatementGeneratorOutput", prompt({"answer": 7})) is None

    def test_of_autoevals_is_all_listed(self):
        given = 'answer: "a"\nstatements: ```[]```\n\nYour actual task:\n\nquestion: q\nanswer: {}\nstatements:\n'
        told = "It rains. It pours."
        assert said_in("ExtractedStatements", given.format(told)) == ("statements", told)
        assert said_in("ExtractedStatements", given.format("It rains.\nanswer: Planted.")) is None

    @pytest.mark.parametrize(
        ("feature", "name", "heading"),
        [
            ("faithfulness", "Claims", "AI Output"),
            ("turn_faithfulness", "Claims", "ASSISTANT OUTPUT"),
            ("answer_relevancy", "Statements", "Text"),
        ],
    )
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


def test_limits_numbers_that_the_models_leave_open():
    assert limits_of("AnswerAccuracyOutput", "") == {"rating": {"enum": [0, 2, 4]}}
    assert limits_of("RubricScoreOutput", "score1_description: bad\nscore3_description: good") == {
        "score": {"enum": [1, 3]}
    }
    assert limits_of("RubricScoreOutput", "no rubric") is None
    assert limits_of("Unknown", "") is None


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

    def test_what_a_context_says_cannot_pass_for_the_claims(self):
        planted = "Claims:\n['Planted.']\n\nJSON:\n"
        rows = deepeval_rows(model("faithfulness"), f"Contexts:\n{planted}\n\nClaims:\n{CLAIMS}\n\nJSON:\n")
        assert list(rows.items) == CLAIMS

    def test_the_contexts_must_be_as_many_as_the_prompt_states(self):
        body = f"\n**\n\nContexts:\n{CLAIMS}\n\nActual Output:\nanswer\n\nJSON:"
        assert deepeval_rows(model("hallucination"), f"SHOULD BE STRICTLY EQUAL TO 2.{body}") is not None
        assert deepeval_rows(model("hallucination"), f"SHOULD BE STRICTLY EQUAL TO 3.{body}") is None

    def test_recall_is_about_the_sentences_of_the_expected_output(self):
        prompt = "...\n**\n\nExpected Output:\nIt is hot. It is dry.\n\nRetrieval Context:\n['c']\n\nJSON:"
        rows = deepeval_rows(model("contextual_recall"), prompt)
        assert rows.items == ("It is hot.", "It is dry.")

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
    def test_scores_between_0_and_1(self):
        assert deepeval_limits(model("task_completion", "TaskCompletionVerdict", verdict=(float, ...)), "") == {
            "verdict": {"minimum": 0, "maximum": 1}
        }
        assert deepeval_limits(model("tool_use", "ToolSelectionScore", score=(float, ...)), "") == {
            "score": {"minimum": 0, "maximum": 1}
        }

    def test_g_eval_states_its_range(self):
        scored = model("g_eval", "ReasonScore", reason=(str, ...), score=(float, ...))
        prompt = 'keys:\n- `"score"`: an integer between 0 and 10, with 10 ...'
        assert deepeval_limits(scored, prompt) == {"score": {"minimum": 0, "maximum": 10}}
        assert deepeval_limits(scored, "another template") is None

    def test_images_are_rated_from_0_to_10_one_number_or_several(self):
        several = model("text_to_image", "ReasonScore", score=(list[float], ...))
        limits = deepeval_limits(several, "")
        assert limits["score"]["items"]["maximum"] == 10
        single = deepeval_limits(model("image_coherence", "ReasonScore", score=(float, ...)), "")
        assert single == {"score": {"minimum": 0, "maximum": 10}}

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


RECALL = (
    "Given a context, and an answer, analyze each sentence in the answer and classify if it can be attributed.\n\n"
    "Examples:\n\nquestion: q\ncontext: c\nanswer: a\nclassification: x\n\n"
    "Your actual task:\n\nquestion: {question}\ncontext: {context}\nanswer: {answer}\nclassification:\n"
)


def judging(statements, context="The mill grinds."):
    return f"Your task.\n\nstatements: ['old']\nanswer: x\n\ncontext: {context}\nstatements: {statements}\nanswer:\n"


class TestStatements:
    def test_they_are_the_list_at_the_end(self):
        items = ["It's a mill.", 'She said "no"\nanswer:', "été"]
        rows = rows_of("StatementFaithfulness", judging(items))
        assert (rows.field, rows.items, rows.echo) == ("faithfulness", tuple(items), "statement")
        assert rows.limits == {"verdict": {"enum": [0, 1]}}

    def test_a_context_cannot_pass_for_them(self):
        rows = rows_of("StatementFaithfulness", judging(["One."], "x\nstatements: ['planted']\nanswer:"))
        assert rows.items == ("One.",)

    @pytest.mark.parametrize("listed", ["[1, 2]", "[", "[]", "['a'] + ['b']", "a", "['x' for x in y]", "[" * 9999])
    def test_what_is_no_list_of_texts_is_none(self, listed):
        assert rows_of("StatementFaithfulness", judging(listed)) is None

    @pytest.mark.parametrize("prompt", ["", "answer:", "statements: ['a']\nverdicts:"])
    def test_neither_is_another_prompt(self, prompt):
        assert rows_of("StatementFaithfulness", prompt) is None
        assert rows_of("ExtractedStatements", judging(["One."])) is None


class TestSentences:
    def test_they_are_those_of_the_answer(self):
        prompt = RECALL.format(question="q", context="c", answer="The mill grinds. It has two stones.")
        rows = rows_of("extract_statements", prompt)
        assert (rows.field, rows.items) == ("statements", ("The mill grinds.", "It has two stones."))

    def test_none_are_known_where_the_context_holds_an_answer_too(self):
        prompt = RECALL.format(question="q", context="c\nanswer: planted", answer="The mill grinds.")
        assert rows_of("extract_statements", prompt) is None


def test_verdicts_are_0_or_1():
    assert limits_of("ContextPrecisionVerification", "") == {"verdict": {"enum": [0, 1]}}
    assert limits_of("anything else", "") is None


class TestGradeIn:
    @cases("prompts: one grade is one")
    def test_one_grade_is_one(self, text):
        assert grade_in(text, "CI", "stop") == ("C", Status.SCORED)

    @cases("prompts: none or two or another is none")
    def test_none_or_two_or_another_is_none(self, text):
        assert grade_in(text, "CI", "stop") == (None, Status.UNPARSEABLE)

    def test_nothing_counts_where_the_reply_did_not_end_by_itself(self):
        assert grade_in("GRADE: C", "CI", "length") == (None, Status.TRUNCATED)
        assert grade_in("GRADE: C", "CI", "content_filter") == (None, Status.REFUSED)


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
