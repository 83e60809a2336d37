"""Ranges that a schema states in words only: providers do not enforce them, and frameworks do not check them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from magistrate.integrations._common.backend import Limits

_NUMBER = r"(-?\d{1,6}(?:\.\d{1,6})?)"
_RANGE = re.compile(rf"\b(?:from|between) {_NUMBER} (?:to|and) {_NUMBER}(?![\d%]|\.\d)")
_BOUNDS = frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "enum", "const"})
_LONGEST = 4000


def stated_limits(schema: Mapping[str, Any]) -> Limits | None:
    """Property of an object -> the range of numbers that its description states.

    A property counts if it is a number without bounds of its own and its description states exactly one range: "from
    0.0 to 1.0", "between 1 and 5".
    """
    properties = schema.get("properties")
    if not isinstance(properties, Mapping):
        return None
    found = {name: limits for name, node in properties.items() if (limits := _limits(node)) is not None}
    return found or None


def _limits(node: Any) -> dict[str, float] | None:
    if not isinstance(node, Mapping) or node.get("type") not in {"number", "integer"} or _BOUNDS & set(node):
        return None
    described = node.get("description")
    ranges = set(_RANGE.findall(described[:_LONGEST])) if isinstance(described, str) else set()
    if len(ranges) != 1:
        return None
    low, high = map(float, ranges.pop())
    return {"minimum": low, "maximum": high} if low < high else None
