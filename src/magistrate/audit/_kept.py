"""Audited replies kept as a run, as if it had judged the cases: `report`, `show`, `label` and `trust` go on from it."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

import magistrate
from magistrate.audit._summary import UNUSABLE, WRONG, Finding
from magistrate.audit._tasks import VerdictsTask
from magistrate.case import Case
from magistrate.evaluation.configuration import describe
from magistrate.evaluation.plan import now
from magistrate.evaluation.problems import Problem
from magistrate.evaluation.runs.results import CaseResult, fingerprint
from magistrate.evaluation.runs.store import RunHeader, RunWriter
from magistrate.metrics.base import MetricResult, compose_reason, decide
from magistrate.metrics.faithfulness import Faithfulness
from magistrate.records import CallRecord, Completion, PromptRef
from magistrate.verdict import STATUS_OF, Status

_JUDGE = "stored replies"


def keep_run(found: Iterable[Finding], task: VerdictsTask, folder: Path, name: str) -> Iterator[Finding]:
    """The findings as they pass; each reply that could be audited becomes a case of a run."""
    metric = Faithfulness(policy=task.policy, scale=task.scale)
    told = {"dataset": {"name": name}, "judge": {"name": _JUDGE}, "metrics": [describe(metric)]}
    made = {"magistrate": magistrate.__version__, "created": now(), "id": secrets.token_hex(8)}
    with closing(RunWriter(folder, RunHeader(config=told, **made))) as writer:
        index = 0
        for finding in found:
            if finding.standing is not UNUSABLE:
                writer.append(_case(finding, metric, index))
                index += 1
            yield finding
        writer.end("complete")


def _case(finding: Finding, metric: Faithfulness, index: int) -> CaseResult:
    place, verdicts = finding.place, tuple(finding.verdicts)
    statements = tuple(verdict.statement for verdict in verdicts)
    standing = "wrong" if finding.standing in WRONG else finding.standing.value
    case = Case(
        id=str(place) if place.id is None or place.part else place.id,
        contexts=finding.contexts or (),
        category=standing,
        statements=statements,
        metadata={"recorded": finding.recorded},
    )
    read = finding.read if isinstance(finding.read, float) else None
    status = STATUS_OF.get(finding.status, Status.PARTIAL if verdicts else Status.VACUOUS)
    status = status if read is None else Status.SCORED
    call = CallRecord(
        purpose="verify",
        prompt=PromptRef("stored", "", ""),
        requested_model=_JUDGE,
        completion=Completion(text=finding.reply, model=_JUDGE, mode="text", cached=True),
        status=finding.status,
        statements=tuple(range(len(verdicts))),
        scale=metric.scale.name,
    )
    result = MetricResult(
        metric=metric.name,
        status=status,
        reason=compose_reason(status, verdicts, finding.issues),
        statements=statements,
        verdicts=verdicts,
        issues=finding.issues,
        judge=_JUDGE,
        calls=(call,),
        details={"scale": metric.scale.name},
        policy=metric.policy.name,
        score=read,
        bounds=finding.bounds,
        threshold=metric.threshold,
        outcome=decide(status, read, finding.bounds, metric.threshold),
    )
    at = {"source": place.source, "line": place.line, "row": place.row}
    problem = Problem(
        message=f"{finding.recorded} was recorded",
        expected=" to ".join(f"{end:.4g}" for end in dict.fromkeys(finding.bounds or ())),
        field="score",
        severity="warning",
        **at,
    )
    return CaseResult(
        index=index,
        fingerprint=fingerprint(case),
        case=case,
        metrics={metric.name: result},
        problems=(problem,) if finding.standing in WRONG else (),
        line=place.line,
    )
