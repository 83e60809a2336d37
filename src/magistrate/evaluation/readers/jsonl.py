"""JSON Lines: one object a line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from magistrate.errors import DatasetError
from magistrate.evaluation.readers import base
from magistrate.evaluation.readers.base import RawRow, bad_row, decoded_row

_BOM = b"\xef\xbb\xbf"


def read_jsonl(stream: BinaryIO, *, line: int = 1) -> Iterator[RawRow]:
    r"""Yield a row for every line that is not blank; lines end at \n alone."""
    first, blank = line == 1, 0
    for number, raw in _lines(stream, line):
        blank = blank + 1 if raw is not None and not raw.strip() else 0
        if blank > base.MOST_BLANK:
            raise DatasetError(
                f"more than {base.MOST_BLANK:,} lines in a row are blank: the rest is not read", line=number
            )
        if raw is None:
            yield bad_row(f"the line is longer than {base.MAX_ROW_BYTES // 2**20} MiB", line=number)
            continue
        row = line_row(raw, number, expected="one JSON object a line")
        if row is None:
            continue
        if first and row.data is None and raw.removeprefix(_BOM).strip() in (b"[", b"{"):
            raise DatasetError(
                "this is one JSON document over several lines, not JSON Lines: give it as --format json", line=number
            )
        first = False
        yield row


def line_row(raw: bytes, line: int | None, *, expected: str) -> RawRow | None:
    """Decode the bytes of a row; None if they are blank. A guess at another encoding would change the text."""
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
    return decoded_row(text, line, expected=expected) if text else None


def _lines(stream: BinaryIO, line_number: int) -> Iterator[tuple[int, bytes | None]]:
    """Lines with their numbers, holding at most MAX_ROW_BYTES; a longer line comes as None."""
    number, most = line_number - 1, base.MAX_ROW_BYTES
    while line := stream.readline(most):
        number += 1
        whole = len(line) < most or line.endswith(b"\n")
        rest = line
        while not whole and rest and not rest.endswith(b"\n"):
            rest = stream.readline(most)
        yield number, line if whole else None
