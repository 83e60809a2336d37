"""The results of a run as rows of a table, and its figures as JSON holds them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any

from magistrate.evaluation.aggregate import Aggregate, CategoryAggregate, Latency, RunSummary
from magistrate.evaluation.runs.results import CaseResult
from magistrate.metrics.base import MetricResult
from magistrate.records import Usage
from magistrate.verdict import Verdict

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
