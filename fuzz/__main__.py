"""Fuzz all targets: `python -m fuzz [--seconds N] [--runs N] [TARGET...]`. Exit code 1 where something was found."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from fuzz.progress import Progress, read_progress
from fuzz.seeds import write_seeds

DEFAULT = ("verdicts", "scores", "statements", "labels", "objects", "structured")
"""What runs by default. "growth" measures time, and needs a quiet machine."""
_HERE = Path(__file__).parent
_SEED = 20_260
"""Where a fixed number of runs begins."""
_LIMITS = ("-max_len=4096", "-timeout=20", "-rss_limit_mb=2048", "-print_final_stats=1", "-verbosity=1")


def _fuzz(target: str, seconds: int, build: Path, runs: int | None) -> Progress:
    """Run one target until its time is up, again where it was ended by an input that hung or took all memory.

    With a number of runs everything that chance decides is fixed, and nothing is left over from an earlier run, so that
    the same parser is given the same replies.
    """
    seeds, corpus = build / "seeds" / target, build / "corpus" / target
    findings, log = build / "findings" / target, build / f"{target}.log"
    shutil.rmtree(findings, ignore_errors=True)  # those of an earlier run, which may be mended by now
    limits, environment, fixed = _LIMITS, dict(os.environ), []
    if runs is not None:
        shutil.rmtree(corpus, ignore_errors=True)
        shutil.rmtree(seeds, ignore_errors=True)
        limits = (*_LIMITS, f"-runs={runs}", f"-seed={_SEED}")
        environment["PYTHONHASHSEED"], fixed = str(_SEED), _at_fixed_addresses()
    write_seeds(target, seeds)
    for folder in (corpus, findings):
        folder.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    with log.open("wb") as file:
        while (left := round(began + seconds - time.monotonic())) > 0:
            known = set(findings.iterdir())
            arguments = [*limits, f"-max_total_time={left}", f"-artifact_prefix={findings}/", str(corpus), str(seeds)]
            command = [sys.executable, "-m", "fuzz.target", target, str(findings), f"-dict={_HERE / 'judge.dict'}"]
            done = subprocess.run(  # noqa: S603 - this package, in a process of its own
                [*fixed, *command, *arguments], stdout=file, stderr=file, cwd=_HERE.parent, env=environment, check=False
            )
            if done.returncode == 0:
                break
            if set(findings.iterdir()) == known:
                raise SystemExit(f"{target} did not run: see {log}")
    return replace(read_progress(log), seconds=time.monotonic() - began)


def _at_fixed_addresses() -> list[str]:
    """What runs a program at the same addresses each time, where the system can: mutations are chosen by them, too."""
    setarch = shutil.which("setarch")
    if setarch is None:
        return []
    tried = subprocess.run([setarch, "-R", "true"], capture_output=True, check=False)  # noqa: S603 - a fixed command
    return [] if tried.returncode else [setarch, "-R"]


def _found(findings: Path) -> Counter[str]:
    """How many findings there are of each kind."""
    kinds = [path.read_text(encoding="utf-8").partition("\n")[0] for path in findings.glob("*.txt")]
    return Counter([*kinds, *(path.name.partition("-")[0] for path in findings.glob("*-*"))])


def main() -> int:
    """Run the targets side by side, as many as there are cores, and print what came of it."""
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"{', '.join(DEFAULT)} (the default), or growth")
    parser.add_argument("--seconds", type=int, default=60, help="for all targets together (default 60)")
    parser.add_argument(
        "--runs", type=int, help="of each target, the same in every run; --seconds is then only the most it may take"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many run side by side")
    parser.add_argument("--build", type=Path, default=_HERE.parent / "build" / "fuzz", help="where corpora and logs go")
    asked = parser.parse_args()
    targets = asked.targets or list(DEFAULT)
    unknown = sorted(set(targets) - {*DEFAULT, "growth"})
    if unknown:
        parser.error(f"no target {unknown[0]!r}")
    jobs = min(asked.jobs, len(targets))
    share = max(1, asked.seconds * jobs // len(targets))
    with ThreadPoolExecutor(jobs) as pool:
        made = dict(
            zip(targets, pool.map(lambda one: _fuzz(one, share, asked.build, asked.runs), targets), strict=True)
        )
    print(f"{'target':<12}{'seconds':>8}{'executions':>12}{'per second':>12}{'edges':>8}{'new in last third':>19}")
    failed = False
    for target, progress in made.items():
        print(
            f"{target:<12}{progress.seconds:>8.0f}{progress.executions:>12,}{progress.rate:>12,.0f}"
            f"{progress.edges:>8,}{progress.late:>19,}"
        )
        for kind, count in _found(asked.build / "findings" / target).most_common():
            failed = True
            print(f"  found {count} x {kind}")
    if failed:
        print(f"what was found stands in {asked.build / 'findings'}")
    return int(failed)


if __name__ == "__main__":
    raise SystemExit(main())
