"""OpenAI's own client, answered by a judge."""

from __future__ import annotations

import asyncio
import json
from typing import Any, Literal

import openai
import pytest
from pydantic import BaseModel

from magistrate.errors import UnknownModelError
from magistrate.integrations.proxy.openai_client import as_async_openai_client, as_openai_client

ASKED: Any = [{"role": "user", "content": "Is the ferry free?"}]
SCHEMA = {
    "type": "object",
    "properties": {"answer": {"type": "string", "enum": ["yes", "no"]}},
    "required": ["answer"],
    "additionalProperties": False,
}
FORMAT: Any = {"type": "json_schema", "json_schema": {"name": "answer", "schema": SCHEMA}}
TOOL: Any = {"type": "function", "function": {"name": "decide", "parameters": SCHEMA}}


class Answer(BaseModel):
    answer: Literal["yes", "no"]


class TestClient:
    def test_parse_gives_an_object(self, replies):
        replies.texts = ["I think so: {'answer': 'no'}"]
        client = as_openai_client("gpt-4o", api_base=replies.url)
        reply = client.chat.completions.parse(model="gpt-4o", messages=ASKED, response_format=Answer)
        assert reply.choices[0].message.parsed == Answer(answer="no")

    @pytest.mark.filterwarnings("ignore:Accessing the 'model_:DeprecationWarning")  # LiteLLM's own
    def test_a_stream_has_the_whole_reply(self, replies):
        replies.texts = ["The ferry is free."]
        client = as_openai_client("gpt-4o", api_base=replies.url)
        stream = client.chat.completions.create(model="gpt-4o", messages=ASKED, stream=True)
        assert "".join(event.choices[0].delta.content or "" for event in stream) == "The ferry is free."

    @pytest.mark.filterwarnings("ignore:Accessing the 'model_:DeprecationWarning")  # LiteLLM's own
    async def test_an_asynchronous_stream_too(self, replies):
        replies.texts = ["The ferry is free."]
        async with as_async_openai_client("gpt-4o", api_base=replies.url) as client:
            stream = await client.chat.completions.create(model="gpt-4o", messages=ASKED, stream=True)
            assert "".join([event.choices[0].delta.content or "" async for event in stream]) == "The ferry is free."

    def test_else_it_is_an_error_of_the_client_and_not_tried_again(self, replies):
        replies.texts = ["I'm sorry, but I can't help with that."]
        client = as_openai_client("gpt-4o", api_base=replies.url)
        with pytest.raises(
            openai.UnprocessableEntityError, match="refused: the judge was asked for an object, and refused"
        ) as caught:
            client.chat.completions.create(model="gpt-4o", messages=ASKED, response_format=FORMAT)
        assert caught.value.code == "refused"
        assert len(replies.calls) <= 3

    def test_a_range_that_the_schema_states_in_words_holds(self, replies):
        described = {"type": "number", "description": "How true it is, from 0.0 to 1.0."}
        schema = {"type": "object", "properties": {"score": described}, "required": ["score"]}
        wanted = {"type": "json_schema", "json_schema": {"name": "score", "schema": schema}}
        replies.texts = ['{"score": 7}', '{"score": 0.7}']
        client = as_openai_client("gpt-4o", api_base=replies.url)
        reply = client.chat.completions.create(model="gpt-4o", messages=ASKED, response_format=wanted)
        assert json.loads(reply.choices[0].message.content or "") == {"score": 0.7}

    def test_an_unknown_model_fails_at_once(self):
        with pytest.raises(UnknownModelError):
            as_openai_client("gtp-4o")


class TestResponses:
    def test_an_object_is_parsed(self, replies):
        replies.texts = ["I think so: {'answer': 'no'}"]
        client = as_openai_client("gpt-4o", api_base=replies.url)
        reply = client.responses.parse(model="gpt-4o", instructions="Be brief.", input=ASKED, text_format=Answer)
        assert reply.output_parsed == Answer(answer="no")
        sent = replies.calls[0].request.raw["messages"]
        assert [message["role"] for message in sent] == ["system", "user"]
        assert sent[0]["content"].startswith("Be brief.")

    def test_a_tool_that_must_be_called_is_called(self, replies):
        replies.texts = ["{'answer': 'no'}"]
        client = as_openai_client("gpt-4o", api_base=replies.url)
        tool = {"type": "function", "name": "decide", "parameters": SCHEMA, "strict": True}
        for choice in ("required", {"type": "function", "name": "decide"}):
            asked = {"tools": [tool], "tool_choice": choice}
            (call,) = client.responses.create(model="gpt-4o", input="Is it free?", **asked).output
            assert call.type == "function_call"
            assert (call.name, json.loads(call.arguments)) == ("decide", {"answer": "no"})

    def test_text_and_images(self, replies):
        replies.texts = ["A cat."]
        client = as_openai_client("gpt-4o", api_base=replies.url)
        parts = [
            {"type": "input_text", "text": "What is it?"},
            {"type": "input_image", "image_url": "data:image/png;base64,iVBORw0KGgo=", "detail": "auto"},
        ]
        asked = [{"role": "user", "content": parts}]
        assert client.responses.create(model="gpt-4o", input=asked).output_text == "A cat."
        sent = replies.calls[0].request.raw["messages"][-1]["content"]
        assert [part["type"] for part in sent] == ["text", "image_url"]

    def test_text_that_was_cut_off_is_incomplete(self, replies):
        replies.texts, replies.finish = ["A poem in two li"], "length"
        found = as_openai_client("gpt-4o", api_base=replies.url).responses.create(model="gpt-4o", input="Write one.")
        assert (found.output_text, found.status) == ("A poem in two li", "incomplete")
        assert found.incomplete_details.reason == "max_output_tokens"

    @pytest.mark.parametrize(
        ("asked", "why"),
        [
            ({"stream": True}, "responses come whole"),
            ({"input": [{"role": "user", "content": [{"type": "input_file", "file_id": "f"}]}]}, "neither text"),
            ({"input": [{"type": "item_reference", "id": "m"}]}, "expected a role"),
            ({"tools": [{"type": "web_search"}]}, "one tool that must be called"),
        ],
    )
    def test_what_is_not_understood_is_refused(self, replies, asked, why):
        client = as_openai_client("gpt-4o", api_base=replies.url)
        with pytest.raises(openai.BadRequestError, match=why):
            client.responses.create(**{"model": "gpt-4o", "input": "Is it free?", **asked})
        assert replies.calls == []


class TestAsyncClient:
    def test_from_any_number_of_event_loops_in_turn(self, replies):
        replies.texts = ["{'answer': 'yes'}"]
        client = as_async_openai_client("gpt-4o", api_base=replies.url)
        for _ in range(2):
            made = client.chat.completions.parse(model="gpt-4o", messages=ASKED, response_format=Answer)
            assert asyncio.run(_awaited(made)).choices[0].message.parsed == Answer(answer="yes")

    async def test_the_other_one_works_inside_of_a_loop(self, replies):
        replies.texts = ["Yes."]
        client = as_openai_client("gpt-4o", api_base=replies.url)
        reply = client.chat.completions.create(model="gpt-4o", messages=ASKED)
        assert reply.choices[0].message.content == "Yes."


async def _awaited(made):
    return await made
