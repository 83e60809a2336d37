"""Phoenix's own faithfulness evaluator, with its OpenAI adapter and with ours. Run by `make interop NAME=phoenix`."""

from __future__ import annotations

import logging
import warnings
from importlib.metadata import version
from typing import Any

from cases import scoring
from faults import LABEL_FAULTS
from table import main

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


async def score_of(judge: Any, given: dict[str, str]) -> Any:
    """Score one case."""
    (score,) = await judge.async_evaluate(given)
    return score.score


if __name__ == "__main__":
    main(
        f"phoenix-evals {version('arize-phoenix-evals')}, FaithfulnessEvaluator",
        scoring(metric, score_of, EXPLICIT),
        kinds=[kind for kind in LABEL_FAULTS if kind != "out of range"],
    )
