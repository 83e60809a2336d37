"""JSON schemas as providers take them: without references, closed, and where one is enforced without bounds."""

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from pydantic import BaseModel

_DEEPEST = 12
_DATA = frozenset({"enum", "const", "default", "examples", "required"})
"""Keywords whose value is no schema."""
_LOOSE = frozenset(
    [
        *("minLength", "maxLength", "pattern", "format"),
        *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
        *("minItems", "maxItems", "uniqueItems", "default", "examples", "title"),
    ]
)
"""Keywords that strict schemas of some providers refuse; what they would bound is checked when the reply is read."""


def inline_schema(model: type[BaseModel] | Mapping[str, Any]) -> Mapping[str, Any]:
    """A schema, or a model's, without titles, every `$ref` replaced by what it means (to a dozen levels)."""
    if isinstance(model, type):
        return _inline_model(model)
    definitions = {**(model.get("definitions") or {}), **(model.get("$defs") or {})}
    bare = {key: value for key, value in model.items() if key not in {"$defs", "definitions"}}
    inlined: Mapping[str, Any] = _inline(bare, definitions, 0)
    return inlined


@lru_cache(maxsize=128)
def _inline_model(model: type[BaseModel]) -> Mapping[str, Any]:
    return inline_schema(model.model_json_schema())


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
        beside = {key: value for key, value in node.items() if key != "$ref"}
        return _inline({**target, **beside}, definitions, depth + 1) if isinstance(target, Mapping) else {}
    return {
        key: _inline(value, definitions, depth, names=key == "properties" and not names)
        for key, value in node.items()
        if names or key != "title"
    }


def _mapped(node: Any, change: Callable[[dict[str, Any]], Any], *, names: bool = False) -> Any:
    """A schema with each one in it changed, the innermost first; below "properties" keys are names, not keywords."""
    if isinstance(node, list):
        return [_mapped(item, change) for item in node]
    if not isinstance(node, Mapping):
        return node
    made = {
        key: value if key in _DATA and not names else _mapped(value, change, names=key == "properties" and not names)
        for key, value in node.items()
    }
    return made if names else change(made)


def close_schema(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """A schema whose objects require all that they list and allow no other: providers enforce only such ones."""
    closed: Mapping[str, Any] = _mapped(schema, _closed)
    return closed


def _closed(schema: dict[str, Any]) -> dict[str, Any]:
    properties = schema.get("properties")
    if not isinstance(properties, Mapping) or isinstance(schema.get("additionalProperties"), Mapping):
        return schema
    return {**schema, "additionalProperties": False, "required": list(properties)}


def for_provider(schema: Mapping[str, Any], *, binding: bool) -> tuple[Mapping[str, Any], bool]:
    """A schema as it is sent, and whether the provider is to enforce it."""
    return _strict(json.dumps(schema)) if binding else (schema, False)


@lru_cache(maxsize=256)
def _strict(text: str) -> tuple[Mapping[str, Any], bool]:
    schema, fit = json.loads(text), list[bool]()

    def unbounded(one: dict[str, Any]) -> dict[str, Any]:
        objects = one.get("type") == "object" or "properties" in one
        required = set(one.get("required", ())) == set(one.get("properties", ()))
        closed = not objects or (one.get("additionalProperties") is False and required)
        fit.append(closed and one.keys().isdisjoint({"$ref", "allOf", "oneOf"}))
        return {key: value for key, value in one.items() if key not in _LOOSE}

    without_bounds = _mapped(schema, unbounded)
    return (without_bounds, True) if all(fit) else (schema, False)
