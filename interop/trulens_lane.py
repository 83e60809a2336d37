"""TruLens' own groundedness and relevance, with its LiteLLM provider and with ours. Run by `make interop NAME=trulens`.

Groundedness asks for the sentences of the answer, then for those worth judging (a list), then for a score of each one.
"""

from __future__ import annotations

import asyncio
import logging
import warnings
from importlib.metadata import version
from typing import Any

from cases import scoring, tables
from faults import FAULTS, LABEL_FAULTS
from table import main

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)

from trulens.core.metric.metric import GroundednessConfigs  # noqa: E402
from trulens.feedback.generated import ParseError  # noqa: E402
from trulens.feedback.llm_provider import UNPARSABLE_SCORE  # noqa: E402
from trulens.providers.litellm import LiteLLM  # noqa: E402

from magistrate.integrations.trulens import MagistrateProvider  # noqa: E402

EXPLICIT = (RuntimeError, ParseError)  # RuntimeError: "Endpoint ... request failed"
RPM = 60_000  # TruLens lets 60 calls a minute through unless told otherwise
# The other splitter is downloaded.
CONFIGS = GroundednessConfigs(use_sent_tokenize=False, filter_trivial_statements=True)
NAME = f"trulens {version('trulens-core')}"


def provider(side: str, url: str) -> Any:
    """The one line that a user changes."""
    if side == "theirs":
        return LiteLLM(model_engine="openai/gpt-4o", completion_kwargs={"api_base": url}, rpm=RPM)
    return MagistrateProvider("gpt-4o", api_base=url, rpm=RPM)


async def groundedness(judge: Any, given: dict[str, str]) -> Any:
    """Score one case; -1 is TruLens' own mark of a reply without a score."""
    answer = f"{given['output']} Glad to help!"
    score, _ = await asyncio.to_thread(
        judge.groundedness_measure_with_cot_reasons, given["context"], answer, groundedness_configs=CONFIGS
    )
    return None if score == UNPARSABLE_SCORE else score


async def relevance(judge: Any, given: dict[str, str]) -> Any:
    """Score one case."""
    score, _ = await asyncio.to_thread(judge.relevance_with_cot_reasons, given["input"], given["output"])
    return None if score == UNPARSABLE_SCORE else score


if __name__ == "__main__":
    main(
        f"{NAME}, groundedness_measure_with_cot_reasons",
        scoring(provider, groundedness, EXPLICIT),
        tables(f"{NAME}, relevance_with_cot_reasons", scoring(provider, relevance, EXPLICIT), LABEL_FAULTS),
        kinds=FAULTS,
    )
