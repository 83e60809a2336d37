"""DeepEval's own faithfulness, with its default model class and with ours. Run by `make interop NAME=deepeval`."""

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

from deepeval.errors import DeepEvalError  # noqa: E402
from deepeval.metrics import FaithfulnessMetric  # noqa: E402
from deepeval.models import GPTModel  # noqa: E402
from deepeval.test_case import LLMTestCase  # noqa: E402

from magistrate.integrations.deepeval import MagistrateModel  # noqa: E402

EXPLICIT = (DeepEvalError, ValueError)  # ValueError: "Evaluation LLM outputted an invalid JSON"


def model(side: str, url: str) -> Any:
    """The one line that a user changes."""
    if side == "theirs":
        return GPTModel("gpt-4o", base_url=url)
    return MagistrateModel("gpt-4o", api_base=url)


def case(number: int) -> LLMTestCase:
    """One test case."""
    return LLMTestCase(
        input=f"Who keeps lighthouse {number}?",
        actual_output=f"Lighthouse {number} is kept by two sisters. They took it over in 19{number % 90 + 10}.",
        retrieval_context=[f"Lighthouse {number} has been kept by two sisters since 19{number % 90 + 10}."],
    )


def run(side: str, url: str, numbers: Sequence[int]) -> list[Result]:
    """Measure the test cases."""

    async def score() -> list[Result]:
        judge = model(side, url)

        def job(number: int) -> Any:
            async def one() -> Any:
                metric = FaithfulnessMetric(model=judge, include_reason=False)
                return await metric.a_measure(case(number), _show_indicator=False)

            return one

        return await gather([job(number) for number in numbers], EXPLICIT)

    return asyncio.run(score())


def every_class() -> list[str]:
    """All classes of metrics that ask a model."""
    import deepeval_classes  # noqa: PLC0415 - imports DeepEval's whole catalogue
    from classes import classes  # noqa: PLC0415

    return classes("deepeval.metrics", deepeval_classes.every_class, EXPLICIT)


if __name__ == "__main__":
    main(f"deepeval {version('deepeval')}, FaithfulnessMetric", run, every_class)
