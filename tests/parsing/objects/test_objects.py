"""parse_object: an object of the caller's schema, wherever in the reply it stands."""

from __future__ import annotations

import json
from collections.abc import Callable
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


def bare(told: tuple[str, ...]) -> tuple[str, ...]:
    """What is told, without the words of messages."""
    return tuple(line if line.startswith(("{", "[")) else line.split(": ")[0] for line in told)


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


Tell = Callable[..., tuple[str, ...]]

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


class TestWhere:
    @pytest.mark.parametrize(
        ("reply", "schema", "told"),
        [
            (
                '{"result": ' + FILLED + "}",
                FORM,
                ("ok json", "{'reason': 'Dry and warm.', 'score': 4, 'label': 'good'}"),
            ),
            (
                '{"a": {"b": [' + FILLED + "]}}",
                FORM,
                ("ok json", "{'reason': 'Dry and warm.', 'score': 4, 'label': 'good'}"),
            ),
            (
                '{"name": "grade", "arguments": ' + FILLED + "}",
                FORM,
                ("ok json", "{'reason': 'Dry and warm.', 'score': 4, 'label': 'good'}"),
            ),
            (
                '{"result": "{\\"score\\": 4, \\"label\\": \\"good\\"}"}',
                FORM,
                ("ok json", "{'score': 4, 'label': 'good'}"),
            ),
            (
                '"{\\"score\\": 4, \\"label\\": \\"good\\"}"',
                FORM,
                (
                    "ok repaired-json",
                    "{'score': 4, 'label': 'good'}",
                    "repaired-json: the reply had to be mended: over-escaped",
                    "over-escaped 1",
                ),
            ),
            (
                '{"example": ' + FILLED + "}",
                FORM,
                (
                    "unparseable None",
                    "None",
                    "missing-verdict: the reply holds nothing of the kind that the schema asks for",
                ),
            ),
            (
                '{"reason": ' + FILLED + "}",
                FORM,
                (
                    "unparseable None",
                    "None",
                    "missing-verdict: score: required",
                    "unknown-label: reason: string expected, not object",
                    "reason: string expected, not object",
                    "score: required",
                    "label: required",
                ),
            ),
            (
                '{"type": "object", "properties": ' + FILLED + "}",
                FORM,
                ("ok json", "{'reason': 'Dry and warm.', 'score': 4, 'label': 'good'}"),
            ),
            (
                '{"Score": "4", "Label": "GOOD"}',
                FORM,
                (
                    "ok json",
                    "{'score': 4, 'label': 'good'}",
                    "repaired-json: the reply had to be mended: key-spelling, label-spelling, quoted-number",
                    "key-spelling 10",
                    "quoted-number 10",
                    "key-spelling 24",
                    "label-spelling 24",
                ),
            ),
            ("score: 4\nlabel: good", FORM, ("ok labelled", "{'score': 4, 'label': 'good'}")),
            (
                "**Score:** 4\n**Label:** good\n**Reason:** Dry.\nAnd warm.\n\nBye.",
                FORM,
                ("ok labelled", "{'score': 4, 'label': 'good', 'reason': 'Dry.\\nAnd warm.'}"),
            ),
            ("<score>4</score><label>good</label>", FORM, ("ok xml", "{'score': 4, 'label': 'good'}")),
            (
                "<r><score>four</score><label>good</label></r>",
                FORM,
                (
                    "unparseable None",
                    "None",
                    "unknown-label: score: integer expected, not string",
                    "score: integer expected, not string",
                ),
            ),
            (
                '["a", "b"]',
                LISTED,
                (
                    "ok json",
                    "{'items': ['a', 'b']}",
                    "repaired-json: the reply had to be mended: wrapper-added",
                    "wrapper-added 0",
                ),
            ),
            (
                '["a", "b"',
                LISTED,
                (
                    "unparseable None",
                    "None",
                    "repaired-json: the reply had to be mended: missing-bracket",
                    "missing-verdict: the reply holds nothing of the kind that the schema asks for",
                    "missing-bracket 9",
                ),
            ),
            ("items:\n- a\n- b", LISTED, ("ok labelled", "{'items': ['a', 'b']}")),
            (
                "items: a, b",
                LISTED,
                (
                    "unparseable None",
                    "None",
                    "missing-verdict: items: nothing stands here",
                    "items: nothing stands here",
                ),
            ),
            (
                "Reason: It is dry.\nScore: 4\n\nLabel: good",
                FORM,
                ("ok labelled", "{'reason': 'It is dry.', 'score': 4, 'label': 'good'}"),
            ),
        ],
    )
    def test_it_is_found_in_what_stands_around_it(
        self, reply: str, schema: Any, told: tuple[str, ...], tell_object: Tell
    ) -> None:
        assert tell_object(reply, schema) == tuple(
            line if line.startswith(("{", "[")) else line.split(": ")[0] for line in told
        )


class TestWhyNone:
    @pytest.mark.parametrize(
        ("reply", "schema", "told"),
        [
            (
                '{"score": 9, "label": "good"}',
                FORM,
                ("out_of_range None", "None", "out-of-range: score: 9 is more than 5", "score: 9 is more than 5"),
            ),
            (
                '{"score": 4, "lab',
                FORM,
                (
                    "truncated None",
                    "None",
                    "repaired-json: the reply had to be mended: missing-bracket",
                    "truncated: the reply was cut off",
                    "missing-verdict: label: required",
                    "missing-bracket 17",
                    "the object: the object was cut off",
                    "label: required",
                ),
            ),
            (
                '{"score": 4, "label": "good"',
                FORM,
                (
                    "truncated None",
                    "None",
                    "repaired-json: the reply had to be mended: missing-bracket",
                    "truncated: the reply was cut off",
                    "missing-bracket 28",
                    "the object: the object was cut off",
                ),
            ),
            ("", FORM, ("empty None", "None", "empty-reply: the reply holds no answer")),
            ("I cannot help with that.", FORM, ("refusal None", "None", "refusal: the judge refused")),
            ("<think>hm", FORM, ("truncated None", "None", "truncated: the reply was cut off")),
        ],
    )
    def test_the_status_and_the_flaws_say_it(
        self, reply: str, schema: Any, told: tuple[str, ...], tell_object: Tell
    ) -> None:
        assert tell_object(reply, schema) == tuple(
            line if line.startswith(("{", "[")) else line.split(": ")[0] for line in told
        )


class TestSeveral:
    @pytest.mark.parametrize(
        ("reply", "schema", "told"),
        [
            (
                FILLED + '\n{"reason": "Dry and warm.", "score": 3, "label": "good"}',
                FORM,
                (
                    "unparseable None",
                    "None",
                    "conflicting-verdicts: the reply gives different objects",
                    "the reply gives different objects",
                ),
            ),
            (
                FILLED + '\nCorrection: \n{"reason": "Dry and warm.", "score": 3, "label": "good"}',
                FORM,
                (
                    "ok json",
                    "{'reason': 'Dry and warm.', 'score': 3, 'label': 'good'}",
                    "conflicting-verdicts: the object is given 2 times",
                ),
            ),
            (
                FILLED + '\n{"reason": "Hot and warm.", "score": 4, "label": "good"}',
                FORM,
                (
                    "ok json",
                    "{'reason': 'Hot and warm.', 'score': 4, 'label': 'good'}",
                    "duplicate-verdict: the object is given 2 times",
                ),
            ),
            (
                FILLED + '\n{"score": 2}',
                FORM,
                (
                    "unparseable None",
                    "None",
                    "conflicting-verdicts: the reply gives different values for 'score'",
                    "the reply gives different values for 'score'",
                ),
            ),
            (FILLED + '\n{"score": 4}', FORM, ("ok json", "{'reason': 'Dry and warm.', 'score': 4, 'label': 'good'}")),
            (
                FILLED + '\n{"reason": "Other"}',
                FORM,
                ("ok json", "{'reason': 'Dry and warm.', 'score': 4, 'label': 'good'}"),
            ),
            (
                FILLED + '\n{"label": "bad"}',
                FORM,
                (
                    "unparseable None",
                    "None",
                    "conflicting-verdicts: the reply gives different values for 'label'",
                    "the reply gives different values for 'label'",
                ),
            ),
            (
                FILLED + "\nOn second thought, ignore the above answer.",
                FORM,
                (
                    "unparseable None",
                    "None",
                    "conflicting-verdicts: the judge takes the object back after it",
                    "the judge takes the object back after it",
                ),
            ),
            (
                "[" + FILLED + ',{"reason": "Dry and warm.", "score": 4, "label": "bad"}]',
                FORM,
                (
                    "unparseable None",
                    "None",
                    "conflicting-verdicts: the reply gives different objects",
                    "the reply gives different objects",
                ),
            ),
        ],
    )
    def test_they_must_agree_or_be_taken_back(
        self, reply: str, schema: Any, told: tuple[str, ...], tell_object: Tell
    ) -> None:
        assert tell_object(reply, schema) == tuple(
            line if line.startswith(("{", "[")) else line.split(": ")[0] for line in told
        )


class TestScalars:
    @pytest.mark.parametrize(
        ("reply", "schema", "told"),
        [
            ("4", {"type": "integer"}, ("ok text", "4")),
            ('"four"', {"type": "string"}, ("ok text", "'four'")),
            (
                "Good.",
                {"enum": ["good", "bad"]},
                ("ok text", "'good'", "repaired-json: the reply had to be mended: label-spelling", "label-spelling 0"),
            ),
            ("[1, 2]", {"type": "array"}, ("ok json", "[1, 2]")),
            ("true", {"type": "boolean"}, ("ok text", "True")),
            ("{}", {}, ("ok json", "{}")),
            (
                "{}",
                FORM,
                ("unparseable None", "None", "missing-verdict: score: required", "score: required", "label: required"),
            ),
        ],
    )
    def test_a_schema_of_one_value_takes_the_whole_reply(
        self, reply: str, schema: Any, told: tuple[str, ...], tell_object: Tell
    ) -> None:
        assert tell_object(reply, schema) == tuple(
            line if line.startswith(("{", "[")) else line.split(": ")[0] for line in told
        )


class TestMore:
    @pytest.mark.parametrize(
        ("reply", "schema", "end", "told"),
        [
            (
                '{"score": 4, "label": "good"',
                {
                    "type": "object",
                    "properties": {"score": {"type": "integer"}, "label": {"type": "string"}},
                    "required": ["score"],
                },
                None,
                (
                    "ok repaired-json",
                    "{'score': 4, 'label': 'good'}",
                    "repaired-json: the reply had to be mended: missing-bracket",
                    "uncertain-end: the object is complete, but its closing brackets are missing",
                    "missing-bracket 28",
                ),
            ),
            (
                '{"score": 4, "label": "good", "x": "',
                {
                    "type": "object",
                    "properties": {"score": {"type": "integer"}, "label": {"type": "string"}},
                    "required": ["score"],
                },
                None,
                (
                    "ok repaired-json",
                    "{'score': 4, 'label': 'good'}",
                    "repaired-json: the reply had to be mended: missing-bracket",
                    "truncated: the reply was cut off after the object",
                    "missing-bracket 36",
                ),
            ),
            ("", FORM, "content_filter", ("refusal None", "None", "refusal: the judge refused")),
            ('{"score": 4, "label": "good"}', FORM, "refusal", ("ok json", "{'score': 4, 'label': 'good'}")),
            (
                '{"type": "string", "title": "x"}',
                {"type": "object", "properties": {"type": {"type": "string"}, "title": {"type": "string"}}},
                None,
                ("ok json", "{'type': 'string', 'title': 'x'}"),
            ),
            (
                '{"name": "x", "input": {"a": 1}}',
                {"type": "object", "properties": {"name": {"type": "string"}, "input": {}}},
                None,
                ("ok json", "{'name': 'x', 'input': {'a': 1}}"),
            ),
            (
                '["a"]',
                {"type": "object", "properties": {"items": {"type": "array"}}},
                None,
                (
                    "ok json",
                    "{'items': ['a']}",
                    "repaired-json: the reply had to be mended: wrapper-added",
                    "wrapper-added 0",
                ),
            ),
            (
                '["a"]',
                {"type": "object", "properties": {"items": {"type": "array"}, "b": {}}, "required": ["items"]},
                None,
                (
                    "unparseable None",
                    "None",
                    "missing-verdict: the reply holds nothing of the kind that the schema asks for",
                ),
            ),
            (
                "['a',]",
                {"type": "object", "properties": {"items": {"type": "array"}}, "required": ["items"]},
                None,
                (
                    "ok repaired-json",
                    "{'items': ['a']}",
                    "repaired-json: the reply had to be mended: single-quotes, trailing-comma, wrapper-added",
                    "wrapper-added 0",
                    "single-quotes 1",
                    "trailing-comma 5",
                ),
            ),
            (
                '["x", "y"]\n["x", "z"]',
                {"type": "array"},
                None,
                (
                    "unparseable None",
                    "None",
                    "conflicting-verdicts: the reply gives different objects",
                    "the reply gives different objects",
                ),
            ),
            ('{"const": 1}', {"const": {"const": 1}}, None, ("ok json", "{'const': 1}")),
        ],
    )
    def test_what_is_beside_the_object(
        self, reply: str, schema: Any, end: Any, told: tuple[str, ...], tell_object: Tell
    ) -> None:
        assert tell_object(reply, schema, end) == tuple(
            line if line.startswith(("{", "[")) else line.split(": ")[0] for line in told
        )
