"""Ragas' own faithfulness, with `llm_factory`'s model and with ours. Run by `make interop NAME=ragas`."""

from __future__ import annotations

import asyncio
import logging
import warnings
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from table import Result, gather, main

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)

from instructor.core.exceptions import IncompleteOutputException, InstructorRetryException  # noqa: E402
from openai import AsyncOpenAI  # noqa: E402
from ragas.exceptions import RagasException  # noqa: E402
from ragas.llms import llm_factory  # noqa: E402
from ragas.metrics.collections import Faithfulness  # noqa: E402

from magistrate.integrations.ragas import MagistrateLLM  # noqa: E402

EXPLICIT = (RagasException, InstructorRetryException, IncompleteOutputException)


def llm(side: str, url: str) -> Any:
    """The one line that a user changes."""
    if side == "theirs":
        return llm_factory("gpt-4o", client=AsyncOpenAI(base_url=url, max_retries=0))
    return MagistrateLLM("gpt-4o", api_base=url)


def sample(number: int) -> dict[str, Any]:
    """One sample of the dataset."""
    return {
        "user_input": f"Who keeps lighthouse {number}?",
        "response": f"Lighthouse {number} is kept by two sisters. They took it over in 19{number % 90 + 10}.",
        "retrieved_contexts": [f"Lighthouse {number} has been kept by two sisters since 19{number % 90 + 10}."],
    }


def run(side: str, url: str, numbers: Sequence[int]) -> list[Result]:
    """Score the samples."""

    async def score() -> list[Result]:
        metric = Faithfulness(llm=llm(side, url))

        def job(number: int) -> Any:
            async def one() -> Any:
                return (await metric.ascore(**sample(number))).value

            return one

        return await gather([job(number) for number in numbers], EXPLICIT)

    return asyncio.run(score())


def every_class() -> list[str]:
    """All classes of metrics that ask a model."""
    import ragas_classes  # noqa: PLC0415 - imports ragas' whole catalogue
    from classes import classes  # noqa: PLC0415

    return [
        *classes("ragas.metrics.collections", ragas_classes.collections, EXPLICIT),
        *classes("ragas.metrics, as evaluate() takes them", ragas_classes.legacy, EXPLICIT),
        *classes("ragas.metrics with a prompt of one's own", ragas_classes.with_prompt, EXPLICIT),
    ]


if __name__ == "__main__":
    main(f"ragas {version('ragas')}, Faithfulness", run, every_class)
