"""Commands that read a stored run: score, reparse, report, show. None of them makes a call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from magistrate.cli.options import MinCoverage, NoRaw, Output, RunArgument, Threshold

if TYPE_CHECKING:
    from magistrate.evaluation.gate import Check
    from magistrate.evaluation.runs.run import Run

__all__ = ["REPARSE_HELP", "REPORT_HELP", "SCORE_HELP", "SHOW_HELP", "reparse", "report", "score", "show"]

SCORE_HELP = "Score a stored run again, under another policy or threshold, without a call."
REPARSE_HELP = "Read the stored completions of a run again, with this version's parser, without a call."
REPORT_HELP = "Print a stored run, and write its reports."
SHOW_HELP = "Print one case of a stored run: its statements, verdicts, reasons and evidence."

Save = Annotated[
    str | None,
    typer.Option("--save", metavar="FOLDER", help="Keep the new results as a run of their own in this folder."),
]


def score(  # noqa: PLR0917 - the options of a command line
    run: RunArgument,
    policy: Annotated[
        str | None, typer.Option(help="The policy; by default the run's own. See `magistrate policies`.")
    ] = None,
    threshold: Threshold = None,
    min_coverage: MinCoverage = None,
    output: Output = None,
    save: Save = None,
    no_raw: NoRaw = False,
) -> None:
    """Score a stored run again."""
    from magistrate.evaluation.runs.derived import rescored  # noqa: PLC0415
    from magistrate.evaluation.runs.run import load_run  # noqa: PLC0415

    new = rescored(load_run(run), policy, threshold)
    _conclude(new, threshold, min_coverage, output, save, raw=not no_raw)


def reparse(  # noqa: PLR0917
    run: RunArgument,
    threshold: Threshold = None,
    min_coverage: MinCoverage = None,
    output: Output = None,
    save: Save = None,
    no_raw: NoRaw = False,
) -> None:
    """Read the stored completions of a run again."""
    from magistrate.evaluation.runs.reparse import changes, not_read, reparsed  # noqa: PLC0415
    from magistrate.evaluation.runs.run import load_run  # noqa: PLC0415
    from magistrate.report.text import clip  # noqa: PLC0415

    old = load_run(run)
    new = reparsed(old)
    _conclude(new, threshold, min_coverage, output, save, raw=not no_raw, exit_now=False)
    count = 0
    for change in changes(old, new):
        count += 1
        if count <= 20:  # noqa: PLR2004 - a screenful
            typer.echo(clip(str(change), 300))
    typer.echo(f"{count:,} of the verdicts changed")
    for reason, results in not_read(new).items():
        typer.echo(f"{results:,} {'result was' if results == 1 else 'results were'} not read again: {reason}")
    raise typer.Exit(_code(new, threshold, min_coverage))


def report(
    run: RunArgument,
    output: Output = None,
    no_raw: NoRaw = False,
) -> None:
    """Print a stored run."""
    from magistrate.evaluation.runs.run import load_run  # noqa: PLC0415

    _conclude(load_run(run), None, None, output, None, raw=not no_raw)


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


def _conclude(
    run: Run,
    threshold: float | None,
    min_coverage: float | None,
    output: list[str] | None,
    save: str | None,
    *,
    raw: bool,
    exit_now: bool = True,
) -> None:
    from magistrate.cli.outputs import put_out  # noqa: PLC0415
    from magistrate.report.outputs import check_outputs  # noqa: PLC0415

    check_outputs(output or ())
    checks = _checks(run, threshold, min_coverage)
    put_out(run, checks, output or (), raw=raw)
    if save:
        run.save(save)
    if exit_now and checks is not None:
        raise typer.Exit(_code(run, threshold, min_coverage))


def _checks(run: Run, threshold: float | None, min_coverage: float | None) -> list[Check] | None:
    from magistrate.evaluation.gate import Gate, check  # noqa: PLC0415

    if threshold is None and min_coverage is None:
        return None
    gate = Gate(threshold=threshold, min_coverage=min_coverage, gate_mean=threshold is not None)
    return check(run.summary, [gate])


def _code(run: Run, threshold: float | None, min_coverage: float | None) -> int:
    from magistrate.evaluation.gate import exit_code  # noqa: PLC0415

    checks = _checks(run, threshold, min_coverage)
    return 0 if checks is None else int(exit_code(run.state, checks))
