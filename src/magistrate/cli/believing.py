"""Commands about how far a judge can be believed: label, trust and calibrate by people; bias, drift and laws."""

from __future__ import annotations

import getpass
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from magistrate.cli import late
from magistrate.cli.app import echo_json, say, wrong
from magistrate.cli.options import CallOptions, DatasetOptions

if TYPE_CHECKING:
    from magistrate.evaluation.believing.labels import Task


_KEYS = "y: supported by the contexts, n: not, ?: cannot tell, s: skip the case, q: stop"


def label(  # noqa: PLR0917 - the options of a command line
    run: str,
    n: int = 50,
    by: str | None = None,
    second: str | None = None,
    metric: str | None = None,
    html: str | None = None,
    add: str | None = None,
    examples_out: str | None = None,
    labels: str | None = None,
) -> None:
    """Label statements of a run by hand: whole cases, drawn over the judge's verdicts and its confidence.

    What the judge said is not shown. Answers go to labels.jsonl in the run's folder; the same command goes on where you
    stopped.
    """
    loaded = late.load_run(run)
    path = Path(labels) if labels else late.labels_path(loaded)
    person = by or getpass.getuser()
    if add:
        new = late.read_labels(add)
        late.append_labels(path, new)
        typer.echo(f"{late.plural(len(new), 'label')} added to {path}")
        return
    given = late.read_labels(path) if path.exists() else []
    if examples_out:
        examples, marked = late.examples_of(loaded, given, metric=metric)
        lines = (json.dumps(example, ensure_ascii=False) + "\n" for example in examples)
        with late.storing(Path(examples_out)):
            Path(examples_out).write_text("".join(lines), encoding="utf-8")
        late.append_labels(path, marked)
        typer.echo(f"{len(examples)} examples in {examples_out}; their labels correct no more")
        return
    tasks = late.label_tasks(loaded, given, n=n, by=person, second=float(second) if second else None, metric=metric)
    if tasks and not any(task.contexts for task in tasks):
        say("no case holds what the judge saw; of stored replies `magistrate audit --contexts FIELD --save` keeps it")
    if html:
        late.write_label_page(tasks, Path(html), by=by or "")
        typer.echo(f"page: {html} ({late.plural(len(tasks), 'case')}); add its answers with --import")
        return
    done = _ask(tasks, path, person)
    typer.echo(f"{late.plural(done, 'statement')} labelled in {path}")
    if tasks:
        typer.echo(f"what they say: magistrate trust {run}")


def _ask(tasks: Sequence[Task], path: Path, by: str) -> int:
    """Ask for one statement after the other; each answer is kept at once."""
    done = 0
    for number, task in enumerate(tasks, 1):
        typer.echo(f"\ncase {number} of {len(tasks)}: {late.inert_lines(task.case_id)}")
        if task.question:
            typer.echo(f"question: {late.inert_lines(task.question)}")
        for place, context in enumerate(task.contexts, 1):
            typer.echo(f"[{place}] {late.inert_lines(context)}")
        for place, (_, text) in enumerate(task.statements):
            typer.echo(f"\n  {late.inert_lines(text)}")
            answer = _key()
            if answer == "q":
                return done
            if answer == "s":
                break
            late.append_labels(path, [task.label(place, {"y": True, "n": False, "?": None}[answer], by)])
            done += answer != "?"
    return done


def _key() -> str:
    """One of the keys; the end of the input is a stop."""
    while True:
        try:
            answer = input(f"  ({_KEYS}) ").strip().casefold()
        except EOFError:
            return "q"
        if answer in ("y", "n", "?", "s", "q"):
            return answer
        typer.echo("  y, n, ?, s or q")


def trust(  # noqa: PLR0917 - the options of a command line
    run: str,
    labels: str | None = None,
    truth: str | None = None,
    metric: str | None = None,
    target: float = 0.05,
    group: str | None = None,
    min_lower: float | None = None,
    assume_random: bool = False,
    output: list[str] | None = None,
    as_json: bool = False,
) -> None:
    """Say how far the figures of a run can be believed.

    What the judge said, what people say of the labelled statements, and the corrected figure with its interval.
    """
    from magistrate.evaluation.believing.report import trust as corrected  # noqa: PLC0415

    for name in output or ():
        if Path(name).suffix not in (".html", ".json", ".md"):
            raise late.ConfigurationError(f"{name}: what `trust` writes ends in .html, .json or .md")
    loaded = late.load_run(run)
    given = late.labels_of(loaded, path=labels, truth=truth, metric=metric)
    found = corrected(loaded, given, metric=metric, target=target, group=group, assume_random=assume_random)
    text = late.printable_json(json.dumps(found.to_dict(), indent=2, ensure_ascii=False))
    for name in output or ():
        if name.endswith(".html"):
            late.write_html(late.RunView(loaded, trust=found), Path(name))
        else:
            written = text if name.endswith(".json") else late.render("trust.md", found=found)
            with late.storing(Path(name)):
                Path(name).write_text(written, encoding="utf-8")
    if as_json:
        typer.echo(text)
    else:
        late.print_template(late.make_console(), "trust", found=found, run=run)
    if found.corrected is None:
        raise typer.Exit(int(late.ExitCode.UNDECIDED))
    if min_lower is not None and found.corrected.low < min_lower:
        typer.echo(f"below --min-lower: the lower limit is {found.corrected.low:.3f}, {min_lower:g} is asked")
        raise typer.Exit(1)


def calibrate(  # noqa: PLR0917 - the options of a command line
    run: str,
    labels: str | None = None,
    truth: str | None = None,
    metric: str | None = None,
    share: str = "50%",
    assume_random: bool = False,
    output: str = ("calibration.json"),
) -> None:
    """Find out by people's labels what the judge's confidence means.

    It says too from where on a statement is best called supported. `magistrate eval --calibration FILE` judges so.
    """
    loaded = late.load_run(run)
    given = late.labels_of(loaded, path=labels, truth=truth, metric=metric)
    found = late.calibrate_run(loaded, given, metric=metric, share=float(share), assume_random=assume_random)
    late.write_record(Path(output), found)
    late.print_template(late.make_console(), "calibration", found=found, path=output, run=run)


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
        wrong("--model, --from", "give one: a judge to look again, a run to begin; --fail-on lies between 0 and 1")
    if start is not None:
        run = late.load_run(start)
        made = late.write_canaries(run, late.labels_of(run, path=labels, metric=metric), Path(canaries), metric=metric)
        typer.echo(f"{canaries}: {len(made.labels)} labelled statements in {len(made.cases)} cases")
        return
    found = late.read_canaries(canaries)
    before = len(found.looks)
    calls.with_judge(model or "", lambda judge: late.look_again(found, judge, scale=scale))
    if len(found.looks) == before:
        say("the judge gave no verdict at all: nothing is added to the looks")
        raise typer.Exit(int(late.ExitCode.UNDECIDED))
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
