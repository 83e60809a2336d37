"""Runs in other forms: report.json, and rows of a table."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from magistrate.errors import StoreError
from magistrate.evaluation.aggregate import Aggregate, CategoryAggregate, Latency, RunSummary
from magistrate.evaluation.runs.results import CaseResult, encode_result
from magistrate.evaluation.runs.store import SCHEMA
from magistrate.metrics.base import MetricResult
from magistrate.records import Usage
from magistrate.verdict import Verdict

if TYPE_CHECKING:
    from magistrate.evaluation.runs.run import Run

__all__ = ["COLUMNS", "MAX_CASES", "REPORT_KIND", "summary_dict", "table_rows", "without_raw", "write_report"]

REPORT_KIND = "magistrate-report"
"""What a report.json says it is."""
MAX_CASES = 10_000
"""Above this many cases a report leaves them out: they are in results.jsonl, which is read line by line."""

COLUMNS = (
    "index",
    "id",
    "category",
    "metric",
    "policy",
    "status",
    "score",
    "lower",
    "upper",
    "threshold",
    "outcome",
    "reason",
    "statements",
    *(verdict.value for verdict in Verdict),
    "without_verdict",
    "issues",
    "problems",
    "judge",
    "calls",
    "cached",
    "prompt_tokens",
    "completion_tokens",
    "cost",
    "latency_ms",
    "question",
    "answer",
)
"""Columns of the flat table of results, in order. The verdicts' columns count statements."""


def table_rows(results: Iterable[CaseResult]) -> Iterator[dict[str, Any]]:
    """Yield one flat row for each case and metric, with the columns `COLUMNS`."""
    for result in results:
        for name, metric in result.metrics.items():
            yield dict(zip(COLUMNS, _cells(result, name, metric), strict=True))


def _cells(result: CaseResult, name: str, metric: MetricResult) -> tuple[Any, ...]:
    verdicts = [verdict.verdict for verdict in metric.verdicts]
    lower, upper = metric.bounds or (None, None)
    issues = {issue.code.value for issue in metric.issues}
    issues.update(issue.code.value for verdict in metric.verdicts for issue in verdict.issues)
    usage = metric.usage
    return (
        result.index,
        result.id,
        result.case.category,
        name,
        metric.policy,
        metric.status.value,
        metric.score,
        lower,
        upper,
        metric.threshold,
        metric.outcome.value,
        metric.reason,
        len(metric.verdicts),
        *(verdicts.count(verdict) for verdict in Verdict),
        verdicts.count(None),
        " ".join(sorted(issues)),
        "; ".join(str(problem) for problem in result.problems),
        metric.judge,
        usage.calls,
        usage.cached,
        usage.prompt_tokens,
        usage.completion_tokens,
        usage.cost,
        metric.latency_ms,
        result.case.question,
        result.case.answer,
    )


def summary_dict(summary: RunSummary) -> dict[str, Any]:
    """The figures of a run as JSON holds them."""
    return {
        "cases": summary.n,
        "rows_not_readable": summary.n_blocked,
        "rows_with_problems": summary.n_problems,
        "metrics": {name: _metric(figures) for name, figures in summary.metrics.items()},
        "usage": usage_dict(summary.usage),
        "call_latency_ms": _latency(summary.call_latency),
        "models": [
            {"requested": requested, "served": served, "calls": calls}
            for (requested, served), calls in summary.models.items()
        ],
        "prompts": [
            {"name": name, "version": version, "calls": calls} for (name, version), calls in summary.prompts.items()
        ],
        "call_notes": dict(summary.call_notes),
    }


def _metric(figures: Aggregate) -> dict[str, Any]:
    return {
        "policy": figures.policy,
        "judge": figures.judge,
        "threshold": figures.threshold,
        "direction": figures.direction,
        **_group(figures),
        "verdicts": {verdict.value if verdict else "none": n for verdict, n in figures.verdicts.items()},
        "answers_with_sentences_left_out": figures.n_left_out,
        "latency_ms": _latency(figures.latency),
        "usage": usage_dict(figures.usage),
        "categories": {name: _group(category) for name, category in figures.categories.items()},
    }


def _group(figures: CategoryAggregate) -> dict[str, Any]:
    interval = figures.interval
    return {
        "cases": figures.n,
        "scored": figures.n_scored,
        "coverage": figures.coverage,
        "mean": figures.mean,
        "interval": [interval.low, interval.high] if interval else None,
        "interval_method": interval.method if interval else None,
        "bounds": list(figures.bounds) if figures.bounds else None,
        "statuses": {status.value: n for status, n in figures.statuses.items()},
        "not_scored": {status.value: n for status, n in figures.not_scored.items()},
        "outcomes": {outcome.value: n for outcome, n in figures.outcomes.items()},
    }


def usage_dict(usage: Usage) -> dict[str, Any]:
    """Usage as JSON holds it; what is not known is the word "unknown", never 0."""
    return {key: "unknown" if value is None else value for key, value in asdict(usage).items()}


def _latency(latency: Latency | None) -> dict[str, Any] | None:
    return asdict(latency) if latency else None


def without_raw(result: CaseResult) -> CaseResult:
    """The result without the text of the raw completions."""
    metrics = {
        name: replace(
            metric,
            calls=tuple(
                replace(call, completion=replace(call.completion, text=None, reasoning=None, refusal=None))
                if call.completion
                else call
                for call in metric.calls
            ),
        )
        for name, metric in result.metrics.items()
    }
    return replace(result, metrics=metrics)


def write_report(
    run: Run, path: Path, *, raw: bool = True, extra: Mapping[str, Any] | None = None, most: int = MAX_CASES
) -> Path:
    """Write a run as one JSON file, case by case, readable by its owner only.

    The file appears whole or not at all.

    Args:
        run: The run.
        path: The file.
        raw: Whether to include the raw completions.
        extra: Further entries at the top, such as gates.
        most: Above this many cases they are left out.

    Raises:
        StoreError: If it cannot be written.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(draft, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600), "wb") as file:
            _write(run, file, raw=raw, extra=extra or {}, with_cases=len(run) <= most)
        draft.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            draft.unlink()
        raise StoreError(f"{path}: cannot be written: {error.strerror or error}") from None
    return path


def _write(run: Run, file: BinaryIO, *, raw: bool, extra: Mapping[str, Any], with_cases: bool) -> None:
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
        **extra,
        "summary": summary_dict(run.summary),
    }
    text = json.dumps(head, indent=2, ensure_ascii=False, default=str).removesuffix("\n}")
    file.write(text.encode("utf-8", "replace"))
    if not with_cases:
        file.write(b',\n  "cases_left_out": %d\n}\n' % len(run))
        return
    file.write(b',\n  "cases": [')
    for position, result in enumerate(run.results):
        file.write(b",\n    " if position else b"\n    ")
        file.write(encode_result(result if raw else without_raw(result), full=True))
    file.write(b"\n  ]\n}\n")
