"""A JSON schema that came back in place of an answer: its words are no verdicts."""

from __future__ import annotations

from typing import Any, Final

_TYPES: Final = frozenset({"object", "array", "string", "integer", "number", "boolean", "null"})
_TELLING: Final = frozenset({"$ref", "$defs", "$schema", "anyOf", "allOf", "oneOf", "enum"})
_ENVELOPE: Final = frozenset(
    {
        "properties",
        "required",
        "title",
        "description",
        "type",
        "additionalProperties",
        "$schema",
        "$defs",
        "name",
        "strict",
    }
)


def is_schema(value: dict[str, Any]) -> bool:
    """Whether an object is a JSON schema, or answers under its words."""
    kind = value.get("type")
    if isinstance(kind, str) and kind in _TYPES and (len(value) > 1 or kind == "object"):
        return (
            value.keys()
            & {
                "properties",
                "items",
                "title",
                "description",
                "enum",
                "required",
                "default",
                "minimum",
                "maximum",
                "format",
                "$ref",
                "examples",
                "additionalProperties",
            }
            != set()
            or len(value) == 1
        )
    if _TELLING & value.keys():
        return True
    return isinstance(value.get("properties"), dict) and value.keys() <= _ENVELOPE


def schema_values(value: dict[str, Any]) -> dict[str, Any] | None:
    """The members under "properties" that are values, not schemas themselves; None where there are none."""
    inner = value.get("properties")
    if not isinstance(inner, dict):
        return None
    values = {key: item for key, item in inner.items() if not (isinstance(item, dict) and _is_leaf_schema(item))}
    return values or None


def _is_leaf_schema(item: dict[str, Any]) -> bool:
    kind = item.get("type")
    return (
        is_schema(item)
        or (isinstance(kind, str) and kind in _TYPES)
        or (isinstance(kind, list) and set(map(str, kind)) <= _TYPES)
    )
