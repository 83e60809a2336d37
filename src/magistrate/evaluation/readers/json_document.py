"""JSON Lines, an object a line; and JSON documents: an array of cases is read element by element, an object whole."""

from __future__ import annotations

import contextlib
import io
import itertools
import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO, Final, TextIO

from magistrate.errors import DatasetError
from magistrate.evaluation.cases.columns import field_of
from magistrate.evaluation.readers import base
from magistrate.evaluation.readers.base import A_CASE, WRAPPERS, RawRow, bad_row, decode_json, object_row

_CHUNK = 1 << 18
_LONGEST_KEY: Final = 4096
_SPACE: Final = re.compile(r"[ \t\n\r]*")
_FLAT: Final = re.compile(r'["\[\]{},:]')
_NESTED: Final = re.compile(r'["\[\]{}]')
_STRING: Final = re.compile(r'[^"\\]*+(?:\\.[^"\\]*+)*+', re.DOTALL)
_PLAIN: Final = json.JSONDecoder()
_INVALID_BYTE: Final = re.compile("[\udc80-\udcff]")


def read_json(stream: BinaryIO) -> Iterator[RawRow]:
    """Yield the cases of a JSON document.

    An array is read element by element, in constant memory, and an element that cannot be decoded does not end the
    reading. An object is decoded whole: it holds a list of cases under one of `WRAPPERS`, or columns of equal length,
    or it is one case. Several objects one after the other are read as JSON Lines.
    """
    with _text(stream) as text:
        scanner = _Scanner(text)
        if scanner.peek() == "[":
            yield from _elements(scanner, last=True)
        else:
            yield from _object(scanner.rest())


def read_json_at(stream: BinaryIO, path: Sequence[str]) -> Iterator[RawRow]:
    """Yield the elements of the list that stands under these keys, in constant memory."""
    with _text(stream) as text:
        scanner = _Scanner(text)
        where = "the document"
        for depth, key in enumerate(path, 1):
            if scanner.peek() != "{":
                raise DatasetError(f"{where} is no object with {key!r}", line=scanner.line())
            where, found = ".".join(path[:depth]), list[str]()
            for name in scanner.object_keys():
                if name == key:  # the first one counts
                    break
                found.append(name[:60])
            else:
                keys = ", ".join(map(repr, found[:8])) or "no key"
                raise DatasetError(f"{where} is not there; the object has {keys}", line=scanner.line())
        if scanner.peek() != "[":
            raise DatasetError(f"{where} is no list", line=scanner.line())
        yield from _elements(scanner, last=not path)


def first_keys(head: str) -> list[str]:
    """The keys of an object, as far as the beginning of its text shows them; none if it begins with no object."""
    scanner = _Scanner(io.StringIO(head))
    return list(scanner.object_keys()) if scanner.peek() == "{" else []


def _rows_of_object(value: Any) -> list[RawRow]:
    if not isinstance(value, dict):
        raise DatasetError("the document is neither a list of cases nor an object that holds one")
    fields = {key: field_of(key) for key in value}
    texts = [key for key, name in fields.items() if name in ("question", "answer")]
    columns = list(value.values())
    wrapper = next((key for key in WRAPPERS if isinstance(value.get(key), list)), None)
    if wrapper is not None and not any(isinstance(value[key], str) for key in texts):
        return [object_row(item, None) for item in value[wrapper]]
    if "answer" in fields.values() and all(isinstance(c, list) and len(c) == len(columns[0]) for c in columns):
        return [RawRow(dict(zip(value, cells, strict=True))) for cells in zip(*columns, strict=True)]
    if texts:
        return [RawRow(value)]
    keys = ", ".join(repr(key) for key in list(value)[:8]) or "no key"
    raise DatasetError(f"no list of cases found: expected one of {', '.join(WRAPPERS)}; the document has {keys}")


@contextlib.contextmanager
def _text(stream: BinaryIO) -> Iterator[io.TextIOWrapper]:
    text = io.TextIOWrapper(stream, encoding="utf-8-sig", errors="surrogateescape", newline="\n")
    try:
        yield text
    finally:
        text.detach()


def _object(document: str) -> Iterator[RawRow]:
    if not document.strip():
        return
    if bad := _INVALID_BYTE.search(document):
        line = document.count("\n", 0, bad.start()) + 1
        raise DatasetError(f"{_not_utf8(bad)} on line {line}", line=line)
    try:
        value, problems = decode_json(document)
    except ValueError as error:
        if getattr(error, "msg", "") == "Extra data":  # objects one after the other: JSON Lines under the name of JSON
            yield from read_jsonl(io.BytesIO(document.encode()))
            return
        raise DatasetError(base.syntax_message(error), line=getattr(error, "lineno", None)) from None
    for row in _rows_of_object(value):
        row.problems += problems
        yield row


def _elements(scanner: _Scanner, *, last: bool) -> Iterator[RawRow]:
    """The elements of the array that begins here; `last` says whether it ends the document."""
    scanner.take()
    mark, before = ",", 0
    while mark != "]":
        scanner.peek()
        line: int | None = scanner.line()
        if line == before:  # the row's number says which of a line's elements is meant
            line = None
        before = line or before
        if (whole := scanner.whole_element()) is not None:
            mark = scanner.take()
            yield _decoded_row(whole, line, A_CASE)
            continue
        element, mark = scanner.until(",]", keep=base.MAX_ROW_BYTES + 1)
        scanner.take()
        if not mark:
            message = "the array is not closed: the file is cut, or a quote or bracket is open from here on"
            yield bad_row(message, line=line, last=True)
            return
        if len(element) > base.MAX_ROW_BYTES:
            yield bad_row(f"longer than {base.MAX_ROW_BYTES // 2**20} MiB", line=line)
        elif bad := _INVALID_BYTE.search(element):
            yield bad_row(_not_utf8(bad), line=line, expected="UTF-8 text")
        elif element.strip():
            yield _decoded_row(element.strip(), line, A_CASE)
    if last and scanner.peek():
        yield bad_row("text after the end of the array; it is not read", line=scanner.line(), last=True)


def _not_utf8(escaped: re.Match[str]) -> str:
    return f"not valid UTF-8: byte 0x{ord(escaped.group()) - 0xDC00:02x}"


def _decoded_row(text: str, line: int | None, expected: str) -> RawRow:
    try:
        value, problems = decode_json(text)
    except ValueError as error:
        return bad_row(base.syntax_message(error), line=line, expected=expected)
    return object_row(value, line, problems)


class _Scanner:
    """A place in a JSON text that is read piece by piece. It looks at structure alone, at each character once."""

    def __init__(self, text: TextIO) -> None:
        self._text = text
        self._chunk = ""
        self._at = 0
        self._line = 1
        self._counted = 0

    def line(self) -> int:
        """The line (1-based) of the place."""
        self._line += self._chunk.count("\n", self._counted, self._at)
        self._counted = self._at
        return self._line

    def peek(self) -> str:
        """The next character that is no space; "" at the end."""
        while True:
            self._at = _end(_SPACE, self._chunk, self._at)
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
        """The text from here on."""
        return self._chunk[self._at :] + self._text.read()

    def object_keys(self) -> Iterator[str]:
        """Yield the keys of the object that begins here, as far as it is one; after each the place is its value."""
        self.take()
        mark = ","
        while mark == "," and self.peek() == '"':
            key, mark = self.until(":,}", keep=_LONGEST_KEY)
            if mark != ":":
                return
            self.take()
            try:
                yield str(json.loads(key, strict=False))
            except ValueError:
                yield key
            _, mark = self.until(",}", keep=0)
            self.take()

    def whole_element(self) -> str | None:
        """Go past the element that begins here and return its text, if it stands whole in the text at hand."""
        try:
            ends = _PLAIN.raw_decode(self._chunk, self._at)[1]
        except (ValueError, RecursionError):
            return None
        behind = _end(_SPACE, self._chunk, ends)
        element = self._chunk[self._at : ends]
        whole = self._chunk[behind : behind + 1] in (",", "]")
        if not whole or not (element.isascii() or not _INVALID_BYTE.search(element)):
            return None
        self._at = ends
        return element

    def until(self, ends: str, *, keep: int) -> tuple[str, str]:
        """Go to the first of these marks that stands outside strings and brackets."""
        pieces: list[str] = []
        depth, inside = 0, False
        while self._at < len(self._chunk) or self._fill():
            chunk, start, position = self._chunk, self._at, self._at
            while True:
                if inside:
                    position = _end(_STRING, chunk, position) + 1
                    if inside := chunk[position - 1 : position] != '"':
                        break
                if (found := (_NESTED if depth else _FLAT).search(chunk, position)) is None:
                    break
                position, mark = found.end(), found.group()
                inside = mark == '"'
                if mark in "[{":
                    depth += 1
                elif depth and mark in "]}":
                    depth -= 1
                elif not depth and mark in ends:
                    self._at = found.start()
                    pieces.append(chunk[start : min(self._at, start + keep)])
                    return "".join(pieces), mark
            pieces.append(chunk[start : start + keep])
            keep -= len(pieces[-1])
            self._at = len(chunk)
        return "".join(pieces), ""

    def _fill(self) -> bool:
        self._at = len(self._chunk)
        self.line()
        self._chunk, self._at, self._counted = self._text.read(_CHUNK), 0, 0
        while self._chunk.endswith("\\") and (more := self._text.read(1)):  # what it escapes stands in the same piece
            self._chunk += more
        return bool(self._chunk)


def _end(pattern: re.Pattern[str], text: str, position: int) -> int:
    """Where a pattern ends that matches nothing as well."""
    match = pattern.match(text, position)
    return position if match is None else match.end()


_BOM = b"\xef\xbb\xbf"


def read_jsonl(stream: BinaryIO, *, line: int = 1) -> Iterator[RawRow]:
    r"""Yield a row for every line that is not blank; lines end at \n alone."""
    first, blank, most = line == 1, 0, base.MAX_ROW_BYTES
    for number in itertools.count(line):
        if not (raw := stream.readline(most)):
            return
        if len(raw) < most or raw.endswith(b"\n"):
            row = line_row(raw, number, expected="one JSON object a line")
        else:
            row = bad_row(f"the line is longer than {most // 2**20} MiB", line=number)
            while (rest := stream.readline(most)) and not rest.endswith(b"\n"):
                pass
        if row is None:
            blank += 1
            if blank > base.MOST_BLANK:
                message = f"more than {base.MOST_BLANK:,} lines in a row are blank: the rest is not read"
                raise DatasetError(message, line=number)
            continue
        if first and row.data is None and raw.removeprefix(_BOM).strip() in (b"[", b"{"):
            message = "this is one JSON document over several lines, not JSON Lines: give it as --format json"
            raise DatasetError(message, line=number)
        first, blank = False, 0
        yield row


def line_row(raw: bytes, line: int | None, *, expected: str) -> RawRow | None:
    """Decode the bytes of a row; None if they are blank. A guess at another encoding would change the text."""
    try:
        return object_row(base.strict_json(raw), line)
    except ValueError:
        raw = raw.removeprefix(_BOM)
    try:
        text = raw.decode("utf-8").strip(" \t\r\n")
    except UnicodeDecodeError as error:
        return bad_row(
            f"not valid UTF-8: byte 0x{raw[error.start]:02x} at offset {error.start} of the line",
            line=line,
            expected="UTF-8 text",
            hint="convert the file, for example with: iconv -f latin1 -t utf-8",
        )
    return _decoded_row(text, line, expected) if text else None
