"""Commands that read a stored run: score, reparse, report, show. None of them makes a call."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from magistrate.cli.options import Bars, ReportOptions, RunArgument

if TYPE_CHECKING:
    from magistrate.evaluation.runs.run import Run

SCORE_HELP = "Score a stored run again, under another policy or threshold, without a call."
REPARSE_HELP = "Read the stored completions of a run again, with this version's parser, without a call."
REPORT_HELP = "Print a stored run, and write its reports."
SHOW_HELP = "Print one case of a stored run: its statements, verdicts, reasons and evidence."
_CHANGES_SHOWN = 20
_PARTS_A_WORKER = 4

Save = Annotated[
    str | None,
    typer.Option("--save", metavar="FOLDER", help="Keep the new results as a run of their own in this folder."),
]

Workers = Annotated[
    int, typer.Option("--workers", metavar="N", help="Work in N processes of this machine; see docs/scale.md.", min=1)
]


def score(
    run: RunArgument,
    policy: Annotated[
        str | None, typer.Option(help="The policy; by default the run's own. See `magistrate policies`.")
    ] = None,
    save: Save = None,
    workers: Workers = 1,
    *,
    bars: Bars,
    reports: ReportOptions,
) -> None:
    """Score a stored run again."""
    from magistrate.evaluation.runs.derived import rescored  # noqa: PLC0415

    make = partial(rescored, policy=policy, threshold=bars.threshold)
    with _derived(run, make, save, workers) as new:
        raise typer.Exit(conclude(new, bars, reports, save if workers == 1 else None))


def reparse(run: RunArgument, save: Save = None, workers: Workers = 1, *, bars: Bars, reports: ReportOptions) -> None:
    """Read the stored completions of a run again."""
    from magistrate.evaluation.runs.reparse import changes, not_read, reparsed  # noqa: PLC0415
    from magistrate.evaluation.runs.run import load_run  # noqa: PLC0415
    from magistrate.report.labels import plural  # noqa: PLC0415
    from magistrate.report.text import clip  # noqa: PLC0415

    with _derived(run, reparsed, save, workers) as new:
        code = conclude(new, bars, reports, save if workers == 1 else None)
        count = 0
        for count, change in enumerate(changes(load_run(run), new), 1):
            if count <= _CHANGES_SHOWN:
                typer.echo(clip(str(change), 300))
        typer.echo(f"{count:,} of the verdicts changed")
        for reason, results in not_read(new).items():
            typer.echo(f"{plural(results, 'result was', 'results were')} not read again: {reason}")
    raise typer.Exit(code)


@contextmanager
def _derived(run: str, make: Callable[[Run], Run], save: str | None, workers: int) -> Iterator[Run]:
    """A run made of a stored one, by several processes where there are to be some; those have it saved already."""
    from magistrate.evaluation.runs.run import load_run  # noqa: PLC0415

    if workers == 1:
        yield make(load_run(run))
        return
    from magistrate.engines import Processes, Task  # noqa: PLC0415
    from magistrate.errors import StoreError  # noqa: PLC0415
    from magistrate.evaluation.runs.derived import derive_part, parts_of, put_together  # noqa: PLC0415
    from magistrate.evaluation.runs.store import RESULTS  # noqa: PLC0415

    if save and (Path(save) / RESULTS).exists():
        raise StoreError(f"{save} holds a run already: choose another folder")
    with TemporaryDirectory(prefix="magistrate-") as scratch:
        parts = parts_of(run, make, Path(scratch), workers * _PARTS_A_WORKER)
        for _ in Processes().run(Task(derive_part, parts), workers):
            pass
        yield put_together(parts, Path(save or f"{scratch}/whole"))


def report(run: RunArgument, *, reports: ReportOptions) -> None:
    """Print a stored run."""
    from magistrate.evaluation.runs.run import load_run  # noqa: PLC0415

    loaded = load_run(run)
    conclude(loaded, Bars(), reports)
    typer.echo(f"results digest {loaded.summary.digest}")


def show(
    run: RunArgument,
    case_id: Annotated[str, typer.Argument(help="The case's id.", metavar="CASE_ID")],
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the whole result as JSON, raw completions included.")
    ] = False,
) -> None:
    """Print one case of a stored run."""
    import difflib  # noqa: PLC0415

    from magistrate.evaluation.runs.results import encode_result  # noqa: PLC0415
    from magistrate.evaluation.runs.run import load_run  # noqa: PLC0415
    from magistrate.report.terminal import make_console  # noqa: PLC0415
    from magistrate.report.terminal.run import print_case  # noqa: PLC0415
    from magistrate.report.text import clip, printable_json  # noqa: PLC0415

    loaded = load_run(run)
    found = loaded.find(case_id)
    if not found:
        near = difflib.get_close_matches(case_id, (result.id for result in loaded.results), n=1)
        hint = f" Did you mean {clip(near[0], 80)!r}?" if near else ""
        raise typer.BadParameter(f"the run has no case {clip(case_id, 80)!r}.{hint}", param_hint="CASE_ID")
    for result in found:
        if as_json:
            typer.echo(printable_json(encode_result(result, full=True).decode()))
        else:
            print_case(result, make_console())


def conclude(run: Run, bars: Bars, reports: ReportOptions, save: str | None = None) -> int:
    """Write and print a run; return the exit code that its gates give."""
    from magistrate.cli.runs.output import put_out, say_if_nothing_was_judged  # noqa: PLC0415
    from magistrate.evaluation.gate import check, exit_code  # noqa: PLC0415
    from magistrate.report.outputs import check_outputs  # noqa: PLC0415
    from magistrate.report.view import RunView  # noqa: PLC0415

    check_outputs(reports.paths)
    gates = bars.gates()
    checks = check(run.summary, gates) if gates else None
    put_out(RunView(run, checks, raw=not reports.no_raw), reports.paths)
    if save:
        run.save(save)
    say_if_nothing_was_judged(run)
    judged = run.summary.judged
    return 0 if checks is None and judged else int(exit_code(run.state, checks, judged=judged))
