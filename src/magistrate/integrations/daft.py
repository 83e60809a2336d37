"""Daft: columns parsed, audited or judged; as it keeps no row of a query that dies, give a judge a cache folder."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import daft  # type: ignore[import-not-found,unused-ignore]

from magistrate.audit import AuditTask
from magistrate.integrations._common import rows
from magistrate.judges import Judge
from magistrate.metrics.base import Metric

_TEXT = daft.DataType.string()
_KINDS = {"text": _TEXT, "number": daft.DataType.float64(), "texts": daft.DataType.list(_TEXT)}


def parse_verdicts(reply: Any, statements: Any, **options: Any) -> Any:
    """Parse the replies of one column, with the statements of another: a struct of `status`, `verdicts`, `issues`."""
    return _made(rows.PARSED, lambda given: rows.parse_columns(*given, **options), [reply, statements])


def audit_replies(task: AuditTask, **columns: Any) -> Any:
    """Audit recorded scores: a struct of `standing`, `why`, `finding`. Columns by the names of `audit.FIELDS`."""
    fields = {name: name for name in columns}
    return _made(rows.AUDITED, lambda given: rows.audit_columns(_rows(fields, given), task, fields), columns.values())


def judge_cases(
    judge: Judge | str,
    metrics: Sequence[Metric] | None = None,
    cache: str | None = None,
    options: Mapping[str, Any] | None = None,
    **columns: Any,
) -> Any:
    """Judge cases: a struct of `<metric>_score`, `_status`, `_outcome`, `_verdicts`, `_reason`; columns by field."""
    names = dict.fromkeys(columns)  # without the expressions

    def judged(given: Sequence[list[Any]]) -> rows.Columns:
        return rows.judge_columns(_rows(names, given), metrics, rows.open_judge(judge, cache, options or {}))

    return _made(rows.judged_columns(metrics), judged, columns.values())


def _rows(names: Mapping[str, Any], given: Sequence[list[Any]]) -> list[dict[str, Any]]:
    return [dict(zip(names, values, strict=True)) for values in zip(*given, strict=True)]


def _made(kinds: Mapping[str, str], make: Callable[[Sequence[list[Any]]], rows.Columns], columns: Any) -> Any:
    @daft.func.batch(return_dtype=daft.DataType.struct({name: _KINDS[kind] for name, kind in kinds.items()}))
    def called(*given: Any) -> Any:
        return _rows(kinds, list(make([one.to_pylist() for one in given]).values()))

    return called(*columns)
