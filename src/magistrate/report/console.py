"""Printing on a terminal, or into a pipe: nothing is read as markup, and no line ends in blanks."""

from __future__ import annotations

from typing import TextIO

from rich.console import Console
from rich.text import Text

__all__ = ["make_console", "print_indented"]

_LEAST_WIDTH = 8


def make_console(file: TextIO | None = None) -> Console:
    """A console on which nothing is read as markup, highlighted or turned into an emoji."""
    return Console(file=file, markup=False, highlight=False, emoji=False, soft_wrap=False)


def print_indented(console: Console, text: Text, columns: int) -> None:
    """Print a text whose further lines are indented as well, without filling the lines with blanks."""
    for line in text.wrap(console, max(console.width - columns, _LEAST_WIDTH), overflow="fold"):
        line.rstrip()
        console.print(Text(" " * columns).append_text(line), soft_wrap=True)
