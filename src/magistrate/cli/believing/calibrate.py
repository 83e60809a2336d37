"""`magistrate calibrate`: what a judge's confidence means, by people's labels."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from magistrate.cli.arguments import share_of
from magistrate.cli.options import LabelsFile, MetricName, RunArgument, TruthField

HELP = (
    "Find out by people's labels what the judge's confidence means, and from where on a statement is best called "
    "supported. `magistrate eval --calibration FILE` judges so."
)


def calibrate(  # noqa: PLR0917 - the options of a command line
    run: RunArgument,
    labels: LabelsFile = None,
    truth: TruthField = None,
    metric: MetricName = None,
    share: Annotated[
        str,
        typer.Option(
            metavar="SHARE", help="Labelled cases to use; the others are left for `trust`.", callback=share_of
        ),
    ] = "50%",
    output: Annotated[str, typer.Option("-o", "--output", metavar="FILE", help="Where to write it.")] = (
        "calibration.json"
    ),
) -> None:
    """Calibrate a run's judge."""
    from magistrate.evaluation.believing.calibrating import calibrate_run  # noqa: PLC0415
    from magistrate.evaluation.believing.labels import labels_of  # noqa: PLC0415
    from magistrate.evaluation.runs.run import load_run  # noqa: PLC0415
    from magistrate.report.terminal import make_console, print_template  # noqa: PLC0415

    loaded = load_run(run)
    given = labels_of(loaded, path=labels, truth=truth, metric=metric)
    found = calibrate_run(loaded, given, metric=metric, share=float(share))
    found.write(Path(output))
    print_template(make_console(), "calibration", found=found, path=output, run=run)
