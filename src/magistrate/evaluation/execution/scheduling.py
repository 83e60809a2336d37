"""Run metrics over a stream of cases: bounded concurrency, constant memory, a clean end whatever happens.

Cases that are judged at the same time all ask their first questions first, and a budget that ends then has paid for
many beginnings and for no score: near its end only as many begin as it is likely to pay for to their ends.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Sequence
from typing import Any

from magistrate.completion.budget import Budget
from magistrate.completion.cost_ledger import Payer, current_payer
from magistrate.evaluation.cases.dataset import Record
from magistrate.evaluation.execution.judging import case_result, evaluate_case, unjudged
from magistrate.evaluation.execution.stop import Stop
from magistrate.evaluation.runs.results import CaseResult, fingerprint
from magistrate.judges import Judge
from magistrate.judges.several import repetitions
from magistrate.metrics.base import Metric
from magistrate.records import Usage
from magistrate.verdict import Status

IsDone = Callable[[Record, str], bool]
"""Tells, by a record and its fingerprint, whether it needs no judging."""


async def run_cases(
    records: Iterator[Record],
    metrics: Sequence[Metric],
    judge: Judge,
    *,
    concurrency: int,
    stop: Stop,
    is_done: IsDone | None = None,
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
    source = _ThreadSource(records) if blocking_source else _Source(records)
    finished: asyncio.Queue[CaseResult | None] = asyncio.Queue()
    room = asyncio.Semaphore(2 * concurrency)
    pacing = BudgetPacing(judge, len(metrics) * repeat)

    async def work() -> None:
        current_payer.set(payer)
        while not stop.requested:
            await room.acquire()
            async with pacing:
                record = None if stop.requested else await source.next(stop)
                if record is None:
                    return
                mark = fingerprint(record.case, record.problems)
                if is_done is not None and is_done(record, mark):
                    room.release()
                    await asyncio.sleep(0)
                    continue
                result = await evaluate_case(record, mark, metrics, judges, stop)
                pacing.ended(sum((metric.usage for metric in result.metrics.values()), Usage()))
                finished.put_nowait(result)

    async def conduct() -> None:
        try:
            await _all_ended(workers, stop)
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
            async for result in _not_reached(source, metrics, judge, stop, is_done):
                yield result
    finally:
        _cancel([*workers, conductor])
        await asyncio.gather(*workers, conductor, return_exceptions=True)
        source.close()


async def _all_ended(workers: Sequence[asyncio.Future[None]], stop: Stop) -> None:
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


def _cancel(tasks: Sequence[asyncio.Future[None]]) -> None:
    for task in tasks:
        task.cancel()


async def _not_reached(
    source: _Source, metrics: Sequence[Metric], judge: Judge, stop: Stop, is_done: IsDone | None
) -> AsyncIterator[CaseResult]:
    while stop.drain and (record := await source.next(stop)) is not None:
        mark = fingerprint(record.case, record.problems)
        if is_done is not None and is_done(record, mark):
            continue
        status = Status.MISSING_INPUT if record.blocked else Status.NOT_RUN
        yield case_result(record, mark, {one.name: unjudged(one, judge, status, stop.reason) for one in metrics})
        await asyncio.sleep(0)


class _Source:
    """Hands out records one at a time."""

    def __init__(self, records: Iterator[Record]) -> None:
        self._records = records

    async def next(self, stop: Stop) -> Record | None:
        """The next record; None at the end."""
        del stop
        return next(self._records, None)

    def close(self) -> None:
        close = getattr(self._records, "close", None)
        if close is not None:
            close()


class _ThreadSource(_Source):
    """Reads in a thread of its own, because a read from a pipe may block the loop.

    A daemon thread, because a blocked read cannot be interrupted and must not keep the process from ending.
    """

    _AHEAD = 32
    _PATIENCE = 0.2

    def __init__(self, records: Iterator[Record]) -> None:
        super().__init__(records)
        self._loop = asyncio.get_running_loop()
        self._ready: asyncio.Queue[Record | Exception | None] = asyncio.Queue()
        self._room = threading.Semaphore(self._AHEAD)
        self._closed = False
        threading.Thread(target=self._read, name="magistrate-dataset", daemon=True).start()

    def _read(self) -> None:
        last: Exception | None = None
        try:
            for record in self._records:
                self._room.acquire()
                if self._closed:
                    return
                self._hand(record)
        except Exception as error:  # noqa: BLE001 - raised again where the record is awaited
            last = error
        self._hand(last)

    def _hand(self, item: Record | Exception | None) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
            self._loop.call_soon_threadsafe(self._ready.put_nowait, item)

    async def next(self, stop: Stop) -> Record | None:
        """The next record; None at the end, or once `stop` is requested while none is there."""
        while self._ready.empty():
            with contextlib.suppress(TimeoutError):
                item = await asyncio.wait_for(self._ready.get(), timeout=self._PATIENCE)
                break
            if stop.requested:
                return None
        else:
            item = self._ready.get_nowait()
        if isinstance(item, Record):
            self._room.release()
            return item
        self._ready.put_nowait(item)  # the end, or what ended it, is for everybody who waits
        if item is not None:
            raise item
        return None

    def close(self) -> None:
        """Let the thread end at its next record."""
        self._closed = True
        self._room.release()


_CALLS = 2
"""Calls that a metric makes on a case, until one has ended: it takes the statements out, and judges them."""

_MARGIN = 3
"""A budget in dollars lets a call through at its highest possible price alone, which is several times its usual one."""


class BudgetPacing:
    """Lets cases begin."""

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
