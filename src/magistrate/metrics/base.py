"""What a metric is, and what it returns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from magistrate.case import Case
from magistrate.judges import Judge
from magistrate.records import CallRecord, Usage
from magistrate.verdict import Issue, Outcome, StatementVerdict, Status, Verdict

__all__ = ["Metric", "MetricResult", "decide", "span_attributes"]

TOLERANCE = 1e-9
"""How far below the threshold a score still passes: scores are ratios, and 0.7 is no binary fraction."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricResult:
    """What one metric found in one case.

    Attributes:
        metric: The metric's name.
        policy: The versioned name of the scoring policy; of the formula, where the score is no policy's.
        formula: How the score comes about where no policy makes it of the verdicts, in words or symbols; "" where one
            does. Only a policy's score can be scored again under another policy.
        status: How the evaluation ended.
        score: In [0, 1]; None where there is none that is safe to use.
        bounds: Lowest and highest score that the missing verdicts leave possible; equal where none is missing; None
            where nothing can be said.
        threshold: The score needed to pass.
        outcome: pass, fail or inconclusive.
        direction: "maximize" where a higher score is better, else "minimize".
        reason: One line composed from the verdicts, without a call; None with include_reason=False.
        statements: The statements that were judged.
        verdicts: One per statement, in order.
        extra: Verdicts beyond the statements asked about (see VerdictsReply).
        issues: What is to be known about the result as a whole.
        usage: Calls, tokens, cost of this metric on this case.
        latency_ms: Milliseconds from start to end of the metric.
        judge: Name of the judge.
        calls: The calls that were made, with their raw completions.
        earlier: Calls of earlier attempts at this result, of a run that went on later, which it does not ask for again:
            failed ones, and such as no cache kept. Without texts; `usage` counts them.
        details: What else the metric found (truths, options such as decompose), JSON-able.
    """

    metric: str
    policy: str
    formula: str = ""
    status: Status
    score: float | None = None
    bounds: tuple[float, float] | None = None
    threshold: float
    outcome: Outcome
    direction: str = "maximize"
    reason: str | None = None
    statements: tuple[str, ...] = ()
    verdicts: tuple[StatementVerdict, ...] = ()
    extra: tuple[Verdict, ...] = ()
    issues: tuple[Issue, ...] = ()
    usage: Usage = field(default_factory=Usage)
    latency_ms: float = 0.0
    judge: str = ""
    calls: tuple[CallRecord, ...] = ()
    earlier: tuple[CallRecord, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)

    def to_deepeval(self) -> dict[str, Any]:
        """Return the result in DeepEval's shape, with DeepEval's own success flag (see `metrics.export`)."""
        from magistrate.metrics.export import to_deepeval  # noqa: PLC0415 - it imports this module

        return to_deepeval(self)

    def to_ragaliq(self) -> dict[str, Any]:
        """Return the result in RagaliQ's shape, with RagaliQ's own pass flag (see `metrics.export`)."""
        from magistrate.metrics.export import to_ragaliq  # noqa: PLC0415 - it imports this module

        return to_ragaliq(self)

    def to_promptfoo(self) -> dict[str, Any]:
        """Return the result in promptfoo's shape, with promptfoo's own pass flag (see `metrics.export`)."""
        from magistrate.metrics.export import to_promptfoo  # noqa: PLC0415 - it imports this module

        return to_promptfoo(self)


@runtime_checkable
class Metric(Protocol):
    """Anything that evaluates a case with a judge.

    Attributes:
        name: The metric's name in reports.
        threshold: The score needed to pass.
    """

    name: str
    threshold: float

    async def evaluate(self, case: Case, judge: Judge) -> MetricResult:
        """Evaluate one case. What is wrong with the case's data or its replies is a status, never an exception."""
        ...


def decide(
    status: Status,
    score: float | None,
    bounds: tuple[float, float] | None,
    threshold: float,
    *,
    direction: str = "maximize",
) -> Outcome:
    """Say whether a result passes its threshold.

    A `scored` result passes when its score reaches the threshold; a `partial` one when even the worst score that its
    missing verdicts leave possible does, and it fails when even the best does not. All else is inconclusive.
    """
    if status is Status.SCORED and score is not None:
        bounds = (score, score)
    elif status is not Status.PARTIAL or bounds is None:
        return Outcome.INCONCLUSIVE
    lower, upper = bounds
    if direction == "minimize":
        lower, upper, threshold = -upper, -lower, -threshold
    if lower >= threshold - TOLERANCE:
        return Outcome.PASS
    if upper < threshold - TOLERANCE:
        return Outcome.FAIL
    return Outcome.INCONCLUSIVE


def span_attributes(result: MetricResult) -> dict[str, Any]:
    """Return what the span of an evaluation tells of its result: how it ended, and numbers, no text."""
    return {
        "magistrate.status": result.status.value,
        "magistrate.outcome": result.outcome.value,
        "magistrate.score": result.score,
    }
