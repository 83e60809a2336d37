"""Runs derived from a stored run without a call: other policy, other threshold, another reading of its completions."""

from __future__ import annotations

import contextlib
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from magistrate.errors import ConfigurationError, JudgeError
from magistrate.evaluation.comparison import REPEATS
from magistrate.evaluation.files import RESULTS
from magistrate.evaluation.runs.results import UNFINISHED, CaseResult
from magistrate.evaluation.runs.run import Run, load_run
from magistrate.evaluation.runs.store import LazyResults, RunWriter, describe
from magistrate.judges import ExtractAndVerify, VerdictsReply, Verify
from magistrate.judges.llm import LLMJudge
from magistrate.judges.llm.reading import read_single, read_verdicts
from magistrate.judges.shared import SharedJudge
from magistrate.metrics.base import Metric, MetricResult, apply_policy, compose_reason, rescore
from magistrate.metrics.faithfulness import Faithfulness
from magistrate.metrics.registry import METRICS, make_metric
from magistrate.prompts import load_prompt, swap_token
from magistrate.records import CallRecord, Completion, CompletionRequest
from magistrate.scoring import POLICIES, get_policy
from magistrate.sync import run_sync
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
    return replace(run, results=LazyResults(run.results, partial(map, apply)), header=header, path=None)


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


class Change(NamedTuple):
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
    scale = None
    with contextlib.suppress(KeyError, ValueError):
        scale = resolve_scale(str(metric.details["scale"]))
    if scale is None or metric.policy not in POLICIES:
        return "its scale or its policy is the user's own"
    purposes = ["verify"]
    if metric.details.get("mode") == "single":
        purposes += ["single", "extract"]
        answer, contexts = result.case.answer or "", result.case.contexts
        asked = ExtractAndVerify(answer, contexts, question=result.case.question, scale=scale)
        reply = read_single(metric.calls, asked).verdicts
        statements = tuple(verdict.statement for verdict in reply.verdicts)
    elif metric.statements:
        reply, statements = _read_verdicts(result, metric, scale), metric.statements
    else:
        return "no statements could be read, so nothing was asked about them"
    read: dict[str, Any] = {name: getattr(reply, name) for name in ("status", "verdicts", "extra")}
    scored = apply_policy(get_policy(metric.policy), metric.threshold, **read)
    again = iter(reply.calls)  # those that were read, with the status of the new reading
    calls = (next(again, call) if call.purpose in purposes else call for call in metric.calls)
    return replace(
        metric,
        statements=statements,
        issues=reply.issues,
        calls=tuple(replace(call, completion=None) if call.shared else call for call in calls),
        reason=compose_reason(reply.status, reply.verdicts, reply.issues) if metric.reason is not None else None,
        **read,
        **scored,
    )


def _read_verdicts(result: CaseResult, metric: MetricResult, scale: Scale) -> VerdictsReply:
    truths = metric.details.get("truths")
    contexts = ["\n".join(texts) for texts in truths] if truths else result.case.contexts
    asked = Verify(metric.statements, contexts, question=result.case.question, scale=scale)
    reply = read_verdicts(metric.calls, asked)
    if not truths:
        return reply
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


class StoredClient:
    """Answers a request with the completion that is stored for the same prompt."""

    def __init__(self, calls: Iterable[CallRecord]) -> None:
        self._stored: defaultdict[tuple[str, str], deque[CallRecord]] = defaultdict(deque)
        for call in calls:
            self._stored[call.purpose, call.prompt.hash].append(call)
        self.missed = 0

    async def complete(self, request: CompletionRequest) -> Completion:
        """Answer one request."""
        if not (found := self._stored[request.purpose, request.prompt.hash]):
            notes, texts = load_prompt(request.prompt.name).reask, [message.content for message in request.messages]
            self.missed += not any(note in text for note in notes for text in texts)
            raise JudgeError("no completion is stored for this question", model=request.model)
        call = found.popleft()
        if call.completion is None:
            raise JudgeError(call.error or "the call failed", model=request.model)
        text, token = call.completion.text, call.token
        if text is not None and token and request.token:
            text = swap_token(text, token, request.token)  # the old token of this reply stands for the new one
        return replace(call.completion, text=text)

    async def close(self) -> None:
        """Do nothing: nothing is open."""


class Replayer:
    """Makes the results of one run again."""

    def __init__(self, config: Mapping[str, Any]) -> None:
        self._asking = config.get("judge") or {}
        self._metrics = {str(one.get("name")): rebuilt(one) for one in config.get("metrics", ())}

    def again(self, result: CaseResult, name: str) -> MetricResult | str:
        """The result of a metric, made again; or why it cannot be."""
        stored = result.metrics[name]
        if (metric := self._metrics.get(name)) is None:
            return "this metric, or how it was set up, is not known here"
        client = StoredClient(result.calls_of(name))
        if (judge := self._judge(client)) is None:
            return "its judge is not one whose questions can be asked again"
        new = run_sync(metric.evaluate(result.case, SharedJudge(judge)))
        if client.missed:
            return "the judge would be asked something else now, which no stored completion answers"
        read = {(call.purpose, call.prompt.hash): call.status for call in new.calls}
        statuses = [read.get((call.purpose, call.prompt.hash), call.status) for call in stored.calls]
        return replace(
            new,
            calls=tuple(replace(call, status=one) for call, one in zip(stored.calls, statuses, strict=True)),
            reason=None if stored.reason is None else new.reason,
            **{name: getattr(stored, name) for name in ("earlier", "usage", "latency_ms", "judge")},
        )

    def _judge(self, client: StoredClient) -> LLMJudge | None:
        try:
            words = int(self._asking["reason_words"])
            return LLMJudge(
                str(self._asking["model"]),
                client=client,
                quotes=bool(self._asking["quotes"]),
                reasons=bool(words),
                reason_words=words or 1,
                batch_size=int(self._asking["batch_size"]),
            )
        except (KeyError, TypeError, ValueError, ConfigurationError):  # the header is of another judge
            return None


def rebuilt(description: Mapping[str, Any]) -> Metric | None:
    """Make a metric of its description in a run's header; None where that does not give the same metric."""
    name = str(description.get("name"))
    if name not in METRICS:
        return None
    known = {key: description[key] for key in ("scale", "batch_size") if key in description}
    options = description.get("judging") or known
    try:
        metric = make_metric(name, description.get("threshold"), judging=Faithfulness(**options))
    except (TypeError, ConfigurationError):  # options of another version, or a scale of the user's own
        return None
    made = _flat(describe(metric))
    stored = _flat(description)
    stored.pop("include_reason", None)  # decides no score
    # Classes move between modules from one version to the next, and gain options; their names stay.
    if str(stored.pop("class", "")).rpartition(".")[2] != made["class"].rpartition(".")[2]:
        return None
    return metric if all(made.get(name) == value for name, value in stored.items()) else None


def _flat(description: Mapping[str, Any]) -> dict[str, Any]:
    """A description with what it says of judging beside the rest: metrics of an older version say less of it."""
    flat = dict(description)
    judging = flat.pop("judging", None)
    return flat | dict(judging if isinstance(judging, Mapping) else {})
