"""`magistrate dataset new`: draft cases from documents with a model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from magistrate.cli.options import model_arguments

__all__ = ["HELP", "new"]

HELP = (
    "Draft cases from documents with a model: questions, reference answers, verbatim quotes, the passages around them. "
    "What does not hold up against the documents is left out; the rest is marked as a draft, to be reviewed."
)


def new(  # noqa: PLR0917 - the options of a command line
    docs: Annotated[str, typer.Argument(help="A folder of text or Markdown files, or one file.", metavar="DOCS")],
    model: Annotated[str, typer.Option(help="The model that drafts: a LiteLLM name.")],
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="Where to write the cases, as JSONL.")
    ] = "drafts.jsonl",
    count: Annotated[int, typer.Option("--per-document", help="Questions to ask for, per document.", min=1)] = 5,
    contexts: Annotated[int, typer.Option(help="Passages of a case.", min=1)] = 4,
    api_base: Annotated[str | None, typer.Option(help="Address of the provider.", metavar="URL")] = None,
    model_arg: Annotated[list[str] | None, typer.Option(metavar="KEY=VALUE", help="A parameter for LiteLLM.")] = None,
    budget: Annotated[float | None, typer.Option(help="Most US dollars to spend.", metavar="USD", min=0)] = None,
    max_calls: Annotated[int | None, typer.Option(help="Most calls to make.", min=0)] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
) -> None:
    """Draft cases from documents with a model."""
    import asyncio  # noqa: PLC0415

    from magistrate.cli.judging import JudgeOptions, make_judge  # noqa: PLC0415
    from magistrate.evaluation.drafting import Document, Drafted, draft_cases, read_documents  # noqa: PLC0415
    from magistrate.evaluation.execution.execute import close_judge  # noqa: PLC0415
    from magistrate.records import Usage  # noqa: PLC0415
    from magistrate.report.labels import usage_text  # noqa: PLC0415
    from magistrate.report.text import clip  # noqa: PLC0415

    path = Path(output)
    if path.exists() and not force:
        raise typer.BadParameter(f"{path} is there already; --force writes over it", param_hint="--output")
    documents: list[Document] = read_documents(docs)
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
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    usage = sum((drafted.usage for drafted in found), Usage())
    typer.echo(f"{len(rows)} drafts from {len(found)} documents in {path}; {usage_text(usage)}")
    typer.echo("They are drafts: review each, give it the answer of your system, and set metadata.draft to false.")
    if not rows:
        raise typer.Exit(1)
