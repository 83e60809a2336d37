"""Why a value does not fit a schema, and the checks that need no schema around them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Final

from magistrate.parsing.objects.schema_leaf import kind_of

__all__ = ["Fit", "Flaw", "Path", "matches", "repeats"]

Path = tuple[str | int, ...]

_SAFE: Final = 2**53
"""Whole numbers below are exact as floats."""


@dataclass(frozen=True, slots=True)
class Flaw:
    """Why a value does not fit.

    Args:
        path: Where in the value.
        kind: "range", "label", "missing", "cut", "conflict", "count" or "other".
        text: What is wrong.
    """

    path: Path
    kind: str
    text: str

    def __str__(self) -> str:
        place = ".".join(map(str, self.path))[:120]
        return f"{place or 'the object'}: {self.text}"


@dataclass(slots=True)
class Fit:
    """A value and whether it fits.

    Args:
        value: The value in plain containers; of use only if there are no flaws.
        flaws: What is wrong.
        liberties: What was done to make it fit, and where.
    """

    value: Any
    flaws: list[Flaw] = field(default_factory=list)
    liberties: list[tuple[str, Path]] = field(default_factory=list)


def matches(pattern: str, text: str) -> bool:
    """Whether a text holds what a pattern of a schema asks for; a pattern that is none is held by nothing."""
    try:
        return re.search(pattern, text) is not None
    except (re.error, RecursionError):
        return False


def repeats(items: list[Any]) -> bool:
    """Whether two items of a list are equal; 1 and 1.0 are."""
    seen: set[str] = set()
    for item in items:
        number = isinstance(item, int | float) and not isinstance(item, bool)
        mark = f"number:{float(item)!r}" if number and abs(item) < _SAFE else f"{kind_of(item)}:{item!r}"
        if mark in seen:
            return True
        seen.add(mark)
    return False
