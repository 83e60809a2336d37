"""Which report a file name asks for, and writing the reports of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from magistrate.errors import ConfigurationError

if TYPE_CHECKING:
    from magistrate.evaluation.comparison import Baseline
    from magistrate.evaluation.gate import Check
    from magistrate.evaluation.laws import LawResult
    from magistrate.evaluation.runs.run import Run

__all__ = ["KINDS", "check_outputs", "report_kind", "write_reports"]

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
_STATEMENTS: Final = ".statements"


def report_kind(path: str | Path) -> str:
    """Say which report a file name asks for.

    Raises:
        ConfigurationError: If its ending is none of `KINDS`.
    """
    suffix = Path(path).suffix.casefold()
    if suffix not in KINDS:
        raise ConfigurationError(
            f"--output {path}: the name says which report is meant: end it with {', '.join(KINDS)}"
        )
    return KINDS[suffix]


def check_outputs(paths: Sequence[str | Path]) -> None:
    """Find out whether the reports can be written, before anything is spent on what goes into them.

    Raises:
        ConfigurationError: If a name does not say which report is meant, or comes twice.
        MissingExtraError: If one needs a package that is not installed.
        StoreError: If a file could not be written.
    """
    from magistrate.report.files import check_target  # noqa: PLC0415 - nothing to check is the usual case

    for number, path in enumerate(paths):
        kind = report_kind(path)
        if path in paths[:number]:
            raise ConfigurationError(f"--output {path} is given twice")
        check_target(Path(path))
        if kind == "parquet":
            from magistrate.evaluation.readers.parquet import need_pyarrow  # noqa: PLC0415 - an extra

            need_pyarrow()


def write_reports(
    run: Run,
    paths: Sequence[str | Path],
    *,
    checks: Sequence[Check] | None = None,
    baselines: Sequence[Baseline] = (),
    laws: Sequence[LawResult] = (),
    raw: bool = True,
) -> dict[str, Path]:
    """Write each report that a file name asks for; the last of each kind is named in what comes back.

    A table (CSV, Parquet) has one row for each case and metric, or for each statement if its name ends in
    ".statements.csv" or ".statements.parquet".

    Args:
        run: The run.
        paths: The files; each appears whole or not at all.
        checks: The gated figures; None where nothing was gated.
        baselines: The runs it is compared with.
        laws: The laws that were checked.
        raw: Whether the raw completions go into a report that has room for them.

    Raises:
        ConfigurationError: If a name does not say which report is meant.
        MissingExtraError: If one needs a package that is not installed.
        StoreError: If a file cannot be written.
    """
    written: dict[str, Path] = {}
    for name in paths:
        path = Path(name)
        written[report_kind(path)] = _write(run, path, checks, baselines, laws, raw=raw)
    return written


def _write(  # noqa: PLR0911 - one way out for each kind
    run: Run,
    path: Path,
    checks: Sequence[Check] | None,
    baselines: Sequence[Baseline],
    laws: Sequence[LawResult],
    *,
    raw: bool,
) -> Path:
    statements = path.stem.casefold().endswith(_STATEMENTS)
    match report_kind(path):
        case "html":
            from magistrate.report.html_report import write_html  # noqa: PLC0415 - each loads on its own

            return write_html(run, path, checks=checks, baselines=baselines, laws=laws, raw=raw)
        case "junit":
            from magistrate.report.junit_report import write_junit  # noqa: PLC0415

            return write_junit(run, path, checks=checks)
        case "markdown":
            from magistrate.report.markdown import write_markdown  # noqa: PLC0415

            return write_markdown(run, path, checks=checks, baselines=baselines)
        case "csv":
            from magistrate.report.table import write_csv  # noqa: PLC0415

            return write_csv(run, path, statements=statements)
        case "parquet":
            from magistrate.report.table import write_parquet  # noqa: PLC0415

            return write_parquet(run, path, statements=statements)
        case "badge":
            from magistrate.report.badge import write_badge  # noqa: PLC0415

            return write_badge(run, path, checks=checks)
        case _:
            from magistrate.report.json_report import write_json_report  # noqa: PLC0415

            return write_json_report(run, path, checks=checks, baselines=baselines, laws=laws, raw=raw)
