"""What workers gain and cost: CPU time, wall time and memory of one process and of several, and what merging takes.

    python benchmarks/scale.py [--cases 20000] [--workers 2] [--kills 10]

Each is a fresh `magistrate eval` with the offline judge over the same cases; the results digest must be equal. With
--kills a third run is killed (-9, driver and workers) so many times at random moments, and goes on each time. The limit
is 1.10 times the CPU time of one process, the start of the workers left out, and 20 us of CPU a case for merging. Wall
time means something on a quiet machine alone.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from magistrate.evaluation.runs.run import load_run
from magistrate.evaluation.shards import merge

CPU_LIMIT = 1.10
MERGE_LIMIT = 20.0
START_SECONDS = 1.5
"""CPU time that a worker takes to load what it needs."""


@dataclass(frozen=True)
class Measured:
    """What an invocation took."""

    cpu: float
    wall: float
    mebibytes: int
    digest: str


def write_cases(path: Path, count: int) -> None:
    """Write cases of two sentences and three passages."""
    with path.open("w") as file:
        for n in range(count):
            passages = [f"Tram {n % 97} is green. " * 20, f"It runs at night on line {n % 13}. " * 12, "Buses are red."]
            answer = f"Tram {n % 97} is green. It costs {n % 7} euros."
            file.write(json.dumps({"id": f"c{n}", "question": "?", "answer": answer, "contexts": passages}) + "\n")


def measure(cases: Path, run: Path, workers: int) -> Measured:
    """Judge the cases in a fresh process."""
    command = [sys.executable, "-m", "magistrate", "eval", str(cases), "--run", str(run), "--quiet"]
    began = time.monotonic()
    process = subprocess.Popen([*command, "--workers", str(workers)])  # noqa: S603 - our own command
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"magistrate eval ended with {status}")
    wall = time.monotonic() - began
    return Measured(used.ru_utime + used.ru_stime, wall, used.ru_maxrss // 1024, load_run(run).summary.digest)


def killed(cases: Path, run: Path, workers: int, kills: int, seconds: float) -> str:
    """Judge the cases in processes that are all killed at random moments of the time that it takes; the digest."""
    rng = random.Random(1)  # noqa: S311 - moments, not secrets
    command = [sys.executable, "-m", "magistrate", "eval", str(cases), "--run", str(run), "--quiet"]
    command += ["--workers", str(workers)]
    resume: list[str] = []
    for _ in range(kills):
        process = subprocess.Popen([*command, *resume], start_new_session=True)  # noqa: S603 - our own command
        try:
            process.wait(START_SECONDS + rng.uniform(0.1, max(0.2, 2 * seconds / kills)))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        resume = ["--resume"] if (run / "shards.json").exists() else []
    subprocess.run([*command, *resume], check=True)  # noqa: S603 - our own command
    return str(load_run(run).summary.digest)


def main() -> int:
    """Print what was measured; return 1 where a limit is passed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=20_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--kills", type=int, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_cases(folder / "cases.jsonl", options.cases)
        one = measure(folder / "cases.jsonl", folder / "one", 1)
        several = measure(folder / "cases.jsonl", folder / "several", options.workers)
        began = time.process_time()
        merge(folder / "several")
        merging = (time.process_time() - began) / options.cases * 1e6
        digests = {one.digest, several.digest}
        if options.kills:
            digests.add(killed(folder / "cases.jsonl", folder / "killed", options.workers, options.kills, several.wall))
    ratio = (several.cpu - options.workers * START_SECONDS) / one.cpu
    same = len(digests) == 1
    for label, found in (("one process", one), (f"{options.workers} workers", several)):
        print(f"{label:>12}: {found.cpu:7.1f} s CPU  {found.wall:7.1f} s  largest process {found.mebibytes} MiB")
    print(f"CPU {ratio:.2f} times (limit {CPU_LIMIT}), wall {one.wall / several.wall:.2f} times as fast")
    print(f"merging {merging:.1f} us a case (limit {MERGE_LIMIT:g}); digest {'equal' if same else 'DIFFERENT'}")
    return 0 if same and ratio <= CPU_LIMIT and merging <= MERGE_LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
