"""`magistrate cache`: what a cache of raw completions holds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from magistrate.cli.options import AsJson

if TYPE_CHECKING:
    from magistrate.completion.cache import CompletionCache

STATS_HELP = "Print how many completions there are, per model, and how large the file is."
CLEAR_HELP = "Delete every completion."
Folder = Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder of --cache, or that of a run.")]


def stats(folder: Folder, as_json: AsJson = False) -> None:
    """Print how many completions there are, per model, and how large the file is."""
    cache = _open(folder)
    try:
        found = cache.stats()
    finally:
        cache.close()
    if as_json:
        row = {"path": found.path, "completions": found.completions, "bytes": found.bytes, "models": dict(found.models)}
        typer.echo(json.dumps(row))
        return
    typer.echo(f"{found.path}: {found.completions} completions, {found.bytes / 1024:.0f} KiB")
    for model, count in found.models.items():
        typer.echo(f"    {count:8} {model}")


def clear(folder: Folder) -> None:
    """Delete every completion."""
    cache = _open(folder)
    try:
        count = cache.clear()
    finally:
        cache.close()
    typer.echo(f"{count} completions deleted")


def _open(folder: Path) -> CompletionCache:
    from magistrate.completion.cache import CompletionCache, is_cache  # noqa: PLC0415
    from magistrate.errors import StoreError  # noqa: PLC0415

    if not is_cache(folder):  # to look for one makes none
        raise StoreError(f"{folder} is no folder with a cache: give the one of --cache, or that of a run")
    return CompletionCache(folder)
