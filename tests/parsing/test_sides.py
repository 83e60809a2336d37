"""What goes on after a word and says the opposite of it."""

from __future__ import annotations

import pytest

from magistrate.parsing import parse_verdicts
from magistrate.parsing.sides import asked_against, counted, is_plain, turns
from magistrate.verdict import IssueCode, Verdict

LAKE = ["The lake is forty metres deep."]


class TestTurns:
    @pytest.mark.parametrize(
        "rest",
        [
            ", there is a contradiction.",
            ", it is hallucinated.",
            ", this is not supported.",
            " - the survey has a clear discrepancy with the claim",
            ": the survey contradicts the statement",
            " by the map, contradicted by the survey.",
            " by the map, although the survey contradicts it.",
            ". it is false.",
            ", they differ.",
            ", the two do not match.",
        ],
    )
    def test_a_yes_is_turned_by_what_denies(self, rest: str) -> None:
        assert turns("yes", rest, yes=True)

    @pytest.mark.parametrize(
        "rest",
        [
            "",
            ", it is supported.",
            ", there is no contradiction.",
            ", nothing contradicts it.",
            ", it does not contradict the survey.",
            ": the survey says that the older map was wrong",
            ". The survey gives forty metres. A legend says otherwise and contradicts the survey.",
        ],
    )
    def test_a_yes_is_not_turned_by_its_reason(self, rest: str) -> None:
        assert not turns("yes", rest, yes=True)

    @pytest.mark.parametrize(
        "rest",
        [
            ", this is supported.",
            ", this matches the survey.",
            ", they are the same.",
            " - the text confirms it",
            ". it is true.",
        ],
    )
    def test_a_no_is_turned_by_what_affirms(self, rest: str) -> None:
        assert turns("no", rest, yes=False)

    @pytest.mark.parametrize(
        "rest",
        [
            ", this is not supported.",
            ", nothing says that it is supported.",
            ", it is true that the lake is deep, but not that deep",
            ", the survey contradicts it.",
            ". The depth is given as thirty metres. This is supported by the map.",
        ],
    )
    def test_a_no_is_not_turned_by_its_reason(self, rest: str) -> None:
        assert not turns("no", rest, yes=False)

    @pytest.mark.parametrize(
        "reply",
        [
            "Ja, da ist ein Widerspruch.",
            "Ja, das ist nicht belegt.",
            "Nein, das ist richtig.",
            "Sí, existe una contradicción.",
            "No, es correcta.",
            "Oui, le relevé la contredit.",
            "Non, elle est étayée.",
            "Sì, è una contraddizione.",
            "Sim, existe uma contradição.",
            "Да, данные этому противоречат, есть противоречие.",
            "Нет, это верно.",
            "はい、矛盾があります。",
            "いいえ、支持されています。",
            "نعم، يوجد تناقض.",
            "हाँ, विरोधाभास है।",
        ],
    )
    def test_the_same_in_other_languages(self, reply: str) -> None:
        reading = parse_verdicts(reply, LAKE)
        assert reading.found == [None]
        assert IssueCode.CONFLICTING_VERDICTS in {issue.code for issue in reading.issues}

    @pytest.mark.parametrize(
        ("reply", "verdict"),
        [
            ("Ja, es gibt keinen Widerspruch.", Verdict.SUPPORTED),
            ("Nein, das ist nicht belegt.", Verdict.UNSUPPORTED),
            ("No, no es correcta.", Verdict.UNSUPPORTED),
            ("Oui, rien ne la contredit.", Verdict.SUPPORTED),
            ("Нет, это не верно.", Verdict.UNSUPPORTED),
            ("はい、矛盾していません。", Verdict.SUPPORTED),
            ("いいえ、支持されていません。", Verdict.UNSUPPORTED),
            ("लेकिन", None),
        ],
    )
    def test_a_denied_word_of_the_other_side_turns_nothing(self, reply: str, verdict: Verdict | None) -> None:
        assert parse_verdicts(reply, LAKE).found == [verdict]

    @pytest.mark.parametrize("reply", ["Supported (0)", "0 (supported)", "Verdict: 1 (unsupported)", "No (1)"])
    def test_a_figure_of_the_other_side_conflicts(self, reply: str) -> None:
        assert parse_verdicts(reply, LAKE).found == [None]

    @pytest.mark.parametrize("reply", ["Supported (1)", "1 (supported)", "Verdict: 1 (yes)", "Supported [0]"])
    def test_one_of_the_same_side_or_a_reference_does_not(self, reply: str) -> None:
        assert parse_verdicts(reply, LAKE).found == [Verdict.SUPPORTED]


class TestCounted:
    @pytest.mark.parametrize("rest", [": none", ": nothing.", " = zero", ": 0 of 1", ": 2/3", ": keine"])
    def test_a_name_may_be_that_of_what_is_counted(self, rest: str) -> None:
        assert counted(rest)

    @pytest.mark.parametrize("rest", ["", ": nothing in the survey says so", ": the survey says none", ", none"])
    def test_a_reason_is_no_count(self, rest: str) -> None:
        assert not counted(rest)

    @pytest.mark.parametrize("reply", ["Unsupported: none", "Contradiction: none.", "Supported: 0 of 1"])
    def test_such_a_name_is_no_verdict(self, reply: str) -> None:
        assert parse_verdicts(reply, LAKE).found == [None]

    def test_a_plain_no_names_nothing(self) -> None:
        assert is_plain("nein")
        assert not is_plain("unsupported")
        assert parse_verdicts("No: nothing in the survey says so.", LAKE).found == [Verdict.UNSUPPORTED]


class TestAskedAgainst:
    @pytest.mark.parametrize(
        "text",
        [
            "Is it unsupported? No.",
            "Does the survey contradict the claim? No",
            "Not supported? Yes.",
            "Wrong? Answer: no",
        ],
    )
    def test_a_yes_or_no_to_the_contrary_is_no_verdict(self, text: str) -> None:
        assert asked_against(text)
        assert parse_verdicts(text, LAKE).found == [None]

    @pytest.mark.parametrize("text", ["Is it supported? No.", "Is it wrong? The survey says so.", "It is wrong. Yes."])
    def test_other_questions_are_left(self, text: str) -> None:
        assert not asked_against(text)
