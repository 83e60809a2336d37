"""Batch files as providers have them: the line of a request, the line of a result.

`custom_id` is the cache key of the request (64 hexadecimal digits, the most that Anthropic takes).
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from magistrate.errors import ConfigurationError

OPENAI_ALONE = frozenset({"logprobs", "top_logprobs"})
"""What other shapes have no word for; a direct call would learn so and leave it out."""
SHAPES = ("openai", "anthropic", "mistral")
Kind = Literal["answer", "refused", "again"]

_AGAIN = frozenset({408, 409, 425, 429})
_OK = 200
_SERVER_ERROR = 500
_STATUS_OF = {
    "invalid_request_error": 400,
    "request_too_large": 413,
    "authentication_error": 401,
    "permission_error": 403,
    "not_found_error": 404,
    "billing_error": 402,
}
"""Errors of Anthropic that no repetition mends, and their HTTP status."""


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a request: "refused", not carried out ("again"), or what a direct call would get."""

    key: str
    kind: Kind
    anthropic: bool = False
    status: int = 0
    body: Mapping[str, Any] | None = None


def shape_of(provider: str) -> str:
    """The shape that a provider takes."""
    return provider if provider in SHAPES else "openai"


def request_line(shape: str, key: str, body: Mapping[str, Any]) -> bytes:
    """Write a request as a line of a file."""
    line: dict[str, Any] = {"custom_id": key}
    match shape:
        case "openai":
            line |= {"method": "POST", "url": "/v1/chat/completions", "body": body}
        case "anthropic":
            line["params"] = body
        case "mistral":  # OpenAI's, but for a name, and without what only OpenAI has
            line["body"] = {
                "random_seed" if name == "seed" else name: value
                for name, value in body.items()
                if name not in OPENAI_ALONE
            }
        case _:
            raise ConfigurationError(f"no shape {shape[:40]!r}: use {', '.join(SHAPES)}")
    return json.dumps(line, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n"


def read_result(line: bytes) -> Result | None:
    """Read a line of results; None where it is none."""
    try:
        entry = json.loads(line)
        key = entry["custom_id"]
        if not isinstance(key, str):
            return None
        return _anthropic(key, entry["result"]) if "result" in entry else _openai(key, entry)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _openai(key: str, entry: Mapping[str, Any]) -> Result:
    response = entry.get("response")
    if entry.get("error") and not (response and response.get("body")):
        return Result(key, "again")
    status, body = int(response["status_code"]), response["body"]  # type: ignore[index]  # a TypeError: no line of results
    if status == _OK and isinstance(body, Mapping):
        return Result(key, "answer", status=status, body=body)
    if status >= _SERVER_ERROR or status in _AGAIN or status < _OK or not isinstance(body, Mapping):
        return Result(key, "again")
    return Result(key, "refused", status=status, body=body)


def _anthropic(key: str, result: Mapping[str, Any]) -> Result:
    if result["type"] == "succeeded" and isinstance(result["message"], Mapping):
        return Result(key, "answer", anthropic=True, status=_OK, body=result["message"])
    error = result.get("error") or {}
    error = error.get("error") or error
    status = _STATUS_OF.get(str(error.get("type")))
    if result["type"] != "errored" or status is None:
        return Result(key, "again")
    return Result(key, "refused", anthropic=True, status=status, body={"type": "error", "error": error})
