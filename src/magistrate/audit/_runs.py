"""Runs of this package: their stored completions are read again, and held against the stored results."""

from collections.abc import Iterator
from pathlib import Path

from magistrate.audit._stored import Place, Stored
from magistrate.audit._summary import Finding, Standing
from magistrate.audit._tasks import hold
from magistrate.evaluation.runs.derived import NOT_READ, read_again
from magistrate.evaluation.runs.results import CaseResult
from magistrate.evaluation.runs.run import load_run
from magistrate.metrics.base import MetricResult
from magistrate.scoring import get_policy
from magistrate.verdict import Status

_WHOLE = frozenset({Status.SCORED, Status.VACUOUS})


def audit_run(path: Path, name: str) -> Iterator[Finding]:
    """Yield a finding for each result of a run that was read from completions."""
    for number, result in enumerate(load_run(path).results, 1):
        for metric in result.metrics.values():
            if any(call.completion is not None and call.completion.text is not None for call in metric.calls):
                yield _finding(result, metric, Place(name, number, part=(metric.metric,), id=result.id))


def _finding(result: CaseResult, metric: MetricResult, place: Place) -> Finding:
    again = read_again(result, metric)
    if NOT_READ in again.details:
        return Finding(place=place, standing=Standing.UNUSABLE, why=str(again.details[NOT_READ]))
    texts = [call.completion.text for call in again.calls if call.completion is not None and call.completion.text]
    return hold(
        # Places in a reply mean nothing once several are put together.
        Stored(place=place, reply=texts[0] if len(texts) == 1 else None, statements=again.statements),
        metric.score,
        tuple(verdict.verdict for verdict in metric.verdicts) if metric.verdicts else None,
        again,
        [verdict.verdict for verdict in again.verdicts],
        status=again.status,
        whole=again.status in _WHOLE,
        policy=get_policy(metric.policy),
    )
