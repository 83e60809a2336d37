"""Readings told in full, as short lines: what a test compares a whole reading with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from magistrate.parsing import clean_forms, parse_label, parse_object, parse_score, parse_statements, parse_verdicts
from magistrate.parsing.clean import NOT_JSON, read_clean, read_mended
from magistrate.parsing.decode.documents import Document, decode_at, decode_text, decode_wrapped
from magistrate.parsing.decode.nodes import Arr, Gap, Obj
from magistrate.parsing.decode.repair import GivenUp, mend
from magistrate.parsing.decode.tags import read_markup
from magistrate.parsing.envelope import open_envelope
from magistrate.parsing.keys import asks_support, compact, role_of
from magistrate.parsing.objects.schema import Schema
from magistrate.parsing.prose import DROPPED, ECHO, JSON, QUOTED, mask
from magistrate.parsing.verdict_text import judge_text
from magistrate.parsing.vocabulary import fold, vocabulary_of
from magistrate.parsing.voices import corrects_by_number, slips, voice_of, withdraws

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


def _enveloped(text: str) -> Told:
    """Each container with its place, each stretch of prose, and what is known of the whole."""
    envelope = open_envelope(text)
    found = envelope.documents
    lines = [f"{document.start}-{document.end} {shown(document.value)}" for document in found[:4]]
    lines += [f"{len(found)} containers"] if len(found) > len(lines) else []
    lines += [f"prose {text[start:end]!r} {start}-{end}" for start, end in envelope.prose]
    lines += [flag for flag in ("thinking", "unfinished", "overrun") if getattr(envelope, flag)]
    return _shortened(lines)


def _tagged(text: str) -> Told:
    """The elements as one value, where it stands, what was never closed, and where its parts stand."""
    document = read_markup(text, [(0, len(text))], [])
    if document is None:
        return ("no elements",)
    notes = ", ".join(f"{code} {offset}" for code, offset in document.notes)
    head = f"{shown(document.value)} {document.start}-{document.end}"
    return _shortened([line for line in (head, notes, ", ".join(places(document.value))) if line])


def _masked(text: str, statements: Sequence[str], *, quotes: bool = True) -> Told:
    """The masked text, a line each with its place in the reply: E echo, Q quotation, J data, _ dropped."""
    prose = mask(open_envelope(text), statements, quotes=quotes)
    signs = str.maketrans({ECHO: "\u24ba", QUOTED: "\u24c6", JSON: "\u24bf", DROPPED: "\u24b9"})
    lines = [f"{line.text.translate(signs)} {prose.place(line.start)}" for line in prose.lines()]
    lines += [f"repeats {index + 1} at {prose.place(at)}" for at, index in sorted(prose.echoes.items())]
    lines += [f"in {prose.language}"] if prose.language else []
    return _shortened([*lines, "overlong"] if prose.overlong else lines)


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


def _word(text: str, scale: str = "binary") -> Told:
    """A text as one word, as what stands in the place of a verdict, and what its head says."""
    words = vocabulary_of(scale)
    leads = [words.lead(fold(text), numbers=numbers) for numbers in (True, False)]
    heads = [f"lead {lead[0]} to {lead[1]}" if lead else "no lead" for lead in leads]
    lines = [f"word {words.word(text)}", f"read {words.read(text)}", heads[0]]
    return tuple(lines if heads[1] == heads[0] else [*lines, f"without numbers {heads[1]}"])


def _judged(text: str, scale: str = "binary") -> Told:
    """The verdict in a text about one statement: as a part of a reply, and as the whole of it."""
    lines = []
    for whole in (False, True):
        said, taken_back = judge_text(text, 0, vocabulary_of(scale), whole=whole)
        line = f"{said.reading} {said.how} {said.span[0]}-{said.span[1]}" if said else "nothing"
        lines.append(f"{line}, taken back" if taken_back else line)
    return tuple(dict.fromkeys(lines))


def _voiced(before: str, piece: str, after: str = "") -> Told:
    """Whose words a piece is, between what stands before and after it."""
    return (voice_of(before + piece + after, len(before), len(before) + len(piece)).value,)


def _taken_back(text: str) -> Told:
    """Whether a text withdraws something, calls it a slip, corrects a statement by its number."""
    return (f"withdraws {withdraws(text)}", f"slips {slips(text)}", f"by number {corrects_by_number(text)}")


def _key(key: str) -> Told:
    """The compact form of a key, its role, its role without near misses, and whether it asks for support."""
    roles = f"{role_of(key)} / {role_of(key, near=False)}"
    return (compact(key)[:80], roles, *(["asks for support"] if asks_support(key) else []))


def _outlined(reading: Any) -> list[str]:
    lines = []
    for one in reading.verdicts:
        line = f"{one.id}: {one.verdict} {one.span[0]}-{one.span[1]}"
        line += f" because {one.reason!r}" if one.reason else ""
        line += "".join(f" [{quote.quote!r} {quote.context} {quote.start}]" for quote in one.evidence)
        lines.append(line + "".join(f" {repair.code} {repair.offset}" for repair in one.repairs))
    return lines


def _forget() -> None:
    """Forget the forms that other tests have taught."""
    clean_forms._FORMS.clear()
    clean_forms._SEEN.clear()


def _quick(  # noqa: PLR0917
    reply: str,
    statements: Sequence[str],
    scale: str = "binary",
    token: str | None = None,
    ids: Sequence[str] | None = None,
    contexts: Sequence[str] | None = None,
) -> Told:
    """Whether a reply takes the short road, and what is read there."""
    words = vocabulary_of(scale)
    _forget()
    found = read_clean(reply, statements, words, token, ids, contexts)
    if found is None or found is NOT_JSON or isinstance(found, Document):
        lines = ["not JSON" if found is NOT_JSON else "the long way"]
    else:
        lines = [f"{found.status.value} {found.format}", *_outlined(found)]
    document = decode_at(reply, 0, len(reply)).document if reply[:1] in {"{", "["} else None
    mended = read_mended(document, statements, words, token, ids, contexts) if document is not None else None
    if mended is not None:
        lines += [f"mended: {mended.status.value} {mended.format}", *_outlined(mended), *_notes(mended)]
    return _shortened(lines)


def _learned(  # noqa: PLR0917
    taught: str,
    reply: str,
    statements: Sequence[str],
    times: int = 4,
    scale: str = "binary",
    ids: Sequence[str] | None = None,
) -> Told:
    """What is read of a reply by the form of another one that was read so many times."""
    words = vocabulary_of(scale)
    _forget()
    for _ in range(times):
        read_clean(taught, statements, words, None, ids, None)
    start = len(reply) - len(reply.lstrip())
    found = clean_forms.read_form(start, reply[start:], statements, words, ids)
    _forget()
    if found is None:
        return ("unknown form",)
    reading, reasons = found
    return _shortened([f"{reading.status.value} {reading.format}", *_outlined(reading), f"reasons {reasons}"])


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


def _claims(reply: Any, end: str | None = None) -> Told:
    reading = parse_statements(reply, finish_reason=end)
    spans = reading.spans or [None] * len(reading.statements)
    listed = zip(reading.statements, spans, strict=True)
    lines = [claim if span is None else f"{claim} {span[0]}-{span[1]}" for claim, span in listed]
    return _shortened([f"{reading.status.value} {reading.format}", *lines, *_notes(reading)])


def _object(reply: Any, schema: Any, end: str | None = None) -> Told:
    reading = parse_object(reply, schema, finish_reason=end)
    head = [f"{reading.status.value} {reading.format}", repr(reading.value)]
    return without_messages(_shortened([*head, *_notes(reading), *reading.errors]))


def without_messages(lines: Sequence[str]) -> Told:
    """Codes and places, whatever is said of them."""
    return tuple(line if line.startswith(("{", "[")) else line.split(": ")[0] for line in lines)


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


@pytest.fixture
def tell_envelope() -> Callable[..., Told]:
    return _enveloped


@pytest.fixture
def tell_tags() -> Callable[..., Told]:
    return _tagged


@pytest.fixture
def tell_mask() -> Callable[..., Told]:
    return _masked


@pytest.fixture
def tell_decode() -> Callable[..., Told]:
    return _decoded


@pytest.fixture
def tell_word() -> Callable[..., Told]:
    return _word


@pytest.fixture
def tell_judge() -> Callable[..., Told]:
    return _judged


@pytest.fixture
def tell_voice() -> Callable[..., Told]:
    return _voiced


@pytest.fixture
def tell_back() -> Callable[..., Told]:
    return _taken_back


@pytest.fixture
def tell_key() -> Callable[..., Told]:
    return _key


@pytest.fixture
def tell_quick() -> Callable[..., Told]:
    return _quick


@pytest.fixture
def tell_form() -> Callable[..., Told]:
    return _learned
