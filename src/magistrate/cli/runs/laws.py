"""`magistrate laws`: put variants of cases to a judge and see which laws it keeps."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from magistrate.cli.arguments import unit_interval
from magistrate.cli.options import AsJson, CallOptions, DatasetOptions, Policy, ScaleName

HELP = (
    "Put variants of cases to a judge: rewritten, split, reordered, said twice, with a context about something else, "
    "with a contradiction. Its verdicts must not change where they must not; exits 1 if they do too often."
)


def laws(  # noqa: PLR0917 - the options of a command line
    dataset: Annotated[str, typer.Argument(help="The cases: a dataset, or bundled:all.")],
    model: Annotated[str, typer.Option(help="The judge, as for `magistrate eval`.")] = "offline",
    policy: Policy = "strict",
    scale: ScaleName = "ternary",
    tolerance: Annotated[
        float, typer.Option(help="Share of violations that a judge is forgiven.", callback=unit_interval)
    ] = 0.05,
    as_json: AsJson = False,
    *,
    calls: CallOptions,
    reading: DatasetOptions,
) -> None:
    """Put variants of cases to a judge."""
    import asyncio  # noqa: PLC0415
    from itertools import islice  # noqa: PLC0415

    from magistrate.errors import DatasetError  # noqa: PLC0415
    from magistrate.evaluation.cases.answer_sources import open_source  # noqa: PLC0415
    from magistrate.evaluation.execution.execute import close_judge  # noqa: PLC0415
    from magistrate.evaluation.laws import LawResult, exact_laws, measured_laws  # noqa: PLC0415
    from magistrate.metrics.faithfulness import Faithfulness  # noqa: PLC0415
    from magistrate.records import Usage  # noqa: PLC0415
    from magistrate.report.labels import usage_text  # noqa: PLC0415
    from magistrate.report.programs.run import laws_dict  # noqa: PLC0415
    from magistrate.report.terminal import make_console  # noqa: PLC0415
    from magistrate.report.terminal.run import print_laws  # noqa: PLC0415
    from magistrate.report.text import printable_json  # noqa: PLC0415

    source = open_source(dataset, format=reading.format_, mapping=reading.map_)
    source.check_mapping()
    cases = [record.case for record in islice(source, reading.limit) if not record.blocked]
    if not cases:
        raise DatasetError("the dataset holds no case that can be judged")
    judging = Faithfulness(policy=policy, scale=scale)
    judge = calls.judge(model)

    async def carry_out() -> tuple[list[LawResult], Usage]:
        try:
            measured, results, usage = await measured_laws(
                [(case, None) for case in cases], judge, judging=judging, tolerance=tolerance
            )
        finally:
            await close_judge(judge)
        return [*exact_laws(results), *measured], usage

    found, usage = asyncio.run(carry_out())
    if as_json:
        typer.echo(printable_json(json.dumps(laws_dict(found), indent=2, ensure_ascii=False)))
    else:
        console = make_console()
        print_laws(found, console)
        console.print(usage_text(usage))
    raise typer.Exit(1 if any(law.status == "FAIL" for law in found) else 0)
