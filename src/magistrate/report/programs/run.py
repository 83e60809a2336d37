"""A run for programs: report.json and what others share with it, the JSON of VERA ADR-0036, tables (CSV, Parquet)."""

import io
import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any, Final

from magistrate.evaluation.aggregate import CategoryAggregate
from magistrate.evaluation.comparison import Baseline, MetricStability
from magistrate.evaluation.files import replacing, write_text
from magistrate.evaluation.laws import LAWS, LawResult, categorical
from magistrate.evaluation.runs.results import CaseResult, writable
from magistrate.evaluation.runs.run import COLUMNS, Type, table_rows, write_report
from magistrate.metrics.base import MetricResult
from magistrate.metrics.grounding.references import f_score
from magistrate.metrics.registry import GROUPS
from magistrate.report.text import csv_rows
from magistrate.report.view import RunView
from magistrate.statistics import Comparison, Interval, McNemarTest, Pair, format_change, percentile, relative_change
from magistrate.verdict import StatementVerdict

_AS_IT_IS: Final = ("direction", "coverage", "change", "relative_change", "confidence", "minimum_detectable_effect")
"""Of a comparison, under their names."""
_OF_A_LAW: Final = ("status", "checked", "violations", "unknown", "rate", "tolerance")


def write_json_report(view: RunView, path: Path) -> Path:
    """Write report.json: header, notices, figures, gates, and every case with all that was found in it."""
    return write_report(view.run, path, raw=view.raw, extra=lambda: parts_dict(view))


def parts_dict(view: RunView) -> dict[str, Any]:
    """What a report holds besides header, figures and cases: notices, gate, baselines, stability, laws."""
    gate = None
    if view.checks is not None:
        gate = {"exit_code": view.exit_code, "checks": [asdict(item) for item in view.checks]}
    return {
        "notices": view.caveats,
        "gate": gate,
        "baselines": [baseline_dict(item) for item in view.baselines],
        "stability": {name: _stability(metric) for name, metric in view.stability.items()} or None,
        "categorical_tests": laws_dict(view.laws) if view.laws else None,
    }


def baseline_dict(baseline: Baseline) -> dict[str, Any]:
    """A comparison as JSON holds it; what is undefined is null and `notes` says why."""
    return {
        "name": baseline.name,
        "notes": list(baseline.notes),
        "metrics": {name: _comparison(found) for name, found in baseline.comparisons.items()},
    }


def _comparison(found: Comparison) -> dict[str, Any]:
    flips = found.flips
    return {
        **{name: getattr(found, name) for name in _AS_IT_IS},
        "cases": found.n_ids,
        "compared": found.n,
        "mean_baseline": found.mean_a,
        "mean": found.mean_b,
        "change_interval": _interval(found.change_interval),
        "change_bounds": list(found.change_bounds) if found.change_bounds else None,
        "relative_change_interval": _interval(found.relative_change_interval),
        "test": "mcnemar" if isinstance(found.test, McNemarTest) else "wilcoxon",
        "p_value": found.test.p_value,
        "wins": _pairs(found.wins),
        "losses": _pairs(found.losses),
        "ties": len(found.ties),
        "now_passes": _pairs(flips.gained) if flips else None,
        "now_fails": _pairs(flips.lost) if flips else None,
        "unscored_in_baseline": list(found.unscored_in_a),
        "unscored": list(found.unscored_in_b),
        "unscored_in_both": list(found.unscored_in_both),
        "only_in_baseline": list(found.only_in_a),
        "only_in_run": list(found.only_in_b),
        "notes": list(found.notes),
    }


def _interval(interval: Interval | None) -> list[float] | None:
    return [interval.low, interval.high] if interval else None


def _pairs(pairs: tuple[Pair, ...]) -> list[dict[str, Any]]:
    return [{"id": pair.id, "baseline": pair.a, "score": pair.b} for pair in pairs]


def laws_dict(laws: Sequence[LawResult]) -> dict[str, Any]:
    """The laws as `categorical_tests` of a report: each with its status, its rate and the offending cases."""
    return {
        name: {
            "status": status,
            "law": LAWS[name],
            **{
                law.kind: {
                    **{one: getattr(law, one) for one in _OF_A_LAW},
                    "offending": [asdict(offence) for offence in law.offending],
                }
                for law in laws
                if law.law == name
            },
        }
        for name, status in categorical(laws).items()
    }


def _stability(metric: MetricStability) -> dict[str, Any]:
    return {
        "repeats": metric.repeats,
        "outcome_flip_rate": metric.outcomes.flip_rate,
        "verdict_flip_rate": metric.verdict_flip_rate,
        "unstable_cases": {key: metric.outcomes.rates[key] for key in metric.outcomes.flipped},
        "noise": asdict(metric.noise),
    }


VERA_METRICS: Final = {name.replace("grounding_f1", "f1_score"): name for name in GROUPS["vera"]}
"""Key of the report -> name of the metric. f1_score is taken of the two means above it, as in the report's figures."""

VERA_LAWS: Final = ("functor_identity", "functor_composition", "natural_transformation_distribution")
"""The laws that the report names."""

_COMPARED: Final = ("grounding_precision", "citation_accuracy", "hallucination_rate")
_DIGITS = 4
_ENDING = re.compile(r"(\.(jsonl|json|csv|tsv|yaml|yml|parquet))*(\.gz)?$")


def vera_report(view: RunView) -> dict[str, Any]:
    """Return a run in the shape of VERA ADR-0036's report: every key, "+41.5%" for a relative change.

    A figure that was not measured is None, and so is a change from a baseline of 0; means are over the cases with a
    score, rounded to four digits. Latency is the 99th percentile over the cases of what answering took, where the
    dataset says it (`latency_ms`) or the run made the answers, else of what judging took.
    """
    run, laws = view.run, categorical(view.laws).items() if view.laws else ()
    figures = {key: run.summary.metrics.get(name) for key, name in VERA_METRICS.items()}
    means = {key: None if one is None else one.mean for key, one in figures.items()}
    precision, recall = means["grounding_precision"], means["grounding_recall"]
    means["f1_score"] = None if precision is None or recall is None else f_score(precision, recall)
    categories: Mapping[str, CategoryAggregate] = {}
    if measured := figures["grounding_precision"] or figures["faithfulness"]:
        categories = measured.categories
    created = run.header.created
    with suppress(ValueError):  # a report from elsewhere may have any
        created = datetime.fromisoformat(created).strftime("%Y-%m-%dT%H:%M:%SZ")
    durations = []
    for result in run.results:
        took: Any = result.case.metadata.get("latency_ms")
        stated = isinstance(took, int | float) and not isinstance(took, bool) and 0 < took < math.inf
        durations.append(float(took) if stated else result.elapsed_ms)
    durations = sorted(filter(None, durations))
    latency = round(percentile(durations, 0.99), 1) if durations else None
    return {
        "dataset": _ENDING.sub("", view.dataset),
        "timestamp": created,
        "queries_evaluated": len(run),
        "metrics": {**{key: _rounded(value) for key, value in means.items()}, "latency_p99_ms": latency},
        "baseline_comparison": _compared(view.baselines[0]) if view.baselines else None,
        "categorical_tests": {law: status for law, status in laws if law in VERA_LAWS},
        "per_category_breakdown": {
            name: {"precision": _rounded(part.mean), "count": part.n} for name, part in categories.items()
        },
    }


def vera_json(view: RunView) -> str:
    """The same as indented JSON text."""
    return json.dumps(vera_report(view), indent=2, ensure_ascii=False)


def write_vera(view: RunView, path: Path) -> Path:
    """Write the same to a file, readable by its owner only."""
    return write_text(path, f"{vera_json(view)}\n")


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, _DIGITS)


def _compared(baseline: Baseline) -> dict[str, Any]:
    """The baseline's figures over the cases that both scored, and the relative changes."""
    figures: dict[str, float | None] = {}
    changes: dict[str, str | None] = {}
    for key in _COMPARED:
        found = baseline.comparisons.get(key)
        before, after = (found.mean_a, found.mean_b) if found else (None, None)
        figures[key] = _rounded(before)
        changes[key] = format_change(None if before is None or after is None else relative_change(before, after))
    return {baseline.name.replace("-", "_"): figures, "improvement_over_baseline": changes}


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
    """Write the results as CSV in UTF-8."""
    types, rows = _table(view, path)
    with replacing(path) as file:
        text = io.TextIOWrapper(file, "utf-8", newline="", write_through=True)
        add = csv_rows(text, [*types])
        for row in rows:
            add(row)
        text.detach()
    return path


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
