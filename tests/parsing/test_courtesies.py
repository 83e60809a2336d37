"""A yes or no that answers a request, or that is less than a yes."""

from __future__ import annotations

import pytest

from magistrate.parsing import parse_verdicts
from magistrate.parsing.courtesies import conditional, hedged, obliges, retorts
from magistrate.verdict import Verdict

SHED = ["The shed is painted green.", "It has two windows."]


class TestObliges:
    @pytest.mark.parametrize(
        "reply",
        [
            "Yes, I can help with that!",
            "Yes, I understand. Please send the statements.",
            "Yes, of course. Here are my verdicts:",
            "No, I can't do that.",
            "No, I will not evaluate this.",
            "Ja, gerne!",
            "Nein, das kann ich nicht beurteilen.",
            "Oui, je peux vous aider.",
            "No, no puedo hacer eso.",
            "是的，我明白了。",
            "はい、承知しました。",
            "네, 알겠습니다.",
            "Да, я понял.",
        ],
    )
    def test_a_courtesy_or_a_refusal_is_no_verdict(self, reply: str) -> None:
        assert parse_verdicts(reply, SHED[:1]).found == [None]

    @pytest.mark.parametrize(
        "rest",
        [
            "",
            ", the photograph shows green.",
            ", I can confirm that it is green",
            ", I think so",
            ", absolutely.",
            ", certainly.",
        ],
    )
    def test_a_reason_is_no_courtesy(self, rest: str) -> None:
        assert not obliges(rest)

    def test_the_list_after_it_is_read(self) -> None:
        reply = "Yes, I can help.\n1. yes\n2. no"
        assert parse_verdicts(reply, SHED).found == [Verdict.SUPPORTED, Verdict.UNSUPPORTED]

    def test_no_support_found_is_a_verdict(self) -> None:
        assert parse_verdicts("No, I cannot find this in the list.", SHED[:1]).found == [Verdict.UNSUPPORTED]


class TestHedged:
    @pytest.mark.parametrize(
        "rest", [", maybe.", ", probably", ", if the photograph is recent", " - unless it was moved"]
    )
    def test_less_than_a_yes_is_none(self, rest: str) -> None:
        assert hedged(rest)
        assert parse_verdicts("Yes" + rest, SHED[:1]).found == [None]

    def test_a_plain_one_is(self) -> None:
        assert not hedged(", the list says so")


class TestRetorts:
    @pytest.mark.parametrize(
        ("reply", "rest", "yes"), [("Yes, it does not.", ", it does not.", True), ("No, it is.", ", it is.", False)]
    )
    def test_the_contrary_in_its_shortest_form_conflicts(self, reply: str, rest: str, *, yes: bool) -> None:
        assert retorts(rest, yes=yes)
        assert parse_verdicts(reply, SHED[:1]).found == [None]

    @pytest.mark.parametrize(("rest", "yes"), [(", it does.", True), (", it is not.", False), (", it is green", False)])
    def test_the_same_again_does_not(self, rest: str, *, yes: bool) -> None:
        assert not retorts(rest, yes=yes)


class TestConditional:
    @pytest.mark.parametrize(
        "rest", [", if the list is right", " unless it was moved", ", says the author", " according to the answer"]
    )
    def test_a_condition_or_another_s_word_is_no_verdict(self, rest: str) -> None:
        assert conditional(rest)
        assert parse_verdicts("Supported" + rest, SHED[:1]).found == [None]

    def test_a_source_is_not_another(self) -> None:
        assert not conditional(" according to the list")
        assert parse_verdicts("Supported according to the list", SHED[:1]).found == [Verdict.SUPPORTED]


class TestQuestionMarks:
    @pytest.mark.parametrize("reply", ["Yes, I think?", "Yes, right?", "1. yes, I guess?"])
    def test_at_the_end_of_its_line_make_a_yes_less_than_one(self, reply: str) -> None:
        assert parse_verdicts(reply, ["The well is deep."]).found == [None]

    def test_behind_another_sentence_they_do_not(self) -> None:
        assert parse_verdicts("Yes, it does. Where? In line 4.", ["The well is deep."]).found == [Verdict.SUPPORTED]
