"""`magistrate label`: people's labels for a run, blind."""

from __future__ import annotations

import getpass
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from magistrate.cli import late

if TYPE_CHECKING:
    from magistrate.evaluation.believing.tasks import Task

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
        typer.echo(f"{len(new)} labels added to {path}")
        return
    given = late.read_labels(path) if path.exists() else []
    if examples_out:
        examples, marked = late.examples_of(loaded, given, metric=metric)
        lines = (json.dumps(example, ensure_ascii=False) + "\n" for example in examples)
        Path(examples_out).write_text("".join(lines), encoding="utf-8")
        late.append_labels(path, marked)
        typer.echo(f"{len(examples)} examples in {examples_out}; their labels correct no more")
        return
    tasks = late.label_tasks(loaded, given, n=n, by=person, second=float(second) if second else None, metric=metric)
    if html:
        late.write_label_page(tasks, Path(html), by=by or "")
        typer.echo(f"page: {html} ({len(tasks)} cases); add its answers with --import")
        return
    done = _ask(tasks, path, person)
    typer.echo(f"{done} statements labelled in {path}")
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
            done += 1
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


TRUST_CODES = (
    "Exit codes: 1 the corrected figure may be below --min-lower; 2 bad input; 3 nothing can be said (too few labels, "
    "or labels that were not drawn); else 0."
)
CANNOT_SAY = 3


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
            late.write_html(late.RunView(loaded, trust=found, labels=given), Path(name))
            continue
        Path(name).write_text(
            text if name.endswith(".json") else late.render("trust.md", found=found), encoding="utf-8"
        )
    if as_json:
        typer.echo(text)
    else:
        late.print_template(late.make_console(), "trust", found=found, run=run)
    if found.corrected is None:
        raise typer.Exit(CANNOT_SAY)
    if min_lower is not None and found.corrected.low < min_lower:
        typer.echo(f"below --min-lower: the lower limit is {found.corrected.low:.3f}, {min_lower:g} is asked")
        raise typer.Exit(1)


def calibrate(  # noqa: PLR0917 - the options of a command line
    run: str,
    labels: str | None = None,
    truth: str | None = None,
    metric: str | None = None,
    share: str = "50%",
    output: str = ("calibration.json"),
) -> None:
    """Find out by people's labels what the judge's confidence means.

    It says too from where on a statement is best called supported. `magistrate eval --calibration FILE` judges so.
    """
    loaded = late.load_run(run)
    given = late.labels_of(loaded, path=labels, truth=truth, metric=metric)
    found = late.calibrate_run(loaded, given, metric=metric, share=float(share))
    found.write(Path(output))
    late.print_template(late.make_console(), "calibration", found=found, path=output, run=run)
