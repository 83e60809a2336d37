"""The application: its commands."""

from __future__ import annotations

from typing import Annotated, Any, Final

import typer

import magistrate
from magistrate.cli.arguments import with_groups
from magistrate.cli.believing import bias, calibrate, drift, label, trust
from magistrate.cli.replies import audit, parse
from magistrate.cli.runs import batching, compare, evaluate, laws, sharding, stored
from magistrate.cli.tools import cache, dataset, demo, fuzz, listings, prompts, servers

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


_COMMANDS: Final[tuple[tuple[str, Any, str, str | None], ...]] = (
    ("eval", evaluate.eval_, evaluate.HELP, evaluate.EXIT_CODES),
    ("score", stored.score, stored.SCORE_HELP, evaluate.EXIT_CODES),
    ("reparse", stored.reparse, stored.REPARSE_HELP, None),
    ("report", stored.report, stored.REPORT_HELP, None),
    ("show", stored.show, stored.SHOW_HELP, None),
    ("merge", sharding.merge_runs, sharding.MERGE_HELP, evaluate.EXIT_CODES),
    ("parse", parse.parse, parse.HELP, parse.EXIT_CODES),
    ("compare", compare.compare, compare.HELP, evaluate.EXIT_CODES),
    ("label", label.label, label.HELP, None),
    ("trust", trust.trust, trust.HELP, trust.EXIT_CODES),
    ("calibrate", calibrate.calibrate, calibrate.HELP, None),
    ("drift", drift.drift, drift.HELP, drift.EXIT_CODES),
    ("bias", bias.bias, bias.HELP, bias.EXIT_CODES),
    ("laws", laws.laws, laws.HELP, None),
    ("demo", demo.demo, demo.HELP, None),
    ("metrics", listings.metrics, listings.METRICS_HELP, None),
    ("audit", audit.audit, audit.HELP, audit.EXIT_CODES),
    ("fault-server", servers.fault_server, servers.FAULTS_HELP, None),
    ("fuzz", fuzz.fuzz, fuzz.HELP, fuzz.EXIT_CODES),
    ("policies", listings.policies, listings.POLICIES_HELP, None),
    ("proxy", servers.proxy, servers.PROXY_HELP, None),
)
_GROUPS: Final[tuple[tuple[str, str, tuple[tuple[str, Any, str], ...]], ...]] = (
    (
        "batch",
        "Calls that a provider answers in a batch, by files.",
        (
            ("export", batching.export, batching.EXPORT_HELP),
            ("import", batching.import_, batching.IMPORT_HELP),
            ("status", batching.status, batching.STATUS_HELP),
        ),
    ),
    (
        "dataset",
        "Check datasets, and draft new ones.",
        (
            ("validate", dataset.validate, dataset.VALIDATE_HELP),
            ("show", dataset.show, dataset.SHOW_HELP),
            ("new", dataset.new, dataset.NEW_HELP),
        ),
    ),
    (
        "cache",
        "Look into a cache of raw completions, or empty it.",
        (("stats", cache.stats, cache.STATS_HELP), ("clear", cache.clear, cache.CLEAR_HELP)),
    ),
    (
        "prompts",
        "Read what judges are asked with, or make it your own.",
        (
            ("list", prompts.list_prompts, prompts.LIST_HELP),
            ("show", prompts.show, prompts.SHOW_HELP),
            ("copy", prompts.copy, prompts.COPY_HELP),
        ),
    ),
)

for _name, _command, _help, _epilog in _COMMANDS:
    app.command(_name, help=_help, epilog=_epilog)(with_groups(_command))
for _name, _help, _members in _GROUPS:
    _group = typer.Typer(help=_help, rich_markup_mode=None, no_args_is_help=True, context_settings=_SETTINGS)
    for _member, _command, _told in _members:
        _group.command(_member, help=_told)(with_groups(_command))
    app.add_typer(_group, name=_name)


def command() -> Any:
    """The application as a click command."""
    return typer.main.get_command(app)
