"""parse_statements: the statements that a judge took out of a text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from magistrate.parsing.claim_text import list_statements, names_none, says_none, says_something, tidy
from magistrate.parsing.decode.documents import Document, decode_layers
from magistrate.parsing.decode.nodes import Arr, Gap, Span
from magistrate.parsing.decode.tags import Element, content_of, read_tags
from magistrate.parsing.decode.tex import with_commands
from magistrate.parsing.envelope import Envelope, open_envelope
from magistrate.parsing.fields import clean
from magistrate.parsing.keys import Role, role_of
from magistrate.parsing.prose import Prose, mask
from magistrate.parsing.reading import StatementsReading, issue
from magistrate.parsing.refusal import refuses
from magistrate.parsing.rows import Path, read_id, split_numbered
from magistrate.parsing.schema_echo import is_schema, schema_values
from magistrate.parsing.source import BLOCKED, CUT, REFUSED, as_text, ending
from magistrate.parsing.voices import judged
from magistrate.verdict import Issue, IssueCode, ParseStatus, Repair

__all__ = ["parse_statements"]

DEEPEST: Final = 32
_LONGEST_PLACEHOLDER: Final = 60
_PLACEHOLDER: Final = re.compile(
    r"\s*(?:<[^<>]+>|\{+[^{}]+\}+|\[(?:claim|statement|fact|sentence)[^\[\]]*\])\s*", re.IGNORECASE
)
"""What stands in a template where a statement belongs: "<claim 1>"."""
_STAND_IN: Final = "a placeholder in the place of a statement"
_DOTS: Final = frozenset({"...", "\u2026", "[...]", "(...)"})
"""What stands below a list that is not complete."""
MOST_KEYS: Final = 500
"""Keys of an object that may hold the list; a list whose items have numbers for keys may have more."""


@dataclass(slots=True)
class _List:
    """A list of statements while it is read.

    Args:
        items: Text and path of each, blank ones too.
        open: Whether more were to come: the list is cut off or ends in dots.
        unread: The first thing in it that is no statement, in words; blank where all are.
        whole: Whether it is a list; a single statement in an object of its own is not.
    """

    items: list[tuple[str, Path]] = field(default_factory=list)
    open: bool = False
    unread: str = ""
    whole: bool = True


def parse_statements(text: str | bytes | None, *, finish_reason: str | None = None) -> StatementsReading:
    """Read a list of statements.

    Args:
        text: The reply as the model gave it.
        finish_reason: Why the provider says the reply ended.

    Returns:
        The statements, blank ones left out. Status `empty` where the judge found none; `truncated` where the list is
        known to be incomplete: what is there may be shown, but is not the whole; `unparseable` where there is no single
        list, or something in it is no statement: an issue says which.
    """
    raw, end = as_text(text), ending(finish_reason)
    envelope = open_envelope(raw)
    reading = _read(envelope, end)
    if reading is None and _is_quoted(raw):
        envelope = open_envelope(_QUOTE_MARK.sub(lambda mark: " " * len(mark.group()), raw))
        reading = _read(envelope, end)
    return _without_none(reading) if reading is not None else _none(envelope, end)


def _read(envelope: Envelope, end: str | None) -> StatementsReading | None:
    if envelope.overrun:
        return None
    return _from_documents(envelope) or _from_tags(envelope) or _from_text(envelope, end)


def _is_quoted(raw: str) -> bool:
    """Whether the whole reply is set as a quotation."""
    lines = raw.split("\n", MOST_QUOTED) if raw.lstrip()[:1] == ">" else []
    return bool(lines) and len(lines) <= MOST_QUOTED and all(line.lstrip()[:1] in {">", ""} for line in lines)


MOST_QUOTED: Final = 2_000
"""Lines of a quotation that may be a list."""
_QUOTE_MARK: Final = re.compile(r"^[^\S\n]*+>(?:[^\S\n]|>)*+", re.MULTILINE)


def _without_none(reading: StatementsReading) -> StatementsReading:
    """What names no statement is none: a lone "None", and a list of nothing but "claim 1", "claim 2"."""
    texts = reading.statements
    if len(texts) == 1 and reading.status is ParseStatus.OK and names_none(texts[0]):
        return replace(reading, status=ParseStatus.EMPTY, statements=[], spans=())
    if texts and all(_COUNTED.fullmatch(text) for text in texts):
        why = issue(IssueCode.UNKNOWN_STATEMENT, f"the list holds {_STAND_IN}")
        return replace(reading, status=ParseStatus.UNPARSEABLE, statements=[], spans=(), issues=(*reading.issues, why))
    return reading


_COUNTED: Final = re.compile(
    r"\W*(?:claim|statement|fact|sentence|assertion)\s*#?\s*(?:\d{1,3}|one|two|three|four|five)\W*", re.IGNORECASE
)
"""What a template holds in the place of a statement."""


# -- data -----------------------------------------------------------


def _from_documents(envelope: Envelope) -> StatementsReading | None:
    lists: list[tuple[_List, Document]] = []
    for document in judged(envelope):
        found = _walk(document.value, (), 0)
        if found is not None:
            lists.append((found, document))
    if not lists:
        return None
    if len(lists) > 1 and not all(not found.whole for found, _ in lists):
        first = [text for text, _ in lists[0][0].items]
        if any([text for text, _ in found.items] != first for found, _ in lists):
            return StatementsReading(
                ParseStatus.UNPARSEABLE, [], (issue(IssueCode.CONFLICTING_VERDICTS, "the reply holds different lists"),)
            )
        lists = lists[:1]
    return _reading(lists)


def _reading(lists: Sequence[tuple[_List, Document]]) -> StatementsReading:
    repairs = tuple(repair for _, document in lists for repair in document.repairs)
    notes: list[Issue] = []
    if repairs:
        kinds = ", ".join(sorted({repair.code for repair in repairs})[:8])
        notes.append(issue(IssueCode.REPAIRED_JSON, f"the reply had to be mended: {kinds}"))
    said = [(text, document.locate(path)) for found, document in lists for text, path in found.items if text.strip()]
    kept = [(clean(with_commands(text)), span) for text, span in said]
    commands = [Repair("tex-command", span[0]) for text, span in said if with_commands(text) is not text]
    if commands:
        repairs = tuple(sorted((*repairs, *commands), key=lambda repair: repair.offset))
        notes = [issue(IssueCode.REPAIRED_JSON, "the backslashes of TeX commands were not escaped"), *notes]
    if len(kept) == 1 and "\n" in kept[0][0]:
        kept = [(text, kept[0][1]) for text in _listed(kept[0][0])]
    tidied = zip(_unnumbered([text for text, _ in kept]), (span for _, span in kept), strict=True)
    whole = [(text, span) for text, span in tidied if says_something(text)]
    texts, spans = [text for text, _ in whole], tuple(span for _, span in whole)
    form = "repaired-json" if repairs else "json"
    unread = next((found.unread for found, _ in lists if found.unread), "")
    if unread:
        notes.append(issue(IssueCode.UNKNOWN_STATEMENT, f"the list holds {unread}"))
        return StatementsReading(ParseStatus.UNPARSEABLE, [], tuple(notes), form, (), repairs)
    if any(found.open for found, _ in lists):
        notes.append(issue(IssueCode.TRUNCATED, "the list is incomplete"))
        return StatementsReading(ParseStatus.TRUNCATED, texts, tuple(notes), form, spans, repairs)
    if any(document.cut for _, document in lists):
        notes.append(issue(IssueCode.UNCERTAIN_END, "the list is complete, but closing brackets are missing"))
    return StatementsReading(ParseStatus.OK if texts else ParseStatus.EMPTY, texts, tuple(notes), form, spans, repairs)


def _listed(text: str) -> list[str]:
    """The statements of a list that stands in one string; the string alone where it holds none."""
    listed = list_statements(Prose(text), text)
    return listed.statements if listed is not None and len(listed.statements) > 1 else [text]


def _unnumbered(texts: list[str]) -> list[str]:
    """Statements without the numbers that a judge put before each."""
    parts = [split_numbered(text) for text in texts]
    if texts and [part[0] if part else None for part in parts] == list(range(1, len(texts) + 1)):
        texts = [part[1] for part in parts if part]
    return [tidy(text) if text != text.strip() or text[:2] == "**" else text for text in texts]


def _walk(value: Any, path: Path, depth: int) -> _List | None:
    if depth > DEEPEST:
        return None
    if isinstance(value, list):
        return _list(value, path, depth)
    if isinstance(value, dict):
        return _object(value, path, depth)
    if isinstance(value, str):
        inner = _inner(value)
        found = None if inner is None else _walk(inner, path, depth + 1)
        if found is not None:
            found.items = [(text, path) for text, _ in found.items]
        return found
    return None


def _inner(text: str) -> Any | None:
    if text.lstrip()[:1] not in {"{", "[", '"'}:
        return None
    inner = decode_layers(text)
    return inner if isinstance(inner, dict | list) or (isinstance(inner, str) and inner != text) else None


def _list(values: list[Any], path: Path, depth: int) -> _List:
    found = _List(open=isinstance(values, Arr) and values.open)
    for at, value in enumerate(values):
        place = (*path, at)
        if value is Gap.ELLIPSIS or value is Gap.CUT or (isinstance(value, str) and value.strip() in {"...", "\u2026"}):
            found.open = True
        elif isinstance(value, str):
            inner = _inner(value)
            text = _text_of(inner) if isinstance(inner, dict) else value
            _add(found, text, place)
        elif isinstance(value, dict):
            listed = [item for key, item in value.items() if isinstance(item, list) and role_of(key) is Role.ECHO]
            nested = _list(listed[0], place, depth + 1) if len(listed) == 1 and depth < DEEPEST else None
            if nested is None:
                _add(found, _text_of(value), place)
            else:  # the claims of one sentence: the sentence itself is none
                found.items += nested.items
                found.open, found.unread = found.open or nested.open, found.unread or nested.unread
        elif isinstance(value, list) and depth < DEEPEST:
            nested = _list(value, place, depth + 1)
            found.items += nested.items
            found.open, found.unread = found.open or nested.open, found.unread or nested.unread
        elif value is not None and value is not Gap.MISSING:
            found.unread = found.unread or _kind(value)
    return found


def _kind(value: Any) -> str:
    """What a value that is no statement is called."""
    if isinstance(value, bool):
        return f"{str(value).lower()} in the place of a statement"
    return "lists that are nested too deeply" if isinstance(value, list) else "a number in the place of a statement"


def _add(found: _List, text: str | None, path: Path) -> None:
    if text is None:
        found.unread = found.unread or "an object without a text that is clearly its statement"
    elif _PLACEHOLDER.fullmatch(text[:_LONGEST_PLACEHOLDER]):
        found.unread = found.unread or _STAND_IN
    else:
        found.items.append((text, path))


def _text_of(value: dict[str, Any]) -> str | None:
    """The statement that an object holds: its field of that name, else its only text."""
    named = [item for key, item in value.items() if role_of(key) is Role.ECHO and isinstance(item, str)]
    if not named:
        named = [item for key, item in value.items() if isinstance(item, str) and role_of(key) is not Role.ID]
    return named[0] if len(named) == 1 else None


def _object(value: dict[str, Any], path: Path, depth: int) -> _List | None:
    if is_schema(value):
        inner = schema_values(value)
        return None if inner is None else _object(inner, (*path, "properties"), depth + 1)
    if (
        value
        and all(isinstance(read_id(key), int) for key in value)
        and all(isinstance(item, str | dict) for item in value.values())
    ):
        found = _List()
        for key, item in value.items():
            _add(found, item if isinstance(item, str) else _text_of(item), (*path, key))
        return found
    if len(value) > MOST_KEYS:
        return None
    inner = {
        key: item
        for key, item in value.items()
        if isinstance(item, list | dict) or (isinstance(item, str) and _inner(item) is not None)
    }
    for wanted in (True, False):
        lists = [
            each
            for key, item in inner.items()
            if (role_of(key) is Role.ECHO) is wanted
            and role_of(key) not in {Role.ASIDE, Role.REASON, Role.QUOTE}
            and (each := _walk(item, (*path, key), depth + 1)) is not None
        ]
        if lists:
            return lists[0] if len(lists) == 1 else None
    texts = [(item, key) for key, item in value.items() if role_of(key) is Role.ECHO and isinstance(item, str)]
    if len(texts) == 1:
        return _List([(texts[0][0], (*path, texts[0][1]))], whole=False)
    return None


# -- tags and text -----------------------------------------------------------


def _from_tags(envelope: Envelope) -> StatementsReading | None:
    if "</" not in envelope.text:
        return None
    leaves: list[Element] = []
    pending = list(reversed(read_tags(envelope.text, envelope.prose)))
    while pending:
        element = pending.pop()
        if element.children:
            pending.extend(reversed(element.children))
        elif role_of(element.name) is Role.ECHO:
            leaves.append(element)
    if not leaves or (len(leaves) == 1 and "\n" in envelope.text[leaves[0].inner : leaves[0].stop].strip()):
        return None
    whole = [leaf for leaf in leaves if leaf.closed]
    spans: tuple[Span, ...] = tuple((leaf.inner, leaf.stop) for leaf in whole)
    texts = [clean(content_of(leaf, envelope.text)) for leaf in whole]
    status = ParseStatus.OK if len(whole) == len(leaves) else ParseStatus.TRUNCATED
    notes = () if status is ParseStatus.OK else (issue(IssueCode.TRUNCATED, "the last statement was cut off"),)
    kept = [(text, span) for text, span in zip(texts, spans, strict=True) if says_something(text)]
    return StatementsReading(
        status if kept else ParseStatus.EMPTY, [text for text, _ in kept], notes, "xml", tuple(span for _, span in kept)
    )


def _from_text(envelope: Envelope, end: str | None) -> StatementsReading | None:
    prose = mask(envelope, (), quotes=False)
    found = list_statements(prose, envelope.text)
    if found is None or envelope.documents:
        return None
    texts, spans = found.statements, found.spans
    if end in {CUT, BLOCKED}:
        if texts and not envelope.text[found.last_at :].strip():
            texts, spans = texts[:-1], spans[:-1]
        note = issue(IssueCode.TRUNCATED, "the reply was cut off")
        return StatementsReading(ParseStatus.TRUNCATED, texts, (note,), found.format, tuple(spans))
    if len(texts) <= 1 and refuses(envelope.text):
        return None
    dots = envelope.text[found.last_at :].strip() in _DOTS or (texts and texts[-1].strip(" .\u2026") == "")
    texts, spans = (
        [text for text in texts if text.strip(" .\u2026")],
        [span for text, span in zip(texts, spans, strict=True) if text.strip(" .\u2026")],
    )
    if dots:
        return StatementsReading(
            ParseStatus.TRUNCATED,
            texts,
            (issue(IssueCode.TRUNCATED, "the list ends in dots"),),
            found.format,
            tuple(spans),
        )
    between = issue(IssueCode.UNKNOWN_STATEMENT, "a sentence between two items of the list was left out")
    notes = (between,) if found.left_out else ()
    return StatementsReading(ParseStatus.OK if texts else ParseStatus.EMPTY, texts, notes, found.format, tuple(spans))


def _none(envelope: Envelope, end: str | None) -> StatementsReading:
    """Why there are no statements."""
    blank = not envelope.documents and not any(
        envelope.text[start:stop].strip(" \t\r\n`\x00\ufeff") for start, stop in envelope.prose
    )
    if end in {REFUSED, BLOCKED}:
        return StatementsReading(ParseStatus.REFUSAL, [], (issue(IssueCode.REFUSAL, "the provider reports a refusal"),))
    if blank and not envelope.unfinished:
        return StatementsReading(ParseStatus.EMPTY, [], (issue(IssueCode.EMPTY_REPLY, "the reply holds no answer"),))
    if end == CUT or envelope.unfinished or any(document.dangling for document in envelope.documents):
        return StatementsReading(ParseStatus.TRUNCATED, [], (issue(IssueCode.TRUNCATED, "the reply was cut off"),))
    visible = "\n".join(envelope.text[start:stop] for start, stop in envelope.prose)
    if not envelope.documents and says_none(visible):
        return StatementsReading(ParseStatus.EMPTY, [])
    if refuses(visible):
        return StatementsReading(ParseStatus.REFUSAL, [], (issue(IssueCode.REFUSAL, "the judge refused"),))
    why = (
        "the reply holds more parts than are looked at"
        if envelope.overrun
        else "the reply holds no single list of statements"
    )
    return StatementsReading(ParseStatus.UNPARSEABLE, [], (issue(IssueCode.MISSING_VERDICT, why),))
