"""The figures of a run: a table, or where that is too wide a few short lines for each metric and category."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console
from rich.table import Table
from rich.text import Text

from magistrate.evaluation.aggregate import Aggregate, CategoryAggregate, RunSummary
from magistrate.report.console import print_indented
from magistrate.report.text import clip, printable
from magistrate.verdict import Outcome

__all__ = ["OUTCOME_STYLE", "print_figures"]

OUTCOME_STYLE = {Outcome.PASS: "green", Outcome.FAIL: "red", Outcome.INCONCLUSIVE: "yellow"}
_CATEGORIES_SHOWN = 30
_LONGEST_NAME = 44
_ANY_WIDTH = 1000


def print_figures(summary: RunSummary, console: Console) -> None:
    """Print mean, interval, coverage and outcomes of each metric and category.

    As a table where it fits, if need be with less room between its columns. A name or a number is never broken for
    want of room: where the table does not fit, the figures come as lines below each name.
    """
    for gap in (2, 1):
        table = _table(summary, gap)
        if table.__rich_measure__(console, console.options.update(max_width=_ANY_WIDTH)).maximum <= console.width:
            console.print(table)
            return
    for indent, name, figures in _rows(summary):
        print_indented(console, name, indent)
        if figures is not None:
            print_indented(console, _line(figures), indent + 2)


def _table(summary: RunSummary, gap: int) -> Table:
    table = Table(box=None, padding=(0, gap, 0, 0), pad_edge=False, header_style="bold", show_edge=False)
    table.add_column("", overflow="fold", max_width=_LONGEST_NAME)
    for column in ("mean", "95 % interval", "scored", *(outcome.value for outcome in Outcome)):
        table.add_column(column, justify="right", no_wrap=True)
    for indent, name, figures in _rows(summary):
        table.add_row(Text(" " * indent).append_text(name), *([] if figures is None else _cells(figures)))
    return table


def _rows(summary: RunSummary) -> Iterator[tuple[int, Text, CategoryAggregate | None]]:
    """Indent, name and figures of each row."""
    for name, figures in summary.metrics.items():
        yield 0, Text(printable(name), style="bold"), figures
        yield from _categories(figures)


def _categories(figures: Aggregate) -> Iterator[tuple[int, Text, CategoryAggregate | None]]:
    for category, part in list(figures.categories.items())[:_CATEGORIES_SHOWN]:
        yield 2, Text(clip(category, 40)), part
    if len(figures.categories) > _CATEGORIES_SHOWN:
        yield 2, Text(f"and {len(figures.categories) - _CATEGORIES_SHOWN} more categories"), None


def _cells(figures: CategoryAggregate) -> Iterator[Text]:
    yield Text("none" if figures.mean is None else f"{figures.mean:.3f}")
    interval = figures.interval
    yield Text(f"{interval.low:.3f} to {interval.high:.3f}" if interval else "")
    yield Text(f"{figures.n_scored} of {figures.n}", style="" if figures.n_scored == figures.n else "yellow")
    for outcome in Outcome:
        count = figures.outcomes.get(outcome, 0)
        yield Text(str(count), style=OUTCOME_STYLE[outcome] if count else "dim")


def _line(figures: CategoryAggregate) -> Text:
    mean, interval, scored, *outcomes = _cells(figures)
    line = Text("mean ").append_text(mean)
    if interval:
        line.append_text(Text(" (").append_text(interval).append(")"))
    line.append(", ").append_text(scored).append(" scored")
    for outcome, count in zip(Outcome, outcomes, strict=True):
        line.append(", ").append_text(count).append(f" {outcome.value}")
    return line
