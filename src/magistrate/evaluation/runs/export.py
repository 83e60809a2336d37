"""The results of a run as rows of a table, and its figures as JSON holds them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict
from typing import Any, Literal

from magistrate.evaluation.aggregate import Aggregate, CategoryAggregate, Latency, RunSummary
from magistrate.evaluation.runs.results import CaseResult
from magistrate.metrics.base import MetricResult
from magistrate.records import Usage
from magistrate.verdict import Issue, Verdict


def _counting(verdict: Verdict | None) -> _Cell:
    return lambda _, metric: sum(found.verdict is verdict for found in metric.verdicts)


def _issues(metric: MetricResult) -> Iterator[Issue]:
    yield from metric.issues
    for verdict in metric.verdicts:
        yield from verdict.issues


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
    "issues": ("text", lambda _, metric: " ".join(sorted({issue.code.value for issue in _issues(metric)}))),
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
        "passes_with_low_confidence": figures.n_unsure,
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
