"""What has to hold of any reading, whatever the reply: the oracles of the targets that are fed bytes.

A broken rule raises `BrokenRuleError`; anything else that is raised is a crash of the parser.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pydantic import BaseModel

from fuzz.inputs import Request, decode
from magistrate.parsing import (
    VerdictReader,
    VerdictReading,
    parse_label,
    parse_object,
    parse_score,
    parse_statements,
    parse_verdicts,
)
from magistrate.verdict import ParseStatus, Repair, StatementVerdict, resolve_scale

__all__ = [
    "ORACLES",
    "BrokenRuleError",
    "check",
    "check_verdicts",
    "labels",
    "objects",
    "scores",
    "statements",
    "verdicts",
]

_THINKING = '<think>\nA draft: 1. no 2. no 3. no. Score: 0. [[3]] "verdict": "no"\n</think>\n'
_MARKS = ("<", "think", "\u25c1", "analysis", "final", "channel")
"""Where one of these stands in a reply, what is put before it may change what it says."""
_CHOICES = ("A", "B", "tie", "not applicable")


class BrokenRuleError(AssertionError):
    """A reading that breaks a rule. The first argument names the rule."""


def check(rule: str, holds: object, *about: object) -> None:
    """Raise unless a rule holds."""
    if not holds:
        raise BrokenRuleError(rule, *about)


def verdicts(data: bytes) -> None:
    """Any reply has an entry for each statement, in order; a verdict of the scale, or an issue; places in the reply."""
    request = decode(data)
    reading = _read(request)
    check_verdicts(request, reading)
    found = reading.found
    if request.finish_reason in {None, "stop"}:
        cut = _read(request, finish_reason="length")
        check("the end signal changes no verdict", _agree(found, cut.found), found, cut.found)
    if request.statements and not _has_marks(request.text):
        after = _read(request, text=_THINKING + request.text)
        check("a draft changes no verdict", _agree(found, after.found), found, after.found)
    if request.statements and len(request.text) % 4 == 0:
        _check_stream(request, reading)
    if len(request.text) % 4 == 1:
        _check_bytes(request, reading)


def _read(request: Request, *, text: str | None = None, finish_reason: str | None = None) -> VerdictReading:
    return parse_verdicts(
        request.text if text is None else text,
        request.statements,
        scale=request.scale,
        contexts=request.contexts,
        finish_reason=finish_reason or request.finish_reason,
        token=request.token,
    )


def _agree(left: Sequence[Any], right: Sequence[Any]) -> bool:
    """Whether no statement has two different verdicts; None goes with any."""
    return len(left) != len(right) or all(None in pair or pair[0] is pair[1] for pair in zip(left, right, strict=True))


def _has_marks(text: str) -> bool:
    lowered = text.lower()
    return any(mark in lowered for mark in _MARKS)


def check_verdicts(request: Request, reading: VerdictReading) -> None:
    """Hold a reading of verdicts against what holds of any.

    Raises:
        BrokenRuleError: If it breaks a rule.
    """
    asked, found, size = request.statements, reading.found, len(request.text)
    if asked is not None:
        check("one entry for each statement", len(found) == len(reading.verdicts) == len(asked), len(found))
    offered = resolve_scale(request.scale).verdicts
    for index, verdict in enumerate(reading.verdicts):
        check("found and verdicts say the same", verdict.verdict is found[index], index)
        check("entries in order", verdict.index == index, index, verdict.index)
        check("the statement as asked", asked is None or verdict.statement == asked[index], index)
        check("a verdict of the scale", verdict.verdict is None or verdict.verdict in offered, verdict.verdict)
        check("a verdict or the reason why not", verdict.verdict is not None or verdict.issues, index)
        check("a verdict has a place", verdict.verdict is None or verdict.span is not None, index)
        _check_place(verdict.span, size)
        _check_repairs(verdict.repairs, size)
        check("an entry is valid", StatementVerdict.model_validate(verdict.model_dump()) == verdict, verdict)
    known = sum(verdict is not None for verdict in found)
    if found:
        check("ok where all is known", (reading.status is ParseStatus.OK) == (known == len(found)), reading)
        check("partial where some is", (reading.status is ParseStatus.PARTIAL) == (0 < known < len(found)), reading)
    _check_repairs(reading.repairs, size)


def _check_place(span: tuple[int, int] | None, size: int) -> None:
    check("a place in the reply", span is None or 0 <= span[0] <= span[1] <= size, span, size)


def _check_repairs(repairs: Sequence[Repair], size: int) -> None:
    for repair in repairs:
        check("a repair in the reply", 0 <= repair.offset <= size, repair, size)


def _check_stream(request: Request, reading: VerdictReading) -> None:
    """What a reader of pieces returns at the end is what the whole reply says."""
    reader = VerdictReader(
        request.statements or (), scale=request.scale, contexts=request.contexts, token=request.token
    )
    size = max(1, len(request.text) // 3)
    for start in range(0, len(request.text), size):
        reader.feed(request.text[start : start + size])
    closed = reader.close(finish_reason=request.finish_reason)
    check("pieces read as the whole", list(closed.found) == list(reading.found), closed, reading)
    check("pieces end as the whole", closed.status is reading.status, closed, reading)


def _check_bytes(request: Request, reading: VerdictReading) -> None:
    try:
        raw = request.text.encode()
    except UnicodeEncodeError:
        return
    if raw[:2] in {b"\xff\xfe", b"\xfe\xff"}:
        return
    read = parse_verdicts(
        raw,
        request.statements,
        scale=request.scale,
        contexts=request.contexts,
        finish_reason=request.finish_reason,
        token=request.token,
    )
    check("bytes read as text", list(read.found) == list(reading.found), read, reading)


def scores(data: bytes) -> None:
    """Any reply has a number of the range, or none."""
    request = decode(data)
    low, high = request.range
    reading = parse_score(request.text, low, high, finish_reason=request.finish_reason)
    value, size = reading.value, len(request.text)
    check("a number of the range", value is None or (low <= value <= high), value)
    check("ok with a number", (value is not None) == (reading.status is ParseStatus.OK), reading)
    check("a number has a place", value is None or reading.span is not None, reading)
    _check_place(reading.span, size)
    _check_repairs(reading.repairs, size)
    if request.finish_reason in {None, "stop"}:
        cut = parse_score(request.text, low, high, finish_reason="length").value
        check("the end signal changes no score", None in (value, cut) or value == cut, value, cut)
    if not _has_marks(request.text):
        after = parse_score(_THINKING + request.text, low, high, finish_reason=request.finish_reason).value
        check("a draft changes no score", None in (value, after) or value == after, value, after)


def statements(data: bytes) -> None:
    """Any reply has statements that say something and stand in order, or none."""
    request = decode(data)
    reading = parse_statements(request.text, finish_reason=request.finish_reason)
    size = len(request.text)
    check("no blank statement", all(text.strip() for text in reading.statements), reading.statements)
    check("a place for each, or none", len(reading.spans) in {0, len(reading.statements)}, reading)
    for span in reading.spans:
        _check_place(span, size)
    _check_repairs(reading.repairs, size)
    none = {ParseStatus.EMPTY, ParseStatus.REFUSAL, ParseStatus.UNPARSEABLE}
    check("none where none were found", reading.status not in none or not reading.statements, reading)
    check("ok with statements", reading.status is not ParseStatus.OK or reading.statements, reading)
    if request.finish_reason in {None, "stop"} and reading.status is ParseStatus.OK:
        cut = parse_statements(request.text, finish_reason="length").statements
        check("a cut only takes away", reading.statements[: len(cut)] == cut, reading.statements, cut)


def labels(data: bytes) -> None:
    """Any reply has one of the labels, or none."""
    request = decode(data)
    reading = parse_label(request.text, _CHOICES, finish_reason=request.finish_reason)
    label, size = reading.label, len(request.text)
    check("a label that was offered", label is None or label in _CHOICES, label)
    check("ok with a label", (label is not None) == (reading.status is ParseStatus.OK), reading)
    _check_place(reading.span, size)
    _check_repairs(reading.repairs, size)
    if request.finish_reason in {None, "stop"}:
        cut = parse_label(request.text, _CHOICES, finish_reason="length").label
        check("the end signal changes no label", None in (label, cut) or label == cut, label, cut)
    if not _has_marks(request.text):
        after = parse_label(_THINKING + request.text, _CHOICES, finish_reason=request.finish_reason).label
        check("a draft changes no label", None in (label, after) or label == after, label, after)


class _Grade(BaseModel):
    """A shape with every kind of leaf."""

    reason: str
    passed: bool
    score: float
    tags: list[str] = []
    level: int | None = None


def objects(data: bytes) -> None:
    """Any reply has an object of the schema, or none."""
    request = decode(data)
    reading = parse_object(request.text, _Grade, finish_reason=request.finish_reason)
    check("an object of the schema", reading.value is None or isinstance(reading.value, _Grade), reading)
    check("ok with an object", (reading.value is not None) == (reading.status is ParseStatus.OK), reading)
    _check_repairs(reading.repairs, len(request.text))
    if request.finish_reason in {None, "stop"} and reading.value is not None:
        cut = parse_object(request.text, _Grade, finish_reason="length").value
        same = cut is None or cut.model_dump_json() == reading.value.model_dump_json()  # NaN equals itself there
        check("the end signal changes no object", same, reading.value, cut)


ORACLES: dict[str, Callable[[bytes], None]] = {
    "verdicts": verdicts,
    "scores": scores,
    "statements": statements,
    "labels": labels,
    "objects": objects,
}
"""What each target of bytes runs."""
