"""What decoded objects are: columns, holders of rows, a provider's envelope; what makes one table of several."""

from __future__ import annotations

from typing import Any

import pytest

from magistrate.parsing.rows import Row, Table
from magistrate.parsing.tables import cells_of, holds_rows, is_envelope, placed_at, request_token, together, useful
from magistrate.verdict import IssueCode, Verdict

YES = Verdict.SUPPORTED
ROWS = [{"id": 1, "verdict": "yes"}, {"id": 2, "verdict": "no"}]


def table(*rows: Row, orderly: bool = False, notes: tuple[str, ...] = ()) -> Table:
    return Table(list(rows), orderly=orderly, notes=list(notes))


class TestColumns:
    @pytest.mark.parametrize(
        ("item", "cells"),
        [
            (["yes", "no"], [(0, "yes"), (1, "no")]),
            ([], []),
            ({"0": "yes", "1": "no"}, [("0", "yes"), ("1", "no")]),
            ({"1": "yes", "2": "no"}, [("1", "yes"), ("2", "no")]),
        ],
    )
    def test_are_lists_and_maps_that_count_from_nought_or_one(self, item: Any, cells: Any) -> None:
        assert cells_of(item) == cells

    @pytest.mark.parametrize(
        "item",
        [
            {},
            {"2": "yes", "3": "no"},
            {"1": "yes", "0": "no"},
            {"a": "yes"},
            "yes",
            3,
            None,
            [["yes"], "no"],
            ["yes", {"verdict": "no"}],
            {"0": ["yes"], "1": "no"},
        ],
    )
    def test_are_nothing_else(self, item: Any) -> None:
        assert cells_of(item) is None


class TestHolders:
    @pytest.mark.parametrize("key", ["verdicts", "results", "statements", "ids"])
    @pytest.mark.parametrize("count", [1, 2])
    def test_hold_rows_with_verdicts(self, key: str, count: int) -> None:
        assert holds_rows({"verdict": "no", key: ROWS[:count]})

    @pytest.mark.parametrize(
        "value",
        [
            {"verdicts": []},
            {"verdicts": ["yes", "no"]},
            {"verdicts": [ROWS[0], "no"]},
            {"verdicts": [ROWS[0], {"id": 2}]},
            {"reasons": ROWS},
            {"verdicts": {"1": ROWS[0], "2": ROWS[1]}},
            {},
        ],
    )
    def test_anything_else_does_not(self, value: dict[str, Any]) -> None:
        assert not holds_rows(value)


class TestEnvelopes:
    @pytest.mark.parametrize(
        "value",
        [
            {"role": "assistant", "content": "yes"},
            {"type": "message", "content": []},
            {"choices": []},
            {"candidates": [], "id": "x"},
        ],
    )
    def test_are_what_a_provider_sends(self, value: dict[str, Any]) -> None:
        assert is_envelope(value)

    @pytest.mark.parametrize(
        "value",
        [
            {"content": "yes"},
            {"content": "yes", "role": 3},
            {"content": "yes", "type": "claim"},
            {"content": "yes", "choices": []},
            {"role": "assistant"},
            {"type": "message"},
            {"choices": {}},
            {"candidates": "one"},
            {"options": []},
            {},
        ],
    )
    def test_anything_else_is_none(self, value: dict[str, Any]) -> None:
        assert not is_envelope(value)


class TestUseful:
    @pytest.mark.parametrize(
        "row",
        [
            Row(YES),
            Row(IssueCode.OUT_OF_RANGE),
            Row(IssueCode.CONFLICTING_VERDICTS),
            Row(IssueCode.MISSING_VERDICT, id=1),
            Row(IssueCode.MISSING_VERDICT, echo="The ferry leaves at six."),
        ],
    )
    def test_is_a_table_with_a_row_that_says_something(self, row: Row) -> None:
        tables = [table(Row(IssueCode.UNKNOWN_LABEL), row)]
        assert useful(tables) == tables

    @pytest.mark.parametrize(
        "row",
        [Row(IssueCode.MISSING_VERDICT), Row(IssueCode.UNKNOWN_LABEL, id=1), Row(IssueCode.UNKNOWN_LABEL, echo="x")],
    )
    def test_is_no_table_without_one(self, row: Row) -> None:
        assert useful([table(row), table()]) == []


class TestTogether:
    def test_single_rows_found_apart_are_one_answer(self) -> None:
        one, two = Row(YES, id=1), Row(YES, id=2)
        found = together([table(one, notes=("first",)), table(two, notes=("second", "third"))])
        assert found == [Table([one, two], orderly=False, notes=["first", "second", "third"])]

    @pytest.mark.parametrize(
        "tables",
        [
            [],
            [table(Row(YES))],
            [table(Row(YES), Row(YES)), table(Row(YES), Row(YES))],
            [table(Row(YES)), table(Row(YES)), table(Row(YES), Row(YES))],
            [table(Row(YES), orderly=True), table(Row(YES), orderly=True)],
            [table(Row(YES)), table(Row(YES)), table(Row(YES), orderly=True)],
            [table(), table()],
        ],
        ids=["none", "one", "whole answers", "beside a whole one", "lists of one", "beside a list of one", "empty"],
    )
    def test_whole_answers_stay_apart(self, tables: list[Table]) -> None:
        assert together(iter(tables)) == tables


class TestTokens:
    @pytest.mark.parametrize(
        ("value", "token"),
        [
            ({"token": "q7"}, "q7"),
            ({"token": " q7\n", "verdicts": []}, "q7"),
            ({"token": "q7", "request_token": "q7"}, "q7"),
            ({"token": "q7", "request_token": "q8"}, None),
            ({"token": 7}, None),
            ({"id": "q7"}, None),
            ({}, None),
        ],
    )
    def test_an_object_carries_one(self, value: dict[str, Any], token: str | None) -> None:
        assert request_token(value) == token


class TestPlaces:
    def test_what_was_decoded_from_a_string_stands_where_the_string_stands(self) -> None:
        tables = [table(Row(YES, path=("a",), span=(3, 5)), Row(YES)), table(Row(YES))]
        assert placed_at(tables, ("content",)) is tables
        assert [(row.path, row.span) for one in tables for row in one.rows] == [(("content",), None)] * 3
