"""What metrics with a formula of their own share: which inputs they need, the bookkeeping of calls, the result."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol

from magistrate.case import Case
from magistrate.judges import Judge
from magistrate.metrics.base import TOLERANCE, MetricResult, decide
from magistrate.metrics.reason import compose_reason
from magistrate.metrics.rescoring import check_threshold
from magistrate.metrics.verification import is_blank
from magistrate.records import CallRecord, Usage
from magistrate.scoring import DEFAULT_THRESHOLD
from magistrate.sync import run_sync
from magistrate.verdict import Issue, StatementVerdict, Status

__all__ = ["CaseMetric", "Finding", "Ledger", "Need", "lacking", "ranged"]

Need = Literal["question", "answer", "contexts", "reference"]
"""A field of a case that a metric cannot do without."""

Range = tuple[Status, float | None, tuple[float, float]]
"""Status, score and bounds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What a metric found in a case, before a threshold makes an outcome of it. See `MetricResult` for the fields."""

    status: Status
    score: float | None = None
    bounds: tuple[float, float] | None = None
    reason: str | None = None
    statements: tuple[str, ...] = ()
    verdicts: tuple[StatementVerdict, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)


class Counted(Protocol):
    """Whatever cost something: a reply, or the result of another metric."""

    @property
    def usage(self) -> Usage:
        """What it cost."""

    @property
    def calls(self) -> tuple[CallRecord, ...]:
        """The calls that were made."""

    @property
    def issues(self) -> tuple[Issue, ...]:
        """What is to be known about it."""


class Ledger:
    """Adds up what the replies behind a result cost and report."""

    def __init__(self) -> None:
        self.usage = Usage()
        self.calls: tuple[CallRecord, ...] = ()
        self.issues: tuple[Issue, ...] = ()

    def add(self, reply: Counted, *, aside: bool = False) -> None:
        """Count a reply.

        Args:
            reply: The reply.
            aside: Whether it is about other statements than those the result lists: then its indices are left out,
                which would be taken for those of the result's statements.
        """
        self.usage += reply.usage
        calls, issues = reply.calls, reply.issues
        if aside:
            calls = tuple(replace(call, statements=()) for call in calls)
            issues = tuple(replace(issue, index=None) for issue in issues)
        self.calls += calls
        for issue in issues:
            self.note(issue)

    def note(self, issue: Issue) -> None:
        """Note an issue, once."""
        if issue not in self.issues:
            self.issues += (issue,)


class CaseMetric(ABC):
    """A metric whose score is a formula of its own. A subclass says what it needs and how it finds its score.

    Args:
        name: The name in reports.
        threshold: The score needed to pass, in [0, 1] (the highest that passes, where less is better).
        include_reason: Whether results carry a reason; it costs no call.
        options: What else decides the scores, for a run's header.

    Raises:
        ConfigurationError: If the threshold is no number in [0, 1].
    """

    description: str = ""
    cost: str = ""
    needs: tuple[Need, ...] = ()
    policy: str = ""
    formula: str = ""
    direction: str = "maximize"

    def __init__(
        self,
        *,
        name: str,
        threshold: float = DEFAULT_THRESHOLD,
        include_reason: bool = True,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self.name = name
        self.threshold = check_threshold(threshold)
        self.include_reason = include_reason
        self._options = dict(options or {})

    def __repr__(self) -> str:
        return f"{type(self).__name__}(name={self.name!r}, threshold={self.threshold})"

    def describe(self) -> dict[str, Any]:
        """Return what decides this metric's scores, for a run's header."""
        return {
            "class": f"{type(self).__module__}.{type(self).__qualname__}",
            "name": self.name,
            "policy": self.policy,
            "threshold": self.threshold,
            **self._options,
        }

    def is_passing(self, score: float | None) -> bool:
        """Whether a score reaches the threshold (up to 1e-9); no score never does."""
        if score is None:
            return False
        return (
            score <= self.threshold + TOLERANCE if self.direction == "minimize" else score >= self.threshold - TOLERANCE
        )

    def evaluate_sync(self, case: Case, judge: Judge) -> MetricResult:
        """Evaluate one case from synchronous code, also inside a running event loop (see `evaluate`)."""
        return run_sync(self.evaluate(case, judge))

    async def evaluate(self, case: Case, judge: Judge) -> MetricResult:
        """Evaluate one case.

        Whatever is wrong with the case's data or a reply is a status and issues of the result, never an exception.

        Raises:
            ConfigurationError: If the judge cannot do what the options ask for.
            JudgeAuthError: And `JudgeNotFoundError`, `BudgetExceededError`: what every further call would meet too.
        """
        started = time.perf_counter()
        ledger = Ledger()
        found = lacking(case, self.needs) or await self.find(case, judge, ledger)
        reason = found.reason or compose_reason(found.status, found.verdicts, ledger.issues)
        return MetricResult(
            metric=self.name,
            policy=self.policy,
            formula=self.formula,
            status=found.status,
            score=found.score,
            bounds=found.bounds,
            threshold=self.threshold,
            outcome=decide(found.status, found.score, found.bounds, self.threshold, direction=self.direction),
            direction=self.direction,
            reason=reason if self.include_reason else None,
            statements=found.statements,
            verdicts=found.verdicts,
            issues=ledger.issues,
            usage=ledger.usage,
            latency_ms=(time.perf_counter() - started) * 1000.0,
            judge=getattr(judge, "name", type(judge).__name__),
            calls=ledger.calls,
            details=found.details,
        )

    @abstractmethod
    async def find(self, case: Case, judge: Judge, ledger: Ledger) -> Finding:
        """Find the score of a case that has everything the metric needs; count every reply in the ledger."""


def lacking(case: Case, needs: Sequence[Need]) -> Finding | None:
    """What a metric finds in a case that lacks an input: a status that names it, and no score. None if all is there.

    Blank texts are none. Statements given with the case stand in for an answer.
    """
    for need in needs:
        if _HAS[need](case):
            continue
        if need == "answer":
            return Finding(status=Status.NO_ANSWER)
        if need == "contexts":
            return Finding(status=Status.NO_CONTEXT)
        return Finding(status=Status.MISSING_INPUT, reason=f"the case has no {need}")
    return None


_HAS: Mapping[Need, Callable[[Case], bool]] = {
    "question": lambda case: not is_blank(case.question or ""),
    "answer": lambda case: not is_blank(case.answer or "") or case.statements is not None,
    "contexts": lambda case: not all(map(is_blank, case.contexts)),
    "reference": lambda case: not is_blank(case.reference or ""),
}


def ranged(lower: float, upper: float, *, missing: Status | None = None, known: bool = True) -> Range:
    """Status, score and bounds of a score of which only the range may be known.

    Args:
        lower: The score if everything that is missing turns out worst.
        upper: The score if it turns out best.
        missing: Why something is missing; None where nothing is, and then both are the score.
        known: Whether anything is known at all. Where not, the status is `missing`.
    """
    if missing is None:
        return Status.SCORED, lower, (lower, lower)
    return (Status.PARTIAL if known else missing), None, (min(lower, upper), max(lower, upper))
