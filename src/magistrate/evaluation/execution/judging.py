"""Evaluate one case: every metric at the same time, every failure a status."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import replace

from magistrate.completion.cost_ledger import current_calls
from magistrate.errors import (
    BudgetExceededError,
    ConfigurationError,
    JudgeAuthError,
    JudgeDownError,
    JudgeError,
    JudgeNotFoundError,
    MagistrateError,
    PendingError,
    PromptError,
)
from magistrate.evaluation.cases.dataset import Record
from magistrate.evaluation.execution.stop import Stop
from magistrate.evaluation.repeats import with_repeats
from magistrate.evaluation.runs.results import CaseResult
from magistrate.judges import Judge, makes_calls, usage_of
from magistrate.judges.several import MajorityJudge, Sample
from magistrate.judges.shared import SharedJudge
from magistrate.log import current_case, current_metric, get_logger
from magistrate.metrics.base import Metric, MetricResult, span_attributes
from magistrate.records import CallRecord
from magistrate.tracing import metric_span, set_attributes
from magistrate.verdict import Outcome, Status

_FATAL = (JudgeAuthError, JudgeNotFoundError, ConfigurationError, PromptError)
"""Errors that every further case would meet as well: they end the run."""
_STATUSES: dict[type[MagistrateError], Status] = {
    BudgetExceededError: Status.OVER_BUDGET,
    PendingError: Status.PENDING,
    JudgeDownError: Status.JUDGE_ERROR,
    **dict.fromkeys(_FATAL, Status.NOT_RUN),
}
"""What a result is whose error ends the run, or whose answer is still to come."""

_log = get_logger("magistrate.run")


async def evaluate_case(
    record: Record, mark: str, metrics: Sequence[Metric], judges: Sequence[Judge], stop: Stop
) -> CaseResult:
    """Evaluate a case once for each judge; of several the majority counts."""
    current_case.set(record.case.id)
    shared: Sequence[Judge] = judges
    if len(metrics) > 1 or makes_calls(judges[0].name):
        shared = [SharedJudge(judge) for judge in judges]
    if len(shared) == 1:
        return case_result(record, mark, await _all_metrics(record, metrics, shared[0], stop))
    results = await _all_metrics(record, metrics, SharedJudge(MajorityJudge(shared)), stop)
    repeats = [
        await _all_metrics(record, metrics, Sample(shared[0], one), stop) for one in shared
    ]  # what the majority asked is shared, so mostly nothing is asked here
    merged = {name: with_repeats(result, [one[name] for one in repeats]) for name, result in results.items()}
    return case_result(record, mark, merged)


def case_result(record: Record, mark: str, metrics: dict[str, MetricResult]) -> CaseResult:
    """The results of a record's metrics as the result of its case."""
    return CaseResult(
        index=record.index,
        fingerprint=mark,
        case=record.case,
        metrics=metrics,
        problems=record.problems,
        line=record.line,
    )


async def _all_metrics(record: Record, metrics: Sequence[Metric], judge: Judge, stop: Stop) -> dict[str, MetricResult]:
    if len(metrics) == 1:
        return {metrics[0].name: await _traced(record, metrics[0], judge, stop)}
    tasks = [asyncio.ensure_future(_traced(record, metric, judge, stop)) for metric in metrics]
    try:
        await asyncio.wait(tasks)
    except asyncio.CancelledError:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        if not stop.gave_up:
            raise
    return {
        metric.name: task.result() if not task.cancelled() else unjudged(metric, judge, Status.NOT_RUN, stop.reason)
        for metric, task in zip(metrics, tasks, strict=True)
    }


async def _traced(record: Record, metric: Metric, judge: Judge, stop: Stop) -> MetricResult:
    with metric_span(metric.name, record.case.id) as span:
        result = await _measure(record, metric, judge, stop)
        set_attributes(span, span_attributes(result))
        return result


async def _measure(record: Record, metric: Metric, judge: Judge, stop: Stop) -> MetricResult:
    if record.blocked:
        reason = "; ".join(str(problem) for problem in record.problems if problem.blocking)
        return unjudged(metric, judge, Status.MISSING_INPUT, reason)
    if stop.gave_up or (stop.requested and not stop.interrupted):
        return unjudged(metric, judge, Status.NOT_RUN, stop.reason)
    started: float | None = time.perf_counter()
    current_metric.set(metric.name)
    made: list[CallRecord] = []
    current_calls.set(made)
    try:
        await asyncio.sleep(0)  # a judge that never waits must not keep signals and other cases from their turn
        result = await metric.evaluate(record.case, judge)
        if not isinstance(result, MetricResult):
            raise TypeError(f"metric {metric.name!r} returned {type(result).__name__}, not a MetricResult")  # noqa: TRY301
        return result  # noqa: TRY300
    except asyncio.CancelledError:
        if not stop.gave_up:
            raise
        status, reason, started = Status.NOT_RUN, stop.reason, None
    except tuple(_STATUSES) as error:
        stop.fail(error)
        status = next(status for kind, status in _STATUSES.items() if isinstance(error, kind))
        reason = error.message if status in (Status.OVER_BUDGET, Status.PENDING) else _name(error)
        started = started if status is Status.JUDGE_ERROR else None
    except Exception as error:  # noqa: BLE001 - a fault in a user's metric or judge costs one row, never the run
        if not isinstance(error, JudgeError):
            _log.warning(
                "metric.failed", metric=metric.name, case=record.case.id, error=type(error).__name__, exc_info=True
            )
        status, reason = Status.JUDGE_ERROR, _name(error)
    result = unjudged(metric, judge, status, reason, started)
    if not made:
        return result
    return replace(result, usage=usage_of(made), calls=tuple(made))  # they are paid for, whatever came of them


def _name(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def unjudged(metric: Metric, judge: Judge, status: Status, reason: str, started: float | None = None) -> MetricResult:
    """The result of a metric on a case that no judgement was made of."""
    policy = getattr(metric, "policy", "")
    return MetricResult(
        metric=metric.name,
        policy=getattr(policy, "name", policy) or "",
        formula=getattr(metric, "formula", ""),
        status=status,
        threshold=metric.threshold,
        outcome=Outcome.INCONCLUSIVE,
        direction=getattr(metric, "direction", "maximize"),
        reason=reason or None,
        judge=judge.name,
        latency_ms=(time.perf_counter() - started) * 1000 if started is not None else 0.0,
    )
