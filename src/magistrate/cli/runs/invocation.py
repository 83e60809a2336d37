"""What one `magistrate eval` does between its options and its end: the run, baselines, laws, and what is printed."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from magistrate.cli import late, recatch_signals

if TYPE_CHECKING:
    import asyncio

    from magistrate.evaluation.execution.execute import Estimate
    from magistrate.evaluation.execution.stop import Progress, Stop
    from magistrate.evaluation.laws import LawResult
    from magistrate.evaluation.plan import Plan
    from magistrate.evaluation.runs.run import Run
    from magistrate.evaluation.runs.store import State
    from magistrate.report.view import RunView

Judging = Callable[["Plan", "Stop", Callable[["Progress"], None] | None], Awaitable["Run"]]
_LAW_CASES = 25
"""Cases whose variants are put to a model."""


@dataclass(frozen=True, slots=True)
class Invocation:
    """What came of an invocation."""

    run: Run
    compared: list[tuple[str, Run]]
    laws: list[LawResult]
    error: Exception | None
    state: State
    """How the invocation ended: as the run did, or else as the first baseline that it did not finish."""


def carry_out(
    plan: Plan,
    baselines: list[tuple[str, late.Run | Plan]],
    *,
    laws: bool,
    quiet: bool,
    run: late.Run | None = None,
    judged_by: Judging | None = None,
) -> Invocation:
    """Judge the plan's cases, then those of the baselines that are no finished runs, then variants for the laws."""
    import asyncio  # noqa: PLC0415 - as everything here that takes time to load

    stop = late.Stop()

    async def work() -> tuple[late.Run, list[tuple[str, late.Run]], list[LawResult]]:
        _listen(asyncio.get_running_loop(), stop)
        compared: list[tuple[str, late.Run]] = []
        kept: list[LawResult] = []
        try:
            with ExitStack() as stack:
                progress = None if quiet or not sys.stderr.isatty() else stack.enter_context(late.ProgressBar()).update
                judged = await (judged_by or late.execute)(plan, stop, progress) if run is None else run
                for name, other in baselines:
                    if isinstance(other, late.Run):
                        compared.append((name, other))
                    elif not stop.requested and judged.state == "complete":
                        compared.append((name, await late.execute(other, stop, progress)))
                if laws and judged.state == "complete":
                    kept = await _measure_laws(judged, plan)
        finally:
            await late.close_judge(plan.judge)
        return judged, compared, kept

    judged, compared, kept = asyncio.run(work())
    recatch_signals()
    made = [judged, *(other for _, other in compared if not any(other is stored for _, stored in baselines))]
    state: State = next((one.state for one in made if one.state != "complete"), "complete")
    return Invocation(judged, compared, kept, stop.error if state == "failed" else None, state)


async def _measure_laws(run: Run, plan: Plan) -> list[LawResult]:
    """Put variants of the run's cases to its judge."""
    judging = next((metric for metric in plan.metrics if isinstance(metric, late.Faithfulness)), None)
    judging = judging or next(
        (metric.judging for metric in plan.metrics if hasattr(metric, "judging")), late.Faithfulness()
    )
    most = _LAW_CASES if late.can_grade(plan.judge) else None  # a judge that cannot grade is no model: it costs nothing
    cases = [
        (result.case, result.metrics.get(judging.name) if plan.options.repeat == 1 else None)
        for result in islice(run.results, most)
    ]
    measured, _, _ = await late.measured_laws(cases, plan.judge, judging=judging)
    return measured


def _listen(loop: asyncio.AbstractEventLoop, stop: Stop) -> None:
    """End cleanly on Ctrl-C and SIGTERM; at once on the second."""
    import signal  # noqa: PLC0415

    def on_signal(name: str) -> None:
        if not stop.interrupted:
            typer.echo(f"{name}: ending the cases that were begun. Again to stop at once.", err=True)
        stop.interrupt(name)

    for number, name in ((signal.SIGINT, "Ctrl-C"), (signal.SIGTERM, "SIGTERM")):
        try:
            loop.add_signal_handler(number, on_signal, name)
        except (NotImplementedError, RuntimeError, ValueError):  # Windows, or not the main thread
            return


def say_if_nothing_was_judged(run: Run) -> None:
    """Say so in a line, whatever else is printed: an empty report looks like a good one."""
    if run.state == "complete" and not run.summary.judged:
        first = next(
            (metric.reason for result in run.results for metric in result.metrics.values() if metric.reason), None
        )
        why = f" ({late.clip(first, 200)})" if first else ""
        typer.echo(late.printable(f"magistrate: nothing was judged: {run.summary.unjudged}{why}"), err=True)


def put_out(view: RunView, outputs: Sequence[str | Path], *, quiet: bool = False) -> None:
    """Write the reports, print the table, and tell GitHub where this is a step of its Actions."""
    from magistrate.cli import hush  # noqa: PLC0415

    files = late.write_reports(view, outputs)
    if not quiet:
        try:
            console = late.make_console()
            late.print_run(view, console)
            for path in outputs:
                console.print(f"report: {path}", style="dim", soft_wrap=True)
            sys.stdout.flush()
        except (BrokenPipeError, SystemExit):  # `| head`, and rich's answer to it: the exit code is still the run's
            hush()
    if late.in_actions():
        out = sys.stdout.unguarded if isinstance(sys.stdout, late.CommandGuard) else sys.stdout
        late.publish(view, out, files=files)


def put_estimate(
    plan: Plan,
    baselines: list[tuple[str, late.Run | Plan]],
    *,
    cached: bool,
    budget: float | None,
    max_calls: int | None,
) -> None:
    """Print what a plan and its baselines would cost; no call is made."""
    import asyncio  # noqa: PLC0415 - as everything here that takes time to load

    async def estimate() -> list[tuple[str, Estimate]]:
        plans = [("the run", plan), *((name, other) for name, other in baselines if not isinstance(other, late.Run))]
        try:
            return [(name, await late.estimate_plan(one, cached=cached)) for name, one in plans]
        finally:
            await late.close_judge(plan.judge)

    found = asyncio.run(estimate())
    total = sum((one.usage for _, one in found), late.Usage())
    limits = {"budget": budget, "max_calls": max_calls}
    late.print_template(late.make_console(), "estimate", found=found, total=total, **limits)
