"""Many cases, every fault at once, many calls at a time: is every case accounted for, and nothing leaked?

    python benchmarks/soak.py                     # 20,000 cases, concurrency 200
    python benchmarks/soak.py --cases 2000

One test server (its own process) misbehaves in a fifth of its replies, in all the ways it knows. Each case has five
statements. Exit code 1 where a verdict is silently wrong, a case has no status, a warning or an unclosed socket
appears, or memory grows by more than a fifth after the first quarter of the cases.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import logging
import multiprocessing
import multiprocessing.connection
import os
import random
import resource
import sys
import time
import warnings
from collections import Counter
from pathlib import Path

os.environ.setdefault("LITELLM_OFFLINE_MODE", "true")
os.environ.setdefault("LITELLM_MODE", "PRODUCTION")
sys.path.insert(0, str(Path(__file__).parent))

import psutil
from workload import BenchCase, make_cases, make_oracle

from magistrate.completion.retry import RetryPolicy
from magistrate.judges.llm import LLMJudge
from magistrate.testing import FAULTS, FaultServer, seeded_faults
from magistrate.testing.oracle import sentences
from magistrate.verdict import TERNARY

KINDS = 500
GROWTH = 1.2


def serve(channel: multiprocessing.connection.Connection, seed: int) -> None:
    """Serve until told to stop."""
    with FaultServer(make_oracle(make_cases(KINDS)), faults=seeded_faults(FAULTS, seed=seed), keep=1) as server:
        channel.send(server.openai_url)
        channel.recv()
        channel.send(server.stats.calls)


async def judge_all(url: str, count: int, concurrency: int, seconds: float) -> tuple[Counter[str], int, list[int]]:
    """Judge every case; return the statuses, the silently wrong verdicts and the memory along the way."""
    cases = make_cases(KINDS)
    statuses: Counter[str] = Counter()
    memory: list[int] = []
    process = psutil.Process()
    wrong = finished = 0
    numbers = iter(range(count))
    retry = RetryPolicy(base=0.02, longest=0.2, rng=random.Random(1))  # noqa: S311 - jitter

    async def work(judge: LLMJudge) -> None:
        nonlocal wrong, finished
        for number in numbers:
            case: BenchCase = cases[number % KINDS]
            reply = await judge.verify(sentences(case.answer), case.contexts, scale=TERNARY)
            assert len(reply.verdicts) == len(case.verdicts)
            amiss = [
                f"{found.statement!r} is {right.value}, not {found.verdict}: {found.reason}"
                for found, right in zip(reply.verdicts, case.verdicts, strict=True)
                if found.verdict not in {None, right}
            ]
            wrong += len(amiss)
            if amiss:
                print(*amiss, *reply.calls, sep="\n", flush=True)
            statuses[reply.status.value] += 1
            finished += 1
            if finished % max(1, count // 40) == 0:
                memory.append(process.memory_info().rss)
            if finished % max(1, count // 10) == 0:
                print(f"{finished:6} cases, {memory[-1] / 2**20:.0f} MiB, {wrong} wrong", flush=True)

    judge = LLMJudge(
        "openai/gpt-4o", api_base=url, api_key="unused", timeout=seconds, retry=retry, max_concurrency=concurrency
    )
    async with judge:
        await asyncio.gather(*(work(judge) for _ in range(concurrency)))
    return statuses, wrong, memory


def main() -> int:
    """Run, print the figures, say what is broken."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--cases", type=int, default=20_000)
    parser.add_argument("--concurrency", type=int, default=200)
    parser.add_argument("--timeout", type=float, default=30.0, help="seconds of a call; faults that hang take as long")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    logging.getLogger("magistrate").setLevel(logging.ERROR)  # every fault makes a warning: they would drown the figures
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 4096)), hard))
    here, there = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=serve, args=(there, options.seed), daemon=True)
    process.start()
    url = here.recv()
    started = time.perf_counter()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        statuses, wrong, memory = asyncio.run(judge_all(url, options.cases, options.concurrency, options.timeout))
        gc.collect()
        raised = [warning for warning in caught if "magistrate" in str(warning.filename) or "unclosed" in str(warning)]
    seconds = time.perf_counter() - started
    port = int(url.rsplit(":", 1)[1].partition("/")[0])
    left = [found for found in psutil.Process().net_connections() if found.raddr and found.raddr.port == port]
    here.send(None)
    calls = here.recv()
    process.join()
    print(f"\n{options.cases} cases, {calls} calls in {seconds:.0f} s: {dict(statuses)}")
    base = max(memory[: len(memory) // 4] or memory)
    growth = memory[-1] / base
    print(f"{wrong} silently wrong; memory x{growth:.2f} since the first quarter")
    print(f"{len(left)} sockets open; {len(raised)} warnings")
    broken = [
        f"{sum(statuses.values())} of {options.cases} cases have a status" * (sum(statuses.values()) != options.cases),
        f"{wrong} silently wrong" * bool(wrong),
        f"memory grew by a factor of {growth:.2f}" * (growth > GROWTH),
        f"{len(left)} sockets are open" * bool(left),
        f"{len(raised)} warnings, the first: {raised[0].message if raised else ''}" * bool(raised),
    ]
    for promise in filter(None, broken):
        print(f"BROKEN: {promise}")
    return int(any(broken))


if __name__ == "__main__":
    sys.exit(main())
