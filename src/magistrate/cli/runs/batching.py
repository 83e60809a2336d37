"""`magistrate eval --batch`, and `magistrate batch`: calls that a provider answers within a day, at half the price."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import typer

from magistrate.cli import late
from magistrate.cli.app import say, wrong

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
