"""What a caller asks for: names, kinds and aliases of a model or a schema; the model's own validators decide last."""

from __future__ import annotations

from enum import Enum
from typing import Any, Literal

import pytest
from pydantic import AliasChoices, AliasPath, BaseModel, ConfigDict, Field, field_validator
from tests.case_tables import cases_of

from magistrate.parsing.objects.schema import Flaw
from magistrate.parsing.objects.target import Target, target_of

cases = cases_of(__file__)


class Tint(Enum):
    RED = "red"
    BLUE = "blue"


class Paint(BaseModel):
    model_config = ConfigDict(populate_by_name=True)
    coats: int = Field(ge=1, alias="layers")
    tint: Tint = Tint.RED
    gloss: Literal["high", "low"] = "low"
    note: str = Field("", validation_alias=AliasChoices("remark", AliasPath("notes", 0)))

    @field_validator("note")
    @classmethod
    def _no_rust(cls, note: str) -> str:
        if note == "rust":
            raise ValueError("rust is no paint")
        if note == "fire":
            raise RuntimeError("fire")
        return note


class Plain(BaseModel):
    coats: int = Field(alias="layers")


class Unspeakable(BaseModel):
    model_config = ConfigDict(arbitrary_types_allowed=True)
    when: complex
    other: Any = None


class TestNames:
    def test_are_those_of_the_model_its_aliases_and_its_fields_where_these_count(self) -> None:
        assert set(target_of(Paint).names) == {"layers", "coats", "tint", "gloss", "note", "remark", "notes"}
        assert set(target_of(Plain).names) == {"layers"}

    def test_are_gathered_from_all_forms_of_a_schema(self) -> None:
        form = {"properties": {"b": {}}}
        for word in ("anyOf", "oneOf", "allOf"):
            assert set(Target({"properties": {"a": {}}, word: [form]}).names) == {"a", "b"}
        assert set(Target({"$ref": "#/$defs/x", "$defs": {"x": form}}).names) == {"b"}

    def test_a_type_without_a_schema_leaves_its_fields(self) -> None:
        assert set(target_of(Unspeakable).names) == {"when", "other"}
        assert target_of(Unspeakable).kinds == {"object"}

    def test_are_counted_in_any_spelling(self) -> None:
        target = target_of(Plain)
        assert target.knows({"layers": 1}) == 1
        assert target.knows({"Layers ": 1, "x": 2}) == 1
        assert target.knows({"layers" + " " * 60: 1}) == 0
        assert target.knows({f"k{number}": 1 for number in range(200)} | {"Layers": 1, "layers": 2}) == 1


class TestKinds:
    @cases("schema_target: are those of the outermost value")
    def test_are_those_of_the_outermost_value(self, schema: dict[str, Any], kinds: list[str]) -> None:
        assert Target(schema).kinds == set(kinds)


class TestBuild:
    def test_a_schema_gives_the_value_itself(self) -> None:
        value = {"a": 1}
        assert Target({}).build(value) == (value, [])

    def test_a_model_gives_its_object(self) -> None:
        made, flaws = target_of(Paint).build({"layers": 2, "tint": "blue", "remark": "a \ud800 b"})
        assert flaws == []
        assert (made.coats, made.tint, made.note) == (2, Tint.BLUE, "a \ufffd b")

    @cases("schema_target: or why there is none")
    def test_or_why_there_is_none(self, value: dict[str, Any], path: list[str], kind: str, text: str) -> None:
        assert target_of(Paint).build(value) == (None, [Flaw(tuple(path), kind, text)])

    @pytest.mark.parametrize("schema", [5, "object", int, Paint.model_construct()])
    def test_anything_else_is_no_schema(self, schema: Any) -> None:
        with pytest.raises(TypeError, match="a schema is a Pydantic model or a JSON schema"):
            target_of(schema)
