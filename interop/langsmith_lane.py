"""openevals' own judge, with LangChain's OpenAI model and with ours. Run by `make interop NAME=langsmith`.

A case has one score: there is no list of statements to shorten or to reorder.
"""

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

import httpx  # noqa: E402
import openai  # noqa: E402
from langchain.chat_models import init_chat_model  # noqa: E402
from langchain_core.exceptions import OutputParserException  # noqa: E402
from openevals.llm import create_async_llm_as_judge  # noqa: E402

from magistrate import as_async_openai_client  # noqa: E402

EXPLICIT = (openai.OpenAIError, OutputParserException, ValueError)
PROMPT = "Rate from 0.0 to 1.0 how well the answer fits.\n\nQuestion: {inputs}\n\nAnswer: {outputs}"


def metric(side: str, url: str) -> Any:
    """What a user changes."""
    if side == "theirs":
        client = httpx.AsyncClient()  # LangChain keeps one for each address, and each run has an event loop of its own
        model = init_chat_model("openai:gpt-4o", base_url=url, max_retries=0, http_async_client=client)
        given: dict[str, Any] = {"judge": model}
    else:
        given = {"judge": as_async_openai_client("gpt-4o", api_base=url), "model": "gpt-4o"}
    return create_async_llm_as_judge(prompt=PROMPT, continuous=True, **given)


async def score_of(judge: Any, given: dict[str, str]) -> Any:
    """Score one case."""
    found = await judge(inputs=given["input"], outputs=given["output"])
    # A word is handed on as the score, and so counts as a wrong one.
    return found["score"] if isinstance(found["score"], int | float) else -1.0


if __name__ == "__main__":
    main(
        f"openevals {version('openevals')}, create_llm_as_judge(continuous=True)",
        scoring(metric, score_of, EXPLICIT),
        kinds=LABEL_FAULTS,
    )
