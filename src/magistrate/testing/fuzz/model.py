"""Fuzz a judge itself, a model mostly: small cases with known verdicts, some with an answer planted in them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from magistrate.errors import ConfigurationError, MagistrateError
from magistrate.evaluation.execution.execute import close_judge
from magistrate.judges import as_judge, never_says, together
from magistrate.records import Usage
from magistrate.sync import run_sync
from magistrate.testing.adapters import ADAPTERS
from magistrate.testing.fuzz._judging import JudgingCase, judging_cases
from magistrate.testing.fuzz._report import Example, FuzzReport
from magistrate.verdict import TERNARY, Verdict

if TYPE_CHECKING:
    from magistrate.judges import Judge, VerdictsReply

COUNT = 100
"""Cases put to a model where no number is named: each is a call that may cost money."""


def names_model(target: str) -> bool:
    """Whether the target of a fuzzing run is a judge's name, and neither module:function nor a parser's name.

    A name of a model with a colon and no slash is a function: write it with its provider (openai/ft:gpt-4o:org).
    """
    if target in ADAPTERS:
        return False
    return "/" in target or target.startswith("local:") or ":" not in target


def fuzz_model(
    judge: Judge, *, seconds: float = 30.0, count: int | None = COUNT, seed: int = 0, concurrency: int = 4
) -> FuzzReport:
    """Have a judge judge small cases with known verdicts, and compare.

    A case is `wrong` where any statement has a verdict that is not right, `withheld` where one has none (a failed call,
    a refusal, a reply that cannot be used), `crash` where the judge raises what it may not raise.

    Args:
        judge: The judge. It is closed at the end.
        seconds: How long at most; what is under way then is given up and not counted.
        count: How many cases at most; None for no limit but the time.
        seed: Seed of the cases.
        concurrency: Cases judged at a time.

    Raises:
        ConfigurationError: If a number is not positive.
        JudgeError: What ends a run: no access, no such model, a provider that is down.
    """
    if seconds <= 0 or concurrency < 1 or (count is not None and count < 1):
        raise ConfigurationError("seconds, count and concurrency must be positive")
    report = FuzzReport(judge.name, seed, usage=Usage())
    started = time.monotonic()
    run_sync(_all(judge, islice(judging_cases(seed), count), report, seconds, concurrency))
    report.seconds = time.monotonic() - started
    return report


async def _all(
    judge: Judge, cases: Iterator[JudgingCase], report: FuzzReport, seconds: float, concurrency: int
) -> None:
    async def work() -> None:
        for case in cases:
            await _try(judge, _sayable(case, judge), report)

    try:
        async with asyncio.timeout(seconds) as limit:
            await together([work() for _ in range(concurrency)])
    except TimeoutError:
        if not limit.expired():
            raise
    finally:
        await close_judge(judge)


def _sayable(case: JudgingCase, judge: Judge) -> JudgingCase:
    """Let a judge that never says "contradicted" say that the passages do not settle it."""
    if Verdict.CONTRADICTED not in never_says(judge):
        return case
    unknown = Verdict.NOT_ENOUGH_INFO
    right = [(unknown,) if verdicts == (Verdict.CONTRADICTED,) else verdicts for verdicts in case.right]
    return replace(case, right=tuple(right))


async def _try(judge: Judge, case: JudgingCase, report: FuzzReport) -> None:
    reply: VerdictsReply | None = None
    error: str | None = None
    try:
        reply = await as_judge(judge).verify(case.statements, case.contexts, scale=TERNARY)
    except MagistrateError:
        raise  # it ends the run: no other case would fare better
    except Exception as raised:  # noqa: BLE001 - a crash is what is looked for
        error = f"{type(raised).__name__}: {raised}"[:300]
    await asyncio.sleep(0)  # a judge that never waits must not outrun the limit
    read = None if reply is None else [found.verdict for found in reply]
    outcome = "crash" if read is None else _outcome(case, read)
    report.note(case.kind, outcome)
    if reply is not None and report.usage is not None:
        report.usage += reply.usage
    if outcome in {"right", "withheld"}:
        return
    example = Example(
        f"{outcome}: {case.kind}",
        outcome,
        case.kind,
        _raw(reply),
        case.statements,
        TERNARY.name,
        [" or ".join(right) for right in case.right],
        None if read is None else [None if verdict is None else verdict.value for verdict in read],
        error,
        case.contexts,
    )
    report.keep(example)


def _outcome(case: JudgingCase, read: list[Verdict | None]) -> str:
    if len(read) != len(case.right):
        return "wrong"
    if any(verdict is not None and verdict not in right for verdict, right in zip(read, case.right, strict=True)):
        return "wrong"
    return "withheld" if None in read else "right"


def _raw(reply: VerdictsReply | None) -> str:
    calls = () if reply is None else reply.calls
    return "\n".join(call.completion.text or "" for call in calls if call.completion is not None)
