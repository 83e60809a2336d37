"""Run metrics over a stream of cases: bounded concurrency, constant memory, a clean end whatever happens."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from magistrate.completion.payments import Payer, current_calls, current_payer
from magistrate.errors import (
    BudgetExceededError,
    ConfigurationError,
    JudgeAuthError,
    JudgeDownError,
    JudgeError,
    JudgeNotFoundError,
    MagistrateError,
    PromptError,
)
from magistrate.evaluation.admission import Admission
from magistrate.evaluation.dataset import Record
from magistrate.evaluation.feed import Feed, ThreadFeed
from magistrate.evaluation.repeats import with_repeats
from magistrate.evaluation.results import CaseResult, fingerprint
from magistrate.judges.base import Judge
from magistrate.judges.repeated import MajorityJudge, Repetition, repetitions
from magistrate.judges.shared import SharedJudge
from magistrate.log import current_case, current_metric, get_logger
from magistrate.metrics.base import Metric, MetricResult, span_attributes
from magistrate.records import CallRecord, Usage
from magistrate.tracing import metric_span, set_attributes
from magistrate.verdict import Outcome, Status

__all__ = ["FATAL", "Progress", "Stop", "run_cases", "unjudged"]

FATAL = (JudgeAuthError, JudgeNotFoundError, ConfigurationError, PromptError)
"""Errors that every further case would meet as well: they end the run."""

GRACE_SECONDS = 10.0
"""How long cases that were begun may go on after an interrupt: their calls are paid already."""

_log = get_logger("magistrate.run")


@dataclass(slots=True)
class Progress:
    """How far a run is.

    Attributes:
        total: Rows to expect; None where unknown.
        done: Rows with a result, those of an earlier invocation included.
        resumed: Rows that an earlier invocation finished.
        scored: Results with a score in this invocation.
        usage: What the results of this invocation cost, calls that an earlier one paid for without a result included.
        started: `time.monotonic()` at the start.
    """

    total: int | None = None
    done: int = 0
    resumed: int = 0
    scored: int = 0
    usage: Usage = field(default_factory=Usage)
    started: float = field(default_factory=time.monotonic)

    @property
    def rate(self) -> float:
        """Cases a second in this invocation."""
        elapsed = time.monotonic() - self.started
        return (self.done - self.resumed) / elapsed if elapsed > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        """Estimated seconds to the end; None where the total is unknown or nothing is done yet."""
        if self.total is None or not self.rate:
            return None
        return max(0.0, (self.total - self.done) / self.rate)

    def count(self, result: CaseResult) -> None:
        """Count one more result."""
        self.done += 1
        for metric in result.metrics.values():
            self.scored += metric.score is not None
            self.usage += metric.usage


class Stop:
    """Asks a run to end before its dataset does. The first request counts."""

    def __init__(self) -> None:
        self.requested = False
        self.reason = ""
        self.error: MagistrateError | None = None
        self.interrupted = False
        self.gave_up = False
        self.drain = True
        self._cancel: list[Callable[[], None]] = []

    def interrupt(self, reason: str = "interrupted") -> None:
        """Begin no further case. A second call gives up on those that were begun, and on listing the rest."""
        if self.interrupted:
            self.drain = False
            self.cancel_running()
            return
        self.interrupted = True
        self._request(reason)
        with contextlib.suppress(RuntimeError):  # no loop is running: nothing has been begun
            asyncio.get_running_loop().call_later(GRACE_SECONDS, self.cancel_running)

    def out_of_budget(self, error: BudgetExceededError) -> None:
        """End because the next call would exceed the budget."""
        self._request(error.message)
        if self.error is None:
            self.error = error

    def judge_down(self, error: JudgeDownError) -> None:
        """End because the provider is down: the cases that were begun fail, and no further one is."""
        self._request(error.message)
        if self.error is None:
            self.error = error

    def fail(self, error: MagistrateError) -> None:
        """End because every further case would fail alike."""
        self._request(str(error))
        if self.error is None or isinstance(self.error, BudgetExceededError | JudgeDownError):
            self.error = error

    def _request(self, reason: str) -> None:
        if not self.requested:
            self.requested = True
            self.reason = reason

    def on_cancel(self, cancel: Callable[[], None]) -> None:
        """Say how to cancel what is running."""
        self._cancel.append(cancel)

    def cancel_running(self) -> None:
        """Cancel the cases that were begun."""
        self.gave_up = True
        for cancel in self._cancel:
            cancel()


async def run_cases(
    records: Iterator[Record],
    metrics: Sequence[Metric],
    judge: Judge,
    *,
    concurrency: int,
    stop: Stop,
    is_done: Callable[[Record, str], bool] | None = None,
    blocking_source: bool = False,
    repeat: int = 1,
    payer: Payer | None = None,
) -> AsyncGenerator[CaseResult, None]:
    """Evaluate cases and yield each result as soon as it is there, in no particular order.

    At most `concurrency` cases are judged at a time, and about as many wait to be taken, so memory does not grow with
    the dataset. Once `stop` is requested, the cases that were begun end, and the rest come as rows with status
    `not_run`.

    Args:
        records: The cases. Only as many are taken as can be judged.
        metrics: What to measure.
        judge: Who judges.
        concurrency: Cases judged at a time, at least 1.
        stop: Ends the run early; carries the error that ended it.
        is_done: Tells, by the record and its fingerprint, whether a record needs no judging; then it is passed over.
        blocking_source: Whether reading the next record may block for long (a pipe): then a thread reads.
        repeat: How many times to judge each case.
        payer: The run that pays for the calls, where it is kept and may go on later.
    """
    judges = repetitions(judge, repeat)
    feed: Feed = ThreadFeed(records) if blocking_source else Feed(records)
    finished: asyncio.Queue[CaseResult | None] = asyncio.Queue()
    room = asyncio.Semaphore(2 * concurrency)

    admission = Admission(judge, len(metrics) * repeat)

    async def work() -> None:
        current_payer.set(payer)
        while not stop.requested:
            await room.acquire()
            async with admission.case():
                record = None if stop.requested else await feed.next(stop)
                if record is None:
                    return
                mark = fingerprint(record.case, record.problems)
                if is_done is not None and is_done(record, mark):
                    room.release()
                    await asyncio.sleep(0)
                    continue
                result = await _evaluate(record, mark, metrics, judges, stop)
                admission.ended(sum((metric.usage for metric in result.metrics.values()), Usage()))
                finished.put_nowait(result)

    async def conduct() -> None:
        try:
            await _all(workers, stop)
        finally:
            finished.put_nowait(None)

    workers = [asyncio.ensure_future(work()) for _ in range(concurrency)]
    stop.on_cancel(lambda: _cancel(workers))
    conductor = asyncio.ensure_future(conduct())
    try:
        while (result := await finished.get()) is not None:
            yield result
            room.release()
        await conductor
        if stop.requested and not blocking_source:
            async for result in _not_reached(feed, metrics, judge, stop, is_done):
                yield result
    finally:
        for task in (*workers, conductor):
            task.cancel()
        await asyncio.gather(*workers, conductor, return_exceptions=True)
        feed.close()


async def _all(workers: Sequence[asyncio.Future[None]], stop: Stop) -> None:
    """Wait for the workers. If one fails (the dataset cannot be read further) the others end their cases first."""
    pending = set(workers)
    failure: BaseException | None = None
    while pending:
        done, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
        for worker in done:
            if not worker.cancelled() and (error := worker.exception()) is not None:
                failure = failure or error
                stop.requested = True
    if failure is not None:
        raise failure


def _cancel(workers: Sequence[asyncio.Future[None]]) -> None:
    for worker in workers:
        worker.cancel()


async def _evaluate(
    record: Record, mark: str, metrics: Sequence[Metric], judges: Sequence[Judge], stop: Stop
) -> CaseResult:
    current_case.set(record.case.id)
    shared = [SharedJudge(judge) for judge in judges]
    if len(shared) == 1:
        return _result(record, mark, await _all_metrics(record, metrics, shared[0], stop))
    results = await _all_metrics(record, metrics, SharedJudge(MajorityJudge(shared)), stop)
    repeats = [
        await _all_metrics(record, metrics, Repetition(shared[0], one), stop) for one in shared
    ]  # what the majority asked is shared, so mostly nothing is asked here
    merged = {name: with_repeats(result, [one[name] for one in repeats]) for name, result in results.items()}
    return _result(record, mark, merged)


async def _all_metrics(record: Record, metrics: Sequence[Metric], judge: Judge, stop: Stop) -> dict[str, MetricResult]:
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


def _result(record: Record, mark: str, metrics: dict[str, MetricResult]) -> CaseResult:
    return CaseResult(
        index=record.index,
        fingerprint=mark,
        case=record.case,
        metrics=metrics,
        problems=record.problems,
        line=record.line,
    )


async def _traced(record: Record, metric: Metric, judge: Judge, stop: Stop) -> MetricResult:
    with metric_span(metric.name, record.case.id) as span:
        result = await _measure(record, metric, judge, stop)
        set_attributes(span, span_attributes(result))
        return result


async def _measure(  # noqa: C901, PLR0911 - one branch and one return a way to end
    record: Record, metric: Metric, judge: Judge, stop: Stop
) -> MetricResult:
    if record.blocked:
        reason = "; ".join(str(problem) for problem in record.problems if problem.blocking)
        return unjudged(metric, judge, Status.MISSING_INPUT, reason)
    if stop.gave_up or (stop.requested and not stop.interrupted):
        return unjudged(metric, judge, Status.NOT_RUN, stop.reason)
    started = time.perf_counter()
    current_metric.set(metric.name)
    made: list[CallRecord] = []
    current_calls.set(made)

    def without(status: Status, reason: str, started: float | None = None) -> MetricResult:
        result = unjudged(metric, judge, status, reason, started)
        if not made:
            return result
        from magistrate.judges.collector import usage_of  # noqa: PLC0415 - loads the parser, which not every judge needs

        return replace(result, usage=usage_of(made), calls=tuple(made))  # they are paid for, whatever came of them

    try:
        await asyncio.sleep(0)  # a judge that never waits must not keep signals and other cases from their turn
        result = await metric.evaluate(record.case, judge)
        if not isinstance(result, MetricResult):
            raise TypeError(f"metric {metric.name!r} returned {type(result).__name__}, not a MetricResult")  # noqa: TRY301
        return result  # noqa: TRY300
    except BudgetExceededError as error:
        stop.out_of_budget(error)
        return without(Status.OVER_BUDGET, error.message)
    except JudgeDownError as error:
        stop.judge_down(error)
        return without(Status.JUDGE_ERROR, _name(error), started)
    except FATAL as error:
        stop.fail(error)
        return without(Status.NOT_RUN, _name(error))
    except asyncio.CancelledError:
        if not stop.gave_up:
            raise
        return without(Status.NOT_RUN, stop.reason)
    except JudgeError as error:
        return without(Status.JUDGE_ERROR, _name(error), started)
    except Exception as error:  # noqa: BLE001 - a fault in a user's metric or judge costs one row, never the run
        _log.warning(
            "metric.failed", metric=metric.name, case=record.case.id, error=type(error).__name__, exc_info=True
        )
        return without(Status.JUDGE_ERROR, _name(error), started)


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


async def _not_reached(
    feed: Feed,
    metrics: Sequence[Metric],
    judge: Judge,
    stop: Stop,
    is_done: Callable[[Record, str], bool] | None,
) -> AsyncIterator[CaseResult]:
    while stop.drain and (record := await feed.next(None)) is not None:
        mark = fingerprint(record.case, record.problems)
        if is_done is not None and is_done(record, mark):
            continue
        status = Status.MISSING_INPUT if record.blocked else Status.NOT_RUN
        results = {metric.name: unjudged(metric, judge, status, stop.reason) for metric in metrics}
        yield _result(record, mark, results)
        await asyncio.sleep(0)
