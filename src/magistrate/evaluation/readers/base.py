"""What every reader shares: a raw row, limits, lines of bounded length, strict JSON."""

from __future__ import annotations

import ast
import base64
import contextlib
import io
import json
import math
import shutil
import tempfile
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from jiter import from_json

from magistrate.errors import DatasetError
from magistrate.evaluation.problems import Problem

MAX_ROW_BYTES = 64 * 1024 * 1024
"""The longest row that is read. One row of this size is a broken file (a quote never closed), not a case."""
MOST_BLANK = 500_000
"""Blank lines in a row that are read over: 2 GB of them come out of a packed file of 2 MB."""

WRAPPERS = ("cases", "data", "queries", "examples", "test_cases", "tests", "samples", "records", "rows", "items")
"""Keys under which a JSON or YAML document keeps its list of cases, first match first."""


@dataclass(slots=True)
class RawRow:
    """One row as the format gives it."""

    data: dict[str, Any] | None
    line: int | None = None
    problems: list[Problem] = field(default_factory=list)
    last: bool = False


def bad_row(
    message: str,
    *,
    line: int | None = None,
    expected: str | None = None,
    hint: str | None = None,
    last: bool = False,
) -> RawRow:
    """A row that cannot be read at all."""
    problem = Problem(message=message, expected=expected, hint=hint, blocking=True)
    return RawRow(None, line, [problem], last)


strict_json = partial(from_json, allow_inf_nan=False, catch_duplicate_keys=True, cache_mode="keys")
"""Takes half the time of json; a ValueError may mean NaN, a repeated key or a lone surrogate."""


def decode_json(text: str) -> tuple[Any, list[Problem]]:
    """Decode one JSON value strictly, and note what strict JSON does not allow or leaves unclear.

    NaN and Infinity are read as null with a warning: Python and pandas write them for a missing value. A repeated key
    with two different values is an error, because nothing says which one is meant.
    """
    try:
        return strict_json(text.encode()), []
    except ValueError:
        problems: list[Problem] = []

    def constant(name: str) -> None:
        problems.append(
            Problem(message=f"{name} is no JSON value, read as null", expected="a number or null", severity="warning")
        )

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        result = dict(items)
        if len(result) != len(items):
            first: dict[str, Any] = {}
            for key, value in items:
                if first.setdefault(key, value) != value:
                    problems.append(
                        Problem(
                            field=key,
                            message="the key is given twice, with two different values",
                            expected="each key once",
                            blocking=True,
                        )
                    )
        return result

    try:
        value = json.loads(text, object_pairs_hook=pairs, parse_constant=constant)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    return value, problems


def syntax_message(error: ValueError) -> str:
    """One line about a JSON syntax error, without the document."""
    if not isinstance(error, json.JSONDecodeError):
        return f"not valid JSON: {error}"
    place = f"column {error.colno}" if error.lineno == 1 else f"line {error.lineno} column {error.colno}"
    if error.msg == "Extra data":
        return f"more than one JSON value, the second at {place}"
    return f"not valid JSON: {error.msg} at {place}"


def decoded_row(text: str, line: int | None, *, expected: str) -> RawRow:
    """Decode a text and take its value as a row."""
    try:
        value, problems = decode_json(text)
    except ValueError as error:
        return bad_row(syntax_message(error), line=line, expected=expected)
    row = object_row(value, line)
    row.problems.extend(problems)
    return row


def object_row(value: Any, line: int | None) -> RawRow:
    """Take a decoded value as a row; only an object is one."""
    if isinstance(value, dict):
        return RawRow(value, line)
    return bad_row(f"is {kind(value)}", line=line, expected="an object with the fields of a case")


def checked_data(row: RawRow, where: str) -> dict[str, Any]:
    """What a row holds.

    Raises:
        DatasetError: If that cannot be told.
    """
    wrong = next((problem for problem in row.problems if problem.blocking), None)
    if row.data is None or wrong is not None:
        raise DatasetError(f"{where}: {wrong.message if wrong else 'is no object'}")
    return row.data


_MISSING = frozenset({"NAType", "NaTType"})
"""The types of pandas' NA and NaT."""
_KINDS = {bool: "a boolean", int: "a number", float: "a number", str: "a text", dict: "an object"}


def kind(value: Any) -> str:
    """Name the type of a decoded value in the words of JSON."""
    if value is None:
        return "null"
    if isinstance(value, list | tuple):
        return "a list"
    return next((name for kind, name in _KINDS.items() if isinstance(value, kind)), f"a {type(value).__name__}")


def plain(value: Any) -> Any:  # noqa: PLR0911 - one return a type
    """A cell of a table as JSON holds it: no number and no value are None, a date is its ISO text, an array a list."""
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return value if math.isfinite(value) else None
        case Mapping():
            return {str(key): plain(item) for key, item in value.items()}
        case list() | tuple():
            return [plain(item) for item in value]
        case bytes():
            with contextlib.suppress(UnicodeDecodeError):
                return value.decode("utf-8")
            return base64.b64encode(value).decode("ascii")
    if type(value).__name__ in _MISSING:
        return None
    listed = getattr(value, "to_list", None) or getattr(value, "tolist", None)
    if listed is not None:
        return plain(listed())
    written = getattr(value, "isoformat", None)
    return str(value) if written is None else written()


def printed_list(text: str) -> Any:
    """A list, tuple of texts or object as Python prints it ("['a', 'b']", what pandas writes into a CSV); else None.

    Also the texts of `array(['a'], dtype=object)` and `[Document(page_content='a', metadata={...})]`. Nothing is run.
    Each part must print as the same characters: numpy prints "['a' 'b']" without commas, which Python joins to one.
    """
    try:
        with warnings.catch_warnings(action="ignore"):  # about escapes such as "\\d" in texts
            tree = ast.parse(text, mode="eval").body
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    with contextlib.suppress(ValueError, TypeError, MemoryError, RecursionError):
        value = ast.literal_eval(tree)
        texts = isinstance(value, tuple) and all(isinstance(item, str) for item in value)
        return value if (texts or isinstance(value, list | dict)) and repr(value) == text else None
    if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name) and tree.func.id == "array" and tree.args:
        tree = tree.args[0]
    parts = [_printed_text(item) for item in tree.elts] if isinstance(tree, ast.List | ast.Tuple) else []
    found = [part.value for part in parts if part and ast.get_source_segment(text, part) == repr(part.value)]
    return found if parts and len(found) == len(parts) else None


def _printed_text(item: ast.expr) -> ast.Constant | None:
    if isinstance(item, ast.Call):
        named = {keyword.arg: keyword.value for keyword in item.keywords}
        item = named.get("page_content") or named.get("text") or item
    return item if isinstance(item, ast.Constant) and isinstance(item.value, str) else None


class Borrowed(io.RawIOBase):
    """A stream that somebody else closes."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def readable(self) -> bool:
        """Yes."""
        return True

    def seekable(self) -> bool:
        """Whether the stream below is."""
        return bool(self._stream.seekable())

    def seek(self, offset: int, whence: int = 0) -> int:
        """Go to a place in the stream below."""
        return int(self._stream.seek(offset, whence))

    def tell(self) -> int:
        """The place in the stream below."""
        return int(self._stream.tell())

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer, as far as a single read does."""
        read = getattr(self._stream, "read1", self._stream.read)
        data = read(len(buffer))
        buffer[: len(data)] = data
        return len(data)


def seekable(stream: Any) -> Any:
    """A stream for a format that is read from its end, for the caller to close: a pipe is copied to a file first."""
    if stream.seekable():
        return io.BufferedReader(Borrowed(stream))
    spooled = tempfile.TemporaryFile()  # noqa: SIM115 - the caller closes it
    shutil.copyfileobj(stream, spooled)
    spooled.seek(0)
    return spooled
