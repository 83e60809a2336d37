"""Schemas of Pydantic models without references."""

from __future__ import annotations

import json

from pydantic import BaseModel, Field

from magistrate.judges.llm.schema_refs import inline_schema


class Part(BaseModel):
    title: str = Field(description="what it is called")


class Whole(BaseModel):
    parts: list[Part]
    first: Part | None = None


class Ring(BaseModel):
    name: str
    inner: Ring | None = None


def test_references_are_replaced_by_what_they_mean():
    schema = inline_schema(Whole)
    assert "$ref" not in json.dumps(schema)
    assert "$defs" not in schema
    assert schema["properties"]["parts"]["items"]["properties"]["title"]["description"] == "what it is called"


def test_a_field_called_title_stays_while_titles_of_schemas_go():
    schema = inline_schema(Part)
    assert list(schema["properties"]) == ["title"]
    assert "title" not in schema
    assert "title" not in schema["properties"]["title"]


def test_a_model_that_holds_itself_ends():
    assert "$ref" not in json.dumps(inline_schema(Ring))
