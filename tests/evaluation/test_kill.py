"""kill -9 in the middle, then --resume: the same results as an uninterrupted run, and no finished case judged twice."""

import json
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from magistrate.evaluation.runs.run import load_run
from magistrate.evaluation.runs.store import RESULTS

from .conftest import make_case

pytestmark = pytest.mark.slow

SCRIPT = """
import importlib.util, sys, time
spec = importlib.util.spec_from_file_location("shared", {conftest!r})
shared = importlib.util.module_from_spec(spec)
spec.loader.exec_module(shared)
from magistrate.evaluation.api import evaluate

class Judge(shared.ScriptedJudge):
    async def verify(self, statements, contexts, **options):
        reply = await super().verify(statements, contexts, **options)
        with open({log!r}, "a") as file:
            file.write(statements[0] + "\\n")
        return reply

evaluate({dataset!r}, [shared.SupportedShare()], Judge(delay={delay}), run={run!r}, resume={resume}, concurrency=3)
"""

pytestmark = pytest.mark.slow


def command(dataset, run, log, *, resume, delay=0.02):
    script = SCRIPT.format(
        conftest=str(Path(__file__).with_name("conftest.py")),
        dataset=str(dataset),
        run=str(run),
        log=str(log),
        resume=resume,
        delay=delay,
    )
    return [sys.executable, "-c", script]


def without_times(results):
    return [
        replace(result, metrics={name: replace(metric, latency_ms=0.0) for name, metric in result.metrics.items()})
        for result in results
    ]


class TestKill:
    def test_a_killed_run_goes_on_where_it_was(self, tmp_path):
        dataset = tmp_path / "cases.jsonl"
        rows = [make_case(n, f"{'bad' if n % 3 == 0 else 'ok'} {n}", category=f"k{n % 2}") for n in range(40)]
        dataset.write_text("".join(json.dumps(row) + "\n" for row in rows))
        whole, cut, log = tmp_path / "whole", tmp_path / "cut", tmp_path / "log"
        subprocess.run(command(dataset, whole, tmp_path / "other", resume=False, delay=0), check=True)

        kills = 0
        for round_ in range(3):
            process = subprocess.Popen(command(dataset, cut, log, resume=round_ > 0))
            before = self.lines(cut)
            deadline = time.monotonic() + 30
            while process.poll() is None and self.lines(cut) < before + 6 and time.monotonic() < deadline:
                time.sleep(0.005)
            process.send_signal(signal.SIGKILL)
            kills += process.wait() == -signal.SIGKILL
        assert kills == 3
        finished = {result.case.answer for result in load_run(cut)}
        assert 6 <= len(finished) < 40
        subprocess.run(command(dataset, cut, log, resume=True, delay=0), check=True)

        assert without_times(list(load_run(cut))) == without_times(list(load_run(whole)))
        assert replace(load_run(cut).metrics["share"], latency=None) == replace(
            load_run(whole).metrics["share"], latency=None
        )
        assert load_run(cut).summary.usage == load_run(whole).summary.usage
        assert load_run(cut).state == "complete"
        asked = log.read_text().splitlines()
        assert {asked.count(statement) for statement in finished if statement} == {1}

    @staticmethod
    def lines(folder):
        path = folder / RESULTS
        return path.read_bytes().count(b'"type":"case"') if path.exists() else 0
