"""Whole sentences about the statement in other languages, and sentences about all statements that are none."""

from __future__ import annotations

import pytest

from magistrate.parsing import parse_verdicts
from magistrate.verdict import Verdict

SAID = [
    ("Die Aussage ist belegt.", Verdict.SUPPORTED),
    ("Die Aussage ist nicht belegt.", Verdict.UNSUPPORTED),
    ("La afirmación está respaldada.", Verdict.SUPPORTED),
    ("La afirmación no está respaldada.", Verdict.UNSUPPORTED),
    ("L'affirmation est étayée.", Verdict.SUPPORTED),
    ("L'affirmation n'est pas étayée.", Verdict.UNSUPPORTED),
    ("L'affermazione è supportata.", Verdict.SUPPORTED),
    ("L'affermazione non è supportata.", Verdict.UNSUPPORTED),
    ("A afirmação é suportada.", Verdict.SUPPORTED),
    ("A afirmação não é suportada.", Verdict.UNSUPPORTED),
    ("Утверждение подтверждается.", Verdict.SUPPORTED),
    ("Утверждение не подтверждается.", Verdict.UNSUPPORTED),
    ("该陈述得到支持。", Verdict.SUPPORTED),
    ("该陈述没有得到支持。", Verdict.UNSUPPORTED),
    ("上下文并不支持该陈述。", Verdict.UNSUPPORTED),
    ("この文は支持されている。", Verdict.SUPPORTED),
    ("この文は支持されていません。", Verdict.UNSUPPORTED),
    ("이 진술은 뒷받침됩니다.", Verdict.SUPPORTED),
    ("이 진술은 뒷받침되지 않습니다.", Verdict.UNSUPPORTED),
    ("العبارة مدعومة.", Verdict.SUPPORTED),
    ("العبارة غير مدعومة.", Verdict.UNSUPPORTED),
    ("कथन समर्थित है।", Verdict.SUPPORTED),
    ("कथन समर्थित नहीं है।", Verdict.UNSUPPORTED),
]


class TestWholeSentences:
    @pytest.mark.parametrize(("reply", "verdict"), SAID)
    def test_alone_and_as_an_item(self, reply: str, verdict: Verdict) -> None:
        assert parse_verdicts(reply, ["The ferry leaves at six."]).found == [verdict]
        listed = parse_verdicts(f"1. {reply}\n2. no", ["The ferry leaves at six.", "Tea is sold on board."])
        assert listed.found == [verdict, Verdict.UNSUPPORTED]

    @pytest.mark.parametrize(
        "reply",
        ["Die Aussage ist kaum belegt.", "La afirmación está casi respaldada.", "Утверждение едва подтверждается."],
    )
    def test_a_word_between_that_no_table_holds_leaves_none(self, reply: str) -> None:
        assert parse_verdicts(reply, ["The ferry leaves at six."]).found == [None]


class TestOfAll:
    @pytest.mark.parametrize(
        "reply",
        [
            "Not all statements are supported.",
            "It is not true that all statements are supported.",
            "Hardly all statements are supported.",
            "All statements should be supported.",
            "All but statement 2 are supported.",
            "Everything except statement 2 is supported.",
            "All statements are supported, with one exception.",
            "None of the statements is fully supported.",
            "The candidate says all statements are supported.",
            "Statement 1 is supported, if noon is twelve.",
            "Statement 1 is supported according to the candidate.",
            "It is not true that statement 1 is supported.",
        ],
    )
    def test_what_is_denied_conditional_or_somebody_elses_gives_none(self, reply: str) -> None:
        assert set(parse_verdicts(reply, ["a b c", "d e f", "g h i"]).found) == {None}

    @pytest.mark.parametrize(
        ("reply", "verdict"),
        [
            ("So all statements are supported.", Verdict.SUPPORTED),
            ("I find that all statements are supported.", Verdict.SUPPORTED),
            ("All statements can be inferred from the context.", Verdict.SUPPORTED),
            ("None of the statements can be inferred from the context.", Verdict.UNSUPPORTED),
            ("All the statements are faithful to the context.", Verdict.SUPPORTED),
        ],
    )
    def test_plain_ones_are_heard(self, reply: str, verdict: Verdict) -> None:
        assert set(parse_verdicts(reply, ["a b c", "d e f", "g h i"]).found) == {verdict}


class TestOneStatement:
    @pytest.mark.parametrize(
        ("reply", "verdict"),
        [
            ("The statement is supported, if noon is twelve.", None),
            ("The statement is supported, says the candidate; I disagree.", None),
            ("The statement is supported according to the author.", None),
            ("The statement is supported, says the timetable.", Verdict.SUPPORTED),
            ("The statement is supported because the timetable says so.", Verdict.SUPPORTED),
        ],
    )
    def test_a_condition_or_somebody_else_gives_none(self, reply: str, verdict: Verdict | None) -> None:
        assert parse_verdicts(reply, ["The ferry leaves at six."]).found == [verdict]
