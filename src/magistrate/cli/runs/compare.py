"""`magistrate compare`: two stored runs, case by case. No call is made."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from magistrate.cli.arguments import unit_interval
from magistrate.cli.options import AsJson

HELP = (
    "Compare two stored runs over the same cases: changes with their intervals and tests, and the cases that flipped. "
    "Exits 2 if they were judged differently."
)


def compare(  # noqa: PLR0917 - the options of a command line
    before: Annotated[
        str, typer.Argument(help="The run to compare with: its folder, or a report.json.", metavar="RUN_A")
    ],
    after: Annotated[str, typer.Argument(help="The run that is compared with it.", metavar="RUN_B")],
    allow_different: Annotated[
        bool,
        typer.Option(
            "--allow-different", help="Compare also what was judged by another judge, prompt, model or policy."
        ),
    ] = False,
    gate: Annotated[
        str | None, typer.Option(metavar="FILE", help="Gates from a TOML file, held against RUN_B.")
    ] = None,
    max_drop: Annotated[
        float | None,
        typer.Option(
            help="How much worse each metric of RUN_B may be; beyond it the exit code is 1.", callback=unit_interval
        ),
    ] = None,
    flips: Annotated[int, typer.Option(help="How many of the cases that flipped to name, per metric.", min=0)] = 10,
    as_json: AsJson = False,
) -> None:
    """Compare two stored runs."""
    from magistrate.evaluation.baselines import baseline_name  # noqa: PLC0415
    from magistrate.evaluation.comparison import comparable, compare_with  # noqa: PLC0415
    from magistrate.evaluation.gate import (  # noqa: PLC0415
        Gate,
        check,
        exit_code,
        load_gates,
    )
    from magistrate.evaluation.repeats import noise_of  # noqa: PLC0415
    from magistrate.evaluation.runs.run import load_run  # noqa: PLC0415
    from magistrate.report.programs.run import baseline_dict  # noqa: PLC0415
    from magistrate.report.terminal import make_console  # noqa: PLC0415
    from magistrate.report.terminal.run import print_baseline, print_checks  # noqa: PLC0415
    from magistrate.report.text import printable_json  # noqa: PLC0415

    first, second = load_run(before), load_run(after)
    comparable(first, second, allow=allow_different)
    found = compare_with(second, first, baseline_name(before))
    gates = [] if gate is None else load_gates(gate)
    if max_drop is not None:
        gates.append(Gate(gate_mean=False, max_drop=max_drop))
    checks = None
    if gates:
        noises = [noise_of(first), noise_of(second)]
        noise = {name: max(each.get(name, 0.0) for each in noises) for each in noises for name in each}
        checks = check(second.summary, gates, found, noise)
    if as_json:
        typer.echo(printable_json(json.dumps(baseline_dict(found), indent=2, ensure_ascii=False)))
    else:
        console = make_console()
        print_baseline(found, console, flips=flips)
        print_checks(checks, console)
    if checks is not None:
        raise typer.Exit(int(exit_code(second.state, checks)))
