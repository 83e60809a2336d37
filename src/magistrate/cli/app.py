"""The application: its commands and the options they share."""

from __future__ import annotations

from typing import Annotated, Any

import typer

import magistrate
from magistrate.cli import (
    audit,
    cache,
    cases,
    compare,
    evaluation,
    faults,
    fuzz,
    laws,
    metrics,
    parse,
    policies,
    proxy,
    runs,
)

__all__ = ["app", "command"]

app = typer.Typer(
    name="magistrate",
    help="Turns what an LLM judge said into verdicts that can be trusted.",
    rich_markup_mode=None,
    add_completion=False,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"magistrate {magistrate.__version__}")
        raise typer.Exit


@app.callback()
def _shared(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    del version


app.command("eval", help=evaluation.HELP, epilog=evaluation.EXIT_CODES)(evaluation.eval_)
app.command("score", help=runs.SCORE_HELP, epilog=evaluation.EXIT_CODES)(runs.score)
app.command("reparse", help=runs.REPARSE_HELP)(runs.reparse)
app.command("report", help=runs.REPORT_HELP)(runs.report)
app.command("show", help=runs.SHOW_HELP)(runs.show)
app.command("parse", help=parse.HELP, epilog=parse.EXIT_CODES)(parse.parse)
app.command("compare", help=compare.HELP, epilog=evaluation.EXIT_CODES)(compare.compare)
app.command("laws", help=laws.HELP)(laws.laws)
app.command("metrics", help=metrics.HELP)(metrics.metrics)
app.command("audit", help=audit.HELP, epilog=audit.EXIT_CODES)(audit.audit)
app.command("fault-server", help=faults.HELP)(faults.fault_server)
app.command("fuzz", help=fuzz.HELP, epilog=fuzz.EXIT_CODES)(fuzz.fuzz)
app.command("policies", help=policies.HELP)(policies.policies)
app.command("proxy", help=proxy.HELP)(proxy.proxy)
app.add_typer(cases.app, name="dataset")
app.add_typer(cache.app, name="cache")


def command() -> Any:
    """The application as a click command."""
    return typer.main.get_command(app)
