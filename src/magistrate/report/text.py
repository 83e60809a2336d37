"""Untrusted text made safe and short enough to print."""

from __future__ import annotations

import json
import re

_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)
_SPACES = frozenset("\t\n\v\f\r\x85\u2028\u2029")
_LINE_END = re.compile("\r\n?|[\v\f\x85\u2028\u2029]")
_NO_CHARACTER = re.compile("[\ufdd0-\ufdef\ufffe\uffff]")


def printable(text: str) -> str:
    """Make a text inert on a terminal, on one line.

    Escape and other control characters become visible pictures, so that no colour, title, link or cursor movement is
    left; marks that change the direction of a line are dropped; half surrogate pairs, which cannot be written, become
    U+FFFD. Line breaks and tabs become spaces.
    """
    return " ".join(_UNSAFE.sub(_shown, text).split())


def inert(text: str) -> str:
    """Make a text inert on a terminal as `printable` does, but keep its blanks. It should be one line."""
    return _UNSAFE.sub(_shown, text)


def inert_lines(text: str) -> str:
    """Make a text inert in a file, with its lines as they are: what is left is valid in XML 1.0 as well."""
    lines = _LINE_END.sub("\n", text)
    return _NO_CHARACTER.sub("\ufffd", _UNSAFE.sub(lambda m: m[0] if m[0] in "\t\n" else _shown(m), lines))


def printable_json(text: str) -> str:
    """Make JSON inert on a terminal, and in the log of GitHub Actions, without changing what it says."""
    safe = _UNSAFE.sub(lambda match: match[0] if match[0] in "\t\n" else json.dumps(match[0])[1:-1], text)
    return safe.replace("##[", "#\\u0023[")


def _shown(match: re.Match[str]) -> str:
    char = match.group()
    if char in _SPACES:
        return " "
    code = ord(char)
    if code < 0x20:  # noqa: PLR2004 - the end of the first control block
        return chr(0x2400 + code)
    if code == 0x7F:  # noqa: PLR2004 - DEL
        return "\u2421"
    if 0x80 <= code <= 0x9F or 0xD800 <= code <= 0xDFFF:  # noqa: PLR2004 - the second control block, surrogates
        return "\ufffd"
    return ""


def clip(text: str, longest: int) -> str:
    """Make a text printable and at most `longest` characters long. Only the start of a long text is looked at."""
    line = printable(text[: 8 * longest])
    return line if len(line) <= longest and len(text) <= 8 * longest else line[: longest - 1].rstrip() + "…"
