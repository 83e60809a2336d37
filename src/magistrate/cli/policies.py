"""`magistrate policies`: the scoring policies, as a table."""

from __future__ import annotations

import json
from typing import Annotated

import typer

__all__ = ["HELP", "policies"]

HELP = "List the scoring policies: how each turns the same verdicts into a score."


def policies(
    name: Annotated[str | None, typer.Argument(help="Show one policy in full.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the scoring policies."""
    from magistrate.scoring import POLICIES, POLICY_ALIASES, get_policy  # noqa: PLC0415

    chosen = [get_policy(name)] if name else list(POLICIES.values())
    aliases = {full: [short for short, long in POLICY_ALIASES.items() if long == full] for full in POLICIES}
    if as_json:
        typer.echo(
            json.dumps([{**p.row(), "summary": p.summary, "aliases": aliases[p.name]} for p in chosen], indent=2)
        )
        return
    for policy in chosen:
        also = f" (also: {', '.join(aliases[policy.name])})" if aliases[policy.name] else ""
        typer.echo(f"{policy.name}{also}\n    {policy.summary}\n    {policy.formula}")
        if name:
            for column, value in policy.row().items():
                if column not in ("policy", "formula") and value:
                    typer.echo(f"    {column.replace('_', ' ')}: {value}")
