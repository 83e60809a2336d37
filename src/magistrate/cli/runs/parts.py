"""A run in parts: batches of a provider (`eval --batch`, `batch`), shards (`--workers`, `--shard`, `merge`)."""

from __future__ import annotations

import re
import signal
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, cast

import typer

from magistrate.cli import late
from magistrate.cli.app import say, wrong
from magistrate.cli.options import Bars, JudgeOptions, MetricOptions, ReportOptions
from magistrate.cli.runs.invocation import conclude

_POLL_SECONDS = 60.0
_LOOK_SECONDS = 0.5


@dataclass(frozen=True, kw_only=True)
class BatchOptions:
    """Whether calls are put into batches of the provider."""

    batch: bool = False
    wait: bool = False
    finish_direct: bool = False

    def open(self, judge: str, *, uncached: bool, unkept: bool, parts: bool) -> late.Batching | None:
        """The batches, if calls are put into them."""
        if not self.batch:
            if self.wait or self.finish_direct:
                wrong("--wait" if self.wait else "--finish-direct", "needs --batch")
            return None
        if unkept or uncached:
            wrong("--no-store, --no-cache", "a batch keeps the texts of calls in files")
        if parts:
            wrong("--batch", "--workers, --shard, --engine and --laws exclude it")
        if judge.startswith("cascade:"):
            wrong("--batch", "a cascade waits for one judge before it asks the next")
        if not late.makes_calls(judge):
            wrong("--batch", f"the judge {judge} makes no calls")
        return late.Batching(finish_direct=self.finish_direct)

    async def judge(
        self,
        batching: late.Batching,
        quiet: bool,
        plan: late.Plan,
        stop: late.Stop,
        progress: Callable[[late.Progress], None] | None,
    ) -> late.Run:
        """Judge a run round by round; its state is "pending" while a batch is under way."""
        import asyncio  # noqa: PLC0415 - `--help` does without it

        with closing(batching):
            rounds, lines = batching.rounds, list[str]()
            while True:
                by_hand = await late.submit(batching)
                waiting = await late.collect(batching)
                told, lines = lines, _lines(rounds.rounds[-1:])
                if waiting and not quiet and told != lines:
                    say("\nmagistrate: ".join(lines))
                if waiting and self.wait and not by_hand and not stop.requested:
                    until = time.monotonic() + _POLL_SECONDS
                    while not stop.requested and time.monotonic() < until:  # noqa: ASYNC110 - a signal may end it
                        await asyncio.sleep(min(_LOOK_SECONDS, _POLL_SECONDS))
                    continue
                if waiting:
                    for part in by_hand[:1]:
                        why = f"there is no key for {part.model}, or no way to submit to {part.provider} from here"
                        export = f"magistrate batch export {plan.folder} -o requests.jsonl"
                        say(f"{why}: {export}, then magistrate batch import {plan.folder} OUTPUT")
                    stored = late.load_run(plan.folder or "")
                    state: late.RunState = "interrupted" if stop.interrupted else "pending"
                    return late.Run(stored.results, stored.header, state=state, path=stored.path)
                run = await late.execute(plan, stop, progress)
                if stop.interrupted or rounds.close_round() is None:
                    return run
                if run.state != "pending":  # the budget is spent: what it was enough for is asked
                    await late.submit(batching)
                    return run
                stop.pending = False
                plan = replace(plan, options=replace(plan.options, resume=True))


def check_under_way(plan: late.Plan, batching: late.Batching | None) -> None:
    """Refuse what would pay twice for calls that wait in a batch."""
    if plan.folder is None or not late.is_under_way(plan.folder) or (batching is not None and plan.options.resume):
        return
    raise late.StoreError(f"{plan.folder} has a batch under way: go on with it by --batch --resume")


def _lines(rounds: list[late.Round]) -> list[str]:
    found = []
    for one, part in ((each, part) for each in rounds for part in each.parts):
        where = f" as {part.batch}" if part.batch else ""
        what = f"{part.state}{where}" if part.is_open and part.status is None else part.status or part.state
        came = f": {part.message}" if part.message and part.state != "ended" else ""
        if part.state == "ended":
            came = f": {part.answered:,} answered, {part.refused:,} refused, {part.again:,} not carried out"
            came += f", {part.unknown:,} lines about nothing that was asked" if part.unknown else ""
        found.append(f"round {one.number}, {part.name}: {part.requests:,} requests to {part.model}, {what}{came}")
    return found


def export(run: str, output: Path, shape: str | None = None) -> None:
    """Write the requests that a run waits for as files for a provider's batch.

    No key and no network are needed.
    """
    with closing(late.Batching()) as batching:
        batching.open(_begun(run))
        parts = [(one, part) for one, part in batching.rounds.open_parts if part.batch is None]
        if not parts:
            raise late.StoreError(f"{run} has no requests that wait to be given to a provider")
        for number, (one, part) in enumerate(parts):
            path = output if len(parts) == 1 else output.with_name(f"{output.stem}-{number:03d}{output.suffix}")
            count = late.run_sync(late.write_requests(one, part, path, shape, batching.loopback))
            part.state, part.status = "submitted", "given by hand"
            one.save()
            typer.echo(f"{path}: {count:,} requests to {part.model}")


def import_(run: str, files: list[Path]) -> None:
    """Take the results of a provider's batch into a run; `magistrate eval --batch --resume` goes on with them."""
    with closing(late.Rounds(_begun(run))) as rounds:
        if not rounds.take(files):
            raise late.DatasetError("no line is about a request that waits")
        typer.echo("\n".join(_lines(rounds.rounds)))


def status(run: str) -> None:
    """Say how far the batches of a run are."""
    with closing(late.Rounds(_begun(run))) as rounds:
        typer.echo("\n".join(_lines(rounds.rounds)) or "no batch was made")


def _begun(run: str) -> Path:
    if not (Path(run) / "batches").is_dir():
        raise late.StoreError(f"{run} has no batches: begin it with magistrate eval --batch --run {run}")
    return Path(run)


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
