"""Runs to report on."""

import io

import pytest
from rich.console import Console

from magistrate.evaluation.runs.run import Run
from magistrate.report.view import RunView

HOSTILE = "\x1b[31m[bold red]evil[/] :smile: \u202e\x07"


@pytest.fixture
def shown():
    """Runs a printing function and returns what it printed, on a terminal of the given width."""

    def show(function, *arguments, width=100, colour=False, **options):
        file = io.StringIO()
        console = Console(file=file, width=width, markup=False, highlight=False, emoji=False, force_terminal=colour)
        given = [RunView(one) if isinstance(one, Run) else one for one in arguments]
        function(*given, console, **options)
        return file.getvalue()

    return show
