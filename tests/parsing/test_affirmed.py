"""What stands before a sentence that gives a verdict."""

from __future__ import annotations

import pytest

from magistrate.parsing import parse_verdicts
from magistrate.parsing.affirmed import affirmed
from magistrate.verdict import Verdict

OAK = ["The oak was planted in 1790."]


class TestAffirmed:
    @pytest.mark.parametrize(
        "before",
        [
            "",
            "The register names the year. ",
            "The register names the year, so ",
            "I conclude that ",
            "We can only say that ",
            "The register gives 1790, and I find ",
            "The second ledger shows that ",
            "It is evident that ",
            "My verdict is that ",
            "Based on the parish register ",
            "All the details in ",
            "Therefore the given ",
            "1. ",
        ],
    )
    def test_plain_openings_affirm(self, before: str) -> None:
        assert affirmed(before)

    @pytest.mark.parametrize(
        "before",
        [
            "I cannot confirm that ",
            "I see no reason to say that ",
            "There is no proof that ",
            "The register does not show that ",
            "The answer asserts that ",
            "The author shows that ",
            "It seems that ",
            "Nothing in ",
            "No ",
            "The opposite ",
            "The negation of ",
            "While ",
            "In his view ",
            "Too little is known to say ",
        ],
    )
    def test_whatever_else_leads_in_does_not(self, before: str) -> None:
        assert not affirmed(before)

    @pytest.mark.parametrize(
        "reply",
        [
            "I am unable to verify that the statement is supported.",
            "It would be wrong to hold that the statement is true.",
            "Hardly anybody could say that this is supported.",
            "Not enough is known to say it is supported.",
            "Nothing in the context supports this claim.",
            "No statement is supported.",
        ],
    )
    def test_a_denied_sentence_is_no_verdict(self, reply: str) -> None:
        assert parse_verdicts(reply, OAK).found == [None]

    def test_an_affirmed_one_is(self) -> None:
        assert parse_verdicts("I conclude that the statement is supported.", OAK).found == [Verdict.SUPPORTED]
        assert parse_verdicts("I conclude that the statement is not supported.", OAK).found == [Verdict.UNSUPPORTED]
