"""Numbers that begin no item, and sentences in one that are about another."""

from __future__ import annotations

import pytest

from magistrate.parsing import parse_verdicts
from magistrate.parsing.item_heads import is_sentence, leads_on, of_another
from magistrate.parsing.vocabulary import vocabulary_of
from magistrate.verdict import Verdict

BINARY = vocabulary_of("binary")
WELL = ["The well is deep.", "It dried up in May."]


class TestHeads:
    def test_a_sentence_that_begins_with_a_statement_is_no_item(self) -> None:
        assert is_sentence(" might be supported.", BINARY)
        assert not is_sentence(" supported by the diary", BINARY)
        reply = "Statement 1 might be supported. Statement 2 is not supported."
        assert parse_verdicts(reply, WELL).found[0] is None

    @pytest.mark.parametrize("reply", ["0 supported", "0 yes", "1:", "Verdict: 1 (no)"])
    def test_a_count_or_a_lone_mark_is_no_verdict(self, reply: str) -> None:
        assert parse_verdicts(reply, WELL[:1]).found == [None]


class TestOfAnother:
    def test_a_sentence_about_another_number_says_nothing_of_the_item(self) -> None:
        text = "Statement 2 is supported"
        assert of_another(1, 0, text, (12, 24))
        assert not of_another(2, 0, text, (12, 24))
        assert not of_another(None, 0, text, (12, 24))
        crossed = parse_verdicts("1. Statement 2 is supported.\n2. Statement 1 is not supported.", WELL)
        assert crossed.found == [Verdict.UNSUPPORTED, Verdict.SUPPORTED]  # each goes to the one that it names


class TestLeadsOn:
    @pytest.mark.parametrize("text", ["no - the diary says", "no, as it states:", "no; of the"])
    def test_a_line_may_go_on_in_the_next(self, text: str) -> None:
        assert leads_on(text)

    @pytest.mark.parametrize("text", ["no", "yes - the diary names May.", ""])
    def test_or_end(self, text: str) -> None:
        assert not leads_on(text)


class TestOneNumberAmongBareWords:
    def test_says_nothing_of_the_statement_with_that_number(self) -> None:
        assert (
            parse_verdicts("* no\n* yes\n*1 yes", ["The well is deep.", "It dried up.", "It is old."]).found
            == [None] * 3
        )


class TestNoAsAWord:
    @pytest.mark.parametrize("reply", ["no (2), yes (1)", "No (1), yes (2)", "N [2], Y [1]", "no (2)\nyes (1)"])
    def test_before_a_number_in_brackets_is_no_abbreviation(self, reply: str) -> None:
        assert parse_verdicts(reply, WELL).found == [None, None]

    def test_nor_before_a_colon_where_a_yes_has_its_number_too(self) -> None:
        assert parse_verdicts("No: 2. Yes: 1.", WELL).found == [Verdict.SUPPORTED, Verdict.UNSUPPORTED]

    @pytest.mark.parametrize("reply", ["No. 1: yes\nNo. 2: no", "No 1: yes\nNo 2: no", "No: 1 - yes\nNo: 2 - no"])
    def test_else_it_is_the_name_of_a_number(self, reply: str) -> None:
        assert parse_verdicts(reply, WELL).found == [Verdict.SUPPORTED, Verdict.UNSUPPORTED]
