"""Tables in memory: pandas, polars, Arrow and Hugging Face datasets, told by what they can do; none is imported."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from magistrate.errors import ConfigurationError
from magistrate.evaluation.readers.base import plain

_BATCH = 1_000


def table_objects(source: Any) -> Iterable[Any] | None:
    """The rows of a table as mappings; None for what is no table.

    Cells without a value (None, NaN, NaT, pandas' NA) are None; arrays are lists.
    """
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
    if kind == "polars.DataFrame":
        return _Rows(source, lambda frame: frame.iter_rows(named=True))
    if kind == "pandas.DataFrame":
        return _Rows(source, _pandas_rows)
    if kind == "pyarrow.Table":
        return _Rows(source, _arrow_rows)
    if hasattr(source, "features") and hasattr(source, "column_names"):
        return _Rows(source, iter)
    return None


class _Rows:
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
    for start in range(0, len(frame), _BATCH):
        yield from frame.iloc[start : start + _BATCH].to_dict(orient="records")


def _arrow_rows(table: Any) -> Iterator[dict[str, Any]]:
    for batch in table.to_batches(max_chunksize=_BATCH):
        yield from batch.to_pylist()
