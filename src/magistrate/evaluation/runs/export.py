"""The results of a run as rows of a table, and its figures as JSON holds them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, fields
from itertools import chain
from typing import Any, Literal

from magistrate.evaluation.aggregate import CategoryAggregate, Latency, RunSummary
from magistrate.evaluation.runs.results import STATEMENT_COLUMNS, CaseResult, statement_rows
from magistrate.metrics.base import MetricResult
from magistrate.records import Usage
from magistrate.statistics import Interval
from magistrate.verdict import Verdict


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
    "n_unsure": "passes_with_low_confidence",
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
