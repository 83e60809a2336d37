"""`magistrate prompts`: what judges are asked with, to read and to replace."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from magistrate.errors import PromptError

LIST_HELP = "List the prompts."
SHOW_HELP = "Print a prompt as it is sent, with an example in it."
COPY_HELP = "Copy prompts into a folder, to be changed there and used with --prompts FOLDER."
Folder = Annotated[
    str | None, typer.Option("--prompts", metavar="FOLDER", help="A folder with prompts that stand for ours.")
]


def list_prompts(prompts: Folder = None) -> None:
    """Print name, fingerprint and length of each prompt."""
    from magistrate.prompts import load_prompt, prompt_names, replacing  # noqa: PLC0415

    own = replacing(prompts)
    for name in prompt_names():
        prompt = own.get(name) or load_prompt(name)
        whose = "  yours" if name in own else ""
        typer.echo(f"{name:26} {prompt.fingerprint:20} {len(prompt.system) + len(prompt.user):5} characters{whose}")


def show(
    name: Annotated[str, typer.Argument(help="The prompt.")],
    prompts: Folder = None,
    *,
    file: Annotated[bool, typer.Option("--file", help="Print the file that it is made of.")] = False,
) -> None:
    """Print a prompt."""
    from magistrate.judges.llm.sent_prompts import sent  # noqa: PLC0415 - loads a good deal
    from magistrate.prompts import load_prompt, prompt_text, replacing  # noqa: PLC0415

    own = replacing(prompts).get(name)
    if file:
        typer.echo(prompt_text(name) if own is None else Path(prompts or "", f"{name}.md").read_text(encoding="utf-8"))
    else:
        typer.echo(sent(own or load_prompt(name)))


def copy(
    folder: Annotated[str, typer.Argument(help="Where to.")],
    names: Annotated[list[str] | None, typer.Argument(help="Which ones; all without a name.")] = None,
) -> None:
    """Write prompts into a folder; none that is there is written over."""
    from magistrate.prompts import prompt_names, prompt_text  # noqa: PLC0415

    texts = {name: prompt_text(name) for name in names or prompt_names()}
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            path = Path(folder, f"{name}.md")
            with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644), "w", encoding="utf-8") as file:
                file.write(text)
            typer.echo(str(path))
    except OSError as error:
        raise PromptError(f"{error.filename or folder}: cannot be written: {error.strerror or error}") from None
