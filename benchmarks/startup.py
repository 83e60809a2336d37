"""What starting costs, in CPU milliseconds over a floor measured in the same run.

    python benchmarks/startup.py

Each line starts a fresh interpreter and its floor several times, in turns, and takes medians of their CPU time (user +
system). Limits:
`import magistrate` at most 100 ms over `import pydantic`, `magistrate --help` at most 300 ms over a bare interpreter.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys

RUNS = 15
BARE = "pass"
PYDANTIC = "import pydantic; pydantic.BaseModel"
HELP = "import sys; from magistrate.cli import run; run(['--help'])"
PROBES = {
    "import magistrate": ("import magistrate", PYDANTIC, 100),
    "import magistrate, first use of Case": ("from magistrate import Case", PYDANTIC, None),
    "import magistrate.evaluation.runs.run": ("import magistrate.evaluation.runs.run", PYDANTIC, None),
    "magistrate --help": (HELP, BARE, 300),
    "magistrate eval --help": (HELP.replace("['--help']", "['eval', '--help']"), BARE, None),
}


def cpu_ms(code: str) -> float:
    """CPU time of an interpreter that runs the code, in milliseconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - our own code
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime) * 1000


def cpu_over(code: str, floor: str) -> tuple[float, float]:
    """Median CPU time of a floor, and of some code over it: in turns, so that a busy machine is as busy for both."""
    floors, times = zip(*((cpu_ms(floor), cpu_ms(code)) for _ in range(RUNS)), strict=True)
    return statistics.median(floors), statistics.median(times) - statistics.median(floors)


def main() -> int:
    """Print a line a probe; 1 if one is over its limit."""
    failed = False
    for name, (code, floor, limit) in PROBES.items():
        least, over = cpu_over(code, floor)
        called = "a bare interpreter" if floor == BARE else "import pydantic"
        verdict = "" if limit is None else f", limit {limit} ms: {'ok' if over <= limit else 'OVER'}"
        failed |= limit is not None and over > limit
        print(f"{name}: {over:+.0f} ms CPU over {called} ({least:.0f} ms){verdict}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
