"""A list about known items: one entry for each, matched, asked for again where missing, never guessed."""

from __future__ import annotations

import json

import pytest
from pydantic import BaseModel, Field

from magistrate.judges.llm import LLMJudge
from magistrate.judges.llm.itemized_schema import Rows
from magistrate.judges.llm.schema_refs import inline_schema
from magistrate.records import Completion
from magistrate.testing import FakeClient
from magistrate.verdict import Status

ITEMS = ("The ferry leaves at nine.", "Bicycles travel free.", "Dogs need a ticket.")


class Row(BaseModel):
    statement: str
    verdict: int


class Rowed(BaseModel):
    statements: list[Row]


ROWS = Rows("statements", ITEMS, "statement", "statement", {"verdict": {"enum": [0, 1]}})


async def ask(*replies, finish="stop", rows=ROWS, model=Rowed):
    """Ask a judge that gives these replies in turn, the last one from then on."""
    given = [Completion(text, "stop" if number else finish) for number, text in enumerate(replies)]
    client = FakeClient(lambda _: given.pop(0) if len(given) > 1 else given[0])
    return await LLMJudge("gpt-4o", client=client).structured("Judge these.", model, rows=rows), client.requests


def numbered(*verdicts, start=1):
    return json.dumps({"statements": {str(start + at): {"verdict": verdict} for at, verdict in enumerate(verdicts)}})


def listed(*rows):
    return json.dumps({"statements": [{"statement": text, "verdict": verdict} for text, verdict in rows]})


def verdicts(reply):
    assert reply.status is Status.SCORED, reply.errors
    assert [row.statement for row in reply.value.statements] == list(ITEMS)
    return [row.verdict for row in reply.value.statements]


SWAPPED = {str(number): {"statement": ITEMS[at], "verdict": at % 2} for number, at in enumerate((1, 0, 2), 1)}


class TestWhatIsAsked:
    async def test_each_item_is_a_required_property_of_the_schema(self):
        _, (request,) = await ask(numbered(1, 0, 1))
        asked = request.schema["properties"]["statements"]
        assert asked["required"] == ["1", "2", "3"]
        assert asked["additionalProperties"] is False
        assert asked["properties"]["1"]["properties"]["verdict"]["enum"] == [0, 1]
        assert "statement" not in asked["properties"]["1"]["properties"]


class TestMatching:
    @pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
    async def test_by_the_item_that_each_repeats_in_any_order(self, order):
        truth = (1, 0, 1)
        reply, _ = await ask(listed(*((ITEMS[at], truth[at]) for at in order)))
        assert verdicts(reply) == [1, 0, 1]

    async def test_by_position_if_the_count_fits(self):
        reply, _ = await ask(json.dumps({"statements": [{"verdict": 1}, {"verdict": 0}, {"verdict": 0}]}))
        assert verdicts(reply) == [1, 0, 0]

    @pytest.mark.parametrize(
        ("text", "missing"),
        [
            (json.dumps({"statements": [{"verdict": 1}, {"verdict": 0}]}), (0, 1, 2)),  # by position they do not fit
            (json.dumps({"statements": SWAPPED}), (0, 1)),  # they repeat other items than their numbers say
            (numbered(1, 0, 1, start=0), (0, 1, 2)),  # numbers that were not asked for make the others unclear
            (listed((ITEMS[0], 1), (ITEMS[0], 0), (ITEMS[1], 1), (ITEMS[2], 1)), (0,)),  # two that differ
            (numbered(1, 2, 1), (1,)),  # a value that is not on offer
        ],
    )
    async def test_what_is_unclear_is_not_taken(self, text, missing):
        reply, _ = await ask(text)
        assert (reply.value, reply.missing) == (None, missing)


class TestAskingAgain:
    async def test_only_for_what_is_missing(self):
        short = json.dumps({"statements": {"1": {"verdict": 1}, "3": {"verdict": 1}}})
        reply, (_, second) = await ask(short, numbered(0, start=2))
        assert verdicts(reply) == [1, 0, 1]
        assert list(second.schema["properties"]["statements"]["properties"]) == ["2"]

    async def test_what_was_cut_off_is_not_trusted(self):
        cut = '{"statements": {"1": {"verdict": 0}, "2": {"verdict": 1'
        reply, requests = await ask(cut, '{"statements": {"2": {"verdict": 0}, "3": {"verdict": 1}}}', finish="length")
        assert verdicts(reply) == [0, 0, 1]
        assert len(requests) == 2

    async def test_it_gives_up_and_names_what_is_missing(self):
        reply, requests = await ask("no JSON at all")
        assert (reply.value, reply.missing, len(requests)) == (None, (0, 1, 2), 3)
        assert "1, 2, 3" in reply.errors[0]

    async def test_a_refusal_is_the_reason(self):
        reply, _ = await ask("I'm sorry, but I can't help with that.")
        assert (reply.value, reply.status) == (None, Status.REFUSED)


class TestFurtherShapes:
    async def test_what_stands_beside_the_list_is_read_too(self):
        class Beside(Rowed):
            summary: str

        text = json.dumps({"summary": "fine", "statements": {str(n): {"verdict": 1} for n in (1, 2, 3)}})
        reply, _ = await ask(text, model=Beside)
        assert reply.value.summary == "fine"
        reply, _ = await ask(numbered(1, 1, 1), model=Beside)
        assert (reply.value, reply.errors) == (None, ("the rest of the reply is missing",))

    async def test_entries_may_be_plain_words(self):
        class Answers(BaseModel):
            answers: list[str]

        rows = Rows("answers", ITEMS, limits={"": {"enum": ["yes", "no"]}})
        reply, _ = await ask('{"answers": {"1": "yes", "2": "no", "3": "yes"}}', rows=rows, model=Answers)
        assert reply.value.answers == ["yes", "no", "yes"]
        reply, _ = await ask('{"answers": {"1": "yes", "2": "perhaps", "3": "yes"}}', rows=rows, model=Answers)
        assert reply.missing == (1,)

    async def test_a_schema_serves_as_well_as_a_model(self):
        reply, _ = await ask(numbered(1, 0, 1), model=Rowed.model_json_schema())
        assert reply.value == {
            "statements": [{"verdict": v, "statement": i} for v, i in zip((1, 0, 1), ITEMS, strict=True)]
        }

    async def test_a_model_that_wants_more_than_the_entries_hold_gets_nothing(self):
        class Strict(BaseModel):
            statements: list[Row]

            def model_post_init(self, context, /):
                del context
                if sum(row.verdict for row in self.statements) > 2:
                    raise ValueError("too many")

        reply, _ = await ask(numbered(1, 1, 1), model=Strict)
        assert (reply.value, reply.status) == (None, Status.UNPARSEABLE)


DAMAGES = [
    lambda rows: f"Sure:\n```json\n{listed(*rows)}\n```",
    lambda rows: str({"statements": [{"statement": text, "verdict": verdict} for text, verdict in rows]}),
    lambda rows: listed(*rows[:-1]),
    lambda rows: listed(*rows[::-1]),
    lambda rows: listed(*rows)[:-20],
    lambda rows: listed(*rows[:1], *rows),
    lambda rows: listed(*rows, ("Something else entirely.", 0)),
]


@pytest.mark.parametrize("damage", DAMAGES)
async def test_whatever_happens_to_a_reply_no_item_gets_a_verdict_that_was_not_its_own(damage):
    truth = [1, 0, 1]
    reply, _ = await ask(damage(list(zip(ITEMS, truth, strict=True))))
    assert reply.value is None or verdicts(reply) == truth


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
