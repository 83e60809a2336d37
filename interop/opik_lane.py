"""Opik's own hallucination metric, with its LiteLLM model and with ours. Run by `make interop NAME=opik`."""

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

from litellm.exceptions import APIError  # noqa: E402
from opik.evaluation.metrics import Hallucination  # noqa: E402
from opik.evaluation.models import LiteLLMChatModel  # noqa: E402
from opik.exceptions import MetricComputationError  # noqa: E402

from magistrate.integrations.opik import MagistrateModel  # noqa: E402

EXPLICIT = (MetricComputationError, APIError)


def metric(side: str, url: str) -> Any:
    """The one line that a user changes."""
    if side == "theirs":
        return Hallucination(model=LiteLLMChatModel("openai/gpt-4o", api_base=url, track=False), track=False)
    return Hallucination(model=MagistrateModel("gpt-4o", api_base=url), track=False)


async def score_of(judge: Any, given: dict[str, Any]) -> Any:
    """Score one case."""
    result = await judge.ascore(**{**given, "context": [given["context"]]})
    return None if result.scoring_failed else result.value


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
    main(f"opik {version('opik')}, Hallucination", run, kinds=LABEL_FAULTS)
