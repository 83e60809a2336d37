"""`magistrate demo`: the whole tour without a key: judge, look, gate, read a faulty reply, audit recorded scores."""

from __future__ import annotations

import json
import shlex
import sys
from importlib.resources import files
from pathlib import Path

import typer


def demo(
    folder: Path = Path("magistrate-demo"),
    browser: bool = True,
) -> None:
    """Take the tour of what there is, without a key and in less than a minute.

    Judge three cases, open the report, hold it against a gate, read a reply with a verdict missing, audit recorded
    scores. Writes into one folder, and calls nothing.
    """
    from magistrate.cli import run  # noqa: PLC0415 - this module is loaded by it

    tour = json.loads((files("magistrate.cli.tools") / "demo.json").read_text("utf-8"))
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
