"""Rows in, columns out: replies parsed, recorded scores audited, cases judged. Faults are values of rows."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from magistrate.audit import AuditTask, audit_files
from magistrate.evaluation.api import evaluate
from magistrate.judges import Judge, makes_calls, resolve_judge
from magistrate.metrics.base import Metric
from magistrate.metrics.faithfulness import Faithfulness
from magistrate.parsing import parse_verdicts
from magistrate.report.programs.replies import finding_line
from magistrate.verdict import StatementVerdict

Columns = dict[str, list[Any]]
_opened: dict[str, Judge] = {}
PARSED = {"status": "text", "verdicts": "texts", "issues": "texts"}
AUDITED = {"standing": "text", "why": "text", "finding": "text"}
_JUDGED = {"score": "number", "status": "text", "outcome": "text", "verdicts": "texts", "reason": "text"}


def judged_columns(metrics: Sequence[Metric] | None) -> dict[str, str]:
    """The columns of judged rows, and their types."""
    names = [metric.name for metric in metrics or [Faithfulness()]]
    return {f"{name}_{column}": kind for name in names for column, kind in _JUDGED.items()}


def parse_columns(replies: Sequence[Any], statements: Sequence[Any], **options: Any) -> Columns:
    """Parse a reply a row; `options` are those of `parse_verdicts`."""
    given = zip(replies, statements, strict=True)
    read = [parse_verdicts(reply, None if asked is None else list(asked), **options) for reply, asked in given]
    return {
        "status": [one.status.value for one in read],
        "verdicts": [_words(one.verdicts) for one in read],
        "issues": [[issue.code.value for issue in one.issues] for one in read],
    }


def audit_columns(rows: Sequence[Mapping[str, Any]], task: AuditTask, fields: Mapping[str, str]) -> Columns:
    """Hold the recorded score of each row against its reply; `finding` is what `audit --findings` writes."""
    with TemporaryDirectory(prefix="magistrate-") as folder:
        path = Path(folder, "rows.jsonl")
        path.write_text("".join(json.dumps(row, default=str) + "\n" for row in rows), encoding="utf-8")
        found = list(audit_files([str(path)], task, fields))
    return {
        "standing": [finding.standing.value for finding in found],
        "why": [finding.why for finding in found],
        "finding": [finding_line(finding).rstrip("\n") for finding in found],
    }


def open_judge(judge: Judge | str, cache: str | None, options: Mapping[str, Any]) -> Judge:
    """The judge of a worker, opened once; `cache` keeps its completions for a query that is made again."""
    if not isinstance(judge, str):
        return judge
    key = repr((judge, cache, options))
    if key not in _opened:
        further = {} if cache is None or not makes_calls(judge) else {"cache": cache}
        _opened[key] = resolve_judge(judge, **further, **options)
    return _opened[key]


def judge_columns(rows: Sequence[Mapping[str, Any]], metrics: Sequence[Metric] | None, judge: Judge) -> Columns:
    """Judge a case a row. A wrong configuration or key raises; what ails a row is its status."""
    columns: Columns = {name: [] for name in judged_columns(metrics)}
    for result in evaluate([dict(row) for row in rows], metrics, judge).results:
        for name, metric in result.metrics.items():
            said = (metric.score, metric.status.value, metric.outcome.value, _words(metric.verdicts), metric.reason)
            for column, value in zip(_JUDGED, said, strict=True):
                columns[f"{name}_{column}"].append(value)
    return columns


def _words(verdicts: Sequence[StatementVerdict]) -> list[str | None]:
    return [one.verdict.value if one.verdict else None for one in verdicts]
