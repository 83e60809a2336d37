"""parse_object: an object of the caller's schema, wherever in the reply it stands."""

from __future__ import annotations

import json
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field
from tests.case_tables import cases_of

from magistrate.parsing import parse_object
from magistrate.verdict import IssueCode

cases = cases_of(__file__)

GRADE: dict[str, Any] = {
    "type": "object",
    "properties": {
        "reason": {"type": "string"},
        "score": {"type": "integer", "minimum": 1, "maximum": 5},
        "label": {"enum": ["good", "bad"]},
    },
    "required": ["score", "label"],
}
VALUE = {"reason": "Clear and short.", "score": 4, "label": "good"}
TEXT = json.dumps(VALUE)


class Grade(BaseModel):
    reason: str = ""
    score: int = Field(ge=1, le=5)
    label: Literal["good", "bad"]


def issues(reading: Any) -> set[IssueCode]:
    return {issue.code for issue in reading.issues}


class TestWhereItStands:
    def test_a_model_gives_its_object_and_bytes_are_text(self) -> None:
        assert parse_object(f"```json\n{TEXT}\n```", Grade).value == Grade(**VALUE)
        assert parse_object(TEXT.encode(), GRADE).value == VALUE


class TestLiberties:
    @cases("objects: are taken where one reading exists and are reported")
    def test_are_taken_where_one_reading_exists_and_are_reported(self, changes: dict[str, Any], code: str) -> None:
        reading = parse_object(json.dumps({**VALUE, **changes}), GRADE)
        assert reading.value == VALUE
        assert code in {repair.code for repair in reading.repairs}
        assert IssueCode.REPAIRED_JSON in issues(reading)

    def test_a_bare_list_fills_an_object_that_holds_just_a_list(self) -> None:
        schema = {"type": "object", "properties": {"claims": {"type": "array", "items": {"type": "string"}}}}
        reading = parse_object('["a", "b"]', schema)
        assert reading.value == {"claims": ["a", "b"]}
        assert "wrapper-added" in {repair.code for repair in reading.repairs}


class TestNoObject:
    def test_the_errors_name_the_place(self) -> None:
        assert parse_object(json.dumps({**VALUE, "score": 9}), GRADE).errors == (
            "score: 9 is greater than the maximum of 5",
        )

    @pytest.mark.parametrize("schema", ["x", 3, None, int])
    def test_what_is_no_schema_is_an_error_of_the_caller(self, schema: Any) -> None:
        with pytest.raises(TypeError):
            parse_object(TEXT, schema)


class TestCut:
    @pytest.mark.parametrize("size", range(len(TEXT)))
    def test_no_cut_makes_another_object(self, size: int) -> None:
        for end in (None, "length"):
            assert parse_object(TEXT[:size], GRADE, finish_reason=end).value in (None, VALUE)


class TestOtherShapes:
    @cases("objects: lists and single values")
    def test_lists_and_single_values(self, text: str, schema: Any, value: Any) -> None:
        reading = parse_object(text, schema)
        assert reading.value == value
        assert type(reading.value) is type(value)

    def test_a_list_where_a_single_value_was_asked_for_is_none(self) -> None:
        assert parse_object("[1, 2]", {"type": "integer"}).value is None
