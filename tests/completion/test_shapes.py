"""Schemas as providers take them."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from magistrate.completion.providers._request_schema import for_provider, response_class

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "title": {"type": "string", "maxLength": 9},
        "kind": {"type": "string", "enum": ["title", "default"]},
    },
    "required": ["title", "kind"],
    "additionalProperties": False,
}


class TestForAProvider:
    def test_one_that_is_not_known_to_enforce_gets_the_schema_with_its_bounds(self) -> None:
        assert for_provider(SCHEMA, binding=False) == (SCHEMA, False)

    def test_one_that_enforces_gets_it_strict_without_the_bounds(self) -> None:
        schema, strict = for_provider(SCHEMA, binding=True)
        assert strict
        assert schema["properties"]["title"] == {"type": "string"}

    def test_names_and_enum_values_that_look_like_keywords_stay(self) -> None:
        schema, _ = for_provider(SCHEMA, binding=True)
        assert list(schema["properties"]) == ["title", "kind"]
        assert schema["properties"]["kind"]["enum"] == ["title", "default"]

    def test_an_open_object_is_never_strict(self) -> None:
        open_schema = {**SCHEMA, "additionalProperties": True}
        assert for_provider(open_schema, binding=True) == (open_schema, False)

    def test_an_optional_property_is_never_strict(self) -> None:
        assert for_provider({**SCHEMA, "required": ["kind"]}, binding=True)[1] is False


class TestTheResponseClass:
    def test_carries_the_schema_as_it_is(self) -> None:
        made = response_class(BaseModel, "reply", SCHEMA)
        assert made.__name__ == "reply"
        assert made.model_json_schema() == SCHEMA

    def test_gives_a_schema_that_may_be_changed(self) -> None:
        made = response_class(BaseModel, "reply", SCHEMA)
        made.model_json_schema().clear()
        assert made.model_json_schema() == SCHEMA

    def test_is_made_once_per_schema(self) -> None:
        assert response_class(BaseModel, "reply", SCHEMA) is response_class(BaseModel, "reply", dict(SCHEMA))

    def test_takes_any_object(self) -> None:
        made = response_class(BaseModel, "reply", SCHEMA)
        assert made.model_validate_json('{"else": 1}').model_extra == {"else": 1}
