"""The application: its commands."""

from __future__ import annotations

import re
from functools import cache
from typing import Annotated, Any, Final

import typer

import magistrate
from magistrate.cli import believing
from magistrate.cli.arguments import with_groups
from magistrate.cli.replies import audit, parse
from magistrate.cli.runs import batching, evaluate, sharding, stored
from magistrate.cli.tools import dataset, demo, fuzz, listings, servers

_SETTINGS: Final = {"help_option_names": ["-h", "--help"]}

app = typer.Typer(
    name="magistrate",
    help="Turns what an LLM judge said into verdicts that can be trusted.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    context_settings=_SETTINGS,
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"magistrate {magistrate.__version__}")
        raise typer.Exit


@app.callback()
def _shared(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    del version


_COMMANDS: Final[tuple[tuple[str, Any, str | None], ...]] = (
    ("eval", evaluate.eval_, evaluate.EXIT_CODES),
    ("score", stored.score, evaluate.EXIT_CODES),
    ("reparse", stored.reparse, None),
    ("report", stored.report, None),
    ("show", stored.show, None),
    ("merge", sharding.merge_runs, evaluate.EXIT_CODES),
    ("parse", parse.parse, parse.EXIT_CODES),
    ("compare", stored.compare, evaluate.EXIT_CODES),
    ("label", believing.label, None),
    ("trust", believing.trust, believing.TRUST_CODES),
    ("calibrate", believing.calibrate, None),
    ("drift", believing.drift, believing.DRIFT_CODES),
    ("bias", believing.bias, believing.BIAS_CODES),
    ("laws", believing.laws, None),
    ("demo", demo.demo, None),
    ("metrics", listings.metrics, None),
    ("audit", audit.audit, audit.EXIT_CODES),
    ("fault-server", servers.fault_server, None),
    ("fuzz", fuzz.fuzz, fuzz.EXIT_CODES),
    ("policies", listings.policies, None),
    ("proxy", servers.proxy, None),
)
_GROUPS: Final[tuple[tuple[str, str, tuple[tuple[str, Any], ...]], ...]] = (
    (
        "batch",
        "Calls that a provider answers in a batch, by files.",
        (
            ("export", batching.export),
            ("import", batching.import_),
            ("status", batching.status),
        ),
    ),
    (
        "dataset",
        "Check datasets, and draft new ones.",
        (
            ("validate", dataset.validate),
            ("show", dataset.show),
            ("new", dataset.new),
        ),
    ),
    (
        "cache",
        "Look into a cache of raw completions, or empty it.",
        (("stats", listings.stats), ("clear", listings.clear)),
    ),
    (
        "prompts",
        "Read what judges are asked with, or make it your own.",
        (
            ("list", listings.list_prompts),
            ("show", listings.show_prompt),
            ("copy", listings.copy_prompts),
        ),
    ),
)


def _in_short(command: Any) -> str:
    """What a list of commands says of one: its first words, as a list has no room for a sentence."""
    return re.split(r"[:,.](?=\s|$)", str(command.__doc__), maxsplit=1)[0] + "."


for _name, _command, _epilog in _COMMANDS:
    app.command(_name, epilog=_epilog, short_help=_in_short(_command))(with_groups(_name, _command))
for _name, _help, _members in _GROUPS:
    _group = typer.Typer(help=_help, rich_markup_mode=None, no_args_is_help=True, context_settings=_SETTINGS)
    for _member, _command in _members:
        _group.command(_member, short_help=_in_short(_command))(with_groups(f"{_name} {_member}", _command))
    app.add_typer(_group, name=_name)


@cache
def command() -> Any:
    """The application as a click command."""
    return typer.main.get_command(app)
