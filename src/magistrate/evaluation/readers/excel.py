"""Excel workbooks: the first sheet with cells, a header row, then a row a case. The only importer of openpyxl."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any, BinaryIO
from zipfile import BadZipFile

from magistrate.errors import DatasetError, MissingExtraError
from magistrate.evaluation.readers.base import RawRow, bad_row, plain, seekable

_MOST_BLANK = 1000
"""Rows without a value after which nothing more is expected: sheets may claim a million of them."""


def read_excel(stream: BinaryIO) -> Iterator[RawRow]:
    """Yield a row for every row of cells after the header; a formula counts by the value it was saved with."""
    try:
        from openpyxl import load_workbook  # type: ignore[import-untyped,unused-ignore]  # noqa: PLC0415 - an extra
    except ImportError:
        raise MissingExtraError('Excel files need openpyxl: pip install "magistrate[excel]"', extra="excel") from None
    with seekable(stream) as file:
        try:
            book = load_workbook(file, read_only=True, data_only=True)
        except (BadZipFile, KeyError, ValueError, OSError) as error:
            raise DatasetError(f"not a readable Excel workbook: {' '.join(str(error).split())[:200]}") from None
        with contextlib.closing(book):
            for sheet in book.worksheets:
                rows = _filled(sheet.iter_rows(values_only=True))
                head = next(rows, None)
                if head is not None:
                    yield from _rows(head, rows)
                    return


def _filled(rows: Any) -> Iterator[tuple[int, tuple[Any, ...]]]:
    blank = 0
    for number, cells in enumerate(rows, 1):
        blank = blank + 1 if all(cell is None for cell in cells) else 0
        if blank > _MOST_BLANK:
            return
        if not blank:
            yield number, cells


def _rows(head: tuple[int, tuple[Any, ...]], rows: Iterator[tuple[int, tuple[Any, ...]]]) -> Iterator[RawRow]:
    width = max(at for at, name in enumerate(head[1], 1) if name is not None)
    names = [f"column {at}" if name is None else str(name).strip() for at, name in enumerate(head[1][:width], 1)]
    if repeated := sorted({name for name in names if names.count(name) > 1}):
        raise DatasetError(f"the header names a column twice: {', '.join(map(repr, repeated))}", line=head[0])
    for line, cells in rows:
        beyond = [cell for cell in cells[len(names) :] if cell is not None]
        if beyond:
            yield bad_row(f"has cells beyond the {len(names)} of the header", line=line)
            continue
        padded = [*cells, *[None] * (len(names) - len(cells))]
        yield RawRow({name: plain(cell) for name, cell in zip(names, padded, strict=False)}, line)
