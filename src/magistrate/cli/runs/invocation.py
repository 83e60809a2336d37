"""What one `magistrate eval` does between its options and its end: the run, baselines, laws, and what is printed."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from magistrate.cli import hush, late, recatch_signals
from magistrate.cli.arguments import say

if TYPE_CHECKING:
    import asyncio

Judging = Callable[["late.Plan", "late.Stop", Callable[["late.Progress"], None] | None], Awaitable["late.Run"]]
_LAW_CASES = 25
"""Cases whose variants are put to a model."""


class Invocation(NamedTuple):
    """What came of an invocation; its state is that of the run, or else of the first baseline it did not finish."""

    run: late.Run
    compared: list[tuple[str, late.Run]]
    laws: list[late.LawResult]
    error: Exception | None
    state: late.State


def carry_out(
    plan: late.Plan,
    baselines: list[tuple[str, late.Run | late.Plan]],
    *,
    laws: bool,
    quiet: bool,
    run: late.Run | None = None,
    judged_by: Judging | None = None,
) -> Invocation:
    """Judge the plan's cases, then those of the baselines that are no finished runs, then variants for the laws."""
    import asyncio  # noqa: PLC0415 - as everything here that takes time to load

    stop = late.Stop()

    async def work() -> tuple[late.Run, list[tuple[str, late.Run]], list[late.LawResult]]:
        _listen(asyncio.get_running_loop(), stop)
        compared: list[tuple[str, late.Run]] = []
        kept: list[late.LawResult] = []
        try:
            with ExitStack() as stack:
                progress = None if quiet or not sys.stderr.isatty() else stack.enter_context(late.progress_bar())
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
    state: late.State = next((one.state for one in made if one.state != "complete"), "complete")
    return Invocation(judged, compared, kept, stop.error if state == "failed" else None, state)


async def _measure_laws(run: late.Run, plan: late.Plan) -> list[late.LawResult]:
    """Put variants of the run's cases to its judge."""
    faithful = [metric for metric in plan.metrics if isinstance(metric, late.Faithfulness)]
    faithful += [metric.judging for metric in plan.metrics if hasattr(metric, "judging")]
    judging = next(iter(faithful), None) or late.Faithfulness()
    most = _LAW_CASES if late.can_grade(plan.judge) else None  # a judge that cannot grade is no model: it costs nothing
    cases = [
        (result.case, result.metrics.get(judging.name) if plan.options.repeat == 1 else None)
        for result in islice(run.results, most)
    ]
    measured, _, _ = await late.measured_laws(cases, plan.judge, judging=judging)
    return measured


def _listen(loop: asyncio.AbstractEventLoop, stop: late.Stop) -> None:
    """End cleanly on Ctrl-C and SIGTERM; at once on the second."""
    import signal  # noqa: PLC0415

    def on_signal(name: str) -> None:
        if not stop.interrupted:
            sys.stderr.write(f"{name}: ending the cases that were begun. Again to stop at once.\n")
        stop.interrupt(name)

    for number, name in ((signal.SIGINT, "Ctrl-C"), (signal.SIGTERM, "SIGTERM")):
        try:
            loop.add_signal_handler(number, on_signal, name)
        except (NotImplementedError, RuntimeError, ValueError):  # Windows, or not the main thread
            return


def say_if_nothing_was_judged(run: late.Run) -> None:
    """Say so in a line, whatever else is printed: an empty report looks like a good one."""
    if run.state == "complete" and not run.summary.judged:
        reasons = (metric.reason for result in run.results for metric in result.metrics.values() if metric.reason)
        why = f" ({late.clip(first, 200)})" if (first := next(reasons, None)) else ""
        say(late.printable(f"nothing was judged: {run.summary.unjudged}{why}"))


def put_out(view: late.RunView, outputs: Sequence[str | Path], *, quiet: bool = False) -> None:
    """Write the reports, print the table, and tell GitHub where this is a step of its Actions."""
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
    plan: late.Plan,
    baselines: list[tuple[str, late.Run | late.Plan]],
    *,
    cached: bool,
    budget: float | None,
    max_calls: int | None,
) -> None:
    """Print what a plan and its baselines would cost; no call is made."""
    import asyncio  # noqa: PLC0415 - as everything here that takes time to load

    async def estimate() -> list[tuple[str, late.Estimate]]:
        plans = [("the run", plan), *((name, other) for name, other in baselines if not isinstance(other, late.Run))]
        try:
            return [(name, await late.estimate_plan(one, cached=cached)) for name, one in plans]
        finally:
            await late.close_judge(plan.judge)

    found = asyncio.run(estimate())
    total = sum((one.usage for _, one in found), late.Usage())
    limits = {"budget": budget, "max_calls": max_calls}
    late.print_template(late.make_console(), "estimate", found=found, total=total, **limits)
