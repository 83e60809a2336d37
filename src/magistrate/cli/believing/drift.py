"""`magistrate drift`: whether a judge has changed."""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from magistrate.cli.arguments import unit_interval
from magistrate.cli.options import AsJson, CallOptions, LabelsFile, MetricName, ScaleName

HELP = (
    "Judge fixed, labelled cases again and see whether the judge has changed since it judged them first. The looks are "
    "kept in the file, and the evidence of all of them counts, however often one looks: made for a nightly job."
)
EXIT_CODES = "Exit codes: 0 nothing tells of a change; 1 the judge has changed; 2 bad input; 3 nothing could be judged."


def drift(  # noqa: PLR0917 - the options of a command line
    canaries: Annotated[
        str,
        typer.Argument(
            metavar="CANARIES", help="JSON Lines: a case a line, with contexts, statements and labels (true, false)."
        ),
    ],
    model: Annotated[str | None, typer.Option(help="The judge, as for `magistrate eval`.")] = None,
    start: Annotated[
        str | None,
        typer.Option("--from", metavar="RUN", help="Make the file of a run's labelled cases: its verdicts come first."),
    ] = None,
    labels: LabelsFile = None,
    metric: MetricName = None,
    fail_on: Annotated[
        float, typer.Option(help="Probability of a false alarm over all looks.", callback=unit_interval)
    ] = 0.05,
    scale: ScaleName = "ternary",
    as_json: AsJson = False,
    *,
    calls: CallOptions,
) -> None:
    """Look for drift."""
    from magistrate.errors import ConfigurationError  # noqa: PLC0415
    from magistrate.evaluation.believing.canaries import (  # noqa: PLC0415
        Canaries,
        look_again,
        read_canaries,
        write_canaries,
    )
    from magistrate.evaluation.believing.labels import labels_of  # noqa: PLC0415
    from magistrate.evaluation.execution.execute import close_judge  # noqa: PLC0415
    from magistrate.evaluation.runs.run import load_run  # noqa: PLC0415
    from magistrate.report.terminal import make_console, print_template  # noqa: PLC0415
    from magistrate.report.text import printable_json  # noqa: PLC0415

    if (model is None) == (start is None) or not 0.0 < fail_on < 1.0:
        raise ConfigurationError("give --model to look again, or --from RUN to begin; --fail-on lies between 0 and 1")
    if start is not None:
        run = load_run(start)
        made = write_canaries(run, labels_of(run, path=labels, metric=metric), Path(canaries), metric=metric)
        typer.echo(f"{canaries}: {len(made.labels)} labelled statements in {len(made.cases)} cases")
        return
    found, judge = read_canaries(canaries), calls.judge(model or "")

    async def look(before: Canaries) -> int:
        try:
            await look_again(before, judge, scale=scale)
        finally:
            await close_judge(judge)
        return len(before.looks)

    before = len(found.looks)
    if asyncio.run(look(found)) == before:
        typer.echo("magistrate: the judge gave no verdict at all: nothing is added to the looks", err=True)
        raise typer.Exit(3)
    evidence = found.evidence(fail_on)
    if as_json:
        typer.echo(printable_json(json.dumps(asdict(evidence), indent=2)))
    else:
        print_template(make_console(), "drift", found=evidence, looks=found.looks, alpha=fail_on)
    raise typer.Exit(int(evidence.alarm))
