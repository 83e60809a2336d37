"""What every reader shares: a raw row, limits, lines of bounded length, strict JSON."""

import ast
import base64
import contextlib
import io
import json
import math
import shutil
import tempfile
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from jiter import from_json

from magistrate.case import Problem
from magistrate.errors import DatasetError

MAX_ROW_BYTES = 64 * 1024 * 1024
"""The longest row that is read. One row of this size is a broken file (a quote never closed), not a case."""
MOST_BLANK = 500_000
"""Blank lines in a row that are read over: 2 GB of them come out of a packed file of 2 MB."""

A_CASE = "an object with the fields of a case"
WRAPPERS = ("cases", "data", "queries", "examples", "test_cases", "tests", "samples", "records", "rows", "items")
"""Keys under which a JSON or YAML document keeps its list of cases, first match first."""


@dataclass(slots=True)
class RawRow:
    """One row as the format gives it."""

    data: dict[str, Any] | None
    line: int | None = None
    problems: list[Problem] = field(default_factory=list)
    last: bool = False


def bad_row(message: str, *, line: int | None = None, last: bool = False, **about: str) -> RawRow:
    """A row that cannot be read at all; `about` is what is expected, and a hint."""
    problem: dict[str, Any] = {"message": message, "blocking": True, **about}
    return RawRow(None, line, [Problem(**problem)], last)


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
        message = f"{name} is no JSON value, read as null"
        problems.append(Problem(message=message, expected="a number or null", severity="warning"))

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        result: dict[str, Any] = {}
        for key, value in items:
            if result.setdefault(key, value) != value:
                message = "the key is given twice, with two different values"
                problems.append(Problem(field=key, message=message, expected="each key once", blocking=True))
            result[key] = value
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


def object_row(value: Any, line: int | None, problems: Iterable[Problem] = ()) -> RawRow:
    """Take a decoded value as a row; only an object is one."""
    row = RawRow(value, line) if isinstance(value, dict) else bad_row(f"is {kind(value)}", line=line, expected=A_CASE)
    row.problems += problems
    return row


def checked_data(row: RawRow, where: str) -> dict[str, Any]:
    """What a row holds; a DatasetError if that cannot be told."""
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
    found = []
    for item in tree.elts if isinstance(tree, ast.List | ast.Tuple) else ():
        named = {word.arg: word.value for word in item.keywords} if isinstance(item, ast.Call) else {}
        part = named.get("page_content") or named.get("text") or item
        if not isinstance(part, ast.Constant) or not isinstance(part.value, str):
            return None
        if ast.get_source_segment(text, part) != repr(part.value):
            return None
        found.append(part.value)
    return found or None


class Borrowed(io.RawIOBase):
    """A stream that somebody else closes, or what a function makes of it."""

    def __init__(self, stream: Any, read: Callable[[int], bytes] | None = None) -> None:
        known = {name: getattr(stream, name) for name in ("seekable", "seek", "tell") if hasattr(stream, name)}
        vars(self).update(known, readable=lambda: True)
        self._read = read or getattr(stream, "read1", stream.read)
        self._left = b""

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer, as far as a single read does."""
        data = self._left or self._read(len(buffer))
        size = min(len(data), len(buffer))
        buffer[:size], self._left = data[:size], data[size:]
        return size


def seekable(stream: Any) -> Any:
    """A stream for a format that is read from its end, for the caller to close: a pipe is copied to a file first."""
    if stream.seekable():
        return io.BufferedReader(Borrowed(stream))
    spooled = tempfile.TemporaryFile()  # noqa: SIM115 - the caller closes it
    shutil.copyfileobj(stream, spooled)
    spooled.seek(0)
    return spooled
