"""What an invocation comes to: the run, baselines, laws, what is printed; and commands that read stored runs."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import typer

from magistrate.cli import hush, late, recatch_signals
from magistrate.cli.app import echo_json, say, wrong
from magistrate.cli.options import Bars, CallOptions, ReportOptions

if TYPE_CHECKING:
    import asyncio

Baselines = list[tuple[str, "late.Run | late.Plan"]]
Judging = Callable[["late.Plan", "late.Stop", Callable[["late.Progress"], None] | None], Awaitable["late.Run"]]
_CHANGES_SHOWN = 20
_PARTS_A_WORKER = 4
_LAW_CASES = 25
"""Cases whose variants are put to a model."""
_ENDING = (
    "{}: calls under way get {} s. What is given up then is in no figure, though a provider may charge it, and "
    "--resume asks it again. Again to stop at once.\n"
)


class Invocation(NamedTuple):
    """What came of an invocation; its state is that of the run, or else of the first baseline it did not finish."""

    run: late.Run
    compared: list[tuple[str, late.Run]]
    laws: list[late.LawResult]
    error: Exception | None
    state: late.RunState


def carry_out(
    plan: late.Plan,
    baselines: Baselines,
    *,
    laws: bool,
    quiet: bool,
    run: late.Run | None = None,
    judged_by: Judging | None = None,
) -> Invocation:
    """Judge the plan's cases, then those of the baselines that are no finished runs, then variants for the laws."""
    import asyncio  # noqa: PLC0415 - as everything here that takes time to load

    stop = late.Stop()

    async def work() -> tuple[late.Run, list[tuple[str, late.Run]], list[late.LawResult]]:
        _listen(asyncio.get_running_loop(), stop)
        compared: list[tuple[str, late.Run]] = []
        kept: list[late.LawResult] = []
        try:
            with ExitStack() as stack:
                progress = None if quiet or not sys.stderr.isatty() else stack.enter_context(late.progress_bar())
                judged = await (judged_by or late.execute)(plan, stop, progress) if run is None else run
                for name, other in baselines:
                    if isinstance(other, late.Run):
                        compared.append((name, other))
                    elif not stop.requested and judged.state == "complete":
                        compared.append((name, await late.execute(other, stop, progress)))
                if laws and judged.state == "complete":
                    kept = await _measure_laws(judged, plan)
        finally:
            await late.close_judge(plan.judge)
        return judged, compared, kept

    judged, compared, kept = asyncio.run(work())
    recatch_signals()
    made = [judged, *(other for _, other in compared if not any(other is stored for _, stored in baselines))]
    state: late.RunState = next((one.state for one in made if one.state != "complete"), "complete")
    return Invocation(judged, compared, kept, stop.error if state == "failed" else None, state)


async def _measure_laws(run: late.Run, plan: late.Plan) -> list[late.LawResult]:
    faithful = [metric for metric in plan.metrics if isinstance(metric, late.Faithfulness)]
    faithful += [metric.judging for metric in plan.metrics if hasattr(metric, "judging")]
    judging = next(iter(faithful), None) or late.Faithfulness()
    most = _LAW_CASES if late.can_grade(plan.judge) else None  # a judge that cannot grade is no model: it costs nothing
    cases = [
        (result.case, result.metrics.get(judging.name) if plan.options.repeat == 1 else None)
        for result in islice(run.results, most)
    ]
    measured, _, _ = await late.measured_laws(cases, plan.judge, judging=judging)
    return measured


def _listen(loop: asyncio.AbstractEventLoop, stop: late.Stop) -> None:
    """End cleanly on Ctrl-C and SIGTERM; at once on the second."""
    import signal  # noqa: PLC0415

    def on_signal(name: str) -> None:
        if not stop.interrupted:
            sys.stderr.write(_ENDING.format(name, late.GRACE_SECONDS))
        stop.interrupt(name)

    for number, name in ((signal.SIGINT, "Ctrl-C"), (signal.SIGTERM, "SIGTERM")):
        try:
            loop.add_signal_handler(number, on_signal, name)
        except (NotImplementedError, RuntimeError, ValueError):  # Windows, or not the main thread
            return


def put_out(view: late.RunView, outputs: Sequence[str | Path], *, quiet: bool = False) -> None:
    """Write the reports, print the table, and tell GitHub where this is a step of its Actions."""
    files = late.write_reports(view, outputs)
    if not quiet:
        try:
            console = late.make_console()
            late.print_run(view, console)
            for path in outputs:
                console.print(f"report: {path}", style="dim", soft_wrap=True)
            sys.stdout.flush()
        except (BrokenPipeError, SystemExit):  # `| head`, and rich's answer to it: the exit code is still the run's
            hush()
    if late.in_actions():
        out = sys.stdout.unguarded if isinstance(sys.stdout, late.CommandGuard) else sys.stdout
        late.publish(view, out, files=files)
    if view.run.state == "complete" and not view.run.summary.judged:  # an empty report looks like a good one
        reasons = (metric.reason for result in view.run.results for metric in result.metrics.values() if metric.reason)
        why = f" ({late.clip(first, 200)})" if (first := next(reasons, None)) else ""
        say(late.printable(f"nothing was judged: {view.run.summary.unjudged}{why}"))


def put_estimate(plan: late.Plan, baselines: Baselines, limits: CallOptions, *, cached: bool) -> None:
    """Print what a plan and its baselines would cost; no call is made."""
    import asyncio  # noqa: PLC0415 - as everything here that takes time to load

    async def estimate() -> list[tuple[str, late.Estimate]]:
        plans = [("the run", plan), *((name, other) for name, other in baselines if not isinstance(other, late.Run))]
        try:
            return [(name, await late.estimate_plan(one, cached=cached)) for name, one in plans]
        finally:
            await late.close_judge(plan.judge)

    found = asyncio.run(estimate())
    total = sum((one.usage for _, one in found), late.Usage())
    given = {"budget": limits.budget, "max_calls": limits.max_calls}
    late.print_template(late.make_console(), "estimate", found=found, total=total, **given)


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
        ids = [result.id for result in loaded.results]
        hint = late.meant(case_id, ids) or late.meant(f"case-{case_id}", ids)
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
