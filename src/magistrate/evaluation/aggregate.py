"""From the results of a run to its figures: never a mean without its coverage."""

from __future__ import annotations

import hashlib
import heapq
import math
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from magistrate.case import Problem
from magistrate.evaluation.runs.results import CaseResult, digest_line
from magistrate.judges import usage_of
from magistrate.metrics.base import MetricResult
from magistrate.records import REPHRASED, TOO_LONG, CallRecord, Usage
from magistrate.statistics import Interval, mean_interval, percentile
from magistrate.verdict import IssueCode, Outcome, ParseStatus, Status, Verdict

_SHOWN = 10
_KINDS = 50
"""Kinds of problems (a field, and how the message begins) that are counted apart; messages may quote the dataset."""


@dataclass(frozen=True, slots=True)
class Latency:
    """Percentiles of a duration in milliseconds."""

    n: int
    p50: float
    p95: float
    p99: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryAggregate:
    """The figures of one metric over the cases of one category.

    Attributes:
        n: Cases.
        n_scored: Cases with a score.
        mean: Mean over the scored ones; None where there is none.
        interval: 95 % interval of that mean; None for fewer than two scores.
        bounds: Least and greatest mean over all cases that the missing scores leave possible.
        statuses: Status -> cases.
        not_scored: Status -> cases without a score, most frequent first.
        outcomes: Outcome -> cases.
    """

    n: int
    n_scored: int
    mean: float | None
    interval: Interval | None
    bounds: tuple[float, float] | None
    statuses: Mapping[Status, int]
    not_scored: Mapping[Status, int]
    outcomes: Mapping[Outcome, int]

    @property
    def coverage(self) -> float:
        """Share of the cases that have a score, in [0, 1]."""
        return self.n_scored / self.n if self.n else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Aggregate(CategoryAggregate):
    """The figures of one metric over a run.

    Attributes:
        metric: Its name.
        policy: The versioned name of the scoring policy.
        threshold: The score a case needs to pass.
        direction: "maximize" or "minimize".
        judge: Name of the judge.
        verdicts: Verdict -> statements; None counts the statements without a verdict.
        n_left_out: Cases with a sentence of the answer that no statement was taken from: it was not judged.
        categories: Category -> its figures; empty where no case has one.
        latency: Of the metric on a case; None where nothing was judged.
        usage: What all its calls cost.
    """

    metric: str
    policy: str
    threshold: float
    direction: str
    judge: str
    verdicts: Mapping[Verdict | None, int]
    n_left_out: int
    categories: Mapping[str, CategoryAggregate]
    latency: Latency | None
    usage: Usage

    def __str__(self) -> str:
        mean = "none" if self.mean is None else f"{self.mean:.3f}"
        missing = [f", {count} {status.value}" for status, count in self.not_scored.items()]
        return f"{self.metric} {mean} ({self.n_scored} of {self.n} scored{''.join(missing)})"

    def __repr__(self) -> str:
        within = f", 95 % interval {self.interval.low:.3f} to {self.interval.high:.3f}" if self.interval else ""
        possible = f", possible {self.bounds[0]:.3f} to {self.bounds[1]:.3f}" if self.bounds else ""
        told = [f"{count} {outcome.value}" for outcome, count in self.outcomes.items() if count]
        return f"<{self}{within}{possible}: {', '.join(told)}>"


@dataclass(frozen=True, slots=True)
class Worst:
    """A case that did badly: where it stands in the run, and its score."""

    position: int
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSummary:
    """The figures of a run.

    Attributes:
        n: Cases.
        n_blocked: Rows of the dataset that could not be judged.
        n_problems: Rows of the dataset that lost something, blocked or not.
        problems: The kinds of those problems, each by its first one and the number of rows that have it.
        metrics: Name of the metric -> its figures.
        usage: What all calls cost.
        call_latency: Of the calls that reached a provider; None where there was none.
        models: (requested, served) -> calls that reached a provider, served by None where there was no answer.
        prompts: (name, version, hash) -> calls. The hash is over the messages sent, so each call may have its own.
        call_notes: What was out of the ordinary with calls -> calls: "refused", "asked in other words", "too long for
            the model", "sent without <parameter>" (the model rejects it), "repeated after a fault".
        without_token: Models none of whose replies carries the request token, of two at least that should.
        worst: Name of the metric -> the cases with the lowest scores (the highest, where less is better).
        digest: The results digest: a SHA-256 over what was found, in the order of the cases (see `digest_line`).
    """

    n: int
    n_blocked: int
    n_problems: int
    problems: tuple[tuple[Problem, int], ...]
    metrics: Mapping[str, Aggregate]
    usage: Usage
    call_latency: Latency | None
    models: Mapping[tuple[str, str | None], int]
    prompts: Mapping[tuple[str, str], int]
    call_notes: Mapping[str, int]
    without_token: tuple[str, ...]
    worst: Mapping[str, tuple[Worst, ...]]
    digest: str = ""

    @property
    def judged(self) -> bool:
        """Whether anything was judged, be it that there was nothing to judge; True for a run without cases."""
        found = [status for figures in self.metrics.values() for status in figures.statuses]
        return not found or not _JUDGED.isdisjoint(found)

    @property
    def unjudged(self) -> str:
        """Why nothing was judged: the statuses, each with its number."""
        counts = sum((Counter(figures.statuses) for figures in self.metrics.values()), Counter[Status]())
        return ", ".join(f"{count} {status.value}" for status, count in counts.most_common())


_JUDGED = frozenset({Status.SCORED, Status.PARTIAL, Status.VACUOUS})


@dataclass(slots=True)
class _Group:
    """Sums over the results of one metric, for all cases or one category."""

    scores: array[float] = field(default_factory=lambda: array("d"))
    lowest: float = 0.0
    highest: float = 0.0
    statuses: Counter[Status] = field(default_factory=Counter)
    not_scored: Counter[Status] = field(default_factory=Counter)
    outcomes: Counter[Outcome] = field(default_factory=Counter)

    def add(self, result: MetricResult) -> None:
        self.statuses[result.status] += 1
        self.outcomes[result.outcome] += 1
        low, high = result.bounds or (0.0, 1.0)
        if result.score is None:
            self.not_scored[result.status] += 1
        else:
            self.scores.append(result.score)
            low, high = (result.score, result.score) if result.status is Status.SCORED else (low, high)
        self.lowest += low
        self.highest += high

    def figures(self) -> dict[str, Any]:
        n = self.statuses.total()
        return {
            "n": n,
            "n_scored": len(self.scores),
            "mean": math.fsum(self.scores) / len(self.scores) if self.scores else None,
            "interval": mean_interval(self.scores),
            "bounds": (self.lowest / n, self.highest / n) if n else None,
            "statuses": dict(self.statuses.most_common()),
            "not_scored": dict(self.not_scored.most_common()),
            "outcomes": {outcome: self.outcomes[outcome] for outcome in Outcome},
        }


@dataclass(slots=True)
class _MetricSums:
    first: MetricResult
    all: _Group = field(default_factory=_Group)
    categories: dict[str, _Group] = field(default_factory=dict)
    verdicts: Counter[Verdict | None] = field(default_factory=Counter)
    left_out: int = 0
    latencies: array[float] = field(default_factory=lambda: array("d"))
    usage: Usage = field(default_factory=Usage)
    worst: list[tuple[float, int, float]] = field(default_factory=list)

    def add(self, result: CaseResult, metric: MetricResult, position: int) -> None:
        self.all.add(metric)
        if result.case.category:
            self.categories.setdefault(result.case.category, _Group()).add(metric)
        self.verdicts.update(verdict.verdict for verdict in metric.verdicts)
        self.left_out += any(issue.code is IssueCode.SENTENCE_WITHOUT_STATEMENT for issue in metric.issues)
        passed, less_is_better = metric.outcome is Outcome.PASS, metric.direction == "minimize"
        self.usage += metric.usage
        if metric.latency_ms:
            self.latencies.append(metric.latency_ms)
        key = metric.score
        if key is None and metric.status is Status.PARTIAL and metric.bounds:  # what was never judged is unknown
            key = metric.bounds[less_is_better]
        if key is not None and not passed:
            entry = (key if less_is_better else -key, -position, key)
            (heapq.heappush if len(self.worst) < _SHOWN else heapq.heappushpop)(self.worst, entry)

    def figures(self, name: str) -> Aggregate:
        return Aggregate(
            metric=name,
            **{same: getattr(self.first, same) for same in ("policy", "threshold", "direction", "judge")},
            verdicts=dict(self.verdicts),
            n_left_out=self.left_out,
            categories={key: CategoryAggregate(**group.figures()) for key, group in sorted(self.categories.items())},
            latency=_latency(self.latencies),
            usage=self.usage,
            **self.all.figures(),
        )


def summarize(results: Iterable[CaseResult]) -> RunSummary:
    """Compute the figures of a run in one pass, holding a few numbers a case."""
    sums: dict[str, _MetricSums] = {}
    kinds: dict[tuple[str, str], tuple[Problem, int]] = {}
    calls, digest = _CallSums(), hashlib.sha256()
    n = blocked = with_problems = 0
    for n, result in enumerate(results, 1):
        digest.update(digest_line(result))
        blocked += any(problem.blocking for problem in result.problems)
        errors = [problem for problem in reversed(result.problems) if problem.severity == "error"]
        with_problems += bool(errors)
        for kind, problem in {((one.field or "").partition("[")[0], one.message[:24]): one for one in errors}.items():
            if kind in kinds or len(kinds) < _KINDS:
                first, count = kinds.get(kind, (problem, 0))
                kinds[kind] = (first, count + 1)
        for name, metric in result.metrics.items():
            sums.setdefault(name, _MetricSums(metric)).add(result, metric, n - 1)
            calls.usage += metric.usage
            for call in (*metric.calls, *metric.earlier):
                calls.add(call)
    silent = [model for model, (carried, asked) in calls.tokens.items() if asked >= _FEWEST_REPLIES and not carried]
    worst = {name: sorted(total.worst, reverse=True) for name, total in sums.items()}
    return RunSummary(
        n=n,
        n_blocked=blocked,
        n_problems=with_problems,
        problems=tuple(sorted(kinds.values(), key=lambda kind: -kind[1])),
        metrics={name: total.figures(name) for name, total in sums.items()},
        usage=calls.usage,
        call_latency=_latency(calls.latencies),
        models=dict(calls.models.most_common()),
        prompts=dict(calls.prompts.most_common()),
        call_notes=dict(calls.notes.most_common()),
        without_token=tuple(silent),
        worst={name: tuple(Worst(-position, score) for _, position, score in found) for name, found in worst.items()},
        digest=digest.hexdigest(),
    )


@dataclass(slots=True)
class _CallSums:
    usage: Usage = field(default_factory=Usage)
    latencies: array[float] = field(default_factory=lambda: array("d"))
    models: Counter[tuple[str, str | None]] = field(default_factory=Counter)
    prompts: Counter[tuple[str, str]] = field(default_factory=Counter)
    notes: Counter[str] = field(default_factory=Counter)
    tokens: dict[str, tuple[int, int]] = field(default_factory=dict)

    def add(self, call: CallRecord) -> None:
        if call.shared:
            return
        done = call.completion
        noted = {
            "refused": call.status == ParseStatus.REFUSAL.value,
            "asked in other words": REPHRASED in call.prompt.version,
            "too long for the model": call.status == TOO_LONG,
            "asked again, as the reply of an earlier run was of no use": done is not None and done.renewed,
            **{f"sent without {name}": True for name in (done.dropped_params if done is not None else ())},
        }
        self.notes.update(note for note, known in noted.items() if known)
        text = done.text if done is not None and call.status in _READ else None
        if call.token is not None and text:
            carried, asked = self.tokens.get(call.requested_model, (0, 0))
            held = all(word in text.casefold() for word in call.token.split("-"))
            self.tokens[call.requested_model] = carried + held, asked + 1
        self.prompts[call.prompt.name, call.prompt.version] += 1
        calls = usage_of((call,)).calls
        self.models[call.requested_model, done.model if done else None] += calls
        if calls > 1:
            self.notes["repeated after a fault"] += calls - 1
        if done is not None and not done.cached:
            self.latencies.append(done.usage.latency_ms)


_FEWEST_REPLIES = 2
_READ = frozenset({ParseStatus.OK.value, ParseStatus.PARTIAL.value, ParseStatus.UNPARSEABLE.value})


def _latency(durations: array[float]) -> Latency | None:
    if not durations:
        return None
    ordered = sorted(durations)
    return Latency(len(ordered), percentile(ordered, 0.5), percentile(ordered, 0.95), percentile(ordered, 0.99))
