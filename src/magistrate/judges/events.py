"""The log events of a judge: what a reply lacked, and what was done about it. Names and fields are fixed; no texts."""

from __future__ import annotations

from collections.abc import Sequence

from magistrate.judges.seen import CUT_PROMPT, HEAD_UNSEEN
from magistrate.log import get_logger
from magistrate.records import CallRecord
from magistrate.verdict import Issue, IssueCode, ParseStatus

__all__ = ["EVENTS", "log_reading", "log_reask", "log_split"]

EVENTS = (
    "verdicts.mismatch",
    "verdicts.refused",
    "verdicts.truncated",
    "verdicts.out_of_range",
    "verdicts.repaired",
    "verdicts.reasked",
    "verdicts.context_split",
)
"""The names. Each event has `model`, `expected` (statements asked about) and `actual` (those of them with a verdict),
and `case` in a run; `verdicts.mismatch` has `extra` too (verdicts on nothing that was asked about), `verdicts.reasked`
has `attempt`, `verdicts.context_split` has `parts` (into which the contexts were cut) and no `actual`."""

_log = get_logger("magistrate.judge")


def log_reading(call: CallRecord, issues: Sequence[Issue], *, expected: int, actual: int, extra: int = 0) -> None:
    """Say what is remarkable about how a reply was read.

    Args:
        call: The call, with the status of its reading.
        issues: The issues of the reading as a whole.
        expected: Statements that it was about.
        actual: How many of them it gave a verdict on.
        extra: Verdicts that it gave on nothing that it was about.
    """
    codes = {issue.code for issue in issues}
    fields = {"model": call.requested_model, "expected": expected, "actual": actual}
    if call.status == ParseStatus.REFUSAL.value:
        _log.warning("verdicts.refused", **fields)
    elif call.status in {ParseStatus.TRUNCATED.value, CUT_PROMPT, HEAD_UNSEEN} or IssueCode.TRUNCATED in codes:
        _log.warning("verdicts.truncated", **fields)
    elif call.completion is not None and (actual != expected or extra):
        _log.warning("verdicts.mismatch", **fields, extra=extra)
    if call.status == ParseStatus.OUT_OF_RANGE.value or IssueCode.OUT_OF_RANGE in codes:
        _log.warning("verdicts.out_of_range", **fields)
    if IssueCode.REPAIRED_JSON in codes:
        _log.info("verdicts.repaired", **fields)


def log_reask(call: CallRecord, *, expected: int, actual: int, attempt: int) -> None:
    """Say that what is missing is asked for again; after a refusal in other words.

    Args:
        call: The call whose reply lacked it.
        expected: Statements that it was about.
        actual: Verdicts that were read.
        attempt: Number of the new attempt; 1 for the first.
    """
    _log.info("verdicts.reasked", model=call.requested_model, expected=expected, actual=actual, attempt=attempt)


def log_split(*, model: str, parts: int, expected: int) -> None:
    """Say that contexts too long for the model are judged in parts."""
    _log.warning("verdicts.context_split", model=model, parts=parts, expected=expected)
