"""Peak memory of a run against the number of its cases: it must not grow with the dataset.

    python benchmarks/memory.py

Runs `magistrate eval` with the offline judge over 500 and over 20,000 cases of equal size, each in a fresh process, and
prints peak memory, time and the ratio of the peaks. The limit is 1.25.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SIZES = (500, 20_000)
LIMIT = 1.25
PASSAGE = (
    "The depot opens at six. Vans are checked every 14 days by the workshop in Hall 3. Drivers hand in the log book on "
    "Friday. A van that fails its check stays in the yard until the workshop has cleared it. "
)


def write_cases(path: Path, count: int) -> None:
    """Write cases of two sentences and three passages of some 150 words."""
    with path.open("w") as file:
        for number in range(count):
            case = {
                "id": f"case-{number}",
                "question": "How often are vans checked?",
                "answer": f"Vans are checked every {10 + number % 9} days. Drivers hand in the log book on Friday.",
                "contexts": [PASSAGE * 4, f"Round {number}. " + PASSAGE * 3, PASSAGE * 4],
                "category": f"round {number % 5}",
            }
            file.write(json.dumps(case) + "\n")


def peak_of_run(folder: Path, count: int) -> tuple[float, float]:
    """Run `magistrate eval` and return its peak memory in MiB and its seconds."""
    dataset = folder / f"{count}.jsonl"
    write_cases(dataset, count)
    options = ["eval", str(dataset), "--model", "offline", "--quiet", "--run", str(folder / f"run-{count}")]
    started = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-m", "magistrate", *options])  # noqa: S603 - our own program
    _, status, usage = os.wait4(process.pid, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    return usage.ru_maxrss / 1024, time.perf_counter() - started


def main() -> int:
    """Print the peaks; 1 if they grow."""
    with tempfile.TemporaryDirectory() as folder:
        peaks = {}
        for count in SIZES:
            peaks[count], seconds = peak_of_run(Path(folder), count)
            print(f"{count:>7,} cases: {peaks[count]:.0f} MiB, {seconds:.1f} s, {1000 * seconds / count:.2f} ms a case")
    ratio = peaks[SIZES[1]] / peaks[SIZES[0]]
    print(f"ratio {ratio:.2f}, limit {LIMIT}: {'ok' if ratio <= LIMIT else 'OVER'}")
    return int(ratio > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
