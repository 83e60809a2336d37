"""`magistrate eval`: the main job."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from magistrate.cli import late
from magistrate.cli.options import (
    DatasetOptions,
    GateOptions,
    JudgeOptions,
    LogOptions,
    MetricOptions,
    ReportOptions,
    RunFlags,
)
from magistrate.cli.runs.batching import BatchOptions, check_under_way
from magistrate.cli.runs.invocation import (
    Invocation,
    carry_out,
    put_estimate,
    put_out,
    say_if_nothing_was_judged,
)
from magistrate.cli.runs.sharding import ShardJob, ShardOptions, judged_in_parts

if TYPE_CHECKING:
    from magistrate.evaluation.gate import Gate
    from magistrate.report.view import RunView


EXIT_CODES = (
    "Exit codes: 0 the run completed and its gates passed (without --threshold, --min-coverage or --regression there "
    "is no gate); 1 a gate fails for certain; 2 usage or input error; 3 a gate cannot be decided, because scores are "
    "missing, the judge's provider is down, or nothing was judged; 4 the budget was spent or the run was interrupted; "
    "5 a batch of the provider is under way."
)


def eval_(
    dataset: str | None = None,
    dataset_option: str | None = None,
    model: str | None = None,
    *,
    judging: JudgeOptions,
    measuring: MetricOptions,
    reading: DatasetOptions,
    flags: RunFlags,
    sharding: ShardOptions,
    batches: BatchOptions,
    bars: GateOptions,
    system: str | None = None,
    baseline: list[str] | None = None,
    laws: bool = False,
    estimate: bool = False,
    reports: ReportOptions,
    quiet: bool = False,
    log: LogOptions,
) -> None:
    """Judge the cases of a dataset, print the figures, write a report."""
    from magistrate.cli.runs import planning  # noqa: PLC0415

    source = _one_dataset(dataset, dataset_option)
    vera = reading.format_ == "vera"
    gates = bars.gates()
    whole = bool(gates or laws or baseline or reports.paths)
    place = sharding.place(whole=whole)
    _check_together(judging, flags, gated=bool(gates) and model is None, laws=laws)
    judge = "offline" if model is None else model
    parts = place is not None or sharding.workers > 1 or sharding.engine != "processes"
    batching = batches.open(judge, uncached=judging.no_cache, unkept=flags.no_store, parts=parts or laws)
    if flags.quick and reading.limit is not None and reading.limit <= late.QUICK:
        first = f"the first {reading.limit} cases (--limit)"
        typer.echo(f"magistrate: --quick takes {late.QUICK} of {first}: all of them", err=True)
    log.start()
    late.check_outputs(reports.paths)
    if not quiet and late.makes_calls(judge) and "litellm" not in sys.modules:
        typer.echo("magistrate: loading what calls models, which takes a few seconds", err=True)
    names = measuring.metric or planning.default_metrics(source, gates, vera=vera)
    options = planning.run_options(flags, reading)
    plan, baselines = planning.plan_run(
        source,
        judge,
        judging,
        planning.chosen_metrics(measuring, names, judging.batch_size, bars.threshold),
        options,
        system=system,
        baselines=planning.baselines_of(baseline, source, system, gates),
        estimate=estimate,
        batching=batching,
    )
    if not quiet:
        planning.note_columns(plan.dataset)
    if estimate:
        cached = not (judging.no_cache or flags.no_store)
        put_estimate(plan, baselines, cached=cached, budget=judging.budget, max_calls=judging.max_calls)
        return
    planning.check_drops(gates, plan, baselines)
    if not quiet and not flags.resume and plan.folder is not None and (plan.folder / late.RESULTS).exists():
        typer.echo(f"magistrate: {plan.folder} holds a run: of the same setup it begins anew (or --resume)", err=True)
    kept = replace(options, run=None, redact=None)
    check_under_way(plan, batching)
    job = ShardJob(judge, judging, measuring, names, bars.threshold, kept, flags.redact)
    run = judged_in_parts(plan, job, sharding, place, quiet=quiet)
    judged_by = None if batching is None else batches.judging(batching, quiet=quiet)
    outcome = carry_out(plan, baselines, laws=laws, quiet=quiet, run=run, judged_by=judged_by)
    if outcome.state == "pending":
        raise typer.Exit(int(late.ExitCode.WAITING))
    code = _conclude(outcome, gates, reports, quiet=quiet, vera=vera)

    for text in () if quiet else (late.cascade_summary(outcome.run, plan.judge), log.warnings_text()):
        if text:
            typer.echo(f"magistrate: {text}", err=True)
    if outcome.error is not None:
        raise outcome.error
    raise typer.Exit(code)


def _check_together(judging: JudgeOptions, flags: RunFlags, *, gated: bool, laws: bool) -> None:
    """Refuse options that exclude each other."""
    if gated:
        raise typer.BadParameter(
            "a gate needs an explicit judge, such as --model gpt-4o or --model offline", param_hint="--model"
        )
    if judging.cache and judging.no_cache:
        raise typer.BadParameter("--cache and --no-cache exclude each other", param_hint="--no-cache")
    if flags.no_store and (judging.cache or laws):
        raise typer.BadParameter("--cache and --laws need the texts of cases", param_hint="--no-store")


def _one_dataset(argument: str | None, option: str | None) -> str:
    if argument and option and argument != option:
        raise typer.BadParameter("give the dataset once: as an argument or with --dataset", param_hint="DATASET")
    source = argument or option
    if not source:
        raise typer.BadParameter('missing: a path, "-" for standard input, or bundled:all', param_hint="DATASET")
    return source


def _conclude(outcome: Invocation, gates: list[Gate], reports: ReportOptions, *, quiet: bool, vera: bool) -> int:

    run, compared = outcome.run, outcome.compared
    if not len(run) and run.state == "complete":
        raise late.DatasetError("the dataset holds no cases")
    baselines = [late.compare_with(run, other, name) for name, other in compared]
    laws = [*late.exact_laws(run.results), *outcome.laws] if outcome.laws or vera else []
    checks = None
    if gates:
        if compared and any(gate.max_drop is not None for gate in gates):
            late.comparable(compared[0][1], run)
        elif not compared and outcome.state != "complete":  # it was stopped before there was anything to compare with
            gates = [replace(gate, max_drop=None) for gate in gates]
        checks = late.check(run.summary, gates, baselines[0] if baselines else None, late.noise_of(run))
    view = late.RunView(run, checks, baselines, laws, not reports.no_raw)
    for_vera = [path for path in reports.paths if vera and late.report_kind(path) == "json"]
    outputs: list[str | Path] = [path for path in reports.paths if path not in for_vera]
    if run.path and "json" not in {late.report_kind(path) for path in outputs}:
        outputs.insert(0, run.path / "report.json")
    piped = vera and not for_vera
    if vera:
        _put_vera(view, for_vera, printed=piped and not quiet)
    put_out(view, outputs, quiet=quiet or piped)
    if quiet and outcome.state == "judge_down":
        down = next(one for one in (run, *(other for _, other in compared)) if one.state == "judge_down")
        typer.echo(f"magistrate: {down.message}", err=True)
    say_if_nothing_was_judged(run)
    return int(late.exit_code(outcome.state, checks, judged=run.summary.judged))


def _put_vera(view: RunView, paths: list[str], *, printed: bool) -> None:
    for path in paths:
        late.write_vera(view, Path(path))
    if printed:
        typer.echo(late.printable_json(late.vera_json(view)))
