"""Commands that read a stored run: score, reparse, report, show. None of them makes a call."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import typer

from magistrate.cli import late
from magistrate.cli.arguments import echo_json, wrong
from magistrate.cli.options import Bars, ReportOptions
from magistrate.cli.runs.invocation import put_out, say_if_nothing_was_judged

_CHANGES_SHOWN = 20
_PARTS_A_WORKER = 4


def score(
    run: str,
    policy: str | None = None,
    save: str | None = None,
    workers: int = 1,
    *,
    bars: Bars,
    reports: ReportOptions,
) -> None:
    """Score a stored run again, under another policy or threshold, without a call."""
    make = partial(late.rescored, policy=policy, threshold=bars.threshold)
    with _derived(run, make, save, workers) as new:
        raise typer.Exit(conclude(new, bars, reports, save if workers == 1 else None))


def reparse(run: str, save: str | None = None, workers: int = 1, *, bars: Bars, reports: ReportOptions) -> None:
    """Read the stored completions of a run again, with this version's parser, without a call."""
    with _derived(run, late.reparsed, save, workers) as new:
        code = conclude(new, bars, reports, save if workers == 1 else None)
        count = 0
        for count, change in enumerate(late.changes(late.load_run(run), new), 1):
            if count <= _CHANGES_SHOWN:
                typer.echo(late.clip(str(change), 300))
        typer.echo(f"{count:,} of the verdicts changed")
        for reason, results in late.not_read(new).items():
            typer.echo(f"{late.plural(results, 'result was', 'results were')} not read again: {reason}")
    raise typer.Exit(code)


@contextmanager
def _derived(run: str, make: Callable[[late.Run], late.Run], save: str | None, workers: int) -> Iterator[late.Run]:
    """A run made of a stored one, by several processes where there are to be some; those have it saved already."""
    if workers == 1:
        yield make(late.load_run(run))
        return

    from tempfile import TemporaryDirectory  # noqa: PLC0415 - `--help` does without it

    if save and (Path(save) / late.RESULTS).exists():
        raise late.StoreError(f"{save} holds a run already: choose another folder")
    with TemporaryDirectory(prefix="magistrate-") as scratch:
        parts = late.parts_of(run, make, Path(scratch), workers * _PARTS_A_WORKER)
        for _ in late.Processes().run(late.Task(late.derive_part, parts), workers):
            pass
        yield late.put_together(parts, Path(save or f"{scratch}/whole"))


def report(run: str, *, reports: ReportOptions) -> None:
    """Print a stored run, and write its reports."""
    loaded = late.load_run(run)
    conclude(loaded, Bars(), reports)
    typer.echo(f"results digest {loaded.summary.digest} (equal where the results are)")


def show(run: str, case_id: str, as_json: bool = False) -> None:
    """Print one case of a stored run: its statements, verdicts, reasons and evidence."""
    loaded = late.load_run(run)
    found = loaded.find(case_id)
    if not found:
        hint = late.meant(case_id, (result.id for result in loaded.results))
        wrong("CASE_ID", f"the run has no case {late.clip(case_id, 80)!r}.{hint}")
    for result in found:
        if as_json:
            typer.echo(late.printable_json(late.encode_result(result, full=True).decode()))
        else:
            late.print_case(result, late.make_console())


def conclude(run: late.Run, bars: Bars, reports: ReportOptions, save: str | None = None) -> int:
    """Write and print a run; return the exit code that its gates give."""
    late.check_outputs(reports.paths)
    gates = bars.gates()
    checks = late.check(run.summary, gates) if gates else None
    put_out(late.RunView(run, checks, raw=not reports.no_raw), reports.paths)
    if save:
        run.save(save)
    say_if_nothing_was_judged(run)
    judged = run.summary.judged
    return 0 if checks is None and judged else int(late.exit_code(run.state, checks, judged=judged))


def compare(  # noqa: PLR0917 - the options of a command line
    before: str,
    after: str,
    allow_different: bool = False,
    gate: str | None = None,
    max_drop: float | None = None,
    flips: int = 10,
    as_json: bool = False,
) -> None:
    """Compare two stored runs over the same cases: changes with their intervals and tests, and the cases that flipped.

    Exits 2 if they were judged differently.
    """
    first, second = late.load_run(before), late.load_run(after)
    late.comparable(first, second, allow=allow_different)
    found = late.compare_with(second, first, late.baseline_name(before))
    gates = [] if gate is None else late.load_gates(gate)
    if max_drop is not None:
        gates.append(late.Gate(gate_mean=False, max_drop=max_drop))
    noises = [late.noise_of(first), late.noise_of(second)] if gates else []
    noise = {name: max(each.get(name, 0.0) for each in noises) for each in noises for name in each}
    checks = late.check(second.summary, gates, found, noise) if gates else None
    if as_json:
        echo_json(late.baseline_dict(found))
    else:
        console = late.make_console()
        late.print_baseline(found, console, flips=flips)
        late.print_checks(checks, console)
    if checks is not None:
        raise typer.Exit(int(late.exit_code(second.state, checks)))
