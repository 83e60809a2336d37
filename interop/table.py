"""One framework's own evaluation, with its default model class and with magistrate's, under each fault: a table."""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import os
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from certificates import one_authority

os.environ.update(
    DEEPEVAL_TELEMETRY_OPT_OUT="YES",
    DEEPEVAL_NO_INSPECT_PROMPT="1",
    DEEPEVAL_UPDATE_WARNING_OPT_OUT="YES",
    RAGAS_DO_NOT_TRACK="true",
    DO_NOT_TRACK="1",
    LITELLM_OFFLINE_MODE="true",
    LITELLM_MODE="PRODUCTION",
    OPENAI_API_KEY="unused",
    OTEL_SDK_DISABLED="true",
    LANGSMITH_TRACING="false",
    OPIK_TRACK_DISABLE="true",
    MLFLOW_DISABLE_TELEMETRY="true",
    SSL_CERT_FILE=one_authority(),
)

from faults import FAULTS, Faults
from served import served

from magistrate.testing import FaultServer

__all__ = ["OUTCOMES", "Result", "Run", "gather", "main", "outcome", "table"]

SIDES = ("theirs", "magistrate")
_REPEATS = 5
OUTCOMES = ("right", "silently wrong", "explicit", "crashed")


@dataclass(frozen=True, slots=True)
class Result:
    """What one case came to: a score, or what was raised in its place.

    Args:
        score: The framework's number; None or NaN for none.
        error: What was raised, or the error the framework recorded.
        explicit: Whether the framework recorded it as the judge's failure.
    """

    score: float | None = None
    error: str | None = None
    explicit: bool = False


Run = Callable[[str, str, Sequence[int]], list[Result]]
"""Takes a side, the server's address and the numbers of the cases."""
Clocked = Callable[[str], AbstractContextManager[Run]]
"""Takes the server's address, and starts what a user starts once and not in each evaluation."""


async def gather(
    jobs: Sequence[Callable[[], Awaitable[Any]]], explicit: tuple[type[BaseException], ...]
) -> list[Result]:
    """Run a framework's metric on all cases at the same time, sixteen at once."""
    limit = asyncio.Semaphore(16)

    async def one(job: Callable[[], Awaitable[Any]]) -> Result:
        async with limit:
            try:
                score = await job()
            except Exception as error:  # noqa: BLE001 - this is what is counted
                return Result(error=f"{type(error).__name__}: {error}"[:300], explicit=isinstance(error, explicit))
            return Result(None if score is None else float(score))

    return list(await asyncio.gather(*map(one, jobs)))


def outcome(result: Result, reference: float) -> str:
    """Say what a result is worth."""
    if result.error is not None:
        return "explicit" if result.explicit else "crashed"
    if result.score is None or math.isnan(result.score):
        return "explicit"
    return "right" if math.isclose(result.score, reference, abs_tol=1e-6) else "silently wrong"


def table(name: str, run: Run, count: int, *, always: bool, kinds: Sequence[str] = FAULTS) -> dict[str, Any]:
    """Run a framework under each fault and print the table.

    Right is what the framework's own model class gives without faults.
    """
    numbers = range(count)
    reference: list[float] = []
    base: dict[str, float] = {}
    rows: dict[str, Any] = {}
    print(f"\n{name}, {count} cases, {'every reply' if always else 'the first reply to each prompt'} damaged\n")
    print("| fault | side | right | silently wrong | explicit | crashed | extra calls a case |")
    print("|---|---|---|---|---|---|---|")
    for kind in kinds:
        for side in SIDES:
            with FaultServer(faults=Faults(kind, always=always), keep=1) as server:
                results = run(side, server.openai_url, numbers)
                calls = server.stats.calls / count
            if kind == "none" and not reference:
                reference += [math.nan if result.score is None else result.score for result in results]
                if any(map(math.isnan, reference)):
                    raise SystemExit(f"no reference: {results[:3]}")
            counts = Counter(outcome(result, score) for result, score in zip(results, reference, strict=True))
            base.setdefault(side, calls)
            cells = [counts.get(what, 0) for what in OUTCOMES]
            extra = calls - base[side]
            print(f"| {kind} | {side} | {' | '.join(map(str, cells))} | {extra:+.2f} |", flush=True)
            rows[f"{kind}/{side}"] = {**dict(zip(OUTCOMES, cells, strict=True)), "extra": round(extra, 3)}
            if os.environ.get("INTEROP_ERRORS"):
                print("    ", Counter((result.error or "")[:160] for result in results).most_common(3))
    return rows


def wall_time(clocked: Clocked, count: int, latency: float) -> None:
    """Compare the wall time without faults: theirs, ours, theirs, ours, ...; the best of five each."""
    wall: dict[str, float] = {}
    cpu: dict[str, float] = {}
    with served(latency) as url, clocked(url) as run:
        for _ in range(_REPEATS):
            for side in SIDES:
                started, spent = time.perf_counter(), time.process_time()
                results = run(side, url, range(count))
                wall[side] = min(wall.get(side, math.inf), time.perf_counter() - started)
                cpu[side] = min(cpu.get(side, math.inf), time.process_time() - spent)
                if failed := [result.error for result in results if result.error]:
                    raise SystemExit(f"{side} failed without faults: {failed[:3]}")
    ratio = wall["magistrate"] / wall["theirs"]
    print(
        f"\nwall time without faults, {count} cases, {latency:.2f} s a call, best of {_REPEATS}: "
        f"theirs {wall['theirs']:.2f} s, magistrate {wall['magistrate']:.2f} s, ratio {ratio:.3f}; "
        f"processor time a case: theirs {cpu['theirs'] / count * 1000:.1f} ms, "
        f"magistrate {cpu['magistrate'] / count * 1000:.1f} ms",
        flush=True,
    )


def main(
    name: str,
    run: Run,
    further: Callable[[], list[str]] | None = None,
    kinds: Sequence[str] = FAULTS,
    *,
    timed: bool = True,
    clocked: Clocked | None = None,
) -> None:
    """Command line of a lane: the tables, the wall time where it is comparable, then what else the lane shows."""
    parser = argparse.ArgumentParser(description=f"{name}: its own evaluation with its default model class and ours")
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument(
        "--latency", type=float, nargs="+", default=[0.25, 1.0], help="seconds that the judge takes for a reply"
    )
    parser.add_argument("--only", choices=("tables", "time", "further"))
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    found: dict[str, Any] = {}
    if options.only in {None, "tables"}:
        found["every"] = table(name, run, options.cases, always=True, kinds=kinds)
        found["first"] = table(name, run, options.cases, always=False, kinds=kinds)
    if timed and options.only in {None, "time"}:
        for latency in options.latency:
            wall_time(clocked or (lambda _: nullcontext(run)), options.cases, latency)
    failed = further() if further is not None and options.only in {None, "further"} else []
    if options.json:
        options.json.write_text(json.dumps(found, indent=1))
    wrong = failed + [
        row
        for rows in found.values()
        for row, cells in rows.items()
        if row.endswith("/magistrate") and cells["silently wrong"]
    ]
    if wrong:
        raise SystemExit(f"silently wrong or crashed through magistrate: {wrong}")
