"""OpenAI's chat protocol as a server speaks it: streams, and the Responses protocol in terms of it."""

import json
import uuid
from collections.abc import Mapping
from typing import Any

DONE = b"data: [DONE]\n\n"
_CUT = {"length": "max_output_tokens", "content_filter": "content_filter"}
_TEXTS = frozenset({"input_text", "output_text", "text"})


def as_chat(body: Mapping[str, Any]) -> dict[str, Any]:
    """The chat request that a request for a response amounts to. What is not understood is kept, for chat to refuse."""
    given = body.get("input")
    messages: Any = [{"role": "user", "content": given}] if isinstance(given, str) else given
    if isinstance(messages, list):
        messages = [
            {**one, "content": list(map(_part, one["content"]))}
            if isinstance(one, dict) and isinstance(one.get("content"), list)
            else one
            for one in messages
        ]
        if isinstance(body.get("instructions"), str):
            messages.insert(0, {"role": "system", "content": body["instructions"]})
    chat = {"model": body.get("model"), "messages": messages, "temperature": body.get("temperature")}
    text = body.get("text")
    wanted = text.get("format") if isinstance(text, dict) else None
    if isinstance(wanted, dict):
        named = {"name": wanted.get("name"), "schema": wanted.get("schema")}
        chat["response_format"] = {"type": wanted.get("type"), "json_schema": named}
    if body.get("tools"):
        tools = body["tools"] if isinstance(body["tools"], list) else [body["tools"]]
        chat["tools"] = [
            {"type": "function", "function": tool}
            if isinstance(tool, dict) and tool.get("type") == "function"
            else tool
            for tool in tools
        ]
        choice = body.get("tool_choice")
        if isinstance(choice, dict):
            choice = {**choice, "function": {"name": choice.get("name")}}
        chat["tool_choice"] = choice
    return chat


def _part(part: Any) -> Any:
    kind = part.get("type") if isinstance(part, dict) else None
    if kind in _TEXTS:
        return {"type": "text", "text": part.get("text")}
    if kind == "input_image" and isinstance(part.get("image_url"), str):
        return {"type": "image_url", "image_url": {"url": part["image_url"]}}
    return None


def as_response(completion: Mapping[str, Any]) -> dict[str, Any]:
    """The response that a chat completion amounts to."""
    choice, usage = completion["choices"][0], completion.get("usage")
    message, cut = choice["message"], _CUT.get(choice["finish_reason"])
    status = "completed" if cut is None else "incomplete"
    output: list[dict[str, Any]] = [
        {"type": "function_call", "id": _id("fc"), "call_id": call["id"], **call["function"]}
        for call in message.get("tool_calls") or ()
    ]
    if message.get("reasoning_content") is not None:
        summary = [{"type": "summary_text", "text": message["reasoning_content"]}]
        output.insert(0, {"type": "reasoning", "id": _id("rs"), "summary": summary})
    part: dict[str, Any] = {"type": "refusal", "refusal": message.get("refusal")}
    if part["refusal"] is None:
        part = {"type": "output_text", "text": message.get("content"), "annotations": []}
    if None not in part.values():
        output.append({"type": "message", "id": _id("msg"), "role": "assistant", "content": [part]})
    response = {
        "id": _id("resp"),
        "object": "response",
        "created_at": completion["created"],
        "status": status,
        "incomplete_details": None if cut is None else {"reason": cut},
        "model": completion["model"],
        "output": [{**item, "status": status} for item in output],
        "parallel_tool_calls": False,
        "tool_choice": "auto",
        "tools": [],
    }
    if usage is not None:
        response["usage"] = {
            "input_tokens": usage["prompt_tokens"],
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": usage["completion_tokens"],
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": usage["total_tokens"],
        }
    return response


def _id(kind: str) -> str:
    return f"{kind}_{uuid.uuid4().hex[:24]}"


def event(head: Mapping[str, Any], delta: Mapping[str, Any], finish: str | None = None) -> bytes:
    """A piece of a message, as an event of a stream."""
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
    return line({**head, "object": "chat.completion.chunk", "choices": [choice]})


def line(value: Mapping[str, Any]) -> bytes:
    """An event of a stream."""
    return f"data: {json.dumps(value, ensure_ascii=False)}\n\n".encode("utf-8", "replace")


def end_events(head: Mapping[str, Any], usage: Mapping[str, Any] | None) -> list[bytes]:
    """The events behind a message: what it used, where that was asked for."""
    told = [] if usage is None else [line({**head, "object": "chat.completion.chunk", "choices": [], "usage": usage})]
    return [*told, DONE]


def events(
    head: Mapping[str, Any], message: Mapping[str, Any], finish: str, usage: Mapping[str, Any] | None, size: int = 48
) -> list[bytes]:
    """A whole message as the events of a stream, each with so many characters."""
    calls = message.get("tool_calls") or ()
    opening = [
        {"index": at, **call, "function": {**call["function"], "arguments": ""}} for at, call in enumerate(calls)
    ]
    deltas: list[dict[str, Any]] = [
        {"role": "assistant", "content": None, "tool_calls": opening} if calls else {"role": "assistant", "content": ""}
    ]
    for name in ("reasoning_content", "refusal", "content"):
        deltas += [{name: piece} for piece in _pieces(message.get(name) or "", size)]
    for at, call in enumerate(calls):
        arguments = _pieces(call["function"]["arguments"], size)
        deltas += [{"tool_calls": [{"index": at, "function": {"arguments": piece}}]} for piece in arguments]
    return [*(event(head, delta) for delta in deltas), event(head, {}, finish), *end_events(head, usage)]


def _pieces(text: str, size: int) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]
