"""The chat endpoint of `magistrate proxy` and of `as_openai_client`."""

import asyncio
import hmac
import json
import time
import uuid
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from magistrate.completion.schemas import inline_schema
from magistrate.errors import MagistrateError
from magistrate.http_server import HttpReply, HttpRequest, HttpServer
from magistrate.integrations import _common as ours
from magistrate.integrations._prompts import stated_limits
from magistrate.integrations._prompts.deepeval import rows_of_verdicts
from magistrate.integrations._prompts.ragas import limits_of, rows_of, said_in
from magistrate.judges import StructuredReply
from magistrate.openai_protocol import as_chat, as_response, end_events, event, events, line
from magistrate.parsing.objects.target import target_of
from magistrate.records import Message
from magistrate.verdict import Status

__all__ = ["Proxy"]


_ROLES = ("assistant", "developer", "system", "user")
_IGNORED = ("logprobs", "top_logprobs", "stop", "seed", "temperature", "top_p", "presence_penalty", "frequency_penalty")
_ANYTHING: Mapping[str, Any] = {"title": "reply", "type": "object"}
_ENDS = {Status.TRUNCATED: "length", Status.REFUSED: "content_filter"}
"""How a text ended that was asked for without a schema: it goes through, with the reason that the client looks at."""


class _RefusedError(Exception):
    def __init__(self, status: int, message: str, kind: str = "invalid_request_error", code: str | None = None) -> None:
        super().__init__(message)
        self.status, self.kind, self.code = status, kind, code


class Proxy:
    """Answers HTTP requests."""

    def __init__(self, backend: ours.Backend, token: str) -> None:
        self._backend = backend
        self._token = token

    def server(self, port: int = 0) -> HttpServer:
        """Make a server of it, to be started: the token is looked at before the body is read."""
        return HttpServer(self._answer, admit=self._admitted, port=port)

    async def __call__(self, request: HttpRequest) -> HttpReply:
        """Answer a request that does not come through a server."""
        return self._admitted(request) or await self._answer(request)

    def _admitted(self, request: HttpRequest) -> HttpReply | None:
        headers = request.headers
        host = headers.get("host", "").rpartition(":")[0] or headers.get("host", "")
        if "origin" in headers or host not in {"127.0.0.1", "localhost"}:
            return _error(_RefusedError(403, "this endpoint answers programs on this machine, no browser"))
        kind, _, token = headers.get("authorization", "").partition(" ")
        given = token.strip().encode("utf-8", "replace")
        if kind.lower() == "bearer" and hmac.compare_digest(given, self._token.encode()):
            return None
        wanted = "give the token that was printed at the start as the API key"
        return _error(_RefusedError(401, wanted, code="invalid_api_key"))

    async def _answer(self, request: HttpRequest) -> HttpReply:
        try:
            return await self._route(request)
        except (_RefusedError, MagistrateError) as error:
            return _error(error)

    async def _route(self, request: HttpRequest) -> HttpReply:
        path = request.path.partition("?")[0].rstrip("/").removeprefix("/v1")
        if path == "/models" and request.method == "GET":
            return _json(200, {"object": "list", "data": [{"id": self._backend.name, "object": "model"}]})
        if path not in {"/chat/completions", "/responses"}:
            there = "there are /v1/chat/completions and /v1/responses"
            raise _RefusedError(404, f"no such path: {request.path[:80]!r}; {there}")
        if request.method != "POST":
            raise _RefusedError(405, "POST it")
        try:
            body = json.loads(request.body)
        except (ValueError, RecursionError):
            body = None
        if not isinstance(body, dict):
            raise _RefusedError(400, "the body is no JSON object")
        if path == "/chat/completions":
            return await self._complete(body)
        if body.get("stream"):
            raise _RefusedError(400, "stream: responses come whole; /v1/chat/completions has streams")
        reply = await self._complete(as_chat(body))
        return replace(reply, body=json.dumps(as_response(json.loads(reply.body)), ensure_ascii=False).encode())

    async def _complete(self, body: Mapping[str, Any]) -> HttpReply:
        if body.get("model") != self._backend.name:
            named = f"model {str(body.get('model'))[:80]!r}: this endpoint serves {self._backend.name!r} only"
            raise _RefusedError(404, named, code="model_not_found")
        if body.get("n") not in (None, 1):
            raise _RefusedError(400, "n: one reply a request")
        given = body.get("messages")
        if not isinstance(given, list) or not given:
            raise _RefusedError(400, "messages: expected a list of messages")
        messages = [_message(message) for message in given]
        schema, tool = _schema(body)
        if schema is None:
            return await self._text(body, messages)
        name, prompt = str(schema.get("title") or "reply"), messages[-1].content
        rows = rows_of_verdicts(prompt) if name == "Verdicts" else rows_of(name, prompt)
        known = rows if rows is not None and rows.field in schema.get("properties", {}) else None
        limits = limits_of(name, prompt) or stated_limits(schema)
        reply = await self._backend.ask(messages, schema, known, limits, said_in(name, prompt))
        if reply.value is None:
            raise _RefusedError(422, ours.explain(reply), "judge_failure", reply.status.value)
        text = json.dumps(reply.value, ensure_ascii=False)
        if tool is None:
            return self._reply(body, reply, {"role": "assistant", "content": text}, "stop")
        function = {"name": tool, "arguments": text}
        call = {"id": f"call_{uuid.uuid4().hex[:24]}", "type": "function", "function": function}
        return self._reply(body, reply, {"role": "assistant", "content": None, "tool_calls": [call]}, "tool_calls")

    async def _text(self, body: Mapping[str, Any], messages: Sequence[Message]) -> HttpReply:
        if not body.get("stream"):
            return self._text_reply(body, await self._backend.text(messages))
        loop, pieces = asyncio.get_running_loop(), asyncio.Queue[str | None]()

        def hear(piece: str) -> None:
            loop.call_soon_threadsafe(pieces.put_nowait, piece)

        asking = asyncio.ensure_future(self._backend.text(messages, hear))
        asking.add_done_callback(lambda _: pieces.put_nowait(None))
        try:
            first = await pieces.get()
        except asyncio.CancelledError:
            asking.cancel()
            raise
        if first is None:  # an error, or all at once
            return self._text_reply(body, await asking)
        head = self._head()

        async def live() -> AsyncGenerator[bytes, None]:
            piece: str | None = first
            try:
                yield event(head, {"role": "assistant", "content": ""})
                while piece is not None:
                    yield event(head, {"content": piece})
                    piece = await pieces.get()
                try:
                    reply = _usable(await asking)
                except (_RefusedError, MagistrateError) as error:
                    yield line({"error": _told(error)})
                else:
                    yield event(head, {}, _ENDS.get(reply.status, "stop"))
                    yield b"".join(end_events(head, _usage(reply) if _wants_usage(body) else None))
            finally:
                asking.cancel()  # where nobody reads on, the call ends too

        return HttpReply(200, b"", _unheeded(body), "text/event-stream", stream=live())

    def _text_reply(self, body: Mapping[str, Any], reply: StructuredReply[Any]) -> HttpReply:
        message = {"role": "assistant", "content": _usable(reply).text}
        return self._reply(body, reply, message, _ENDS.get(reply.status, "stop"))

    def _head(self) -> dict[str, Any]:
        return {"id": f"chatcmpl-{uuid.uuid4().hex[:24]}", "created": int(time.time()), "model": self._backend.name}

    def _reply(
        self, body: Mapping[str, Any], reply: StructuredReply[Any], message: dict[str, Any], finish: str
    ) -> HttpReply:
        usage = reply.usage
        headers = {
            "x-magistrate-status": reply.status.value,
            "x-magistrate-calls": str(usage.calls),
            "x-magistrate-cost": "unknown" if usage.cost is None else f"{usage.cost:.6f}",
            **_unheeded(body),
        }
        if not body.get("stream"):
            choice = {"index": 0, "message": message, "finish_reason": finish, "logprobs": None}
            whole = {**self._head(), "object": "chat.completion", "choices": [choice], "usage": _usage(reply)}
            return HttpReply(200, json.dumps(whole, ensure_ascii=False).encode(), headers)
        stream = events(self._head(), message, finish, _usage(reply) if _wants_usage(body) else None)
        return HttpReply(200, b"".join(stream), headers, "text/event-stream")


def _usable(reply: StructuredReply[Any]) -> StructuredReply[Any]:
    if not reply.text:
        raise _RefusedError(422, ours.explain(reply, "a text"), "judge_failure", reply.status.value)
    return reply


def _usage(reply: StructuredReply[Any]) -> dict[str, int]:
    prompt, completion = reply.usage.known_tokens
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}


def _wants_usage(body: Mapping[str, Any]) -> bool:
    options = body.get("stream_options")
    return isinstance(options, dict) and bool(options.get("include_usage"))


def _unheeded(body: Mapping[str, Any]) -> dict[str, str]:
    unheeded = [name for name in _IGNORED if body.get(name) is not None]
    return {"x-magistrate-unheeded": " ".join(unheeded)} if unheeded else {}


def _json(status: int, body: Mapping[str, Any]) -> HttpReply:
    return HttpReply(status, json.dumps(body, ensure_ascii=False).encode())


def _error(error: Exception) -> HttpReply:
    return _json(error.status if isinstance(error, _RefusedError) else 502, {"error": _told(error)})


def _told(error: Exception) -> dict[str, Any]:
    kind, code = getattr(error, "kind", "judge_error"), getattr(error, "code", type(error).__name__)
    return {"message": f"magistrate: {error}", "type": kind, "param": None, "code": code}


def _message(given: Any) -> Message:
    if not isinstance(given, dict) or given.get("role") not in _ROLES:
        raise _RefusedError(400, f"messages: expected a role of {', '.join(_ROLES)}")
    content = given.get("content")
    if not isinstance(content, str | list):
        raise _RefusedError(400, "messages: expected a content")
    for part in () if isinstance(content, str) else content:
        address = part.get("image_url") if isinstance(part, dict) else None
        shown = address.get("url") if isinstance(address, dict) else None
        if not isinstance(shown, str) and not (isinstance(part, dict) and isinstance(part.get("text"), str)):
            raise _RefusedError(400, "messages: a part of a content is neither text nor image_url")
    return ours.message_of(given["role"], content)


def _schema(body: Mapping[str, Any]) -> tuple[Mapping[str, Any] | None, str | None]:
    """The schema that the reply must fit, and the tool it is the argument of."""
    wanted = body.get("response_format")
    tools = body.get("tools")
    if isinstance(tools, list) and tools:
        return _tool(tools, body.get("tool_choice"))
    if not isinstance(wanted, dict) or wanted.get("type") == "text":
        return None, None
    if wanted.get("type") == "json_object":
        return _ANYTHING, None
    given = wanted.get("json_schema")
    if not isinstance(given, dict) or not isinstance(given.get("schema"), dict):
        raise _RefusedError(400, "response_format: expected json_schema with a schema")
    return _checked(given["schema"], given.get("name")), None


def _tool(tools: Sequence[Any], choice: Any) -> tuple[Mapping[str, Any], str]:
    wanted = choice.get("function") if isinstance(choice, dict) else None
    named = wanted.get("name") if isinstance(wanted, dict) else None
    functions = [tool.get("function") for tool in tools if isinstance(tool, dict)]
    chosen = [one for one in functions if isinstance(one, dict) and named in (None, one.get("name"))]
    if len(chosen) != 1 or (named is None and choice != "required"):
        raise _RefusedError(400, "tools: one tool that must be called (tool_choice), its arguments are the reply")
    title = str(chosen[0].get("name") or "reply")
    return _checked(chosen[0].get("parameters") or {"type": "object"}, title), title


def _checked(schema: Any, name: Any) -> Mapping[str, Any]:
    """A client's schema, with a title: one that no reply could be held against is refused before anything is asked."""
    try:
        target_of(schema)
        return {**inline_schema(schema), "title": schema.get("title") or str(name or "reply")}
    except (TypeError, ValueError, AttributeError, RecursionError) as error:
        raise _RefusedError(400, f"the schema of the reply: {error!s:.400}") from None
