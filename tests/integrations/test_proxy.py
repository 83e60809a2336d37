"""The chat endpoint, over real HTTP."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from typing import Any

import pytest

from magistrate.integrations.backend import Backend
from magistrate.integrations.proxy import Proxy
from magistrate.testing.http import HttpServer

TOKEN = "a-token-for-tests"
SCHEMA = {
    "type": "object",
    "properties": {"verdict": {"type": "string", "enum": ["yes", "no"]}},
    "required": ["verdict"],
    "additionalProperties": False,
}
FORMAT = {"type": "json_schema", "json_schema": {"name": "answer", "schema": SCHEMA, "strict": True}}


class Client:
    def __init__(self, port: int) -> None:
        self.port = port

    def send(
        self, body: Any, path: str = "/v1/chat/completions", method: str = "POST", **headers: str
    ) -> tuple[int, Any, Any]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        sent = {"Authorization": f"Bearer {TOKEN}"} | {name.replace("_", "-"): value for name, value in headers.items()}
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        connection.request(method, path, raw if method == "POST" else None, {k: v for k, v in sent.items() if v})
        reply = connection.getresponse()
        text = reply.read().decode()
        connection.close()
        return (
            reply.status,
            json.loads(text) if reply.headers["Content-Type"] == "application/json" else text,
            reply.headers,
        )

    def ask(self, prompt: str = "Is it?", **more: Any) -> tuple[int, Any, Any]:
        return self.send({"model": "gpt-4o", "messages": [{"role": "user", "content": prompt}], **more})


@pytest.fixture
def client(replies: Any) -> Iterator[Client]:
    with HttpServer(Proxy(Backend("gpt-4o", api_base=replies.url), TOKEN)) as server:
        yield Client(server.port)


class TestReplies:
    def test_a_mended_reply_fits_the_schema(self, replies: Any, client: Client) -> None:
        replies.texts = ["Well:\n```json\n{'verdict': 'yes',}\n```"]
        status, body, headers = client.ask(response_format=FORMAT)
        assert (status, body["object"], body["model"]) == (200, "chat.completion", "gpt-4o")
        assert json.loads(body["choices"][0]["message"]["content"]) == {"verdict": "yes"}
        assert (headers["x-magistrate-status"], headers["x-magistrate-calls"]) == ("scored", "1")
        assert body["usage"]["total_tokens"] > 0

    def test_one_that_cannot_be_mended_is_asked_again(self, replies: Any, client: Client) -> None:
        replies.texts = ["perhaps", '{"verdict": "no"}']
        _, body, headers = client.ask(response_format=FORMAT)
        assert json.loads(body["choices"][0]["message"]["content"]) == {"verdict": "no"}
        assert headers["x-magistrate-calls"] == "2"

    def test_else_it_is_an_error_that_no_client_tries_again(self, replies: Any, client: Client) -> None:
        replies.texts = ['{"verdict": "maybe"}']
        status, body, _ = client.ask(response_format=FORMAT)
        assert status == 422
        assert body["error"]["type"] == "judge_failure"
        assert body["error"]["message"].startswith("magistrate: ")

    def test_a_refusal_is_named(self, replies: Any, client: Client) -> None:
        replies.texts = ["I'm sorry, but I can't help with that."]
        status, body, _ = client.ask(response_format=FORMAT)
        assert (status, body["error"]["code"]) == (422, "refused")

    def test_a_tool_that_must_be_called(self, replies: Any, client: Client) -> None:
        replies.texts = ['{"verdict": "yes"}']
        tool = {"type": "function", "function": {"name": "answer", "parameters": SCHEMA}}
        choice = {"type": "function", "function": {"name": "answer"}}
        _, body, _ = client.ask(tools=[tool], tool_choice=choice)
        call = body["choices"][0]["message"]["tool_calls"][0]["function"]
        assert (call["name"], json.loads(call["arguments"])) == ("answer", {"verdict": "yes"})
        assert body["choices"][0]["finish_reason"] == "tool_calls"
        assert client.ask(tools=[tool])[0] == 400

    def test_verdicts_about_listed_statements_are_counted(self, replies: Any, client: Client) -> None:
        entry = {"type": "object", "properties": {"statement": {"type": "string"}, "verdict": {"type": "integer"}}}
        schema = {"title": "NLIStatementOutput", "properties": {"statements": {"type": "array", "items": entry}}}
        wanted = {"type": "json_schema", "json_schema": {"name": "out", "schema": {**schema, "type": "object"}}}
        replies.texts = ['{"statements": {"1": {"verdict": 1}}}']
        prompt = f"Judge.\ninput: {json.dumps({'statements': ['One.', 'Two.']})}\nOutput: "
        assert client.ask(prompt, response_format=wanted)[0] == 422
        replies.texts = ['{"statements": {"1": {"verdict": 1}, "2": {"verdict": 0}}}']
        _, body, _ = client.ask(prompt, response_format=wanted)
        assert json.loads(body["choices"][0]["message"]["content"])["statements"] == [
            {"verdict": 1, "statement": "One."},
            {"verdict": 0, "statement": "Two."},
        ]

    def test_text_goes_through_as_it_is(self, replies: Any, client: Client) -> None:
        replies.texts = ["A limerick."]
        _, body, _ = client.ask("Write one.")
        assert body["choices"][0]["message"]["content"] == "A limerick."
        assert replies.prompt() == "Write one."

    @pytest.mark.parametrize("ended", ["length", "content_filter"])
    def test_text_that_is_not_whole_ends_as_the_provider_says(self, replies: Any, client: Client, ended: str) -> None:
        replies.texts, replies.finish = ["A poem in two li"], ended
        status, body, _ = client.ask()
        (choice,) = body["choices"]
        assert (status, choice["message"]["content"], choice["finish_reason"]) == (200, "A poem in two li", ended)

    def test_a_stream_ends_with_done(self, replies: Any, client: Client) -> None:
        replies.texts = ['{"verdict": "yes"}']
        status, text, headers = client.ask(response_format=FORMAT, stream=True, stream_options={"include_usage": True})
        events = [line.removeprefix("data: ") for line in text.split("\n\n") if line]
        assert (status, headers["Content-Type"], events[-1]) == (200, "text/event-stream", "[DONE]")
        chunks = [json.loads(event) for event in events[:-1]]
        assert chunks[0]["choices"][0]["delta"]["content"] == '{"verdict": "yes"}'
        assert chunks[1]["choices"][0]["finish_reason"] == "stop"
        assert chunks[2]["usage"]["total_tokens"] > 0

    def test_what_it_does_not_heed_it_says(self, replies: Any, client: Client) -> None:
        replies.texts = ["Fine."]
        _, _, headers = client.ask(temperature=0.7, seed=3)
        assert headers["x-magistrate-unheeded"] == "seed temperature"


class TestWhoMayAsk:
    @pytest.mark.parametrize(
        ("headers", "status"),
        [
            ({"Authorization": ""}, 401),
            ({"Authorization": "Bearer wrong"}, 401),
            ({"Authorization": f"Basic {TOKEN}"}, 401),
            ({"Origin": "http://127.0.0.1"}, 403),
            ({"Host": "rebound.example"}, 403),
        ],
    )
    def test_only_programs_here_with_the_token(
        self, replies: Any, client: Client, headers: dict[str, str], status: int
    ) -> None:
        replies.texts = ["Fine."]
        assert client.send({"model": "gpt-4o", "messages": [{"role": "user", "content": "x"}]}, **headers)[0] == status
        assert replies.calls == []

    def test_only_the_model_it_was_started_for(self, client: Client) -> None:
        status, body, _ = client.send({"model": "gpt-5", "messages": [{"role": "user", "content": "x"}]})
        assert (status, body["error"]["code"]) == (404, "model_not_found")
        assert client.send(None, "/v1/models", "GET")[1]["data"][0]["id"] == "gpt-4o"

    @pytest.mark.parametrize(
        "body",
        [
            b"no json",
            b"[]",
            b"{}",
            {"model": "gpt-4o"},
            {"model": "gpt-4o", "messages": [{"role": "root", "content": "x"}]},
        ],
    )
    def test_what_is_no_request_is_an_error(self, client: Client, body: Any) -> None:
        assert client.send(body)[0] in {400, 404}

    def test_no_other_path(self, client: Client) -> None:
        assert client.send({}, "/v1/files")[0] == 404
        assert client.send(None, "/v1/chat/completions", "GET")[0] == 405
