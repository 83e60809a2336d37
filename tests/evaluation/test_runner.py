"""The runner: bounded, ordered in the end, and clean however it ends."""

import asyncio
import contextlib
import gc
import io
import itertools
import os
import threading
import time

import pytest

from magistrate.case import Case
from magistrate.errors import (
    ConfigurationError,
    JudgeAuthError,
    JudgeNotFoundError,
    JudgeTimeoutError,
    MagistrateError,
)
from magistrate.evaluation.cases.dataset import Dataset, Record
from magistrate.evaluation.running import Progress, Stop, run_cases

from .conftest import ScriptedJudge, SupportedShare, make_case


def records(count, **fields):
    return iter(Dataset([make_case(number, **fields) for number in range(count)]))


async def run(source, judge, metrics=None, stop=None, **options):
    options.setdefault("concurrency", 4)
    results = run_cases(source, metrics or [SupportedShare()], judge, stop=stop or Stop(), **options)
    return [result async for result in results]


def statuses(results):
    return [result.status.value for result in sorted(results, key=lambda result: result.index)]


class TestConcurrency:
    @pytest.mark.parametrize("concurrency", [1, 3, 8])
    async def test_no_more_cases_are_judged_at_a_time_than_asked(self, concurrency):
        judge = ScriptedJudge(delay=0.002)
        results = await run(records(30), judge, concurrency=concurrency)
        assert judge.most_at_once == concurrency
        assert sorted(result.index for result in results) == list(range(30))

    async def test_only_as_many_records_are_taken_as_can_be_judged(self):
        taken = 0

        def endless():
            nonlocal taken
            for number in itertools.count():
                taken += 1
                yield Record(number, Case(id=str(number), answer="ok", contexts=("c",)))

        running = run_cases(endless(), [SupportedShare()], ScriptedJudge(), concurrency=4, stop=Stop())
        async with contextlib.aclosing(running) as results:
            for _ in range(20):
                await anext(results)
            await asyncio.sleep(0.02)
            assert taken <= 20 + 2 * 4 + 4

    async def test_a_judge_that_never_waits_leaves_others_their_turn(self):
        class Busy(ScriptedJudge):
            async def verify(self, *arguments, **options):
                reply = ScriptedJudge.verify(self, *arguments, **options)
                return await reply

        turns = 0

        async def other():
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        task = asyncio.ensure_future(other())
        await run(records(50), Busy(), concurrency=1)
        task.cancel()
        assert turns > 50


class TestRowsThatCannotBeJudged:
    async def test_an_error_of_the_judge_costs_one_row(self):
        judge = ScriptedJudge(fail=lambda s: JudgeTimeoutError("too slow") if s == "ok 1" else None)
        results = await run(records(3), judge)
        assert statuses(results) == ["scored", "judge_error", "scored"]

    @pytest.mark.parametrize("fault", [lambda: 1 / 0, lambda: 0.5], ids=["a fault", "no result"])
    async def test_a_fault_in_a_metric_costs_one_row(self, fault):
        class Faulty(SupportedShare):
            async def evaluate(self, case, judge):
                return fault() if case.id == "c1" else await super().evaluate(case, judge)

        results = await run(records(3), ScriptedJudge(), [Faulty()])
        assert statuses(results) == ["scored", "judge_error", "scored"]


class TestStops:
    @pytest.mark.parametrize(
        "error",
        [JudgeAuthError("401: wrong key"), JudgeNotFoundError("404: no such model"), ConfigurationError("no price")],
    )
    async def test_an_error_that_every_case_would_meet_ends_the_run_and_keeps_the_rest(self, error):
        judge = ScriptedJudge(fail=lambda s: error if s == "ok 5" else None)
        stop = Stop()
        results = await run(records(10), judge, stop=stop, concurrency=1)
        assert stop.error is error
        assert statuses(results) == ["scored"] * 5 + ["not_run"] * 5
        assert judge.batches()[-1] == ("ok 5",)

    async def test_an_interrupt_ends_the_cases_that_were_begun_and_lists_the_rest(self):
        judge = ScriptedJudge(delay=0.01)
        stop = Stop()
        asyncio.get_running_loop().call_later(0.005, stop.interrupt)
        results = await run(records(10), judge, stop=stop, concurrency=3)
        assert statuses(results) == ["scored"] * 3 + ["not_run"] * 7
        assert stop.error is None

    async def test_a_second_interrupt_gives_up_what_was_begun_and_lists_no_more(self):
        judge = ScriptedJudge(delay=60)
        stop = Stop()
        loop = asyncio.get_running_loop()
        loop.call_later(0.01, stop.interrupt)
        loop.call_later(0.02, stop.interrupt)
        results = await asyncio.wait_for(run(records(10), judge, stop=stop, concurrency=3), 5)
        assert statuses(results) == ["not_run"] * 3

    async def test_an_interrupt_waits_only_so_long_for_cases_that_were_begun(self, monkeypatch):
        monkeypatch.setattr("magistrate.evaluation.running.GRACE_SECONDS", 0.05)
        stop = Stop()
        asyncio.get_running_loop().call_later(0.01, stop.interrupt)
        results = await asyncio.wait_for(run(records(5), ScriptedJudge(delay=60), stop=stop, concurrency=2), 5)
        assert statuses(results) == ["not_run"] * 5

    async def test_a_dataset_that_breaks_ends_the_begun_cases_and_is_raised(self):
        def broken():
            yield from records(3)
            raise ConfigurationError("the disk is gone")

        seen = []

        async def listen():
            async for result in run_cases(
                broken(), [SupportedShare()], ScriptedJudge(delay=0.005), concurrency=2, stop=Stop()
            ):
                seen.append(result)  # noqa: PERF401 - what comes before the error counts

        with pytest.raises(ConfigurationError, match="the disk is gone"):
            await listen()
        assert statuses(seen) == ["scored"] * 3


class TestPipes:
    async def test_a_pipe_that_pauses_does_not_keep_finished_cases_waiting(self):
        read, write = os.pipe()
        with os.fdopen(read, "rb") as source, os.fdopen(write, "wb", buffering=0) as sink:
            dataset = Dataset("-", format="jsonl", stdin=source)
            results = run_cases(
                iter(dataset), [SupportedShare()], ScriptedJudge(), concurrency=2, stop=Stop(), blocking_source=True
            )
            sink.write(b'{"answer": "ok", "contexts": ["c"]}\n')
            first = await asyncio.wait_for(anext(results), 5)
            assert first.score == 1.0
            sink.write(b'{"answer": "bad", "contexts": ["c"]}\n')
            sink.close()
            rest = [result async for result in results]
            assert [result.score for result in rest] == [0.0]

    async def test_an_interrupt_does_not_wait_for_a_silent_pipe(self):
        read, write = os.pipe()
        with os.fdopen(read, "rb") as source, os.fdopen(write, "wb") as sink:
            stop = Stop()
            asyncio.get_running_loop().call_later(0.02, stop.interrupt)
            dataset = Dataset("-", format="jsonl", stdin=source)
            results = await asyncio.wait_for(run(iter(dataset), ScriptedJudge(), stop=stop, blocking_source=True), 5)
            assert results == []
            sink.close()
            for thread in threading.enumerate():
                if thread.name == "magistrate-dataset":
                    thread.join(5)
        gc.collect()

    async def test_an_error_of_the_reading_thread_is_raised(self):
        dataset = Dataset("-", format="parquet", stdin=io.BytesIO(b"no parquet"))
        with pytest.raises(MagistrateError, match="not a readable Parquet file"):
            await run(iter(dataset), ScriptedJudge(), blocking_source=True)


async def test_progress_it_counts_and_estimates():
    assert Progress().seconds_left is Progress(total=5).seconds_left is None
    progress = Progress(total=10, started=time.monotonic() - 1000)
    for result in await run(records(4), ScriptedJudge()):
        progress.count(result)
    assert (progress.done, progress.scored, progress.usage.calls) == (4, 4, 8)
    assert progress.usage.cost == 2.0
    assert progress.rate == pytest.approx(4 / 1000, rel=0.5)
    assert progress.seconds_left == pytest.approx(1500, rel=0.5)
