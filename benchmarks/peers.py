"""What other frameworks ask of a model: calls and tokens of their own faithfulness on the cases of `run.py`.

    build/interop/ragas/bin/python benchmarks/peers.py ragas        # after `make interop NAME=ragas`
    build/interop/deepeval/bin/python benchmarks/peers.py deepeval

Their metric, their prompts and their own client, as their docs show them; the server that plays the model for ours
too counts: five statements an answer, each with a verdict and a reason of some ten words. Tokens are characters / 4
of what crosses the wire.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "interop")]

import table  # noqa: F401 - sets what the frameworks read from the environment
from workload import BenchCase, make_cases, make_oracle

from magistrate.testing import FaultServer

AT_ONCE = 16


def ragas(url: str) -> Callable[[BenchCase], Awaitable[Any]]:
    """Ragas' faithfulness."""
    from ragas_lane import Faithfulness, llm

    metric = Faithfulness(llm=llm("theirs", url))
    return lambda case: metric.ascore(
        user_input=case.question, response=case.answer, retrieved_contexts=list(case.contexts)
    )


def deepeval(url: str) -> Callable[[BenchCase], Awaitable[Any]]:
    """DeepEval's faithfulness, with the reason it writes by default."""
    from deepeval_lane import FaithfulnessMetric, LLMTestCase, model

    judge = model("theirs", url)

    def measured(case: BenchCase) -> Awaitable[Any]:
        told = LLMTestCase(input=case.question, actual_output=case.answer, retrieval_context=list(case.contexts))
        return FaithfulnessMetric(model=judge).a_measure(told, _show_indicator=False)

    return measured


async def _measure(judge: Callable[[BenchCase], Awaitable[Any]], cases: list[BenchCase]) -> None:
    limit = asyncio.Semaphore(AT_ONCE)

    async def one(case: BenchCase) -> None:
        async with limit:
            await judge(case)

    await asyncio.gather(*map(one, cases))


def main() -> None:
    """Print a row of the table in docs/benchmarks.md."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name", choices=("ragas", "deepeval"))
    parser.add_argument("--cases", type=int, default=200)
    given = parser.parse_args()
    cases = make_cases(given.cases)
    with FaultServer(make_oracle(cases), keep=1) as server:
        asyncio.run(_measure({"ragas": ragas, "deepeval": deepeval}[given.name](server.openai_url), cases))
        stats = server.stats
    if stats.unknown:
        raise SystemExit(f"{stats.unknown} prompts are not known to the server: the figures would be too low")
    print(f"| {given.name} | {stats.calls} | {stats.prompt_tokens:,} | {stats.completion_tokens:,} |")


if __name__ == "__main__":
    main()
