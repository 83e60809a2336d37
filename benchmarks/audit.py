"""How fast `magistrate audit` reads stored replies, and what memory it takes, whatever the size of the file.

    python benchmarks/audit.py [--rows 20000] [--large 40000]

Speed: CPU time a row over clean replies of five verdicts, stored as JSON Lines, Parquet, one promptfoo document and one
Inspect log, medians over rounds in which audit and floor take turns. The floor of each is the least that must be done:
the rows decoded (`json.loads` a line, `json.load` of the document, pyarrow's `to_pylist`) and each reply read by
`parse_verdicts` or `parse_label`. The limit is 5 times the floor.

Memory: peak of a fresh `magistrate audit` over 2,000 rows and over `--large` of them. The limit is 1.25 times.
`--large 400000` audits some 370 MB of JSON Lines.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from pyarrow import Table, parquet

from magistrate.audit import AuditSummary, AuditTask, LabelTask, VerdictsTask, audit_files
from magistrate.parsing import parse_label, parse_verdicts

SMALL = 2_000
SPEED_LIMIT = 5.0
MEMORY_LIMIT = 1.25
ROUNDS = 5
BATCH = 5_000
GRADES = ("C", "P", "I")
FIELDS = {"reply": "reply", "statements": "statements", "score": "score", "id": "id"}

WATCH = """
import os, subprocess, sys
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
_, status, usage = os.wait4(process.pid, 0)
print(usage.ru_maxrss)
sys.exit(os.waitstatus_to_exitcode(status))
"""
"""A small process between: what is started from a large one begins with its peak."""

Row = dict[str, Any]


def rows(count: int) -> Iterator[Row]:
    """Stored replies, each of five verdicts with reasons, whose recorded score is right."""
    rng = random.Random(20261128)  # noqa: S311 - a workload, not a secret
    for number in range(count):
        places = [
            f"Lock {rng.randrange(400)} of the canal was rebuilt in {rng.randrange(1700, 1990)}." for _ in range(5)
        ]
        said = [rng.random() < 0.7 for _ in places]
        verdicts = [
            {
                "id": at,
                "reason": f"Page {rng.randrange(300)} of the register says so.",
                "verdict": "yes" if yes else "no",
            }
            for at, yes in enumerate(said, 1)
        ]
        reply = json.dumps({"verdicts": verdicts})
        yield {"id": f"r{number}", "reply": reply, "statements": places, "score": sum(said) / len(said)}


def write_lines(path: Path, count: int) -> None:
    """JSON Lines."""
    with path.open("w") as file:
        for row in rows(count):
            file.write(json.dumps(row) + "\n")


def write_parquet(path: Path, count: int) -> None:
    """One Parquet table in one row group, as many writers make it."""
    parquet.write_table(Table.from_pylist(list(rows(count))), path, row_group_size=count)


def write_promptfoo(path: Path, count: int) -> None:
    """One document with a result for each reply."""

    def result(row: Row) -> Row:
        asked = {"statements": [row["statements"]]}
        return {
            "gradingResult": {"pass": True, "score": row["score"], "reason": "All assertions passed"},
            "id": row["id"],
            "prompt": {"raw": "Judge the statements.\n" + "\n".join(row["statements"]), "label": "judge"},
            "promptIdx": 0,
            "response": {"output": row["reply"], "finishReason": "stop", "tokenUsage": {"total": 100}},
            "score": row["score"],
            "testCase": {"vars": asked, "assert": []},
            "vars": asked,
        }

    _write_list(path, '{"evalId": "e", "results": {"version": 3, "results": [', map(result, rows(count)), "]}}")


def write_inspect(path: Path, count: int) -> None:
    """One log with a graded sample for each reply."""

    def sample(number: int) -> Row:
        grade = GRADES[number % 3]
        reply = f"The submission names lock {number} and the year of its rebuilding.\n\nGRADE: {grade}"
        grading = [{"role": "user", "content": "Grade it. " * 40}, {"role": "assistant", "content": reply}]
        scores = {"model_graded_qa": {"value": grade, "explanation": reply, "metadata": {"grading": grading}}}
        return {"id": number, "epoch": 1, "input": "When was it rebuilt? " * 20, "scores": scores}

    _write_list(path, '{"version": 2, "status": "success", "eval": {}, "samples": [', map(sample, range(count)), "]}")


def _write_list(path: Path, head: str, items: Iterator[Row], tail: str) -> None:
    with path.open("w") as file:
        file.write(head)
        for number, item in enumerate(items):
            file.write((", " if number else "") + json.dumps(item))
        file.write(tail)


def floor_of_lines(path: Path) -> None:
    """`json.loads` a line, and the parser."""
    with path.open("rb") as file:
        for line in file:
            row = json.loads(line)
            parse_verdicts(row["reply"], row["statements"])


def floor_of_parquet(path: Path) -> None:
    """`to_pylist` a batch, and the parser."""
    for batch in parquet.ParquetFile(path).iter_batches(batch_size=BATCH):
        for row in batch.to_pylist():
            parse_verdicts(row["reply"], row["statements"])


def floor_of_promptfoo(path: Path) -> None:
    """`json.load`, and the parser."""
    for result in json.loads(path.read_bytes())["results"]["results"]:
        parse_verdicts(result["response"]["output"], result["vars"]["statements"][0])


def floor_of_inspect(path: Path) -> None:
    """`json.load`, and the parser of labels."""
    for sample in json.loads(path.read_bytes())["samples"]:
        parse_label(sample["scores"]["model_graded_qa"]["metadata"]["grading"][-1]["content"], GRADES)


Kind = tuple[str, Callable[[Path, int], None], Callable[[Path], None], AuditTask, dict[str, str]]
KINDS: dict[str, Kind] = {
    "JSON Lines": ("lines.jsonl", write_lines, floor_of_lines, VerdictsTask(), FIELDS),
    "Parquet": ("table.parquet", write_parquet, floor_of_parquet, VerdictsTask(), FIELDS),
    "promptfoo": ("promptfoo.json", write_promptfoo, floor_of_promptfoo, VerdictsTask(), {}),
    "Inspect": ("inspect.json", write_inspect, floor_of_inspect, LabelTask(choices=GRADES), {}),
}


def speed(folder: Path, name: str, count: int) -> bool:
    """Print the CPU time a row beside the floor's; whether the limit is kept."""
    file, write, floor, task, fields = KINDS[name]
    path = folder / file
    write(path, count)
    found = AuditSummary.of(audit_files([str(path)], task, fields))
    assert found.standings["stands"] == count, found.standings
    candidates = {
        "audit": lambda: AuditSummary.of(audit_files([str(path)], task, fields)),
        "floor": lambda: floor(path),
    }
    times: dict[str, list[float]] = {candidate: [] for candidate in candidates}
    for _ in range(ROUNDS):
        for candidate, call in candidates.items():
            started = time.process_time()
            call()
            times[candidate].append((time.process_time() - started) / count)
    audit, least = (statistics.median(times[candidate]) for candidate in ("audit", "floor"))
    ratio = audit / least
    print(
        f"{name:<11} {count:>7,} rows, {path.stat().st_size / 1e6:>4.0f} MB: {1e6 * audit:>6.1f} us a row, "
        f"{1 / audit:>7,.0f} rows a second of CPU; floor {1e6 * least:.1f} us; "
        f"{ratio:.2f} x, limit {SPEED_LIMIT:g}: {'ok' if ratio <= SPEED_LIMIT else 'OVER'}"
    )
    return ratio <= SPEED_LIMIT


def peak(path: Path, fields: dict[str, str]) -> tuple[float, float]:
    """Peak memory in MiB and wall seconds of a fresh audit of a file."""
    options = [text for name, field in fields.items() for text in (f"--{name}", field)]
    command = [sys.executable, "-m", "magistrate", "audit", str(path), *options, "--max-wrong", "0"]
    started = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", WATCH, *command], check=True, capture_output=True, text=True)  # noqa: S603 - our own program
    return int(done.stdout) / 1024, time.perf_counter() - started


def memory(folder: Path, name: str, large: int) -> bool:
    """Print the peaks over few and over many rows; whether the limit is kept."""
    file, write, _, _, fields = KINDS[name]
    path = folder / file
    peaks = {}
    for count in (SMALL, large):
        write(path, count)
        peaks[count], seconds = peak(path, fields)
        size = path.stat().st_size / 1e6
        print(f"{name:<11} {count:>7,} rows, {size:>4.0f} MB: {peaks[count]:.0f} MiB at most, {seconds:.1f} s")
    ratio = peaks[large] / peaks[SMALL]
    print(f"{name:<11} ratio {ratio:.2f}, limit {MEMORY_LIMIT}: {'ok' if ratio <= MEMORY_LIMIT else 'OVER'}")
    return ratio <= MEMORY_LIMIT


def main() -> int:
    """Print the figures; 1 if a limit is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=20_000, help="rows for the speed")
    parser.add_argument("--large", type=int, default=40_000, help="rows of the larger file for the memory")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        kept = [speed(Path(folder), name, options.rows) for name in KINDS]
        kept += [memory(Path(folder), name, options.large) for name in KINDS]
    return int(not all(kept))


if __name__ == "__main__":
    sys.exit(main())
