"""Objects of a caller's own model, read from a judge's reply."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

from pydantic import BaseModel

from magistrate.judges.base import StructuredReply
from magistrate.judges.seen import CUT_PROMPT
from magistrate.parsing import parse_object
from magistrate.records import CallRecord
from magistrate.verdict import Issue, IssueCode, ParseStatus, Status

M = TypeVar("M", bound=BaseModel)


def read_structured(call: CallRecord, model: type[M] | Mapping[str, Any]) -> StructuredReply[M]:
    """Read one call of purpose "structured"; its usage is left to the caller."""
    completion = call.completion
    if completion is None:
        refused = call.status == ParseStatus.REFUSAL.value
        code = IssueCode.REFUSAL if refused else IssueCode.JUDGE_ERROR
        issue = Issue(code, call.error or "the call failed")
        return StructuredReply(status=Status.REFUSED if refused else Status.JUDGE_ERROR, issues=(issue,), calls=(call,))
    if call.status == CUT_PROMPT:
        issue = Issue(IssueCode.CONTEXT_TRUNCATED, call.error or "")
        return StructuredReply(None, completion.text, Status.CONTEXT_TRUNCATED, (issue,), calls=(call,))
    found = parse_object(completion.text, model, finish_reason=completion.finish_reason, refusal=completion.refusal)
    status = {
        ParseStatus.OK: Status.SCORED,
        ParseStatus.REFUSAL: Status.REFUSED,
        ParseStatus.TRUNCATED: Status.TRUNCATED,
        ParseStatus.OUT_OF_RANGE: Status.OUT_OF_RANGE,
    }.get(found.status, Status.UNPARSEABLE)
    call = replace(call, status=found.status.value)
    return StructuredReply(found.value, completion.text, status, found.issues, found.errors, calls=(call,))
