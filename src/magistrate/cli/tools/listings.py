"""`magistrate metrics` and `magistrate policies`: what can be measured, and how verdicts become a score."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated

import typer

from magistrate.cli.options import AsJson

METRICS_HELP = (
    "List the metrics: what each measures, what it needs, what it costs, what it makes of a judge without a model."
)
POLICIES_HELP = "List the scoring policies: how each turns the same verdicts into a score."


def metrics(
    name: Annotated[str | None, typer.Argument(help="Show one metric, or a group, in full.")] = None,
    as_json: AsJson = False,
) -> None:
    """List the metrics."""
    from magistrate.metrics.registry import GROUPS, METRICS, make_metric, metric_infos  # noqa: PLC0415

    if name is not None and name not in METRICS and name not in GROUPS:
        make_metric(name)  # its error names the nearest
        raise typer.BadParameter(f"{name!r} is a metric of your own: the table lists those of the package")
    wanted = METRICS if name is None else GROUPS.get(name, (name,))
    chosen = [info for info in metric_infos() if info.name in wanted]
    if as_json:
        typer.echo(json.dumps([asdict(info) for info in chosen], indent=2))
        return
    for info in chosen:
        better = "at least" if info.direction == "maximize" else "at most"
        typer.echo(f"{info.name}\n    {info.description}\n    {info.formula}")
        typer.echo(
            f"    needs: {', '.join(info.needs)}; passes: {better} {info.threshold:g}; calls a case: {info.cost}; "
            f"offline: {info.offline}"
        )
    if name is None:
        for group, members in GROUPS.items():
            typer.echo(f"{group} (group)\n    {', '.join(members)}")


def policies(
    name: Annotated[str | None, typer.Argument(help="Show one policy in full.")] = None,
    as_json: AsJson = False,
) -> None:
    """List the scoring policies."""
    from magistrate.scoring import POLICIES, POLICY_ALIASES, get_policy  # noqa: PLC0415

    chosen = [get_policy(name)] if name else list(POLICIES.values())
    aliases = {full: [short for short, long in POLICY_ALIASES.items() if long == full] for full in POLICIES}
    if as_json:
        rows = [{**p.row(), "summary": p.summary, "aliases": aliases[p.name]} for p in chosen]
        typer.echo(json.dumps(rows, indent=2))
        return
    for policy in chosen:
        also = f" (also: {', '.join(aliases[policy.name])})" if aliases[policy.name] else ""
        typer.echo(f"{policy.name}{also}\n    {policy.summary}\n    {policy.formula}")
        for column, value in policy.row().items() if name else ():
            if column not in ("policy", "formula") and value:
                typer.echo(f"    {column.replace('_', ' ')}: {value}")
