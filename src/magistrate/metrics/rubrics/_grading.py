"""Rubrics: what a judge grades by, on a declared range. Those of the package are prompt files, with a version."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

from magistrate.errors import PromptError
from magistrate.judges import Grade, Judge, ScoreReply, can_grade
from magistrate.metrics._case_metric import CaseMetric, Option, one_of
from magistrate.metrics.verification import ask
from magistrate.prompts import prompt_for
from magistrate.verdict import Status


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

    def share(self, value: float) -> float:
        """A grade as a share of the range, in [0, 1]."""
        return (value - self.low) / (self.high - self.low)


def load_rubric(name: str, judge: object = None) -> Rubric:
    """Load the rubric `prompts/rubric-<name>.md`, or what stands for it in the prompts of a judge.

    Raises:
        PromptError: If there is none, or its range is missing.
    """
    prompt = prompt_for(judge, f"rubric-{name}")
    low, high = prompt.wordings.get("low"), prompt.wordings.get("high")
    if not isinstance(low, int | float) or not isinstance(high, int | float) or not low < high:
        raise PromptError(f"prompt {prompt.name}: the front matter needs numbers low and high, low being less")
    return Rubric(f"{name}-{prompt.version}", prompt.user, float(low), float(high))


async def grade(judge: Judge, rubric: Rubric, fields: dict[str, str]) -> ScoreReply:
    """Have fields graded by a rubric. A failed call is a reply with a status, and a grade off the range is none."""
    reply = await ask(judge, Grade(rubric.text, fields, low=rubric.low, high=rubric.high), ScoreReply)
    if reply.status is not Status.SCORED:
        return replace(reply, value=None)
    if reply.value is None:
        return replace(reply, status=Status.UNPARSEABLE)
    if rubric.low <= reply.value <= rubric.high:
        return reply
    # A judge of our own refuses such a grade itself; any other may not.
    return replace(reply, value=None, status=Status.OUT_OF_RANGE)


@dataclass(kw_only=True, eq=False, repr=False)
class GradedMetric(CaseMetric):
    """A metric that a judge grades by a rubric of the package, and words alone measure where it cannot grade.

    Args:
        method: "judge" asks the judge; "lexical" compares words; "auto" asks the judge if it can grade.
    """

    method: Option[Literal["auto", "judge", "lexical"], str] = Option(
        "auto", one_of("method", "auto", "judge", "lexical")
    )

    rubric: ClassVar[str]
    cost = "1, lexically none"
    offline = "lexical"

    def describe(self) -> dict[str, Any]:
        """Return what decides the scores: the version of the rubric too."""
        asked = {} if self.method == "lexical" else {"rubric": load_rubric(self.rubric).name}
        return {**super().describe(), **asked}

    def method_for(self, judge: Judge) -> Literal["judge", "lexical"]:
        """How a case is measured with a judge."""
        graded = self.method == "judge" or (self.method == "auto" and can_grade(judge))
        return "judge" if graded else "lexical"
