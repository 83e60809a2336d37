"""parse_object: an object of the caller's schema, wherever in the reply it stands."""

from __future__ import annotations

import json
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field

from magistrate.parsing import parse_object
from magistrate.verdict import IssueCode, ParseStatus

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
    @pytest.mark.parametrize(
        "text",
        [
            TEXT,
            f"```json\n{TEXT}\n```",
            f"Here it is:\n\n{TEXT}\n\nTell me if you need more.",
            f"<think>Perhaps 3.</think>{TEXT}",
            json.dumps({"result": VALUE}),
            json.dumps({"result": {"data": [VALUE]}}),
            json.dumps([VALUE]),
            json.dumps(TEXT),
            json.dumps({"name": "grade", "arguments": VALUE}),
            json.dumps({"name": "grade", "arguments": TEXT}),
            json.dumps({"type": "object", "properties": VALUE}),
            f"\ufeff{TEXT}<|im_end|>",
            "{'reason': 'Clear and short.', 'score': 4, 'label': 'good'}",
            TEXT[:-1] + ",}",
            "reason: Clear and short.\nscore: 4\nlabel: good",
            "<answer><reason>Clear and short.</reason><score>4</score><label>good</label></answer>",
            "```yaml\nreason: Clear and short.\nscore: 4\nlabel: good\n```",
        ],
    )
    def test_it_is_found(self, text: str) -> None:
        reading = parse_object(text, GRADE)
        assert reading.value == VALUE
        assert reading.status is ParseStatus.OK
        assert parse_object(text, Grade).value == Grade(**VALUE)

    def test_bytes_are_text(self) -> None:
        assert parse_object(TEXT.encode(), GRADE).value == VALUE


class TestLiberties:
    @pytest.mark.parametrize(
        ("changes", "code"),
        [
            ({"score": "4"}, "quoted-number"),
            ({"label": "GOOD"}, "label-spelling"),
            ({"label": "**good**"}, "label-spelling"),
        ],
    )
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
    @pytest.mark.parametrize(
        ("text", "status", "code"),
        [
            (json.dumps({**VALUE, "score": 9}), ParseStatus.OUT_OF_RANGE, IssueCode.OUT_OF_RANGE),
            (json.dumps({**VALUE, "label": "fine"}), ParseStatus.UNPARSEABLE, IssueCode.UNKNOWN_LABEL),
            (json.dumps({"score": 4}), ParseStatus.UNPARSEABLE, IssueCode.MISSING_VERDICT),
            (TEXT[:-12], ParseStatus.TRUNCATED, IssueCode.TRUNCATED),
            ("", ParseStatus.EMPTY, IssueCode.EMPTY_REPLY),
            (None, ParseStatus.EMPTY, IssueCode.EMPTY_REPLY),
            ("<think>Hm", ParseStatus.TRUNCATED, IssueCode.TRUNCATED),
            ("I'm sorry, but I can't help with that.", ParseStatus.REFUSAL, IssueCode.REFUSAL),
        ],
    )
    def test_says_why(self, text: Any, status: ParseStatus, code: IssueCode) -> None:
        reading = parse_object(text, GRADE)
        assert reading.value is None
        assert reading.status is status
        assert code in issues(reading)

    def test_plain_text_is_unparseable(self) -> None:
        reading = parse_object("The answer reads well.", GRADE)
        assert (reading.value, reading.status) == (None, ParseStatus.UNPARSEABLE)

    def test_the_errors_name_the_place(self) -> None:
        assert parse_object(json.dumps({**VALUE, "score": 9}), GRADE).errors == (
            "score: 9 is greater than the maximum of 5",
        )

    def test_a_refusal_of_the_provider_is_one_only_if_nothing_was_answered(self) -> None:
        assert parse_object("", GRADE, refusal="No.").status is ParseStatus.REFUSAL
        assert parse_object(TEXT[:20], GRADE, finish_reason="refusal").status is ParseStatus.REFUSAL
        assert parse_object(TEXT, GRADE, refusal="No.").status is ParseStatus.OK

    def test_a_schema_that_comes_back_is_no_object(self) -> None:
        reading = parse_object(json.dumps(GRADE), GRADE)
        assert reading.value is None

    @pytest.mark.parametrize("schema", ["x", 3, None, int])
    def test_what_is_no_schema_is_an_error_of_the_caller(self, schema: Any) -> None:
        with pytest.raises(TypeError):
            parse_object(TEXT, schema)


class TestConflict:
    def test_a_repeated_key_with_two_values_gives_none(self) -> None:
        reading = parse_object('{"score": 4, "score": 2, "label": "good"}', GRADE)
        assert reading.value is None
        assert IssueCode.CONFLICTING_VERDICTS in issues(reading)

    def test_two_objects_that_differ_give_none(self) -> None:
        reading = parse_object(f"{TEXT}\n{json.dumps({**VALUE, 'score': 2})}", GRADE)
        assert reading.value is None
        assert IssueCode.CONFLICTING_VERDICTS in issues(reading)

    def test_two_that_agree_give_one_and_are_reported(self) -> None:
        reading = parse_object(f"{TEXT}\n{json.dumps({**VALUE, 'reason': 'Short.'})}", GRADE)
        assert reading.value is not None
        assert reading.value["score"] == 4
        assert IssueCode.DUPLICATE_VERDICT in issues(reading)

    def test_a_correction_in_words_lets_the_later_one_count(self) -> None:
        later = {**VALUE, "score": 2}
        reading = parse_object(f"{TEXT}\n\nCorrection: the above is wrong.\n\n{json.dumps(later)}", GRADE)
        assert reading.value == later
        assert IssueCode.CONFLICTING_VERDICTS in issues(reading)

    def test_an_object_that_is_taken_back_is_none(self) -> None:
        assert parse_object(f"{TEXT}\n\nCorrection: the object above is wrong.", GRADE).value is None


class TestCut:
    def test_a_complete_object_before_a_cut_counts(self) -> None:
        assert parse_object(f"{TEXT}\n\nThis is bec", GRADE, finish_reason="length").value == VALUE

    def test_an_object_without_its_bracket_is_complete_where_its_values_are(self) -> None:
        reading = parse_object('{"reason": "x", "score": 4, "label": "good"', GRADE)
        assert reading.value == {"reason": "x", "score": 4, "label": "good"}
        assert reading.issues

    @pytest.mark.parametrize(
        "text",
        [
            '{"result": {"reason": "x", "score": 4, "label": "good"}',
            '{"items": [{"reason": "x", "score": 4, "label": "good"}',
            '{"reason": "x", "score": 4, "label": "good"}, "score": 5}',
            '{"reason": "x", "score": 4, "label": "good", "list": [1], [2] }',
        ],
    )
    def test_a_part_of_a_cut_object_is_not_the_object(self, text: str) -> None:
        assert parse_object(text, GRADE).value is None

    @pytest.mark.parametrize("size", range(len(TEXT)))
    def test_no_cut_makes_another_object(self, size: int) -> None:
        for end in (None, "length"):
            assert parse_object(TEXT[:size], GRADE, finish_reason=end).value in (None, VALUE)


class TestOtherShapes:
    @pytest.mark.parametrize(
        ("text", "schema", "value"),
        [
            ("[1, 2]", {"type": "array", "items": {"type": "integer"}}, [1, 2]),
            ('{"a": [1]}', {"type": "array", "items": {"type": "integer"}}, [1]),
            ("good", {"enum": ["good", "bad"]}, "good"),
            ("3", {"type": "integer"}, 3),
            ('"x"', {"type": "string"}, "x"),
            ("true", {"type": "boolean"}, True),
        ],
    )
    def test_lists_and_single_values(self, text: str, schema: Any, value: Any) -> None:
        reading = parse_object(text, schema)
        assert reading.value == value
        assert type(reading.value) is type(value)

    def test_a_list_where_a_single_value_was_asked_for_is_none(self) -> None:
        assert parse_object("[1, 2]", {"type": "integer"}).value is None


FORM: Any = {
    "type": "object",
    "properties": {
        "reason": {"type": "string"},
        "score": {"type": "integer", "minimum": 1, "maximum": 5},
        "label": {"enum": ["good", "bad"]},
    },
    "required": ["score", "label"],
}
LISTED: Any = {
    "type": "object",
    "properties": {"items": {"type": "array", "items": {"type": "string"}}},
    "required": ["items"],
}
FILLED = '{"reason": "Dry and warm.", "score": 4, "label": "good"}'
