"""TruLens' own relevance, with its LiteLLM provider and with ours. Run by `make interop NAME=trulens`."""

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

from trulens.feedback.generated import ParseError  # noqa: E402
from trulens.feedback.llm_provider import UNPARSABLE_SCORE  # noqa: E402
from trulens.providers.litellm import LiteLLM  # noqa: E402

from magistrate.integrations.trulens import MagistrateProvider  # noqa: E402

EXPLICIT = (RuntimeError, ParseError)  # RuntimeError: "Endpoint ... request failed"


def metric(side: str, url: str) -> Any:
    """The one line that a user changes."""
    if side == "theirs":
        return LiteLLM(model_engine="openai/gpt-4o", completion_kwargs={"api_base": url})
    return MagistrateProvider("gpt-4o", api_base=url)


async def score_of(judge: Any, given: dict[str, Any]) -> Any:
    """Score one case; -1 is TruLens' own mark of a reply without a score."""
    score, _ = await asyncio.to_thread(judge.relevance_with_cot_reasons, given["input"], given["output"])
    return None if score == UNPARSABLE_SCORE else score


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
    main(f"trulens {version('trulens-core')}, relevance_with_cot_reasons", run, kinds=LABEL_FAULTS)
