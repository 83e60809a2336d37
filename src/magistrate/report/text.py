"""Untrusted text made safe and short enough to print, and kept from giving commands to the runner of GitHub Actions."""

import csv
import io
import json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal, TextIO

_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)
_SPACES = frozenset("\t\n\v\f\r\x85\u2028\u2029")
_LINE_END = re.compile("\r\n?|[\v\f\x85\u2028\u2029]")
_NO_CHARACTER = re.compile("[\ufdd0-\ufdef\ufffe\uffff]")


def printable(text: str) -> str:
    """Make a text inert on a terminal, on one line: no colour, title, link, cursor movement or direction is left."""
    return " ".join(_UNSAFE.sub(_shown, text).split())


def inert(text: str) -> str:
    """Make a text inert on a terminal as `printable` does, but keep its blanks. It should be one line."""
    return _UNSAFE.sub(_shown, text)


def inert_lines(text: str) -> str:
    """Make a text inert in a file, with its lines as they are: what is left is valid in XML 1.0 as well."""
    lines = _LINE_END.sub("\n", text)
    return _NO_CHARACTER.sub("\ufffd", _UNSAFE.sub(lambda m: m[0] if m[0] in "\t\n" else _shown(m), lines))


_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""What a spreadsheet may take for the start of a formula; the last four are the same signs in full width."""


def csv_cell(text: str) -> str:
    """Make a text inert in a spreadsheet: where it begins like a formula, it gets an apostrophe in front."""
    safe = inert_lines(text)
    return f"'{safe}" if any(start.startswith(_FORMULA) for start in (text, safe, safe.lstrip())) else safe


def csv_rows(file: TextIO, names: Sequence[str], *, header: bool = True) -> Callable[[Mapping[str, Any]], None]:
    """A CSV file (RFC 4180): gives a function that adds a row, its texts made inert, an empty cell for no value."""
    writer = csv.writer(file)
    if header:
        writer.writerow(names)

    def add(row: Mapping[str, Any]) -> None:
        cells = (row[name] for name in names)
        writer.writerow([csv_cell(cell) if isinstance(cell, str) else cell for cell in cells])

    return add


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


_ENDING: Final = re.compile(r"(\r\n|[\r\n])")
_BEGINNING: Final = re.compile(r"\s*::")
_MAY_BEGIN: Final = re.compile(r"\s*:?\Z")

Level = Literal["error", "warning", "notice"]


def in_actions(environment: Mapping[str, str] | None = None) -> bool:
    """Whether this process runs in a step of GitHub Actions."""
    return (os.environ if environment is None else environment).get("GITHUB_ACTIONS") == "true"


def workflow_command(level: Level, message: str, **properties: str | int | None) -> str:
    """Give an annotation as one line of output."""

    def data(text: str) -> str:
        return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A").replace("##[", "## [")

    told = {name: data(str(value)).replace(":", "%3A").replace(",", "%2C") for name, value in properties.items()}
    given = ",".join(f"{name}={value}" for name, value in told.items() if properties[name] is not None)
    return f"::{level}{' ' if given else ''}{given}::{data(message)}"


class CommandGuard(io.TextIOBase):
    """A stream in which no line is a workflow command: a space breaks what would be one, all else is as it was.

    A line that begins with `::name::` is one, and so is `##[name]` anywhere in a line.

    Args:
        stream: Where to write. It stays open when this is closed.

    Attributes:
        unguarded: That stream, for commands that are meant.
    """

    def __init__(self, stream: TextIO) -> None:
        self.unguarded = stream
        self._lead: str | None = ""  # the line so far, as long as it may still begin a command
        self._last = ""  # the last two characters of the line
        for name in ("writable", "isatty", "fileno", "flush"):
            setattr(self, name, getattr(stream, name))

    encoding = property(lambda self: self.unguarded.encoding)
    errors = property(lambda self: self.unguarded.errors)

    def write(self, text: str) -> int:
        """Write a text, whatever was written before it on the same line."""
        if not isinstance(text, str):
            raise TypeError(f"write() takes a text, not {type(text).__name__}")
        for piece in _ENDING.split(text):
            if _ENDING.fullmatch(piece):
                self.unguarded.write(piece)
                self._lead, self._last = "", ""
            elif piece:
                self.unguarded.write(self._guarded(piece))
        return len(text)

    def _guarded(self, piece: str) -> str:
        safe = piece
        if self._lead is not None:
            line = self._lead + piece
            if found := _BEGINNING.match(line):
                safe = f"{line[: found.end() - 1]} {line[found.end() - 1 :]}"[len(self._lead) :]
            self._lead = line if _MAY_BEGIN.fullmatch(line) else None
        line = self._last + safe
        self._last = line[-2:]
        return line.replace("##[", "## [")[len(line) - len(safe) :]
