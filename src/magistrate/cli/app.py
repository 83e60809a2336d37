"""The application: its commands, as `options.json` lists them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Annotated, Any, Final

import typer

import magistrate
from magistrate.cli.arguments import declared, with_groups

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
    groups = {name: typer.Typer(help=text, **_SETTINGS) for name, text in declared()["groups"].items()}
    commands = declared()["commands"]
    for name in [one for one in commands if one.split()[0] == first] or commands:
        module, _, function_name = commands[name].partition(":")
        function = getattr(import_module(f"magistrate.cli.{module}"), function_name)
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
