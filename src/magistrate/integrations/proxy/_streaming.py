"""Chat completions as OpenAI streams them: server-sent events, each with a piece of the message."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from typing import Any

_PIECE = 48
"""Characters of a piece of a message that is there as a whole."""
_DONE = b"data: [DONE]\n\n"

Head = Mapping[str, Any]


def _event(head: Head, delta: Mapping[str, Any], finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
    return _line({**head, "object": "chat.completion.chunk", "choices": [choice]})


def _line(value: Mapping[str, Any]) -> bytes:
    return f"data: {json.dumps(value, ensure_ascii=False)}\n\n".encode("utf-8", "replace")


def error_event(error: Mapping[str, Any]) -> bytes:
    """Write an error that comes after the first event: clients raise it."""
    return _line({"error": error})


def end_of(head: Head, finish: str, usage: Mapping[str, Any] | None) -> bytes:
    """Write the end of a stream: why the message ended, and what it used where that was asked for."""
    told = b"" if usage is None else _line({**head, "object": "chat.completion.chunk", "choices": [], "usage": usage})
    return _event(head, {}, finish) + told + _DONE


def in_pieces(head: Head, message: Mapping[str, Any], finish: str, usage: Mapping[str, Any] | None) -> bytes:
    """Write a whole message as a stream."""
    calls = message.get("tool_calls") or ()
    opening = [
        {"index": at, **call, "function": {**call["function"], "arguments": ""}} for at, call in enumerate(calls)
    ]
    deltas: list[dict[str, Any]] = [
        {"role": "assistant", "content": None, "tool_calls": opening} if calls else {"role": "assistant", "content": ""}
    ]
    deltas += [{"content": piece} for piece in _cut(message.get("content") or "")]
    for at, call in enumerate(calls):
        for piece in _cut(call["function"]["arguments"]):
            deltas.append({"tool_calls": [{"index": at, "function": {"arguments": piece}}]})
    return b"".join(_event(head, delta) for delta in deltas) + end_of(head, finish, usage)


def _cut(text: str) -> list[str]:
    return [text[at : at + _PIECE] for at in range(0, len(text), _PIECE)]


class Pieces:
    """The text of a reply as it comes: `hear` may be called from any thread."""

    def __init__(self, ask: Callable[[Callable[[str], None]], Awaitable[Any]]) -> None:
        self._loop = asyncio.get_running_loop()
        self._queue: asyncio.Queue[str | None] = asyncio.Queue()
        self.asking = asyncio.ensure_future(ask(self._hear))
        self.asking.add_done_callback(lambda _: self._queue.put_nowait(None))

    def _hear(self, piece: str) -> None:
        self._loop.call_soon_threadsafe(self._queue.put_nowait, piece)

    async def next(self) -> str | None:
        """The next piece; None once the reply is there, or there will be none."""
        return await self._queue.get()


async def live(
    head: Head, first: str, pieces: Pieces, ending: Callable[[asyncio.Future[Any]], bytes]
) -> AsyncGenerator[bytes, None]:
    """Write pieces as they come."""
    try:
        yield _event(head, {"role": "assistant", "content": ""})
        piece: str | None = first
        while piece is not None:
            yield _event(head, {"content": piece})
            piece = await pieces.next()
        await asyncio.wait([pieces.asking])
        yield ending(pieces.asking)
    finally:
        pieces.asking.cancel()  # where nobody reads on, the call ends too
