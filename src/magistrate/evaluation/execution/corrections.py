"""What is corrected in results: costs of earlier attempts, and replies of a judge that had not seen the whole prompt.

A completion that a cache kept is counted again by the attempt that asks for it again (`completion.cost_ledger`). What
no cache keeps would drop out of the report with the attempt: calls that failed, all calls of a run without a cache, and
those of a case that was changed in the dataset since. A run that goes on reports each call that it paid for, once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from magistrate.evaluation.runs.results import CaseResult, without_reply
from magistrate.judges import usage_of
from magistrate.metrics.base import MetricResult
from magistrate.records import CallRecord
from magistrate.verdict import Issue, IssueCode, Outcome, Status

_Asked = Mapping[str, list[CallRecord]]


def with_earlier(new: CaseResult, old: CaseResult | None) -> CaseResult:
    """A result with the calls of the attempt that it takes the place of, as far as it does not count them itself."""
    if old is None:
        return new
    asked: dict[str, list[CallRecord]] = {}
    for metric in new.metrics.values():
        for call in metric.calls:
            if call.key and not call.shared:
                asked.setdefault(call.key, []).append(call)
    metrics = dict(new.metrics)
    for name, metric in new.metrics.items():
        if left := tuple(_left(old, name, asked)):
            metrics[name] = replace(metric, earlier=left, usage=metric.usage + usage_of(left))
    return replace(new, metrics=metrics)


def _left(old: CaseResult, name: str, asked: _Asked) -> Iterator[CallRecord]:
    """The calls of an earlier attempt that nothing counts any more, without their texts."""
    before = old.metrics.get(name)
    if before is None:
        return
    for call in (*before.earlier, *before.calls):
        if call.completion is None:
            if call.attempts and not call.shared:
                yield call
        elif not (call.shared or call.completion.cached or _counted(call, asked)):
            yield without_reply(call)


def _counted(call: CallRecord, asked: _Asked) -> bool:
    """Whether the new attempt got the same completion, and not one of the same question that was paid for anew."""
    same = (other.completion for other in asked.get(call.key, ()) if other.completion is not None)
    usage = call.completion.usage if call.completion is not None else None
    return any(completion.cached or completion.usage == usage for completion in same)


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
