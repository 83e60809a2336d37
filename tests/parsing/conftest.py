"""Readings told in full, as short lines: what a test compares a whole reading with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from magistrate.parsing import parse_label, parse_object, parse_score, parse_statements, parse_verdicts
from magistrate.parsing.mend import GivenUp, mend
from magistrate.parsing.schema_fit import fit
from magistrate.parsing.tree import Arr, Gap, Obj

Told = tuple[str, ...]


def shown(value: Any) -> str:
    """A mended value: gaps in angle brackets, all values of a repeated key, no closing bracket where it is missing."""
    if isinstance(value, Gap):
        return f"<{value.value}>"
    if isinstance(value, Obj):
        every = {key: value.twice.get(key, [item]) for key, item in value.items()}
        members = ", ".join(f"{key!r}: {' | '.join(map(shown, items))}" for key, items in every.items())
        return "{" + members + ("" if value.open else "}")
    if isinstance(value, Arr):
        return "[" + ", ".join(map(shown, value)) + ("" if value.open else "]")
    return repr(value)


def places(value: Any, path: str = "") -> list[str]:
    """Where each part of a mended value stands."""
    members: list[tuple[Any, Any, Any]] = []
    if isinstance(value, Obj):
        members = [(key, item, value.spans.get(key)) for key, item in value.items()]
    elif isinstance(value, Arr):
        members = [(at, item, value.spans[at]) for at, item in enumerate(value)]
    found = []
    for step, item, known in members:
        span = item.span if known is None and isinstance(item, Obj | Arr) else known
        found += [f"{path}{step} {span[0]}-{span[1]}"] if span is not None else []
        found += places(item, f"{path}{step}.")
    return found


def _shortened(lines: Sequence[str]) -> Told:
    return tuple(line if len(line) < 600 else f"{line[:60]} ... {line[-40:]}" for line in lines)


def _mended(text: str) -> Told:
    """The value, where it stands and how it ends; the changes; where its parts stand."""
    found = mend(text, 0)
    if isinstance(found, GivenUp):
        return (f"given up at {found.at}",)
    ending = "closed" if not found.cut else "cut, dangling" if found.dangling else "cut"
    changes = ", ".join(f"{code} {offset}" for code, offset in found.notes)
    value = f"{shown(found.value)} {found.value.span[0]}-{found.end} {ending}"
    return _shortened([line for line in (value, changes, ", ".join(places(found.value))) if line])


def _fitted(value: Any, schema: Any) -> Told:
    """The value if it fits, the liberties that were taken; else the flaws."""
    found = fit(value, schema)
    lines = [] if found.flaws else [repr(found.value)]
    lines += [f"{code} {'.'.join(map(str, path))}".strip() for code, path in found.liberties]
    lines += [f"{flaw.kind} {flaw}" for flaw in found.flaws[:8]]
    return _shortened(lines if len(found.flaws) <= 8 else [f"{len(found.flaws)} flaws", *lines])


def _notes(reading: Any) -> list[str]:
    issues = [
        f"{note.code.value}{'' if note.index is None else f' {note.index + 1}'}: {note.message}"
        for note in reading.issues
    ]
    return issues + [f"{repair.code} {repair.offset}" for repair in reading.repairs]


def _claims(reply: Any, end: str | None = None) -> Told:
    reading = parse_statements(reply, finish_reason=end)
    spans = reading.spans or [None] * len(reading.statements)
    listed = zip(reading.statements, spans, strict=True)
    lines = [claim if span is None else f"{claim} {span[0]}-{span[1]}" for claim, span in listed]
    return _shortened([f"{reading.status.value} {reading.format}", *lines, *_notes(reading)])


def _object(reply: Any, schema: Any, end: str | None = None) -> Told:
    reading = parse_object(reply, schema, finish_reason=end)
    head = [f"{reading.status.value} {reading.format}", repr(reading.value)]
    return _shortened([*head, *_notes(reading), *reading.errors])


def _one(reading: Any, value: Any) -> Told:
    place = f" {reading.span[0]}-{reading.span[1]}" if reading.span else ""
    reason = [f"because {reading.reason}"] if reading.reason else []
    return _shortened([f"{reading.status.value} {value!r} {reading.format}{place}", *reason, *_notes(reading)])


def _score(reply: Any, low: float, high: float, end: str | None = None) -> Told:
    reading = parse_score(reply, low, high, finish_reason=end)
    return _one(reading, reading.value)


def _label(reply: Any, choices: Sequence[str], end: str | None = None) -> Told:
    reading = parse_label(reply, choices, finish_reason=end)
    return _one(reading, reading.label)


def _verdicts(reply: Any, statements: Sequence[str] | None, *, scale: str = "binary", **more: Any) -> Told:
    """A line for the reply, one for each statement, one for each issue and repair."""
    reading = parse_verdicts(reply, statements, scale=scale, **more)
    lines = [f"{reading.status.value} {reading.format}"]
    for one in reading.verdicts:
        line = f"{one.id}: {one.verdict.value if one.verdict else None}"
        line += f" {one.span[0]}-{one.span[1]}" if one.span else ""
        line += f" {one.format}" if one.format and one.format != reading.format else ""
        line += f" because {one.reason!r}" if one.reason else ""
        line += f" p={one.probability}" if one.probability is not None else ""
        line += "".join(f" [{quote.quote!r} {quote.context} {quote.start}-{quote.end}]" for quote in one.evidence)
        if one.repairs and one.repairs != reading.repairs:
            line += " mended " + ", ".join(f"{repair.code} {repair.offset}" for repair in one.repairs)
        lines.append(line)
    lines += ["extra " + ", ".join(verdict.value for verdict in reading.extra)] if reading.extra else []
    return _shortened([*lines, *_notes(reading)])


@pytest.fixture
def tell_mend() -> Callable[..., Told]:
    return _mended


@pytest.fixture
def tell_fit() -> Callable[..., Told]:
    return _fitted


@pytest.fixture
def tell_claims() -> Callable[..., Told]:
    return _claims


@pytest.fixture
def tell_object() -> Callable[..., Told]:
    return _object


@pytest.fixture
def tell_score() -> Callable[..., Told]:
    return _score


@pytest.fixture
def tell_label() -> Callable[..., Told]:
    return _label


@pytest.fixture
def tell_verdicts() -> Callable[..., Told]:
    return _verdicts
