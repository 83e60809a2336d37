"""Readings told in full, as short lines: what a test compares a whole reading with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from magistrate.parsing import parse_object
from magistrate.parsing.decode.documents import decode_at, decode_text, decode_wrapped
from magistrate.parsing.decode.nodes import Arr, Gap, Obj
from magistrate.parsing.decode.repair import GivenUp, mend
from magistrate.parsing.decode.tags import read_markup
from magistrate.parsing.objects.schema import Schema

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


def _tagged(text: str) -> Told:
    """The elements as one value, where it stands, what was never closed, and where its parts stand."""
    document = read_markup(text, [(0, len(text))], [])
    if document is None:
        return ("no elements",)
    notes = ", ".join(f"{code} {offset}" for code, offset in document.notes)
    head = f"{shown(document.value)} {document.start}-{document.end}"
    return _shortened([line for line in (head, notes, ", ".join(places(document.value))) if line])


def _decoded(text: str) -> Told:
    """What stands at the beginning: decoded at once, without a layer of escaping, as a string that may hold JSON."""
    lines = []
    attempt = decode_at(text, 0, len(text))
    for document in (attempt.document, decode_wrapped(text, 0, len(text))):
        if document is None:
            lines.append(f"none, goes on at {attempt.resume}" if not lines else "not wrapped")
            continue
        flags = [flag for flag in ("cut", "dangling") if getattr(document, flag)]
        value = document.value
        steps = list(value)[:2] if isinstance(value, dict) else range(min(2, len(value)))
        where = [f"{step} {document.locate((step,))}" for step in steps]
        lines.append(" ".join([f"{document.start}-{document.end} {shown(value)}", *flags, *where]))
        lines += [f"{code} {offset}" for code, offset in document.notes]
    return _shortened([*lines, f"as text {decode_text(text)!r}"])


def _fitted(value: Any, schema: Any) -> Told:
    """The value if it fits, the liberties that were taken; else the flaws."""
    found = Schema(schema).fit(value)
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


def without_messages(lines: Sequence[str]) -> Told:
    """Codes and places, whatever is said of them."""
    return tuple(line if line.startswith(("{", "[")) else line.split(": ")[0] for line in lines)


def _object(reply: Any, schema: Any, end: str | None = None) -> Told:
    reading = parse_object(reply, schema, finish_reason=end)
    head = [f"{reading.status.value} {reading.format}", repr(reading.value)]
    return without_messages(_shortened([*head, *_notes(reading), *reading.errors]))


@pytest.fixture
def tell_mend() -> Callable[..., Told]:
    return _mended


@pytest.fixture
def tell_fit() -> Callable[..., Told]:
    return _fitted


@pytest.fixture
def tell_object() -> Callable[..., Told]:
    return _object


@pytest.fixture
def tell_tags() -> Callable[..., Told]:
    return _tagged


@pytest.fixture
def tell_decode() -> Callable[..., Told]:
    return _decoded
