"""A case as the HTML report holds it: places in texts are counted as a browser counts, in UTF-16 code units."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from magistrate.evaluation.runs.results import CaseResult, writable
from magistrate.judges.llm.reading import read_verdicts
from magistrate.metrics.base import MetricResult
from magistrate.records import CallRecord
from magistrate.text import locate_quotes
from magistrate.verdict import Evidence, StatementVerdict, resolve_scale

_BASIC = "\uffff"
_LONGEST = 2000
"""Longer statements are only looked for as they stand."""


def units(text: str, offset: int) -> int:
    """A place in a text, given in characters, in UTF-16 code units."""
    return offset if text.isascii() else offset + sum(1 for char in text[:offset] if char > _BASIC)


def case_data(result: CaseResult, *, raw: bool) -> dict[str, Any]:
    """Everything the page shows of a case, JSON-able."""
    case = result.case
    calls = _Calls(result)
    metrics = {name: _metric(result, found, calls.of(name), raw=raw) for name, found in result.metrics.items()}
    return {
        "question": case.question,
        "answer": case.answer,
        "reference": case.reference,
        "expected": case.expected_score,
        "contexts": case.contexts,
        "problems": [str(problem) for problem in result.problems],
        "calls": [_call(call, raw=raw) for call in calls.all],
        "metrics": metrics,
    }


class _Calls:
    """The calls of a case, each once however many metrics share it."""

    def __init__(self, result: CaseResult) -> None:
        self.all: list[CallRecord] = []
        self._result = result
        self._places: dict[str, int] = {}

    def of(self, name: str) -> list[tuple[int, CallRecord]]:
        """The calls of one metric, with their places in `all`."""
        found = []
        for call in self._result.calls_of(name):
            place = self._places.get(call.key) if call.key and call.shared else None
            if place is None:
                place = len(self.all)
                self.all.append(call)
                if call.key:
                    self._places.setdefault(call.key, place)
            found.append((place, call))
        return found


def _call(call: CallRecord, *, raw: bool) -> dict[str, Any]:
    completion = call.completion
    return {
        "purpose": call.purpose,
        "prompt": f"{call.prompt.name} {call.prompt.version}",
        "requested": call.requested_model,
        "served": completion.model if completion else None,
        "status": call.status,
        "error": call.error,
        "text": completion.text if completion and raw else None,
        "refusal": completion.refusal if completion and raw else None,
        "reasoning": completion.reasoning if completion and raw else None,
        "finish": completion.finish_reason if completion else None,
        "mode": completion.mode if completion else None,
        "attempts": completion.attempts if completion else call.attempts,
        "cached": bool(completion and completion.cached),
        "shared": call.shared,
    }


def _metric(
    result: CaseResult, found: MetricResult, calls: Sequence[tuple[int, CallRecord]], *, raw: bool
) -> dict[str, Any]:
    places = _in_answer(found.verdicts, result.case.answer)
    return {
        "status": found.status.value,
        "score": found.score,
        "bounds": found.bounds,
        "threshold": found.threshold,
        "outcome": found.outcome.value,
        "direction": found.direction,
        "policy": found.policy,
        "formula": found.formula,
        "reason": found.reason,
        "judge": found.judge,
        "issues": [asdict(issue) for issue in found.issues],
        "details": writable(found.details),
        "usage": asdict(found.usage),
        "latency_ms": found.latency_ms,
        "extra": [verdict.value for verdict in found.extra],
        "calls": [place for place, _ in calls],
        "verdicts": [
            {
                **_verdict(verdict, result.case.contexts),
                "at": place,
                **_origin(verdict, result, found, calls if raw else ()),
            }
            for verdict, place in zip(found.verdicts, places, strict=True)
        ],
    }


def _verdict(verdict: StatementVerdict, contexts: Sequence[str]) -> dict[str, Any]:
    return {
        "index": verdict.index,
        "id": verdict.id,
        "statement": verdict.statement,
        "verdict": verdict.verdict and verdict.verdict.value,
        "reason": verdict.reason,
        "probability": verdict.probability,
        "confidence": verdict.confidence,
        "votes": [[vote.judge, vote.verdict and vote.verdict.value] for vote in verdict.votes],
        "evidence": [_evidence(quote, contexts) for quote in verdict.evidence],
        "issues": [asdict(issue) for issue in verdict.issues],
    }


def _evidence(quote: Evidence, contexts: Sequence[str]) -> dict[str, Any]:
    start, end = quote.start, quote.end
    if quote.context is None or quote.context >= len(contexts) or start is None or end is None:
        start = end = None
    else:
        text = contexts[quote.context]
        start, end = units(text, start), units(text, end)
    return {"quote": quote.quote, "context": quote.context, "start": start, "end": end, "similarity": quote.similarity}


def _in_answer(verdicts: Sequence[StatementVerdict], answer: str | None) -> list[tuple[int, int] | None]:
    """Where the statements stand in the answer; None for one that is in the judge's words and not in the answer's."""
    places: list[tuple[int, int] | None] = []
    if not answer:
        return [None] * len(verdicts)
    for verdict in verdicts:
        start = answer.find(verdict.statement) if verdict.statement else -1
        places.append((start, start + len(verdict.statement)) if start >= 0 else None)
    open_ = [at for at, place in enumerate(places) if place is None and len(verdicts[at].statement) <= _LONGEST]
    for at, quote in zip(open_, locate_quotes([verdicts[at].statement for at in open_], [answer]), strict=True):
        if quote.start is not None and quote.end is not None:
            places[at] = (quote.start, quote.end)
    return [place and (units(answer, place[0]), units(answer, place[1])) for place in places]


def _origin(
    verdict: StatementVerdict, result: CaseResult, found: MetricResult, calls: Sequence[tuple[int, CallRecord]]
) -> dict[str, Any]:
    """The call a verdict was read from and the row in its reply; nothing where that is not certain."""
    nowhere = {"call": None, "span": None, "repairs": [{"code": repair.code} for repair in verdict.repairs]}
    if verdict.span is None:
        return nowhere
    asked = [(place, call) for place, call in calls if _may_hold(call, verdict)]
    if len(asked) > 1 or found.formula:
        asked = [(place, call) for place, call in asked if _gives(call, verdict, result, found)][:1]
    for place, call in asked:
        text = (call.completion and call.completion.text) or ""
        return {
            "call": place,
            "span": (units(text, verdict.span[0]), units(text, verdict.span[1])),
            "repairs": [{"code": fix.code, "offset": units(text, fix.offset)} for fix in verdict.repairs],
        }
    return nowhere


def _may_hold(call: CallRecord, verdict: StatementVerdict) -> bool:
    text = call.completion and call.completion.text
    if not text or verdict.span is None or verdict.span[1] > len(text):
        return False
    return call.purpose == "single" or (call.purpose == "verify" and verdict.index in call.statements)


def _gives(call: CallRecord, verdict: StatementVerdict, result: CaseResult, found: MetricResult) -> bool:
    """Whether this very call, read again, gives this verdict from this row."""
    if call.purpose != "verify" or call.scale is None or verdict.index >= len(found.statements):
        return False
    try:
        scale = resolve_scale(call.scale)
    except ValueError:  # a scale of the user's own
        return False
    reply = read_verdicts([call], found.statements, result.case.contexts, scale=scale, question=result.case.question)
    again = reply.verdicts[verdict.index]
    return again.verdict is verdict.verdict and again.span == verdict.span
