"""openevals' own judge, with LangChain's OpenAI model and with ours. Run by `make interop NAME=langsmith`.

A case has one score: there is no list of statements to shorten or to reorder.
"""

from __future__ import annotations

import asyncio
import logging
import warnings
from collections.abc import Sequence
from typing import Any

from faults import LABEL_FAULTS
from table import Result, gather, main

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)

import openai  # noqa: E402
from langchain.chat_models import init_chat_model  # noqa: E402
from langchain_core.exceptions import OutputParserException  # noqa: E402
from openevals.llm import create_async_llm_as_judge  # noqa: E402

from magistrate import as_async_openai_client  # noqa: E402

EXPLICIT = (openai.OpenAIError, OutputParserException, ValueError)
PROMPT = "Rate from 0.0 to 1.0 how well the answer fits.\n\nQuestion: {inputs}\n\nAnswer: {outputs}"


def model(side: str, url: str) -> dict[str, Any]:
    """What a user changes."""
    if side == "theirs":
        return {"judge": init_chat_model("openai:gpt-4o", base_url=url, max_retries=0)}
    return {"judge": as_async_openai_client("gpt-4o", api_base=url), "model": "gpt-4o"}


def run(side: str, url: str, numbers: Sequence[int]) -> list[Result]:
    """Judge the cases."""

    async def score() -> list[Result]:
        judge = create_async_llm_as_judge(prompt=PROMPT, continuous=True, **model(side, url))

        def job(number: int) -> Any:
            async def one() -> Any:
                found = await judge(inputs=f"Who keeps lighthouse {number}?", outputs="Two sisters keep it.")
                # A word is handed on as the score, and so counts as a wrong one.
                return found["score"] if isinstance(found["score"], int | float) else -1.0

            return one

        return await gather([job(number) for number in numbers], EXPLICIT)

    return asyncio.run(score())


if __name__ == "__main__":
    main("openevals 0.2.2, create_llm_as_judge(continuous=True)", run, kinds=LABEL_FAULTS)
