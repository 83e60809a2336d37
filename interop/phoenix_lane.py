"""Phoenix's own faithfulness evaluator, with its OpenAI adapter and with ours. Run by `make interop NAME=phoenix`."""

from __future__ import annotations

import asyncio
import logging
import warnings
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from faults import LABEL_FAULTS
from table import Result, gather, main

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)

import openai  # noqa: E402
from phoenix.evals import LLM  # noqa: E402
from phoenix.evals.exceptions import PhoenixException  # noqa: E402
from phoenix.evals.metrics import FaithfulnessEvaluator  # noqa: E402

import magistrate.integrations.phoenix  # noqa: E402, F401 - registers the provider

EXPLICIT = (PhoenixException, openai.OpenAIError, ValueError)  # ValueError: a reply that its adapter cannot read


def metric(side: str, url: str) -> Any:
    """The one line that a user changes."""
    if side == "theirs":
        return FaithfulnessEvaluator(LLM(provider="openai", model="gpt-4o", base_url=url))
    return FaithfulnessEvaluator(LLM(provider="magistrate", model="gpt-4o", api_base=url))


async def score_of(judge: Any, given: dict[str, Any]) -> Any:
    """Score one case."""
    (score,) = await judge.async_evaluate(given)
    return score.score


def case(number: int) -> dict[str, Any]:
    """One case."""
    return {
        "input": f"Who keeps lighthouse {number}?",
        "output": f"Lighthouse {number} is kept by two sisters. They took it over in 19{number % 90 + 10}.",
        "context": f"Lighthouse {number} has been kept by two sisters since 19{number % 90 + 10}.",
    }


def run(side: str, url: str, numbers: Sequence[int]) -> list[Result]:
    """Score the cases."""

    async def score() -> list[Result]:
        judge = metric(side, url)

        def job(number: int) -> Any:
            async def one() -> Any:
                return await score_of(judge, case(number))

            return one

        return await gather([job(number) for number in numbers], EXPLICIT)

    return asyncio.run(score())


if __name__ == "__main__":
    main(f"phoenix-evals {version('arize-phoenix-evals')}, FaithfulnessEvaluator", run, kinds=LABEL_FAULTS)
