"""The JSON schema of a Pydantic model without references: several providers do not follow them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from pydantic import BaseModel

_DEEPEST = 12
_VALUES = frozenset({"enum", "const", "default", "examples", "required"})
"""Keywords whose value is no schema."""


def inline_schema(model: type[BaseModel] | Mapping[str, Any]) -> Mapping[str, Any]:
    """A schema, or a model's, without titles, every `$ref` replaced by what it means (to a dozen levels)."""
    if isinstance(model, type):
        return _inline_model(model)
    definitions = {**(model.get("definitions") or {}), **(model.get("$defs") or {})}
    inlined = _inline(
        {key: value for key, value in model.items() if key not in {"$defs", "definitions"}}, definitions, 0
    )
    return inlined if isinstance(inlined, dict) else {}


@lru_cache(maxsize=128)
def _inline_model(model: type[BaseModel]) -> Mapping[str, Any]:
    return inline_schema(model.model_json_schema())


def close_schema(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """A schema whose objects require all that they list and allow no other: providers enforce only such ones."""
    closed = _close(schema)
    return closed if isinstance(closed, dict) else {}


def _close(node: Any, *, names: bool = False) -> Any:
    if isinstance(node, list):
        return [_close(item) for item in node]
    if not isinstance(node, Mapping):
        return node
    if names:
        return {key: _close(value) for key, value in node.items()}
    closed = {key: value if key in _VALUES else _close(value, names=key == "properties") for key, value in node.items()}
    if isinstance(node.get("properties"), Mapping) and not isinstance(node.get("additionalProperties"), Mapping):
        closed |= {"additionalProperties": False, "required": list(node["properties"])}
    return closed


def _inline(node: Any, definitions: Mapping[str, Any], depth: int, *, names: bool = False) -> Any:
    if isinstance(node, list):
        return [_inline(item, definitions, depth) for item in node]
    if not isinstance(node, dict):
        return node
    reference = node.get("$ref")
    if isinstance(reference, str) and not names:
        if depth >= _DEEPEST:
            return {"type": "object"}
        target = definitions.get(reference.rpartition("/")[2])
        if not isinstance(target, Mapping):
            return {}
        beside = {key: value for key, value in node.items() if key != "$ref"}
        return _inline({**target, **beside}, definitions, depth + 1)
    return {
        key: _inline(value, definitions, depth, names=key == "properties" and not names)
        for key, value in node.items()
        if names or key != "title"
    }
