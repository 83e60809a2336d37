"""Rows and statements: by id, else by the repeated statement, else by position if the count fits."""

from __future__ import annotations

from typing import Any

import pytest

from magistrate.parsing import parse_verdicts
from magistrate.parsing.align import Alignment, align
from magistrate.parsing.rows import Row, Table
from magistrate.parsing.statement_index import Statements
from magistrate.verdict import IssueCode, Verdict

YES, NO = Verdict.SUPPORTED, Verdict.UNSUPPORTED
TEXTS = ("The mill grinds rye.", "The mill closed in May.", "The miller keeps bees.")


def row(reading: Any = YES, **parts: Any) -> Row:
    return Row(reading, **parts)


def aligned(rows: list[Row], texts: tuple[str, ...] = TEXTS, ids: Any = None, **table: Any) -> Alignment:
    return align(Table(rows, **table), Statements(texts, ids))


def places(result: Alignment, rows: list[Row]) -> list[int | None]:
    """Per row the statement it was filed under; None for strangers."""
    found: list[int | None] = []
    for one in rows:
        home = [index for index, filed in result.rows.items() if any(other is one for other in filed)]
        assert len(home) + sum(other is one for other in result.strangers) == 1
        found.append(home[0] if home else None)
    return found


def codes(result: Alignment) -> list[IssueCode]:
    return [code for code, _ in result.issues]


class TestById:
    def test_ids_from_one_say_which_statement_in_any_order(self) -> None:
        rows = [row(id=3), row(id=1), row(NO, id=2)]
        result = aligned(rows)
        assert places(result, rows) == [2, 0, 1]
        assert codes(result) == []

    def test_exactly_nought_to_n_less_one_counts_from_nought(self) -> None:
        rows = [row(id=0), row(id=2), row(id=1)]
        assert places(aligned(rows), rows) == [0, 2, 1]

    def test_an_id_beyond_a_complete_list_is_a_stranger(self) -> None:
        rows = [row(id=1), row(id=2), row(id=3), row(id=4)]
        result = aligned(rows)
        assert places(result, rows) == [0, 1, 2, None]
        assert codes(result) == [IssueCode.UNKNOWN_STATEMENT, IssueCode.COUNT_MISMATCH]

    @pytest.mark.parametrize("ids", [(0, 1), (2, 3, 4), (1, 4), (0, 1, 2, 3, 5), (-1, 1)])
    def test_any_other_id_makes_the_base_unclear_and_none_is_read(self, ids: tuple[int, ...]) -> None:
        rows = [row(id=number) for number in ids]
        result = aligned(rows)
        expected = [0, 1, 2] if set(ids) >= {1, 2, 3} else None
        found = places(result, rows)
        if expected is None:
            assert found == [None] * len(rows)
        assert IssueCode.UNKNOWN_STATEMENT in codes(result)

    def test_a_part_of_the_ids_is_read(self) -> None:
        rows = [row(id=3), row(id=1)]
        result = aligned(rows)
        assert places(result, rows) == [2, 0]
        assert codes(result) == [IssueCode.COUNT_MISMATCH]

    def test_two_rows_of_one_statement_are_both_kept_for_it(self) -> None:
        rows = [row(id=1), row(NO, id=1), row(id=2), row(id=3)]
        result = aligned(rows)
        assert result.rows[0] == [rows[0], rows[1]]
        assert codes(result) == [IssueCode.COUNT_MISMATCH]

    def test_a_row_without_id_among_rows_with_ids_is_a_stranger(self) -> None:
        rows = [row(id=1), row(), row(id=3)]
        result = aligned(rows)
        assert places(result, rows) == [0, None, 2]
        assert codes(result) == [IssueCode.UNKNOWN_STATEMENT, IssueCode.COUNT_MISMATCH]

    def test_unless_it_repeats_its_statement(self) -> None:
        rows = [row(id=1), row(echo=TEXTS[1]), row(id=3)]
        assert places(aligned(rows), rows) == [0, 1, 2]

    def test_words_for_ids_name_no_numbered_statement(self) -> None:
        rows = [row(id="mill"), row(id="bees"), row(id="rye")]
        assert places(aligned(rows), rows) == [None, None, None]

    def test_ids_of_the_prompt_are_matched_as_they_are(self) -> None:
        rows = [row(id="q-b"), row(id="q-a"), row(id="q-x")]
        assert places(aligned(rows, ids=("q-a", "q-b", "q-c")), rows) == [1, 0, None]

    def test_numbers_of_prompt_ids_are_never_shifted(self) -> None:
        rows = [row(id=10), row(id=11), row(id=12)]
        assert places(aligned(rows, ids=("10", "11", "12")), rows) == [0, 1, 2]
        zeros = [row(id=0), row(id=1), row(id=2)]
        assert places(aligned(zeros, ids=("1", "2", "3")), zeros) == [None, 0, 1]


class TestLetters:
    def test_letters_that_count_all_statements_are_numbers(self) -> None:
        rows = [row(id="b"), row(id="A"), row(id="c")]
        assert places(aligned(rows), rows) == [1, 0, 2]

    def test_two_statements_can_be_lettered(self) -> None:
        rows = [row(id="b"), row(id="a")]
        assert places(aligned(rows, TEXTS[:2]), rows) == [1, 0]

    def test_a_part_of_them_is_not(self) -> None:
        rows = [row(id="a"), row(id="b")]
        assert places(aligned(rows), rows) == [None, None]

    def test_nor_is_one_letter_for_one_statement(self) -> None:
        rows = [row(id="a")]
        assert places(aligned(rows, TEXTS[:1]), rows) == [None]

    def test_nor_are_letters_where_the_prompt_had_ids(self) -> None:
        rows = [row(id="a"), row(id="b"), row(id="c")]
        assert places(aligned(rows, ids=("x", "y", "z")), rows) == [None, None, None]


class TestByEcho:
    def test_a_repeated_statement_says_which_it_is(self) -> None:
        rows = [row(echo=TEXTS[2]), row(echo=TEXTS[0]), row(echo=TEXTS[1])]
        result = aligned(rows)
        assert places(result, rows) == [2, 0, 1]
        assert codes(result) == []

    def test_a_text_that_is_none_of_them_is_a_stranger(self) -> None:
        rows = [row(echo=TEXTS[0]), row(echo="The sea is calm."), row(echo=TEXTS[2])]
        result = aligned(rows)
        assert places(result, rows) == [0, None, 2]
        assert codes(result) == [IssueCode.UNKNOWN_STATEMENT, IssueCode.COUNT_MISMATCH]

    def test_echoes_of_nothing_that_was_asked_are_not_read_by_position(self) -> None:
        rows = [row(echo="The sea is calm."), row(echo="The sky is red."), row(echo="It rains.")]
        result = aligned(rows)
        assert places(result, rows) == [None, None, None]
        assert IssueCode.UNKNOWN_STATEMENT in codes(result)

    def test_one_row_for_one_statement_needs_no_faithful_echo(self) -> None:
        rows = [row(echo="It grinds the rye there.")]
        assert places(aligned(rows, TEXTS[:1]), rows) == [0]

    def test_statements_that_are_alike_are_told_by_nothing(self) -> None:
        texts = ("The mill grinds rye.", "The mill grinds rye.", "The miller keeps bees.")
        rows = [row(echo=texts[0]), row(echo=texts[1]), row(echo=texts[2])]
        assert places(aligned(rows, texts), rows) == [None, None, 2]


class TestIdAgainstEcho:
    def test_an_id_and_a_text_that_disagree_are_a_conflict(self) -> None:
        rows = [row(id=1, echo=TEXTS[0]), row(id=2, echo=TEXTS[2]), row(id=3, echo=TEXTS[1])]
        result = aligned(rows)
        assert places(result, rows) == [0, 1, 2]
        assert [one.reading for one in rows] == [YES, IssueCode.CONFLICTING_VERDICTS, IssueCode.CONFLICTING_VERDICTS]
        assert codes(result).count(IssueCode.CONFLICTING_VERDICTS) == 2
        assert "id 2 " in result.issues[0][1]

    def test_one_and_the_same_difference_is_another_base(self) -> None:
        rows = [row(id=11, echo=TEXTS[0]), row(id=12, echo=TEXTS[1]), row(id=13, echo=TEXTS[2])]
        result = aligned(rows)
        assert places(result, rows) == [0, 1, 2]
        assert codes(result) == []

    def test_a_base_that_also_looks_like_numbers_of_statements_is_told_by_the_texts(self) -> None:
        rows = [row(id=2, echo=TEXTS[0]), row(id=3, echo=TEXTS[1])]
        result = aligned(rows)
        assert places(result, rows) == [0, 1]
        assert IssueCode.CONFLICTING_VERDICTS not in codes(result)

    def test_one_row_alone_shows_no_other_base(self) -> None:
        rows = [row(id=2, echo=TEXTS[0])]
        result = aligned(rows)
        assert rows[0].reading is IssueCode.CONFLICTING_VERDICTS
        assert places(result, rows) == [1]

    def test_ids_of_the_prompt_have_no_base(self) -> None:
        rows = [row(id="q2", echo=TEXTS[0]), row(id="q3", echo=TEXTS[1])]
        result = aligned(rows, ids=("q1", "q2", "q3"))
        assert codes(result).count(IssueCode.CONFLICTING_VERDICTS) == 2

    def test_a_word_as_id_leaves_it_to_the_text(self) -> None:
        rows = [row(id="mill", echo=TEXTS[1]), row(id="bees", echo=TEXTS[2]), row(id="rye", echo=TEXTS[0])]
        assert places(aligned(rows), rows) == [1, 2, 0]

    def test_lines_that_were_numbered_afresh_are_told_by_what_they_repeat(self) -> None:
        rows = [
            row(id=1, echo=TEXTS[2], echo_index=2),
            row(id=2, echo=TEXTS[0], echo_index=0),
            row(id=3, echo=TEXTS[1], echo_index=1),
        ]
        result = aligned(rows)
        assert places(result, rows) == [2, 0, 1]
        assert codes(result) == []

    def test_two_such_lines_are_enough(self) -> None:
        rows = [row(id=1, echo_index=1), row(id=2, echo_index=0)]
        result = aligned(rows, TEXTS[:2])
        assert places(result, rows) == [1, 0]
        assert codes(result) == []

    def test_a_base_is_seen_beside_rows_that_repeat_nothing(self) -> None:
        rows = [row(id=2, echo=TEXTS[0]), row(id=3, echo=TEXTS[1]), row(id=4)]
        result = aligned(rows)
        assert places(result, rows) == [0, 1, None]
        assert IssueCode.CONFLICTING_VERDICTS not in codes(result)

    def test_one_row_that_repeats_among_rows_that_do_not_shows_no_other_base(self) -> None:
        rows = [row(id=2, echo=TEXTS[0]), row(id=3), row(id=1)]
        aligned(rows)
        assert rows[0].reading is IssueCode.CONFLICTING_VERDICTS

    def test_not_where_one_statement_is_repeated_twice(self) -> None:
        rows = [row(id=1, echo_index=2), row(id=2, echo_index=2), row(id=3, echo_index=1)]
        result = aligned(rows)
        assert IssueCode.CONFLICTING_VERDICTS in codes(result)

    def test_not_where_only_some_repeat_one_word_for_word(self) -> None:
        rows = [row(id=1, echo=TEXTS[2], echo_index=2), row(id=2), row(id=3, echo=TEXTS[1], echo_index=1)]
        result = aligned(rows)
        assert codes(result).count(IssueCode.CONFLICTING_VERDICTS) == 2

    def test_not_for_a_single_line(self) -> None:
        rows = [row(id=1, echo=TEXTS[2], echo_index=2)]
        assert IssueCode.CONFLICTING_VERDICTS in codes(aligned(rows))

    def test_not_where_the_numbers_do_not_count_up(self) -> None:
        rows = [row(id=2, echo_index=0), row(id=1, echo_index=2)]
        result = aligned(rows)
        assert IssueCode.CONFLICTING_VERDICTS in codes(result)


class TestByPosition:
    def test_a_list_whose_count_fits_is_read_in_order(self) -> None:
        rows = [row(), row(NO), row()]
        result = aligned(rows)
        assert places(result, rows) == [0, 1, 2]
        assert codes(result) == []

    @pytest.mark.parametrize("count", [1, 2, 4])
    def test_one_whose_count_does_not_fit_is_not_read_at_all(self, count: int) -> None:
        rows = [row() for _ in range(count)]
        result = aligned(rows)
        assert places(result, rows) == [None] * count
        assert codes(result) == [IssueCode.COUNT_MISMATCH]
        assert result.issues[0][1] == f"{count} verdicts for 3 statements"

    def test_rows_in_no_order_are_not_either(self) -> None:
        rows = [row(), row(), row()]
        assert places(aligned(rows, orderly=False), rows) == [None, None, None]

    def test_one_row_for_one_statement_needs_no_order(self) -> None:
        rows = [row()]
        assert places(aligned(rows, TEXTS[:1], orderly=False), rows) == [0]

    def test_leading_rows_before_a_cut_count(self) -> None:
        rows = [row(), row(NO)]
        result = aligned(rows, cut=True)
        assert places(result, rows) == [0, 1]
        assert codes(result) == [IssueCode.COUNT_MISMATCH]

    def test_not_in_no_order_and_not_where_there_are_too_many(self) -> None:
        loose = [row(), row()]
        assert places(aligned(loose, cut=True, orderly=False), loose) == [None, None]
        many = [row() for _ in range(4)]
        assert places(aligned(many, cut=True), many) == [None] * 4
        full = [row() for _ in range(3)]
        assert places(aligned(full, cut=True), full) == [0, 1, 2]

    def test_rows_before_a_gap_count_and_those_behind_it_do_not(self) -> None:
        rows = [row(), row(NO)]
        assert places(aligned(rows, gap=1), rows) == [0, None]
        assert places(aligned([*rows], gap=2), rows) == [0, 1]
        assert places(aligned([*rows], gap=0), rows) == [None, None]

    def test_a_gap_in_a_list_that_is_too_long_or_in_no_order_reads_none(self) -> None:
        many = [row() for _ in range(4)]
        assert places(aligned(many, gap=1), many) == [None] * 4
        full = [row() for _ in range(3)]
        assert places(aligned(full, gap=2), full) == [0, 1, None]
        assert places(aligned(full, gap=3), full) == [0, 1, 2]
        loose = [row(), row()]
        assert places(aligned(loose, gap=1, orderly=False), loose) == [None, None]

    def test_strangers_by_position_are_a_count_and_no_unknown_statement(self) -> None:
        assert codes(aligned([row(), row()])) == [IssueCode.COUNT_MISMATCH]


class TestCount:
    @pytest.mark.parametrize("reading", [IssueCode.MISSING_VERDICT, IssueCode.TRUNCATED, IssueCode.UNKNOWN_LABEL])
    def test_a_row_that_says_nothing_is_not_counted(self, reading: IssueCode) -> None:
        result = aligned([row(id=1), row(reading, id=2), row(id=3)])
        assert codes(result) == [IssueCode.COUNT_MISMATCH]
        assert result.issues[0][1] == "2 verdicts for 3 statements"

    @pytest.mark.parametrize("reading", [IssueCode.CONFLICTING_VERDICTS, IssueCode.OUT_OF_RANGE, NO])
    def test_a_row_that_says_something_unusable_is(self, reading: Any) -> None:
        assert codes(aligned([row(id=1), row(reading, id=2), row(id=3)])) == []

    def test_the_number_of_strangers_is_told(self) -> None:
        result = aligned([row(id=number) for number in (1, 2, 3, 7, 9)])
        assert result.issues[0] == (
            IssueCode.UNKNOWN_STATEMENT,
            "2 verdicts are for no statement that was asked about",
        )
        assert result.issues[1] == (IssueCode.COUNT_MISMATCH, "5 verdicts for 3 statements")

    def test_nothing_asked_and_nothing_said_is_no_mismatch(self) -> None:
        assert codes(aligned([], ())) == []

    def test_an_empty_answer_is_one(self) -> None:
        assert codes(aligned([])) == [IssueCode.COUNT_MISMATCH]


class TestTheNumbersOfTheStatements:
    @pytest.mark.parametrize("reply", ["[1, 2, 3]", "1, 2, 3", '{"verdicts": [1, 2, 3]}', "[1, 2]"])
    def test_in_a_row_say_nothing_about_them(self, reply: str) -> None:
        statements = ["The ferry leaves at six.", "Tea is sold.", "The pier is green."][: reply.count(",") + 1]
        assert set(parse_verdicts(reply, statements).found) == {None}
