"""Calls, tokens, time and CPU of a judged run, next to bare LiteLLM and bare Instructor in the same run.

    python benchmarks/run.py                  # the table
    python benchmarks/run.py --cases 50       # a smaller one

One test server (its own process) plays the model for all clients: 200 cases of a five-sentence answer and three
passages of about 130 words, 200 ms latency, concurrency 64; then the same at 0 ms and concurrency 16, for the CPU time
of the client alone. Tokens are characters / 4 of what crosses the wire: messages, schema or tools, and the answer. Each
client runs in its own process, and every verdict it reports is compared with the right one. Ours is what `evaluate`
does: the faithfulness metric, the runner and the judge.

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
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Self

sys.path.insert(0, str(Path(__file__).parent))

from workload import BenchCase, make_cases, make_oracle

from magistrate.testing import FaultServer
from magistrate.verdict import Verdict

MODEL = "gpt-4o"
BUDGETS = {"magistrate": (400, 242_000, 47_000), "magistrate single": (200, 177_000, 47_000)}
"""Calls, prompt and completion tokens: those of 0.1.0, and 40 characters a judging call for clearer rules."""
PEERS = {
    "ragas": (400, 506_000, 63_000),
    "DeepEval": (800, 586_000, 165_000),
}
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


class Timed:
    """Wall and CPU seconds of what is done in it, and the verdicts found there."""

    def __enter__(self) -> Self:
        self.found: list[list[str | None]] = []
        self.wall, self.cpu = time.perf_counter(), time.process_time()
        return self

    def __exit__(self, *_: object) -> None:
        self.wall, self.cpu = time.perf_counter() - self.wall, time.process_time() - self.cpu


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


async def run_ours(url: str, *, single: bool, cases: Sequence[BenchCase], concurrency: int) -> Timed:
    """The metric and the runner as `magistrate eval` has them, with the model as the judge."""
    from magistrate import Case, Faithfulness, LLMJudge, aevaluate  # noqa: PLC0415 - each client loads what it needs

    metric = Faithfulness(mode="single" if single else "batched")
    given = [Case(question=case.question, answer=case.answer, contexts=case.contexts) for case in cases]
    async with LLMJudge(MODEL, api_base=url, api_key="unused") as judge:
        await metric.evaluate(given[0], judge)
        with Timed() as timed:
            run = await aevaluate(given, [metric], judge, concurrency=concurrency)
    timed.found = [[verdict.verdict and verdict.verdict.value for verdict in result.verdicts] for result in run.results]
    return timed


def make_floor(name: str, url: str) -> tuple[Judged, Closing]:
    """Return what judges a case, and what closes its connections."""
    return litellm_floor(url) if name == "litellm" else instructor_floor(url, name.partition(" ")[2].upper())


async def run_floor(name: str, url: str, cases: Sequence[BenchCase], concurrency: int) -> Timed:
    """Judge all cases with a client that has no runner of its own."""
    judge, close = make_floor(name, url)
    await judge(cases[0])
    slots = asyncio.Semaphore(concurrency)

    async def one(case: BenchCase) -> list[str | None]:
        async with slots:
            return list(await judge(case))

    with Timed() as timed:
        timed.found = await asyncio.gather(*(one(case) for case in cases))
    await close()
    return timed


async def run_client(name: str, url: str, count: int, concurrency: int) -> dict[str, float]:
    """Judge all cases with one client, after one to warm up: what is done once is not what a call costs.

    Returns:
        Wall time, CPU time, how many cases had the right verdicts and how many did not, and memory.
    """
    cases = make_cases(count)
    if name in BUDGETS:
        timed = await run_ours(url, single=name.endswith("single"), cases=cases, concurrency=concurrency)
    else:
        timed = await run_floor(name, url, cases, concurrency)
    expected = [[Verdict(verdict).value for verdict in case.verdicts] for case in cases]
    right = sum(found == wanted for found, wanted in zip(timed.found, expected, strict=True))
    rss = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"wall": timed.wall, "cpu": timed.cpu, "right": right, "wrong": count - right, "rss": rss}


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
    print_peers(sent, options.cases)
    for failure in failures:
        print("FAILED", failure)
    return 1 if failures else 0


def print_peers(sent: Mapping[str, tuple[int, int, int, int]], cases: int) -> None:
    """Print what other frameworks send for the same cases, as a multiple of what we send."""
    calls, prompt, completion, _ = sent["magistrate"]
    print("\nothers, measured apart on such a server with these options (times what magistrate sends)")
    for name, (their_calls, their_prompt, their_completion) in PEERS.items():
        share = cases / 200
        print(
            f"{name:24}{their_calls * share:>7.0f}{their_prompt * share:>12,.0f}{their_completion * share:>11,.0f}   "
            f"x{their_calls * share / calls:.1f} calls, x{their_prompt * share / prompt:.1f} prompt, "
            f"x{their_completion * share / completion:.1f} completion tokens"
        )


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
