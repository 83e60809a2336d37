"""Answers in text whose words say which statement they are about, in another order than asked."""

from __future__ import annotations

import pytest

from magistrate.parsing import parse_verdicts
from magistrate.verdict import Verdict

MILL = ["The mill grinds rye.", "It was built in 1804."]
_LETTERS = {None: "-", Verdict.SUPPORTED: "S", Verdict.UNSUPPORTED: "U"}
YES, NO = '{"verdict": "yes"}', '{"verdict": "no"}'


def _said(reply: str, count: int = 2, **more: str) -> str:
    return "".join(_LETTERS[one] for one in parse_verdicts(reply, MILL[:count], **more).found)


class TestLinesThatRepeatAStatement:
    @pytest.mark.parametrize("gap", ["\n", "\n\n"])
    @pytest.mark.parametrize("end", ["", "\n\nThat is all."])
    def test_are_about_it(self, gap: str, end: str) -> None:
        reply = f"Explanation: {MILL[1]} Verdict: yes.{gap}Explanation: {MILL[0]} Verdict: no.{end}"
        assert _said(reply) == "US"

    @pytest.mark.parametrize(
        ("first", "second"),
        [
            (f"{MILL[1]} {MILL[0]}", f"{MILL[0]} {MILL[1]}"),
            (f"{MILL[1]} {MILL[0]}", "The ledger."),
            ("The ledger.", "The map."),
        ],
    )
    def test_that_repeat_both_or_none_stand_in_order(self, first: str, second: str) -> None:
        assert _said(f"Explanation: {first} Verdict: yes.\nExplanation: {second} Verdict: no.") == "SU"


class TestLooseObjects:
    @pytest.mark.parametrize(
        "reply",
        [
            f"Statement 2: {YES}\nStatement 1: {NO}",
            f"Statement 2: {YES} Statement 1: {NO}",
            f"For the second one: {YES}\nFor the first one: {NO}",
            f"{MILL[1]}\n{YES}\n{MILL[0]}\n{NO}",
            f"b) {YES}\na) {NO}",
            f"2: {YES}\n1: {NO}",
            f"{YES} statement 2\n{NO} statement 1",
        ],
    )
    def test_are_about_the_statement_that_the_words_beside_them_name(self, reply: str) -> None:
        assert _said(reply) == "US"

    @pytest.mark.parametrize("reply", [f"{YES}\n{NO}", f"The log has 2 pages.\n{YES}\nIt has 1 map.\n{NO}"])
    def test_stand_in_order_where_they_name_none(self, reply: str) -> None:
        assert _said(reply) == "SU"

    @pytest.mark.parametrize("reply", [f"Statement 7: {YES}\nStatement 1: {NO}", f"Statement 2: {YES}\n{NO}"])
    def test_are_none_where_only_some_can_be_placed(self, reply: str) -> None:
        assert _said(reply) == "--"


class TestWordsWithANumber:
    @pytest.mark.parametrize(
        "reply",
        [
            '["yes (statement 2)", "no (statement 1)"]',
            '["yes - claim 2", "no - claim 1"]',
            f'["yes: {MILL[1]}", "no: {MILL[0]}"]',
            "yes - statement 2\nno - statement 1",
        ],
    )
    def test_are_about_the_statement_that_they_name(self, reply: str) -> None:
        assert _said(reply) == "US"

    @pytest.mark.parametrize("reply", ['["no (2)", "yes (1)"]'])
    def test_a_bare_number_in_another_order_leaves_none(self, reply: str) -> None:
        assert _said(reply) == "--"

    @pytest.mark.parametrize("reply", ['["yes (1)", "no (2)"]', '["yes (1904)", "no (1905)"]'])
    def test_numbers_in_order_and_of_something_else_change_nothing(self, reply: str) -> None:
        assert _said(reply) == "SU"


class TestTwoLists:
    def test_the_second_counts_where_the_first_is_taken_back(self) -> None:
        assert _said("1. yes\n2. yes\n\nWait, I take that back.\n\n1. no\n2. yes") in {"US", "-S"}

    def test_where_nothing_is_taken_back_they_must_agree(self) -> None:
        assert _said("1. yes\n2. no\n\nAgain:\n1. yes\n2. no") == "SU"
        assert _said("1. yes\n2. no\n\nAgain:\n1. no\n2. no") == "-U"


class TestOneStatement:
    @pytest.mark.parametrize(
        ("reply", "said"),
        [
            ("1. yes", "S"),
            ("The verdicts:\n1. yes", "S"),
            ("Here is a long line about the ledger.\n1. yes", "S"),
            ("supported?\nno", "U"),
            ("**Supported**\nno", "-"),
            ("yes\nno", "-"),
            ("yes\nyes", "S"),
            ("1. no - Verdict: yes", "-"),
            ("1. It grinds.\n2. It is old.\nVerdict: yes", "S"),
        ],
    )
    def test_has_one_verdict_whatever_the_text_counts(self, reply: str, said: str) -> None:
        assert _said(reply, 1) == said

    @pytest.mark.parametrize(
        ("reply", "said"),
        [("Verdict: no", "-"), ("Verdict: no, as the log", "U"), ("No. The log", "U"), ("It is not suppor", "-")],
    )
    def test_in_a_cut_text_the_last_word_may_go_on(self, reply: str, said: str) -> None:
        assert _said(reply, 1, finish_reason="length") == said
