"""Plain sentences about one statement."""

from __future__ import annotations

import pytest

from magistrate.parsing.predicates import MOST_SENTENCES, read_predicates
from magistrate.parsing.vocabulary import vocabulary_of
from magistrate.verdict import IssueCode, Verdict

BINARY = vocabulary_of("binary")
YES, NO, TORN = Verdict.SUPPORTED, Verdict.UNSUPPORTED, IssueCode.CONFLICTING_VERDICTS


def _said(text: str) -> list[object]:
    return [said.reading for said in read_predicates(text, 0, BINARY)]


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

    @pytest.mark.parametrize("adverb", ["Therefore", "Thus", "Overall", "In summary", "So"])
    def test_whichever_word_concludes(self, adverb: str) -> None:
        assert _said(f"The page contradicts this claim. {adverb}, the statement is true.") == [YES]

    def test_nothing_concludes_but_the_last_sentence(self) -> None:
        assert _said("Therefore, the page contradicts this claim. Also, the statement is true.") == [NO, YES]

    def test_sentences_come_in_the_order_of_the_text(self) -> None:
        assert _said("The page supports this claim. The statement is false.") == [YES, NO]
        assert _said("This claim contradicts the text. The page supports this claim.") == [NO, YES]

    @pytest.mark.parametrize(
        "first",
        [
            "If the statement is true, all is well.",
            "The statement is supported according to the candidate.",
            "The statement is purple.",
            "If the page contradicts this claim, so be it.",
        ],
    )
    @pytest.mark.parametrize("second", ["The page supports this claim.", "The statement is supported."])
    def test_a_sentence_that_says_nothing_does_not_hide_the_next(self, first: str, second: str) -> None:
        assert _said(f"{first} {second}") == [YES]

    @pytest.mark.parametrize("rest", ["but only in part", "only in part", "or false", "except for the year"])
    def test_half_a_verdict_is_none(self, rest: str) -> None:
        assert _said(f"The statement is supported {rest}.") == []

    def test_what_the_statement_is_not_denies_a_yes(self) -> None:
        assert _said("The page supports this claim. The statement is not backed up.") == [YES, TORN]
        assert _said("The page contradicts this claim. The statement is not backed up.") == [NO]

    def test_a_pronoun_counts_where_nothing_names_the_statement(self) -> None:
        assert _said("It is true.") == [YES]
        assert _said("It is true. The statement is false.") == [NO]

    def test_that_it_is_not_mentioned_is_said_in_passing(self) -> None:
        [said] = read_predicates("The page does not mention this claim.", 0, BINARY)
        assert (said.reading, said.how) == (IssueCode.OUT_OF_RANGE, "aside")
        assert _said("The page mentions this claim.") == []
        assert _said("The page does not contradict this claim.") == []

    def test_a_text_that_runs_in_a_circle_says_nothing(self) -> None:
        assert len(_said("It is true. " * MOST_SENTENCES)) == MOST_SENTENCES
        assert _said("It is true. " * (2 * MOST_SENTENCES)) == []


class TestPlaces:
    TEXT = "The claim is clearly false, as the page says."

    def test_a_sentence_ends_with_its_word(self) -> None:
        [said] = read_predicates(self.TEXT, 0, BINARY)
        assert self.TEXT[slice(*said.span)] == "The claim is clearly false"
        assert said.how == "sentence"

    def test_places_are_those_of_the_whole_reply(self) -> None:
        text = f"{self.TEXT} The page supports this claim. The claim is not so."
        here = [said.span for said in read_predicates(text, 0, BINARY)]
        assert [said.span for said in read_predicates(text, 90, BINARY)] == [
            (start + 90, end + 90) for start, end in here
        ]

    def test_a_conclusion_is_found_wherever_the_text_begins(self) -> None:
        text = "The claim is false. Therefore, the statement is supported."
        assert [said.reading for said in read_predicates(text, 90, BINARY)] == [YES]
