"""JSON Lines: one object a line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import BinaryIO

from magistrate.errors import DatasetError
from magistrate.evaluation.readers.base import (
    MAX_ROW_BYTES,
    RawRow,
    bad_row,
    bounded_lines,
    decode_json,
    decode_utf8,
    object_row,
    syntax_message,
)

__all__ = ["read_jsonl"]


def read_jsonl(stream: BinaryIO) -> Iterator[RawRow]:
    """Yield a row for every line that is not blank.

    Raises:
        DatasetError: If the file is one JSON document over several lines.
    """
    first = True
    for number, raw in bounded_lines(stream):
        if raw is None:
            yield bad_row(f"the line is longer than {MAX_ROW_BYTES // 2**20} MiB", line=number)
            continue
        text, problem = decode_utf8(raw)
        if text is None or problem is not None:
            yield RawRow(None, number, [problem] if problem else [])
            continue
        text = text.strip(" \t\r\n")
        if not text:
            continue
        if first and text in ("[", "{"):
            raise DatasetError(
                "this is one JSON document over several lines, not JSON Lines: give it as --format json", line=number
            )
        first = False
        yield _line(text, number)


def _line(text: str, number: int) -> RawRow:
    try:
        value, problems = decode_json(text)
    except ValueError as error:
        message = syntax_message(error)
        if isinstance(error, json.JSONDecodeError) and error.msg == "Extra data":
            message = f"more than one JSON value on the line, the second at column {error.colno}"
        return bad_row(message, line=number, expected="one JSON object a line")
    row = object_row(value, number)
    row.problems.extend(problems)
    return row
