"""A stored result made again: the same metric asks the same judge, and stored completions answer.

It is for scores that are a formula of several replies. The prompts are made anew and looked up by their hash, so
nothing is guessed: a reply only answers the very prompt that it answered then.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from magistrate.errors import ConfigurationError, JudgeError
from magistrate.evaluation.configuration import describe
from magistrate.evaluation.runs.results import CaseResult
from magistrate.judges.llm import LLMJudge
from magistrate.judges.shared import SharedJudge
from magistrate.metrics.base import Metric, MetricResult
from magistrate.metrics.faithfulness import Faithfulness
from magistrate.metrics.registry import METRICS, make_metric
from magistrate.prompts import load_prompt, swap_token
from magistrate.records import CallRecord, Completion, CompletionRequest
from magistrate.sync import run_sync


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
        metric = self._metrics.get(name)
        if metric is None:
            return "this metric, or how it was set up, is not known here"
        calls = result.calls_of(name)
        client = StoredClient(calls)
        judge = self._judge(client)
        if judge is None:
            return "its judge is not one whose questions can be asked again"
        new = run_sync(metric.evaluate(result.case, SharedJudge(judge)))
        if client.missed:
            return "the judge would be asked something else now, which no stored completion answers"
        read = {(call.purpose, call.prompt.hash): call.status for call in new.calls}
        statuses = [read.get((call.purpose, call.prompt.hash), call.status) for call in stored.calls]
        return replace(
            new,
            calls=tuple(replace(call, status=one) for call, one in zip(stored.calls, statuses, strict=True)),
            earlier=stored.earlier,
            usage=stored.usage,
            latency_ms=stored.latency_ms,
            judge=stored.judge,
            reason=None if stored.reason is None else new.reason,
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
    options = description.get("judging") or {
        key: description[key] for key in ("scale", "batch_size") if key in description
    }
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
