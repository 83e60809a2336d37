"""Workflow commands of GitHub Actions: to give them, and to keep untrusted text from giving any.

A runner reads the output of every step. A line that begins with `::name::` is a command, and so is `##[name]` anywhere
in a line; a judge's words on such a line could set an annotation or hide what comes after it.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Mapping
from typing import Final, Literal, TextIO

_LINE_END: Final = re.compile(r"(\r\n|[\r\n])")
_BEGINNING: Final = re.compile(r"\s*::")
_MAY_BEGIN: Final = re.compile(r"\s*:?\Z")

Level = Literal["error", "warning", "notice"]


def in_actions(environment: Mapping[str, str] | None = None) -> bool:
    """Whether this process runs in a step of GitHub Actions."""
    return (os.environ if environment is None else environment).get("GITHUB_ACTIONS") == "true"


def workflow_command(level: Level, message: str, **properties: str | int | None) -> str:
    """Give an annotation as one line of output."""
    given = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items() if value is not None)
    return f"::{level}{' ' if given else ''}{given}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A").replace("##[", "## [")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


class CommandGuard(io.TextIOBase):
    """A stream in which no line is a workflow command: a space breaks what would be one, all else is as it was.

    Args:
        stream: Where to write. It stays open when this is closed.

    Attributes:
        unguarded: That stream, for commands that are meant.
    """

    def __init__(self, stream: TextIO) -> None:
        self.unguarded = stream
        self._lead: str | None = ""  # the line so far, as long as it may still begin a command
        self._last = ""  # the last two characters of the line

    def writable(self) -> bool:
        """Whether it can be written to."""
        return True

    def isatty(self) -> bool:
        """Whether the stream is a terminal."""
        return self.unguarded.isatty()

    def fileno(self) -> int:
        """The stream's file descriptor."""
        return self.unguarded.fileno()

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """The stream's encoding."""
        return self.unguarded.encoding

    @property
    def errors(self) -> str | None:  # type: ignore[override]
        """What the stream does with characters it has no bytes for."""
        return self.unguarded.errors

    def flush(self) -> None:
        """Flush the stream."""
        self.unguarded.flush()

    def write(self, text: str) -> int:
        """Write a text, whatever was written before it on the same line."""
        if not isinstance(text, str):
            raise TypeError(f"write() takes a text, not {type(text).__name__}")
        for piece in _LINE_END.split(text):
            if _LINE_END.fullmatch(piece):
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
