"""Numbers that begin no item, and sentences in one that are about another."""

from __future__ import annotations

import re

import pytest

from magistrate.parsing import parse_verdicts
from magistrate.parsing.envelope import open_envelope
from magistrate.parsing.item_heads import gives_figure, is_sentence, leads_on, of_another, words_before
from magistrate.parsing.prose import mask
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
        said_at_length = f"{text} by everything that the keeper of the well wrote down."
        assert of_another(1, 0, said_at_length, (12, len(said_at_length)))
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
    @pytest.mark.parametrize(
        "reply", ["no (2), yes (1)", "No (1), yes (2)", "N [2], Y [1]", "no (2)\nyes (1)", "no [2]\nyes [1]"]
    )
    def test_before_a_number_in_brackets_is_no_abbreviation(self, reply: str) -> None:
        assert parse_verdicts(reply, WELL).found == [None, None]

    def test_nor_before_a_colon_where_a_yes_has_its_number_too(self) -> None:
        assert parse_verdicts("No: 2. Yes: 1.", WELL).found == [Verdict.SUPPORTED, Verdict.UNSUPPORTED]

    @pytest.mark.parametrize(
        "reply", ["No. 1: yes\nNo. 2: no", "No 1: yes\nNo 2: no", "No: 1 - yes\nNo: 2 - no", "No [1]: yes\nNo [2]: no"]
    )
    def test_else_it_is_the_name_of_a_number(self, reply: str) -> None:
        assert parse_verdicts(reply, WELL).found == [Verdict.SUPPORTED, Verdict.UNSUPPORTED]


def _head(text: str) -> re.Match[str]:
    """The head of a line: a name, a number, and the sign behind it."""
    match = re.match(r"(?P<name>[^\d]+)?(?P<number>\d+)(?P<sign>[.):]?\s*)", text)
    assert match is not None
    return match


class TestGivesFigure:
    @pytest.mark.parametrize("line", ["Verdict: 1 (no)", "Verdict：1（no）", "Verdict = 1 (no)", "**Verdict:** 1 (no)"])
    def test_a_number_behind_a_name_with_its_word_in_brackets_is_the_verdict(self, line: str) -> None:
        match = _head(line)
        assert gives_figure(match, line[match.end() :])

    @pytest.mark.parametrize(
        "line", ["Statement 1 (no)", "1 (no)", "Verdict: 1. (no)", "Verdict: 1 no", "Verdict: 1", "Case #1 (no)"]
    )
    def test_any_other_counts_items(self, line: str) -> None:
        match = _head(line)
        assert not gives_figure(match, line[match.end() :])


class TestWordsBefore:
    def _before(self, text: str, place: str) -> bool:
        prose = mask(open_envelope(text), WELL)
        return words_before(prose.text.index(place), prose, BINARY)

    @pytest.mark.parametrize("line", ["yes", "* no", "- yes", "• no", "— yes", "yes\r"])
    def test_a_line_that_is_a_word_of_the_scale_and_nothing_else(self, line: str) -> None:
        assert self._before(f"{line}\n2 no", "2")

    @pytest.mark.parametrize("line", ["Here it is", "1. yes", "yes, it is deep", "---", "perhaps"])
    def test_other_lines_are_none(self, line: str) -> None:
        assert not self._before(f"{line}\n2 no", "2")

    def test_lines_behind_the_place_do_not_count(self) -> None:
        assert not self._before("2 no\nyes", "2")
        assert not self._before("Here:\n2 no\nyes\nno", "2")
