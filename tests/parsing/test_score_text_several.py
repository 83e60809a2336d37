"""A text with several numbers: which of them is the score."""

from __future__ import annotations

import pytest

from magistrate.parsing import parse_score
from magistrate.verdict import IssueCode, ParseStatus


def _score(reply: str, **more: str) -> float | None:
    return parse_score(reply, 0, 10, **more).value


class TestBehindANumberThatIsNone:
    @pytest.mark.parametrize(
        "first",
        [
            "Score: 3 errors.",
            "Score = 3 minus 1.",
            "Reference score: 9\n",
            "Expected rating: 9.",
            "Score: less than 9.",
            "Score: 2024-01-02",
            "A score above 6 is fine.",
            "Max score: 10\n",
            "max_score: 10\n",
            "Date: 2024-10-08.",
        ],
    )
    def test_a_label_is_read_all_the_same(self, first: str) -> None:
        assert _score(f"{first} Score: 8") == 8

    @pytest.mark.parametrize(
        "first",
        [
            "I'd give 3 reasons.",
            "The critic gives it a 9.",
            "It is a 4 star hotel.",
            "I rate it 6-7.",
            "I give it at most 9.",
            "I rate 3 of the stops.",
        ],
    )
    def test_a_sentence_is_read_all_the_same(self, first: str) -> None:
        assert _score(f"{first} I rate it 8.") == 8

    def test_a_part_of_the_top_is_read_all_the_same(self) -> None:
        assert _score("v1.2/10: 8/10") == 8


class TestScoresOfOneRank:
    @pytest.mark.parametrize("reply", ["Result: 8\nScore: 3", "[[8]] [[7]]", "Score: 8. Score: 7", "6/10 - 8/10"])
    def test_that_differ_leave_none(self, reply: str) -> None:
        assert _score(reply) is None

    @pytest.mark.parametrize(
        "reply", ["Result: 8\nScore: 8", "[[8]] [[8]]", "Score: 8. Score: 8", "Clarity score: 8\nTone score: 8"]
    )
    def test_that_agree_are_one(self, reply: str) -> None:
        assert _score(reply) == 8

    @pytest.mark.parametrize(
        "reply", ["Clarity score: 8\nTone: 3", "Clarity score: 8\nTone score: 3", "Clarity 8/10, tone 6/10"]
    )
    def test_of_parts_are_none_of_the_whole(self, reply: str) -> None:
        assert _score(reply) is None

    def test_without_end_are_no_rating(self) -> None:
        turns = " ".join(f"[[{3 + at % 2}]]" for at in range(64))
        found = parse_score(turns, 0, 10)
        assert {issue.code for issue in found.issues} == {IssueCode.CONFLICTING_VERDICTS}
        assert {issue.code for issue in parse_score(f"{turns} [[3]]", 0, 10).issues} == {IssueCode.MISSING_VERDICT}
        assert _score("[[3]] " * 66) == 3


class TestNamesOfScores:
    @pytest.mark.parametrize(
        "reply",
        [
            "Score (8)",
            "(score 8)",
            "[rating 8]",
            "rating 8",
            "Grade: 8",
            "Result: 8",
            "the result is 8.",
            "Score (0-10): 8",
            "Score from 0 to 10: 8",
            "| Score | 8 |",
            "Score: 8点",
            "Score:8。",
            "Score: 8 or so",
            "Score: 8\n- 2. more",
        ],
    )
    def test_stand_before_it_with_a_sign_or_in_brackets(self, reply: str) -> None:
        assert _score(reply) == 8

    @pytest.mark.parametrize(
        "reply", ["grade 8", "final: grade 8", "Score: 8?", "Score: 8+", "Score: 8 to 9", "Score: 8x", "Score: 8\n- 2"]
    )
    def test_a_doubt_a_range_and_a_measure_are_no_score(self, reply: str) -> None:
        assert _score(reply) is None

    def test_a_dash_may_be_a_minus_where_the_scale_has_such_numbers(self) -> None:
        assert parse_score("Score - 3", 1, 5).value == 3
        assert parse_score("Score - 3", -5, 5).value is None


class TestCutOff:
    @pytest.mark.parametrize("reply", ["Score: 8", "The log.\n\nScore: 8. Then"])
    def test_a_number_at_the_end_or_below_a_paragraph_may_not_be_the_last_word(self, reply: str) -> None:
        assert parse_score(reply, 0, 10, finish_reason="length").status is ParseStatus.TRUNCATED

    @pytest.mark.parametrize("reply", ["Score: 8. The log", "Score: 8\n\nAll", "The log\n\n[[8]] so"])
    def test_one_that_stands_first_or_in_brackets_is(self, reply: str) -> None:
        assert _score(reply, finish_reason="length") == 8
