"""How JSON is written down: correctly, or with the slips that models make."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

__all__ = ["PLAIN", "SLIPS", "Style", "with_slips"]

_BARE: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789")


@dataclass(frozen=True, slots=True)
class Style:
    """The marks that a writer of JSON uses.

    Attributes:
        quotes: What opens and closes a string.
        escape_quotes: Whether a quotation mark within a string is escaped.
        escape_lines: Whether a line end within a string is.
        bare_keys: Whether keys stand without quotes.
        colon: What stands between a key and its value.
        comma: What stands between two members.
        between_rows: What stands between two objects of a list.
        last: What follows the last member.
        note: What follows the first row, such as a comment.
        braces: What opens and closes an object, then a list.
        closes: Whether the closing marks at the end of the reply are written.
    """

    quotes: tuple[str, str] = ('"', '"')
    escape_quotes: bool = True
    escape_lines: bool = True
    bare_keys: bool = False
    colon: str = ": "
    comma: str = ", "
    between_rows: str = ", "
    last: str = ""
    note: str = ""
    braces: tuple[str, str, str, str] = ("{", "}", "[", "]")
    closes: bool = True

    def text(self, value: str) -> str:
        """A string."""
        left, right = self.quotes
        inner = json.dumps(value, ensure_ascii=False)[1:-1]
        if left == "'":
            inner = inner.replace('\\"', '"').replace("'", "\\'")
        elif not self.escape_quotes:
            inner = inner.replace('\\"', '"')
        if not self.escape_lines:
            inner = inner.replace("\\n", "\n")
        return left + inner + right

    def value(self, value: Any) -> str:
        """A string, number or truth value."""
        return self.text(value) if isinstance(value, str) else json.dumps(value)

    def key(self, name: str) -> str:
        """The key of a member."""
        return name if self.bare_keys and name and _BARE.issuperset(name) and not name[0].isdigit() else self.text(name)


PLAIN: Final = Style()
"""Valid JSON."""

SLIPS: Final[Mapping[str, Mapping[str, Any]]] = {
    "trailing commas": {"last": ","},
    "single quotes": {"quotes": ("'", "'")},
    "smart quotes": {"quotes": ("\u201c", "\u201d")},
    "bare keys": {"bare_keys": True},
    "comments": {"note": " // checked against the source\n"},
    "missing commas between rows": {"between_rows": "\n"},
    "raw line ends in strings": {"escape_lines": False},
    "unescaped quotes": {"escape_quotes": False},
    "full-width punctuation": {"colon": "\uff1a", "comma": "\uff0c", "between_rows": "\uff0c"},
    "missing closing brackets": {"closes": False},
}
"""Mistakes of notation by name, and what each changes in a `Style`. A careful reader still sees what was meant: a right
reading gives the verdicts that were meant, or none."""


def with_slips(*names: str) -> Style:
    """The style with these slips.

    Raises:
        KeyError: If a name is not one of `SLIPS`.
    """
    style = PLAIN
    for name in names:
        style = replace(style, **SLIPS[name])
    return style
