"""One statement in plain text: which sentences are the judge's verdict, and which are about something else."""

from __future__ import annotations

import pytest

from magistrate.parsing import parse_verdicts
from magistrate.verdict import IssueCode, Verdict

YES, NO = Verdict.SUPPORTED, Verdict.UNSUPPORTED


def said(reply: str, scale: str = "binary") -> Verdict | None:
    return parse_verdicts(reply, ["The orchard has forty trees."], scale=scale).found[0]


class TestWhoseVerdict:
    @pytest.mark.parametrize(
        "reply",
        [
            "Expected verdict: yes\nVerdict: no",
            "Gold label: yes\nLabel: no",
            "The user's verdict: yes\n\nVerdict: no",
            "Reference answer: yes. My verdict: no",
        ],
    )
    def test_one_that_was_given_beforehand_is_passed_over(self, reply: str) -> None:
        assert said(reply) is NO


class TestWhatIsOnlySupposed:
    @pytest.mark.parametrize(
        "reply",
        [
            "One could say that the statement is supported. The statement is not supported.",
            "If so, the statement is supported. The statement is not supported.",
            "Whether the text supports this claim is open. The text does not support this claim.",
            "It would mean the statement is supported. Yet the context contradicts it.",
            "If it contradicts the context, so be it. The statement contradicts the context.",
        ],
    )
    def test_does_not_count_and_the_next_sentence_does(self, reply: str) -> None:
        assert said(reply) is NO

    @pytest.mark.parametrize(
        "reply", ["The statement is supported or not.", "The statement is supported, but only in part."]
    )
    def test_a_word_that_is_taken_back_in_the_same_breath_is_none(self, reply: str) -> None:
        assert said(reply) is None


class TestSeveralSentences:
    @pytest.mark.parametrize(
        "reply",
        [
            "The statement is supported. The statement is not supported.",
            "Verdict: yes. However, the statement is not supported.",
            "Verdict: yes. The statement is not supported.",
            "The statement is not supported. Verdict: yes",
            "The statement is supported. It is not.",
            "no - wait, yes",
        ],
    )
    def test_that_differ_decide_nothing(self, reply: str) -> None:
        reading = parse_verdicts(reply, ["The orchard has forty trees."])
        assert list(reading.found) == [None]
        assert IssueCode.CONFLICTING_VERDICTS in {note.code for note in reading.issues}

    @pytest.mark.parametrize(
        ("reply", "meant", "span"),
        [
            ("The statement is supported by a note. Therefore, the statement is not supported.", NO, (49, 79)),
            ("The statement is not supported. Overall, the statement is supported.", YES, (41, 67)),
            ("Verdict: no. Correction: Verdict: yes.", YES, (34, 37)),
            ("Verdict: no\nI made a mistake.\nVerdict: yes", YES, (39, 42)),
        ],
    )
    def test_the_conclusion_and_the_correction_count(self, reply: str, meant: Verdict, span: tuple[int, int]) -> None:
        (one,) = parse_verdicts(reply, ["The orchard has forty trees."]).verdicts
        assert (one.verdict, one.span) == (meant, span)

    @pytest.mark.parametrize(
        ("reply", "span"),
        [
            ("The claim contradicts the context.", (0, 33)),
            ("Well. It contradicts what the text says.", (6, 34)),
            ("Well. The context contradicts it.", (6, 32)),
        ],
    )
    def test_each_has_its_place(self, reply: str, span: tuple[int, int]) -> None:
        (one,) = parse_verdicts(reply, ["The orchard has forty trees."], scale="ternary").verdicts
        assert (one.verdict, one.span) == (Verdict.CONTRADICTED, span)


class TestKeysThatAreVerdicts:
    """ "contradiction: no" says that something is not so, and not what is."""

    @pytest.mark.parametrize(
        "reply",
        [
            "contradiction = no",
            "contradiction: no",
            "矛盾：no",
            "unsupported：no",
            "unsupported = no",
            "Unsupported: false",
        ],
    )
    def test_denied_decide_nothing(self, reply: str) -> None:
        assert said(reply) is None

    @pytest.mark.parametrize("reply", ["supported：yes", "Supported: yes", "supported = yes"])
    def test_confirmed_are_the_verdict(self, reply: str) -> None:
        assert said(reply) is YES


class TestNumbersAsWords:
    @pytest.mark.parametrize(
        "reply", ["Result → 1", "verdict = 1", "Verdict (binary) = 1", "score (see page 3) = 1", "**Verdict** : 1"]
    )
    def test_the_value_of_a_verdict_is_one(self, reply: str) -> None:
        assert said(reply) is YES

    @pytest.mark.parametrize("reply", ["x = 1", "Page 3: 1", "Trees counted: 1"])
    def test_the_value_of_anything_else_is_none(self, reply: str) -> None:
        assert said(reply) is None


class TestRowsWithoutATable:
    @pytest.mark.parametrize("reply", ["yes | it says so | fine", "yes | no | x", "| yes | it says so |"])
    def test_which_cell_is_the_verdict_is_not_known(self, reply: str) -> None:
        assert said(reply) is None

    @pytest.mark.parametrize("reply", ["1 | yes | it says so", "| 1 | yes |"])
    def test_a_number_and_a_word_are_a_row(self, reply: str) -> None:
        assert said(reply) is YES
