"""`magistrate eval --estimate`: what a run would cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from magistrate.evaluation.estimate import Estimate
    from magistrate.evaluation.plan import Plan
    from magistrate.evaluation.runs.run import Run
    from magistrate.records import Usage


def put_estimate(
    plan: Plan,
    baselines: list[tuple[str, Run | Plan]],
    *,
    cached: bool,
    budget: float | None,
    max_calls: int | None,
) -> None:
    """Print what a plan and its baselines would cost; no call is made."""
    import asyncio  # noqa: PLC0415 - as everything here that takes time to load

    from magistrate.evaluation.estimate import estimate_plan  # noqa: PLC0415
    from magistrate.evaluation.execution.execute import close_judge  # noqa: PLC0415
    from magistrate.evaluation.runs.run import Run  # noqa: PLC0415
    from magistrate.records import Usage  # noqa: PLC0415

    async def estimate() -> list[tuple[str, Estimate]]:
        plans = [("the run", plan), *((name, other) for name, other in baselines if not isinstance(other, Run))]
        try:
            return [(name, await estimate_plan(one, cached=cached)) for name, one in plans]
        finally:
            await close_judge(plan.judge)

    found = asyncio.run(estimate())
    typer.echo(f"No call is made. What {found[0][1].judge} is likely to take:")
    for name, one in found:
        if len(found) > 1:
            typer.echo(f"\n{name}")
        _put(one)
    total = sum((one.usage for _, one in found), Usage())
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
