"""Plain sentences about one statement."""

from __future__ import annotations

import pytest

from magistrate.parsing.predicates import read_predicates
from magistrate.parsing.vocabulary import vocabulary_of
from magistrate.verdict import Verdict

BINARY = vocabulary_of("binary")


class TestReadPredicates:
    @pytest.mark.parametrize(
        ("text", "reading"),
        [
            ("The statement is supported by the log.", Verdict.SUPPORTED),
            ("The claim is clearly not supported.", Verdict.UNSUPPORTED),
            ("The document contradicts this claim.", Verdict.UNSUPPORTED),
            ("This claim contradicts the source.", Verdict.UNSUPPORTED),
            ("It is true.", Verdict.SUPPORTED),
        ],
    )
    def test_what_the_judge_says_is_read(self, text: str, reading: Verdict) -> None:
        assert [said.reading for said in read_predicates(text, 0, BINARY)] == [reading]

    @pytest.mark.parametrize(
        "text",
        [
            "I doubt that the statement is supported.",
            "If the statement is supported, say yes.",
            "Part of the statement is supported.",
            "We cannot find that the document contradicts this claim.",
            "It is not so that this claim contradicts the source.",
        ],
    )
    def test_what_is_denied_or_supposed_is_not(self, text: str) -> None:
        assert read_predicates(text, 0, BINARY) == []

    def test_a_conclusion_stands_above_what_led_to_it(self) -> None:
        text = "The claim is false. Therefore, the statement is supported."
        assert [said.reading for said in read_predicates(text, 0, BINARY)] == [Verdict.SUPPORTED]
