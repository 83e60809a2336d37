"""parse_label: one of the declared labels, as a whole word, where the reply says that it is the answer."""

from __future__ import annotations

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
