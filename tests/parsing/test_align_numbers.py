"""Statements that are repeated with their numbers: both name the statement, and must name the same."""

from __future__ import annotations

import json

import pytest

from magistrate.parsing import parse_verdicts
from magistrate.verdict import IssueCode, Verdict

YES, NO = Verdict.SUPPORTED, Verdict.UNSUPPORTED
PLATES = ["The plate is dry.", "The plate is blue.", "The plate is old."]


def read(rows: list[dict[str, object]], asked: int = 2, ids: list[str] | None = None):
    return parse_verdicts(json.dumps(rows), PLATES[:asked], ids=ids)


class TestNumberedEchoes:
    @pytest.mark.parametrize("form", ["{}. {}", "{}) {}", "({}) {}"])
    def test_name_their_statements_in_any_order(self, form: str) -> None:
        rows = [
            {"statement": form.format(2, PLATES[1]), "verdict": "no"},
            {"statement": form.format(1, PLATES[0]), "verdict": "yes"},
        ]
        reading = read(rows)
        assert (list(reading.found), reading.issues) == ([YES, NO], ())

    def test_that_give_the_number_of_another_statement_decide_nothing(self) -> None:
        rows = [
            {"statement": f"1. {PLATES[0]}", "verdict": "yes"},
            {"statement": f"3. {PLATES[1]}", "verdict": "no"},
            {"statement": f"2. {PLATES[2]}", "verdict": "no"},
        ]
        reading = read(rows, 3)
        assert list(reading.found) == [YES, None, None]
        assert IssueCode.CONFLICTING_VERDICTS in {note.code for note in reading.verdicts[1].issues}

    def test_beside_ids_are_texts_alone(self) -> None:
        rows = [
            {"id": 1, "statement": f"1. {PLATES[0]}", "verdict": "yes"},
            {"id": 2, "statement": f"2. {PLATES[1]}", "verdict": "no"},
        ]
        assert list(read(rows).found) == [YES, NO]
        rows[0]["id"], rows[1]["id"] = 2, 1
        assert list(read(rows).found) == [None, None]

    def test_under_ids_of_the_prompts_own_number_lines_only(self) -> None:
        rows = [
            {"statement": f"1. {PLATES[1]}", "verdict": "no"},
            {"statement": f"2. {PLATES[0]}", "verdict": "yes"},
        ]
        reading = read(rows, ids=["q1", "q2"])
        assert [(one.id, one.verdict) for one in reading.verdicts] == [("q1", YES), ("q2", NO)]

    def test_come_mixed_with_plain_ones(self) -> None:
        rows = [
            {"statement": PLATES[1], "verdict": "no"},
            {"verdict": "yes"},
            {"statement": f"3. {PLATES[2]}", "verdict": "yes"},
        ]
        assert list(read(rows, 3).found) == [None, NO, YES]
