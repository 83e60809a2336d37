"""`evaluate` and `aevaluate`: what the command line does, in one call; how a plan is carried out, and what it costs."""

from __future__ import annotations

import contextlib
import inspect
import sys
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from itertools import islice
from pathlib import Path
from typing import Any, Literal, Unpack, overload

from magistrate.case import Case
from magistrate.completion.cost_ledger import Payer
from magistrate.errors import ConfigurationError, meant
from magistrate.evaluation.believing.trials import settle_cascade
from magistrate.evaluation.cases.dataset import QUICK, Dataset, Record, Table, quick_sample
from magistrate.evaluation.files import RESULTS
from magistrate.evaluation.plan import Metrics, Plan, RunKeywords, RunOptions, make_plan, now, redacted
from magistrate.evaluation.running import IsDone, Progress, Stop, run_cases
from magistrate.evaluation.runs.results import CaseResult, fingerprint, without_reply, without_text
from magistrate.evaluation.runs.run import Run
from magistrate.evaluation.runs.store import RunIndex, RunState, RunWriter, begun, read_index
from magistrate.judges import Judge, makes_calls, usage_of
from magistrate.judges.cascade import CascadeJudge
from magistrate.log import get_logger
from magistrate.records import CallRecord, Completion, Usage
from magistrate.sync import run_sync
from magistrate.verdict import Issue, IssueCode, Outcome, Status

_log = get_logger("magistrate.run")
Cases = str | Path | Dataset | Table | Iterable[Case | Mapping[str, Any]]
Showing = Callable[[Progress], None] | Literal[False] | None


def evaluate(
    cases: Cases,
    metrics: Metrics = None,
    judge: Judge | str | None = None,
    *,
    progress: Showing = None,
    **options: Unpack[RunKeywords],
) -> Run:
    """Evaluate cases and return the run. Works from synchronous code anywhere, also inside a running event loop.

    Args:
        cases: A path, or cases: `Case` objects or mappings with the fields of a case under any of their names, or a
            table of them: a DataFrame of pandas or polars, an Arrow table, a Hugging Face dataset. A list without
            cases gives a complete run without results.
        metrics: What to measure: metrics, or their names as `magistrate metrics` lists them; None for faithfulness.
        judge: Who judges: a judge, or a model's name; None for the offline judge, which needs no key and no model.
        progress: Called after each result; None shows a bar where this is a notebook, False nothing.
        **options: run, resume, concurrency, limit, quick, seed, mapping, format, repeat, swap, store_text, redact:
            `help(magistrate.evaluation.plan.RunOptions)` says what each does.

    Returns:
        The run, its results in the order of the cases. Where the budget was spent, or the
        judge's provider is down, `state` says so.

    Raises:
        ConfigurationError: If something does not fit together, or `cases` is nothing that holds cases.
        DatasetError: If a file cannot be read.
        JudgeAuthError: And `JudgeNotFoundError`: the provider turned the first call down. What was finished is in
            `run`, if that was given.
    """
    return run_sync(_finish(*_planned(cases, metrics, judge, options, progress)))


@overload
def aevaluate(
    cases: Cases,
    metrics: Metrics = None,
    judge: Judge | str | None = None,
    *,
    stream: Literal[False] = False,
    progress: Showing = None,
    **options: Unpack[RunKeywords],
) -> Awaitable[Run]: ...
@overload
def aevaluate(
    cases: Cases,
    metrics: Metrics = None,
    judge: Judge | str | None = None,
    *,
    stream: Literal[True],
    progress: Showing = None,
    **options: Unpack[RunKeywords],
) -> AsyncIterator[CaseResult]: ...
def aevaluate(
    cases: Cases,
    metrics: Metrics = None,
    judge: Judge | str | None = None,
    *,
    stream: bool = False,
    progress: Showing = None,
    **options: Unpack[RunKeywords],
) -> Awaitable[Run] | AsyncIterator[CaseResult]:
    """Evaluate cases inside an event loop. Arguments and errors as for `evaluate`.

    Args:
        cases: As for `evaluate`.
        metrics: As for `evaluate`.
        judge: As for `evaluate`.
        stream: False: await it for the run. True: iterate over it with `async for`; each result comes as soon as it is
            there, in no particular order (`.index` tells its place), and none is held in memory.
        progress: As for `evaluate`.
        **options: As for `evaluate`.
    """
    planned = _planned(cases, metrics, judge, options, progress)
    return _stream(*planned) if stream else _finish(*planned)


def _planned(
    cases: Cases, metrics: Metrics, judge: Judge | str | None, keywords: RunKeywords, progress: Showing
) -> tuple[Plan, Callable[[Progress], None] | None]:
    known = [one.name for one in fields(RunOptions)]
    if unknown := next((name for name in keywords if name not in known), None):
        raise ConfigurationError(
            f"a run has no option {unknown!r}.{meant(unknown, known)} Options: {', '.join(known)}; of a model, such as "
            'api_base: judge=LLMJudge("NAME", api_base=...)'
        )
    options = RunOptions(**keywords)
    if options.resume and options.run is None:
        raise ConfigurationError("resume needs the run's folder: run=PATH")
    plan = make_plan(cases, metrics, judge, options)
    if plan.folder is not None and not options.resume and begun(plan.folder, plan.header):
        _log.warning("run.judged_anew", run=str(plan.folder), hint="resume=True goes on with it")
    if progress is None and "IPython" in sys.modules:
        from magistrate.report.documents import notebook_progress  # noqa: PLC0415 - seldom needed

        return plan, notebook_progress()
    return plan, progress or None


async def _finish(plan: Plan, progress: Callable[[Progress], None] | None) -> Run:
    stop = Stop()
    run = await execute(plan, stop, progress)
    stop.check()
    return run


async def _stream(plan: Plan, progress: Callable[[Progress], None] | None) -> AsyncIterator[CaseResult]:
    stop = Stop()
    async with contextlib.aclosing(results_of(plan, stop, progress, _writer(plan))) as results:
        async for result in results:
            yield result
    stop.check()


async def execute(plan: Plan, stop: Stop, progress: Callable[[Progress], None] | None = None) -> Run:
    """Carry out a plan. However it ends, what was finished is kept, and the run's state says how it ended."""
    writer = _writer(plan)
    kept = [result async for result in results_of(plan, stop, progress, writer) if writer is None]
    ended: Any = {"state": stop.state, "message": stop.reason or None}
    if writer is not None:
        return Run(writer.results(), writer.index.header, **ended, path=plan.folder)
    again = {one.index: one for one in looked_at_again(kept, plan.judge)}
    kept = sorted((again.get(result.index, result) for result in kept), key=lambda result: result.index)
    return Run(kept, plan.header, **ended)


def _writer(plan: Plan) -> RunWriter | None:
    return None if plan.folder is None else RunWriter(plan.folder, plan.header, resume=plan.options.resume)


async def results_of(
    plan: Plan,
    stop: Stop,
    progress: Callable[[Progress], None] | None,
    writer: RunWriter | None,
) -> AsyncGenerator[CaseResult, None]:
    """Evaluate, write each result down where the run is kept, and yield it."""
    options = plan.options
    state: RunState = "interrupted"
    taken: Counter[str] = Counter()
    try:
        if isinstance(plan.judge, CascadeJudge):
            await settle_cascade(plan, selected(plan), stop, _payer(writer))
        most = (plan.dataset.size_hint(), options.limit, QUICK if options.quick else None)
        so_far = Progress(total=min((number for number in most if number is not None), default=None))
        _log.info("run.started", judge=plan.judge.name, cases=so_far.total, concurrency=options.concurrency)
        is_done = _is_done(writer.index if writer is not None else None, so_far)
        more: Any = {"concurrency": options.concurrency, "payer": _payer(writer)}
        running = _running(plan, plan.judge, stop, is_done, records=selected(plan, taken), **more)
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
        if writer is not None:
            for result in looked_at_again(writer.results(), plan.judge):
                writer.append(result)
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


async def close_judge(judge: Judge) -> None:
    """Close a judge that can be closed."""
    closing = getattr(judge, "close", lambda: None)()
    if inspect.isawaitable(closing):
        await closing


def _payer(writer: RunWriter | None) -> Payer | None:
    if writer is None or not writer.index.header.id:
        return None
    finished = writer.results(finished=True)
    return Payer(writer.index.header.id, lambda: _counted_keys(finished))


def _counted_keys(results: Iterable[CaseResult]) -> Iterator[str]:
    """The cache keys of the calls whose cost is counted in these results."""
    for result in results:
        for metric in result.metrics.values():
            for call in (*metric.calls, *metric.earlier):
                if call.key and not call.shared and call.completion is not None and not call.completion.cached:
                    yield call.key


def _is_done(index: RunIndex | None, so_far: Progress) -> IsDone:
    def is_done(record: Record, mark: str) -> bool:
        if index is None or not index.is_finished(record.index, mark):
            return False
        so_far.done += 1
        so_far.resumed += 1
        return True

    return is_done


def selected(plan: Plan, count: Counter[str] | None = None) -> Generator[Record, None, None]:
    """The records of a plan that are to be judged, redacted where it says so; counts "rows", and "all" at their end."""
    options, count = plan.options, Counter() if count is None else count
    with contextlib.closing(iter(plan.dataset)) as records:
        taken: Iterable[Record] = islice(records, options.limit)
        if options.quick:
            taken = quick_sample(taken, size=QUICK, seed=options.seed)
        for record in taken if options.redact is None else redacted(taken, options.redact, plan.dataset.name):
            count["rows"] += 1
            yield record
    count["all"] = 1


def _running(
    plan: Plan, judge: Judge, stop: Stop, is_done: IsDone, *, records: Iterator[Record], **more: Any
) -> AsyncGenerator[CaseResult, None]:
    options, may_block = plan.options, plan.dataset.is_pipe and not plan.options.quick
    more |= {"stop": stop, "is_done": is_done, "blocking_source": may_block}
    return run_cases(records, plan.metrics, judge, repeat=options.repeat, swap=options.swap, **more)


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


def looked_at_again(results: Iterable[CaseResult], judge: Judge) -> Iterator[CaseResult]:
    """The results that rest on calls which lost a part of their prompt, as the judge knows by now, without these."""
    dropped: frozenset[str] = frozenset(getattr(judge, "dropped_calls", ()))
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
