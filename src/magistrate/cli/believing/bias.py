"""`magistrate bias`: what sways a judge that should not."""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict
from itertools import islice
from typing import TYPE_CHECKING, Annotated

import typer

from magistrate.cli.arguments import unit_interval
from magistrate.cli.options import AsJson, CallOptions, DatasetOptions, ScaleName

if TYPE_CHECKING:
    from magistrate.evaluation.believing.probes import ProbeResult
    from magistrate.records import Usage

HELP = (
    "Plant changes that mean nothing in the cases of a dataset, and see how many of the judge's verdicts turn and to "
    "which side: order, padding, authority, format, injection, and identity, which is its own noise."
)
EXIT_CODES = "Exit codes: 0; 1 a probe certainly turns more verdicts than --tolerance, or all to one side; 2 bad input."


def bias(  # noqa: PLR0917 - the options of a command line
    dataset: Annotated[str, typer.Argument(help="The cases: a dataset, or bundled:all.")],
    model: Annotated[str, typer.Option(help="The judge, as for `magistrate eval`.")],
    probe: Annotated[
        str | None, typer.Option(metavar="NAME,...", help="Probes, separated by commas; default: all of them.")
    ] = None,
    tolerance: Annotated[
        float, typer.Option(help="Share of the verdicts that may turn.", callback=unit_interval)
    ] = 0.05,
    scale: ScaleName = "ternary",
    as_json: AsJson = False,
    *,
    calls: CallOptions,
    reading: DatasetOptions,
) -> None:
    """Probe a judge."""
    from magistrate.errors import ConfigurationError, DatasetError  # noqa: PLC0415
    from magistrate.evaluation.believing.probes import PROBES  # noqa: PLC0415
    from magistrate.evaluation.believing.probes import probe as put_probes  # noqa: PLC0415
    from magistrate.evaluation.cases.answer_sources import open_source  # noqa: PLC0415
    from magistrate.evaluation.execution.execute import close_judge  # noqa: PLC0415
    from magistrate.metrics.faithfulness import Faithfulness  # noqa: PLC0415
    from magistrate.report.labels import usage_text  # noqa: PLC0415
    from magistrate.report.terminal import make_console, print_template  # noqa: PLC0415
    from magistrate.report.text import printable_json  # noqa: PLC0415

    names = list(dict.fromkeys(part.strip() for part in probe.split(","))) if probe else list(PROBES)
    if unknown := [name for name in names if name not in PROBES]:
        raise ConfigurationError(f"no probe {unknown[0]!r}: there are {', '.join(PROBES)}")
    source = open_source(dataset, format=reading.format_, mapping=reading.map_)
    source.check_mapping()
    cases = [record.case for record in islice(source, reading.limit) if not record.blocked]
    if not cases:
        raise DatasetError("the dataset holds no case that can be judged")
    judge = calls.judge(model)

    async def carry_out() -> tuple[list[ProbeResult], Usage]:
        try:
            return await put_probes(cases, judge, names, judging=Faithfulness(scale=scale))
        finally:
            await close_judge(judge)

    found, usage = asyncio.run(carry_out())
    if as_json:
        typer.echo(printable_json(json.dumps([asdict(one) for one in found], indent=2)))
    else:
        print_template(make_console(), "bias", found=found)
        typer.echo(usage_text(usage))
    swayed = [one for one in found if one.biased or (one.interval is not None and one.interval.low > tolerance)]
    raise typer.Exit(int(bool(swayed)))
