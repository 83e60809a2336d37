"""What every command with figures does with them: the table, the reports, and GitHub's own places."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from magistrate.cli import late

if TYPE_CHECKING:
    from magistrate.evaluation.execution.execute import Estimate
    from magistrate.evaluation.plan import Plan
    from magistrate.evaluation.runs.run import Run
    from magistrate.records import Usage
    from magistrate.report.view import RunView


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
    typer.echo(f"No call is made. What {found[0][1].judge} is likely to take:")
    for name, one in found:
        if len(found) > 1:
            typer.echo(f"\n{name}")
        _put(one)
    total = sum((one.usage for _, one in found), late.Usage())
    if len(found) > 1:
        typer.echo("\nin all")
        _put_usage(total)
    if budget is not None and total.cost is not None and total.cost > budget:
        typer.echo(f"That is more than --budget {budget:g} allows.")
    if max_calls is not None and total.calls > max_calls:
        typer.echo(f"That is more than --max-calls {max_calls} allows.")
    if total.calls:
        typer.echo(
            "\nAn answer is taken to have one statement a sentence. Calls made again after faults, and what a model\n"
            "thinks before it answers, come on top."
        )


def _put(one: Estimate) -> None:
    finished = f" ({one.finished} more are finished)" if one.finished else ""
    typer.echo(f"  cases              {one.cases:>12,}{finished}")
    _put_usage(one.usage)
    if one.unknown:
        typer.echo(f"  {one.unknown} results of metrics of your own could not be estimated")


def _put_usage(usage: Usage) -> None:
    cost = "unknown" if usage.cost is None else f"${usage.cost:.4f}"
    cached = f" (and {usage.cached:,} from the cache)" if usage.cached else ""
    typer.echo(f"  calls              {usage.calls:>12,}{cached}")
    typer.echo(f"  prompt tokens      {usage.prompt_tokens or 0:>12,}")
    typer.echo(f"  completion tokens  {usage.completion_tokens or 0:>12,}")
    typer.echo(f"  cost               {cost:>12}")
