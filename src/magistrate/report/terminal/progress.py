"""A progress bar: cases, rate, cost so far, time left."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar

from magistrate.evaluation.execution.stop import Progress
from magistrate.report.labels import cost_text, left_text


class ProgressBar:
    """Shows a `Progress` on stderr. A context manager; pass `update` as the run's progress callback."""

    def __init__(self, console: Console | None = None) -> None:
        self._bar = Bar(
            TextColumn("judging"),
            BarColumn(bar_width=None),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TextColumn("{task.fields[cost]}"),
            TimeElapsedColumn(),
            TextColumn("{task.fields[left]}"),
            console=console or Console(stderr=True, markup=False, highlight=False, emoji=False),
            transient=True,
        )
        self._task = self._bar.add_task("", total=None, rate="", cost="", left="")

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._bar.stop()

    def update(self, progress: Progress) -> None:
        """Show how far the run is."""
        self._bar.update(
            self._task,
            total=progress.total,
            completed=progress.done,
            rate=f"{progress.rate:.1f}/s",
            cost=cost_text(progress),
            left=left_text(progress),
        )
