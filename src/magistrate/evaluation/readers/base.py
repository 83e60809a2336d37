"""What every reader shares: a raw row, limits, lines of bounded length, strict JSON."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from jiter import from_json

from magistrate.evaluation.problems import Problem

__all__ = [
    "MAX_ROW_BYTES",
    "WRAPPERS",
    "RawRow",
    "bad_row",
    "bounded_lines",
    "decode_json",
    "decode_utf8",
    "kind",
    "object_row",
    "syntax_message",
]

MAX_ROW_BYTES = 64 * 1024 * 1024
"""The longest row that is read. One row of this size is a broken file (a quote never closed), not a case."""

WRAPPERS = ("cases", "data", "queries", "examples", "test_cases", "tests", "samples", "records", "rows", "items")
"""Keys under which a JSON or YAML document keeps its list of cases, first match first."""

BOM = b"\xef\xbb\xbf"


@dataclass(slots=True)
class RawRow:
    """One row as the format gives it.

    Args:
        data: Columns and values; None where the row cannot be read.
        line: Where it starts (1-based); None where the format has no lines.
        problems: What was wrong with it so far, without source and row number.
        last: Whether it tells why nothing that follows in the file is read.
    """

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


def bounded_lines(stream: BinaryIO) -> Iterator[tuple[int, bytes | None]]:
    r"""Split a stream at \n, holding at most MAX_ROW_BYTES; a longer line comes as None."""
    number = 0
    while line := stream.readline(MAX_ROW_BYTES):
        number += 1
        if len(line) == MAX_ROW_BYTES and not line.endswith(b"\n"):
            rest = line
            while rest and not rest.endswith(b"\n"):
                rest = stream.readline(MAX_ROW_BYTES)
            yield number, None
            continue
        yield number, line


def decode_utf8(raw: bytes) -> tuple[str | None, Problem | None]:
    """Decode one line; a line in another encoding is a problem, because a guess would change the text."""
    raw = raw.removeprefix(BOM)
    try:
        return raw.decode("utf-8"), None
    except UnicodeDecodeError as error:
        return None, Problem(
            message=f"not valid UTF-8: byte 0x{raw[error.start]:02x} at offset {error.start} of the line",
            expected="UTF-8 text",
            hint="convert the file, for example with: iconv -f latin1 -t utf-8",
            blocking=True,
        )


def decode_json(text: str) -> tuple[Any, list[Problem]]:
    """Decode one JSON value strictly, and note what strict JSON does not allow or leaves unclear.

    NaN and Infinity are read as null with a warning: Python and pandas write them for a missing value. A repeated key
    with two different values is an error, because nothing says which one is meant.

    Raises:
        ValueError: If the text is no JSON (with position), or nested too deeply.
    """
    # jiter takes half the time of json; what it refuses may be NaN, a repeated key or a lone surrogate.
    with contextlib.suppress(ValueError):
        return from_json(text.encode(), allow_inf_nan=False, catch_duplicate_keys=True, cache_mode="keys"), []
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
    if isinstance(error, json.JSONDecodeError):
        place = f"column {error.colno}" if error.lineno == 1 else f"line {error.lineno} column {error.colno}"
        return f"not valid JSON: {error.msg} at {place}"
    return f"not valid JSON: {error}"


def object_row(value: Any, line: int | None) -> RawRow:
    """Take a decoded value as a row; only an object is one."""
    if isinstance(value, dict):
        return RawRow(value, line)
    return bad_row(f"is {kind(value)}", line=line, expected="an object with the fields of a case")


def kind(value: Any) -> str:  # noqa: PLR0911 - one return a type
    """Name the type of a decoded value in the words of JSON."""
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case int() | float():
            return "a number"
        case str():
            return "a text"
        case dict():
            return "an object"
        case list() | tuple():
            return "a list"
        case _:
            return f"a {type(value).__name__}"
