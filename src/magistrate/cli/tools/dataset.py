"""`magistrate dataset`: look at a dataset before anything is spent on it, or draft one."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict
from itertools import islice
from pathlib import Path

import typer

from magistrate.cli import late
from magistrate.cli.app import say, wrong
from magistrate.cli.options import CallOptions, DatasetOptions

_ALIKE_SHOWN = 2
_CASES_SHOWN = 3
_FIELDS = 3


def validate(file: str, everything: bool = False, as_json: bool = False, *, reading: DatasetOptions) -> None:
    """Report every problem of a dataset, with file, line, field and what is expected.

    Exits 2 if there is an error.
    """
    result = late.DatasetCheck()
    alike: Counter[tuple[str, str, str]] = Counter()
    for problem in late.check_dataset(reading.open(file), result):
        if as_json:
            typer.echo(json.dumps(asdict(problem)))
            continue
        kind = (problem.severity, (problem.field or "").partition("[")[0], problem.message[:24])
        alike[kind] += 1
        if everything or alike[kind] <= _ALIKE_SHOWN:
            typer.echo(f"{problem.severity}: {late.clip(str(problem), 600)}")
    if not as_json:
        for (severity, field, message), count in alike.items():
            if count > _ALIKE_SHOWN and not everything:
                what = f"{field}: {message}" if field else message
                typer.echo(f"{severity}: {count - _ALIKE_SHOWN:,} more like {late.clip(what, 80)!r} (--all shows them)")
        counts = (late.plural(count, one) for count, one in ((result.errors, "error"), (result.warnings, "warning")))
        rows = f"{late.plural(result.rows, 'row')}, {result.unusable:,} of them cannot be judged"
        typer.echo(f"{rows}; {late.plural(result.contexts, 'context')}; {', '.join(counts)}")
        if result.categories:
            most = result.categories.most_common(12)
            typer.echo(f"categories: {', '.join(f'{late.clip(name, 40)} {count:,}' for name, count in most)}")
    if not result.ok:
        raise typer.Exit(2)


def show(file: str, *, reading: DatasetOptions) -> None:
    """Print the first cases, three (--limit: so many) as they are understood, with what is wrong or unclear in them."""
    dataset = reading.open(file)
    missing, _ = dataset.missing_columns()
    if len(missing) == _FIELDS:  # there is nothing to show
        raise typer.Exit(2)
    console, count = late.make_console(), 0
    for count, record in enumerate(islice(dataset, reading.limit or _CASES_SHOWN), 1):  # noqa: B007 - counted
        late.print_template(console, "record", record=record, missing=missing)
    if not count:
        typer.echo(late.clip(f"{dataset.name} holds no case.", 3000))


def new(  # noqa: PLR0917 - the options of a command line
    docs: str,
    model: str,
    output: str = "drafts.jsonl",
    count: int = 5,
    contexts: int = 4,
    force: bool = False,
    *,
    calls: CallOptions,
) -> None:
    """Draft cases from documents with a model: questions, reference answers, verbatim quotes, the passages around them.

    What does not hold up against the documents is left out; the rest is marked as a draft, to be reviewed.
    """
    path = Path(output)
    if path.exists() and not force:
        wrong("--output", f"{path} is there already; --force writes over it")
    documents = late.read_documents(docs)
    found = calls.with_judge(model, lambda judge: late.draft_cases(documents, judge, count=count, contexts=contexts))
    rows = [case.model_dump(mode="json", exclude_none=True) for drafted in found for case in drafted.cases]
    for drafted in found:
        for reason in drafted.dropped:
            typer.echo(f"left out: {late.clip(drafted.document, 60)}: {late.clip(reason, 200)}", err=True)
    usage = sum((drafted.usage for drafted in found), late.Usage())
    if not rows:
        say(f"no draft holds up, so {path} is not written; {late.usage_text(usage)}")
        raise typer.Exit(1)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    drafts, documents_read = late.plural(len(rows), "draft"), late.plural(len(found), "document")
    typer.echo(f"{drafts} from {documents_read} in {path}; {late.usage_text(usage)}")
    typer.echo("They are drafts: review each, give it the answer of your system, and set metadata.draft to false.")
