"""The closed vocabulary in words for people: verdicts, outcomes, and what a status means for a case without a score."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from magistrate.verdict import Outcome, Status, Verdict

__all__ = ["NO_VERDICT", "SEVERITY", "STATUS_WHY", "plural", "words_of", "worst_first"]

NO_VERDICT: Final = "no verdict"

SEVERITY: Final[tuple[Verdict | None, ...]] = (
    Verdict.CONTRADICTED,
    Verdict.UNSUPPORTED,
    Verdict.NOT_ENOUGH_INFO,
    Verdict.PARTIALLY_SUPPORTED,
    None,
    Verdict.SUPPORTED,
)
"""Verdicts, what is worst for an answer first. No verdict is not bad, but unknown."""

STATUS_WHY: Final[Mapping[Status, str]] = {
    Status.SCORED: "Every statement has a verdict.",
    Status.PARTIAL: "Some statements have no verdict that is safe to use; the score lies between two bounds.",
    Status.VACUOUS: "The text holds no statements to judge.",
    Status.NO_CONTEXT: "The case has no context to judge against.",
    Status.NO_ANSWER: "The case has no answer to judge.",
    Status.REFUSED: "The judge, or its provider, refused to answer.",
    Status.TRUNCATED: "The judge's reply was cut off before it could be used. A larger reply or smaller batches help.",
    Status.CONTEXT_TRUNCATED: "The judge did not see the whole prompt: it is longer than the model's context.",
    Status.UNPARSEABLE: "The judge replied, but no verdict in the reply is safe to use.",
    Status.OUT_OF_RANGE: "The judge answered off the scale it was given; such a value is not rescaled or clamped.",
    Status.JUDGE_ERROR: "The call to the judge failed. --resume tries the case again.",
    Status.OVER_BUDGET: "The budget was spent before the case was judged. --resume goes on with it.",
    Status.MISSING_INPUT: "The row of the dataset lacks something that the metric needs.",
    Status.NOT_RUN: "The run ended before the case was reached. --resume goes on with it.",
}
"""Why there is (or is not) a score, one sentence a status."""


def words_of(value: Verdict | Outcome | Status | None) -> str:
    """A member of the vocabulary as words: "not enough info"; None is "no verdict"."""
    return NO_VERDICT if value is None else value.value.replace("_", " ")


def worst_first(verdict: Verdict | None) -> int:
    """A key for sorting: what is worst for an answer comes first."""
    return SEVERITY.index(verdict)


def plural(count: int, word: str) -> str:
    """The count with its word: "1 case", "2,000 cases"."""
    return f"{count:,} {word}" if count == 1 else f"{count:,} {word}s"
