"""What starting costs, in CPU milliseconds over a floor measured in the same run.

    python benchmarks/startup.py

Each line starts a fresh interpreter several times and takes the median of its CPU time (user + system). Limits:
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
    "import magistrate, first use of Case": ("from magistrate import Case", PYDANTIC, 100),
    "import magistrate.evaluation.run": ("import magistrate.evaluation.run", PYDANTIC, None),
    "magistrate --help": (HELP, BARE, 300),
    "magistrate eval --help": (HELP.replace("['--help']", "['eval', '--help']"), BARE, None),
}


def cpu_ms(code: str) -> float:
    """Median CPU time of an interpreter that runs the code, in milliseconds."""
    times = []
    for _ in range(RUNS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - our own code
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append((after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime) * 1000)
    return statistics.median(times)


def main() -> int:
    """Print a line a probe; 1 if one is over its limit."""
    floors = {code: cpu_ms(code) for code in (BARE, PYDANTIC)}
    print(f"floor: bare interpreter {floors[BARE]:.0f} ms, import pydantic {floors[PYDANTIC]:.0f} ms CPU")
    failed = False
    for name, (code, floor, limit) in PROBES.items():
        over = cpu_ms(code) - floors[floor]
        verdict = "" if limit is None else f", limit {limit} ms: {'ok' if over <= limit else 'OVER'}"
        failed |= limit is not None and over > limit
        print(f"{name}: {over:+.0f} ms over its floor{verdict}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
