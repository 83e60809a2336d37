"""`magistrate eval --workers`, `--shard`, and `magistrate merge`."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.case_tables import cases_of

from magistrate.evaluation.runs.run import load_run

cases = cases_of(__file__)
SECONDS = 120
"""The longest that one waits for another process."""


@pytest.fixture(params=[200])
def data(tmp_path, request):
    """Three files of so many cases each."""
    folder = tmp_path / "data"
    folder.mkdir()
    for part in range(3):
        rows = [
            {"id": f"{part}-{n}", "answer": f"Tram {n} is green.", "contexts": [f"Tram {n} is green."]}
            for n in range(request.param)
        ]
        (folder / f"part-{part}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def digest(run):
    return str(load_run(run).summary.digest)


@pytest.mark.parametrize("data", [12], indirect=True)
class TestShard:
    def test_shards_and_merge_give_the_run_of_one_process(self, magistrate, data):
        magistrate("eval", f"{data}/*.jsonl", "--run", "whole", "--quiet")
        for number in (3, 1, 2):
            said = magistrate("eval", f"{data}/*.jsonl", "--run", "r", "--shard", f"{number}/3")
            assert said.code == 0
            assert f"shard {number} of 3: 12 cases, complete" in said.out
        said = magistrate("merge", "r", "--threshold", "0.9")
        assert said.code == 0
        assert digest("r") == digest("whole")
        assert json.loads(Path("r/report.json").read_text())["results_digest"] == digest("whole")

    def test_what_is_not_there_cannot_be_merged(self, magistrate, data):
        magistrate("eval", data, "--run", "r", "--shard", "1/3")
        said = magistrate("merge", "r")
        assert said.code == 2
        assert "2 of 3 shards are not done" in said.err

    @cases("eval_workers: what does not fit is a usage error")
    def test_what_does_not_fit_is_a_usage_error(self, magistrate, data, options):
        assert magistrate("eval", data, "--run", "r", *options).code == 2


@pytest.mark.slow
class TestWorkers:
    def test_workers_give_the_run_of_one_process(self, magistrate, data):
        magistrate("eval", data, "--run", "whole", "--quiet")
        for workers in ("2", "3"):
            assert magistrate("eval", data, "--run", f"r{workers}", "--workers", workers, "--quiet").code == 0
            assert digest(f"r{workers}") == digest("whole")

    def test_a_run_of_one_process_is_not_cut_later(self, magistrate, data):
        magistrate("eval", data, "--run", "r", "--quiet")
        assert magistrate("eval", data, "--run", "r", "--quiet", "--workers", "2", "--resume").code == 2

    @pytest.mark.parametrize("whom", ["driver", "worker"])
    def test_a_kill_loses_nothing(self, magistrate, data, whom):
        magistrate("eval", data, "--run", "whole", "--quiet")
        command = [sys.executable, "-m", "magistrate", "eval", str(data), "--run", "r", "--workers", "2", "--quiet"]
        driver = subprocess.Popen(command, start_new_session=True)
        wait_until(lambda: began("results.jsonl"), driver)
        workers = _workers(driver.pid)
        if whom == "driver":
            driver.kill()
            assert driver.wait(SECONDS) != 0
            wait_until(lambda: not any(Path(f"/proc/{worker}").exists() for worker in workers))  # none is left behind
        else:
            os.kill(workers[0], signal.SIGKILL)
            assert driver.wait(SECONDS) == 0
        assert magistrate("eval", data, "--run", "r", "--workers", "2", "--quiet", "--resume").code == 0
        assert digest("r") == digest("whole")
        assert len(load_run("r")) == 600

    def test_an_interrupt_ends_the_workers_and_the_run_goes_on(self, magistrate, data):
        magistrate("eval", data, "--run", "whole", "--quiet")
        command = [sys.executable, "-m", "magistrate", "eval", str(data), "--run", "r", "--workers", "2", "--quiet"]
        driver = subprocess.Popen(command, start_new_session=True)
        wait_until(lambda: began("DONE"), driver)
        driver.send_signal(signal.SIGINT)
        assert driver.wait(SECONDS) in (0, 4)  # 0: it was as good as done
        assert magistrate("eval", data, "--run", "r", "--workers", "2", "--quiet", "--resume").code == 0
        assert digest("r") == digest("whole")


def began(name):
    return any(Path("r/shards").glob(f"*/{name}"))


def wait_until(condition, driver=None):
    """Look again and again, as long as the driver is at work, for at most so many seconds."""
    deadline = time.monotonic() + SECONDS
    while not condition():
        assert driver is None or driver.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.02)


def _workers(driver):
    """The processes that judge, among the children of a driver."""
    children = Path(f"/proc/{driver}/task/{driver}/children").read_text().split()
    return [int(child) for child in children if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]


@pytest.mark.slow
def test_an_audit_by_workers_prints_the_same_bytes(magistrate, tmp_path):
    for part in range(2):
        rows = [{"reply": f"Score: {n % 6}", "score": n % 5 + 0.1 * part} for n in range(1500)]
        (tmp_path / f"a{part}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    options = (f"{tmp_path}/a*.jsonl", "--reply", "reply", "--score", "score", "--range", "0", "5", "--json")
    whole = magistrate("audit", *options, "--findings", "whole.jsonl")
    parts = magistrate("audit", *options, "--findings", "parts.jsonl", "--workers", "2")
    assert (parts.code, parts.out) == (whole.code, whole.out)
    assert Path("parts.jsonl").read_bytes() == Path("whole.jsonl").read_bytes()


@pytest.mark.slow
def test_scores_and_readings_by_workers_are_those_of_one_process(magistrate, data):
    magistrate("eval", f"{data}/*.jsonl", "--run", "r", "--quiet")
    for command in (("score", "r", "--policy", "ragas", "--threshold", "0.9"), ("reparse", "r")):
        whole = magistrate(*command, "--save", f"{command[0]}-1")
        parts = magistrate(*command, "--save", f"{command[0]}-2", "--workers", "2")
        assert (parts.code, parts.out) == (whole.code, whole.out)
        one, two = (Path(f"{command[0]}-{n}/results.jsonl").read_bytes().splitlines()[:-1] for n in (1, 2))
        assert one == two
        assert magistrate(*command, "--save", f"{command[0]}-2", "--workers", "2").code == 2
    unsaved = magistrate("score", "r", "--policy", "ragas", "--threshold", "0.9", "--workers", "2")
    assert unsaved.out == magistrate("score", "r", "--policy", "ragas", "--threshold", "0.9").out
