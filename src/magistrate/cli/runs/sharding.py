"""`magistrate eval --workers N`, `--shard I/N`, and `magistrate merge`: a run in parts."""

from __future__ import annotations

import re
import signal
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, cast

import typer

from magistrate.cli import late
from magistrate.cli.app import say, wrong
from magistrate.cli.options import Bars, JudgeOptions, MetricOptions, ReportOptions
from magistrate.cli.runs.invocation import conclude

_SHARDS_A_WORKER = 4
_MOST_ROWS = 50_000
_LIMITS = ("rpm", "tpm", "budget", "max_calls")


@dataclass(frozen=True, kw_only=True)
class ShardOptions:
    """Who judges the cases: one process, several, or several machines."""

    workers: int = 1
    engine: str = "processes"
    shard: str | None = None

    def place(self, *, whole: bool) -> tuple[int, int] | None:
        """Which shard of how many; None where the whole is judged."""
        if self.shard is None:
            return None
        if whole:
            wrong("--shard", "a shard has no gates, baselines, laws and reports: magistrate merge")
        match = re.fullmatch(r"(\d{1,9})/(\d{1,9})", self.shard)
        number, count = map(int, match.groups()) if match else (0, 0)
        if not 1 <= number <= count:
            wrong("--shard", f"{self.shard!r}: expected I/N, such as 7/64, counted from 1")
        if self.workers > 1:
            wrong("--shard", "--shard and --workers exclude each other")
        return number, count


@dataclass(frozen=True)
class Job:
    """How cases are judged, and which of them, made of options alone, so that it can be sent to a process."""

    model: str
    judging: JudgeOptions
    measuring: MetricOptions
    names: Sequence[str]
    threshold: float | None
    options: late.RunOptions
    redact: str | None
    run: str = ""
    number: int = 0
    limits: late.Limits | None = None

    def metrics(self) -> list[late.Metric]:
        """What is measured."""
        chosen = self.measuring
        judging = late.Faithfulness(
            policy=chosen.policy,
            decompose=cast("Literal['claims', 'sentences']", chosen.decompose),  # checked there
            mode=cast("Literal['batched', 'single']", chosen.mode),
            truths_extraction_limit=chosen.truths_limit,
            scale=chosen.scale,
            batch_size=self.judging.batch_size or late.DEFAULT_BATCH_SIZE,
        )
        return late.make_metrics(self.names, self.threshold, judging=judging, include_reason=chosen.reason)


def redaction(name: str | None) -> Any:
    """The user's function that redacts texts; None where none is named."""
    return late.user_function(name, "one that takes a text and returns a text") if name else None


def judge_job(job: Job, stopped: Callable[[], bool] | None = None) -> late.ShardOutcome:
    """Judge a shard in this process."""
    options = replace(job.options, redact=redaction(job.redact) or job.options.redact)

    def judge(folder: Path) -> late.Judge:
        cache = None if job.judging.no_cache or not options.store_text else Path(job.judging.cache or folder)
        return job.judging.cached_judge(job.model, cache, job.limits)

    return late.judge_shard(job.run, job.number, job.metrics(), judge, options=options, stopped=stopped)


def judged_in_parts(
    plan: late.Plan, job: Job, sharding: ShardOptions, place: tuple[int, int] | None, *, quiet: bool
) -> late.Run | None:
    """The run, if it is judged in shards: because that was asked for, or because it was begun so; else None."""
    job = replace(job, run=str(plan.folder), options=replace(job.options, run=None, redact=None))
    if place is not None:
        number, count = place
        manifest = _prepare(plan, count, shared=True)
        outcome = judge_job(replace(job, number=number, judging=_share(_left(job.judging, plan.judge), count)))
        told = f": {outcome.message}" if outcome.message else ""
        typer.echo(f"shard {number} of {len(manifest.shards)}: {outcome.rows:,} cases, {outcome.state}{told}")
        raise typer.Exit(int(late.exit_code(outcome.state, None)))
    begun = plan.folder is not None and plan.options.resume and (plan.folder / late.MANIFEST).exists()
    alone = sharding.workers == 1 and sharding.engine == "processes" and not begun
    return None if alone else _run_workers(plan, job, sharding.workers, sharding.engine, quiet=quiet)


def _prepare(plan: late.Plan, count: int | None, *, shared: bool) -> late.Manifest:
    """Write or read the manifest of a run, and the key that all its shards' requests are marked with."""
    import shutil  # noqa: PLC0415

    folder = plan.folder
    assert folder is not None  # noqa: S101 - the command line always names one
    begun = (folder / late.MANIFEST).exists()
    if plan.options.resume and not begun and (folder / late.RESULTS).exists():
        raise late.StoreError(f"{folder} was begun by one process: go on with it without --workers and --shard")
    if begun and not plan.options.resume and not shared:
        late.read_manifest(folder)
        (folder / late.MANIFEST).unlink()
        (folder / late.CASCADE).unlink(missing_ok=True)
        shutil.rmtree(folder / "shards", ignore_errors=True)
        begun = False
    if count is None or (begun and not shared):
        count = len(late.read_manifest(folder).shards)
    manifest = late.write_manifest(plan, count)
    if not late.settle_from(plan.judge, folder):  # all shards take what one of them found out
        anew = replace(plan, options=replace(plan.options, resume=False))
        late.run_sync(late.settle_cascade(anew, late.selected(plan), late.Stop()))
    if late.makes_calls(plan.judge.name):
        late.load_or_make_key(folder)
    return manifest


def _run_workers(plan: late.Plan, job: Job, workers: int, name: str, *, quiet: bool) -> late.Run:
    rows = max(1, plan.dataset.size_hint() or _MOST_ROWS * workers)
    wanted = max(workers * _SHARDS_A_WORKER, -(-rows // _MOST_ROWS))
    manifest = _prepare(plan, min(wanted, rows), shared=False)
    job = replace(job, judging=_left(job.judging, plan.judge))
    done = {number for number, outcome in late.states(job.run, manifest).items() if outcome is not None}
    left = [shard for shard in manifest.shards if shard.number not in done]
    engine = late.open_engine(name)
    limits = engine.limits(Path(job.run))
    limits.change(dict.clear)
    before = [(number, signal.signal(number, lambda *_: engine.stop())) for number in (signal.SIGINT, signal.SIGTERM)]
    total, began, outcomes = sum(shard.rows for shard in left), time.monotonic(), []
    try:
        sent = replace(job, run=str(Path(job.run).resolve()), limits=limits)
        jobs = [replace(sent, number=shard.number) for shard in left]
        for outcome in engine.run(late.Task(judge_job, jobs), workers):
            outcomes.append(outcome)
            if not quiet:
                cases = sum(one.rows for one in outcomes)
                rate = cases / max(1e-9, time.monotonic() - began)
                left_s = max(0.0, (total - cases) / rate) if rate else 0.0
                failed = f"; shard {outcome.number}: {outcome.state}: {outcome.message}"
                how = "" if outcome.state == "complete" else failed
                say(f"{cases:,} of {total:,} cases, {rate:,.0f} a second, {left_s:,.0f} s left{how}")
            if outcome.state not in ("complete", "interrupted"):
                engine.stop()
    finally:
        for number, handler in before:
            signal.signal(number, handler)
    run = late.merge(job.run, partly=True)
    worst = next((one for one in outcomes if one.state not in ("complete", "interrupted")), None)
    if worst is not None:
        run.state, run.message = worst.state, worst.message
    return run


def _left(judging: JudgeOptions, judge: late.Judge) -> JudgeOptions:
    """The options with what a cascade, when it was settled, left of the limits."""
    if (budget := getattr(judge, "budget", None)) is None:
        return judging
    calls, cost = budget.left
    return replace(judging, max_calls=calls, budget=cost)


def _share(judging: JudgeOptions, count: int) -> JudgeOptions:
    """The N-th part of each limit, as nobody can be asked what the others leave."""
    given = {name: getattr(judging, name) for name in _LIMITS}
    shares = {name: value // count if name == "max_calls" else value / count for name, value in given.items() if value}
    if shares:
        said = ", ".join(f"--{name.replace('_', '-')} {value:g}" for name, value in shares.items())
        say(f"each of {count} takes its part of the limits: {said}")
    return replace(judging, **shares)


def merge_runs(run: str, *, bars: Bars, reports: ReportOptions) -> None:
    """Put the shards of a run together, print it, and write its reports."""
    merged = late.merge(run)
    code = conclude(merged, bars, replace(reports, output=reports.paths or [str(Path(run) / "report.json")]))
    typer.echo(f"results digest {merged.summary.digest}")
    raise typer.Exit(code)
