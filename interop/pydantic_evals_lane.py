"""Pydantic Evals' own `LLMJudge`, with its OpenAI model and with ours. Run by `make interop NAME=pydantic-evals`.

A case has one grade, a score and a pass: there is no list of statements to shorten or to reorder.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from faults import LABEL_FAULTS
from table import Result, main

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)

from pydantic_ai.models.openai import OpenAIChatModel  # noqa: E402
from pydantic_ai.providers.openai import OpenAIProvider  # noqa: E402
from pydantic_evals import Case, Dataset  # noqa: E402
from pydantic_evals.evaluators import LLMJudge, OutputConfig  # noqa: E402

from magistrate.integrations.pydantic_evals import MagistrateModel  # noqa: E402


def model(side: str, url: str) -> Any:
    """The one line that a user changes."""
    if side == "theirs":
        return OpenAIChatModel("gpt-4o", provider=OpenAIProvider(base_url=url, api_key="unused"))
    return MagistrateModel("gpt-4o", api_base=url)


def run(side: str, url: str, numbers: Sequence[int]) -> list[Result]:
    """Judge the cases: the score, and 2 more for a pass."""
    judge = LLMJudge("It answers the question.", model(side, url), include_input=True, score=OutputConfig())
    cases: list[Any] = [Case(name=str(number), inputs=f"Who keeps lighthouse {number}?") for number in numbers]
    dataset: Any = Dataset(name="lighthouses", cases=cases, evaluators=[judge])
    report = dataset.evaluate_sync(lambda _: "Two sisters keep it.", max_concurrency=16, progress=False)
    found = {case.name: result(case) for case in report.cases}
    return [found[str(number)] for number in numbers]


def result(case: Any) -> Result:
    """What the report says of a case."""
    if case.evaluator_failures:
        return Result(error=case.evaluator_failures[0].error_message, explicit=True)
    return Result(case.scores["LLMJudge_score"].value + 2 * case.assertions["LLMJudge_pass"].value)


if __name__ == "__main__":
    main(f"pydantic-evals {version('pydantic-evals')}, LLMJudge", run, kinds=LABEL_FAULTS)
