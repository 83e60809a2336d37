"""Runs of this package read again for an audit; and audited replies kept as a run, as if it had judged the cases."""

import secrets
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import magistrate
from magistrate.audit._stored import Place, Stored
from magistrate.audit._summary import UNUSABLE, WRONG, Finding, Standing
from magistrate.audit._tasks import VerdictsTask, hold
from magistrate.case import Case, Problem
from magistrate.evaluation.plan import now
from magistrate.evaluation.runs.derived import NOT_READ, read_again
from magistrate.evaluation.runs.results import CaseResult, fingerprint
from magistrate.evaluation.runs.run import load_run
from magistrate.evaluation.runs.store import RunHeader, RunWriter, describe
from magistrate.metrics.base import MetricResult, compose_reason, decide
from magistrate.metrics.faithfulness import Faithfulness
from magistrate.records import CallRecord, Completion, PromptRef
from magistrate.scoring import get_policy
from magistrate.verdict import STATUS_OF, Status

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


_JUDGE = "stored replies"


def keep_run(found: Iterable[Finding], task: VerdictsTask, folder: Path, name: str) -> Iterator[Finding]:
    """The findings as they pass; each reply that could be audited becomes a case of a run."""
    metric = Faithfulness(policy=task.policy, scale=task.scale)
    told = {"dataset": {"name": name}, "judge": {"name": _JUDGE}, "metrics": [describe(metric)]}
    header = RunHeader(config=told, magistrate=magistrate.__version__, created=now(), id=secrets.token_hex(8))
    with closing(RunWriter(folder, header)) as writer:
        index = 0
        for finding in found:
            if finding.standing is not UNUSABLE:
                writer.append(_case(finding, metric, index))
                index += 1
            yield finding
        writer.end("complete")


def _case(finding: Finding, metric: Faithfulness, index: int) -> CaseResult:
    place, verdicts, bounds = finding.place, tuple(finding.verdicts), finding.bounds
    asked = tuple(verdict.statement for verdict in verdicts)
    case = Case(
        id=str(place) if place.id is None or place.part else place.id,
        contexts=finding.contexts or (),
        category="wrong" if finding.standing in WRONG else finding.standing.value,
        statements=asked,
        metadata={"recorded": finding.recorded},
    )
    read = finding.read if isinstance(finding.read, float) else None
    status = STATUS_OF.get(finding.status, Status.PARTIAL if verdicts else Status.VACUOUS)
    status = status if read is None else Status.SCORED
    reply = Completion(finding.reply, model=_JUDGE, mode="text", cached=True)
    every, scale = tuple(range(len(asked))), metric.scale.name
    call = CallRecord("verify", PromptRef("stored", "", ""), _JUDGE, reply, statements=every, scale=scale)
    result = MetricResult(
        metric=metric.name,
        policy=metric.policy.name,
        status=status,
        score=read,
        bounds=bounds,
        threshold=metric.threshold,
        outcome=decide(status, read, bounds, metric.threshold),
        reason=compose_reason(status, verdicts, finding.issues),
        statements=asked,
        verdicts=verdicts,
        issues=finding.issues,
        judge=_JUDGE,
        calls=(replace(call, status=finding.status),),
        details={"scale": scale},
    )
    said = "other verdicts were recorded" if finding.wrong else f"{finding.recorded} was recorded"
    ends = " to ".join(f"{end:.4g}" for end in dict.fromkeys(bounds or ()))
    at: Any = {"source": place.source, "line": place.line, "row": place.row}
    problem = Problem(message=said, expected=ends, field="score", severity="warning", **at)
    told: Any = {"line": place.line, "problems": (problem,) if finding.standing in WRONG else ()}
    return CaseResult(index=index, fingerprint=fingerprint(case), case=case, metrics={metric.name: result}, **told)
