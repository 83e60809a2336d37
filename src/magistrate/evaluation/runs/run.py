"""A run: its results in the order of the cases, and its figures."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from magistrate.errors import StoreError
from magistrate.evaluation.aggregate import Aggregate, RunSummary, summarize
from magistrate.evaluation.runs.export import COLUMNS, REPORT_KIND, table_rows, write_report
from magistrate.evaluation.runs.frames import make_frame
from magistrate.evaluation.runs.results import CaseResult, decode_result
from magistrate.evaluation.runs.store import (
    RESULTS,
    SCHEMA,
    RunHeader,
    RunWriter,
    State,
    StoredResults,
    read_index,
)

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Run", "load_run"]


class Run:
    """What an evaluation found.

    Attributes:
        results: The results in the order of the cases. In a stored run each is read from the file when it is asked for.
        header: What the run was asked to do.
        state: "complete", "interrupted", "over_budget", "judge_down", "failed", or "running" if the process was killed.
        message: What ended it early; None where it is complete.
        path: The run's folder; None where it is held in memory.
    """

    def __init__(
        self,
        results: Sequence[CaseResult],
        header: RunHeader,
        *,
        state: State = "complete",
        message: str | None = None,
        path: Path | None = None,
    ) -> None:
        self.results = results
        self.header = header
        self.state: State = state
        self.message = message
        self.path = path

    def __len__(self) -> int:
        return len(self.results)

    def __iter__(self) -> Iterator[CaseResult]:
        return iter(self.results)

    def __repr__(self) -> str:
        means = ", ".join(
            f"{name} {'none' if m.mean is None else format(m.mean, '.3f')} ({m.n_scored} of {m.n} scored)"
            for name, m in self.summary.metrics.items()
        )
        return f"<Run {self.state}, {len(self)} cases: {means}>"

    @cached_property
    def summary(self) -> RunSummary:
        """The figures, computed when they are first asked for."""
        return summarize(self.results)

    @property
    def metrics(self) -> dict[str, Aggregate]:
        """Name of the metric -> its figures."""
        return dict(self.summary.metrics)

    def find(self, case_id: str) -> list[CaseResult]:
        """The results of the cases with this id: usually one."""
        return [result for result in self.results if result.id == case_id]

    def save(self, path: str | Path) -> Path:
        """Write the run: as one report.json where the path ends in ".json", else as a folder that can be loaded again.

        Raises:
            StoreError: If it cannot be written, or the folder holds another run.
        """
        path = Path(path)
        if path.suffix == ".json":
            return write_report(self, path)
        if (path / RESULTS).exists():
            raise StoreError(f"{path} holds a run already: choose another folder")
        writer = RunWriter(path, self.header)
        try:
            for result in self.results:
                writer.append(result)
            writer.end(self.state, message=self.message)
        finally:
            writer.close()
        return path

    def to_pandas(self) -> pd.DataFrame:
        """One row for each case and metric: id, status, score, bounds, outcome, counts of verdicts, cost, latency.

        Raises:
            MissingExtraError: If pandas is not installed.
        """
        return make_frame(table_rows(self.results), COLUMNS)

    def _repr_html_(self) -> str:
        from magistrate.evaluation.runs.notebook import run_html  # noqa: PLC0415 - only in notebooks

        return run_html(self)


def load_run(path: str | Path) -> Run:
    """Read a run back from its folder, its results.jsonl, or a report.json.

    Raises:
        StoreError: If there is no run, it is damaged, or was written by a newer version.
    """
    path = Path(path)
    if path.is_dir():
        folder, path = path, path / RESULTS
        if not path.exists():
            raise StoreError(f"{folder} holds no run: there is no {RESULTS} in it")
    if not path.exists():
        raise StoreError(f"{path}: no such run")
    if path.suffix == ".json":
        return _load_report(path)
    index = read_index(path)
    results = StoredResults(path, index.order())
    return Run(results, index.header, state=index.state, message=index.message, path=path.parent)


def _load_report(path: Path) -> Run:
    try:
        report = json.loads(path.read_bytes())
        if report["kind"] != REPORT_KIND:
            raise ValueError  # noqa: TRY301 - one message for all that is no report
        schema, run = report["schema"], report["run"]
    except (OSError, ValueError, KeyError, TypeError):
        raise StoreError(f"{path}: is no report of magistrate") from None
    if schema > SCHEMA:
        raise StoreError(f"{path}: written in schema {schema}; this version reads up to {SCHEMA}: upgrade magistrate")
    if report.get("cases") is None:
        return _load_beside(path, run)
    try:
        results = [decode_result(json.dumps(case).encode()) for case in report["cases"]]
        header = RunHeader(**run["header"])
    except (ValueError, TypeError, KeyError) as error:
        raise StoreError(f"{path}: cannot be read: {error}") from None
    return Run(results, header, state=run.get("state", "complete"), message=run.get("message"))


def _load_beside(path: Path, run: dict[str, Any]) -> Run:
    """A report of a large run leaves its cases out: they are in the run's folder."""
    for folder in (path.parent, Path(str(run.get("folder") or ""))):
        if (folder / RESULTS).is_file():
            return load_run(folder)
    raise StoreError(f"{path}: leaves its cases out, and the run's folder {run.get('folder')!r} is not there")
