"""What frameworks' prompts say about a reply that their schemas leave open: how many entries, which values."""

from __future__ import annotations

import ast
import json
from typing import Any

__all__ = ["first_object", "printed_list"]

_LONGEST_LIST = 1_000_000


def printed_list(text: str | None, *, texts: bool = False) -> list[str]:
    """The items of a list as Python prints it; none where it is no such list, or not of texts and it must be."""
    if text is None or len(text) > _LONGEST_LIST:
        return []
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return []
    if not isinstance(value, list) or (texts and not all(isinstance(item, str) for item in value)):
        return []
    return [item if isinstance(item, str) else repr(item) for item in value]


def first_object(text: str) -> dict[str, Any] | None:
    """The JSON object that a text begins with; None where it begins with none."""
    try:
        value, _ = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
