"""Tables in columns: Parquet (the only importer of pyarrow), read and written; pandas, polars, Arrow, Hugging Face.

Tables in memory are told by what they can do; none of their libraries is imported.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from magistrate.errors import ConfigurationError, DatasetError, MissingExtraError
from magistrate.evaluation.readers.base import RawRow, plain, seekable

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
    """The modules that read and write Parquet.

    Raises:
        MissingExtraError: If they are not installed.
    """
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
