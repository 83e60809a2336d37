"""`magistrate dataset`: look at a dataset before anything is spent on it, or draft one."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from magistrate.cli.options import CallOptions, DatasetOptions

_ALIKE_SHOWN = 2
_CASES_SHOWN = 3
VALIDATE_HELP = (
    "Report every problem of a dataset with file, line, field and what is expected. Exits 2 if there is an error."
)
SHOW_HELP = (
    "Print the first three cases (--limit: so many) as they are understood, with what is wrong or unclear in them."
)
NEW_HELP = (
    "Draft cases from documents with a model: questions, reference answers, verbatim quotes, the passages around them. "
    "What does not hold up against the documents is left out; the rest is marked as a draft, to be reviewed."
)


def validate(
    file: Annotated[str, typer.Argument(help='The dataset: a path, or "-" for standard input.')],
    everything: Annotated[bool, typer.Option("--all", help="Print every problem, also when many are alike.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per problem.")] = False,
    *,
    reading: DatasetOptions,
) -> None:
    """Report every problem of a dataset with file, line, field and what is expected. Exits 2 if there is an error."""
    from magistrate.evaluation.cases.dataset import Dataset  # noqa: PLC0415
    from magistrate.evaluation.cases.validation import DatasetCheck, check_dataset  # noqa: PLC0415
    from magistrate.report.text import clip  # noqa: PLC0415

    result = DatasetCheck()
    dataset = Dataset(file, format=reading.format_, mapping=reading.map_)
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


def show(
    file: Annotated[str, typer.Argument(help='The dataset: a path, "-" for standard input, or bundled:all.')],
    *,
    reading: DatasetOptions,
) -> None:
    """Print the first cases as they are understood."""
    from magistrate.evaluation.cases.answer_sources import open_source  # noqa: PLC0415
    from magistrate.report.terminal import make_console, print_template  # noqa: PLC0415

    dataset = open_source(file, format=reading.format_, mapping=reading.map_)
    dataset.check_mapping()
    missing, columns = dataset.missing_columns()
    console, count = make_console(), 0
    for count, record in enumerate(islice(dataset, reading.limit or _CASES_SHOWN), 1):  # noqa: B007 - counted
        print_template(console, "record", record=record)
    print_template(console, "columns", source=dataset.name, missing=missing, columns=columns, count=count)


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


def new(  # noqa: PLR0917 - the options of a command line
    docs: Annotated[str, typer.Argument(help="A folder of text or Markdown files, or one file.", metavar="DOCS")],
    model: Annotated[str, typer.Option(help="The model that drafts: a LiteLLM name.")],
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="Where to write the cases, as JSONL.")
    ] = "drafts.jsonl",
    count: Annotated[int, typer.Option("--per-document", help="Questions to ask for, per document.", min=1)] = 5,
    contexts: Annotated[int, typer.Option(help="Passages of a case.", min=1)] = 4,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
    *,
    calls: CallOptions,
) -> None:
    """Draft cases from documents with a model."""
    import asyncio  # noqa: PLC0415

    from magistrate.evaluation.drafting import Document, Drafted, draft_cases, read_documents  # noqa: PLC0415
    from magistrate.evaluation.execution.execute import close_judge  # noqa: PLC0415
    from magistrate.records import Usage  # noqa: PLC0415
    from magistrate.report.labels import usage_text  # noqa: PLC0415
    from magistrate.report.text import clip  # noqa: PLC0415

    path = Path(output)
    if path.exists() and not force:
        raise typer.BadParameter(f"{path} is there already; --force writes over it", param_hint="--output")
    documents: list[Document] = read_documents(docs)
    judge = calls.judge(model)

    async def carry_out() -> list[Drafted]:
        try:
            return [drafted async for drafted in draft_cases(documents, judge, count=count, contexts=contexts)]
        finally:
            await close_judge(judge)

    found = asyncio.run(carry_out())
    rows = [case.model_dump(mode="json", exclude_none=True) for drafted in found for case in drafted.cases]
    for drafted in found:
        for reason in drafted.dropped:
            typer.echo(f"left out: {clip(drafted.document, 60)}: {clip(reason, 200)}", err=True)
    usage = sum((drafted.usage for drafted in found), Usage())
    if not rows:
        typer.echo(f"magistrate: no draft holds up, so {path} is not written; {usage_text(usage)}", err=True)
        raise typer.Exit(1)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    drafts, documents_read = _counted(len(rows), "draft"), _counted(len(found), "document")
    typer.echo(f"{drafts} from {documents_read} in {path}; {usage_text(usage)}")
    typer.echo("They are drafts: review each, give it the answer of your system, and set metadata.draft to false.")
