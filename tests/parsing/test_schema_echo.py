"""A schema that came back in place of an answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from magistrate.parsing.schema_echo import is_schema, schema_values

Tell = Callable[..., tuple[str, ...]]
STATEMENTS = [
    "The ferry leaves at six.",
    "The harbour freezes in May.",
    "Gulls nest on the pier.",
    "The keeper paints the rail.",
]


class TestSchemas:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            (
                '{"$defs": {}, "verdict": "yes"}',
                (
                    "unparseable None",
                    "s1: None",
                    "count-mismatch: 0 verdicts for 1 statements",
                    "missing-verdict 1: the reply says nothing of this statement",
                ),
            ),
            (
                '{"properties": {"verdict": "yes"}}',
                (
                    "unparseable None",
                    "s1: None",
                    "count-mismatch: 0 verdicts for 1 statements",
                    "missing-verdict 1: the reply says nothing of this statement",
                ),
            ),
            (
                '{"type": "object", "properties": {"verdict": {"type": ["yes"], "verdict": "yes"}}}',
                ("ok json", "s1: supported 45-80"),
            ),
            (
                '{"type": "object", "properties": {"verdict": {"type": "claim", "verdict": "yes"}}}',
                ("ok json", "s1: supported 45-80"),
            ),
        ],
    )
    def test_a_schema_that_came_back_is_no_answer(self, reply: str, told: tuple[str, ...], tell_verdicts: Tell) -> None:
        assert tell_verdicts(reply, STATEMENTS[:1]) == told


class TestSchema:
    @pytest.mark.parametrize(
        "word",
        [
            *("properties", "items", "title", "description", "enum", "required", "default", "minimum", "maximum"),
            *("format", "$ref", "examples", "additionalProperties"),
        ],
    )
    @pytest.mark.parametrize("kind", ["object", "array", "string", "integer", "number", "boolean", "null"])
    def test_a_type_and_a_word_of_schemas_make_one(self, kind: str, word: str) -> None:
        assert is_schema({"type": kind, word: "yes"})
        assert is_schema({word: "yes", "type": kind, "other": 1})

    @pytest.mark.parametrize("word", ["$ref", "$defs", "$schema", "anyOf", "allOf", "oneOf", "enum"])
    def test_some_words_need_no_type(self, word: str) -> None:
        assert is_schema({word: []})
        assert is_schema({word: [], "verdict": "yes"})

    @pytest.mark.parametrize(
        "word", ["required", "title", "description", "type", "additionalProperties", "name", "strict"]
    )
    def test_properties_may_stand_beside_words_of_schemas_alone(self, word: str) -> None:
        assert is_schema({"properties": {}, word: "yes"})
        assert not is_schema({"properties": {}, word: "yes", "verdict": "no"})

    def test_an_object_of_nothing_is_one(self) -> None:
        assert is_schema({"type": "object"})
        assert is_schema({"properties": {}})

    @pytest.mark.parametrize(
        "value",
        [
            {},
            {"type": "string"},
            {"type": "verdict", "title": "yes"},
            {"type": ["object"], "title": "yes"},
            {"type": "object", "verdict": "yes"},
            {"kind": "object", "title": "yes"},
            {"title": "yes", "required": True},
            {"properties": ["yes"]},
            {"properties": "yes", "title": "no"},
        ],
    )
    def test_an_answer_is_none(self, value: dict[str, Any]) -> None:
        assert not is_schema(value)


class TestValues:
    @pytest.mark.parametrize(
        ("properties", "values"),
        [
            ({"verdict": "yes"}, {"verdict": "yes"}),
            ({"verdict": "yes", "reason": {"type": "string"}}, {"verdict": "yes"}),
            ({"verdict": "yes", "reason": {"type": ["string", "null"]}}, {"verdict": "yes"}),
            ({"row": {"type": "claim", "verdict": "no"}}, {"row": {"type": "claim", "verdict": "no"}}),
            ({"row": {"type": ["claim", "string"]}}, {"row": {"type": ["claim", "string"]}}),
            ({"row": {"type": 3}}, {"row": {"type": 3}}),
            ({"a": {"enum": ["yes"]}, "b": ["no"]}, {"b": ["no"]}),
            ({"verdict": {"type": "string"}}, None),
            ({"verdict": {"type": "object", "properties": {}}}, None),
            ({}, None),
            (["yes"], None),
            ("yes", None),
        ],
    )
    def test_under_its_words_are_an_answer(self, properties: Any, values: Any) -> None:
        assert schema_values({"properties": properties}) == values

    def test_there_are_none_without_properties(self) -> None:
        assert schema_values({"verdict": "yes"}) is None
