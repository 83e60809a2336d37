"""Carry out a plan: take cases, have them evaluated, write each result down; or estimate what it would cost."""

import contextlib
import inspect
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Collection, Generator, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from magistrate.completion.cost_ledger import Payer
from magistrate.errors import ConfigurationError
from magistrate.evaluation.believing.cascades import settle_cascade
from magistrate.evaluation.cases.dataset import QUICK, Record, quick_sample
from magistrate.evaluation.execution.scheduling import IsDone, run_cases
from magistrate.evaluation.execution.stop import Progress, Stop
from magistrate.evaluation.files import RESULTS
from magistrate.evaluation.plan import Plan, now
from magistrate.evaluation.privacy import redacted, without_text
from magistrate.evaluation.runs.results import CaseResult, fingerprint, without_reply
from magistrate.evaluation.runs.run import Run
from magistrate.evaluation.runs.store import RunIndex, RunState, RunWriter, StoredResults, counted_keys, read_index
from magistrate.judges import Judge, makes_calls, usage_of
from magistrate.judges.cascade import CascadeJudge
from magistrate.log import get_logger
from magistrate.records import CallRecord, Completion, Usage
from magistrate.verdict import Issue, IssueCode, Outcome, Status

_log = get_logger("magistrate.run")


async def execute(plan: Plan, stop: Stop, progress: Callable[[Progress], None] | None = None) -> Run:
    """Carry out a plan. However it ends, what was finished is kept, and the run's state says how it ended."""
    if plan.folder is None:
        kept = [result async for result in results_of(plan, stop, progress)]
        again = {one.index: one for one in looked_at_again(kept, _dropped(plan))}
        kept = sorted((again.get(result.index, result) for result in kept), key=lambda result: result.index)
        return Run(kept, plan.header, state=stop.state, message=stop.reason or None)
    writer: list[RunWriter] = []
    async for _ in results_of(plan, stop, progress, writer.append):
        pass
    index = writer[0].index
    results = StoredResults(writer[0].path, index.order())
    return Run(results, index.header, state=stop.state, message=stop.reason or None, path=plan.folder)


async def results_of(
    plan: Plan,
    stop: Stop,
    progress: Callable[[Progress], None] | None,
    opened: Callable[[RunWriter], None] | None = None,
) -> AsyncGenerator[CaseResult, None]:
    """Evaluate, write each result down where the run is kept, and yield it."""
    options = plan.options
    writer = RunWriter(plan.folder, plan.header, resume=options.resume) if plan.folder is not None else None
    state: RunState = "interrupted"
    taken: Counter[str] = Counter()
    try:
        if writer is not None and opened is not None:
            opened(writer)
        if isinstance(plan.judge, CascadeJudge):
            await settle_cascade(plan, selected(plan), stop, _payer(writer))
        most = (plan.dataset.size_hint(), options.limit, QUICK if options.quick else None)
        so_far = Progress(total=min((number for number in most if number is not None), default=None))
        _log.info("run.started", judge=plan.judge.name, cases=so_far.total, concurrency=options.concurrency)
        is_done = _is_done(writer.index if writer is not None else None, so_far)
        records, payer = _counted(selected(plan), taken), _payer(writer)
        running = _running(
            plan, plan.judge, stop, is_done, records=records, concurrency=options.concurrency, payer=payer
        )
        async with contextlib.aclosing(running):
            async for judged in running:
                result = judged if writer is None else with_earlier(judged, writer.earlier(judged.index))
                result = result if options.store_text else without_text(result)
                if writer is not None:
                    writer.append(result)
                so_far.count(result)
                if progress is not None:
                    progress(so_far)
                yield result
        _look_again(writer, plan)
        state = stop.state
    except Exception as error:
        stop.reason = stop.reason or f"{type(error).__name__}: {error}"
        state = "failed"
        raise
    finally:
        try:
            if writer is not None:
                rows = taken["rows"] if taken["all"] and options.limit is None and not options.quick else None
                with contextlib.closing(writer):
                    writer.end(state, message=stop.reason or None, rows=rows, ended=now())
            _log.info("run.ended", state=state, cases=taken["rows"], why=stop.reason or None)
        finally:
            if plan.owns_judge:
                await close_judge(plan.judge)


def _look_again(writer: RunWriter | None, plan: Plan) -> None:
    if writer is not None:
        for result in looked_at_again(StoredResults(writer.path, writer.index.order()), _dropped(plan)):
            writer.append(result)


def _dropped(plan: Plan) -> frozenset[str]:
    """The calls of which the judge knows by now that it did not see the whole prompt."""
    return frozenset(getattr(plan.judge, "dropped_calls", ()))


async def close_judge(judge: Judge) -> None:
    """Close a judge that can be closed."""
    closing = getattr(judge, "close", lambda: None)()
    if inspect.isawaitable(closing):
        await closing


def _payer(writer: RunWriter | None) -> Payer | None:
    if writer is None or not writer.index.header.id:
        return None
    finished = StoredResults(writer.path, writer.index.order(finished=True))
    return Payer(writer.index.header.id, lambda: counted_keys(finished))


def _is_done(index: RunIndex | None, so_far: Progress) -> IsDone:
    def is_done(record: Record, mark: str) -> bool:
        if index is None or not index.is_finished(record.index, mark):
            return False
        so_far.done += 1
        so_far.resumed += 1
        return True

    return is_done


def selected(plan: Plan) -> Generator[Record, None, None]:
    """The records of a plan that are to be judged, redacted where it says so."""
    options = plan.options
    with contextlib.closing(iter(plan.dataset)) as records:
        taken: Iterable[Record] = islice(records, options.limit)
        if options.quick:
            taken = quick_sample(taken, size=QUICK, seed=options.seed)
        yield from taken if options.redact is None else redacted(taken, options.redact, plan.dataset.name)


def _running(
    plan: Plan, judge: Judge, stop: Stop, is_done: IsDone, *, records: Iterator[Record], **more: Any
) -> AsyncGenerator[CaseResult, None]:
    blocking, repeat, swap = plan.blocking_source, plan.options.repeat, plan.options.swap
    more |= {"stop": stop, "is_done": is_done, "blocking_source": blocking, "repeat": repeat, "swap": swap}
    return run_cases(records, plan.metrics, judge, **more)


def _counted(records: Generator[Record, None, None], taken: Counter[str]) -> Generator[Record, None, None]:
    with contextlib.closing(records):
        for record in records:
            taken["rows"] += 1
            yield record
    taken["all"] = 1


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run would cost if every call is answered well at once.

    Calls are those of the first attempts: one more is made for each reply that lacks something, and for each fault. An
    answer is taken to have one statement a sentence. Tokens are estimated from characters; what a model thinks before
    it answers is not in them.
    """

    judge: str
    cases: int = 0
    finished: int = 0
    unknown: int = 0
    usage: Usage = field(default_factory=Usage)


async def estimate_plan(plan: Plan, *, cached: bool = True) -> Estimate:
    """Go through the cases of a plan, make every request and send none. Nothing is written either."""
    estimating = getattr(plan.judge, "estimating", None)
    if estimating is None and makes_calls(plan.judge.name):
        raise ConfigurationError(f"nothing is known of the calls that the judge {plan.judge.name!r} makes")
    stored = plan.folder / RESULTS if plan.folder is not None and plan.options.resume else None
    found, cases, unknown = Progress(), 0, 0
    is_done = _is_done(read_index(stored) if stored is not None and stored.exists() else None, found)
    if estimating is None:
        cases = sum(not is_done(record, fingerprint(record.case, record.problems)) for record in selected(plan))
        return Estimate(plan.judge.name, cases, found.done)
    judge, stop = estimating(cached=cached), Stop()
    async with contextlib.aclosing(
        _running(plan, judge, stop, is_done, records=selected(plan), concurrency=1)
    ) as running:
        async for result in running:
            cases += 1
            unknown += sum(metric.status is Status.JUDGE_ERROR for metric in result.metrics.values())
    if stop.error is not None:
        raise stop.error
    return Estimate(plan.judge.name, cases, found.done, unknown, judge.usage)


def with_earlier(new: CaseResult, old: CaseResult | None) -> CaseResult:
    """A result with the calls of the attempt that it takes the place of, as far as it does not count them itself.

    A completion that a cache kept is counted again by the attempt that asks for it again (`completion.cost_ledger`).
    What no cache keeps would drop out of the report: calls that failed, and those of a case that was changed since.
    """
    if old is None:
        return new
    asked: dict[str, list[Completion]] = {}
    for call in (call for metric in new.metrics.values() for call in metric.calls):
        if call.key and not call.shared and call.completion is not None:
            asked.setdefault(call.key, []).append(call.completion)

    def is_left(call: CallRecord) -> bool:
        """Whether nothing counts it any more: the new attempt got another completion, or paid anew for the same."""
        if call.shared or (done := call.completion) is None:
            return bool(call.attempts) and not call.shared
        return not done.cached and not any(one.cached or one.usage == done.usage for one in asked.get(call.key, ()))

    metrics = dict(new.metrics)
    for name in new.metrics.keys() & old.metrics.keys():
        metric, before = new.metrics[name], old.metrics[name]
        if left := tuple(map(without_reply, filter(is_left, (*before.earlier, *before.calls)))):
            metrics[name] = replace(metric, earlier=left, usage=metric.usage + usage_of(left))
    return replace(new, metrics=metrics)


_MESSAGE = "the judge did not see the whole prompt, as later calls to the same model show"


def looked_at_again(results: Iterable[CaseResult], dropped: Collection[str]) -> Iterator[CaseResult]:
    """The results that rest on calls which lost a part of their prompt, without what those calls said."""
    code, status = IssueCode.CONTEXT_TRUNCATED, Status.CONTEXT_TRUNCATED
    lost: dict[str, Any] = {"status": status.value, "error": _MESSAGE}
    nothing: dict[str, Any] = {"score": None, "bounds": None, "outcome": Outcome.INCONCLUSIVE, "reason": _MESSAGE}
    for result in results if dropped else ():
        metrics = dict(result.metrics)
        for name, metric in result.metrics.items():
            if metric.status is status or not any(call.key in dropped for call in metric.calls):
                continue
            issues = (*metric.issues, Issue(code, _MESSAGE))
            calls = tuple(replace(call, **lost) if call.key in dropped else call for call in metric.calls)
            verdicts = tuple(
                one.model_copy(update={"verdict": None, "issues": (*one.issues, Issue(code, _MESSAGE, one.index))})
                for one in metric.verdicts
            )
            metrics[name] = replace(metric, status=status, verdicts=verdicts, issues=issues, calls=calls, **nothing)
        if metrics != result.metrics:
            yield replace(result, metrics=metrics)
