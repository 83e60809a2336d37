"""Runs to report on."""

import io

import pytest
from rich.console import Console

from magistrate.case import Case
from magistrate.evaluation.runs.results import CaseResult
from magistrate.evaluation.runs.run import Run
from magistrate.evaluation.runs.store import RunHeader
from magistrate.metrics.base import MetricResult, decide
from magistrate.report.view import RunView
from magistrate.verdict import StatementVerdict, Status, Verdict

HOSTILE = "\x1b[31m[bold red]evil[/] :smile: \u202e\x07"


def make_result(
    index, score=1.0, status=Status.SCORED, *, verdicts=(), bounds=None, reason=None, problems=(), metric=None, **case
):
    fields = {"id": f"c{index}", **case}
    result = MetricResult(
        metric="faithfulness",
        policy="strict",
        status=status,
        score=score,
        bounds=bounds,
        threshold=0.7,
        outcome=decide(status, score, bounds, 0.7),
        reason=reason,
        verdicts=tuple(verdicts),
        judge="judge",
        **(metric or {}),
    )
    return CaseResult(index=index, case=Case(**fields), metrics={"faithfulness": result}, problems=problems)


def make_verdict(index, verdict=Verdict.CONTRADICTED, **fields):
    return StatementVerdict(
        index=index, id=f"s{index + 1}", verdict=verdict, **{"statement": f"statement {index}", **fields}
    )


def make_run(results, *, judge="gpt-4o", repeat=1, **fields):
    header = RunHeader(
        config={"dataset": {"name": "cases.jsonl"}, "judge": {"name": judge}, "metrics": [], "repeat": repeat},
        magistrate="0.1.0",
        created="2026-01-01T00:00:00+00:00",
    )
    return Run(results, header, **fields)


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
