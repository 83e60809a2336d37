"""A list about known items: one entry for each, matched, asked for again where missing, never guessed."""

from __future__ import annotations

import json

import pytest
from pydantic import BaseModel, Field
from tests.judges.replying import put, question, replies, row_of

from magistrate.completion.schemas import inline_schema
from magistrate.judges.llm import LLMJudge
from magistrate.testing import FakeClient
from magistrate.verdict import Status


@replies("rows")
async def test_no_item_gets_a_verdict_that_is_not_its_own(row):
    await put(row)


class Row(BaseModel):
    statement: str
    verdict: int


class Few(BaseModel):
    statements: list[Row]

    def model_post_init(self, context, /):
        del context
        if sum(row.verdict for row in self.statements) > 2:
            raise ValueError("too many")


@pytest.mark.parametrize(("last", "status"), [(0, Status.SCORED), (1, Status.UNPARSEABLE)])
async def test_a_model_serves_as_well_and_gets_nothing_where_it_wants_more_than_the_entries_hold(last, status):
    rows = question("structured", **row_of("rows", "read by number")["given"]).rows
    text = json.dumps({"statements": {"1": {"verdict": 1}, "2": {"verdict": 1}, "3": {"verdict": last}}})
    client = FakeClient(lambda _: text)
    reply = await LLMJudge("gpt-4o", client=client).structured("Judge these.", Few, rows=rows)
    assert (reply.status, isinstance(reply.value, Few)) == (status, not last)
    asked = client.requests[0].schema["properties"]["statements"]
    assert (asked["required"], asked["additionalProperties"]) == (["1", "2", "3"], False)
    assert asked["properties"]["1"]["properties"]["verdict"]["enum"] == [0, 1]
    assert "statement" not in asked["properties"]["1"]["properties"]


class Part(BaseModel):
    title: str = Field(description="what it is called")


class Whole(BaseModel):
    parts: list[Part]
    first: Part | None = None


class Ring(BaseModel):
    name: str
    inner: Ring | None = None


def test_references_are_replaced_by_what_they_mean_and_a_model_that_holds_itself_ends():
    schema = inline_schema(Whole)
    assert not {"$ref", "$defs"} & set(json.dumps(schema).split('"'))
    assert schema["properties"]["parts"]["items"]["properties"]["title"]["description"] == "what it is called"
    assert "$ref" not in json.dumps(inline_schema(Ring))


def test_a_field_called_title_stays_while_titles_of_schemas_go():
    schema = inline_schema(Part)
    assert list(schema["properties"]) == ["title"]
    assert "title" not in {*schema, *schema["properties"]["title"]}
