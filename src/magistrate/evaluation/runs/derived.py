"""Runs derived from a stored run without a call: other policy, other threshold, another reading.

A large one is derived in parts, each by a process of its own (`Part`), which are then put together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from magistrate.evaluation.files import RESULTS
from magistrate.evaluation.repeats import REPEATS
from magistrate.evaluation.runs.replay import Replayer
from magistrate.evaluation.runs.results import UNFINISHED, CaseResult
from magistrate.evaluation.runs.run import Run, load_run
from magistrate.evaluation.runs.store import LazyResults, RunWriter
from magistrate.judges import VerdictsReply
from magistrate.judges.llm.reading import read_single, read_verdicts
from magistrate.metrics.base import MetricResult, apply_policy, compose_reason, rescore
from magistrate.scoring import POLICIES, get_policy
from magistrate.verdict import Scale, Verdict, resolve_scale


class Part(NamedTuple):
    """A part of a derived run: of what it is derived, how, its results' places, and where to keep it as a run."""

    run: str
    make: Callable[[Run], Run]
    places: slice
    folder: Path


def parts_of(run: str, make: Callable[[Run], Run], folder: Path, count: int) -> list[Part]:
    """Cut a stored run into so many parts, to be kept below a folder."""
    rows = len(load_run(run))
    spans = pairwise(rows * number // count for number in range(count + 1))
    return [Part(run, make, slice(*span), folder / f"{number:06d}") for number, span in enumerate(spans)]


def derive_part(part: Part, _stopped: Callable[[], bool] | None = None) -> Path:
    """Derive a part and keep it."""
    whole = part.make(load_run(part.run))
    return replace(whole, results=whole.results[part.places], path=None).save(part.folder)


def put_together(parts: Sequence[Part], folder: Path) -> Run:
    """Make one run of the parts of a derived one, in a folder of its own."""
    first = load_run(parts[0].folder)
    with closing(RunWriter(folder, first.header)) as writer:
        for part in parts:
            with (part.folder / RESULTS).open("rb") as lines:
                for line in lines:
                    writer.append_line(line)
        writer.end(first.state, message=first.message)
    return replace(load_run(folder), path=None)


def derive(run: Run, function: Callable[[CaseResult, MetricResult], MetricResult], **changed: Any) -> Run:
    """A run whose metric results went through a function, read from the old one as they are needed."""

    def apply(result: CaseResult) -> CaseResult:
        return replace(result, metrics={name: function(result, metric) for name, metric in result.metrics.items()})

    metrics = [{**metric, **changed} for metric in run.header.config.get("metrics", ())]
    config = {**run.header.config, "metrics": metrics}
    header = replace(run.header, config=config, source=str(run.path) if run.path else None)
    return replace(run, results=LazyResults(run.results, apply), header=header, path=None)


def rescored(run: Run, policy: str | None = None, threshold: float | None = None) -> Run:
    """The same verdicts under another policy or threshold."""
    changed: dict[str, Any] = {}
    if policy is not None:
        changed["policy"] = get_policy(policy).name
    if threshold is not None:
        changed["threshold"] = threshold
    return derive(run, lambda _, metric: rescore(metric, policy, threshold), **changed)


NOT_READ = "not_read_again"
"""Where a result's details say why it is as it was."""


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

    A score that a policy makes of the verdicts follows from the new reading of them. A score that is a formula of its
    own is made again from all its replies: its metric asks the questions anew, and stored completions answer. What
    cannot be read again stays, and its details say why under "not_read_again": the offline judge's verdicts, raw
    completions that were left out, repetitions, scales and metrics of the user's own, questions that this version
    would ask otherwise.
    """
    replayer = Replayer(run.header.config)
    return derive(run, lambda result, metric: read_again(result, metric, replayer))


def not_read(run: Run) -> Counter[str]:
    """Why results of a reparsed run are as they were -> how many."""
    reasons: Counter[str] = Counter()
    for metric in (metric for result in run.results for metric in result.metrics.values()):
        other = not metric.calls and (metric.verdicts or metric.score is not None)
        if reason := "not made from a model's replies" if other else metric.details.get(NOT_READ):
            reasons[str(reason)] += 1
    return reasons


def read_again(result: CaseResult, metric: MetricResult, replayer: Replayer | None = None) -> MetricResult:
    """Read the completions of one result again."""
    if not metric.calls or (metric.status in UNFINISHED and not metric.details):
        return metric  # it ended before it read anything
    read = _read(result, metric, replayer)
    if isinstance(read, str):
        return replace(metric, details={**metric.details, NOT_READ: read})
    return replace(read, details={name: value for name, value in read.details.items() if name != NOT_READ})


def _read(result: CaseResult, stored: MetricResult, replayer: Replayer | None) -> MetricResult | str:
    metric = replace(stored, calls=result.calls_of(stored.metric))
    if REPEATS in metric.details or any(verdict.votes for verdict in metric.verdicts):
        what = "the majority of repetitions" if REPEATS in metric.details else "of several judges, or calibrated"
        return f"{what}: evaluate again with the run's cache"
    if not any(call.completion is not None and call.completion.text is not None for call in metric.calls):
        return "no raw completion is stored"
    if metric.formula:
        return "its score is a formula" if replayer is None else replayer.again(result, stored.metric)
    scale = _scale(metric)
    if scale is None or metric.policy not in POLICIES:
        return "its scale or its policy is the user's own"
    question, purposes = result.case.question, ["verify"]
    if metric.details.get("mode") == "single":
        purposes += ["single", "extract"]
        answer, contexts = result.case.answer or "", result.case.contexts
        reply = read_single(metric.calls, answer, contexts, scale=scale, question=question).verdicts
        statements = tuple(verdict.statement for verdict in reply.verdicts)
    elif metric.statements:
        reply, statements = _read_verdicts(result, metric, scale), metric.statements
    else:
        return "no statements could be read, so nothing was asked about them"
    scored = apply_policy(
        get_policy(metric.policy), metric.threshold, status=reply.status, verdicts=reply.verdicts, extra=reply.extra
    )
    again = iter(reply.calls)  # those that were read, with the status of the new reading
    calls = (next(again, call) if call.purpose in purposes else call for call in metric.calls)
    return replace(
        metric,
        status=reply.status,
        statements=statements,
        verdicts=reply.verdicts,
        extra=reply.extra,
        issues=reply.issues,
        calls=tuple(replace(call, completion=None) if call.shared else call for call in calls),
        reason=compose_reason(reply.status, reply.verdicts, reply.issues) if metric.reason is not None else None,
        **scored,
    )


def _scale(metric: MetricResult) -> Scale | None:
    try:
        return resolve_scale(str(metric.details["scale"]))
    except (KeyError, ValueError):
        return None


def _read_verdicts(result: CaseResult, metric: MetricResult, scale: Scale) -> VerdictsReply:
    truths, question = metric.details.get("truths"), result.case.question
    if not truths:
        return read_verdicts(metric.calls, metric.statements, result.case.contexts, scale=scale, question=question)
    contexts = ["\n".join(texts) for texts in truths]
    reply = read_verdicts(metric.calls, metric.statements, contexts, scale=scale, question=question)
    # Quotes were looked up in the truths: a place in them is no place in the contexts.
    verdicts = tuple(
        verdict.model_copy(update={"evidence": tuple(replace(q, start=None, end=None) for q in verdict.evidence)})
        for verdict in reply.verdicts
    )
    return replace(reply, verdicts=verdicts)


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
