"""A schema that cannot be one is a wrong configuration, and is told as such."""

from __future__ import annotations

from typing import Any

import pytest

from magistrate.parsing import parse_object
from magistrate.parsing.objects.schema_check import check_schema


class TestWrongSchemas:
    @pytest.mark.parametrize(
        ("schema", "where"),
        [
            ({"type": "banana"}, "#/type"),
            ({"type": []}, "#/type"),
            ({"type": ["string", "text"]}, "#/type"),
            ({"type": None}, "#/type"),
            ({"$ref": "#/nope"}, "#/$ref"),
            ({"$ref": "#elsewhere"}, "#/$ref"),
            ({"$ref": "https://example.org/grade.json"}, "#/$ref"),
            ({"$ref": 3}, "#/$ref"),
            ({"$ref": "#"}, "#/$ref"),
            ({"properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"$ref": "#/$defs/b"}}}, "#/$defs/a/$ref"),
            ({"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}, "#/$defs/b/$ref"),
            ({"$ref": "#/shapes/0", "shapes": [{"type": "circle"}]}, "#/$ref/type"),
            ({"enum": "yes"}, "#/enum"),
            ({"properties": ["score"]}, "#/properties"),
            ({"properties": {"score": "integer"}}, "#/properties/score"),
            ({"properties": {"a/b": {"type": "int"}}}, "#/properties/a~1b/type"),
            ({"required": "score"}, "#/required"),
            ({"properties": {"score": {"required": True}}}, "#/properties/score/required"),
            ({"dependentRequired": {"a": "b"}}, "#/dependentRequired/a"),
            ({"dependentRequired": ["a"]}, "#/dependentRequired"),
            ({"items": 4}, "#/items"),
            ({"items": [{"type": "integer"}, 4]}, "#/items/1"),
            ({"prefixItems": {"type": "integer"}}, "#/prefixItems"),
            ({"anyOf": []}, "#/anyOf"),
            ({"oneOf": [{"type": "integer"}, "null"]}, "#/oneOf/1"),
            ({"not": None}, "#/not"),
            ({"minimum": "0"}, "#/minimum"),
            ({"minimum": 0, "exclusiveMinimum": True}, "#/exclusiveMinimum"),
            ({"multipleOf": 0}, "#/multipleOf"),
            ({"minItems": -1}, "#/minItems"),
            ({"maxLength": 2.5}, "#/maxLength"),
            ({"pattern": "("}, "#/pattern"),
            ({"pattern": 7}, "#/pattern"),
            ({"patternProperties": {"[": True}}, "#/patternProperties"),
            ({"additionalProperties": "no"}, "#/additionalProperties"),
        ],
    )
    def test_are_refused_with_the_place(self, schema: dict[str, Any], where: str) -> None:
        with pytest.raises(ValueError, match="no JSON schema") as caught:
            parse_object("{}", schema)
        assert f"at {where} stands" in str(caught.value)


class TestRightSchemas:
    @pytest.mark.parametrize(
        "schema",
        [
            {},
            {"type": ["string", "null"], "minLength": 1, "maxLength": 9.0, "pattern": "^a"},
            {"properties": {"type": {"type": "string"}, "enum": True, "$ref": {"const": 1}}, "required": []},
            {"$ref": "#/$defs/tree", "$defs": {"tree": {"properties": {"left": {"$ref": "#/$defs/tree"}}}}},
            {"items": [{"type": "integer"}, False], "additionalItems": False},
            {"anyOf": ({"enum": ("a", "b")}, {"const": {"type": "banana"}}), "default": {"enum": 3}},
            {"type": "number", "multipleOf": 0.5, "exclusiveMaximum": 5, "x-note": 1, "format": "odd"},
        ],
    )
    def test_are_taken(self, schema: dict[str, Any]) -> None:
        check_schema(schema)

    def test_are_walked_without_recursion(self) -> None:
        schema: dict[str, Any] = {"type": "integer"}
        for _ in range(5_000):
            schema = {"items": schema}
        check_schema(schema)
        with pytest.raises(ValueError, match="#/anyOf"):
            check_schema({"anyOf": schema})
        schema["not"] = schema
        check_schema(schema)
