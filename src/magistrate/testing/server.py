"""A real HTTP server that plays a model: it understands judge prompts and answers them right, or wrong on demand.

Any client that speaks OpenAI chat completions (streams too) or responses, Anthropic messages or Ollama chat can be
pointed at it.
"""

import asyncio
import json
import math
import sys
import threading
import traceback
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from magistrate.http_server import HttpReply, HttpRequest, HttpServer
from magistrate.testing._model import Task, answer, is_unknown, read_task
from magistrate.testing._wire import ChatReply, ChatRequest, Dialect, json_reply, read_request, write_error
from magistrate.testing.batches import Batch, BatchDesk
from magistrate.testing.oracle import Oracle

_ROUTES: Mapping[str, Dialect] = {
    "/v1/chat/completions": "openai",
    "/chat/completions": "openai",
    "/v1/responses": "responses",
    "/responses": "responses",
    "/v1/messages": "anthropic",
    "/messages": "anthropic",
    "/api/chat": "ollama",
}
_CHARS_PER_TOKEN = 4


@dataclass(frozen=True, slots=True)
class Call:
    """One call as the server saw it.

    Args:
        number: Its number, from 1.
        request: What was asked.
        task: What the server understood of it.
        headers: The request's headers, names in lower case.
        path: The path it came to.
    """

    number: int
    request: ChatRequest
    task: Task
    headers: Mapping[str, str]
    path: str


@dataclass(frozen=True, slots=True)
class Fault:
    """How one reply is to go wrong. What is None or empty stays as it is.

    Args:
        status: Answer with this HTTP status and an error body instead.
        message: The message of that error body.
        code: The code of that error body (OpenAI: "insufficient_quota").
        headers: Further headers.
        body: Answer with this body instead, whatever it is.
        text: Takes the right text, gives the text to answer with; None for none.
        finish_reason: Report this instead of "stop".
        refusal: Fill OpenAI's refusal field with this, and leave the content out.
        reasoning: Add this reasoning.
        usage: Report these prompt and completion tokens; None for the prompt's leaves the usage out.
        no_choices: Answer 200 with nothing in it: an empty list of choices, or of content.
        unseen: Answer as one who saw nothing of the passages nor of what stands before them, as servers do whose window
            is too small, and report what was seen as the prompt's tokens.
        window: The same with a window of so many tokens: of the user message only the last ones are seen.
        dropped: Share of the user message that is dropped from its middle, as routers do; what is left is counted.
        change: Takes the body of the reply and the call, gives another body.
        http: Changes how the reply is delivered (delay, cut, reset, hang).
        pause: Seconds between the pieces of a streamed reply.
    """

    status: int | None = None
    message: str = "the server was told to fail"
    code: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    text: Callable[[str], str | None] | None = None
    finish_reason: str | None = None
    refusal: str | None = None
    reasoning: str | None = None
    usage: tuple[int | None, int] | None = None
    no_choices: bool = False
    unseen: bool = False
    window: int | None = None
    dropped: float = 0.0
    change: Callable[[dict[str, Any], Call], Any] | None = None
    http: Callable[[HttpReply], HttpReply] | None = None
    pause: float = 0.0


@dataclass(frozen=True, slots=True)
class ServerStats:
    """What came to the server so far.

    Args:
        calls: Calls to a model.
        by_kind: The same, by what was asked for.
        prompt_tokens: Tokens sent to it: a quarter of the characters of the messages and the schema or tools.
        completion_tokens: Tokens it sent: a quarter of the characters of the answers.
        most_at_once: Most calls that were under way at the same time.
        unknown: Prompts that the server does not know, and whose lists it left empty.
    """

    calls: int
    by_kind: Mapping[str, int]
    prompt_tokens: int
    completion_tokens: int
    most_at_once: int
    unknown: int = 0


class FaultServer(HttpServer):
    """A model behind real HTTP, on a free port of 127.0.0.1.

    Use it as a context manager; give `url` (Anthropic, Ollama) or `openai_url` as api_base.

    Args:
        oracle: What the model knows. The default is a simple rule, see `magistrate.testing.oracle`.
        faults: Takes a call, gives the fault of its reply; None for a right reply.
        latency: Seconds from a request to its reply.
        context_window: Tokens that the prompt and its reply may have together, a quarter of a character each; a longer
            request is answered as providers do, with status 400 and the limit in its message. None for no limit.
        keep: How many of the latest calls to keep in `calls`.
        port: Port to serve on; 0 for a free one.
        batch_faults: Takes the number of a batch (from 1), gives names of `BATCH_FAULTS` that it meets.
        batch_polls: How often the state of a batch is asked for until it has ended.
    """

    def __init__(
        self,
        oracle: Oracle | None = None,
        *,
        faults: Callable[[Call], Fault | None] | None = None,
        latency: float = 0.0,
        context_window: int | None = None,
        keep: int = 1000,
        port: int = 0,
        batch_faults: Callable[[int], Collection[str]] | None = None,
        batch_polls: int = 1,
    ) -> None:
        super().__init__(self._handle, port=port)
        self.oracle = oracle or Oracle()
        self.faults = faults
        self.latency = latency
        self.context_window = context_window
        self.calls: list[Call] = []
        self.errors: list[str] = []
        self._keep = keep
        self._desk = BatchDesk(self._in_batch, batch_faults, batch_polls)
        self._lock = threading.Lock()
        self.under_way = 0
        """Calls that are being answered."""
        self._kinds: Counter[str] = Counter()
        self._figures: Counter[str] = Counter()

    @property
    def openai_url(self) -> str:
        """The address for OpenAI's clients: with /v1."""
        return f"{self.url}/v1"

    @property
    def stats(self) -> ServerStats:
        """What came so far."""
        with self._lock:
            names = ("prompt_tokens", "completion_tokens", "most_at_once", "unknown")
            return ServerStats(self._kinds.total(), dict(self._kinds), *(self._figures[name] for name in names))

    @property
    def batches(self) -> Sequence[Batch]:
        """The batches that were made, the first one first."""
        return list(self._desk.batches.values())

    def _in_batch(self, path: str, body: Mapping[str, Any], headers: Mapping[str, str]) -> HttpReply:
        return self._answer(_ROUTES[path], path, HttpRequest("POST", path, headers, json.dumps(body).encode()))

    def reset(self) -> None:
        """Count from zero again, and forget the calls."""
        with self._lock:
            self.calls.clear()
            self._kinds.clear()
            self._figures.clear()

    def stop(self) -> None:
        """Stop serving.

        Raises:
            RuntimeError: If the server itself failed in a call, with the traceback.
        """
        super().stop()
        if self.errors:
            raise RuntimeError(f"the test server failed in a call:\n{self.errors[0]}")

    async def _handle(self, request: HttpRequest) -> HttpReply:
        path = request.path.partition("?")[0]
        if request.method == "GET" and path in {"/v1/models", "/models"}:
            models = [{"id": "magistrate-test-model", "object": "model", "created": 0, "owned_by": "magistrate"}]
            return json_reply({"object": "list", "data": models}, 200)
        if (reply := self._desk.handle(request)) is not None:
            return reply
        dialect = _ROUTES.get(path)
        if dialect is None or request.method != "POST":
            return json_reply(write_error("openai", 404, f"there is no {request.method} {path}"), 404)
        with self._lock:
            self.under_way += 1
            self._figures["most_at_once"] = max(self._figures["most_at_once"], self.under_way)
        try:
            reply = self._answer(dialect, path, request)
            await asyncio.sleep(reply.delay)
        except Exception:  # noqa: BLE001 - a fault of ours must show in the test that stops the server
            self.errors.append(traceback.format_exc())
            reply = json_reply(write_error(dialect, 500, "the test server failed"), 500)
        finally:
            with self._lock:
                self.under_way -= 1
        return reply

    def _answer(self, dialect: Dialect, path: str, request: HttpRequest) -> HttpReply:
        try:
            chat = read_request(dialect, json.loads(request.body))
        except ValueError as error:
            return json_reply(write_error(dialect, 400, f"the request cannot be read: {error}"), 400)
        task = read_task(chat)
        with self._lock:
            self._kinds[task.kind] += 1
            self._figures["prompt_tokens"] += _tokens(chat.prompt_chars)
            call = Call(self._kinds.total(), chat, task, request.headers, path)
            self.calls.append(call)
            del self.calls[: -self._keep]
        fault = (self.faults(call) if self.faults else None) or Fault()
        reply = self._reply(call, fault)
        reply = replace(reply, delay=self.latency + reply.delay, headers={**reply.headers, **fault.headers})
        return fault.http(reply) if fault.http else reply

    def _reply(self, call: Call, fault: Fault) -> HttpReply:  # noqa: C901 - a guard for each way to fail
        request = call.request
        asked = _tokens(request.prompt_chars) + (request.max_tokens or 0)
        if self.context_window is not None and asked > self.context_window:
            said = (
                f"This model's maximum context length is {self.context_window} tokens. However, you requested {asked}."
            )
            return json_reply(write_error(request.dialect, 400, said, "context_length_exceeded"), 400)
        if fault.status is not None:
            return json_reply(write_error(request.dialect, fault.status, fault.message, fault.code), fault.status)
        if fault.body is not None:
            return HttpReply(body=fault.body)
        seen = _seen(call, fault)
        task = call.task if seen == request.user else read_task(replace(request, user=seen))
        text: str | None = answer(task, self.oracle, request.schema)
        if fault.text is not None:
            text = fault.text(text or "")
        elif is_unknown(task, request.schema):
            with self._lock:
                self._figures["unknown"] += 1
            if self._figures["unknown"] == 1:
                sys.stderr.write("magistrate: the test server does not know a prompt, and leaves its lists empty\n")
        if fault.refusal is not None:
            text = None
        length = len(text or "")
        with self._lock:
            self._figures["completion_tokens"] += _tokens(length)
        read = len(seen) if len(seen) < len(request.user) else request.prompt_chars
        if fault.dropped:
            read = request.prompt_chars - len(request.user) + len(seen)
        prompt, completion = fault.usage or (_tokens(read), _tokens(length))
        reply = ChatReply(text, fault.finish_reason or "stop", fault.refusal, fault.reasoning, prompt, completion)
        body: dict[str, Any] = request.written(reply, call.number)
        if fault.no_choices:
            body |= {key: type(body[key])() for key in ("choices", "output", "content", "message") if key in body}
        if fault.change is not None:
            return json_reply(fault.change(body, call), 200)
        if request.dialect == "openai" and request.raw.get("stream"):
            return _streamed(request.streamed(body), fault.pause)
        return json_reply(body, 200)


def _tokens(chars: int) -> int:
    return math.ceil(chars / _CHARS_PER_TOKEN)


def _seen(call: Call, fault: Fault) -> str:
    """What is seen of the user message. Of the system message the kind of the task stays known."""
    user = call.request.user
    if fault.unseen and call.task.contexts:
        last = call.task.contexts[-1]
        user = user[user.rfind(last) + len(last) :]
    if fault.dropped:
        left = math.ceil(len(user) * (1 - fault.dropped) / 2)
        user = user[:left] + user[len(user) - left :]
    return user if fault.window is None else user[-max(1, fault.window * _CHARS_PER_TOKEN) :]


def _streamed(events: Sequence[bytes], pause: float) -> HttpReply:
    if not pause:
        return HttpReply(body=b"".join(events), content_type="text/event-stream")

    async def pieces() -> AsyncGenerator[bytes, None]:
        for event in events:
            yield event
            await asyncio.sleep(pause)

    return HttpReply(content_type="text/event-stream", stream=pieces())
