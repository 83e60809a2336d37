"""`magistrate dataset`: look at a dataset before anything is spent on it."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict
from typing import Annotated

import typer

from magistrate.cli import drafts

__all__ = ["app"]

app = typer.Typer(
    help="Check datasets, and draft new ones.",
    rich_markup_mode=None,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)

_ALIKE_SHOWN = 5


@app.callback()
def _group() -> None:
    """Check datasets, and draft new ones."""


@app.command("validate")
def validate(
    file: Annotated[str, typer.Argument(help='The dataset: a path, or "-" for standard input.')],
    map_: Annotated[
        list[str] | None,
        typer.Option("--map", metavar="FIELD=COLUMN", help="Read a field from a column of another name."),
    ] = None,
    format_: Annotated[
        str | None, typer.Option("--format", help="jsonl, json, csv, tsv, yaml or parquet; by default from the name.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Print every problem, also when many are alike.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per problem.")] = False,
) -> None:
    """Report every problem of a dataset with file, line, field and what is expected. Exits 2 if there is an error."""
    from magistrate.evaluation.cases.dataset import Dataset  # noqa: PLC0415
    from magistrate.evaluation.cases.validation import DatasetCheck, check_dataset  # noqa: PLC0415
    from magistrate.report.text import clip  # noqa: PLC0415

    result = DatasetCheck()
    dataset = Dataset(file, format=format_, mapping=map_)
    dataset.check_mapping()
    alike: Counter[tuple[str, str, str]] = Counter()
    for problem in check_dataset(dataset, result):
        if as_json:
            typer.echo(json.dumps(asdict(problem)))
            continue
        kind = (problem.severity, (problem.field or "").partition("[")[0], problem.message[:24])
        alike[kind] += 1
        if everything or alike[kind] <= _ALIKE_SHOWN:
            typer.echo(f"{problem.severity}: {clip(str(problem), 600)}")
    if not as_json:
        for (severity, field, message), count in alike.items():
            if count > _ALIKE_SHOWN and not everything:
                what = f"{field}: {message}" if field else message
                typer.echo(f"{severity}: {count - _ALIKE_SHOWN:,} more like {clip(what, 80)!r} (--all shows them)")
        _print_totals(result)
    if not result.ok:
        raise typer.Exit(2)


def _print_totals(result: object) -> None:
    from magistrate.evaluation.cases.validation import DatasetCheck  # noqa: PLC0415
    from magistrate.report.text import clip  # noqa: PLC0415

    assert isinstance(result, DatasetCheck)  # noqa: S101 - tells the type checker; imports stay lazy
    typer.echo(
        f"{_counted(result.rows, 'row')}, {result.unusable:,} of them cannot be judged; "
        f"{_counted(result.contexts, 'context')}; {_counted(result.errors, 'error')}, "
        f"{_counted(result.warnings, 'warning')}"
    )
    if result.categories:
        shown = ", ".join(f"{clip(name, 40)} {count:,}" for name, count in result.categories.most_common(12))
        typer.echo(f"categories: {shown}")


def _counted(count: int, word: str) -> str:
    return f"{count:,} {word if count == 1 else word + 's'}"


app.command("new", help=drafts.HELP)(drafts.new)
