"""Calls, tokens, time and CPU of our judge, next to bare LiteLLM and bare Instructor in the same run.

    python benchmarks/run.py                  # the table
    python benchmarks/run.py --cases 50       # a smaller one

One test server (its own process) plays the model for all clients: 200 cases of a five-sentence answer and three
passages of about 130 words, 200 ms latency, concurrency 64; then the same at 0 ms and concurrency 16, for the CPU time
of the client alone. Tokens are characters / 4 of what crosses the wire: messages, schema or tools, and the answer. Each
client runs in its own process, and every verdict it reports is compared with the right one.

The floors do the least that gives verdicts: two calls per case with short prompts of their own, plain JSON. They check
nothing.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import resource
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, Literal

sys.path.insert(0, str(Path(__file__).parent))

from workload import BenchCase, make_cases, make_oracle

from magistrate.testing import FaultServer
from magistrate.verdict import TERNARY, Verdict

MODEL = "gpt-4o"
BUDGETS = {"magistrate": (400, 240_000, 47_000), "magistrate single": (200, 175_000, 47_000)}
CPU_RATIO = 1.3
CPU_FLOOR = "instructor json_schema"
CLIENTS = ("litellm", "instructor tools", "instructor json_schema", "magistrate", "magistrate single")

EXTRACT = (
    "Split the answer into atomic factual statements, one per sentence, without pronouns. "
    'Reply with JSON: {"statements": ["..."]}'
)
VERIFY = (
    "For each statement, decide whether the context supports it: supported, contradicted or not_enough_info. "
    'Give a short reason first. Reply with JSON: {"verdicts": [{"reason": "...", "verdict": "..."}]}, in order.'
)

Judged = Callable[[BenchCase], Awaitable[Sequence[str | None]]]
Closing = Callable[[], Awaitable[None]]


def _extract_messages(case: BenchCase) -> list[dict[str, str]]:
    content = f"Question: {case.question}\nAnswer: {case.answer}"
    return [{"role": "system", "content": EXTRACT}, {"role": "user", "content": content}]


def _verify_messages(case: BenchCase, statements: Sequence[str]) -> list[dict[str, str]]:
    numbered = "\n".join(f"{at}. {text}" for at, text in enumerate(statements, 1))
    content = "Context:\n" + "\n\n".join(case.contexts) + f"\n\nStatements:\n{numbered}"
    return [{"role": "system", "content": VERIFY}, {"role": "user", "content": content}]


def litellm_floor(url: str) -> tuple[Judged, Closing]:
    """LiteLLM alone, plain JSON."""
    import litellm  # noqa: PLC0415 - each client loads what it needs

    async def ask(messages: list[dict[str, str]]) -> Any:
        reply = await litellm.acompletion(
            model=MODEL,
            messages=messages,
            api_base=url,
            api_key="unused",
            max_tokens=1000,
            temperature=0.0,
            num_retries=0,
        )
        return json.loads(reply.choices[0].message.content)

    async def judge(case: BenchCase) -> Sequence[str | None]:
        statements = (await ask(_extract_messages(case)))["statements"]
        return [row["verdict"] for row in (await ask(_verify_messages(case, statements)))["verdicts"]]

    return judge, litellm.close_litellm_async_clients


def instructor_floor(url: str, mode: str) -> tuple[Judged, Closing]:
    """Instructor over LiteLLM, as its manual shows it."""
    import instructor  # noqa: PLC0415
    import litellm  # noqa: PLC0415 - each client loads what it needs
    from pydantic import BaseModel  # noqa: PLC0415

    class Statements(BaseModel):
        statements: list[str]

    class Judgement(BaseModel):
        reason: str
        verdict: Literal["supported", "contradicted", "not_enough_info"]

    class Judgements(BaseModel):
        verdicts: list[Judgement]

    client = instructor.from_litellm(litellm.acompletion, mode=instructor.Mode[mode])

    async def ask(messages: list[dict[str, str]], model: type[BaseModel]) -> Any:
        return await client.create(
            response_model=model, messages=messages, model=MODEL, api_base=url, api_key="unused", max_tokens=1000,
            temperature=0.0, max_retries=0,
        )  # fmt: skip

    async def judge(case: BenchCase) -> Sequence[str | None]:
        statements = (await ask(_extract_messages(case), Statements)).statements
        return [row.verdict for row in (await ask(_verify_messages(case, statements), Judgements)).verdicts]

    return judge, litellm.close_litellm_async_clients


def ours(url: str, *, single: bool) -> tuple[Judged, Closing]:
    """Our judge."""
    from magistrate.judges.llm import LLMJudge  # noqa: PLC0415

    judge = LLMJudge(MODEL, api_base=url, api_key="unused")

    async def two_calls(case: BenchCase) -> Sequence[str | None]:
        statements = await judge.extract(case.answer, question=case.question)
        return await judge.verify(statements, case.contexts, question=case.question, scale=TERNARY)

    async def one_call(case: BenchCase) -> Sequence[str | None]:
        return (
            await judge.extract_and_verify(case.answer, case.contexts, question=case.question, scale=TERNARY)
        ).verdicts

    run = one_call if single else two_calls

    async def verdicts(case: BenchCase) -> Sequence[str | None]:
        return [row.verdict and row.verdict.value for row in await run(case)]  # type: ignore[attr-defined]

    return verdicts, judge.close


def make_client(name: str, url: str) -> tuple[Judged, Closing]:
    """Return what judges a case, and what closes its connections."""
    if name == "litellm":
        return litellm_floor(url)
    if name.startswith("instructor"):
        return instructor_floor(url, name.partition(" ")[2].upper())
    return ours(url, single=name.endswith("single"))


async def run_client(name: str, url: str, count: int, concurrency: int) -> dict[str, float]:
    """Judge all cases with one client; return wall time, CPU time and how many verdicts were right."""
    judge, close = make_client(name, url)
    cases = make_cases(count)
    await judge(cases[0])  # what is done once is not what a call costs
    slots = asyncio.Semaphore(concurrency)
    right = wrong = 0

    async def one(case: BenchCase) -> None:
        nonlocal right, wrong
        async with slots:
            found = list(await judge(case))
        expected = [Verdict(verdict).value for verdict in case.verdicts]
        right += found == expected
        wrong += found != expected

    wall, cpu = time.perf_counter(), time.process_time()
    await asyncio.gather(*(one(case) for case in cases))
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    await close()
    rss = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"wall": wall, "cpu": cpu, "right": right, "wrong": wrong, "rss": rss}


def serve(pipe: Any, count: int) -> None:
    """Run the server in a process of its own: its CPU time is not the client's."""
    with FaultServer(make_oracle(make_cases(count)), keep=1) as server:
        pipe.send(server.openai_url)
        while (message := pipe.recv()) is not None:
            if "latency" in message:
                server.latency = message["latency"]
                server.reset()
            stats = server.stats
            pipe.send((stats.calls, stats.prompt_tokens, stats.completion_tokens, stats.most_at_once))


def in_process(name: str, url: str, count: int, concurrency: int) -> dict[str, float]:
    """Run a client in a fresh process."""
    command = [sys.executable, __file__, "--client", name, "--url", url, "--cases", str(count)]
    done = subprocess.run(  # noqa: S603 - our own script
        [*command, "--concurrency", str(concurrency)], check=True, capture_output=True, text=True, env=os.environ
    )
    return dict(json.loads(done.stdout.splitlines()[-1]))


def main() -> int:
    """Print the table; exit 1 if a budget is exceeded or a verdict is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--latency", type=float, default=0.2)
    parser.add_argument("--concurrency", type=int, default=64)
    parser.add_argument("--repeats", type=int, default=3, help="runs at 0 ms; the one with the least CPU time counts")
    parser.add_argument("--client", choices=CLIENTS)
    parser.add_argument("--url")
    options = parser.parse_args()
    os.environ.setdefault("LITELLM_OFFLINE_MODE", "true")
    os.environ.setdefault("LITELLM_MODE", "PRODUCTION")
    if options.client:
        print(json.dumps(asyncio.run(run_client(options.client, options.url, options.cases, options.concurrency))))
        return 0
    context = multiprocessing.get_context("spawn")
    pipe, other = context.Pipe()
    server = context.Process(target=serve, args=(other, options.cases))
    server.start()
    try:
        return table(pipe, pipe.recv(), options)
    finally:
        pipe.send(None)
        server.join()


def table(pipe: Any, url: str, options: argparse.Namespace) -> int:
    """Run every client and print what it took."""

    def ask_server(message: dict[str, float]) -> tuple[int, int, int, int]:
        pipe.send(message)
        return tuple(pipe.recv())

    slow, sent, cpu = {}, {}, {}
    for name in CLIENTS:
        ask_server({"latency": options.latency})
        slow[name] = in_process(name, url, options.cases, options.concurrency)
        *counts, flight = ask_server({})
        # The first case is judged once more, to warm up; it does not count.
        sent[name] = (*(round(count * options.cases / (options.cases + 1)) for count in counts), flight)
    ask_server({"latency": 0.0})
    for _ in range(options.repeats):  # in rounds, so that a busy moment of the machine meets every client
        for name in CLIENTS:
            spent = in_process(name, url, options.cases, 16)["cpu"] * 1000 / sent[name][0]
            cpu[name] = min(spent, cpu.get(name, spent))
    latency = f"{options.latency * 1000:.0f} ms, c{options.concurrency}"
    print(
        f"{'client':24}{'calls':>7}{'prompt tok':>12}{'compl tok':>11}{'in flight':>11}{'wall s @' + latency:>20}"
        f"{'CPU ms/call @0 ms':>19}{'ratio':>7}{'RSS MB':>8}{'right':>7}"
    )
    failures: list[str] = []
    for name in CLIENTS:
        calls, prompt, completion, flight = sent[name]
        ratio = cpu[name] / cpu[CPU_FLOOR]
        print(
            f"{name:24}{calls:>7}{prompt:>12,}{completion:>11,}{flight:>11}{slow[name]['wall']:>20.2f}"
            f"{cpu[name]:>19.2f}{ratio:>7.2f}{slow[name]['rss']:>8.0f}{slow[name]['right']:>7.0f}"
        )
        failures += checks(name, (calls, prompt, completion), ratio, slow[name]["wrong"], options.cases / 200)
    for failure in failures:
        print("FAILED", failure)
    return 1 if failures else 0


def checks(name: str, sent: tuple[int, int, int], ratio: float, wrong: float, share: float) -> list[str]:
    """Return what a client exceeds."""
    failures = [f"{name}: {wrong:.0f} cases with other verdicts than the right ones"] if wrong else []
    if name in BUDGETS:
        for what, value, most in zip(("calls", "prompt tokens", "completion tokens"), sent, BUDGETS[name], strict=True):
            if value > most * share:
                failures.append(f"{name}: {value:,} {what}, more than {most * share:,.0f}")
        if ratio > CPU_RATIO:
            failures.append(f"{name}: {ratio:.2f} times the CPU of {CPU_FLOOR}, more than {CPU_RATIO}")
    return failures


if __name__ == "__main__":
    sys.exit(main())
