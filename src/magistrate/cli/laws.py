"""`magistrate laws`: put variants of cases to a judge and see which laws it keeps."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from magistrate.cli.options import model_arguments, unit_interval

__all__ = ["HELP", "laws"]

HELP = (
    "Put variants of cases to a judge: rewritten, split, reordered, said twice, with a context about something else, "
    "with a contradiction. Its verdicts must not change where they must not; exits 1 if they do too often."
)


def laws(  # noqa: PLR0917 - the options of a command line
    dataset: Annotated[str, typer.Argument(help="The cases: a dataset, or bundled:all.")],
    model: Annotated[str, typer.Option(help="The judge, as for `magistrate eval`.")] = "offline",
    api_base: Annotated[str | None, typer.Option(help="Address of the provider.", metavar="URL")] = None,
    model_arg: Annotated[list[str] | None, typer.Option(metavar="KEY=VALUE", help="A parameter for LiteLLM.")] = None,
    policy: Annotated[str, typer.Option(help="How verdicts become a score.")] = "strict",
    scale: Annotated[str, typer.Option(help="Verdicts to choose from: ternary, binary or graded.")] = "ternary",
    limit: Annotated[int | None, typer.Option(help="Take only the first cases.", min=1)] = None,
    tolerance: Annotated[
        float, typer.Option(help="Share of violations that a judge is forgiven.", callback=unit_interval)
    ] = 0.05,
    budget: Annotated[float | None, typer.Option(help="Most US dollars to spend.", metavar="USD", min=0)] = None,
    max_calls: Annotated[int | None, typer.Option(help="Most calls to make.", min=0)] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Put variants of cases to a judge."""
    import asyncio  # noqa: PLC0415
    from itertools import islice  # noqa: PLC0415

    from magistrate.cli.judging import JudgeOptions, make_judge  # noqa: PLC0415
    from magistrate.errors import DatasetError  # noqa: PLC0415
    from magistrate.evaluation.cases.answer_sources import open_source  # noqa: PLC0415
    from magistrate.evaluation.execution.execute import close_judge  # noqa: PLC0415
    from magistrate.evaluation.laws import LawResult, exact_laws, measured_laws  # noqa: PLC0415
    from magistrate.metrics.faithfulness import Faithfulness  # noqa: PLC0415
    from magistrate.records import Usage  # noqa: PLC0415
    from magistrate.report.json_report import laws_dict  # noqa: PLC0415
    from magistrate.report.labels import usage_text  # noqa: PLC0415
    from magistrate.report.terminal import make_console  # noqa: PLC0415
    from magistrate.report.terminal.run import print_laws  # noqa: PLC0415
    from magistrate.report.text import printable_json  # noqa: PLC0415

    cases = [record.case for record in islice(open_source(dataset), limit) if not record.blocked]
    if not cases:
        raise DatasetError("the dataset holds no case that can be judged")
    judging = Faithfulness(policy=policy, scale=scale)
    judge = make_judge(
        JudgeOptions(
            model=model,
            api_base=api_base,
            params=model_arguments(model_arg),
            quotes=False,
            batch_size=None,
            cache=None,
            no_cache=True,
            budget=budget,
            max_calls=max_calls,
        )
    )

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
