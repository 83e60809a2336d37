"""What every command with figures does with them: the table, the reports, and GitHub's own places."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from magistrate.evaluation.runs.run import Run
    from magistrate.report.view import RunView


def say_if_nothing_was_judged(run: Run) -> None:
    """Say so in a line, whatever else is printed: an empty report looks like a good one."""
    from magistrate.report.text import clip, printable  # noqa: PLC0415

    if run.state == "complete" and not run.summary.judged:
        first = next(
            (metric.reason for result in run.results for metric in result.metrics.values() if metric.reason), None
        )
        why = f" ({clip(first, 200)})" if first else ""
        typer.echo(printable(f"magistrate: nothing was judged: {run.summary.unjudged}{why}"), err=True)


def put_out(view: RunView, outputs: Sequence[str | Path], *, quiet: bool = False) -> None:
    """Write the reports, print the table, and tell GitHub where this is a step of its Actions."""
    from magistrate.cli import hush  # noqa: PLC0415
    from magistrate.report.outputs import write_reports  # noqa: PLC0415
    from magistrate.report.terminal import make_console  # noqa: PLC0415
    from magistrate.report.terminal.run import print_run  # noqa: PLC0415
    from magistrate.report.workflow_commands import CommandGuard, in_actions  # noqa: PLC0415

    files = write_reports(view, outputs)
    if not quiet:
        try:
            console = make_console()
            print_run(view, console)
            for path in outputs:
                console.print(f"report: {path}", style="dim", soft_wrap=True)
            sys.stdout.flush()
        except (BrokenPipeError, SystemExit):  # `| head`, and rich's answer to it: the exit code is still the run's
            hush()
    if in_actions():
        from magistrate.report.github import publish  # noqa: PLC0415

        out = sys.stdout.unguarded if isinstance(sys.stdout, CommandGuard) else sys.stdout
        publish(view, out, files=files)
