"""Printing on a terminal, or into a pipe: nothing is read as markup, and no line ends in blanks."""

import re
from html import unescape
from typing import Any, Final, TextIO

from rich.console import Console
from rich.text import Text

from magistrate.report.rendering import render

__all__ = ["make_console", "print_indented", "print_template"]

_LEAST_WIDTH: Final = 8
_TAG: Final = re.compile("<(/|[a-z ]+)>")


def make_console(file: TextIO | None = None, **given: Any) -> Console:
    """A console on which nothing is read as markup, highlighted or turned into an emoji."""
    return Console(file=file, markup=False, highlight=False, emoji=False, soft_wrap=False, **given)


def print_indented(console: Console, text: Text, columns: int) -> None:
    """Print a text whose further lines are indented as well, without filling the lines with blanks."""
    for line in text.wrap(console, max(console.width - columns, _LEAST_WIDTH), overflow="fold"):
        line.rstrip()
        console.print(Text(" " * columns).append_text(line), soft_wrap=True)


def print_template(console: Console, name: str, **values: Any) -> None:
    """Print a template of `report/templates`, line by line.

    A line that is too long goes on below its first word. `<bold red>` and `</>` in a template begin and end a style; in
    the text that is put in "<" is escaped. Blank lines are one at most.
    """
    blank, text = False, render(f"{name}.txt", **values).rstrip()
    for line in text.split("\n") if text else ():
        if not line.strip():
            if not blank:
                console.print()
            blank = True
            continue
        blank = False
        words = line.lstrip(" ")
        print_indented(console, _styled(words), len(line) - len(words))


def _styled(line: str) -> Text:
    text, styles = Text(), [""]
    for number, part in enumerate(_TAG.split(line)):
        if number % 2 == 0:
            text.append(unescape(part), style=styles[-1])
        elif part == "/":
            styles.pop()
        else:
            styles.append(part)
    return text
