"""Shards as tasks of a Ray cluster: the run of one process."""

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from magistrate.cli import run
from magistrate.completion.shared_limits import SharedBudget, SharedPace
from magistrate.engines import Task
from magistrate.engines.ray import RayCluster
from magistrate.errors import BudgetExceededError, DatasetError
from magistrate.evaluation.runs.run import load_run

pytestmark = [pytest.mark.engines, pytest.mark.filterwarnings("default")]  # what Ray warns of is not ours


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[RayCluster]:
    ray = pytest.importorskip("ray")
    yield RayCluster(num_cpus=2, object_store_memory=200 << 20)
    ray.shutdown()


def test_a_cluster_gives_the_run_of_one_process(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [
        {"id": f"c{n % 150}", "answer": f"Tram {n} is green.", "contexts": [f"Tram {n} is green."]} for n in range(200)
    ]
    Path("cases.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert run(["eval", "cases.jsonl", "--run", "whole", "--quiet"]) == 0
    assert run(["eval", "cases.jsonl", "--run", "r", "--quiet", "--engine", "ray", "--workers", "2"]) == 0
    assert load_run("r").summary.digest == load_run("whole").summary.digest
    assert len(load_run("r")) == 200


def test_limits_hold_over_all_workers(cluster, tmp_path):
    limits = cluster.limits(tmp_path)

    def spend(seconds, _):
        import time

        budget, made = SharedBudget(limits, max_cost=1.0, max_calls=300), 0
        pace, began = SharedPace(limits, "rpm", 1200.0), time.monotonic()
        while time.monotonic() < began + seconds:
            if pace.ready_at() <= time.monotonic():
                pace.take(time.monotonic())
                try:
                    if budget._try_hold(0.02):
                        budget.settle(0.02, 0.01)
                        made += 1
                except BudgetExceededError:
                    return made
            time.sleep(0.002)
        return made

    assert sum(cluster.run(Task(spend, [1.0, 1.0]), 2)) <= 1200 / 60 * 6
    assert sum(cluster.run(Task(spend, [60.0, 60.0, 60.0]), 2)) + 1 <= 100  # the last call might have cost too much
    with pytest.raises(BudgetExceededError, match="is spent"):
        SharedBudget(limits, max_cost=1.0)._try_hold(0.02)


def test_calls_under_way_are_told_to_end_and_no_further_one_is_begun(cluster, tmp_path):
    def work(_, stopped):
        import time

        end = time.monotonic() + 60
        while not stopped() and time.monotonic() < end:
            time.sleep(0.05)
        return stopped()

    found = cluster.run(Task(work, range(5)), 2)
    threading.Timer(1.0, cluster.stop).start()
    assert list(found) == [True, True]
    cluster.limits(tmp_path).change(dict.clear)


def test_what_a_call_raises_is_raised_as_it_was(cluster):
    def fail(path, _):
        raise DatasetError("the file was changed", path=path)

    with pytest.raises(DatasetError, match=r"^the file was changed$") as raised:
        list(cluster.run(Task(fail, ["a.jsonl"]), 1))
    assert raised.value.path == "a.jsonl"
