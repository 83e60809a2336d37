"""Batches of a provider, for the test server: OpenAI's (`/v1/files`, `/v1/batches`) and Anthropic's."""

import json
import random
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from email.parser import BytesParser
from email.policy import HTTP
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from magistrate.http_server import HttpReply, HttpRequest
from magistrate.testing._wire import compact, json_reply

BATCH_FAULTS: Final = ("shuffled", "missing", "error", "expired", "doubled", "unknown", "failed", "cut", "lost")
"""What may go wrong with a batch: its results come in any order; some are missing, errors, expired, come twice, or are
about nothing that was asked; it fails as a whole; the download of its results is cut off, once; it is made, and the
answer that would say so is an error."""
_EVERY: Final = {"missing": 7, "error": 5, "expired": 4, "doubled": 3}
"""Of how many requests one meets a fault."""
_OK: Final = 200
_MOST_IN_A_PAGE: Final = 100

Answering = Callable[[str, Mapping[str, Any], Mapping[str, str]], HttpReply]


@dataclass(slots=True)
class Batch:
    """One batch as the server has it."""

    id: str
    keys: list[str]
    metadata: Mapping[str, str]
    faults: frozenset[str]
    answered: list[str] = field(default_factory=list)
    polls: int = 0
    created: float = field(default_factory=time.time)
    input_file: str = ""
    output: bytes = b""
    errors: bytes = b""
    cut: bool = False


class BatchDesk:
    """Takes batches and carries them out at once; they end when their state was asked for so many times."""

    def __init__(self, answering: Answering, faults: Callable[[int], Collection[str]] | None, polls: int) -> None:
        self._answering = answering
        self._faults = faults
        self._polls = polls
        self._lock = threading.Lock()
        self._files: dict[str, bytes] = {}
        self._made = 0
        self.batches: dict[str, Batch] = {}

    def handle(self, request: HttpRequest) -> HttpReply | None:  # noqa: PLR0911 - one for each endpoint
        """Answer a request; None where it is none about batches."""
        parts = urlsplit(request.path)
        path, query = parts.path.strip("/").split("/"), parse_qs(parts.query)
        with self._lock:
            match request.method, *path:
                case "POST", "v1", "files":
                    return self._upload(request)
                case "GET", "v1", "files", file, "content":
                    return self._content(file)
                case "POST", "v1", "batches":
                    return self._create(request, anthropic=False)
                case "GET", "v1", "batches":
                    return self._page(self._openai, query.get("after"))
                case "GET", "v1", "batches", batch if batch in self.batches:
                    return json_reply(self._openai(self._polled(batch)))
                case "POST", "v1", "messages", "batches":
                    return self._create(request, anthropic=True)
                case "GET", "v1", "messages", "batches":
                    return self._page(self._anthropic, query.get("after_id"))
                case "GET", "v1", "messages", "batches", batch if batch in self.batches:
                    return json_reply(self._anthropic(self._polled(batch)))
                case "GET", "v1", "messages", "batches", batch, "results" if batch in self.batches:
                    return self._results(self.batches[batch], self.batches[batch].output, "application/x-jsonl")
        return None

    def _polled(self, batch: str) -> Batch:
        found = self.batches[batch]
        found.polls += 1
        return found

    def _upload(self, request: HttpRequest) -> HttpReply:
        head = f"content-type: {request.headers['content-type']}\r\n\r\n".encode()
        message = BytesParser(policy=HTTP).parsebytes(head + request.body)
        fields = {part.get_param("name", header="content-disposition"): part for part in message.iter_parts()}
        data: Any = fields["file"].get_payload(decode=True)
        file = f"file-{len(self._files) + 1}"
        self._files[file] = data
        named = {"id": file, "filename": "requests.jsonl", "object": "file", "purpose": "batch", "status": "processed"}
        return json_reply({**named, "bytes": len(data), "created_at": int(time.time())})

    def _content(self, file: str) -> HttpReply:
        batch, _, kind = file.partition(":")
        if batch in self.batches:
            found = self.batches[batch]
            return self._results(found, found.output if kind == "output" else found.errors, "application/octet-stream")
        data = self._files.get(file)
        return json_reply({"error": {"message": "no such file"}}, 404) if data is None else HttpReply(body=data)

    @staticmethod
    def _results(batch: Batch, data: bytes, kind: str) -> HttpReply:
        if "cut" in batch.faults and not batch.cut and data:
            batch.cut = True
            return HttpReply(body=data[: -len(data.splitlines()[-1]) // 2], content_type=kind)
        return HttpReply(body=data, content_type=kind)

    def _create(self, request: HttpRequest, *, anthropic: bool) -> HttpReply:
        body = json.loads(request.body)
        file = "" if anthropic else body["input_file_id"]
        lines = body["requests"] if anthropic else [json.loads(line) for line in self._files[file].splitlines()]
        batch = self._begin([line["custom_id"] for line in lines], body.get("metadata") or {})
        batch.input_file = file
        if "failed" in batch.faults and anthropic:  # there it fails at once
            del self.batches[batch.id]
            error = {"type": "invalid_request_error", "message": "the batch is not valid"}
            return json_reply({"type": "error", "error": error}, 400)
        if "failed" in batch.faults:
            return json_reply(self._openai(batch))
        answered: list[dict[str, Any]] = []
        failed: list[dict[str, Any]] = []
        for line, fate in self._fates(batch, lines):
            place, what = ("/v1/messages", "params") if anthropic else (line.get("url"), "body")
            reply = None if fate else self._answering(place, line[what], request.headers)
            batch.answered += [line["custom_id"]] if reply and reply.status == _OK else []
            entry = _anthropic_result(line, reply, fate) if anthropic else _openai_result(line, reply, fate)
            (answered if anthropic or (reply and reply.status == _OK) else failed).append(entry)
        unknown: dict[str, Any] = {"custom_id": "0" * 64, "result": {"type": "canceled"}}
        if not anthropic:
            response = {"status_code": 200, "body": {}}
            unknown = {"id": "r-x", "custom_id": "0" * 64, "response": response, "error": None}
        batch.output, batch.errors = _lines(batch, answered, unknown), _lines(batch, failed)
        if "lost" in batch.faults:
            return json_reply({"error": {"type": "server_error", "message": "Internal server error"}}, 500)
        return json_reply(self._anthropic(batch) if anthropic else self._openai(batch))

    def _begin(self, keys: list[str], metadata: Mapping[str, str]) -> Batch:
        self._made += 1
        faults = frozenset(self._faults(self._made) if self._faults else ())
        batch = Batch(f"batch_{self._made}", keys, metadata, faults)
        self.batches[batch.id] = batch
        return batch

    @staticmethod
    def _fates(batch: Batch, lines: list[Any]) -> Iterator[tuple[Any, str | None]]:
        """Each line that gets a result, and what goes wrong with it."""
        for number, line in enumerate(lines):
            fate = next((f for f in ("missing", "error", "expired") if f in batch.faults and _meets(f, number)), None)
            if fate != "missing":
                yield line, fate

    def _page(self, written: Callable[[Batch], dict[str, Any]], after: list[str] | None) -> HttpReply:
        entries = [written(one) for one in reversed(self.batches.values())]
        first = next((n + 1 for n, entry in enumerate(entries) if after and entry["id"] == after[0]), 0)
        page = entries[first : first + _MOST_IN_A_PAGE]
        ids = {"first_id": page[0]["id"], "last_id": page[-1]["id"]} if page else {"first_id": None, "last_id": None}
        more = first + len(page) < len(entries)
        return json_reply({"object": "list", "data": page, **ids, "has_more": more})

    def _openai(self, batch: Batch) -> dict[str, Any]:
        failed = "failed" in batch.faults
        ended = batch.polls >= self._polls
        made = int(batch.created)
        error = {"code": "token_limit_exceeded", "message": "Enqueued token limit reached", "param": None, "line": None}
        done = {"total": len(batch.keys), "completed": len(batch.answered), "failed": batch.errors.count(b"\n")}
        return {
            "id": batch.id,
            "object": "batch",
            "endpoint": "/v1/chat/completions",
            "errors": {"object": "list", "data": [error]} if failed else None,
            "input_file_id": batch.input_file,
            "completion_window": "24h",
            "status": "failed" if failed else "completed" if ended else "in_progress",
            "output_file_id": f"{batch.id}:output" if ended and batch.output else None,
            "error_file_id": f"{batch.id}:errors" if ended and batch.errors else None,
            "created_at": made,
            "expires_at": made + 86_400,
            "request_counts": done if ended else {"total": len(batch.keys), "completed": 0, "failed": 0},
            "metadata": dict(batch.metadata),
        }

    def _anthropic(self, batch: Batch) -> dict[str, Any]:
        ended = batch.polls >= self._polls
        counts = dict.fromkeys(("processing", "succeeded", "errored", "canceled", "expired"), 0)
        counts["processing"] = 0 if ended else len(batch.keys)
        if ended:
            counts |= {"succeeded": len(batch.answered), "expired": len(batch.keys) - len(batch.answered)}
        made = _time(batch.created)
        return {
            "id": batch.id,
            "type": "message_batch",
            "processing_status": "ended" if ended else "in_progress",
            "request_counts": counts,
            "created_at": made,
            "expires_at": _time(batch.created + 86_400),
            "ended_at": made if ended else None,
            "archived_at": None,
            "cancel_initiated_at": None,
            "results_url": f"/v1/messages/batches/{batch.id}/results" if ended else None,
        }


def _openai_result(line: Mapping[str, Any], reply: HttpReply | None, fate: str | None) -> dict[str, Any]:
    key = line["custom_id"]
    response = error = None
    if reply is None:
        error = {"code": "batch_expired" if fate == "expired" else "server_error", "message": fate}
    else:
        response = {"status_code": reply.status, "request_id": f"q-{key}", "body": json.loads(reply.body)}
    return {"id": f"r-{key}", "custom_id": key, "response": response, "error": error}


def _anthropic_result(line: Mapping[str, Any], reply: HttpReply | None, fate: str | None) -> dict[str, Any]:
    result: dict[str, Any] = {"type": "expired"}
    if fate == "error":
        error = {"type": "api_error", "message": "Internal server error"}
        result = {"type": "errored", "error": {"type": "error", "error": error}}
    elif reply is not None:
        told = json.loads(reply.body)
        done = reply.status == _OK
        result = {"type": "succeeded", "message": told} if done else {"type": "errored", "error": told}
    return {"custom_id": line["custom_id"], "result": result}


def _meets(fault: str, number: int) -> bool:
    every = _EVERY[fault]
    return number % every == every - 1


def _lines(batch: Batch, entries: list[dict[str, Any]], unknown: dict[str, Any] | None = None) -> bytes:
    if "doubled" in batch.faults:
        entries = [*entries, *(entry for number, entry in enumerate(entries) if _meets("doubled", number))]
    if unknown is not None and "unknown" in batch.faults:
        entries = [unknown, *entries]
    if "shuffled" in batch.faults:
        random.Random(batch.id).shuffle(entries)  # noqa: S311 - faults, not secrets
    return b"".join(compact(entry).encode("utf-8", "surrogatepass") + b"\n" for entry in entries)


def _time(seconds: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
