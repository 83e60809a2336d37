"""Which report a file name asks for, and writing it: each file appears whole or not at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final

from magistrate.errors import ConfigurationError
from magistrate.evaluation.files import check_target

if TYPE_CHECKING:
    from magistrate.report.view import RunView

_WRITERS: Final[Mapping[str, tuple[str, str, str]]] = {
    ".html": ("html", "html.page", "write_html"),
    ".json": ("json", "programs.run", "write_json_report"),
    ".xml": ("junit", "documents", "write_junit"),
    ".md": ("markdown", "documents", "write_markdown"),
    ".csv": ("csv", "programs.tables", "write_csv"),
    ".parquet": ("parquet", "programs.tables", "write_parquet"),
    ".svg": ("badge", "documents", "write_badge"),
}
"""The end of a file's name -> the kind of report that it gets, and what writes it, loaded when it is asked for."""


def report_kind(path: str | Path) -> str:
    """Say which report a file name asks for."""
    return _writer(path)[0]


def _writer(path: str | Path) -> tuple[str, str, str]:
    if found := _WRITERS.get(Path(path).suffix.casefold()):
        return found
    raise ConfigurationError(f"--output {path}: the name says which report is meant: end it with {', '.join(_WRITERS)}")


def check_outputs(paths: Sequence[str | Path], sources: Sequence[str] = ()) -> None:
    """Find out whether the reports can be written, before anything is spent on what goes into them."""
    for number, path in enumerate(paths):
        kind = report_kind(path)
        if path in paths[:number]:
            raise ConfigurationError(f"--output {path} is given twice")
        check_target(Path(path), sources)
        if kind == "parquet":
            from magistrate.evaluation.readers.tables import need_pyarrow  # noqa: PLC0415 - an extra

            need_pyarrow()


def write_reports(view: RunView, paths: Sequence[str | Path]) -> dict[str, Path]:
    """Write each report that a file name asks for."""
    written: dict[str, Path] = {}
    for name in paths:
        (kind, module, function), path = _writer(name), Path(name)
        getattr(import_module(f"magistrate.report.{module}"), function)(view, path)
        written[kind] = path
    return written
