"""Tables: CSV, TSV, Excel, Parquet (the only importer of openpyxl and pyarrow), and those of pandas and others."""

import codecs
import contextlib
import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any, BinaryIO, TextIO
from zipfile import BadZipFile

from magistrate.case import Problem
from magistrate.errors import ConfigurationError, DatasetError, MissingExtraError, meant
from magistrate.evaluation.readers.base import MAX_ROW_BYTES, MOST_BLANK, RawRow, bad_row, plain, seekable

_INVALID = re.compile("[\ud800\udc80-\udcff]")
_DELIMITERS = ",;\t|"
_SEP = re.compile(r'"?sep=([,;\t|])"?\s*', re.IGNORECASE)
RECODE = "from Excel save it as .xlsx or as CSV UTF-8; else convert it: iconv -f cp1252 -t utf-8 FILE > utf-8.csv"


def check_encoding(beginning: bytes) -> None:
    """Refuse a table of another encoding: several lines with bytes that are no UTF-8, none with letters that are."""
    if beginning.startswith(b"PK\3\4"):
        raise DatasetError("is a ZIP archive, as Excel workbooks are: --format xlsx reads one")
    text = codecs.getincrementaldecoder("utf-8")("surrogateescape").decode(beginning)
    strange = re.sub("[\0-\x7f\udc80-\udcff]", "", text)
    if not strange and sum(_INVALID.search(line) is not None for line in text.splitlines()) > 1:
        raise DatasetError(f"is not UTF-8, but in an encoding such as cp1252: {RECODE}")


_TOO_LONG = "\ud800"
"""Stands for a line beyond the limit; no file can hold it."""


def _bounded_lines(stream: TextIO, limit: int) -> Iterator[str]:
    while line := stream.readline(limit):
        if len(line) < limit or line.endswith(("\n", "\r")):
            yield line
            continue
        while line and not line.endswith(("\n", "\r")):
            line = stream.readline(limit)
        yield f"{_TOO_LONG}\n"


def read_table(stream: BinaryIO, *, delimiter: str | None = None) -> Iterator[RawRow]:
    """Yield a row for every line of cells after the header, each cell a text.

    A row with more or fewer cells than the header is a bad row: its cells may stand under the wrong names.
    """
    text = io.TextIOWrapper(stream, encoding="utf-8-sig", errors="surrogateescape", newline="")
    try:
        yield from _rows(_bounded_lines(text, MAX_ROW_BYTES), delimiter)
    finally:
        text.detach()


def _rows(lines: Iterator[str], delimiter: str | None) -> Iterator[RawRow]:  # noqa: C901 - a branch a kind of row
    first = next((line for line in lines if line.strip()), "")
    skipped = 0
    if told := _SEP.fullmatch(first):  # a line for Excel, which says what separates cells
        delimiter, skipped = told[1], 1
        first = next(lines, "")
    if not first:
        return
    reader = csv.reader(chain([first], lines), delimiter=delimiter or max(_DELIMITERS, key=first.count), strict=True)
    try:
        names = [name.strip() for name in _next(reader)]
    except (csv.Error, StopIteration) as error:
        raise DatasetError(f"the header row cannot be read: {error}", line=1) from None
    if wrong := _INVALID.search("".join(names)):
        what = "too long" if wrong[0] == _TOO_LONG else f"not valid UTF-8: {RECODE}"
        raise DatasetError(f"the header row is {what}", line=1)
    header = _columns(names, 1)
    blank = 0
    while True:
        line = reader.line_num + 1 + skipped
        try:
            cells = _next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield bad_row(f"not valid CSV: {error}", line=line, expected=f"{len(header)} cells, quotes doubled")
        else:
            blank = 0 if any(cells) else blank + 1
            if blank > MOST_BLANK:
                raise DatasetError(f"more than {MOST_BLANK:,} rows in a row are blank: the rest is not read", line=line)
            if not blank:
                yield _row(header, cells, line)


def _columns(names: list[str], line: int) -> list[str]:
    if repeated := sorted({name for name in names if name and names.count(name) > 1}):
        raise DatasetError(f"the header names a column twice: {', '.join(map(repr, repeated))}", line=line)
    return [name or f"column {number}" for number, name in enumerate(names, 1)]


def _next(reader: Iterator[list[str]]) -> list[str]:
    """Read one row. The csv module's limit on a cell is one global number, so it is put back at once."""
    before = csv.field_size_limit(MAX_ROW_BYTES)
    try:
        return next(reader)
    finally:
        csv.field_size_limit(before)


def _row(header: list[str], cells: list[str], line: int) -> RawRow:
    if bad := _INVALID.search("".join(cells)):
        if bad[0] == _TOO_LONG:
            return bad_row(f"the line is longer than {MAX_ROW_BYTES // 2**20} MiB", line=line)
        column = next((name for name, cell in zip(header, cells, strict=False) if bad[0] in cell), "")
        return bad_row(
            f"not valid UTF-8: byte 0x{ord(bad[0]) - 0xDC00:02x} in column {column!r}",
            line=line,
            expected="UTF-8 text",
            hint=RECODE,
        )
    if len(cells) != len(header):
        return bad_row(
            f"has {len(cells)} cells where the header has {len(header)}",
            line=line,
            expected=f"{len(header)} cells",
            hint="a cell that holds the delimiter, a quote or a line break stands in double quotes",
        )
    return RawRow(dict(zip(header, cells, strict=True)), line)


_MOST_BLANK = 1000
"""Rows without a value after which nothing more is expected: sheets may claim a million of them."""


@contextlib.contextmanager
def _workbook(stream: BinaryIO) -> Iterator[Any]:
    try:
        from openpyxl import load_workbook  # type: ignore[import-untyped,unused-ignore]  # noqa: PLC0415 - an extra
    except ImportError:
        raise MissingExtraError.needed("Excel files need openpyxl", "excel") from None
    with seekable(stream) as file:
        try:
            book = load_workbook(file, read_only=True, data_only=True)
        except (BadZipFile, KeyError, ValueError, OSError) as error:
            raise DatasetError(f"not a readable Excel workbook: {' '.join(str(error).split())[:200]}") from None
        with contextlib.closing(book):
            yield book


def read_excel(stream: BinaryIO, sheet: str = "") -> Iterator[RawRow]:
    """Yield a row for every row of cells after the header of a sheet, "" for the first with cells.

    A formula counts by the value it was saved with.
    """
    with _workbook(stream) as book:
        wanted = [one for one in book.worksheets if sheet in ("", one.title)]
        if sheet and not wanted:
            there = ", ".join(repr(name[:40]) for name in book.sheetnames[:20])
            raise DatasetError(f"no sheet {sheet[:40]!r}.{meant(sheet, book.sheetnames)} Sheets: {there}")
        sheets = [(one.title, _filled(one.iter_rows(values_only=True))) for one in wanted]
        filled = [(title, head, rows) for title, rows in sheets if (head := next(rows, None)) is not None]
        for title, head, rows in filled[:1]:
            others = ", ".join(repr(name[:40]) for name, _, _ in filled[1:6])
            message = f"only the sheet {title!r} is read, not {others}"
            problems = [Problem(message=message, hint="choose one: --format xlsx:SHEET")] if others else []
            for number, row in enumerate(_sheet_rows(head, rows)):
                row.problems += () if number else problems
                yield row


def _filled(rows: Any) -> Iterator[tuple[int, tuple[Any, ...]]]:
    blank = 0
    for number, cells in enumerate(rows, 1):
        blank = blank + 1 if all(cell is None for cell in cells) else 0
        if blank > _MOST_BLANK:
            return
        if not blank:
            yield number, cells


def _sheet_rows(head: tuple[int, tuple[Any, ...]], rows: Iterator[tuple[int, tuple[Any, ...]]]) -> Iterator[RawRow]:
    width = max(at for at, name in enumerate(head[1], 1) if name is not None)
    names = _columns(["" if name is None else str(name).strip() for name in head[1][:width]], head[0])
    for line, cells in rows:
        if any(cell is not None for cell in cells[width:]):
            hint = f"the header is row {head[0]}: delete rows that stand above the names"
            yield bad_row(f"has cells beyond the {width} of the header", line=line, hint=hint)
        else:
            pairs = zip_longest(names, cells[:width])
            yield RawRow({name: plain(cell) for name, cell in pairs}, line)


_BATCH = 256
_BUFFER = 1 << 16
"""Bytes of a column that are read at a time. Else a row group is read as a whole, and many writers make one of the
whole table. Threads would each keep memory of their own."""


def read_parquet(stream: BinaryIO, *, skip: int = 0) -> Iterator[RawRow]:
    """Yield a row for every row of the table, but the first ones that are to be skipped."""
    pyarrow, parquet = need_pyarrow()
    with seekable(stream) as file:
        try:
            table = parquet.ParquetFile(file, pre_buffer=False, buffer_size=_BUFFER, page_checksum_verification=True)
            sizes = [table.metadata.row_group(at).num_rows for at in range(table.num_row_groups)]
            first = 0
            while first < len(sizes) and skip >= sizes[first]:
                skip -= sizes[first]
                first += 1
            groups = list(range(first, len(sizes)))
            for batch in table.iter_batches(batch_size=_BATCH, row_groups=groups, use_threads=False):
                rows = batch.slice(min(skip, batch.num_rows))
                skip -= batch.num_rows - rows.num_rows
                for row in rows.to_pylist():
                    yield RawRow({str(name): plain(value) for name, value in row.items()})
        except (pyarrow.ArrowException, OSError, ValueError) as error:
            why = " ".join(str(error).split())[:300]
            raise DatasetError(f"not a readable Parquet file: {why}") from None


def count_parquet_rows(path: Path) -> int | None:
    """The number of rows as the file's footer states it; None where that cannot be read."""
    try:
        pyarrow, parquet = need_pyarrow()
        with path.open("rb") as file:
            return int(parquet.ParquetFile(file).metadata.num_rows)
    except MissingExtraError:
        return None
    except (pyarrow.ArrowException, OSError, ValueError):
        return None


@contextlib.contextmanager
def parquet_writer(file: BinaryIO, types: Mapping[str, str]) -> Iterator[Callable[[Mapping[str, Sequence[Any]]], None]]:
    """Write a table batch by batch: gives a function that takes a batch as columns of values."""
    pyarrow, parquet = need_pyarrow()
    arrow_types = {"int": pyarrow.int64(), "float": pyarrow.float64(), "text": pyarrow.string()}
    schema = pyarrow.schema([(name, arrow_types[kind]) for name, kind in types.items()])
    with parquet.ParquetWriter(file, schema) as writer:
        yield lambda batch: writer.write_table(pyarrow.table(dict(batch), schema=schema))


def need_pyarrow() -> tuple[Any, Any]:
    """The modules that read and write Parquet; a MissingExtraError if they are not installed."""
    try:
        import pyarrow as pa  # type: ignore[import-untyped]  # noqa: PLC0415 - an extra
        from pyarrow import parquet  # noqa: PLC0415
    except ImportError:
        raise MissingExtraError.needed("Parquet needs pyarrow", "parquet") from None
    return pa, parquet


_ROWS_AT_ONCE = 1_000


def table_objects(source: Any) -> Iterable[Any] | None:
    """The rows of a table as mappings; None for what is no table."""
    if isinstance(source, Mapping):
        if source and all(hasattr(part, "features") and hasattr(part, "column_names") for part in source.values()):
            splits = ", ".join(map(repr, source))
            raise ConfigurationError(
                f"this dataset has splits ({splits}): give one of them, as dataset[{next(iter(source))!r}]"
            )
        return None
    kind = f"{type(source).__module__.split('.')[0]}.{type(source).__name__}"
    if kind == "polars.LazyFrame":
        raise ConfigurationError("a LazyFrame has no rows yet: give frame.collect()")
    if kind == "pandas.Series":
        raise ConfigurationError("a Series is no table: of a frame's row give frame.iloc[[0]]")
    is_hugging_face = hasattr(source, "features") and hasattr(source, "column_names")
    rows = _ROWS.get(kind, iter if is_hugging_face else None)
    return rows and TableRows(source, rows)


class TableRows:
    """The rows of a table, any number of times."""

    def __init__(self, table: Any, rows: Any) -> None:
        self._table = table
        self._rows = rows

    def __len__(self) -> int:
        return len(self._table)

    def __iter__(self) -> Iterator[Any]:
        for row in self._rows(self._table):
            yield {str(name): plain(value) for name, value in row.items()}


def _pandas_rows(frame: Any) -> Iterator[dict[Any, Any]]:
    names = list(frame.columns)
    if len({str(name) for name in names}) < len(names):
        raise ConfigurationError("two columns of the frame have the same name")
    for start in range(0, len(frame), _ROWS_AT_ONCE):
        yield from frame.iloc[start : start + _ROWS_AT_ONCE].to_dict(orient="records")


_ROWS: Mapping[str, Callable[[Any], Iterable[Mapping[Any, Any]]]] = {
    "pandas.DataFrame": _pandas_rows,
    "polars.DataFrame": lambda frame: frame.iter_rows(named=True),
    "pyarrow.Table": lambda table: (row for part in table.to_batches(_ROWS_AT_ONCE) for row in part.to_pylist()),
}
