"""The progress bar."""

from __future__ import annotations

import io
import time

from rich.console import Console

from magistrate.evaluation.execution.stop import Progress
from magistrate.records import Usage
from magistrate.report.labels import cost_text, left_text
from magistrate.report.terminal.progress import ProgressBar


class TestProgressBar:
    def test_it_shows_cases_rate_cost_and_time_left(self):
        file = io.StringIO()
        progress = Progress(total=20, done=5, usage=Usage(calls=5, cost=0.25), started=time.monotonic() - 10)
        with ProgressBar(Console(file=file, force_terminal=True, width=120)) as bar:
            bar.update(progress)
            bar._bar.refresh()
        text = file.getvalue()
        for part in ("5/20", "0.5/s", "$0.2500", "left"):
            assert part in text

    def test_unknown_things_are_said_or_left_out(self):
        assert cost_text(Progress(usage=Usage(calls=1, cost=None))) == "price unknown"
        assert cost_text(Progress()) == "$0"
        assert left_text(Progress(done=3)) == ""

    def test_hours_are_written_out(self):
        progress = Progress(total=10_001, done=1, started=time.monotonic() - 1)
        assert left_text(progress).startswith("2:4")
