"""parse_statements: the list of statements a judge took out of a text."""

import re
from collections.abc import Sequence
from typing import Final

from magistrate.parsing.decode.documents import Document
from magistrate.parsing.decode.escaping import with_commands
from magistrate.parsing.decode.parts import Part, parts_of
from magistrate.parsing.decode.tags import read_markup, read_tags, strangers
from magistrate.parsing.layouts.lists import leads_list, listed_statements, sentence_statements, tabled_statements
from magistrate.parsing.readings import StatementsReading, issue
from magistrate.parsing.reply.masking import cover
from magistrate.parsing.reply.source import BLOCKED, CUT
from magistrate.parsing.rows.candidate import Span, split_numbered
from magistrate.parsing.rows.lists import StatementList, StatementLists
from magistrate.parsing.rows.walk import is_more
from magistrate.parsing.settle.acceptance import is_foreign, own_and_behind
from magistrate.parsing.settle.ladder import repaired, why_none
from magistrate.parsing.settle.masks import masked
from magistrate.parsing.wording.courtesy import refuses
from magistrate.parsing.wording.fold import DROPPED, QUOTED, clean, fold
from magistrate.parsing.wording.keys import Role, is_named, role_of
from magistrate.parsing.wording.languages import senses
from magistrate.verdict import IssueCode, ParseStatus, Repair

LONGEST_TEXT: Final = 200_000
_STAND_IN: Final = re.compile(
    r"\W*(?:(?:claim|statement|fact|sentence|assertion)\s*#?\s*\d{0,3}|string|\.{3}|…|n/?a|none"
    r"|(?:there (?:are|were) )?no (?:\w+ )?(?:claims|statements|facts|assertions)"
    r"(?: (?:were )?(?:found|made|extracted))?)\W*",
    re.IGNORECASE,
)
_NONE_FOUND: Final = re.compile(
    r"\W*(?:none|(?:there (?:are|were) |(?:the|this) \w+ (?:contains|has|makes) )?"
    r"no (?:\w+ ){0,2}(?:claims|statements|facts|assertions)"
    r"(?: (?:were |to be )?(?:found|made|extracted))?(?: (?:in|from) (?:the|this) (?:\w+ )?\w+)?"
    r"|end of (?:the )?list|that(?:'s| is) all)\W*",
    re.IGNORECASE,
)
"""A reply that says that there is no statement: "There are no claims in this answer."."""
_POINTER: Final = re.compile(r"\W*(?:(?:see|as|same as|listed) )?above\W*", re.IGNORECASE)


def read_statements(raw: str, end: str | None) -> StatementsReading:
    """Read the list of statements of a reply; an earlier part with another list voids it."""
    readings = [_read(part, end) for part in parts_of(raw)]
    last = readings[-1]
    if any(one.statements and last.statements and one.statements != last.statements for one in readings[:-1]):
        note = issue(IssueCode.CONFLICTING_VERDICTS, "an earlier part of the reply holds another list")
        return StatementsReading(ParseStatus.UNPARSEABLE, [], (*last.issues, note))
    return last


def _read(part: Part, end: str | None) -> StatementsReading:
    reading = None if part.overrun else _from_data(part, part.documents, "json")
    if reading is None and not part.overrun:
        roots = read_tags(part.text, part.prose) if "</" in part.text else []
        markup = read_markup(part.text, roots, part.documents)
        reading = _from_data(part, [markup], "xml") if markup is not None else None
        reading = reading or _from_text(part, end, sorted(strangers(roots)))
    if reading is None and _NONE_FOUND.fullmatch(masked(part)):
        return StatementsReading(ParseStatus.EMPTY, [], ())
    if reading is None:
        status, why = why_none(part, end, "the reply holds no single list of statements")
        return StatementsReading(status, [], (why,))
    texts = reading.statements
    if len(texts) == 1 and refuses(texts[0]):
        return StatementsReading(ParseStatus.REFUSAL, [], (issue(IssueCode.REFUSAL, "the judge refused"),))
    others = [one for one in texts if _is_no_statement(one)] if texts[1:] else []
    if others or any(map(_POINTER.fullmatch, texts)):
        note = issue(IssueCode.UNKNOWN_STATEMENT, "the list holds a lead-in or a note among its statements")
        return StatementsReading(ParseStatus.UNPARSEABLE, [], (*reading.issues, note), reading.format)
    if texts and all(_STAND_IN.fullmatch(one[:80]) or fold(one[:80]).strip(".! ") in senses() for one in texts):
        if len(texts) == 1:
            return StatementsReading(ParseStatus.EMPTY, [], reading.issues, reading.format)
        note = issue(IssueCode.UNKNOWN_STATEMENT, "the list holds what a template has in the place of a statement")
        return StatementsReading(ParseStatus.UNPARSEABLE, [], (*reading.issues, note), reading.format)
    return reading


def _is_no_statement(text: str) -> bool:
    """Whether an item leads in, says that there is none, is a field of another ("Source: ...") or ends in a verdict."""
    head, colon, rest = text.partition(":")
    if text[-1:] in {":", "："} or _NONE_FOUND.fullmatch(text[:80]):
        return True
    field = role_of(head, near=False) not in {None, Role.ECHO} or is_named(head, "kind")
    verdict = senses().get(fold(text.rpartition(":")[2][:40]).strip(" .*_"))
    return bool(colon and rest.strip()) and (field or verdict is not None)


def _is_led(text: str, start: int) -> bool:
    """Whether the line above data leads into the list that was asked for."""
    line = text[:start].strip(" \t\n" + DROPPED).rpartition("\n")[2]
    return line[-1:] in {":", "："} and leads_list(line)


def _from_data(part: Part, documents: Sequence[Document], form: str) -> StatementsReading | None:
    text = masked(part)
    lists: list[tuple[StatementList, Document]] = []
    for document in own_and_behind(documents, lambda one: is_foreign(text, one.start) and not _is_led(text, one.start)):
        found = StatementLists().only(document.value)
        if found is not None:
            lists.append((found, document))
    if not lists:
        return None
    if len(lists) > 1 and any(found.whole for found, _ in lists):
        first = [one for one, _ in lists[0][0].items]
        if any([one for one, _ in found.items] != first for found, _ in lists):
            note = issue(IssueCode.CONFLICTING_VERDICTS, "the reply holds different lists")
            return StatementsReading(ParseStatus.UNPARSEABLE, [], (note,))
        lists = lists[:1]
    said = [(clean(one), document.locate(path)) for found, document in lists for one, path in found.items]
    commands = [Repair("tex-command", span[0]) for one, span in said if with_commands(one) is not one]
    mended = [repair for _, document in lists for repair in document.repairs]
    repairs = tuple(sorted((*mended, *commands), key=lambda repair: repair.offset))
    notes = repaired([repair.code for repair in repairs])
    said = [(with_commands(one), span) for one, span in said]
    parts = [split_numbered(one) for one, _ in said]
    if said and [one[0] if one else None for one in parts] == list(range(1, len(said) + 1)):
        said = [(one[1], span) for one, (_, span) in zip(parts, said, strict=True) if one]
    if len(said) == 1 and "\n" in said[0][0]:
        if form == "xml":
            return None  # an element around a list in text
        said = [(one, said[0][1]) for one, _ in listed_statements(said[0][0])] or said
    said = [(one, span) for one, span in said if any(char.isalnum() for char in one)]
    form, texts = "repaired-json" if repairs and form == "json" else form, [one for one, _ in said]
    spans = tuple(span for _, span in said)
    if any(found.unread for found, _ in lists):
        notes.append(issue(IssueCode.UNKNOWN_STATEMENT, "the list holds something that is no statement"))
        return StatementsReading(ParseStatus.UNPARSEABLE, [], tuple(notes), form, (), repairs)
    if any(found.open for found, _ in lists):
        notes.append(issue(IssueCode.TRUNCATED, "the list is incomplete"))
        return StatementsReading(ParseStatus.TRUNCATED, texts, tuple(notes), form, spans, repairs)
    if any(document.cut for _, document in lists):
        notes.append(issue(IssueCode.UNCERTAIN_END, "the list is complete, but closing brackets are missing"))
    return StatementsReading(ParseStatus.OK if texts else ParseStatus.EMPTY, texts, tuple(notes), form, spans, repairs)


def _from_text(part: Part, end: str | None, others: Sequence[Span]) -> StatementsReading | None:
    if part.documents or sum(stop - start for start, stop in part.prose) > LONGEST_TEXT:
        return None
    text = cover(masked(part, quotes=False), others, QUOTED)
    listed = (tabled_statements(text) if "|" in text else []) or listed_statements(text) or sentence_statements(text)
    if not listed or QUOTED in text:
        return None
    texts, spans = [_as_written(one, span, text, part.text) for one, span in listed], tuple(span for _, span in listed)
    dots = any(map(is_more, (*texts, part.text.rstrip().rpartition("\n")[2])))
    texts = [one for one in texts if not is_more(one)]
    if end in {CUT, BLOCKED}:
        whole = part.text[spans[-1][1] :].strip()
        note = issue(IssueCode.TRUNCATED, "the reply was cut off")
        return StatementsReading(ParseStatus.TRUNCATED, texts if whole else texts[:-1], (note,), "list")
    notes = (issue(IssueCode.TRUNCATED, "the list ends in dots"),) if dots else ()
    status = ParseStatus.TRUNCATED if dots else ParseStatus.OK
    return StatementsReading(status, texts, notes, "list", spans[: len(texts)])


def _as_written(one: str, span: tuple[int, int], text: str, raw: str) -> str:
    """A statement with the markup in it that the masked text covers: "H<sub>2</sub>O"."""
    if DROPPED not in one:
        return one
    at = text.find(one, span[0], span[1])
    return raw[at : at + len(one)] if at >= 0 else one.replace(DROPPED, "")
