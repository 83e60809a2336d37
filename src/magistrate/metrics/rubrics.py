"""Rubrics: what a judge grades by, on a declared range. Those of the package are prompt files, with a version."""

from __future__ import annotations

from dataclasses import dataclass, replace

from magistrate.errors import PromptError
from magistrate.judges import Judge, ScoreReply, as_judge
from magistrate.metrics.asking import ask
from magistrate.prompts import load_prompt
from magistrate.verdict import Issue, Status

__all__ = ["Rubric", "grade", "load_rubric", "share"]


@dataclass(frozen=True, slots=True)
class Rubric:
    """What is graded, and on which range.

    Args:
        name: Its name with its version, as reports print it.
        text: The criteria, as the judge reads them.
        low: Lowest grade.
        high: Highest grade.
    """

    name: str
    text: str
    low: float
    high: float


def load_rubric(name: str) -> Rubric:
    """Load the rubric `prompts/rubric-<name>.md`.

    Raises:
        PromptError: If there is none, or its range is missing.
    """
    prompt = load_prompt(f"rubric-{name}")
    low, high = prompt.wordings.get("low"), prompt.wordings.get("high")
    if not isinstance(low, int | float) or not isinstance(high, int | float) or not low < high:
        raise PromptError(f"prompt {prompt.name}: the front matter needs numbers low and high, low being less")
    return Rubric(f"{name}-{prompt.version}", prompt.user, float(low), float(high))


async def grade(judge: Judge, rubric: Rubric, fields: dict[str, str]) -> ScoreReply:
    """Have fields graded by a rubric. A failed call is a reply with a status, and a grade off the range is none."""
    reply = await ask(as_judge(judge).grade(rubric.text, fields, low=rubric.low, high=rubric.high), ScoreReply, _failed)
    if reply.status is not Status.SCORED:
        return replace(reply, value=None)
    if reply.value is None:
        return replace(reply, status=Status.UNPARSEABLE)
    if rubric.low <= reply.value <= rubric.high:
        return reply
    # A judge of our own refuses such a grade itself; any other may not.
    return replace(reply, value=None, status=Status.OUT_OF_RANGE)


def share(rubric: Rubric, value: float) -> float:
    """A grade as a share of its range, in [0, 1]."""
    return (value - rubric.low) / (rubric.high - rubric.low)


def _failed(status: Status, issue: Issue) -> ScoreReply:
    return ScoreReply(status=status, issues=(issue,))
