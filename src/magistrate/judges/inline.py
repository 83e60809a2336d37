"""The JSON schema of a Pydantic model without references: several providers do not follow them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from pydantic import BaseModel

__all__ = ["inline_schema"]

_DEEPEST = 12


@lru_cache(maxsize=128)
def inline_schema(model: type[BaseModel]) -> Mapping[str, Any]:
    """Return the schema of a model with every `$ref` replaced by what it refers to.

    A model that holds itself cannot be written out: below a dozen levels it is any object. Titles are left out, as they
    only repeat the names.
    """
    schema = model.model_json_schema()
    definitions = schema.pop("$defs", {})
    inlined = _inline(schema, definitions, 0)
    assert isinstance(inlined, dict)  # noqa: S101 - the schema of a model is an object
    return inlined


def _inline(node: Any, definitions: Mapping[str, Any], depth: int, *, names: bool = False) -> Any:
    if isinstance(node, list):
        return [_inline(item, definitions, depth) for item in node]
    if not isinstance(node, dict):
        return node
    reference = node.get("$ref")
    if isinstance(reference, str) and not names:
        if depth >= _DEEPEST:
            return {"type": "object"}
        target = definitions[reference.rpartition("/")[2]]
        beside = {key: value for key, value in node.items() if key != "$ref"}
        return _inline({**target, **beside}, definitions, depth + 1)
    return {
        key: _inline(value, definitions, depth, names=key == "properties" and not names)
        for key, value in node.items()
        if names or key != "title"
    }
