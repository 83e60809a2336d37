"""Run metrics over a stream of cases: bounded concurrency and memory; how far a run is, and what ends it early."""

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from magistrate import errors
from magistrate.completion.budget import Budget
from magistrate.completion.cost_ledger import Payer, current_calls, current_payer
from magistrate.evaluation.cases.dataset import ReadAhead, Record
from magistrate.evaluation.comparison import with_repeats
from magistrate.evaluation.runs.results import CaseResult, fingerprint
from magistrate.evaluation.runs.store import RunState
from magistrate.judges import Judge, makes_calls, usage_of
from magistrate.judges.several import MajorityJudge, Sample, repetitions
from magistrate.judges.shared import SharedJudge
from magistrate.log import current_case, current_metric, get_logger
from magistrate.metrics.base import Metric, MetricResult, span_attributes
from magistrate.records import CallRecord, Usage
from magistrate.tracing import metric_span, set_attributes
from magistrate.verdict import Outcome, Status

GRACE_SECONDS = 0.8
"""How long cases that were begun may go on after an interrupt; then their calls are given up, paid or not. Those that
were not begun are listed for half as long after that: a run ends within two seconds, on a busy machine too."""

_STATES: dict[type[errors.MagistrateError], RunState] = {
    errors.BudgetExceededError: "over_budget",
    errors.JudgeDownError: "judge_down",
}


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
        self.error: errors.MagistrateError | None = None
        self.interrupted = False
        self.gave_up = False
        self.drain = True
        self.pending = False
        self.running: list[asyncio.Future[None]] = []

    @property
    def state(self) -> RunState:
        """How the run ends."""
        if not self.requested:
            return "pending" if self.pending else "complete"
        if self.interrupted:
            return "interrupted"
        return next((state for kind, state in _STATES.items() if isinstance(self.error, kind)), "failed")

    def interrupt(self, reason: str = "interrupted") -> None:
        """Begin no further case. A second call gives up on those that were begun, and on listing the rest."""
        if self.interrupted:
            self.drain = False
            self.cancel_running()
            return
        self.interrupted = True
        self._request(reason)
        with contextlib.suppress(RuntimeError):  # no loop is running: nothing has been begun
            loop = asyncio.get_running_loop()
            loop.call_later(GRACE_SECONDS, self.cancel_running)
            loop.call_later(1.5 * GRACE_SECONDS, setattr, self, "drain", False)

    def check(self) -> None:
        """Raise what made the run fail."""
        if self.error is not None and self.state == "failed":
            raise self.error

    def fail(self, error: errors.MagistrateError) -> None:
        """End: the budget is spent, the provider is down, or every further case would fail alike, which counts most."""
        if isinstance(error, errors.PendingError):
            self.pending = True
            return
        is_mild = isinstance(error, tuple(_STATES))
        self._request(error.message if is_mild else str(error))
        if self.error is None or (isinstance(self.error, tuple(_STATES)) and not is_mild):
            self.error = error

    def _request(self, reason: str) -> None:
        if not self.requested:
            self.requested = True
            self.reason = reason

    def cancel_running(self) -> None:
        """Cancel the cases that were begun."""
        self.gave_up = True
        for worker in self.running:
            worker.cancel()


IsDone = Callable[[Record, str], bool]
"""Tells, by a record and its fingerprint, whether it needs no judging."""


async def run_cases(  # noqa: C901 - its workers see all that it holds
    records: Iterator[Record],
    metrics: Sequence[Metric],
    judge: Judge,
    *,
    concurrency: int,
    stop: Stop,
    is_done: IsDone = lambda *_: False,
    blocking_source: bool = False,
    repeat: int = 1,
    swap: bool = False,
    payer: Payer | None = None,
) -> AsyncGenerator[CaseResult, None]:
    """Evaluate cases and yield each result as soon as it is there, in no particular order.

    At most `concurrency` cases are judged at a time, and about as many wait to be taken, so memory does not grow with
    the dataset. Once `stop` is requested, the cases that were begun end, and the rest come as rows with status
    `not_run`.
    """
    judges = repetitions(judge, repeat, swap=swap)
    ahead = ReadAhead(records) if blocking_source else None
    finished: asyncio.Queue[CaseResult | None] = asyncio.Queue()
    room = asyncio.Semaphore(2 * concurrency)
    pacing = BudgetPacing(judge, len(metrics) * repeat)

    async def work() -> None:
        current_payer.set(payer)
        try:
            while not stop.requested:
                await room.acquire()
                async with pacing:
                    record = None
                    if not stop.requested:
                        record = next(records, None) if ahead is None else await ahead.next(lambda: stop.requested)
                    if record is None:
                        return
                    mark = fingerprint(record.case, record.problems)
                    if is_done(record, mark):
                        room.release()
                        await asyncio.sleep(0)
                        continue
                    found = await evaluate_case(record, metrics, judges, stop)
                    pacing.ended(sum((metric.usage for metric in found.values()), Usage()))
                    finished.put_nowait(_result(record, mark, found))
        except Exception:  # the dataset cannot be read further: the others end their cases first
            stop.requested = True
            raise

    async def conduct() -> Exception | None:
        ended = await asyncio.gather(*workers, return_exceptions=True)
        finished.put_nowait(None)
        return next((one for one in ended if isinstance(one, Exception)), None)

    workers = [asyncio.ensure_future(work()) for _ in range(concurrency)]
    stop.running += workers
    conductor = asyncio.ensure_future(conduct())
    try:
        while (result := await finished.get()) is not None:
            yield result
            room.release()
        if (failure := await conductor) is not None:
            raise failure
        for record, mark in _not_reached(records, stop, is_done) if ahead is None else ():
            status = Status.MISSING_INPUT if record.blocked else Status.NOT_RUN
            yield _result(record, mark, {one.name: unjudged(one, judge, status, stop.reason) for one in metrics})
            await asyncio.sleep(0)
    finally:
        for task in (*workers, conductor):
            task.cancel()
        await asyncio.gather(*workers, conductor, return_exceptions=True)
        getattr(ahead or records, "close", lambda: None)()


def _not_reached(records: Iterator[Record], stop: Stop, is_done: IsDone) -> Iterator[tuple[Record, str]]:
    while stop.requested and stop.drain and (record := next(records, None)) is not None:
        if not is_done(record, mark := fingerprint(record.case, record.problems)):
            yield record, mark


def _result(record: Record, mark: str, metrics: dict[str, MetricResult]) -> CaseResult:
    return CaseResult(
        index=record.index,
        fingerprint=mark,
        case=record.case,
        metrics=metrics,
        problems=record.problems,
        line=record.line,
    )


_CALLS = 2
"""Calls that a metric makes on a case, until one has ended: it takes the statements out, and judges them."""

_MARGIN = 3
"""A budget in dollars lets a call through at its highest possible price alone, which is several times its usual one."""


class BudgetPacing:
    """Lets cases begin: near the end of a budget only as many as it is likely to pay for to their ends."""

    def __init__(self, judge: Any, results: int = 1) -> None:
        budget = getattr(judge, "budget", None)
        self._budget = budget if isinstance(budget, Budget) else None
        self._guess = _CALLS * results
        self._begun = 0
        self._ended = 0
        self._used = Usage()
        self._changed = asyncio.Condition()

    async def __aenter__(self) -> None:
        """Wait until a case may begin; it is under way inside."""
        if self._budget is not None:
            async with self._changed:
                await self._changed.wait_for(lambda: self._begun < self._most())
                self._begun += 1

    async def __aexit__(self, *_: object) -> None:
        if self._budget is not None:
            self._begun -= 1
            async with self._changed:
                self._changed.notify_all()

    def ended(self, usage: Usage) -> None:
        """Note what a case used. One that came from a cache tells nothing of the next one."""
        if usage.calls:
            self._ended += 1
            self._used += usage

    def _most(self) -> int:
        """Cases that may be under way: always one."""
        calls_left, money_left = self._budget.left if self._budget is not None else (None, None)
        most = float("inf")
        if calls_left is not None:
            most = calls_left / (self._used.calls / self._ended if self._ended else self._guess)
        if money_left is not None:
            cost = self._used.cost
            most = min(most, money_left * self._ended / (cost * _MARGIN) if cost else 1 + self._ended)
        return max(1, int(min(most, 1e9)))


_FATAL = (errors.JudgeAuthError, errors.JudgeNotFoundError, errors.ConfigurationError, errors.PromptError)
"""Errors that every further case would meet as well: they end the run."""
_STATUSES: dict[type[errors.MagistrateError], Status] = {
    errors.BudgetExceededError: Status.OVER_BUDGET,
    errors.PendingError: Status.PENDING,
    errors.JudgeDownError: Status.JUDGE_ERROR,
    **dict.fromkeys(_FATAL, Status.NOT_RUN),
}
"""What a result is whose error ends the run, or whose answer is still to come."""

_log = get_logger("magistrate.run")


async def evaluate_case(
    record: Record, metrics: Sequence[Metric], judges: Sequence[Judge], stop: Stop
) -> dict[str, MetricResult]:
    """Evaluate a case once for each judge; of several the majority counts."""
    current_case.set(record.case.id)
    shared: Sequence[Judge] = judges
    if len(metrics) > 1 or makes_calls(judges[0].name):
        shared = [SharedJudge(judge) for judge in judges]
    if len(shared) == 1:
        return await _all_metrics(record, metrics, shared[0], stop)
    results = await _all_metrics(record, metrics, SharedJudge(MajorityJudge(shared)), stop)
    repeats = [
        await _all_metrics(record, metrics, Sample(shared[0], one), stop) for one in shared
    ]  # what the majority asked is shared, so mostly nothing is asked here
    return {name: with_repeats(result, [one[name] for one in repeats]) for name, result in results.items()}


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
        if not isinstance(error, errors.JudgeError):
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
