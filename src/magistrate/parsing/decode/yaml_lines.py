"""The lines of block YAML, and the text of scalars that run over several of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

__all__ = ["Line", "closing", "folded", "lines_of", "unescaped"]

_ESCAPE: Final = re.compile(
    r"\\(?:(?P<hex>x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})|(?P<char>[0abtnvfre \"/\\N_LP]))"
)
_CHARS: Final = dict(zip('0abtnvfre "/\\N_LP', '\0\a\b\t\n\v\f\r\x1b "/\\\x85\xa0\u2028\u2029', strict=True))


@dataclass(slots=True)
class Line:
    """A line: how far it is indented, where what it says begins and ends, whether that is nothing."""

    indent: int
    start: int
    end: int
    blank: bool


def lines_of(text: str, start: int, end: int) -> list[Line]:
    """The lines of a part of a text; a line of nothing but a comment is blank."""
    found = []
    at = start
    while at < end:
        stop = text.find("\n", at, end)
        stop = end if stop < 0 else stop
        line = text[at:stop]
        body = line.strip(" \t\r")
        indent = len(line) - len(line.lstrip(" \t"))
        blank = not body or body == "#" or body.startswith("# ")
        found.append(Line(indent, at + indent, at + len(line.rstrip(" \t\r")), blank))
        at = stop + 1
    return found


def closing(text: str, mark: str, start: int, stop: int) -> int:
    """Where the quotation mark stands that closes a scalar; -1 where none does before `stop`."""
    at = start
    while at < stop:
        char = text[at]
        doubled = mark == "'" and text.startswith("''", at) and at + 1 < stop
        if doubled or (char == "\\" and mark == '"'):
            at += 2
        elif char == mark:
            return at
        else:
            at += 1
    return -1


def unescaped(text: str) -> str:
    """The text that stands in double quotation marks, its escapes resolved."""
    return _ESCAPE.sub(_char, text)


def _char(match: re.Match[str]) -> str:
    """What an escape stands for."""
    if match["char"]:
        return _CHARS[match["char"]]
    code = int(match["hex"][1:], 16)
    return chr(code) if code <= 0x10FFFF else "\ufffd"  # noqa: PLR2004 - the last character there is


def folded(lines: list[str]) -> str:
    """Lines as one text: a line break is a blank, a blank line is a line break, what is indented further stays."""
    pieces: list[str] = []
    breaks, before = 0, None
    for line in lines:
        if not line:
            breaks += 1
            continue
        more = line[0] in " \t"
        if before is None:
            pieces.append("\n" * breaks)
        elif more or before:
            pieces.append("\n" * (breaks + 1))
        else:
            pieces.append("\n" * breaks or " ")
        pieces.append(line)
        before, breaks = more, 0
    return "".join(pieces)
