"""Scores and labels that a text only talks about are none."""

from __future__ import annotations

import pytest

from magistrate.parsing import parse_label, parse_score, parse_verdicts
from magistrate.verdict import Verdict


class TestScores:
    @pytest.mark.parametrize(
        "reply",
        [
            "It doesn't deserve a 5.",
            "This is not worth a score of 5.",
            "I do not think this deserves a 5.",
            "I don't believe the answer merits a score of 5.",
            "It could get a 5.",
            "It might deserve a 4.",
            "With sources it would get a 5.",
            "If it had sources, the score would be 5.",
            "I would give it a 5 if it named its sources.",
            "A score of 5 requires sources.",
            "A 5 would need sources.",
            "A score of 5 indicates a full answer.",
            "The highest score is 5. The lowest is 1.",
            "Max score: 5",
            "Passing score: 3",
            "Baseline score: 2",
            "User's own rating: 5",
            "Expected score: 5",
            "It earns 2 points for style and 3 for content.",
            "Score: 4 -> 5",
            "Score: 4 5",
            "Score: 4, 5",
            "Total: 3 + 1 = 4",
        ],
    )
    def test_what_is_not_given_is_no_score(self, reply: str) -> None:
        assert parse_score(reply, 1, 5).value is None

    @pytest.mark.parametrize(
        ("reply", "value"),
        [
            ("A score of 3 would be too low; I give 4.", 4),
            ("A score of 5 requires full coverage. The answer gets 3.", 3),
            ("A score of 1 means bad and 5 means good. Score: 4", 4),
            ("Previous score: 2\nNew score: 4", 4),
            ("Expected score: 5\nActual score: 3", 3),
            ("Maximum: 5\nScore: 3", 3),
            ("Score: 4 (would be 5 with sources)", 4),
            ("Score: 4. A 5 would need sources.", 4),
            ("My score of 4 reflects two slips.", 4),
            ("I would give this a 4 because it needs sources.", 4),
            ("The answer is not bad. Score: 4", 4),
            ("On a scale of 1-5: 4", 4),
            ("I give it 4 points for its clarity.", 4),
            ("It should get a 5.", 5),
        ],
    )
    def test_what_is_given_beside_it_is_the_score(self, reply: str, value: float) -> None:
        assert parse_score(reply, 1, 5).value == value


class TestLabels:
    @pytest.mark.parametrize(
        "reply",
        [
            "PASS?",
            "Is the verdict PASS?",
            "I do not think the verdict is PASS.",
            "Verdict: PASS would be too generous.",
            "Expected verdict: PASS",
            "Previous verdict: PASS",
            "The user's verdict: PASS",
            "Verdict: PASS -> FAIL",
            "Verdict: PASS, FAIL",
            "Verdict: PASS FAIL",
            '{"verdict": "PASS?"}',
            '{"verdict": "PASS -> FAIL"}',
            "PASS, but FAIL.",
        ],
    )
    def test_what_is_not_given_is_no_label(self, reply: str) -> None:
        assert parse_label(reply, ["PASS", "FAIL"]).label is None

    @pytest.mark.parametrize(
        "reply",
        [
            "I don't believe that Assistant A is better.",
            "It is false that A is better.",
            "The claim that A is better is wrong.",
            "I doubt that A is better.",
        ],
    )
    def test_what_is_denied_is_no_preference(self, reply: str) -> None:
        assert parse_label(reply, ["A", "B"]).label is None

    @pytest.mark.parametrize(
        ("reply", "label"),
        [
            ("A verdict of PASS would require sources. Verdict: FAIL", "FAIL"),
            ("Gold label: PASS\nVerdict: FAIL", "FAIL"),
            ("Verdict: PASS. It would FAIL if it were longer.", "PASS"),
            ("Verdict: PASS (not FAIL)", "PASS"),
            ("As expected, the verdict: PASS", "PASS"),
            ("PASS, but it could be shorter", "PASS"),
        ],
    )
    def test_what_is_given_beside_it_is_the_label(self, reply: str, label: str) -> None:
        assert parse_label(reply, ["PASS", "FAIL"]).label == label

    def test_a_label_may_end_in_a_question_mark_itself(self) -> None:
        assert parse_label("Answer: unsure?", ["sure", "unsure?"]).label == "unsure?"


class TestVerdicts:
    @pytest.mark.parametrize(
        "reply",
        [
            "I do not think the statement is supported.",
            "I don't believe that the statement is supported.",
            "It is false that the statement is supported.",
            "Expected verdict: yes",
            "Human verdict: yes",
            "Verdict: yes?",
            "Supported by nothing.",
            "Supported by neither passage.",
            "Contradicted by nothing.",
            "Supported, hardly.",
            "Supported by the opposite of what it says",
            "Yes, without any support.",
            "unsupported: false",
            "hallucinated: no",
            "contradiction: no",
            '{"verdict": "supported by no passage"}',
            '{"verdict": "supported (not)"}',
            '{"verdict": "supported - NOT"}',
        ],
    )
    def test_what_is_not_given_is_no_verdict(self, reply: str) -> None:
        assert parse_verdicts(reply, ["The ferry leaves at six."]).found == [None]

    @pytest.mark.parametrize(
        ("reply", "verdict"),
        [
            ("Previous verdict: yes\nNew verdict: no", Verdict.UNSUPPORTED),
            ("Supported by no less than three passages.", Verdict.SUPPORTED),
            ("Supported by passage 2.", Verdict.SUPPORTED),
            ("Is the statement supported? No.", Verdict.UNSUPPORTED),
            ("unsupported: no passage says so", Verdict.UNSUPPORTED),
        ],
    )
    def test_what_is_given_is_one(self, reply: str, verdict: Verdict) -> None:
        assert parse_verdicts(reply, ["The ferry leaves at six."]).found == [verdict]
