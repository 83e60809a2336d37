"""A run: its results in the order of the cases, its figures, and both as tables and JSON."""

from __future__ import annotations

import contextlib
import json
import shutil
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, asdict, dataclass, field, fields, replace
from itertools import chain
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any, BinaryIO, Literal

from magistrate.errors import ConfigurationError, StoreError
from magistrate.evaluation.aggregate import Aggregate, CategoryAggregate, Latency, RunSummary, summarize
from magistrate.evaluation.files import REPORT_KIND, RESULTS, SCHEMA, replacing
from magistrate.evaluation.runs.results import (
    STATEMENT_COLUMNS,
    CaseResult,
    decode_result,
    encode_result,
    make_frame,
    statement_rows,
    without_reply,
)
from magistrate.evaluation.runs.store import RunHeader, RunState, RunWriter, check_schema, read_index, stored_results
from magistrate.metrics.base import MetricResult
from magistrate.records import Usage
from magistrate.statistics import Interval
from magistrate.verdict import Verdict

if TYPE_CHECKING:
    import pandas as pd


def _counting(verdict: Verdict | None) -> _Cell:
    return lambda _, metric: sum(found.verdict is verdict for found in metric.verdicts)


def _codes(metric: MetricResult) -> str:
    issues = chain(metric.issues, *(verdict.issues for verdict in metric.verdicts))
    return " ".join(sorted({issue.code.value for issue in issues}))


_Cell = Callable[[CaseResult, MetricResult], Any]
Type = Literal["int", "float", "text"]
_CELLS: Mapping[str, tuple[Type, _Cell]] = {
    "index": ("int", lambda result, _: result.index),
    "id": ("text", lambda result, _: result.id),
    "category": ("text", lambda result, _: result.case.category),
    "metric": ("text", lambda _, metric: metric.metric),
    "policy": ("text", lambda _, metric: metric.policy),
    "status": ("text", lambda _, metric: metric.status.value),
    "score": ("float", lambda _, metric: metric.score),
    "lower": ("float", lambda _, metric: metric.bounds and metric.bounds[0]),
    "upper": ("float", lambda _, metric: metric.bounds and metric.bounds[1]),
    "threshold": ("float", lambda _, metric: metric.threshold),
    "outcome": ("text", lambda _, metric: metric.outcome.value),
    "reason": ("text", lambda _, metric: metric.reason),
    "statements": ("int", lambda _, metric: len(metric.verdicts)),
    **{verdict.value: ("int", _counting(verdict)) for verdict in Verdict},
    "without_verdict": ("int", _counting(None)),
    "issues": ("text", lambda _, metric: _codes(metric)),
    "problems": ("text", lambda result, _: "; ".join(map(str, result.problems))),
    "judge": ("text", lambda _, metric: metric.judge),
    "calls": ("int", lambda _, metric: metric.usage.calls),
    "cached": ("int", lambda _, metric: metric.usage.cached),
    "prompt_tokens": ("int", lambda _, metric: metric.usage.prompt_tokens),
    "completion_tokens": ("int", lambda _, metric: metric.usage.completion_tokens),
    "cost": ("float", lambda _, metric: metric.usage.cost),
    "latency_ms": ("float", lambda _, metric: metric.latency_ms),
    "question": ("text", lambda result, _: result.case.question),
    "answer": ("text", lambda result, _: result.case.answer),
}
COLUMNS = {name: kind for name, (kind, _) in _CELLS.items()}
"""Columns of the flat table of results, in order, and what they hold. The verdicts' columns count statements."""


def table_rows(results: Iterable[CaseResult]) -> Iterator[dict[str, Any]]:
    """Yield one flat row for each case and metric, with the columns `COLUMNS`."""
    for result in results:
        for name, metric in result.metrics.items():
            yield {column: cell(result, metric) for column, (_, cell) in _CELLS.items()} | {"metric": name}


def statement_table(results: Iterable[CaseResult]) -> tuple[Iterator[Any], list[str]]:
    """Rows for each case, metric and statement, under the keys that labels have, and their columns."""
    columns = ["case_id", *("statement_id" if name == "id" else name for name in STATEMENT_COLUMNS)]
    return ((result.id, *row) for result in results for row in statement_rows(result)), columns


def summary_dict(summary: RunSummary) -> dict[str, Any]:
    """The figures of a run as JSON holds them."""
    return {
        "cases": summary.n,
        "rows_not_readable": summary.n_blocked,
        "rows_with_problems": summary.n_problems,
        "metrics": _plain(summary.metrics),
        "usage": usage_dict(summary.usage),
        "call_latency_ms": _plain(summary.call_latency),
        "models": [
            {"requested": requested, "served": served, "calls": calls}
            for (requested, served), calls in summary.models.items()
        ],
        "prompts": [
            {"name": name, "version": version, "calls": calls} for (name, version), calls in summary.prompts.items()
        ],
        "call_notes": dict(summary.call_notes),
    }


_NAMES = {
    "n": "cases",
    "n_scored": "scored",
    "n_left_out": "answers_with_sentences_left_out",
    "latency": "latency_ms",
}
"""Figures that JSON has under another name."""


def _plain(value: Any) -> Any:
    match value:
        case Usage():
            return usage_dict(value)
        case Latency():
            return asdict(value)
        case Interval():
            return [value.low, value.high]
        case CategoryAggregate():
            named = {one.name: getattr(value, one.name) for one in fields(value) if one.name != "metric"}
            further = {"coverage": value.coverage, "interval_method": value.interval and value.interval.method}
            return {_NAMES.get(name, name): _plain(found) for name, found in (named | further).items()}
        case Mapping():
            return {"none" if key is None else getattr(key, "value", key): _plain(one) for key, one in value.items()}
        case _:
            return value


def usage_dict(usage: Usage) -> dict[str, Any]:
    """Usage as JSON holds it; what is not known is the word "unknown", never 0."""
    return {key: "unknown" if value is None else value for key, value in asdict(usage).items()}


MAX_CASES = 10_000
"""Above this many cases a report leaves them out: they are in results.jsonl, which is read line by line."""


@dataclass(eq=False, repr=False)
class Run:
    """What an evaluation found.

    Attributes:
        results: The results in the order of the cases. In a stored run each is read from the file when it is asked for.
        header: What the run was asked to do.
        state: "complete", "interrupted", "over_budget", "judge_down", "pending" (a batch is under way), "failed", or
            "running" if the process was killed.
        message: What ended it early; None where it is complete.
        path: The run's folder; None where it is held in memory.
    """

    results: Sequence[CaseResult]
    header: RunHeader
    _: KW_ONLY
    state: RunState = "complete"
    message: str | None = None
    path: Path | None = None
    _summary: RunSummary | None = field(default=None, init=False)

    def __len__(self) -> int:
        return len(self.results)

    def __iter__(self) -> Iterator[CaseResult]:
        return iter(self.results)

    def __repr__(self) -> str:
        means = ", ".join(map(str, self.metrics.values()))
        return f"<Run {self.state}, {len(self)} case{'s' * (len(self) != 1)}, judge {self.judge}: {means}>"

    @property
    def judge(self) -> str:
        """The judge's name as the run's header has it."""
        judge = self.header.config.get("judge") or {}
        return str(judge.get("model") or judge.get("name") or "unknown")

    @property
    def summary(self) -> RunSummary:
        """The figures, computed when they are first asked for."""
        return self._summary or self.look(self.results)

    def look(self, results: Iterable[CaseResult]) -> RunSummary:
        """Go through the run's results, and compute its figures where they are not yet known."""
        if self._summary is None:
            self._summary = summarize(results)
        else:
            deque(results, maxlen=0)
        return self._summary

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
        with contextlib.closing(RunWriter(path, self.header)) as writer:
            for result in self.results:
                writer.append(result)
            writer.end(self.state, message=self.message)
        return path

    def to_pandas(self, rows: Literal["cases", "statements", "metrics"] = "cases") -> pd.DataFrame:
        """One row for each case and metric: case_id, status, score, bounds, outcome, verdicts counted, cost, latency.

        Args:
            rows: "statements" for a row for each case, metric and statement instead (see `CaseResult.to_pandas`);
                "metrics" for one for each metric: its mean, the 95 % interval (low, high), the bounds (lower, upper).

        Raises:
            ConfigurationError: If `rows` is none of these.
            MissingExtraError: If pandas is not installed.
        """
        if rows == "statements":
            return make_frame(*statement_table(self.results))
        if rows == "metrics":
            columns = ("metric", "judge", "mean", "low", "high", "lower", "upper", "n", "n_scored")
            found = ((f, f.interval, f.bounds or (None, None)) for f in self.metrics.values())
            table = (
                (f.metric, f.judge, f.mean, within and within.low, within and within.high, *bounds, f.n, f.n_scored)
                for f, within, bounds in found
            )
            return make_frame(table, columns)
        if rows != "cases":
            raise ConfigurationError(f'rows are "cases", "statements" or "metrics", not {rows!r}')
        return make_frame((row | {"case_id": row["id"]} for row in table_rows(self.results)), [*COLUMNS, "case_id"])

    def _repr_html_(self) -> str:
        from magistrate.report.documents import run_html  # noqa: PLC0415 - only in notebooks

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
    results = stored_results(path, index.order())
    return Run(results, index.header, state=index.state, message=index.message, path=path.parent)


def _load_report(path: Path) -> Run:
    try:
        report = json.loads(path.read_bytes())
        if report["kind"] != REPORT_KIND:
            raise ValueError  # noqa: TRY301 - one message for all that is no report
        schema, run = report["schema"], report["run"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        raise StoreError(f"{path}: is no report of magistrate") from None
    check_schema(schema, path)
    if report.get("cases") is None:  # a large run: they are in its folder
        for folder in (path.parent, Path(str(run.get("folder") or ""))):
            if (folder / RESULTS).is_file():
                return load_run(folder)
        raise StoreError(f"{path}: leaves its cases out, and the run's folder {run.get('folder')!r} is not there")
    try:
        results = [decode_result(json.dumps(case).encode()) for case in report["cases"]]
        header = RunHeader(**run["header"])
    except (ValueError, TypeError, KeyError) as error:
        raise StoreError(f"{path}: cannot be read: {error}") from None
    return Run(results, header, state=run.get("state", "complete"), message=run.get("message"))


def write_report(
    run: Run,
    path: Path,
    *,
    raw: bool = True,
    extra: Callable[[], Mapping[str, Any]] = dict,
    most: int = MAX_CASES,
) -> Path:
    """Write a run as one JSON file, case by case, readable by its owner only; `extra` makes what stands beside that."""
    with replacing(path) as file, TemporaryFile() as cases:
        # Each result is read once: for the figures, which come first, and as a case.
        if len(run) <= most:
            run.look(_write_case(cases, result, raw=raw) for result in run.results)
        head = {
            "kind": REPORT_KIND,
            "schema": SCHEMA,
            "run": {
                "state": run.state,
                "message": run.message,
                "folder": str(run.path) if run.path else None,
                "header": asdict(run.header),
                "config_hash": run.header.config_hash,
            },
            "results_digest": run.summary.digest,
            **extra(),
            "summary": summary_dict(run.summary),
        }
        text = json.dumps(head, indent=2, ensure_ascii=False, default=str).removesuffix("\n}")
        file.write(text.encode("utf-8", "replace"))
        if len(run) > most:
            file.write(b',\n  "cases_left_out": %d\n}\n' % len(run))
            return path
        file.write(b',\n  "cases": [')
        cases.seek(0)
        shutil.copyfileobj(cases, file)
        file.write(b"\n  ]\n}\n")
    return path


def _write_case(file: BinaryIO, result: CaseResult, *, raw: bool) -> CaseResult:
    bare = (
        {} if raw else {key: replace(m, calls=tuple(map(without_reply, m.calls))) for key, m in result.metrics.items()}
    )
    file.write(b",\n    " if file.tell() else b"\n    ")
    file.write(encode_result(result if raw else replace(result, metrics=bare), full=True))
    return result
