"""What there is: metrics, policies, prompts (to be replaced, too), completions of a cache; and the tour of it all."""

from __future__ import annotations

import json
import shlex
import sys
from contextlib import closing
from dataclasses import asdict
from importlib.resources import files
from pathlib import Path

import typer

from magistrate.cli import late
from magistrate.cli.app import echo_json


def metrics(name: str | None = None, as_json: bool = False) -> None:
    """List the metrics: what each measures, what it needs, what it costs, what it makes of a judge without a model."""
    if name is not None and name not in late.METRICS and name not in late.GROUPS:
        late.make_metric(name)  # its error names the nearest
        raise typer.BadParameter(f"{name!r} is a metric of your own: the table lists those of the package")
    wanted = late.METRICS if name is None else late.GROUPS.get(name, (name,))
    chosen = [info for info in late.metric_infos() if info.name in wanted]
    if as_json:
        echo_json([asdict(info) for info in chosen])
        return
    for info in chosen:
        better = "at least" if info.direction == "maximize" else "at most"
        typer.echo(f"{info.name}\n    {info.description}\n    {info.formula}")
        typer.echo(
            f"    needs: {', '.join(info.needs)}; passes: {better} {info.threshold:g}; calls a case: {info.cost}; "
            f"offline: {info.offline}"
        )
    if name is None:
        for group, members in late.GROUPS.items():
            typer.echo(f"{group} (group)\n    {', '.join(members)}")


def policies(name: str | None = None, as_json: bool = False) -> None:
    """List the scoring policies: how each turns the same verdicts into a score."""
    chosen = [late.get_policy(name)] if name else list(late.POLICIES.values())
    aliases = {full: [short for short, long in late.POLICY_ALIASES.items() if long == full] for full in late.POLICIES}
    if as_json:
        echo_json([{**p.row(), "summary": p.summary, "aliases": aliases[p.name]} for p in chosen])
        return
    for policy in chosen:
        also = f" (also: {', '.join(aliases[policy.name])})" if aliases[policy.name] else ""
        typer.echo(f"{policy.name}{also}\n    {policy.summary}\n    {policy.formula}")
        for column, value in policy.row().items() if name else ():
            if column not in ("policy", "formula") and value:
                typer.echo(f"    {column.replace('_', ' ')}: {value}")


def list_prompts(prompts: str | None = None) -> None:
    """List the prompts."""
    own = late.replacing(prompts)
    for name in late.prompt_names():
        prompt = own.get(name) or late.load_prompt(name)
        whose = "  yours" if name in own else ""
        typer.echo(f"{name:26} {prompt.fingerprint:20} {len(prompt.system) + len(prompt.user):5} characters{whose}")


def show_prompt(name: str, prompts: str | None = None, *, file: bool = False) -> None:
    """Print a prompt as it is sent, with an example in it."""
    own = late.replacing(prompts).get(name)
    if not file:
        typer.echo(late.sent(own or late.load_prompt(name)))
    elif own is None:
        typer.echo(late.prompt_text(name))
    else:
        typer.echo(Path(prompts or "", f"{name}.md").read_text(encoding="utf-8"))


def copy_prompts(folder: str, names: list[str] | None = None) -> None:
    """Copy prompts into a folder, to be changed there and used with --prompts FOLDER."""
    texts = {name: late.prompt_text(name) for name in names or late.prompt_names()}
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            path = Path(folder, f"{name}.md")
            with path.open("x", encoding="utf-8") as file:
                file.write(text)
            typer.echo(str(path))
    except OSError as error:
        raise late.PromptError(f"{error.filename or folder}: cannot be written: {error.strerror or error}") from None


def stats(folder: Path, as_json: bool = False) -> None:
    """Print how many completions there are, per model, and how large the file is."""
    with _open(folder) as cache:
        found = cache.stats()
    if as_json:
        row = {"path": found.path, "completions": found.completions, "bytes": found.bytes, "models": dict(found.models)}
        typer.echo(json.dumps(row))
        return
    typer.echo(f"{found.path}: {found.completions} completions, {found.bytes / 1024:.0f} KiB")
    for model, count in found.models.items():
        typer.echo(f"    {count:8} {model}")


def clear(folder: Path) -> None:
    """Delete every completion."""
    with _open(folder) as cache:
        count = cache.clear()
    typer.echo(f"{count} completions deleted")


def _open(folder: Path) -> closing[late.CompletionCache]:
    if not late.is_cache(folder):  # to look for one makes none
        raise late.StoreError(f"{folder} is no folder with a cache: give the one of --cache, or that of a run")
    return closing(late.CompletionCache(folder))


def demo(folder: Path = Path("magistrate-demo"), browser: bool = True) -> None:
    """Take the tour of what there is, without a key and in less than a minute.

    Judge three cases, open the report, hold it against a gate, read a reply with a verdict missing, audit recorded
    scores. Writes into one folder, and calls nothing.
    """
    from magistrate.cli import run  # noqa: PLC0415 - this module is loaded by it

    tour = json.loads((files(__package__) / "demo.json").read_text("utf-8"))
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in tour["files"].items():
        lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
        (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    page = folder / "report.html"
    for number, (text, command) in enumerate(tour["steps"], 1):
        arguments = [part.replace("FOLDER", str(folder)) for part in command.split()]
        typer.echo(f"\n{number}. {text}\n\n$ magistrate {shlex.join(arguments)}")
        code = run(arguments)
        typer.echo(f"(exit code {code})")
        if number == 1 and browser and sys.stdout.isatty():
            import webbrowser  # noqa: PLC0415 - `--help` does without it

            webbrowser.open(page.resolve().as_uri())
    typer.echo(
        f"\nThe report is {page}. Your own data: magistrate dataset show FILE, then\n"
        "magistrate eval FILE --model gpt-4o (a key in OPENAI_API_KEY), or --model offline.\n"
        "All commands: magistrate --help"
    )
