"""One verdict for all: how many "all" are, who is left out, and what may stand beside it."""

from __future__ import annotations

import pytest

from magistrate.parsing import parse_verdicts
from magistrate.verdict import IssueCode, ParseStatus, Verdict

YES, NO = Verdict.SUPPORTED, Verdict.UNSUPPORTED
FIELDS = ["The field is fenced.", "The field is wet.", "The field is steep."]


def found(reply: str, end: str | None = None) -> list[Verdict | None]:
    return list(parse_verdicts(reply, FIELDS, finish_reason=end).found)


class TestExceptions:
    @pytest.mark.parametrize(
        ("reply", "meant"),
        [
            ("All are supported except 2.", [YES, NO, YES]),
            ("All supported except 1.", [NO, YES, YES]),
            ("All supported except 3.", [YES, YES, NO]),
            ("All supported, except for statement 1 and 3.", [NO, YES, NO]),
        ],
    )
    def test_have_the_other_verdict(self, reply: str, meant: list[Verdict]) -> None:
        assert found(reply) == meant

    @pytest.mark.parametrize(
        "reply", ["All supported except 4.", "All supported except 0.", "All supported except 3-1."]
    )
    def test_of_no_statement_leave_all_open(self, reply: str) -> None:
        assert found(reply) == [None, None, None]

    def test_that_a_cut_may_have_kept_back_are_minded(self) -> None:
        for reply in ("All are supported except 2.", "All supported.", "Yes to all.", "All supported.\n"):
            reading = parse_verdicts(reply, FIELDS, finish_reason="length")
            assert (list(reading.found), reading.status) == ([None] * 3, ParseStatus.TRUNCATED)
        assert found("All supported. It is late.", "length") == [YES, YES, YES]


class TestHowMany:
    @pytest.mark.parametrize(
        "reply", ["All three are supported.", "All 3 are supported.", "Yes to all three.", "All supported."]
    )
    def test_are_as_many_as_were_asked_about(self, reply: str) -> None:
        assert found(reply) == [YES, YES, YES]

    @pytest.mark.parametrize("reply", ["All two are supported.", "Both are supported.", "All four are supported."])
    def test_or_none(self, reply: str) -> None:
        assert found(reply) == [None, None, None]

    def test_none_of_them_is_not_supported_and_no_more(self) -> None:
        assert found("None is supported.") == [NO, NO, NO]
        assert found("None is contradicted.") == [None, None, None]


class TestWhatStandsBesideIt:
    @pytest.mark.parametrize(
        ("reply", "span"),
        [
            ("  All supported.", (2, 15)),
            ("Verdicts: all supported.", (10, 23)),
            ("\n\nAll supported because the log says so.", (2, 15)),
            ("All supported. It is late.", (0, 13)),
        ],
    )
    def test_it_has_its_place(self, reply: str, span: tuple[int, int]) -> None:
        reading = parse_verdicts(reply, FIELDS)
        assert list(reading.found) == [YES, YES, YES]
        assert {one.span for one in reading.verdicts} == {span}

    def test_a_list_that_differs_from_it_is_in_conflict_where_it_differs(self) -> None:
        reading = parse_verdicts("All are supported.\n1. yes\n2. no\n3. yes", FIELDS)
        assert list(reading.found) == [YES, None, YES]
        assert IssueCode.CONFLICTING_VERDICTS in {note.code for note in reading.verdicts[1].issues}
        assert found("1. yes\n2. no\n3. yes\nIn summary, all are supported except 3.") == [YES, None, None]
