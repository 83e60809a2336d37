"""Read the stored completions of a run again, with this version's parser, without a call."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from magistrate.evaluation.derive import derive
from magistrate.evaluation.repeats import REPEATS
from magistrate.evaluation.results import CaseResult
from magistrate.evaluation.run import Run
from magistrate.judges.base import VerdictsReply
from magistrate.judges.reading import read_single, read_verdicts
from magistrate.metrics.base import MetricResult
from magistrate.metrics.reason import compose_reason
from magistrate.metrics.rescoring import settle
from magistrate.records import CallRecord
from magistrate.scoring import get_policy
from magistrate.verdict import Scale, Verdict, resolve_scale

__all__ = ["Change", "changes", "read_again", "reparsed"]


@dataclass(frozen=True, slots=True)
class Change:
    """A statement that the new reading gives another verdict."""

    case: str
    metric: str
    statement: str
    old: Verdict | None
    new: Verdict | None

    def __str__(self) -> str:
        old, new = (verdict.value if verdict else "no verdict" for verdict in (self.old, self.new))
        return f"{self.case} {self.statement}: {old} -> {new}"


def reparsed(run: Run) -> Run:
    """The same completions, read again; everything else as it was.

    What was never read from a completion stays: the offline judge's verdicts, results without a call, and results whose
    raw completions were left out or whose scale is the user's own.
    """
    return derive(run, read_again)


def read_again(result: CaseResult, metric: MetricResult) -> MetricResult:
    """Read the completions of one result again.

    A result whose score is a formula of its own (`MetricResult.formula`), or the majority of repetitions, stays as it
    is: it was not made of one list of verdicts. Evaluating again with the run's cache reads it anew, also without a
    call.
    """
    scale = _scale(metric)
    stored, metric = metric, replace(metric, calls=result.calls_of(metric.metric))
    readable = any(call.completion is not None and call.completion.text is not None for call in metric.calls)
    if scale is None or metric.formula or REPEATS in metric.details or not readable:
        return stored
    if metric.details.get("mode") == "single":
        reply, statements = _read_single(result, metric, scale)
    elif metric.statements:
        reply, statements = _read_verdicts(result, metric, scale), metric.statements
    else:  # the statements could not be read, so nothing was asked about them
        return stored
    settled = settle(
        get_policy(metric.policy), metric.threshold, status=reply.status, verdicts=reply.verdicts, extra=reply.extra
    )
    return replace(
        metric,
        status=reply.status,
        statements=statements,
        verdicts=reply.verdicts,
        extra=reply.extra,
        issues=reply.issues,
        calls=_calls(metric, reply),
        reason=compose_reason(reply.status, reply.verdicts, reply.issues) if metric.reason is not None else None,
        **settled,
    )


def _scale(metric: MetricResult) -> Scale | None:
    try:
        return resolve_scale(str(metric.details["scale"]))
    except (KeyError, ValueError):
        return None


def _read_single(result: CaseResult, metric: MetricResult, scale: Scale) -> tuple[VerdictsReply, tuple[str, ...]]:
    single = read_single(metric.calls, result.case.answer or "", result.case.contexts, scale=scale)
    return single.verdicts, tuple(verdict.statement for verdict in single.verdicts)


def _read_verdicts(result: CaseResult, metric: MetricResult, scale: Scale) -> VerdictsReply:
    truths = metric.details.get("truths")
    if not truths:
        return read_verdicts(metric.calls, metric.statements, result.case.contexts, scale=scale)
    contexts = ["\n".join(texts) for texts in truths]
    reply = read_verdicts(metric.calls, metric.statements, contexts, scale=scale)
    # Quotes were looked up in the truths: a place in them is no place in the contexts.
    verdicts = tuple(
        verdict.model_copy(update={"evidence": tuple(replace(q, start=None, end=None) for q in verdict.evidence)})
        for verdict in reply.verdicts
    )
    return replace(reply, verdicts=verdicts)


def _calls(metric: MetricResult, reply: VerdictsReply) -> tuple[CallRecord, ...]:
    """The calls in their order, those that were read again with the status of the new reading."""
    read = {id(old): new for old, new in zip(_verifying(metric), reply.calls, strict=False)}
    calls = (read.get(id(call), call) for call in metric.calls)
    return tuple(replace(call, completion=None) if call.shared else call for call in calls)


def _verifying(metric: MetricResult) -> list[CallRecord]:
    purposes = ("single", "verify") if metric.details.get("mode") == "single" else ("verify",)
    return [call for call in metric.calls if call.purpose in purposes]


def changes(old: Run, new: Run) -> Iterator[Change]:
    """Yield every statement whose verdict differs, in the order of the cases."""
    for before, after in zip(old.results, new.results, strict=True):
        for name, metric in before.metrics.items():
            later = {verdict.id: verdict for verdict in after.metrics[name].verdicts}
            earlier = {verdict.id: verdict for verdict in metric.verdicts}
            for statement in dict.fromkeys([*earlier, *later]):
                pair = [found[statement].verdict if statement in found else None for found in (earlier, later)]
                if pair[0] is not pair[1]:
                    yield Change(before.id, name, statement, pair[0], pair[1])
