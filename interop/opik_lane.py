"""Opik's own hallucination metric, with its LiteLLM model and with ours. Run by `make interop NAME=opik`."""

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


if __name__ == "__main__":
    main(f"opik {version('opik')}, Hallucination", scoring(metric, score_of, EXPLICIT), kinds=LABEL_FAULTS)
