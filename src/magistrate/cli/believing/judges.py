"""Commands about a judge: `bias`, what sways it; `drift`, whether it has changed; `laws`, which laws it keeps."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from magistrate.cli import late
from magistrate.cli.arguments import echo_json
from magistrate.cli.options import CallOptions, DatasetOptions

if TYPE_CHECKING:
    pass

BIAS_CODES = "Exit codes: 0; 1 a probe certainly turns more verdicts than --tolerance, or all to one side; 2 bad input."


def bias(  # noqa: PLR0917 - the options of a command line
    dataset: str,
    model: str,
    probe: str | None = None,
    tolerance: float = 0.05,
    scale: str = "ternary",
    as_json: bool = False,
    *,
    calls: CallOptions,
    reading: DatasetOptions,
) -> None:
    """Plant changes that mean nothing in cases, and see how many of the judge's verdicts turn and to which side.

    There are order, padding, authority, format, injection, and identity, which is its own noise.
    """
    names = list(dict.fromkeys(part.strip() for part in probe.split(","))) if probe else list(late.PROBES)
    if unknown := [name for name in names if name not in late.PROBES]:
        raise late.ConfigurationError(f"no probe {unknown[0]!r}: there are {', '.join(late.PROBES)}")
    cases = reading.cases(dataset)
    judging = late.Faithfulness(scale=scale)
    found, usage = calls.with_judge(model, lambda judge: late.probe(cases, judge, names, judging=judging))
    if as_json:
        echo_json([asdict(one) for one in found])
    else:
        late.print_template(late.make_console(), "bias", found=found)
        typer.echo(late.usage_text(usage))
    swayed = [one for one in found if one.biased or (one.interval is not None and one.interval.low > tolerance)]
    raise typer.Exit(int(bool(swayed)))


DRIFT_CODES = "Exit codes: 0 nothing tells of a change; 1 the judge has changed; 2 bad input; 3 nothing was judged."


def drift(  # noqa: PLR0917 - the options of a command line
    canaries: str,
    model: str | None = None,
    start: str | None = None,
    labels: str | None = None,
    metric: str | None = None,
    fail_on: float = 0.05,
    scale: str = "ternary",
    as_json: bool = False,
    *,
    calls: CallOptions,
) -> None:
    """Judge fixed cases with labels again, to see whether the judge has changed since it judged them first.

    The looks are kept in the file, and the evidence of all of them counts, however often one looks: made for a nightly
    job.
    """
    if (model is None) == (start is None) or not 0.0 < fail_on < 1.0:
        raise late.ConfigurationError(
            "give --model to look again, or --from RUN to begin; --fail-on lies between 0 and 1"
        )
    if start is not None:
        run = late.load_run(start)
        made = late.write_canaries(run, late.labels_of(run, path=labels, metric=metric), Path(canaries), metric=metric)
        typer.echo(f"{canaries}: {len(made.labels)} labelled statements in {len(made.cases)} cases")
        return
    found = late.read_canaries(canaries)
    before = len(found.looks)
    calls.with_judge(model or "", lambda judge: late.look_again(found, judge, scale=scale))
    if len(found.looks) == before:
        typer.echo("magistrate: the judge gave no verdict at all: nothing is added to the looks", err=True)
        raise typer.Exit(3)
    evidence = found.evidence(fail_on)
    if as_json:
        echo_json(asdict(evidence))
    else:
        late.print_template(late.make_console(), "drift", found=evidence, looks=found.looks, alpha=fail_on)
    raise typer.Exit(int(evidence.alarm))


def laws(  # noqa: PLR0917 - the options of a command line
    dataset: str,
    model: str = "offline",
    policy: str = "strict",
    scale: str = "ternary",
    tolerance: float = 0.05,
    as_json: bool = False,
    *,
    calls: CallOptions,
    reading: DatasetOptions,
) -> None:
    """Put variants of cases to a judge, and see which laws it keeps.

    Cases are rewritten, split, reordered, said twice, with a context about something else, with a contradiction. Its
    verdicts must not change where they must not; exits 1 if they do too often.
    """
    cases = reading.cases(dataset)
    judging = late.Faithfulness(policy=policy, scale=scale)
    given = [(case, None) for case in cases]
    measured, results, usage = calls.with_judge(
        model, lambda judge: late.measured_laws(given, judge, judging=judging, tolerance=tolerance)
    )
    found = [*late.exact_laws(results), *measured]
    if as_json:
        echo_json(late.laws_dict(found))
    else:
        console = late.make_console()
        late.print_laws(found, console)
        console.print(late.usage_text(usage))
    raise typer.Exit(1 if any(law.status == "FAIL" for law in found) else 0)
