"""Inspect's own `model_graded_qa`, with its OpenAI model and with ours. Run by `make interop NAME=inspect-ai`.

A sample has one grade: there is no list of statements to shorten or to reorder. A grade is a line of text, so that
quotes do not matter; a grader often weighs another grade first, which is what counts when the reply is cut.
"""

from __future__ import annotations

import logging
import math
import tempfile
import warnings
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from table import Result, main

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)

from inspect_ai import Task, eval  # noqa: A004, E402
from inspect_ai.dataset import Sample  # noqa: E402
from inspect_ai.model import ModelOutput, get_model  # noqa: E402
from inspect_ai.scorer import model_graded_qa  # noqa: E402
from inspect_ai.solver import solver  # noqa: E402

KINDS = ("none", "fence with prose", "not on offer", "refusal", "truncated")


def grader(side: str, url: str) -> Any:
    """The one line that a user changes."""
    if side == "theirs":
        return get_model("openai/gpt-4o", base_url=url, responses_api=False, memoize=False)
    return get_model("magistrate/gpt-4o", base_url=url, memoize=False)


@solver
def answered() -> Any:
    """The model under test: it has answered already."""

    async def solve(state: Any, generate: Any) -> Any:
        del generate
        state.output = ModelOutput.from_content("none/none", f"Two sisters keep it, since {state.metadata['year']}.")
        return state

    return solve


def run(side: str, url: str, numbers: Sequence[int]) -> list[Result]:
    """Grade the samples."""
    samples = [
        Sample(
            id=number + 1,
            input=f"Who keeps lighthouse {number}?",
            target="Two sisters.",
            metadata={"year": 1900 + number},
        )
        for number in numbers
    ]
    task = Task(dataset=samples, solver=answered(), scorer=model_graded_qa(model=grader(side, url)))
    with tempfile.TemporaryDirectory() as folder:
        (log,) = eval(task, model="none/none", log_dir=folder, display="none", fail_on_error=False, max_samples=16)
        return [result(sample) for sample in sorted(log.samples or (), key=lambda sample: sample.id)]


def result(sample: Any) -> Result:
    """What Inspect's log says of a sample."""
    if sample.error is not None:
        return Result(error=sample.error.message, explicit=True)
    (score,) = sample.scores.values()
    if isinstance(score.value, float) and math.isnan(score.value):
        return Result()
    return Result({"C": 1.0, "I": 0.0}.get(score.value, 0.5))


if __name__ == "__main__":
    main(f"inspect-ai {version('inspect-ai')}, model_graded_qa", run, kinds=KINDS)
