"""The providers' formats on the wire, read into one form and written back: OpenAI (both of its), Anthropic, Ollama.

Only what a judge's client sends is read, and replies carry what such a client looks at.
"""

import json
import re
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Literal

from magistrate.http_server import HttpReply
from magistrate.openai_protocol import as_chat, as_response, end_events, events

Dialect = Literal["openai", "responses", "anthropic", "ollama"]
_LIMITS = ("max_tokens", "max_completion_tokens", "max_output_tokens", "num_predict")
_SCHEMA = re.compile(r"(?:as specified in JSON Schema|match the following json_schema):\s+(?=\{)")
"""What stands before a schema in a prompt of ragas or of Instructor."""


@dataclass(frozen=True, slots=True)
class ChatReply:
    """What the model says, before it is written in a provider's format."""

    text: str | None
    finish_reason: str = "stop"
    refusal: str | None = None
    reasoning: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int = 0


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """What a client asked for."""

    dialect: Dialect
    model: str
    system: str
    user: str
    mode: str
    schema: Mapping[str, Any] | None
    tool: str | None
    max_tokens: int | None
    raw: Mapping[str, Any]

    @property
    def prompt_chars(self) -> int:
        """Characters that become prompt tokens: the messages, and the schema or tools, as compact JSON."""
        extra = map(self.raw.get, ("tools", "response_format", "output_format", "format", "text"))
        return len(self.system) + len(self.user) + sum(len(compact(part)) for part in extra if part)

    def written(self, reply: ChatReply, number: int) -> dict[str, Any]:
        """A reply in the format that the request spoke."""
        if self.dialect == "anthropic":
            return _anthropic(self, reply, number)
        if self.dialect == "ollama":
            return _ollama(self, reply)
        if self.dialect == "responses":
            finish = "content_filter" if reply.finish_reason == "refusal" else reply.finish_reason
            return as_response(_openai(self, replace(reply, finish_reason=finish), number))
        return _openai(self, reply, number)

    def streamed(self, body: Mapping[str, Any]) -> list[bytes]:
        """The reply to a request for OpenAI's chat completions as the events of a stream, one piece each."""
        head = {key: body[key] for key in ("id", "created", "model", "system_fingerprint")}
        usage = body.get("usage") if (self.raw.get("stream_options") or {}).get("include_usage") else None
        if not body["choices"]:
            return end_events(head, usage)
        (choice,) = body["choices"]
        return events(head, choice["message"], choice["finish_reason"], usage, size=12)


def compact(value: Any) -> str:
    """Write JSON without white space."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def json_reply(body: Mapping[str, Any], status: int = 200) -> HttpReply:
    """An HTTP reply of JSON."""
    return HttpReply(status, compact(body).encode("utf-8", "surrogatepass"))


def read_request(dialect: Dialect, body: Mapping[str, Any]) -> ChatRequest:
    """Read a request body."""
    chat = as_chat(body) if dialect == "responses" else body
    messages = chat.get("messages")
    if not isinstance(body.get("model"), str) or not isinstance(messages, list) or not messages:
        raise ValueError("a model and at least one message are required")
    system = [_text(message.get("content")) for message in messages if message.get("role") in {"system", "developer"}]
    if chat.get("system"):
        system.insert(0, _text(chat["system"]))
    user = [_text(message.get("content")) for message in messages if message.get("role") == "user"]
    mode, schema, tool = _shape(dialect, chat)
    if schema is None and (told := _SCHEMA.search("\n".join((*system, *user)))):
        with suppress(ValueError):
            schema = json.JSONDecoder().raw_decode(told.string, told.end())[0]
    limits = map({**(body.get("options") or {}), **body}.get, _LIMITS)
    limit = next(filter(None, limits), None)
    return ChatRequest(dialect, body["model"], "\n".join(system), "\n".join(user), mode, schema, tool, limit, body)


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(part.get("text", "") for part in content if isinstance(part, dict))
    return ""


def _shape(dialect: Dialect, body: Mapping[str, Any]) -> tuple[str, Mapping[str, Any] | None, str | None]:
    """Say how the answer is wanted: the mode, the schema, the forced tool."""
    tools = body.get("tools")
    if tools and body.get("tool_choice") not in (None, "none", "auto", {"type": "auto"}):
        function = tools[0].get("function", tools[0])
        return "tool", function.get("parameters") or function.get("input_schema"), function.get("name")
    if dialect == "ollama":
        wanted = body.get("format")
        return ("json_schema", wanted, None) if isinstance(wanted, dict) else ("json" if wanted else "text", None, None)
    output = body.get("output_config") or {}
    wanted = body.get("response_format") or body.get("output_format") or output.get("format") or {}
    kind = wanted.get("type")
    if kind == "json_schema":
        return "json_schema", (wanted.get("json_schema") or wanted)["schema"], None
    return ("json" if kind == "json_object" else "text"), None, None


def _openai(request: ChatRequest, reply: ChatReply, number: int) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": reply.text, "refusal": reply.refusal}
    if reply.reasoning is not None:
        message["reasoning_content"] = reply.reasoning
    finish = "stop" if reply.finish_reason == "refusal" else reply.finish_reason
    if request.mode == "tool" and reply.text is not None:
        call = {"id": f"call_{number}", "type": "function", "function": {"name": request.tool, "arguments": reply.text}}
        message |= {"content": None, "tool_calls": [call]}
    body: dict[str, Any] = {
        "id": f"chatcmpl-{number}",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": request.model,
        "system_fingerprint": "fp_magistrate",
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": finish}],
    }
    if reply.prompt_tokens is not None:
        body["usage"] = {
            "prompt_tokens": reply.prompt_tokens,
            "completion_tokens": reply.completion_tokens,
            "total_tokens": reply.prompt_tokens + reply.completion_tokens,
        }
    return body


_ANTHROPIC_STOPS = {"stop": "end_turn", "length": "max_tokens", "content_filter": "refusal", "refusal": "refusal"}


def _anthropic(request: ChatRequest, reply: ChatReply, number: int) -> dict[str, Any]:
    content: list[dict[str, Any]] = []
    if reply.reasoning is not None:
        content.append({"type": "thinking", "thinking": reply.reasoning, "signature": ""})
    stop = _ANTHROPIC_STOPS.get(reply.finish_reason, reply.finish_reason)
    arguments = _arguments(reply.text) if request.mode == "tool" else None
    if arguments is not None:
        content.append({"type": "tool_use", "id": f"toolu_{number}", "name": request.tool, "input": arguments})
        stop = "tool_use" if stop == "end_turn" else stop
    elif reply.text or reply.refusal:
        content.append({"type": "text", "text": reply.text or reply.refusal})
    return {
        "id": f"msg_{number}",
        "type": "message",
        "role": "assistant",
        "model": request.model,
        "content": content,
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": {"input_tokens": reply.prompt_tokens or 0, "output_tokens": reply.completion_tokens},
    }


def _arguments(text: str | None) -> dict[str, Any] | None:
    """Return the answer as a tool's input; None where it is no JSON object, and the model then answers in words."""
    try:
        value = json.loads(text or "")
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _ollama(request: ChatRequest, reply: ChatReply) -> dict[str, Any]:
    body: dict[str, Any] = {
        "model": request.model,
        "created_at": "2026-01-01T00:00:00Z",
        "message": {"role": "assistant", "content": reply.text or ""},
        "done": True,
        "done_reason": "length" if reply.finish_reason == "length" else "stop",
    }
    if reply.prompt_tokens is not None:
        body |= {"prompt_eval_count": reply.prompt_tokens, "eval_count": reply.completion_tokens}
    return body


def write_error(dialect: Dialect, status: int, message: str, code: str | None = None) -> dict[str, Any]:
    """Write an error body in a provider's format."""
    kinds = {400: "invalid_request_error", 401: "authentication_error", 403: "permission_error", 404: "not_found_error"}
    kind = kinds.get(status, "rate_limit_error" if status == 429 else "api_error")  # noqa: PLR2004 - HTTP statuses
    if dialect == "anthropic":
        return {"type": "error", "error": {"type": kind, "message": message}}
    if dialect == "ollama":
        return {"error": message}
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}
