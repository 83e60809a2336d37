"""`evaluate` and `aevaluate`: what the command line does, in one call."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

from magistrate.evaluation.columns import FieldMap
from magistrate.evaluation.dataset import Dataset
from magistrate.evaluation.execution import execute, results_of, state_of
from magistrate.evaluation.plan import DEFAULT_CONCURRENCY, Plan, make_plan
from magistrate.evaluation.privacy import Redact
from magistrate.evaluation.results import CaseResult
from magistrate.evaluation.run import Run
from magistrate.evaluation.runner import Progress, Stop
from magistrate.sync import run_sync

if TYPE_CHECKING:
    from magistrate.case import Case
    from magistrate.judges.base import Judge
    from magistrate.metrics.base import Metric

__all__ = ["aevaluate", "evaluate"]


def evaluate(
    cases: str | Path | Dataset | Iterable[Case | Mapping[str, Any]],
    metrics: Sequence[Metric] | None = None,
    judge: Judge | str | None = None,
    *,
    run: str | Path | None = None,
    resume: bool = False,
    concurrency: int = DEFAULT_CONCURRENCY,
    limit: int | None = None,
    quick: bool = False,
    seed: int = 0,
    mapping: FieldMap | Sequence[str] | None = None,
    format: str | None = None,  # noqa: A002
    repeat: int = 1,
    store_text: bool = True,
    redact: Redact | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Run:
    """Evaluate cases and return the run. Works from synchronous code anywhere, also inside a running event loop.

    Args:
        cases: A path, or cases: `Case` objects or mappings with the fields of a case under any of their names, or a
            table of them: a DataFrame of pandas or polars, an Arrow table, a Hugging Face dataset. A list without
            cases gives a complete run without results.
        metrics: What to measure; None for faithfulness.
        judge: Who judges: a judge, or a model's name; None for the offline judge, which needs no key and no model.
        run: A folder to keep the run in, as it goes; None to hold it in memory.
        resume: Go on with the run in that folder; no finished case is judged again.
        concurrency: Cases judged at a time.
        limit: Take only the first cases.
        quick: Take ten cases, some of every category.
        seed: Another seed takes other cases with `quick`.
        mapping: Columns for fields with another name: {"answer": "claim"}.
        format: The format of a file whose name does not tell it.
        repeat: Judge each case so many times: a statement gets the verdict of the majority, and the results say how
            often the repetitions disagree.
        store_text: Whether results keep the texts of cases and replies; False keeps ids, verdicts and numbers alone.
        redact: Takes each text of a case before any call, and gives what the judge and the run may see of it. A case
            that it fails on is not judged.
        progress: Called after each result.

    Returns:
        The run, its results in the order of the cases. Where the budget was spent, or the
        judge's provider is down, `state` says so.

    Raises:
        ConfigurationError: If something does not fit together, or `cases` is nothing that holds cases.
        DatasetError: If a file cannot be read.
        JudgeAuthError: And `JudgeNotFoundError`: the provider turned the first call down. What was finished is in
            `run`, if that was given.
    """
    plan = make_plan(
        cases,
        metrics,
        judge,
        run=run,
        resume=resume,
        concurrency=concurrency,
        limit=limit,
        quick=quick,
        seed=seed,
        mapping=mapping,
        format=format,
        repeat=repeat,
        store_text=store_text,
        redact=redact,
    )
    return run_sync(_finish(plan, Stop(), progress))


@overload
def aevaluate(
    cases: str | Path | Dataset | Iterable[Case | Mapping[str, Any]],
    metrics: Sequence[Metric] | None = None,
    judge: Judge | str | None = None,
    *,
    stream: Literal[False] = False,
    run: str | Path | None = None,
    resume: bool = False,
    concurrency: int = DEFAULT_CONCURRENCY,
    limit: int | None = None,
    quick: bool = False,
    seed: int = 0,
    mapping: FieldMap | Sequence[str] | None = None,
    format: str | None = None,
    repeat: int = 1,
    store_text: bool = True,
    redact: Redact | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Awaitable[Run]: ...
@overload
def aevaluate(
    cases: str | Path | Dataset | Iterable[Case | Mapping[str, Any]],
    metrics: Sequence[Metric] | None = None,
    judge: Judge | str | None = None,
    *,
    stream: Literal[True],
    run: str | Path | None = None,
    resume: bool = False,
    concurrency: int = DEFAULT_CONCURRENCY,
    limit: int | None = None,
    quick: bool = False,
    seed: int = 0,
    mapping: FieldMap | Sequence[str] | None = None,
    format: str | None = None,
    repeat: int = 1,
    store_text: bool = True,
    redact: Redact | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> AsyncIterator[CaseResult]: ...
def aevaluate(
    cases: Any,
    metrics: Sequence[Metric] | None = None,
    judge: Judge | str | None = None,
    *,
    stream: bool = False,
    progress: Callable[[Progress], None] | None = None,
    **options: Any,
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
    plan = make_plan(cases, metrics, judge, **options)
    if stream:
        return _stream(plan, progress)
    return _finish(plan, Stop(), progress)


async def _finish(plan: Plan, stop: Stop, progress: Callable[[Progress], None] | None) -> Run:
    run = await execute(plan, stop, progress)
    if stop.error is not None and run.state == "failed":
        raise stop.error
    return run


async def _stream(plan: Plan, progress: Callable[[Progress], None] | None) -> AsyncIterator[CaseResult]:
    stop = Stop()
    async with contextlib.aclosing(results_of(plan, stop, progress)) as results:
        async for result in results:
            yield result
    if stop.error is not None and state_of(stop) == "failed":
        raise stop.error
