"""A list inside a JSON document, read element by element: what other tools write their results as."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator, Sequence
from typing import BinaryIO, Final, TextIO

from magistrate.errors import DatasetError
from magistrate.evaluation.readers.base import RawRow
from magistrate.evaluation.readers.json_document import read_elements

__all__ = ["first_keys", "read_json_at"]

_CHUNK: Final = 1 << 16
_LONGEST_KEY: Final = 4096
_SPACE: Final = re.compile(r"[ \t\r\n]*")
_INSIDE_STRING: Final = re.compile(r'["\\]')
_STRUCTURE: Final = re.compile(r'["\[\]{}]')
_SCALAR_END: Final = re.compile(r"[,\]} \t\r\n]")


def read_json_at(stream: BinaryIO, path: Sequence[str]) -> Iterator[RawRow]:
    """Yield the elements of the list that stands under these keys, in constant memory.

    Args:
        stream: The document, UTF-8.
        path: The keys that lead to the list, outermost first; none if the document is the list.

    Raises:
        DatasetError: If the document holds no list there.
    """
    text = io.TextIOWrapper(stream, encoding="utf-8-sig", errors="surrogateescape", newline="\n")
    try:
        cursor = _Cursor(text)
        for depth, key in enumerate(path):
            _descend(cursor, path[: depth + 1], key)
        if cursor.peek() != "[":
            raise DatasetError(f"{'.'.join(path) or 'the document'} is no list", line=cursor.line)
        yield from read_elements(text, cursor.rest(), line=cursor.line, last=not path)
    finally:
        text.detach()


def first_keys(head: str) -> list[str]:
    """The keys of an object, as far as the beginning of its text shows them; none if it begins with no object."""
    cursor, keys = _Cursor(io.StringIO(head)), list[str]()
    if cursor.take() != "{":
        return keys
    while cursor.peek() == '"':
        key = cursor.string()
        if cursor.take() != ":":
            break
        keys.append(key)
        if not cursor.skip() or cursor.take() != ",":
            break
    return keys


def _descend(cursor: _Cursor, path: Sequence[str], key: str) -> None:
    """Go to the value of a key of the object that begins here; the first one counts."""
    where = ".".join(path)
    if cursor.take() != "{":
        raise DatasetError(f"{'.'.join(path[:-1]) or 'the document'} is no object with {key!r}", line=cursor.line)
    found = list[str]()
    while cursor.peek() == '"':
        name = cursor.string()
        if cursor.take() != ":":
            raise DatasetError(f"not valid JSON: expected ':' after {name[:60]!r}", line=cursor.line)
        if name == key:
            return
        found.append(name)
        if not cursor.skip() or cursor.take() != ",":
            break
    keys = ", ".join(repr(name[:60]) for name in found[:8]) or "no key"
    raise DatasetError(f"{where} is not there; the object has {keys}", line=cursor.line)


class _Cursor:
    """A place in a JSON text that is read piece by piece. It looks at structure only, each character once."""

    def __init__(self, text: TextIO) -> None:
        self._text = text
        self._chunk = ""
        self._at = 0
        self.line = 1

    def _fill(self) -> bool:
        self.line += self._chunk.count("\n")
        self._chunk, self._at = self._text.read(_CHUNK), 0
        return bool(self._chunk)

    def peek(self) -> str:
        """The next character that is no space; "" at the end."""
        while True:
            match = _SPACE.match(self._chunk, self._at)
            assert match is not None  # noqa: S101 - it matches nothing as well
            self._at = match.end()
            if self._at < len(self._chunk):
                return self._chunk[self._at]
            if not self._fill():
                return ""

    def take(self) -> str:
        """Go past the next character that is no space, and return it."""
        char = self.peek()
        self._at += len(char)
        return char

    def rest(self) -> str:
        """What has been read of the text from here on; `line` is its line from then on."""
        self.line += self._chunk.count("\n", 0, self._at)
        self._chunk, self._at = self._chunk[self._at :], 0
        return self._chunk

    def string(self) -> str:
        """Go past a string and return its value; of a very long one the beginning."""
        raw = self._string(_LONGEST_KEY)
        try:
            return str(json.loads(f'"{raw}"', strict=False))
        except ValueError:
            return raw

    def _string(self, keep: int) -> str:
        self.take()
        parts, size = list[str](), 0
        escaped = False
        while True:
            start = self._at
            if escaped:
                self._at, escaped = self._at + 1, False
            while match := _INSIDE_STRING.search(self._chunk, self._at):
                self._at = match.end()
                if match.group() == '"':
                    parts.append(self._chunk[start : min(self._at - 1, start + keep - size)])
                    return "".join(parts)
                escaped = self._at == len(self._chunk)
                self._at += 1
            if size < keep:
                parts.append(self._chunk[start : start + keep - size])
                size += len(parts[-1])
            if not self._fill():
                return "".join(parts)

    def skip(self) -> bool:
        """Go past a value; False if the text ends within it."""
        first = self.peek()
        if first == '"':
            self._string(0)
            return self._chunk != ""
        if first not in ("{", "["):
            while not (match := _SCALAR_END.search(self._chunk, self._at)):
                if not self._fill():
                    return False
            self._at = match.start()
            return True
        depth = 0
        while True:
            while match := _STRUCTURE.search(self._chunk, self._at):
                mark = match.group()
                self._at = match.start() if mark == '"' else match.end()
                if mark == '"':
                    self._string(0)
                    continue
                depth += 1 if mark in "{[" else -1
                if not depth:
                    return True
            if not self._fill():
                return False
