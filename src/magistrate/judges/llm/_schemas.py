"""The JSON schemas that replies should satisfy, and the same in words for models that do not enforce one.

One required property per statement, and no other: where a provider enforces the schema, a reply can neither miss a
statement nor add one. Those of one statement stand side by side ("s1_why", "s1"): half the characters of an object.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from magistrate.verdict import Scale

MAX_STATEMENTS = 50
"""Most statements of one request."""

_CHARS_PER_WORD = 16
_LONGEST_STATEMENT = 600
_LONGEST_QUOTE = 300
_MOST_QUOTES = 3


def _reply(properties: Mapping[str, Any]) -> dict[str, Any]:
    """Put the request token first: a reply that is cut off still carries it."""
    return _object({"token": {"type": "string"}, **properties})


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def _reason(words: int) -> dict[str, Any]:
    return {"type": "string", "maxLength": words * _CHARS_PER_WORD}


def _row(scale: Scale, reason_words: int, quotes: bool, why: str, quoted: str, label: str) -> dict[str, Any]:  # noqa: PLR0917
    """What is said of a statement, under the names given."""
    quote = {"type": "string", "maxLength": _LONGEST_QUOTE}
    return {
        **({why: _reason(reason_words)} if reason_words else {}),
        **({quoted: {"type": "array", "items": quote, "maxItems": _MOST_QUOTES}} if quotes else {}),
        label: {"type": "string", "enum": [verdict.value for verdict in scale.verdicts]},
    }


@lru_cache(maxsize=256)
def verdicts_schema(count: int, scale: Scale, *, reason_words: int, quotes: bool) -> Mapping[str, Any]:
    properties: dict[str, Any] = {}
    for number in range(1, count + 1):
        properties |= _row(scale, reason_words, quotes, f"s{number}_why", f"s{number}_quotes", f"s{number}")
    return _reply(properties)


@lru_cache(maxsize=64)
def single_schema(scale: Scale, *, reason_words: int, quotes: bool) -> Mapping[str, Any]:
    """Schema of statements and their verdicts in one reply. It cannot fix their number."""
    claim = {"claim": {"type": "string", "maxLength": _LONGEST_STATEMENT}}
    row = _object({**claim, **_row(scale, reason_words, quotes, "why", "quotes", "label")})
    return _reply({"rows": {"type": "array", "items": row}})


@lru_cache(maxsize=64)
def score_schema(low: float, high: float, *, reason_words: int) -> Mapping[str, Any]:
    score = {"type": "number", "minimum": low, "maximum": high}
    reason = {"why": _reason(reason_words)} if reason_words else {}
    return _reply({**reason, "score": score})


STATEMENTS: Mapping[str, Any] = _reply({"statements": {"type": "array", "items": {"type": "string"}}})
"""Schema of a list of statements."""


def without_token(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    return _object({name: part for name, part in schema["properties"].items() if name != "token"})


def in_words(schema: Mapping[str, Any], *, more: str | None = None) -> str:
    """Show the shape of a schema, for models that do not enforce one, and the key that it goes on with."""
    parts = [f'"{name}":{_shown(part)}' for name, part in schema["properties"].items()]
    return "{" + ",".join([*parts, *([f'"{more}":...'] if more else [])]) + "}"


def _shown(schema: Mapping[str, Any]) -> str:
    match schema["type"]:
        case "array":
            return f"[{_shown(schema['items'])}]"
        case "object":
            return in_words(schema)
        case "number":
            return f"<{schema['minimum']:g} to {schema['maximum']:g}>"
    return '"verdict"' if "enum" in schema else '"..."'
