"""Texts that must not leave, or must not stay: changed before any call, or left out of all that is written."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, replace
from typing import Any, TypeVar

from pydantic import BaseModel

from magistrate.case import Case, Problem
from magistrate.evaluation.cases.dataset import Record
from magistrate.evaluation.runs.results import CaseResult, without_reply
from magistrate.records import CallRecord
from magistrate.user_code import USER_FAULTS
from magistrate.verdict import Issue, Outcome, ParseStatus, StatementVerdict, Status, Verdict

M = TypeVar("M", bound=BaseModel)
Redact = Callable[[str], str]
"""Takes a text of a case, gives what may be seen of it."""

_OTHER = ("claims", "sentences", "given", "batched", "single", "binary", "ternary", "graded", "maximize", "minimize")
_KNOWN = frozenset([*Verdict, *Status, *Outcome, *ParseStatus, *_OTHER])
"""Words of ours that the details of a result hold."""
_NAME = re.compile(r"[a-z][a-z0-9_-]{0,40}")


class _NoTextError(TypeError):
    """Its message holds nothing of the case, unlike what a function of the user's may raise."""


def redacted(records: Iterable[Record], redact: Redact, source: str = "") -> Iterator[Record]:
    """Run every text of the cases through a function; ids, categories and names stay as they are.

    The texts are question, answer, contexts, statements, reference, citations, those in the metadata, and the messages
    about the row. A row that the function fails on is not judged: nothing that was not redacted is sent or stored.
    """
    for record in records:
        try:
            case = _applied(
                record.case, redact, "question", "answer", "contexts", "reference", "statements", "metadata"
            )
            cited = tuple(_applied(one, redact, "quote", "statement", *one.model_extra or ()) for one in case.citations)
            problems = tuple(replace(problem, message=redact(problem.message)) for problem in record.problems)
        except USER_FAULTS as error:
            what = str(error) if isinstance(error, _NoTextError) else type(error).__name__
            message = f"the redact function failed: {what}"
            number = record.index + 1
            problem = Problem(message=message, source=source, line=record.line, row=number, blocking=True)
            yield Record(record.index, _blank(record.case), (problem,), record.line)
        else:
            yield replace(record, case=case.model_copy(update={"citations": cited}), problems=problems)


def _applied(model: M, redact: Redact, *names: str) -> M:
    return model.model_copy(update={name: _apply(getattr(model, name), redact) for name in names})


def _apply(value: Any, redact: Redact) -> Any:
    match value:
        case str():
            text = redact(value)
            if not isinstance(text, str):
                raise _NoTextError(f"it returned {type(text).__name__}, not a text")
            return text
        case tuple():
            return tuple(_apply(item, redact) for item in value)
        case list():
            return [_apply(item, redact) for item in value]
        case Mapping():
            return {key: _apply(item, redact) for key, item in value.items()}
        case _:
            return value


def without_text(result: CaseResult) -> CaseResult:
    """The result with its ids, verdicts and numbers alone: no text of the case, of a reply, or of a message about them.

    The category stays, as figures are grouped by it, and so do the places of quotes. Scores can be made again from it
    by another policy; replies cannot be read again.
    """
    bare = tuple(replace(one, message="", source="", field=None, expected=None, hint=None) for one in result.problems)
    metrics = {
        name: replace(
            metric,
            reason=None,
            statements=("",) * len(metric.statements),
            verdicts=tuple(map(_verdict, metric.verdicts)),
            issues=_issues(metric.issues),
            calls=tuple(map(_call, metric.calls)),
            earlier=tuple(map(_call, metric.earlier)),
            details=_numbers(metric.details),
        )
        for name, metric in result.metrics.items()
    }
    return replace(result, case=_blank(result.case), metrics=metrics, problems=bare)


def _blank(case: Case) -> Case:
    return Case(id=case.id, category=case.category, expected_score=case.expected_score)


def _verdict(verdict: StatementVerdict) -> StatementVerdict:
    evidence = tuple(replace(quote, quote="") for quote in verdict.evidence)
    kept = {"statement": "", "reason": None, "evidence": evidence, "issues": _issues(verdict.issues)}
    return verdict.model_copy(update=kept)


def _issues(issues: Iterable[Issue]) -> tuple[Issue, ...]:
    return tuple(dict.fromkeys(Issue(issue.code, "", issue.index) for issue in issues))


def _call(call: CallRecord) -> CallRecord:
    error = None if call.error is None else call.error.partition(":")[0]
    return replace(without_reply(call), error=error, token=None)


def _numbers(value: Any) -> Any:
    """What is no text in the details of a result: numbers, and words of ours."""
    match value:
        case bool() | int() | float() | None:
            return value
        case str():
            return value if value in _KNOWN else ""
        case Mapping():
            named = ((str(key), f"text-{at}", item) for at, (key, item) in enumerate(value.items(), 1))
            return {key if _NAME.fullmatch(key) else other: _numbers(item) for key, other, item in named}
        case list() | tuple() | set() | frozenset():
            return [_numbers(item) for item in value]
        case _ if hasattr(type(value), "__dataclass_fields__"):
            return {part.name: _numbers(getattr(value, part.name)) for part in fields(value)}
        case _:
            return None
