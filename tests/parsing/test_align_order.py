"""Rows without ids and statements: what else they say of their order is minded before they are read by it."""

from __future__ import annotations

import json

import pytest

from magistrate.parsing import parse_verdicts
from magistrate.verdict import IssueCode, Verdict

YES, NO = Verdict.SUPPORTED, Verdict.UNSUPPORTED
JUGS = ["The jug is full.", "The jug has a crack."]


def found(rows: object, asked: int = 2) -> list[Verdict | None]:
    return list(parse_verdicts(json.dumps(rows), JUGS[:asked]).found)


class TestNumbersUnderOtherNames:
    def test_of_rows_that_stand_out_of_order_are_their_ids(self) -> None:
        assert found([{"case": 2, "verdict": "no"}, {"case": 1, "verdict": "yes"}]) == [YES, NO]

    def test_of_the_one_row_about_the_one_statement_say_nothing(self) -> None:
        assert found([{"case": 7, "verdict": "yes"}], 1) == [YES]


class TestUnknownStatements:
    def test_leave_two_rows_without_a_place(self) -> None:
        rows = [{"statement": "Tea is hot.", "verdict": "yes"}, {"statement": "Rain fell.", "verdict": "no"}]
        assert found(rows) == [None, None]


class TestReasonsThatNameAnother:
    @pytest.mark.parametrize("name", ["Statement 2", "claim #2"])
    def test_take_the_verdict_away(self, name: str) -> None:
        rows = [
            {"verdict": "yes", "reason": f"{name} is on the label."},
            {"verdict": "no", "reason": "A crack is named."},
        ]
        plain = [{"verdict": "yes", "reason": "It is on the label."}, {"verdict": "no", "reason": "A crack is named."}]
        assert list(parse_verdicts(json.dumps(plain), JUGS).found) == [YES, NO]  # from here on the form is known
        reading = parse_verdicts(json.dumps(rows), JUGS)
        assert list(reading.found) == [None, NO]
        assert IssueCode.CONFLICTING_VERDICTS in {note.code for note in reading.verdicts[0].issues}

    def test_their_own_do_not(self) -> None:
        rows = [
            {"verdict": "yes", "reason": "Statement 1 is on the label."},
            {"verdict": "no", "reason": "Statement 2 is not."},
        ]
        assert found(rows) == [YES, NO]

    def test_nor_do_those_about_the_one_statement(self) -> None:
        assert found([{"verdict": "yes", "reason": "Statement 2 is on the label."}], 1) == [YES]


class TestNumbersAsWords:
    def test_that_only_count_the_rows_are_no_verdicts(self) -> None:
        assert found([1, 2]) == [None, None]
        assert found([1, 0]) == [YES, NO]
        assert found([1], 1) == [YES]
        assert found([{"verdict": 1}], 1) == [YES]
        assert found([{"verdict": 1}, {"verdict": 0}]) == [YES, NO]
