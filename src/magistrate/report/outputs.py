"""Which report a file name asks for, and writing it: each file appears whole or not at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from magistrate.errors import ConfigurationError
from magistrate.evaluation.files import check_target

if TYPE_CHECKING:
    from magistrate.report.view import RunView

KINDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        ".html": "html",
        ".json": "json",
        ".xml": "junit",
        ".md": "markdown",
        ".csv": "csv",
        ".parquet": "parquet",
        ".svg": "badge",
    }
)
"""The end of a file's name -> the kind of report that it gets."""
_WRITERS: Final[Mapping[str, tuple[str, str]]] = {
    "html": ("html.page", "write_html"),
    "json": ("programs.run", "write_json_report"),
    "junit": ("programs.junit", "write_junit"),
    "markdown": ("documents", "write_markdown"),
    "csv": ("programs.tables", "write_csv"),
    "parquet": ("programs.tables", "write_parquet"),
    "badge": ("documents", "write_badge"),
}
"""Kind -> module and function that write it; each is loaded when it is asked for."""


def report_kind(path: str | Path) -> str:
    """Say which report a file name asks for."""
    suffix = Path(path).suffix.casefold()
    if suffix not in KINDS:
        raise ConfigurationError(
            f"--output {path}: the name says which report is meant: end it with {', '.join(KINDS)}"
        )
    return KINDS[suffix]


def check_outputs(paths: Sequence[str | Path]) -> None:
    """Find out whether the reports can be written, before anything is spent on what goes into them."""
    for number, path in enumerate(paths):
        kind = report_kind(path)
        if path in paths[:number]:
            raise ConfigurationError(f"--output {path} is given twice")
        check_target(Path(path))
        if kind == "parquet":
            from magistrate.evaluation.readers.parquet import need_pyarrow  # noqa: PLC0415 - an extra

            need_pyarrow()


def write_reports(view: RunView, paths: Sequence[str | Path]) -> dict[str, Path]:
    """Write each report that a file name asks for."""
    written: dict[str, Path] = {}
    for name in paths:
        kind, path = report_kind(name), Path(name)
        module, function = _WRITERS[kind]
        getattr(import_module(f"magistrate.report.{module}"), function)(view, path)
        written[kind] = path
    return written
