"""Carry out a plan: take cases, have them evaluated, write each result down as it comes."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import AsyncGenerator, Callable, Iterator
from typing import TYPE_CHECKING

from magistrate.completion.payments import Payer
from magistrate.errors import BudgetExceededError, JudgeDownError
from magistrate.evaluation.carrying import with_earlier
from magistrate.evaluation.dataset import Record
from magistrate.evaluation.plan import Plan, now
from magistrate.evaluation.privacy import redacted, without_text
from magistrate.evaluation.results import CaseResult
from magistrate.evaluation.run import Run
from magistrate.evaluation.runner import Progress, Stop, run_cases
from magistrate.evaluation.selection import QUICK, quick_sample
from magistrate.evaluation.store import RunWriter, State, StoredResults, counted_keys
from magistrate.log import get_logger

if TYPE_CHECKING:
    from magistrate.judges.base import Judge

__all__ = ["close_judge", "execute", "results_of", "selected", "state_of"]

_log = get_logger("magistrate.run")


async def execute(
    plan: Plan,
    stop: Stop,
    progress: Callable[[Progress], None] | None = None,
) -> Run:
    """Carry out a plan. However it ends, what was finished is kept, and the run's state says how it ended."""
    if plan.folder is None:
        kept = [result async for result in results_of(plan, stop, progress)]
        kept.sort(key=lambda result: result.index)
        return Run(kept, plan.header, state=state_of(stop), message=stop.reason or None)
    writer: list[RunWriter] = []
    async for _ in results_of(plan, stop, progress, writer.append):
        pass
    index = writer[0].index
    results = StoredResults(writer[0].path, index.order())
    return Run(results, index.header, state=state_of(stop), message=stop.reason or None, path=plan.folder)


async def results_of(
    plan: Plan,
    stop: Stop,
    progress: Callable[[Progress], None] | None,
    opened: Callable[[RunWriter], None] | None = None,
) -> AsyncGenerator[CaseResult, None]:
    """Evaluate, write each result down where the run is kept, and yield it."""
    writer = RunWriter(plan.folder, plan.header, resume=plan.resume) if plan.folder is not None else None
    state: State = "interrupted"
    records = _Counted(selected(plan))
    try:
        if writer is not None and opened is not None:
            opened(writer)
        so_far = Progress(total=_total(plan))
        _log.info("run.started", judge=plan.judge.name, cases=so_far.total, concurrency=plan.concurrency)
        is_done = _is_done(writer, so_far)
        running = run_cases(
            records,
            plan.metrics,
            plan.judge,
            concurrency=plan.concurrency,
            stop=stop,
            is_done=is_done,
            blocking_source=plan.dataset.is_pipe and not plan.quick,
            repeat=plan.repeat,
            payer=_payer(writer),
        )
        async with contextlib.aclosing(running):
            async for judged in running:
                result = judged if writer is None else with_earlier(judged, writer.earlier(judged.index))
                result = result if plan.store_text else without_text(result)
                if writer is not None:
                    writer.append(result)
                so_far.count(result)
                if progress is not None:
                    progress(so_far)
                yield result
        state = state_of(stop)
    except Exception as error:
        stop.reason = stop.reason or f"{type(error).__name__}: {error}"
        state = "failed"
        raise
    finally:
        try:
            if writer is not None:
                rows = records.count if records.exhausted and plan.limit is None and not plan.quick else None
                with contextlib.closing(writer):
                    writer.end(state, message=stop.reason or None, rows=rows, ended=now())
            _log.info("run.ended", state=state, cases=records.count, why=stop.reason or None)
        finally:
            if plan.owns_judge:
                await close_judge(plan.judge)


async def close_judge(judge: Judge) -> None:
    """Close a judge that can be closed."""
    close = getattr(judge, "close", None)
    if callable(close):
        closing = close()
        if inspect.isawaitable(closing):
            await closing


def _payer(writer: RunWriter | None) -> Payer | None:
    if writer is None or not writer.index.header.id:
        return None
    finished = StoredResults(writer.path, writer.index.finished_order())
    return Payer(writer.index.header.id, lambda: counted_keys(finished))


def _is_done(writer: RunWriter | None, so_far: Progress) -> Callable[[Record, str], bool]:
    def is_done(record: Record, mark: str) -> bool:
        if writer is None or not writer.is_finished(record.index, mark):
            return False
        so_far.done += 1
        so_far.resumed += 1
        return True

    return is_done


def selected(plan: Plan) -> Iterator[Record]:
    """The records of a plan that are to be judged, redacted where it says so."""
    records = _chosen(plan)
    return records if plan.redact is None else redacted(records, plan.redact, plan.dataset.name)


def _chosen(plan: Plan) -> Iterator[Record]:
    if plan.quick:
        yield from quick_sample(_limited(plan), size=QUICK, seed=plan.seed)
    else:
        yield from _limited(plan)


def _limited(plan: Plan) -> Iterator[Record]:
    with contextlib.closing(iter(plan.dataset)) as records:
        for taken, record in enumerate(records, 1):
            yield record
            if taken == plan.limit:
                return


def _total(plan: Plan) -> int | None:
    total = plan.dataset.size_hint()
    for most in (plan.limit, QUICK if plan.quick else None):
        if most is not None:
            total = most if total is None else min(total, most)
    return total


def state_of(stop: Stop) -> State:
    """How a run ends that was stopped, or was not."""
    if not stop.requested:
        return "complete"
    if stop.interrupted:
        return "interrupted"
    if isinstance(stop.error, BudgetExceededError):
        return "over_budget"
    return "judge_down" if isinstance(stop.error, JudgeDownError) else "failed"


class _Counted:
    """Counts the records that pass, and notes whether they came to an end."""

    def __init__(self, records: Iterator[Record]) -> None:
        self._records = records
        self.count = 0
        self.exhausted = False

    def __iter__(self) -> _Counted:
        return self

    def __next__(self) -> Record:
        try:
            record = next(self._records)
        except StopIteration:
            self.exhausted = True
            raise
        self.count += 1
        return record

    def close(self) -> None:
        """Close the source."""
        close = getattr(self._records, "close", None)
        if close is not None:
            close()
