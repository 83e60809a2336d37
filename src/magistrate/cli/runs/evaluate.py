"""`magistrate eval`: the main job."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import typer

from magistrate.cli import late, say_if_interrupted
from magistrate.cli.app import say, wrong
from magistrate.cli.options import (
    DatasetOptions,
    GateOptions,
    JudgeOptions,
    LogOptions,
    MetricOptions,
    ReportOptions,
    RunFlags,
)
from magistrate.cli.runs.invocation import Baselines, Invocation, carry_out, put_estimate, put_out
from magistrate.cli.runs.parts import BatchOptions, Job, ShardOptions, check_under_way, judged_in_parts, redaction

_MOST_TOLD = 5_000
"""Cases of an interrupted run of which there is time to make reports: whoever interrupts waits for the end."""


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
    say_if_interrupted("interrupted before anything was judged; there is nothing new to resume")
    vera, gates = reading.format_ == "vera", bars.gates()
    source = _checked(dataset, dataset_option, judging, flags, gated=bool(gates) and model is None, laws=laws)
    place = sharding.place(whole=bool(gates or laws or baseline or reports.paths))
    judge = "offline" if model is None else model
    parts = place is not None or sharding.workers > 1 or sharding.engine != "processes"
    batching = batches.open(judge, uncached=judging.no_cache, unkept=flags.no_store, parts=parts or laws)
    if flags.quick and reading.limit is not None and reading.limit <= late.QUICK:
        say(f"--quick takes {late.QUICK} of the first {reading.limit} cases (--limit): all of them")
    log.start()
    late.check_outputs(reports.paths, [source])
    if not quiet and late.makes_calls(judge) and "litellm" not in sys.modules and find_spec("litellm"):
        say("loading what calls models, which takes a few seconds")
    names, against = _defaults(source, measuring.metric, baseline, system, gates, vera=vera)
    alike = ("run", "resume", "concurrency", "quick", "seed", "repeat", "swap")
    options = late.RunOptions(
        **{name: getattr(flags, name) for name in alike},
        limit=reading.limit,
        mapping=reading.map_,
        format=None if vera else reading.format_,
        store_text=not flags.no_store,
        redact=redaction(flags.redact),
    )
    job = Job(judge, judging, measuring, names, bars.threshold, options, flags.redact)
    plan, baselines = _plan(source, job, against, system=system, estimate=estimate, batching=batching)
    if not quiet and plan.dataset.system is None:  # said before anything is spent
        missing, columns = plan.dataset.missing_columns()
        if missing:
            say(late.printable(plan.dataset.no_column(missing, columns)))
        if (left_out := plan.dataset.left_out()) is not None:
            say(late.printable(f"{left_out.severity}: {left_out}"))
    if estimate:
        cached = not (judging.no_cache or flags.no_store)
        put_estimate(plan, baselines, judging, cached=cached)
        return
    _check_gates(gates, plan, baselines)
    _say_what_is_there(plan, quiet=quiet or place is not None)
    check_under_way(plan, batching)
    say_if_interrupted()
    run = judged_in_parts(plan, job, sharding, place, quiet=quiet)
    judged_by = None if batching is None else partial(batches.judge, batching, quiet)
    outcome = carry_out(plan, baselines, laws=laws, quiet=quiet, run=run, judged_by=judged_by)
    if outcome.state == "pending":
        raise typer.Exit(int(late.ExitCode.WAITING))
    code = _conclude(outcome, gates, reports, quiet=quiet, vera=vera)
    for text in () if quiet else filter(None, (late.cascade_summary(outcome.run, plan.judge), log.warnings_text())):
        say(text)
    if outcome.error is not None:
        raise outcome.error
    raise typer.Exit(code)


def _checked(
    dataset: str | None, option: str | None, judging: JudgeOptions, flags: RunFlags, *, gated: bool, laws: bool
) -> str:
    """The dataset; options that exclude each other are refused."""
    source = dataset or option
    if not source:
        wrong("DATASET", 'missing: a path, "-" for standard input, or bundled:all')
    if option and source != option:
        wrong("DATASET", "give the dataset once: as an argument or with --dataset")
    if gated:
        wrong("--model", "a gate needs an explicit judge, such as --model gpt-4o or --model offline")
    if judging.cache and judging.no_cache:
        wrong("--no-cache", "--cache and --no-cache exclude each other")
    if flags.no_store and (judging.cache or laws):
        wrong("--no-store", "--cache and --laws need the texts of cases")
    return source


def _say_what_is_there(plan: late.Plan, *, quiet: bool) -> None:
    """Say that a run is judged anew, or that there is none to go on with: both cost what was paid already."""
    folder = plan.folder
    if folder is None:
        return
    begun = late.begun(folder, plan.header)
    if plan.options.resume and not begun and not (folder / late.MANIFEST).exists():
        say(f"{folder} holds no run: there is nothing to resume, so every case is judged")
    elif begun and not plan.options.resume and not quiet:
        say(f"{folder} holds a run already: its cases are judged anew; --resume would go on with it")


def _defaults(
    source: str,
    metrics: list[str] | None,
    baselines: list[str] | None,
    system: str | None,
    gates: Sequence[late.Gate],
    *,
    vera: bool,
) -> tuple[list[str], list[str]]:
    """What is measured where nothing is said, and what the bundled cases, with several systems' answers, meet."""
    bundled, gated = source.startswith("bundled:"), [gate.metric for gate in gates if gate.metric]
    usual = [*(["vera"] if vera or (bundled and not gated) else []), *gated] or ["faithfulness"]
    drops = not gates or any(gate.max_drop is not None for gate in gates)
    naive = ["naive-rag"] if bundled and system is None and drops else []
    return metrics or usual, baselines or naive


def _plan(
    source: str,
    job: Job,
    baselines: Sequence[str],
    *,
    system: str | None,
    estimate: bool,
    batching: late.Batching | None,
) -> tuple[late.Plan, Baselines]:
    """Put judge, metrics and dataset together. Nothing is called or written yet, save the folder of a cache."""
    model, judging, options = job.model, job.judging, job.options
    dataset = late.open_source(source, system=system, format=options.format, mapping=options.mapping)
    if estimate:
        judging = replace(judging, budget=None, max_calls=None)  # nothing is spent
    # Where the run is kept follows from its configuration, and where completions are kept from that: so the judge is
    # made twice, the first time only to say what it is.
    given: dict[str, Any] = {"called": not estimate, "batching": batching}
    plan = late.make_plan(dataset, job.metrics(), judging.cached_judge(model, None, **given), options)
    folder = Path(options.run) if options.run else late.default_folder(dataset.name, plan.header.config)
    plan = replace(plan, options=replace(options, run=folder))
    if batching is not None and not estimate:
        batching.open(folder)
    cache = Path(judging.cache or folder)
    kept = late.makes_calls(model) and not judging.no_cache and options.store_text
    if kept and (not estimate or late.is_cache(cache)):
        plan = replace(plan, judge=judging.cached_judge(model, cache, **given))
    found: Baselines = []
    for text in baselines:
        name = late.baseline_name(text)
        opened = late.open_baseline(text, dataset, mapping=options.mapping)
        if isinstance(opened, late.Run):
            found.append((name, opened))
        elif batching is not None:
            why = f"--batch judges one dataset: judge the baseline {name} first, then give its run: --baseline RUN"
            raise late.ConfigurationError(why)
        else:  # judged like the run, with the same judge: one budget, one cache
            inside = folder / "baselines" / re.sub(r"[^\w.-]+", "-", name)[:60]
            found.append((name, late.make_plan(opened, plan.metrics, plan.judge, replace(options, run=inside))))
    return plan, found


def _check_gates(gates: Sequence[late.Gate], plan: late.Plan, baselines: Baselines) -> None:
    """Refuse, before anything is spent, a gate on what is not measured, or on a drop that cannot be."""
    measured = {metric.name for metric in plan.metrics}
    for gate in gates:
        if gate.metric is not None and gate.metric not in measured:
            why = f"the gate asks for {gate.metric}, which is not measured: --metric {gate.metric}"
            raise late.ConfigurationError(why)
        if gate.max_drop is None:
            continue
        if not baselines:
            allowed = f"the gate allows {gate.metric} a drop of {gate.max_drop:g}"
            raise late.ConfigurationError(f"{allowed}, but against what? Give a --baseline")
        name, first = baselines[0]
        config = plan.header.config
        if isinstance(first, late.Run) and (found := late.refused_differences(first.header.config, config)):
            what = late.judged_otherwise(first.header.config, config, found)
            why = f"{name} was judged differently, so a drop cannot be measured against it: {what}"
            raise late.ConfigurationError(why)


def _conclude(outcome: Invocation, gates: list[late.Gate], reports: ReportOptions, *, quiet: bool, vera: bool) -> int:
    run, compared = outcome.run, outcome.compared
    if not len(run) and run.state == "complete":
        raise late.DatasetError("the dataset holds no cases")
    if run.state == "interrupted" and run.path is not None and len(run) > _MOST_TOLD:
        say(f"no report is made now of {len(run):,} cases: `magistrate report {run.path}` makes it")
        return int(late.ExitCode.STOPPED)
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
    for path in for_vera:
        late.write_vera(view, Path(path))
    piped = vera and not for_vera
    if piped and not quiet:
        typer.echo(late.printable_json(late.vera_json(view)))
    put_out(view, outputs, quiet=quiet or piped)
    if quiet and outcome.state == "judge_down":
        say(next(str(one.message) for one in (run, *(other for _, other in compared)) if one.state == "judge_down"))
    return int(late.exit_code(outcome.state, checks, judged=run.summary.judged))
