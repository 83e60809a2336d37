"""Ray Data: rows parsed, audited or judged by `map_batches`; a cache folder keeps a judge from being paid twice."""

from collections.abc import Mapping, Sequence
from typing import Any

from magistrate.audit import AuditTask
from magistrate.integrations._common import rows
from magistrate.judges import Judge
from magistrate.metrics.base import Metric


class _Batches:
    _columns: Any

    def __call__(self, table: Any) -> Any:
        for name, values in self._columns(table).items():
            table = table.append_column(name, [values])
        return table


class ParseVerdicts(_Batches):
    """Parses the replies in one column: `status`, `verdicts`, `issues`. `options` are those of `parse_verdicts`."""

    def __init__(self, reply: str = "reply", statements: str | None = "statements", **options: Any) -> None:
        self._reply, self._statements, self._options = reply, statements, options

    def _columns(self, table: Any) -> rows.Columns:
        asked = [None] * len(table) if self._statements is None else table[self._statements].to_pylist()
        return rows.parse_columns(table[self._reply].to_pylist(), asked, **self._options)


class AuditReplies(_Batches):
    """Audits recorded scores: `standing`, `why`, `finding`. `fields` names columns, as for `audit_files`."""

    def __init__(self, task: AuditTask, fields: Mapping[str, str]) -> None:
        self._task, self._fields = task, fields

    def _columns(self, table: Any) -> rows.Columns:
        return rows.audit_columns(table.to_pylist(), self._task, self._fields)


class JudgeCases(_Batches):
    """Judges the cases: `<metric>_score`, `_status`, `_outcome`, `_verdicts`, `_reason`; `options` are the judge's."""

    def __init__(
        self, judge: Judge | str, metrics: Sequence[Metric] | None = None, cache: str | None = None, **options: Any
    ) -> None:
        self._judge, self._metrics = rows.open_judge(judge, cache, options), metrics

    def _columns(self, table: Any) -> rows.Columns:
        return rows.judge_columns(table.to_pylist(), self._metrics, self._judge)
