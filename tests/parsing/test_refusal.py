"""Refusals: the provider's signals first, then words, and only where nothing was answered."""

from __future__ import annotations

import pytest

from magistrate.parsing import parse_verdicts
from magistrate.parsing.refusal import refuses
from magistrate.verdict import IssueCode, ParseStatus, Verdict

ASKED = ["The bridge is open.", "The bridge is new."]


class TestWords:
    @pytest.mark.parametrize(
        "text",
        [
            "I cannot help with that.",
            "I apologize, but no.",
            "I am unable to judge this.",
            "There is insufficient information to decide.",
            "There is not enough context here.",
            "It is against my policy.",
            "I refuse to answer.",
            "As an AI, I have no opinion.",
        ],
    )
    def test_of_a_refusal(self, text: str) -> None:
        assert refuses(text)

    @pytest.mark.parametrize("text", ["", "The bridge is open.", "Yes, and no.", "The town cannot afford it."])
    def test_of_none(self, text: str) -> None:
        assert not refuses(text)

    def test_a_long_text_is_no_refusal(self) -> None:
        assert not refuses("I cannot help with that. " + "The bridge. " * 400)


class TestSignals:
    @pytest.mark.parametrize(
        "how", [{"refusal": "No."}, {"finish_reason": "refusal"}, {"finish_reason": "content_filter"}]
    )
    def test_a_signal_without_an_answer_is_a_refusal(self, how: dict[str, str]) -> None:
        reading = parse_verdicts("", ASKED, **how)
        assert reading.status is ParseStatus.REFUSAL
        assert IssueCode.REFUSAL in {issue.code for issue in reading.issues}


class TestBesideAnAnswer:
    @pytest.mark.parametrize(
        "text",
        [
            "I apologize for the delay.\n1. yes\n2. no",
            '[{"id": 1, "verdict": "yes"}, {"id": 2, "reason": "I cannot verify it.", "verdict": "no"}]',
            "1. yes\n2. no - I cannot determine when it was built.",
        ],
    )
    def test_words_of_a_refusal_are_none(self, text: str) -> None:
        reading = parse_verdicts(text, ASKED)
        assert list(reading.found) == [Verdict.SUPPORTED, Verdict.UNSUPPORTED]
        assert reading.status is ParseStatus.OK
