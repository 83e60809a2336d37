"""Results as a table, CSV or Parquet: one row for each case and metric, or one for each statement."""

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any, Final

from magistrate.evaluation.files import replacing
from magistrate.evaluation.runs.results import CaseResult, writable
from magistrate.evaluation.runs.run import COLUMNS, Type, table_rows
from magistrate.metrics.base import MetricResult
from magistrate.report.text import inert_lines
from magistrate.report.view import RunView
from magistrate.verdict import StatementVerdict

_STATEMENT_CELLS: Final[Mapping[str, tuple[Type, Callable[[CaseResult, str, MetricResult, StatementVerdict], Any]]]] = {
    "index": ("int", lambda result, *_: result.index),
    "id": ("text", lambda result, *_: result.id),
    "category": ("text", lambda result, *_: result.case.category),
    "metric": ("text", lambda _, name, *__: name),
    "statement_id": ("text", lambda *given: given[3].id),
    "statement": ("text", lambda *given: given[3].statement),
    "verdict": ("text", lambda *given: given[3].verdict and given[3].verdict.value),
    "probability": ("float", lambda *given: given[3].probability),
    "reason": ("text", lambda *given: given[3].reason),
    "quotes": ("text", lambda *given: _quotes(given[3])),
    "quotes_found": ("int", lambda *given: sum(quote.found for quote in given[3].evidence)),
    "quotes_not_found": ("int", lambda *given: sum(not quote.found for quote in given[3].evidence)),
    "issues": ("text", lambda *given: " ".join(sorted({issue.code.value for issue in given[3].issues}))),
    "format": ("text", lambda *given: given[3].format),
    "repairs": ("text", lambda *given: " ".join(f"{repair.code}@{repair.offset}" for repair in given[3].repairs)),
    "judge": ("text", lambda *given: given[2].judge),
}
_STATEMENT_TYPES: Final = {name: kind for name, (kind, _) in _STATEMENT_CELLS.items()}
STATEMENT_COLUMNS: Final = tuple(_STATEMENT_TYPES)
"""Columns of the table of statements. `quotes` is a JSON list of objects: quote, context, start, end, similarity."""

_BATCH = 1000
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""What a spreadsheet may take for the start of a formula; the last four are the same signs in full width."""


def statement_rows(results: Iterable[CaseResult]) -> Iterator[dict[str, Any]]:
    """Yield one flat row for each statement of each case and metric, with the columns `STATEMENT_COLUMNS`."""
    for result in results:
        for name, metric in result.metrics.items():
            for verdict in metric.verdicts:
                yield {column: cell(result, name, metric, verdict) for column, (_, cell) in _STATEMENT_CELLS.items()}


def _quotes(verdict: StatementVerdict) -> str | None:
    quotes = [asdict(quote) for quote in verdict.evidence]
    return json.dumps(quotes, ensure_ascii=False) if quotes else None


def write_csv(view: RunView, path: Path) -> Path:
    """Write the results as CSV (RFC 4180, UTF-8): text cells are made safe by `csv_cell`, an empty cell is no value."""
    types, rows = _table(view, path)
    with replacing(path) as file:
        text = io.TextIOWrapper(file, "utf-8", newline="", write_through=True)
        writer = csv.DictWriter(text, list(types))
        writer.writeheader()
        for row in rows:
            writer.writerow({name: csv_cell(value) if isinstance(value, str) else value for name, value in row.items()})
        text.detach()
    return path


def csv_cell(text: str) -> str:
    """Make a text inert in a spreadsheet: where it begins like a formula, it gets an apostrophe in front."""
    safe = inert_lines(text)
    return f"'{safe}" if any(start.startswith(_FORMULA) for start in (text, safe, safe.lstrip())) else safe


def write_parquet(view: RunView, path: Path) -> Path:
    """Write the results as Parquet, with a schema that does not depend on the values."""
    from magistrate.evaluation.readers.tables import parquet_writer  # noqa: PLC0415 - an extra

    types, rows = _table(view, path)
    with replacing(path) as file, parquet_writer(file, types) as write:
        while batch := list(islice(rows, _BATCH)):
            write({name: [writable(row[name]) for row in batch] for name in types})
    return path


def _table(view: RunView, path: Path) -> tuple[Mapping[str, Type], Iterator[dict[str, Any]]]:
    if path.stem.casefold().endswith(".statements"):
        return _STATEMENT_TYPES, statement_rows(view.run.results)
    return COLUMNS, table_rows(view.run.results)
