"""Results that were given before it became known that their judge had not seen the whole prompt."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from magistrate.evaluation.runs.results import CaseResult
from magistrate.metrics.base import MetricResult
from magistrate.verdict import Issue, IssueCode, Outcome, Status

_MESSAGE = "the judge did not see the whole prompt, as later calls to the same model show"


def looked_at_again(results: Iterable[CaseResult], dropped: Collection[str]) -> Iterator[CaseResult]:
    """The results that rest on calls which lost a part of their prompt, without what those calls said."""
    for result in results if dropped else ():
        changed = {
            name: _without(metric, dropped)
            for name, metric in result.metrics.items()
            if metric.status is not Status.CONTEXT_TRUNCATED and any(call.key in dropped for call in metric.calls)
        }
        if changed:
            yield replace(result, metrics={**result.metrics, **changed})


def _without(metric: MetricResult, dropped: Collection[str]) -> MetricResult:
    status = Status.CONTEXT_TRUNCATED
    verdicts = tuple(
        one.model_copy(
            update={"verdict": None, "issues": (*one.issues, Issue(IssueCode.CONTEXT_TRUNCATED, _MESSAGE, one.index))}
        )
        for one in metric.verdicts
    )
    calls = tuple(
        replace(call, status=status.value, error=_MESSAGE) if call.key in dropped else call for call in metric.calls
    )
    return replace(
        metric,
        status=status,
        score=None,
        bounds=None,
        outcome=Outcome.INCONCLUSIVE,
        reason=_MESSAGE,
        verdicts=verdicts,
        issues=(*metric.issues, Issue(IssueCode.CONTEXT_TRUNCATED, _MESSAGE)),
        calls=calls,
    )
