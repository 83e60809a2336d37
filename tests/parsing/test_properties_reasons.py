"""Promise 3: where a reader gives no value, the reading says why: by its status, or by an issue of its own."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from magistrate.parsing import parse_label, parse_object, parse_score, parse_statements
from magistrate.testing.strategies import SLIPS, replies
from magistrate.verdict import Issue, IssueCode, ParseStatus

HUNT = os.environ.get("MAGISTRATE_EXAMPLES")  # set it to look for new examples: see CONTRIBUTING.md
MANY = settings(
    max_examples=int(HUNT or 60), derandomize=not HUNT, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
FINISH = st.sampled_from([None, "stop", "length", "content_filter", "refusal"])
TELLING = {ParseStatus.EMPTY, ParseStatus.REFUSAL, ParseStatus.TRUNCATED}
PIECES = [
    *("{", "}", "[", "]", '"score": ', '"tags": ', '"label": ', '"other": ', ",", "\n", " "),
    *("3", "9", "4.5", "NaN", '"NaN"', "true", "null", '"PASS"', '"FAILED"', '["a"]', '"85%"', "..."),
    *("Score: ", "Score - 3", "four", "[[3]]", "8/10", "PASS", "FAIL", "not ", "Label: ", "maybe"),
    *("<score>", "</score>", "```json\n", "```", "Correction: ", "I cannot help with that.", "- ", "1. ", "\ud800"),
    *('"claims": ', '"Ice floats."', '"<claim 1>"', "claim 1", "Ice floats.", "| Claim |", "<claim>", "</claim>", "> "),
]
TEXTS = st.one_of(
    st.text(max_size=40),
    st.lists(st.sampled_from(PIECES), max_size=14).map("".join),
    replies(slips=tuple(SLIPS)).map(lambda reply: reply.text),
)


class Grade(BaseModel):
    score: int
    label: str | None = None
    tags: list[str] = Field(default=[], min_length=2)


CLOSED: dict[str, Any] = {
    "type": "object",
    "properties": {
        "score": {"type": "integer"},
        "share": {"type": "number"},
        "label": {"enum": ["PASS", "FAIL"]},
        "tags": {"type": "array", "minItems": 2},
        "other": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
    },
    "additionalProperties": False,
}


def is_told(value: object, status: ParseStatus, issues: Sequence[Issue]) -> bool:
    reasons = [one for one in issues if one.code is not IssueCode.REPAIRED_JSON and one.message]
    return value is not None or status in TELLING or bool(reasons)


class TestNoValueWithoutAReason:
    @MANY
    @given(TEXTS, FINISH)
    def test_of_a_score(self, text: str, finish: str | None) -> None:
        for low, high in ((0, 1), (1, 5), (-5, 5)):
            reading = parse_score(text, low, high, finish_reason=finish)
            assert is_told(reading.value, reading.status, reading.issues)

    @MANY
    @given(TEXTS, FINISH)
    def test_of_a_label(self, text: str, finish: str | None) -> None:
        reading = parse_label(text, ["PASS", "FAIL"], finish_reason=finish)
        assert is_told(reading.label, reading.status, reading.issues)

    @MANY
    @given(TEXTS, FINISH)
    def test_of_an_object(self, text: str, finish: str | None) -> None:
        for schema in (Grade, CLOSED, {"type": "array", "items": CLOSED, "minItems": 1}, {"type": "integer"}):
            reading = parse_object(text, schema, finish_reason=finish)
            assert is_told(reading.value, reading.status, reading.issues)

    @MANY
    @given(TEXTS, FINISH)
    def test_of_statements(self, text: str, finish: str | None) -> None:
        reading = parse_statements(text, finish_reason=finish)
        assert is_told(reading.statements or None, reading.status, reading.issues)
        assert reading.statements or reading.status is not ParseStatus.OK


class TestReasons:
    @pytest.mark.parametrize(
        ("reply", "code", "message"),
        [
            ('{"score": true}', IssueCode.UNKNOWN_LABEL, "score: integer expected, not boolean"),
            ('{"score": 4.5}', IssueCode.UNKNOWN_LABEL, "score: integer expected, not number"),
            ('{"share": "NaN"}', IssueCode.UNKNOWN_LABEL, "share: number expected, not string"),
            ('{"share": "85%"}', IssueCode.UNKNOWN_LABEL, "share: number expected, not string"),
            ('{"label": "FAILED"}', IssueCode.UNKNOWN_LABEL, "label: 'FAILED' is none of 'PASS', 'FAIL'"),
            ('{"tags": ["a"]}', IssueCode.COUNT_MISMATCH, "tags: fewer than 2 items"),
            ('{"score": 1, "zz": 2}', IssueCode.UNKNOWN_LABEL, "zz: no key of the schema"),
            ('{"other": "nothing"}', IssueCode.UNKNOWN_LABEL, "other: integer expected, not string"),
            ("[]", IssueCode.MISSING_VERDICT, "the reply holds nothing of the kind that the schema asks for"),
            (
                "A fine answer.",
                IssueCode.MISSING_VERDICT,
                "the reply holds nothing of the kind that the schema asks for",
            ),
        ],
    )
    def test_of_an_object_name_the_leaf(self, reply: str, code: IssueCode, message: str) -> None:
        reading = parse_object(reply, CLOSED)
        assert (reading.status, reading.value) == (ParseStatus.UNPARSEABLE, None)
        assert [(one.code, one.message) for one in reading.issues] == [(code, message)]

    @pytest.mark.parametrize("reply", ["FAILED", "The output does not PASS.", "Hard to say."])
    def test_of_a_label_say_that_none_is_given(self, reply: str) -> None:
        reading = parse_label(reply, ["PASS", "FAIL"])
        assert (reading.status, reading.label) == (ParseStatus.UNPARSEABLE, None)
        assert [one.code for one in reading.issues] == [IssueCode.MISSING_VERDICT]

    @pytest.mark.parametrize(
        ("reply", "code"),
        [
            ("NaN", IssueCode.MISSING_VERDICT),
            ("A fine answer.", IssueCode.MISSING_VERDICT),
            ("Score - 3", IssueCode.UNKNOWN_LABEL),
            ('{"score": "great"}', IssueCode.UNKNOWN_LABEL),
            ('{"score": NaN}', IssueCode.UNKNOWN_LABEL),
        ],
    )
    def test_of_a_score_say_what_stands_there(self, reply: str, code: IssueCode) -> None:
        reading = parse_score(reply, -5, 5)
        assert (reading.status, reading.value) == (ParseStatus.UNPARSEABLE, None)
        assert [one.code for one in reading.issues] == [code]

    @pytest.mark.parametrize(
        ("reply", "code", "message"),
        [
            ("Hello there?", IssueCode.MISSING_VERDICT, "the reply holds no single list of statements"),
            ("null", IssueCode.MISSING_VERDICT, "the reply holds no single list of statements"),
            (
                '{"claims": ["Ice floats."], "facts": ["Salt melts ice."]}',
                IssueCode.MISSING_VERDICT,
                "the reply holds no single list of statements",
            ),
            ('{"a": b c}\n' * 900, IssueCode.MISSING_VERDICT, "the reply holds more parts than are looked at"),
            (
                '{"claims": [1, true]}',
                IssueCode.UNKNOWN_STATEMENT,
                "the list holds a number in the place of a statement",
            ),
            (
                '["Ice floats.", true, 1]',
                IssueCode.UNKNOWN_STATEMENT,
                "the list holds true in the place of a statement",
            ),
            (
                '[{"a": "Ice floats.", "b": "Salt melts ice."}]',
                IssueCode.UNKNOWN_STATEMENT,
                "the list holds an object without a text that is clearly its statement",
            ),
            (
                '["Ice floats.", "<claim 2>"]',
                IssueCode.UNKNOWN_STATEMENT,
                "the list holds a placeholder in the place of a statement",
            ),
            (
                "- claim 1\n- claim 2",
                IssueCode.UNKNOWN_STATEMENT,
                "the list holds a placeholder in the place of a statement",
            ),
        ],
    )
    def test_of_statements_say_what_is_none(self, reply: str, code: IssueCode, message: str) -> None:
        reading = parse_statements(reply)
        assert (reading.status, reading.statements) == (ParseStatus.UNPARSEABLE, [])
        assert [(one.code, one.message) for one in reading.issues] == [(code, message)]
