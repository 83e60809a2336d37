"""`magistrate label`: people's labels for a run, blind."""

from __future__ import annotations

import getpass
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from magistrate.cli.arguments import share_of
from magistrate.cli.options import RunArgument

if TYPE_CHECKING:
    from magistrate.evaluation.believing.tasks import Task

HELP = (
    "Label statements of a run by hand: whole cases, drawn over the judge's verdicts and its confidence, without "
    "showing what the judge said. Answers go to labels.jsonl in the run's folder; the same command goes on where you "
    "stopped."
)
_KEYS = "y: supported by the contexts, n: not, ?: cannot tell, s: skip the case, q: stop"


def label(  # noqa: PLR0917 - the options of a command line
    run: RunArgument,
    n: Annotated[int, typer.Option("--n", help="Cases to label in all.", min=1)] = 50,
    by: Annotated[str | None, typer.Option(help="Who labels; else your user's name.", metavar="NAME")] = None,
    second: Annotated[
        str | None,
        typer.Option(
            metavar="SHARE", help="Label this share of what others have labelled, such as 20%.", callback=share_of
        ),
    ] = None,
    metric: Annotated[str | None, typer.Option(help="The metric whose statements are labelled.")] = None,
    html: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write a page for somebody else instead: it holds the cases and the keys."),
    ] = None,
    add: Annotated[
        str | None, typer.Option("--import", metavar="FILE", help="Add labels from a file, such as the page's.")
    ] = None,
    examples_out: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Write a tenth of the labelled cases as examples for a judge's prompt instead; they correct no more.",
        ),
    ] = None,
    labels: Annotated[str | None, typer.Option(metavar="FILE", help="Keep the labels here instead.")] = None,
) -> None:
    """Label a run."""
    from magistrate.evaluation.believing.labels import append_labels, examples_of, labels_path, read_labels  # noqa: PLC0415
    from magistrate.evaluation.believing.tasks import label_tasks  # noqa: PLC0415
    from magistrate.evaluation.runs.run import load_run  # noqa: PLC0415

    loaded = load_run(run)
    path = Path(labels) if labels else labels_path(loaded)
    person = by or getpass.getuser()
    if add:
        new = read_labels(add)
        append_labels(path, new)
        typer.echo(f"{len(new)} labels added to {path}")
        return
    given = read_labels(path) if path.exists() else []
    if examples_out:
        examples, marked = examples_of(loaded, given, metric=metric)
        lines = (json.dumps(example, ensure_ascii=False) + "\n" for example in examples)
        Path(examples_out).write_text("".join(lines), encoding="utf-8")
        append_labels(path, marked)
        typer.echo(f"{len(examples)} examples in {examples_out}; their labels correct no more")
        return
    tasks = label_tasks(loaded, given, n=n, by=person, second=float(second) if second else None, metric=metric)
    if html:
        from magistrate.report.labelling import write_label_page  # noqa: PLC0415

        write_label_page(tasks, Path(html), by=by or "")
        typer.echo(f"page: {html} ({len(tasks)} cases); add its answers with --import")
        return
    done = _ask(tasks, path, person)
    typer.echo(f"{done} statements labelled in {path}")
    if tasks:
        typer.echo(f"what they say: magistrate trust {run}")


def _ask(tasks: Sequence[Task], path: Path, by: str) -> int:
    """Ask for one statement after the other; each answer is kept at once."""
    from magistrate.evaluation.believing.labels import append_labels  # noqa: PLC0415
    from magistrate.report.text import inert_lines  # noqa: PLC0415

    done = 0
    for number, task in enumerate(tasks, 1):
        typer.echo(f"\ncase {number} of {len(tasks)}: {inert_lines(task.case_id)}")
        if task.question:
            typer.echo(f"question: {inert_lines(task.question)}")
        for place, context in enumerate(task.contexts, 1):
            typer.echo(f"[{place}] {inert_lines(context)}")
        for place, (_, text) in enumerate(task.statements):
            typer.echo(f"\n  {inert_lines(text)}")
            answer = _key()
            if answer == "q":
                return done
            if answer == "s":
                break
            append_labels(path, [task.label(place, {"y": True, "n": False, "?": None}[answer], by)])
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
