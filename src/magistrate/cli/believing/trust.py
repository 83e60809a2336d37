"""`magistrate trust`: a run's figures, corrected by people's labels."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from magistrate.cli.arguments import unit_interval
from magistrate.cli.options import AsJson, LabelsFile, MetricName, RunArgument, TruthField

HELP = (
    "Say how far the figures of a run can be believed: what the judge said, what people say of the labelled "
    "statements, and the corrected figure with its interval."
)
EXIT_CODES = (
    "Exit codes: 1 the corrected figure may be below --min-lower; 2 bad input; 3 nothing can be said (too few labels, "
    "or labels that were not drawn); else 0."
)
CANNOT_SAY = 3


def trust(  # noqa: PLR0917 - the options of a command line
    run: RunArgument,
    labels: LabelsFile = None,
    truth: TruthField = None,
    metric: MetricName = None,
    target: Annotated[float, typer.Option(help="Half width of the interval you want.", callback=unit_interval)] = 0.05,
    group: Annotated[
        str | None, typer.Option(metavar="FIELD", help="A figure for each part: category, or a key of the metadata.")
    ] = None,
    min_lower: Annotated[
        float | None,
        typer.Option(help="Exit with 1 if the lower limit of the corrected figure is below.", callback=unit_interval),
    ] = None,
    assume_random: Annotated[
        bool, typer.Option("--assume-random", help="The labelled cases are a random choice, though not drawn here.")
    ] = False,
    output: Annotated[
        list[str] | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Write it as .html (the whole report), .json or .md; may be repeated.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Correct a run's figures."""
    from magistrate.errors import ConfigurationError  # noqa: PLC0415
    from magistrate.evaluation.believing.labels import labels_of  # noqa: PLC0415
    from magistrate.evaluation.believing.report import trust as corrected  # noqa: PLC0415
    from magistrate.evaluation.runs.run import load_run  # noqa: PLC0415
    from magistrate.report.html.page import write_html  # noqa: PLC0415
    from magistrate.report.rendering import render  # noqa: PLC0415
    from magistrate.report.terminal import make_console, print_template  # noqa: PLC0415
    from magistrate.report.text import printable_json  # noqa: PLC0415
    from magistrate.report.view import RunView  # noqa: PLC0415

    for name in output or ():
        if Path(name).suffix not in (".html", ".json", ".md"):
            raise ConfigurationError(f"{name}: what `trust` writes ends in .html, .json or .md")
    loaded = load_run(run)
    given = labels_of(loaded, path=labels, truth=truth, metric=metric)
    found = corrected(loaded, given, metric=metric, target=target, group=group, assume_random=assume_random)
    text = printable_json(json.dumps(found.to_dict(), indent=2, ensure_ascii=False))
    for name in output or ():
        if name.endswith(".html"):
            write_html(RunView(loaded, trust=found, labels=given), Path(name))
            continue
        Path(name).write_text(text if name.endswith(".json") else render("trust.md", found=found), encoding="utf-8")
    if as_json:
        typer.echo(text)
    else:
        print_template(make_console(), "trust", found=found, run=run)
    if found.corrected is None:
        raise typer.Exit(CANNOT_SAY)
    if min_lower is not None and found.corrected.low < min_lower:
        typer.echo(f"below --min-lower: the lower limit is {found.corrected.low:.3f}, {min_lower:g} is asked")
        raise typer.Exit(1)
