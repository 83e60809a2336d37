"""Autoevals' own `ragas.Faithfulness`, with OpenAI's client and with ours. Run by `make interop NAME=autoevals`.

Then its `Factuality`, where a case has one letter: there is no list of statements to shorten or to reorder.
"""

from __future__ import annotations

import asyncio
import logging
import warnings
from collections.abc import Callable, Sequence
from typing import Any

from faults import LABEL_FAULTS
from table import Result, gather, main, table

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)

import openai  # noqa: E402
from autoevals import Factuality  # noqa: E402
from autoevals.ragas import Faithfulness  # noqa: E402

from magistrate import as_async_openai_client  # noqa: E402

EXPLICIT = (openai.OpenAIError, ValueError)  # ValueError: the reply is no JSON


def client(side: str, url: str) -> Any:
    """The one line that a user changes."""
    if side == "theirs":
        return openai.AsyncOpenAI(base_url=url, api_key="unused", max_retries=0)
    return as_async_openai_client("gpt-4o", api_base=url)


def runner(scorer: Callable[..., Any]) -> Callable[[str, str, Sequence[int]], list[Result]]:
    """Runs one scorer over the cases."""

    def run(side: str, url: str, numbers: Sequence[int]) -> list[Result]:
        async def score() -> list[Result]:
            judge = scorer(client=client(side, url), model="gpt-4o")

            def job(number: int) -> Any:
                async def one() -> Any:
                    kept = f"Lighthouse {number} has been kept by two sisters since {1900 + number}."
                    answer = f"Lighthouse {number} is kept by two sisters. They took it over in {1900 + number}."
                    asked = f"Who keeps lighthouse {number}?"
                    return (await judge.eval_async(output=answer, expected=kept, input=asked, context=kept)).score

                return one

            return await gather([job(number) for number in numbers], EXPLICIT)

        return asyncio.run(score())

    return run


def labels() -> list[str]:
    """The same for a scorer with one label a case; the rows that are silently wrong through magistrate."""
    wrong: list[str] = []
    kinds = [kind for kind in LABEL_FAULTS if kind != "out of range"]
    for always in (True, False):
        rows = table("autoevals 0.4.1, Factuality", runner(Factuality), 100, always=always, kinds=kinds)
        wrong += [row for row, cells in rows.items() if row.endswith("/magistrate") and cells["silently wrong"]]
    return wrong


if __name__ == "__main__":
    main("autoevals 0.4.1, ragas.Faithfulness", runner(Faithfulness), labels)
