"""OpenAI's own client, answered by a judge, in this process and over HTTP."""

import asyncio
import http.client
import json
from dataclasses import replace
from functools import reduce
from typing import Literal

import openai
import pytest
from pydantic import BaseModel
from tests.case_tables import cases_of

from magistrate.errors import UnknownModelError
from magistrate.integrations._common import Backend
from magistrate.integrations.proxy import Proxy
from magistrate.integrations.proxy.openai_client import as_async_openai_client, as_openai_client
from magistrate.testing import Fault

cases = cases_of(__file__)

ASKED = [{"role": "user", "content": "Is the ferry free?"}]
SCHEMA = {
    "type": "object",
    "properties": {"answer": {"type": "string", "enum": ["yes", "no"]}},
    "required": ["answer"],
    "additionalProperties": False,
}


def format_of(schema):
    return {"type": "json_schema", "json_schema": {"name": "answer", "schema": schema}}


FORMAT = format_of(SCHEMA)
NO_SCHEMAS = [
    *({"type": 5}, {"properties": [1]}, {"required": 5}, {"additionalProperties": 5}, {"dependencies": 5}),
    *({"pattern": "(("}, {"title": {}}, {"$ref": "#/nowhere"}),
    reduce(lambda inner, _: {"properties": {"a": inner}}, range(400), {}),
]
TOOL = {"type": "function", "function": {"name": "decide", "parameters": SCHEMA}}


class Answer(BaseModel):
    answer: Literal["yes", "no"]


@pytest.fixture
def inside(replies):
    """OpenAI's client of a judge, in this process."""
    return as_openai_client("gpt-4o", api_base=replies.url)


class TestClient:
    def test_parse_gives_an_object(self, inside, replies):
        replies.texts = ["I think so: {'answer': 'no'}"]
        reply = inside.chat.completions.parse(model="gpt-4o", messages=ASKED, response_format=Answer)
        assert reply.choices[0].message.parsed == Answer(answer="no")

    @pytest.mark.filterwarnings("ignore:Accessing the 'model_:DeprecationWarning")  # LiteLLM's own
    async def test_a_stream_has_the_whole_reply_and_an_asynchronous_one_too(self, inside, replies):
        replies.texts = ["The ferry is free."]
        stream = inside.chat.completions.create(model="gpt-4o", messages=ASKED, stream=True)
        assert "".join(event.choices[0].delta.content or "" for event in stream) == "The ferry is free."
        async with as_async_openai_client("gpt-4o", api_base=replies.url) as client:
            stream = await client.chat.completions.create(model="gpt-4o", messages=ASKED, stream=True)
            assert "".join([event.choices[0].delta.content or "" async for event in stream]) == "The ferry is free."

    def test_else_it_is_an_error_of_the_client_and_not_tried_again(self, inside, replies):
        replies.texts = ["I'm sorry, but I can't help with that."]
        with pytest.raises(
            openai.UnprocessableEntityError, match="refused: the judge was asked for an object, and refused"
        ) as caught:
            inside.chat.completions.create(model="gpt-4o", messages=ASKED, response_format=FORMAT)
        assert caught.value.code == "refused"
        assert len(replies.calls) <= 3

    def test_a_range_that_the_schema_states_in_words_holds(self, inside, replies):
        described = {"type": "number", "description": "How true it is, from 0.0 to 1.0."}
        wanted = format_of({"type": "object", "properties": {"score": described}, "required": ["score"]})
        replies.texts = ['{"score": 7}', '{"score": 0.7}']
        reply = inside.chat.completions.create(model="gpt-4o", messages=ASKED, response_format=wanted)
        assert json.loads(reply.choices[0].message.content or "") == {"score": 0.7}

    def test_an_unknown_model_fails_at_once(self):
        with pytest.raises(UnknownModelError):
            as_openai_client("gtp-4o")


class TestResponses:
    def test_an_object_is_parsed(self, inside, replies):
        replies.texts = ["I think so: {'answer': 'no'}"]
        reply = inside.responses.parse(model="gpt-4o", instructions="Be brief.", input=ASKED, text_format=Answer)
        assert reply.output_parsed == Answer(answer="no")
        sent = replies.calls[0].request.raw["messages"]
        assert [message["role"] for message in sent] == ["system", "user"]
        assert sent[0]["content"].startswith("Be brief.")

    def test_a_tool_that_must_be_called_is_called(self, inside, replies):
        replies.texts = ["{'answer': 'no'}"]
        tool = {"type": "function", "name": "decide", "parameters": SCHEMA, "strict": True}
        for choice in ("required", {"type": "function", "name": "decide"}):
            asked = {"tools": [tool], "tool_choice": choice}
            (call,) = inside.responses.create(model="gpt-4o", input="Is it free?", **asked).output
            assert call.type == "function_call"
            assert (call.name, json.loads(call.arguments)) == ("decide", {"answer": "no"})

    def test_text_and_images(self, inside, replies):
        replies.texts = ["A cat."]
        parts = [
            {"type": "input_text", "text": "What is it?"},
            {"type": "input_image", "image_url": "data:image/png;base64,iVBORw0KGgo=", "detail": "auto"},
        ]
        asked = [{"role": "user", "content": parts}]
        assert inside.responses.create(model="gpt-4o", input=asked).output_text == "A cat."
        sent = replies.calls[0].request.raw["messages"][-1]["content"]
        assert [part["type"] for part in sent] == ["text", "image_url"]

    def test_text_that_was_cut_off_is_incomplete(self, replies):
        replies.texts, replies.finish = ["A poem in two li"], "length"
        found = as_openai_client("gpt-4o", api_base=replies.url).responses.create(model="gpt-4o", input="Write one.")
        assert (found.output_text, found.status) == ("A poem in two li", "incomplete")
        assert found.incomplete_details.reason == "max_output_tokens"

    @cases("openai_client: what is not understood is refused")
    def test_what_is_not_understood_is_refused(self, inside, replies, asked, why):
        with pytest.raises(openai.BadRequestError, match=why):
            inside.responses.create(**{"model": "gpt-4o", "input": "Is it free?", **asked})
        assert replies.calls == []


class TestAsyncClient:
    def test_from_any_number_of_event_loops_in_turn(self, replies):
        replies.texts = ["{'answer': 'yes'}"]
        client = as_async_openai_client("gpt-4o", api_base=replies.url)
        for _ in range(2):
            made = client.chat.completions.parse(model="gpt-4o", messages=ASKED, response_format=Answer)
            assert asyncio.run(_awaited(made)).choices[0].message.parsed == Answer(answer="yes")

    async def test_the_other_one_works_inside_of_a_loop(self, inside, replies):
        replies.texts = ["Yes."]
        reply = inside.chat.completions.create(model="gpt-4o", messages=ASKED)
        assert reply.choices[0].message.content == "Yes."


async def _awaited(made):
    return await made


TOKEN = "a-token-for-tests"


class Client:
    def __init__(self, port):
        self.port = port

    def send(self, body, path="/v1/chat/completions", method="POST", **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        sent = {"Authorization": f"Bearer {TOKEN}"} | {name.replace("_", "-"): value for name, value in headers.items()}
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        connection.request(method, path, raw if method == "POST" else None, {k: v for k, v in sent.items() if v})
        reply = connection.getresponse()
        text = reply.read().decode()
        connection.close()
        is_json = reply.headers["Content-Type"] == "application/json"
        return reply.status, json.loads(text) if is_json else text, reply.headers

    def ask(self, prompt="Is it?", **more):
        return self.send({"model": "gpt-4o", "messages": [{"role": "user", "content": prompt}], **more})


@pytest.fixture
def client(replies):
    with Proxy(Backend("gpt-4o", api_base=replies.url), TOKEN).server() as server:
        yield Client(server.port)


class TestReplies:
    def test_a_mended_reply_fits_the_schema(self, replies, client):
        replies.texts = ["Well:\n```json\n{'answer': 'yes',}\n```"]
        status, body, headers = client.ask(response_format=FORMAT)
        assert (status, body["object"], body["model"]) == (200, "chat.completion", "gpt-4o")
        assert json.loads(body["choices"][0]["message"]["content"]) == {"answer": "yes"}
        assert (headers["x-magistrate-status"], headers["x-magistrate-calls"]) == ("scored", "1")
        assert body["usage"]["total_tokens"] > 0

    def test_one_that_cannot_be_mended_is_asked_again(self, replies, client):
        replies.texts = ["perhaps", '{"answer": "no"}']
        _, body, headers = client.ask(response_format=FORMAT)
        assert json.loads(body["choices"][0]["message"]["content"]) == {"answer": "no"}
        assert headers["x-magistrate-calls"] == "2"

    def test_a_tool_that_must_be_called(self, replies, client):
        replies.texts = ['{"answer": "yes"}']
        tool = {"type": "function", "function": {"name": "answer", "parameters": SCHEMA}}
        choice = {"type": "function", "function": {"name": "answer"}}
        _, body, _ = client.ask(tools=[tool], tool_choice=choice)
        call = body["choices"][0]["message"]["tool_calls"][0]["function"]
        assert (call["name"], json.loads(call["arguments"])) == ("answer", {"answer": "yes"})
        assert body["choices"][0]["finish_reason"] == "tool_calls"
        assert client.ask(tools=[tool])[0] == 400

    def test_verdicts_about_listed_statements_are_counted(self, replies, client):
        entry = {"type": "object", "properties": {"statement": {"type": "string"}, "verdict": {"type": "integer"}}}
        schema = {"title": "NLIStatementOutput", "properties": {"statements": {"type": "array", "items": entry}}}
        wanted = format_of({**schema, "type": "object"})
        replies.texts = ['{"statements": {"1": {"verdict": 1}}}']
        prompt = f"Judge.\ninput: {json.dumps({'statements': ['One.', 'Two.']})}\nOutput: "
        assert client.ask(prompt, response_format=wanted)[0] == 422
        replies.texts = ['{"statements": {"1": {"verdict": 1}, "2": {"verdict": 0}}}']
        _, body, _ = client.ask(prompt, response_format=wanted)
        assert json.loads(body["choices"][0]["message"]["content"])["statements"] == [
            {"verdict": 1, "statement": "One."},
            {"verdict": 0, "statement": "Two."},
        ]

    def test_text_goes_through_as_it_is(self, replies, client):
        replies.texts = ["A limerick."]
        _, body, _ = client.ask("Write one.")
        assert body["choices"][0]["message"]["content"] == "A limerick."
        assert replies.prompt() == "Write one."

    @pytest.mark.parametrize("ended", ["length", "content_filter"])
    def test_text_that_is_not_whole_ends_as_the_provider_says(self, replies, client, ended):
        replies.texts, replies.finish = ["A poem in two li"], ended
        status, body, _ = client.ask()
        (choice,) = body["choices"]
        assert (status, choice["message"]["content"], choice["finish_reason"]) == (200, "A poem in two li", ended)

    def test_what_it_does_not_heed_it_says(self, replies, client):
        replies.texts = ["Fine."]
        _, _, headers = client.ask(temperature=0.7, seed=3)
        assert headers["x-magistrate-unheeded"] == "seed temperature"


@pytest.mark.filterwarnings("ignore:Accessing the 'model_:DeprecationWarning")  # LiteLLM's, at each piece of a stream
class TestStreams:
    """OpenAI's own client, over HTTP."""

    @pytest.fixture
    def openai_client(self, client):
        with openai.OpenAI(api_key=TOKEN, base_url=f"http://127.0.0.1:{client.port}/v1", max_retries=0) as made:
            yield made

    @staticmethod
    def stream(client, **more):
        return client.chat.completions.create(model="gpt-4o", messages=ASKED, stream=True, **more)

    @staticmethod
    def text(chunks):
        return "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)

    def test_text_comes_in_the_pieces_of_the_provider(self, replies, openai_client):
        replies.texts = ["The ferry leaves at six, and at nine on Sundays."]
        chunks = list(self.stream(openai_client))
        assert self.text(chunks) == replies.texts[0]
        pieces = [chunk.choices[0].delta.content for chunk in chunks if chunk.choices[0].delta.content]
        assert pieces[0] == "The ferry le"
        assert len(pieces) == 4
        assert [chunk.choices[0].finish_reason for chunk in chunks] == [None] * (len(chunks) - 1) + ["stop"]
        assert replies.calls[0].request.raw["stream"] is True

    def test_the_first_piece_is_there_before_the_last_was_said(self, replies, openai_client):
        replies.server.faults = lambda _: Fault(text=lambda _: "The ferry leaves at six.", pause=0.15)
        with self.stream(openai_client) as stream:
            chunks = iter(stream)
            while not next(chunks).choices[0].delta.content:
                pass
            assert replies.server.under_way + len(list(chunks)) > 1

    def test_usage_comes_last_where_it_is_wanted(self, replies, openai_client):
        replies.texts = ["At six."]
        chunks = list(self.stream(openai_client, stream_options={"include_usage": True}))
        assert chunks[-1].choices == []
        assert chunks[-1].usage.completion_tokens == 2
        assert all(chunk.usage is None for chunk in self.stream(openai_client))

    def test_what_must_fit_a_schema_is_checked_first_and_comes_in_pieces(self, replies, openai_client):
        wanted = format_of({"type": "object", "properties": {"why": {"type": "string"}}, "required": ["why"]})
        replies.texts = ["no JSON", json.dumps({"why": "The timetable says so. " * 8})]
        chunks = list(self.stream(openai_client, response_format=wanted, stream_options={"include_usage": True}))
        assert json.loads(self.text(chunks)) == {"why": "The timetable says so. " * 8}
        assert len(chunks) > 5
        assert (len(replies.calls), chunks[-1].usage.total_tokens > 0) == (2, True)

    def test_the_arguments_of_a_tool_come_in_pieces(self, replies, openai_client):
        replies.texts = ['{"answer": "yes"}']
        tool = {"type": "function", "function": {"name": "answer", "parameters": SCHEMA}}
        chunks = list(self.stream(openai_client, tools=[tool], tool_choice="required"))
        calls = [chunk.choices[0].delta.tool_calls[0] for chunk in chunks if chunk.choices[0].delta.tool_calls]
        assert calls[0].function.name == "answer"
        assert json.loads("".join(call.function.arguments for call in calls)) == {"answer": "yes"}
        assert chunks[-1].choices[0].finish_reason == "tool_calls"

    @pytest.mark.parametrize("wanted", [{}, {"response_format": FORMAT}], ids=["text", "schema"])
    def test_where_nothing_came_the_error_has_its_status(self, replies, openai_client, wanted):
        replies.server.faults = lambda _: Fault(refusal="I will not.", finish_reason="stop")
        with pytest.raises(openai.UnprocessableEntityError, match="judge_failure"):
            list(self.stream(openai_client, **wanted))

    def test_where_it_breaks_off_the_client_raises_and_nothing_is_said_twice(self, replies, openai_client):
        def cut(reply):
            return replace(reply, cut=reply.body.index(b" at six"))

        replies.server.faults = lambda _: Fault(text=lambda _: "The ferry leaves at six.", http=cut)
        heard = ""
        with pytest.raises(openai.APIError, match="magistrate"):  # noqa: PT012 - what came before counts too
            for chunk in self.stream(openai_client):
                heard += chunk.choices[0].delta.content or ""
        assert heard == "The ferry le"
        assert len(replies.calls) == 1

    def test_who_goes_away_ends_the_call(self, replies, openai_client):
        replies.server.faults = lambda _: Fault(text=lambda _: "The ferry. " * 100, pause=0.03)
        with self.stream(openai_client) as stream:
            next(iter(stream))
        replies.texts = ["Still here."]
        replies.server.faults = lambda _: Fault(text=lambda _: "Still here.")
        assert self.text(self.stream(openai_client)) == "Still here."


class TestWhoMayAsk:
    @cases("openai_client: only programs here with the token")
    def test_only_programs_here_with_the_token(self, replies, client, headers, status):
        replies.texts = ["Fine."]
        assert client.send({"model": "gpt-4o", "messages": [{"role": "user", "content": "x"}]}, **headers)[0] == status
        assert replies.calls == []

    def test_only_the_model_it_was_started_for(self, client):
        status, body, _ = client.send({"model": "gpt-5", "messages": [{"role": "user", "content": "x"}]})
        assert (status, body["error"]["code"]) == (404, "model_not_found")
        assert client.send(None, "/v1/models", "GET")[1]["data"][0]["id"] == "gpt-4o"

    @pytest.mark.parametrize("body", [b"no json", b"[]", b"{}", {"model": "gpt-4o"}])
    def test_what_is_no_request_is_an_error(self, client, body):
        assert client.send(body)[0] in {400, 404}

    @pytest.mark.parametrize(
        "asked",
        [
            {"n": []},
            {"messages": [{"role": ["user"], "content": "x"}]},
            {"tools": [{"function": {"name": "f", "parameters": "x"}}], "tool_choice": "required"},
            {"tools": [{"function": {"name": "f"}}], "tool_choice": {"function": "f"}},
            *({"response_format": format_of({"type": "object", **wrong})} for wrong in NO_SCHEMAS),
        ],
    )
    def test_what_no_reply_could_be_held_against_is_refused_before_anything_is_asked(self, replies, client, asked):
        status, body, _ = client.ask(**asked)
        assert (status, body["error"]["type"]) == (400, "invalid_request_error")
        assert replies.calls == []

    def test_no_other_path(self, client):
        assert client.send({}, "/v1/files")[0] == 404
        assert client.send(None, "/v1/chat/completions", "GET")[0] == 405
