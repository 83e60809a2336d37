"""A table of figures, or where that is too wide a few short lines for each row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from magistrate.report.terminal import print_indented

Row = tuple[int, Text, Sequence[Text]]
"""Indentation, name, and a cell for each heading; none for a row that is a name alone."""
_LONGEST_NAME: Final = 44
_ANY_WIDTH: Final = 1000


def print_table(console: Console, headings: Sequence[str], rows: Sequence[Row], *, title: str = "") -> None:
    """Print figures as a table where it fits, if need be with less room between its columns.

    A name or a number is never broken for want of room: where the table does not fit, the figures come as lines below
    each name.
    """
    for gap in (2, 1):
        table = Table(box=None, padding=(0, gap, 0, 0), pad_edge=False, header_style="bold", show_edge=False)
        table.add_column(title, overflow="fold", max_width=_LONGEST_NAME)
        for heading in headings:
            table.add_column(heading, justify="right", no_wrap=True)
        for indent, name, cells in rows:
            table.add_row(Text(" " * indent).append_text(name), *cells)
        if table.__rich_measure__(console, console.options.update(max_width=_ANY_WIDTH)).maximum <= console.width:
            console.print(table)
            return
    if title:
        console.print(Text(title, "bold"))
    for indent, name, cells in rows:
        print_indented(console, name, indent)
        if cells:
            given = zip(headings, cells, strict=True)
            parts = [Text(f"{heading} ").append_text(cell) for heading, cell in given if cell.plain]
            print_indented(console, Text(", ").join(parts), indent + 2)
