"""What each fault of a provider costs: wrong verdicts, lost cases, calls.

    python benchmarks/faults.py                      # the table; exit code 1 where a promise is broken
    python benchmarks/faults.py --only one-short --seeds 5

One test server (its own process) plays the model. 200 cases of five statements and three passages; every reply, the
re-asked ones included, goes wrong with a chance of one in five. A verdict is silently wrong if it is not the right
one; a case is right if all its five verdicts are. The rest is explicit: no verdict, and a status that says why.

Columns: "a case" is calls by cases, "a fault" the calls beyond one a case by damaged replies, "most" the most calls
that one case took: where the replies to its re-asks are damaged too, each of them costs another call.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import multiprocessing
import multiprocessing.connection
import os
import random
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

os.environ.setdefault("LITELLM_OFFLINE_MODE", "true")
os.environ.setdefault("LITELLM_MODE", "PRODUCTION")
sys.path.insert(0, str(Path(__file__).parent))

from workload import BenchCase, make_cases, make_oracle

from magistrate.completion.retry import RetryPolicy
from magistrate.errors import JudgeDownError
from magistrate.judges import VerdictsReply
from magistrate.judges.llm import LLMJudge
from magistrate.testing import FAULTS, Call, Fault, FaultServer, seeded_faults
from magistrate.testing.oracle import sentences
from magistrate.verdict import TERNARY

RATE = 0.2
CASES = 200
REDO = frozenset(
    {
        *("429", "429-retry-after", "500", "502", "503", "529", "reset", "cut-body", "invalid-body", "no-choices"),
        *("throttled-400", "null-message", "broken-off", "content-parts"),
    }
)
"""The call is made again."""
READ = frozenset(
    {
        *("missing-bracket", "single-quotes", "fence-with-prose", "reordered", "planted-json", "trailing-comma"),
        *("bare-keys", "comment", "line-ends", "thinking", "marks-around", "json-in-a-string", "twice", "lying-length"),
        *("unknown-end", "second-tool-call", "usage-missing", "usage-negative", "usage-words", "key-echoed"),
        *("token-placeholder", "token-left-out"),
    }
)
"""The reply can be read as it is."""
REASKED = frozenset(
    {
        *("one-short", "duplicate-id", "truncated-length", "truncated-stop", "unknown-label", "out-of-range"),
        *("blank", "one-too-many", "null-content", "reasoning-only", "answer-in-reasoning"),
    }
)
"""What is missing is asked for again."""
ONE_SMALL_CALL = REASKED - {"one-too-many"}
"""Each such reply, be it a re-ask's, costs at most one more call, about the statements that are missing alone."""
EXPLICIT = frozenset(
    {
        *("refusal-text", "refusal-field", "refusal-stop", "content-filter", "context-cut", "context-too-long"),
        *("middle-cut", "redirect", "too-large", "gzip-bomb"),
    }
)
"""Nothing heals these; they are said."""


@dataclass
class Result:
    """What became of the cases under one fault."""

    wrong: int = 0
    right: int = 0
    calls: int = 0
    faults: int = 0
    most_calls: int = 0
    statuses: Counter[str] = field(default_factory=Counter)


def serve(channel: multiprocessing.connection.Connection, cases: int) -> None:
    """Serve until told to stop: "name seed" sets the fault, and the answer says what was counted so far."""
    faulty = Counter[str]()
    server = FaultServer(make_oracle(make_cases(cases)), keep=1)
    with server:
        channel.send(server.openai_url)
        while True:
            said = channel.recv()
            if said is None:
                return
            channel.send((server.stats.calls, faulty["faults"]))
            faulty.clear()
            server.reset()
            name, seed = said
            server.faults = _counted(seeded_faults([name], rate=RATE, seed=seed), faulty) if name else None


def _counted(choose: Callable[[Call], Fault | None], counts: Counter[str]) -> Callable[[Call], Fault | None]:
    def chosen(call: Call) -> Fault | None:
        fault = choose(call)
        counts["faults"] += fault is not None
        return fault

    return chosen


async def judge_all(url: str, cases: list[BenchCase], concurrency: int) -> Result:
    """Judge every case, and compare."""
    result = Result()
    gate = asyncio.Semaphore(concurrency)
    retry = RetryPolicy(base=0.02, longest=0.1, rng=random.Random(1))  # noqa: S311 - jitter
    replies: list[tuple[BenchCase, VerdictsReply]] = []

    async def one(judge: LLMJudge, case: BenchCase) -> None:
        async with gate:
            try:
                reply = await judge.verify(sentences(case.answer), case.contexts, scale=TERNARY)
            except JudgeDownError:
                result.statuses["judge down"] += 1
                return
        replies.append((case, reply))

    async with LLMJudge("openai/gpt-4o", api_base=url, api_key="unused", timeout=30, retry=retry) as judge:
        await asyncio.gather(*(one(judge, case) for case in cases))
    for case, reply in replies:
        count(result, case, reply, judge.dropped_calls)
    return result


def count(result: Result, case: BenchCase, reply: VerdictsReply, dropped: frozenset[str]) -> None:
    """Compare a reply with what is right; as in a run, a call found out later not to be whole counts no more."""
    whole = not dropped.intersection(call.key for call in reply.calls)
    read = [verdict.verdict if whole else None for verdict in reply.verdicts]
    assert len(read) == len(case.verdicts)
    wrong = sum(found is not None and found is not right for found, right in zip(read, case.verdicts, strict=True))
    result.wrong += wrong
    result.right += tuple(read) == case.verdicts
    result.most_calls = max(result.most_calls, reply.usage.calls)
    if tuple(read) != case.verdicts:
        assert None in read or wrong
        result.statuses[reply.status.value if whole else "context_truncated"] += 1


def promised(name: str, result: Result, cases: int) -> list[str]:
    """Say which promises are broken."""
    broken = []
    if result.wrong:
        broken.append(f"{result.wrong} silently wrong")
    if name in REDO | READ | REASKED and result.right < cases - max(1, cases // 200):
        broken.append(f"only {result.right} of {cases} right")
    if name in READ and result.calls > cases:
        broken.append(f"{result.calls - cases} extra calls")
    if name in ONE_SMALL_CALL and result.calls - cases > result.faults:
        broken.append(f"{result.calls - cases} extra calls for {result.faults} faults")
    return broken


async def run(arguments: argparse.Namespace) -> int:
    """Print the table; return how many promises are broken."""
    here, there = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=serve, args=(there, arguments.cases), daemon=True)
    process.start()
    url = here.recv()
    cases = make_cases(arguments.cases)
    print(f"{arguments.cases} cases of 5 statements, each reply goes wrong with a chance of {RATE:.0%}\n")
    print(
        f"{'fault':18} {'faults':>6} {'calls':>6} {'a case':>6} {'a fault':>7} {'most':>4} "
        f"{'right':>6} {'wrong':>6}  not right"
    )
    broken: list[str] = []
    names = arguments.only or ["none", *(name for name in FAULTS if name not in {"hang", "slow", "drip"})]
    for name in names:
        for seed in range(arguments.seed, arguments.seed + arguments.seeds):
            here.send((None if name == "none" else name, seed))
            here.recv()
            result = await judge_all(url, cases, arguments.concurrency)
            here.send((None, 0))
            result.calls, result.faults = here.recv()
            failures = promised(name, result, arguments.cases)
            broken += failures
            rest = ", ".join(f"{count} {status}" for status, count in result.statuses.items())
            print(
                f"{name:18} {result.faults:6} {result.calls:6} {result.calls / len(cases):6.2f} "
                f"{(result.calls - len(cases)) / max(1, result.faults):7.2f} {result.most_calls:4} "
                f"{result.right:6} {result.wrong:6}  {rest}{'  BROKEN: ' + ', '.join(failures) if failures else ''}",
                flush=True,
            )
    here.send(None)
    process.join()
    print(f"\n{len(broken)} promises broken" if broken else "\nevery promise kept")
    return int(bool(broken))


def main() -> int:
    """Read the options and run."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--cases", type=int, default=CASES)
    parser.add_argument("--concurrency", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=1, help="run every fault with so many seeds")
    parser.add_argument("--only", nargs="*", metavar="FAULT")
    arguments: Any = parser.parse_args()
    logging.getLogger("magistrate").setLevel(logging.ERROR)  # every fault makes a warning: they would drown the figures
    return asyncio.run(run(arguments))


if __name__ == "__main__":
    sys.exit(main())
