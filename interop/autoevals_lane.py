"""Autoevals' own `ragas.Faithfulness`, with OpenAI's client and with ours. Run by `make interop NAME=autoevals`.

Then its `Factuality`, where a case has one letter: there is no list of statements to shorten or to reorder.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

from cases import scoring, tables
from faults import LABEL_FAULTS
from table import main

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)

import openai  # noqa: E402
from autoevals import Factuality  # noqa: E402
from autoevals.ragas import Faithfulness  # noqa: E402

from magistrate import as_async_openai_client  # noqa: E402

EXPLICIT = (openai.OpenAIError, ValueError)  # ValueError: the reply is no JSON
NAME = f"autoevals {version('autoevals')}"
LABELS = [kind for kind in LABEL_FAULTS if kind != "out of range"]


def client(side: str, url: str) -> Any:
    """The one line that a user changes."""
    if side == "theirs":
        return openai.AsyncOpenAI(base_url=url, api_key="unused", max_retries=0)
    return as_async_openai_client("gpt-4o", api_base=url)


def scorer(made: Callable[..., Any]) -> Callable[[str, str], Any]:
    """One of autoevals' scorers, for a side."""
    return lambda side, url: made(client=client(side, url), model="gpt-4o")


async def score_of(judge: Any, given: dict[str, str]) -> Any:
    """Score one case."""
    about = {"expected": given["context"], "input": given["input"], "context": given["context"]}
    return (await judge.eval_async(output=given["output"], **about)).score


if __name__ == "__main__":
    main(
        f"{NAME}, ragas.Faithfulness",
        scoring(scorer(Faithfulness), score_of, EXPLICIT),
        tables(f"{NAME}, Factuality", scoring(scorer(Factuality), score_of, EXPLICIT), LABELS),
    )
