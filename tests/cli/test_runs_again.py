"""The same command once more: what could not be read is asked for again, and counted; and signals while it ends."""

import os
import signal
import subprocess
import sys
import time

import pytest

from magistrate.testing import Fault, FaultServer

CASES = [
    {"answer": "The ferry leaves at seven.", "contexts": ["The ferry leaves at seven."], "question": f"Question {n}?"}
    for n in range(2)
]


def test_a_new_run_asks_again_for_what_could_not_be_read_and_says_how_many(magistrate, dataset):
    with FaultServer(faults=lambda _: Fault(text=lambda _text: "I see a garden.")) as server:
        command = ("eval", dataset(CASES), "--model", "openai/m", "--api-base", server.openai_url)
        first = magistrate(*command, "--decompose", "sentences")
        server.faults = None
        calls = server.stats.calls
        resumed = magistrate(*command, "--decompose", "sentences", "--resume")
        assert server.stats.calls == calls
        second = magistrate(*command, "--decompose", "sentences")
        assert server.stats.calls == calls + 2
        third = magistrate(*command, "--decompose", "sentences")
        assert server.stats.calls == calls + 2
    assert [first.code, resumed.code, second.code, third.code] == [3, 3, 0, 0]
    assert "2 asked again" in second.out
    assert "asked again" not in third.out


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_end_a_run_within_two_seconds_of_the_grace(dataset, tmp_path, number):
    with FaultServer(latency=60) as server:
        process = subprocess.Popen(
            [
                *(sys.executable, "-m", "magistrate", "eval", str(dataset(CASES)), "--model", "openai/m"),
                *("--api-base", server.openai_url, "--run", "r", "-q"),
            ],
            stderr=subprocess.PIPE,
            cwd=tmp_path,
            env={**os.environ, "OPENAI_API_KEY": "unused"},
        )
        while not server.stats.calls:
            time.sleep(0.02)
        process.send_signal(number)
        process.communicate(timeout=120)
    assert process.returncode == 4
