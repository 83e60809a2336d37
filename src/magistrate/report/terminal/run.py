"""A run on the terminal: how far it is; figures with their coverage, what has no score and why, the worst cases."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from magistrate.evaluation.comparison import Baseline
from magistrate.evaluation.gate import Check
from magistrate.evaluation.laws import LAWS, LawResult
from magistrate.evaluation.running import Progress
from magistrate.evaluation.runs.results import CaseResult
from magistrate.report import view as _view
from magistrate.report.phrasing import OUTCOME_STYLE, cost_text, left_text
from magistrate.report.terminal import print_indented, print_template
from magistrate.report.text import clip, printable
from magistrate.report.view import HEADINGS, RunView, change_cells, figures_cells, figures_rows
from magistrate.verdict import Outcome

_FLIPS_SHOWN = 10
_CATEGORIES_SHOWN = 30
_LAW_STYLE = {"PASS": "green", "FAIL": "bold red", "NOT RUN": "dim"}


@contextmanager
def progress_bar(console: Console | None = None) -> Iterator[Callable[[Progress], None]]:
    """A bar on stderr: cases, rate, cost so far, time left; to be called with how far the run is."""
    from rich import progress as rich  # noqa: PLC0415 - only a terminal needs it

    bar = rich.Progress(
        rich.TextColumn("judging"),
        rich.BarColumn(bar_width=None),
        rich.MofNCompleteColumn(),
        rich.TextColumn("{task.fields[rate]} {task.fields[cost]}"),
        rich.TimeElapsedColumn(),
        rich.TextColumn("{task.fields[left]}"),
        console=console or Console(stderr=True, markup=False, highlight=False, emoji=False),
        transient=True,
    )
    task = bar.add_task("", total=None, rate="", cost="", left="")

    def update(now: Progress) -> None:
        rate, cost, left = f"{now.rate:.1f}/s", cost_text(now), left_text(now)
        bar.update(task, total=now.total, completed=now.done, rate=rate, cost=cost, left=left)

    with bar:
        yield update


def print_run(view: RunView, console: Console) -> None:
    """Print a run: caveats, figures, what was not scored, the worst cases, comparisons, laws, usage, gates."""
    print_template(console, "run_head", view=view, words=_view)
    if not view.run.summary.n:
        return
    console.print()
    rows = []
    for depth, name, figures in figures_rows(list(view.run.summary.metrics.items()), _CATEGORIES_SHOWN):
        cells: list[Text] = []
        if figures is not None:
            mean, interval, scored, *outcomes = figures_cells(figures)
            whole = figures.n_scored == figures.n
            cells = [Text(mean), Text(interval), Text(scored, style="" if whole else "yellow")]
            for outcome, count in zip(Outcome, outcomes, strict=True):
                cells.append(Text(count, style="dim" if count == "0" else OUTCOME_STYLE[outcome]))
        rows.append((2 * depth, Text(clip(name, 40)) if depth else Text(printable(name), "bold"), cells))
    print_table(console, HEADINGS, rows)
    print_template(console, "run", view=view, words=_view)
    for baseline in view.baselines:
        print_baseline(baseline, console)
    if view.laws:
        print_laws(view.laws, console)
    print_template(console, "run_end", view=view, words=_view)


def print_baseline(baseline: Baseline, console: Console, *, flips: int = _FLIPS_SHOWN) -> None:
    """Print what changed against a baseline: means, changes with their intervals, the test, the cases that flipped."""
    print_template(console, "baseline", baseline=baseline)
    found = baseline.comparisons
    cells = {name: change_cells(one) for name, one in found.items()}
    if cells:
        rows = [(0, Text(printable(name), "bold"), list(map(Text, one.values()))) for name, one in cells.items()]
        print_table(console, list(next(iter(cells.values()))), rows)
        print_template(console, "flips", comparisons=found, most=flips, words=_view)


def print_laws(laws: Sequence[LawResult], console: Console) -> None:
    """Print how well each law was kept, and the first cases that broke it."""
    console.print()
    rows = []
    for law in laws:
        broken = "" if law.rate is None else f"{law.violations} of {law.checked}"
        allowed = f"{law.tolerance:.0%}" if law.kind == "measured" and law.rate is not None else ""
        status = Text(law.status, _LAW_STYLE[law.status])
        rows.append((0, Text(law.law), [status, *map(Text, (law.kind, broken, allowed, str(law.unknown)))]))
    print_table(console, ("result", "kind", "broken", "allowed", "unknown"), rows, title="Laws of the evaluation")
    print_template(console, "broken_laws", laws=laws, all_laws=LAWS)


def print_checks(checks: Sequence[Check] | None, console: Console) -> None:
    """Print the gated figures."""
    if checks:
        print_template(console, "gates", checks=checks)


def print_case(result: CaseResult, console: Console) -> None:
    """Print one case: question, answer, contexts, and every statement with its verdict, reason, evidence and issues."""
    print_template(console, "case", result=result, words=_view)


Row = tuple[int, Text, Sequence[Text]]
"""Indentation, name, and a cell for each heading; none for a row that is a name alone."""
_LONGEST_NAME: Final = 44
_ANY_WIDTH: Final = 1000


def print_table(console: Console, headings: Sequence[str], rows: Sequence[Row], *, title: str = "") -> None:
    """Print figures as a table where it fits, if need be with less room between its columns."""
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
