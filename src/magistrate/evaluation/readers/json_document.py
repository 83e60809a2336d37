"""JSON documents: an array of cases (read element by element), or an object that holds one."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, Literal, TextIO

from magistrate.errors import DatasetError
from magistrate.evaluation.problems import Problem
from magistrate.evaluation.readers.base import (
    MAX_ROW_BYTES,
    WRAPPERS,
    RawRow,
    bad_row,
    decode_json,
    object_row,
    syntax_message,
)
from magistrate.evaluation.readers.jsonl import read_jsonl

__all__ = ["FieldOf", "read_elements", "read_json", "rows_of_object"]

FieldOf = Callable[[str], str | None]
"""Names the field of a case that a key stands for; None where it stands for none."""

_CHUNK = 1 << 18
_BETWEEN = re.compile(r'["\[\]{},]')
_WITHIN = re.compile(r'["\[\]{}]')
_STRING = re.compile(r'[^"\\]*+(?:\\.[^"\\]*+)*+', re.DOTALL)
_PLAIN = json.JSONDecoder()
_SPACE = re.compile(r"[ \t\n\r]*")
_INVALID_BYTE = re.compile("[\udc80-\udcff]")


def read_json(stream: BinaryIO, field_of: FieldOf) -> Iterator[RawRow]:
    """Yield the cases of a JSON document.

    An array is read element by element, in constant memory, and an element that cannot be decoded does not end the
    reading. An object is decoded whole: it holds a list of cases under one of `WRAPPERS`, or columns of equal length,
    or it is one case. Several objects one after the other are read as JSON Lines.

    Raises:
        DatasetError: If the document is neither, or not JSON.
    """
    text = io.TextIOWrapper(stream, encoding="utf-8-sig", errors="surrogateescape", newline="\n")
    try:
        head = text.read(_CHUNK)
        while head and not head.strip() and (chunk := text.read(_CHUNK)):
            head += chunk
        if head.lstrip().startswith("["):
            yield from read_elements(text, head)
        else:
            yield from _read_object(head + text.read(), field_of)
    finally:
        text.detach()


def _read_object(document: str, field_of: FieldOf) -> Iterator[RawRow]:
    if not document.strip():
        return
    if bad := _INVALID_BYTE.search(document):
        line = document.count("\n", 0, bad.start()) + 1
        raise DatasetError(f"not valid UTF-8: {_byte(bad)} on line {line}", line=line)
    try:
        value, problems = decode_json(document)
    except json.JSONDecodeError as error:
        if error.msg == "Extra data":  # objects one after the other: JSON Lines under the name of JSON
            yield from read_jsonl(io.BytesIO(document.encode()))
            return
        raise DatasetError(syntax_message(error), line=error.lineno) from None
    except ValueError as error:
        raise DatasetError(syntax_message(error)) from None
    for row in rows_of_object(value, field_of):
        row.problems.extend(problems)
        yield row


def rows_of_object(value: Any, field_of: FieldOf) -> Iterator[RawRow]:
    """Find the cases in one decoded document.

    Raises:
        DatasetError: If it holds none.
    """
    if not isinstance(value, dict):
        raise DatasetError("the document is neither a list of cases nor an object that holds one")
    fields = {key: field_of(key) for key in value}
    if any(name in ("question", "answer") and isinstance(value[key], str) for key, name in fields.items()):
        yield RawRow(value)
        return
    for key in WRAPPERS:
        if isinstance(value.get(key), list):
            yield from (object_row(item, None) for item in value[key])
            return
    columns = list(value.values())
    if "answer" in fields.values() and all(isinstance(c, list) and len(c) == len(columns[0]) for c in columns):
        yield from (RawRow(dict(zip(value, cells, strict=True))) for cells in zip(*columns, strict=True))
        return
    if any(name in ("question", "answer") for name in fields.values()):
        yield RawRow(value)
        return
    keys = ", ".join(repr(key) for key in list(value)[:8]) or "no key"
    raise DatasetError(f"no list of cases found: expected one of {', '.join(WRAPPERS)}; the document has {keys}")


def read_elements(text: TextIO, head: str, *, line: int = 1, last: bool = True) -> Iterator[RawRow]:
    """Yield the elements of an array, in constant memory.

    Args:
        text: The rest of the document.
        head: Its beginning: the array is the first thing in it.
        line: The line of the document on which `head` begins.
        last: Whether the array ends the document, so that text after it is reported.
    """
    before = None
    for end, element, first, decoded in _elements(text, head, line):
        begins = first + element[: len(element) - len(element.lstrip())].count("\n")
        start = begins if begins != before else None  # the row's number says which of a line's elements is meant
        before = begins
        match end:
            case "element":
                if decoded is not None:
                    yield _row(*decoded, start)
                elif element.strip():
                    yield _element(element.strip(), start)
            case "open":
                yield bad_row(
                    "the array is not closed: the file is cut, or a quote or bracket is open from here on",
                    line=start,
                    last=True,
                )
            case "long":
                yield bad_row(
                    f"longer than {MAX_ROW_BYTES // 2**20} MiB: a quote or bracket is open; nothing after is read",
                    line=start,
                    last=True,
                )
            case "after" if last:
                yield bad_row("text after the end of the array; it is not read", line=start, last=True)


def _element(element: str, line: int | None) -> RawRow:
    if bad := _INVALID_BYTE.search(element):
        return bad_row(f"not valid UTF-8: {_byte(bad)}", line=line, expected="UTF-8 text")
    try:
        return _row(*decode_json(element), line)
    except ValueError as error:
        return bad_row(syntax_message(error), line=line, expected="an object with the fields of a case")


def _row(value: Any, problems: list[Problem], line: int | None) -> RawRow:
    row = object_row(value, line)
    row.problems.extend(problems)
    return row


def _byte(escaped: re.Match[str]) -> str:
    return f"byte 0x{ord(escaped.group()) - 0xDC00:02x}"


_Decoded = tuple[Any, list[Problem]]
_Part = tuple[Literal["element", "open", "long", "after"], str, int, _Decoded | None]


def _elements(text: TextIO, chunk: str, first_line: int) -> Iterator[_Part]:
    """Cut an array into its elements, each with the line its text begins on, and decoded where that was the way.

    An element that stands whole in the text at hand is decoded at once, which tells its end. Of the others only
    brackets, quotes and commas are looked at, each once, so the time is linear and the memory is one element.
    """
    pieces: list[str] = []
    size = 0
    start = chunk.index("[") + 1
    line = first_line + chunk.count("\n", 0, start)
    scan = _Scan()
    while chunk:
        while True:
            decoded, end = (None, -1) if pieces else _whole(chunk, start)
            if decoded is None:
                end = scan.end(chunk, start)
            if end < 0:
                break
            element = "".join(pieces) + chunk[start:end]
            yield "element", element, line, decoded
            line += element.count("\n")
            pieces, size, start = [], 0, end + 1
            if chunk[end] == "]":
                yield from _after_array(text, chunk[start:], line)
                return
        if start < len(chunk):
            pieces.append(chunk[start:])
            size += len(chunk) - start
        if size > MAX_ROW_BYTES:
            yield "long", "".join(pieces), line, None
            return
        chunk, start = text.read(_CHUNK), 0
    yield "open", "".join(pieces), line, None


def _whole(chunk: str, start: int) -> tuple[_Decoded | None, int]:
    """The element that begins here, if it stands whole in this text, and where the comma or bracket behind it stands.

    None if it takes a scan: what is cut by the end of the text, or is no JSON, costs this one attempt in vain. Where
    the element ends the plain decoder of the standard library says fastest; the strict one then reads just that.
    """
    begins = _beyond_space(chunk, start)
    try:
        ends = _PLAIN.raw_decode(chunk, begins)[1]
        end = _beyond_space(chunk, ends)
        element = chunk[begins:ends]
        if chunk[end : end + 1] in (",", "]") and (element.isascii() or not _INVALID_BYTE.search(element)):
            return decode_json(element), end
    except (ValueError, RecursionError):
        pass
    return None, -1


class _Scan:
    """Looks for the end of an element that may come in several pieces."""

    def __init__(self) -> None:
        self._depth = 0
        self._in_string = self._escaped = False

    def end(self, chunk: str, start: int) -> int:
        """Where the comma or bracket stands that ends the element; -1 if it goes on beyond this piece of it."""
        position = start + self._escaped
        self._escaped = False
        while True:
            if self._in_string:
                position = _matched(_STRING, chunk, position)
                if position >= len(chunk):
                    return -1
                self._in_string = self._escaped = chunk[position] != '"'
                position += 1
                if self._escaped:  # a backslash at the very end: what it escapes comes with the next piece
                    return -1
            match = (_WITHIN if self._depth else _BETWEEN).search(chunk, position)
            if match is None:
                return -1
            position, mark = match.end(), match.group()
            if mark == '"':
                self._in_string = True
            elif mark in "[{":
                self._depth += 1
            elif self._depth:
                self._depth -= 1
            elif mark in ",]":
                return position - 1


def _beyond_space(chunk: str, position: int) -> int:
    return _matched(_SPACE, chunk, position)


def _matched(pattern: re.Pattern[str], chunk: str, position: int) -> int:
    """Where a pattern ends that matches nothing as well."""
    match = pattern.match(chunk, position)
    return position if match is None else match.end()


def _after_array(text: TextIO, rest: str, line: int) -> Iterator[_Part]:
    while not rest.strip():
        line += rest.count("\n")
        rest = text.read(_CHUNK)
        if not rest:
            return
    yield "after", rest, line, None
