"""`magistrate metrics`: the metrics, as a table."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated

import typer

__all__ = ["HELP", "metrics"]

HELP = "List the metrics: what each measures, what it needs, what it costs, what it makes of a judge without a model."


def metrics(
    name: Annotated[str | None, typer.Argument(help="Show one metric, or a group, in full.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
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
