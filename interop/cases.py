"""The cases of the lanes whose frameworks score one at a time, and how they are scored."""

from __future__ import annotations

import asyncio
import concurrent.futures
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from table import Result, Run, gather, table

__all__ = ["case", "scoring", "tables"]

_AT_ONCE = 16  # as many threads as cases that `gather` has under way


def case(number: int) -> dict[str, str]:
    """One case: an input, an output of two sentences and the passage that it is about."""
    year = 1900 + number
    return {
        "input": f"Who keeps lighthouse {number}?",
        "output": f"Lighthouse {number} is kept by two sisters. They took it over in {year}.",
        "context": f"Lighthouse {number} has been kept by two sisters since {year}.",
    }


def scoring(
    metric: Callable[[str, str], Any],
    score: Callable[[Any, dict[str, str]], Awaitable[Any]],
    explicit: tuple[type[BaseException], ...],
) -> Run:
    """A lane's run: make the framework's metric once, score each case with it.

    Args:
        metric: Makes the metric for a side and the server's address.
        score: Scores a case with it; None for no score.
        explicit: What the framework raises where the judge failed.
    """

    def run(side: str, url: str, numbers: Sequence[int]) -> list[Result]:
        async def scored() -> list[Result]:
            with concurrent.futures.ThreadPoolExecutor(_AT_ONCE) as threads:  # TruLens puts one of its own in its place
                asyncio.get_running_loop().set_default_executor(threads)
                made = metric(side, url)

                def job(number: int) -> Callable[[], Awaitable[Any]]:
                    return lambda: score(made, case(number))

                return await gather([job(number) for number in numbers], explicit)

        return asyncio.run(scored())

    return run


def tables(name: str, run: Run, kinds: Sequence[str]) -> Callable[[], list[str]]:
    """What a lane shows beside its first evaluation: the tables of another one, and what is silently wrong in them."""

    def shown() -> list[str]:
        found = [table(name, run, 100, always=always, kinds=kinds) for always in (True, False)]
        ours = [(row, cells) for rows in found for row, cells in rows.items() if row.endswith("/magistrate")]
        return [f"{name}: {row}" for row, cells in ours if cells["silently wrong"]]

    return shown
