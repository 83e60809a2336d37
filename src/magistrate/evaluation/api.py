"""`evaluate` and `aevaluate`: what the command line does, in one call."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, Literal, Unpack, overload

from magistrate.case import Case
from magistrate.errors import ConfigurationError, meant
from magistrate.evaluation.cases.dataset import Dataset
from magistrate.evaluation.execution.execute import execute, results_of
from magistrate.evaluation.execution.stop import Progress, Stop
from magistrate.evaluation.plan import Metrics, Plan, RunKeywords, RunOptions, make_plan
from magistrate.evaluation.runs.results import CaseResult
from magistrate.evaluation.runs.run import Run
from magistrate.evaluation.runs.store import begun
from magistrate.judges import Judge
from magistrate.log import Logger
from magistrate.sync import run_sync

_log = Logger(__name__)
Cases = str | Path | Dataset | Iterable[Case | Mapping[str, Any]]
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
        **options: The fields of `RunOptions` by name: run, resume, concurrency, limit, quick, seed, mapping, format,
            repeat, swap, store_text, redact.

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
        raise ConfigurationError(f"a run has no option {unknown!r}.{meant(unknown, known)}")
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
    async with contextlib.aclosing(results_of(plan, stop, progress)) as results:
        async for result in results:
            yield result
    stop.check()
