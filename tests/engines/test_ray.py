"""Shards as tasks of a Ray cluster: the run of one process."""

import json
from pathlib import Path

import pytest

from magistrate.cli import run
from magistrate.evaluation.runs.run import load_run

pytestmark = [pytest.mark.engines, pytest.mark.filterwarnings("default")]  # what Ray warns of is not ours


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
