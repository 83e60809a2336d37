"""JSON text to values: strictly first, mended where a strict decoder refuses; where each stands, and what opens one."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import jiter

from magistrate.parsing.decode.escaping import Unwrapped, unwrap
from magistrate.parsing.decode.nodes import Arr, Gap, Obj, Span
from magistrate.parsing.decode.repair import mend
from magistrate.parsing.decode.repair_state import Note
from magistrate.parsing.reply.marks import fence_lines, program_blocks
from magistrate.parsing.reply.masking import comments
from magistrate.verdict import Repair

_DECODER: Final = json.JSONDecoder()
_SCAN: Final[Callable[[str, int], tuple[Any, int]]] = _DECODER.scan_once  # type: ignore[attr-defined]
_BLANK: Final = re.compile(r"[ \t\r\n]*")
_BETWEEN: Final = re.compile(r"[ \t\r\n]*,[ \t\r\n]*")
MOST_LAYERS: Final = 4
"""How often JSON may be encoded as a string of JSON."""
_AFTER: Final = re.compile(r"[\s;]*(?:print\(\w{1,40}\)\s*)?")
_SHORT: Final = 200
_QUOTE: Final = "\"'\u201c\u201d\u201e\u2018\u2019\uff02`\u300c\u300e"
OPENER: Final = re.compile(
    rf"[{{\uff5b\[\uff3b\u3010](?:(?<=[{{\uff5b])\s*+(?:[{_QUOTE}}}\uff5d{{\uff5b]|\\{{1,15}}+\"|&quot;|&#34;|//|/\*"
    rf"|(?:[^\W\d]\w{{0,39}}|\d{{1,9}})[{_QUOTE}]?\s*[:\uff1a])"
    rf"|(?<=[\[\uff3b\u3010])\s*+(?:[{_QUOTE}\[\uff3b{{\uff5b\]]|\\{{1,15}}+\"|&quot;|&#34;|//|/\*|-?\.?\d[\d.]{{0,20}}(?:[eE][+-]?\d{{1,4}})?\s*[,\]]"
    rf"|(?:true|false|null|True|False|None)\s*\]|[^\W\d]\w{{0,39}}\s*,))"
)
_REST_OF_LINE: Final = re.compile(r"[^\S\n]*+(?:[\ufeff\u200b\x00]++[^\S\n]*+)*+(?!\n|\Z)")
_LEAD_IN: Final = re.compile(r"[^\n.!?]{0,80}[:=][*_`]{0,3}\s*|\s*(?:`{1,3}\w*\s*)?|data:\s*")
_TRAIL: Final = re.compile(r"[\s.;`]*(?:\n|$)")


def decode_strict(text: str) -> Any:
    """Decode JSON as the standard has it; a repeated key is an error.

    Raises:
        ValueError: If the text is not JSON, nests deeper than 200 levels, or an object repeats a key.
    """
    return jiter.from_json(text.encode(), catch_duplicate_keys=True)


@dataclass(slots=True)
class Document:
    """A decoded container and where it stands."""

    text: str  # the reply
    start: int  # where the container opens
    end: int  # one past its last character
    value: Any  # what it holds. Plain lists and dicts where it was read strictly, `Arr` and `Obj` where it was mended
    notes: Sequence[Note] = ()  # what was changed to read it and where, in order
    cut: bool = False  # whether it was never closed
    dangling: bool = False  # whether it ends in the middle of something, not just before closing brackets
    # the layer of escaping that was taken off first; start, end and repairs are already those of the reply
    layer: Unwrapped | None = None
    inner: Document | None = None  # the document as it stands under that layer
    _spans: dict[tuple[str | int, ...], dict[str | int, Span]] = field(default_factory=dict)

    @property
    def repairs(self) -> tuple[Repair, ...]:
        """What was changed to read it, in order."""
        return tuple(Repair(code, offset) for code, offset in self.notes)

    def locate(self, path: Sequence[str | int]) -> Span:
        """Where the value at a path stands in the text; the nearest enclosing one where the path goes no further."""
        if self.layer is not None and self.inner is not None:
            start, end = self.inner.locate(path)
            return self.layer.back(start), self.layer.back(end)
        span = (self.start, self.end)
        at: Any = self.value
        for depth, step in enumerate(path):
            if isinstance(at, Obj):
                found = at.spans.get(str(step))
            elif isinstance(at, Arr):
                found = at.spans[int(step)] if int(step) < len(at.spans) else None
            else:
                found = self._children(tuple(path[:depth]), span[0]).get(step)
            if found is None:
                break
            span = found
            at = at.get(str(step)) if isinstance(at, dict) else at[int(step)]
        return span

    def touched(self, span: Span) -> tuple[Repair, ...]:
        """The repairs inside a span."""
        low, high = span
        return tuple([Repair(code, offset) for code, offset in self.notes if low <= offset < high])

    def _children(self, path: tuple[str | int, ...], start: int) -> dict[str | int, Span]:
        """Where the members of a strictly decoded container stand: found on demand, all at once, by the C scanner."""
        known = self._spans.get(path)
        if known is None:
            try:
                known = member_spans(self.text, start)
            except (ValueError, StopIteration, RecursionError, IndexError):
                known = {}
            self._spans[path] = known
        return known


def member_spans(text: str, start: int) -> dict[Any, Span]:
    """Where the members of a strictly readable container stand: by key, or by position in an array."""
    spans: dict[Any, Span] = {}
    scan, between, in_object = _SCAN, _BETWEEN.match, text[start] == "{"
    at = _past_blanks(text, start + 1)
    while text[at] not in "]}":
        key: Any = len(spans)
        if in_object:
            key, at = scan(text, at)
            at = _past_blanks(text, _past_blanks(text, at) + 1)
        stop = scan(text, at)[1]
        spans[key] = (at, stop)
        comma = between(text, stop)
        if comma is None:
            break
        at = comma.end()
    return spans


def _past_blanks(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at


@dataclass(frozen=True, slots=True)
class Attempt:
    """What came of decoding at one place."""

    document: Document | None
    cost: int
    resume: int


def decode_at(text: str, start: int, end: int) -> Attempt:
    """Decode the container that opens at `start`: strictly, else mended."""
    cost = 1
    try:
        stop = int(_SCAN(text if end == len(text) else text[:end], start)[1])
        value = decode_strict(text[start:stop])
    except (StopIteration, RecursionError):
        pass
    except json.JSONDecodeError as error:
        cost = (end if error.msg.startswith("Unterminated") else error.pos) - start
    except ValueError:
        cost = end - start
    else:
        return Attempt(Document(text, start, stop, value), stop - start, stop)
    made = mend(text, start, end)
    work = made.at - start + made.spent
    if made.value is None:  # what was passed is no answer, and is not looked at again
        return Attempt(None, cost + work, max(made.at, start + 2))
    if not made.value and made.cut:  # nothing but brackets up to the end: one less of them holds no more
        return Attempt(None, cost + work, end if made.at >= end and not made.dangling else start + 1)
    document = Document(text, start, made.at, made.value, made.notes, made.cut, made.dangling)
    return Attempt(document, cost + work, made.at)


def decode_text(text: str) -> Any | None:
    """Decode a string that may hold one JSON value and nothing else; None where it does not."""
    stripped = text.strip()
    if stripped[:1] not in {"{", "[", '"'}:
        return None
    try:
        return decode_strict(stripped)
    except ValueError:
        pass
    if stripped[0] == '"':
        return None
    document = decode_at(stripped, 0, len(stripped)).document
    if document is None or document.end < len(stripped) or document.dangling or not document.value:
        return None
    return document.value


def decode_wrapped(text: str, start: int, layers: int = MOST_LAYERS) -> Document | None:
    r"""Decode a container that is escaped as a whole ({&quot;a&quot;: 1}, {\"a\": 1}); None where it is not."""
    layer = unwrap(text, start) if layers else None
    if layer is None:
        return None
    inner = decode_wrapped(layer.text, start, layers - 1) or decode_at(layer.text, start, len(layer.text)).document
    if inner is None or not inner.value:
        return None
    notes = [layer.note, *((code, layer.back(offset)) for code, offset in inner.notes)]
    return Document(
        text,
        start,
        layer.back(inner.end),
        inner.value,
        notes,
        cut=inner.cut,
        dangling=inner.dangling,
        layer=layer,
        inner=inner,
    )


_ASSIGNMENT: Final = re.compile(r"\s*(?:(?:const|let|var)\s+)?(?:\w{1,40}\s*(?::\s*[\w\[\], ]{1,40})?=\s*)?")


def in_no_answer(text: str, prose: Sequence[Span], documents: Sequence[Document]) -> set[int]:
    """Where data begins that stands in comments, or in program code; one that is all there is in a block is data."""
    notes = [note.span() for note in comments(text)]
    found: set[int] = set()
    for one in documents if notes else ():
        at = bisect_right(notes, (one.start, len(text)))
        if at and one.start < notes[at - 1][1]:
            found.add(one.start)
    for start, end in program_blocks(fence_lines(text, prose)):
        inside = [document for document in documents if start <= document.start < end]
        if not inside:
            continue
        before, behind = text[start : inside[0].start], text[inside[-1].end : end]
        if len(inside) > 1 or not _ASSIGNMENT.fullmatch(before) or not _AFTER.fullmatch(behind):
            found |= {document.start for document in inside}
    return found


def is_blank(text: str) -> bool:
    """Whether a text says nothing: blanks, byte order marks, NUL characters."""
    if not text or text.isspace():
        return True
    return not text.strip().strip(" \t\r\n\ufeff\u200b\x00\u00a0")


def goes_on(text: str, at: int) -> bool:
    """Whether anything but blanks, as `is_blank` has them, follows on a line."""
    return _REST_OF_LINE.match(text, at) is not None


def is_hollow(document: Document) -> bool:
    """Whether brackets opened and nothing came: code, formulas, garbage."""
    if not document.cut or document.end - document.start > _SHORT:
        return False
    pending = [document.value]
    while pending:
        value = pending.pop()
        for item in value.values() if isinstance(value, dict) else value:
            if isinstance(item, dict | list):
                pending.append(item)
            elif not isinstance(item, Gap):
                return False
    return True


def stands_alone(text: str, start: int, end: int, *, words: bool) -> bool:
    """Whether a bracket stands apart from sentences: alone on its line, or after a lead-in."""
    line = text.rfind("\n", 0, start) + 1
    before = text[max(line, start - 120) : start].rpartition("|>")[2]
    return bool(_LEAD_IN.fullmatch(before)) and (words or _TRAIL.match(text, end) is not None)
