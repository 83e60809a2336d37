"""The application: its commands."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Final

import typer

import magistrate
from magistrate.cli import believing
from magistrate.cli.arguments import declared, with_groups
from magistrate.cli.replies import audit, parse
from magistrate.cli.runs import batching, evaluate, invocation, sharding
from magistrate.cli.tools import dataset, fuzz, listings, servers

_SETTINGS: Final[Mapping[str, Any]] = {
    "rich_markup_mode": None,
    "no_args_is_help": True,
    "context_settings": {"help_option_names": ["-h", "--help"]},
}


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"magistrate {magistrate.__version__}")
        raise typer.Exit


_VERSION: Final = typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")


def _shared(version: Annotated[bool, _VERSION] = False) -> None:
    del version


_COMMANDS: Final[tuple[tuple[str, Any], ...]] = (
    ("eval", evaluate.eval_),
    ("score", invocation.score),
    ("reparse", invocation.reparse),
    ("report", invocation.report),
    ("show", invocation.show),
    ("merge", sharding.merge_runs),
    ("parse", parse.parse),
    ("compare", invocation.compare),
    ("label", believing.label),
    ("trust", believing.trust),
    ("calibrate", believing.calibrate),
    ("drift", believing.drift),
    ("bias", believing.bias),
    ("laws", believing.laws),
    ("demo", listings.demo),
    ("metrics", listings.metrics),
    ("audit", audit.audit),
    ("fault-server", servers.fault_server),
    ("fuzz", fuzz.fuzz),
    ("policies", listings.policies),
    ("proxy", servers.proxy),
    ("batch export", batching.export),
    ("batch import", batching.import_),
    ("batch status", batching.status),
    ("dataset validate", dataset.validate),
    ("dataset show", dataset.show),
    ("dataset new", dataset.new),
    ("cache stats", listings.stats),
    ("cache clear", listings.clear),
    ("prompts list", listings.list_prompts),
    ("prompts show", listings.show_prompt),
    ("prompts copy", listings.copy_prompts),
)
_GROUPS: Final = {
    "batch": "Calls that a provider answers in a batch, by files.",
    "dataset": "Check datasets, and draft new ones.",
    "cache": "Look into a cache of raw completions, or empty it.",
    "prompts": "Read what judges are asked with, or make it your own.",
}


@cache
def command(first: str = "") -> Any:
    """The application as a click command, with all its commands or those of one name: to make all takes 60 ms.

    A list of commands says nothing of their options, so for one they are made without.
    """
    listed = first in _SETTINGS["context_settings"]["help_option_names"]
    app = typer.Typer(
        name="magistrate",
        help="Turns what an LLM judge said into verdicts that can be trusted.",
        pretty_exceptions_enable=False,
        **_SETTINGS,
    )
    app.callback()(_shared)
    groups = {name: typer.Typer(help=text, **_SETTINGS) for name, text in _GROUPS.items()}
    for name, function in [one for one in _COMMANDS if one[0].split()[0] == first] or _COMMANDS:
        group, _, member = name.rpartition(" ")
        # What a list of commands says of one are its first words, as a list has no room for a sentence.
        short = re.split(r"[:,.](?=\s|$)", str(function.__doc__), maxsplit=1)[0] + "."
        codes = declared()["exit codes"].get(name)
        add = groups.get(group, app).command(member, epilog=codes, short_help=short)
        add((lambda: None) if listed else with_groups(name, function))
    for name, one in groups.items():
        if one.registered_commands:
            app.add_typer(one, name=name)
    return typer.main.get_command(app)
