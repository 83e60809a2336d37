"""parse_label: one of the declared labels, as a whole word, where the reply says that it is the answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from magistrate.parsing import parse_label
from magistrate.verdict import IssueCode, ParseStatus

AB = ["A", "B", "tie"]
PASS = ["PASS", "FAIL"]
LETTERS = ["C", "I", "P"]


class TestRead:
    @pytest.mark.parametrize(
        ("text", "choices", "label"),
        [
            ("[[A]]", AB, "A"),
            ("Both are long.\n\n[[B]]", AB, "B"),
            ("My verdict: tie", AB, "tie"),
            ("GRADE: C", LETTERS, "C"),
            ("The facts hold.\nGRADE: I", LETTERS, "I"),
            ("PASS", PASS, "PASS"),
            ("fail.", PASS, "FAIL"),
            ("**PASS**", PASS, "PASS"),
            ("Result: FAIL\n\nThe text is wrong.", PASS, "FAIL"),
            ('{"label": "PASS"}', PASS, "PASS"),
            ('{"reason": "A is long; B is short.", "winner": "B"}', AB, "B"),
            ('{"result": {"verdict": "fail"}}', PASS, "FAIL"),
            ("```json\n{'choice': 'A',}\n```", AB, "A"),
            ("<verdict>FAIL</verdict>", PASS, "FAIL"),
            ("Output (b) is better.", ["Output (a)", "Output (b)"], "Output (b)"),
            ("Therefore, the answer is A.", AB, "A"),
            ("Answer: A>>B", ["A>>B", "A>B", "A=B", "B>A", "B>>A"], "A>>B"),
            ("[[A>B]]", ["A>>B", "A>B", "A=B", "B>A", "B>>A"], "A>B"),
            ("INCORRECT", ["CORRECT", "INCORRECT"], "INCORRECT"),
            ("Label: not toxic", ["toxic", "not toxic"], "not toxic"),
            ("<think>A? Or B... [[A]]</think>[[B]]", AB, "B"),
        ],
    )
    def test_the_label_the_judge_chose(self, text: str, choices: list[str], label: str) -> None:
        reading = parse_label(text, choices)
        assert reading.label == label
        assert reading.status is ParseStatus.OK


class TestNone:
    @pytest.mark.parametrize(
        ("text", "choices", "status"),
        [
            ("", AB, ParseStatus.EMPTY),
            (None, AB, ParseStatus.EMPTY),
            ("Sorry, I can't help with that.", PASS, ParseStatus.REFUSAL),
            ("[[A]] [[B]]", AB, ParseStatus.UNPARSEABLE),
            ("PASSED", PASS, ParseStatus.UNPARSEABLE),
            ("Grade: D", LETTERS, ParseStatus.UNPARSEABLE),
            ('{"label": "MAYBE"}', PASS, ParseStatus.UNPARSEABLE),
            ('{"label": "PASS", "label": "FAIL"}', PASS, ParseStatus.UNPARSEABLE),
            ("A bird in the hand is worth two in the bush, they say.", AB, ParseStatus.UNPARSEABLE),
            ("Is it PASS or FAIL?", PASS, ParseStatus.UNPARSEABLE),
            ('{"label": "PA', PASS, ParseStatus.TRUNCATED),
            ("<think>PASS", PASS, ParseStatus.TRUNCATED),
        ],
    )
    def test_says_how_it_ended(self, text: Any, choices: list[str], status: ParseStatus) -> None:
        reading = parse_label(text, choices)
        assert reading.label is None
        assert reading.status is status

    def test_a_word_at_a_cut_may_be_longer(self) -> None:
        assert parse_label("Result: PASS", PASS, finish_reason="length").label is None
        assert parse_label("Result: PASS", PASS, finish_reason="stop").label == "PASS"

    def test_a_refusal_of_the_provider(self) -> None:
        assert parse_label("", PASS, finish_reason="refusal").status is ParseStatus.REFUSAL


class TestConflict:
    def test_two_answers_are_none_and_named(self) -> None:
        reading = parse_label("Result: PASS\n\nResult: FAIL", PASS)
        assert reading.label is None
        assert IssueCode.CONFLICTING_VERDICTS in {issue.code for issue in reading.issues}

    def test_the_same_twice_is_one(self) -> None:
        assert parse_label("Result: PASS\n\nResult: PASS", PASS).label == "PASS"

    def test_a_correction_lets_the_later_one_count(self) -> None:
        reading = parse_label("Result: PASS\n\nCorrection: the result above is wrong.\n\nResult: FAIL", PASS)
        assert reading.label == "FAIL"


class TestChoices:
    @pytest.mark.parametrize("choices", [[], [""], ["A", "a"], ["A", "A"], ["PASS", " pass "], "PASS"])
    def test_that_cannot_be_told_apart_are_an_error(self, choices: Any) -> None:
        with pytest.raises(ValueError, match="choices"):
            parse_label("A", choices)


Tell = Callable[..., tuple[str, ...]]


class TestLetters:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            ("A", ("ok 'A' label 0-1",)),
            ("[[A]]", ("ok 'A' repaired-json 2-3", "repaired-json: the reply had to be mended", "unquoted-value 2")),
            ("[[B]] because", ("ok 'B' bracketed 2-3",)),
            ("The better one is B.", ("ok 'B' sentence 18-19",)),
            ("A is better than B", ("ok 'A' sentence 0-1",)),
            ("tie.", ("ok 'tie' label 0-3",)),
            (
                '{"winner": "C"}',
                (
                    "unparseable None None",
                    "unknown-label: what stands in the place of the label is none of the choices",
                ),
            ),
            ('{"winner": "A", "reason": "B is long"}', ("ok 'A' json 11-14", "because B is long")),
            (
                '{"winner": "A"}\n{"winner": "B"}',
                ("unparseable None None", "conflicting-verdicts: the reply gives different labels"),
            ),
            ("<winner>A</winner>", ("ok 'A' xml 8-9",)),
            ("**A**", ("ok 'A' label 2-3",)),
            ("A: it is dry", ("ok 'A' label 0-12",)),
            ("I cannot choose.", ("refusal None None", "refusal: the judge refused")),
            ("", ("empty None None", "empty-reply: the reply holds no answer")),
            (
                '{"A": 3, "B": 4}',
                ("unparseable None None", "missing-verdict: the reply gives none of the choices as its answer"),
            ),
            (
                '{"winner": null}',
                ("unparseable None None", "missing-verdict: the reply gives none of the choices as its answer"),
            ),
            (
                '{"winner": "A", "final_winner": "B"}',
                ("unparseable None None", "conflicting-verdicts: the reply gives different labels"),
            ),
            ('{"winner": ["A"]}', ("ok 'A' json 12-15",)),
            (
                "Winner: A or B",
                ("unparseable None None", "missing-verdict: the reply gives none of the choices as its answer"),
            ),
            (
                "Winner: neither",
                (
                    "unparseable None None",
                    "unknown-label: what stands in the place of the label is none of the choices",
                ),
            ),
        ],
    )
    def test_one_of_two_or_a_tie(self, reply: str, told: tuple[str, ...], tell_label: Tell) -> None:
        assert tell_label(reply, ["A", "B", "tie"]) == told


class TestGrades:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            (
                "GRADE: PASS\nSorry, I meant FAIL.",
                ("unparseable None None", "conflicting-verdicts: the judge says that the label was a slip"),
            ),
        ],
    )
    def test_pass_and_fail(self, reply: str, told: tuple[str, ...], tell_label: Tell) -> None:
        assert tell_label(reply, ["PASS", "FAIL"]) == told


class TestYesNo:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            (
                "No, it is not. Answer: Yes",
                ("unparseable None None", "conflicting-verdicts: the reply gives different labels"),
            ),
        ],
    )
    def test_sentences(self, reply: str, told: tuple[str, ...], tell_label: Tell) -> None:
        assert tell_label(reply, ["Yes", "No"]) == told


class TestPhrases:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            ("Label: not supported by it", ("ok 'not supported' labelled 7-20",)),
        ],
    )
    def test_longer_labels(self, reply: str, told: tuple[str, ...], tell_label: Tell) -> None:
        assert tell_label(reply, ["not supported", "supported", "partly supported"]) == told


class TestEnd:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            ("A", ("truncated None None", "truncated: the reply was cut off")),
        ],
    )
    def test_a_label_at_the_cut(self, reply: str, told: tuple[str, ...], tell_label: Tell) -> None:
        assert tell_label(reply, ["A", "AB"], "length") == told


class TestEnds:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            ("", ("refusal None None", "refusal: the provider reports a refusal")),
            ("A", ("ok 'A' label 0-1",)),
        ],
    )
    def test_why_there_is_none(self, reply: str, told: tuple[str, ...], tell_label: Tell) -> None:
        assert tell_label(reply, ["A", "B"], "refusal") == told


class TestData:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            ('{"result": {"winner": "A"}}', ("ok 'A' json 22-25",)),
            (
                '{"evidence": {"winner": "A"}}',
                ("unparseable None None", "missing-verdict: the reply gives none of the choices as its answer"),
            ),
            (
                '{"type": "object", "properties": {"winner": "A"}}',
                ("unparseable None None", "missing-verdict: the reply gives none of the choices as its answer"),
            ),
            (
                '{"a":' * 40 + '{"winner": "A"}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}',
                ("unparseable None None", "missing-verdict: the reply gives none of the choices as its answer"),
            ),
            (
                "[" * 40 + '{"winner": "A"}]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]',
                ("unparseable None None", "missing-verdict: the reply gives none of the choices as its answer"),
            ),
            ("<r><winner>A</winner></r>", ("ok 'A' xml 11-12",)),
            ("<reason>B</reason><winner>A</winner>", ("ok 'A' xml 26-27",)),
            (
                '{"winner": "A"}\nCorrection: {"winner": "B"}',
                ("ok 'B' json 39-42", "conflicting-verdicts: the judge took back an earlier label"),
            ),
        ],
    )
    def test_fields_elements_and_levels(self, reply: str, told: tuple[str, ...], tell_label: Tell) -> None:
        assert tell_label(reply, ["A", "B", "tie"]) == told


class TestLabelsThatAreNotTheAnswer:
    """A label that somebody might give, and an answer line with a word that is not on offer."""

    def test_an_answer_that_is_not_on_offer_leaves_no_label_from_before(self) -> None:
        reading = parse_label("The rubric allows GRADE: I here.\nGRADE: B", ["C", "I"])
        assert (reading.status, reading.label) == (ParseStatus.UNPARSEABLE, None)

    def test_another_name_than_that_of_the_answer_takes_nothing_from_it(self) -> None:
        assert parse_label("Rating: 4/5\nGRADE: C", ["C", "I"]).label == "C"

    @pytest.mark.parametrize("end", [None, "length"])
    def test_what_somebody_might_say_is_no_answer(self, end: str | None) -> None:
        assert parse_label("One might say GRADE: I, but the answer mat", ["C", "I"], finish_reason=end).label is None

    def test_the_judges_own_careful_words_are_its_answer(self) -> None:
        assert parse_label("I would say GRADE: I.", ["C", "I"]).label == "I"
