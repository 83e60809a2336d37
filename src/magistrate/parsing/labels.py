"""parse_label: one of several declared labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from magistrate.parsing.choices import Choices, Hit
from magistrate.parsing.decode.brackets import is_blank
from magistrate.parsing.decode.documents import Document
from magistrate.parsing.decode.nodes import Obj
from magistrate.parsing.decode.tags import read_tags
from magistrate.parsing.envelope import Envelope, open_envelope
from magistrate.parsing.fields import clean
from magistrate.parsing.keys import Role, compact, role_of
from magistrate.parsing.label_text import find_label, other_names, said_under
from magistrate.parsing.prose import mask
from magistrate.parsing.reading import LabelReading, conflicts, issue
from magistrate.parsing.refusal import refuses
from magistrate.parsing.retold import calls_off, retold
from magistrate.parsing.rows import Path
from magistrate.parsing.schema_echo import is_schema
from magistrate.parsing.source import BLOCKED, CUT, REFUSED, as_text, ending
from magistrate.parsing.voices import announced_as_anothers, judged, next_words, slips, withdraws
from magistrate.verdict import Issue, IssueCode, ParseStatus, Repair

__all__ = ["parse_label"]

DEEPEST: Final = 32
MOST_KEYS: Final = 500
"""Keys of an object that may be an answer."""
_TAIL: Final = 300
_SHORT_LINE: Final = 60
_NONE: Final = "the reply gives none of the choices as its answer"
_DATA: Final = frozenset({"json", "repaired-json", "xml"})
"""Characters behind an answer in which a slip of the pen is corrected."""
_NAMES: Final = frozenset(
    "match matches ismatch "
    "winner choice preference preferred better best pick selected selection grade category type output answer option "
    "correctoption chosen bestoutput betteroutput ganador gagnant vincitore vencedor gewinner победитель 胜者 勝者 "
    "승자 选择".split()
)


def parse_label(text: str | bytes | None, choices: Sequence[str], *, finish_reason: str | None = None) -> LabelReading:
    """Read which of the declared labels a reply gives ("[[A]]", "GRADE: C", "Output (b) is better", {"label": "PASS"}).

    A label counts as a whole word only, and only where the reply says that it is the answer: "INCORRECT" holds
    "CORRECT", and reasoning mentions every label. Two different answers give none.

    Args:
        text: The reply as the model gave it.
        choices: The labels; compared without regard to case.
        finish_reason: Why the provider says the reply ended.

    Raises:
        ValueError: If there are no labels, a blank one, or two that differ in case and outer marks only.
    """
    known = Choices(choices)
    raw, end = as_text(text), ending(finish_reason)
    envelope = open_envelope(raw)
    if envelope.overrun:
        return LabelReading(ParseStatus.UNPARSEABLE, issues=(issue(IssueCode.MISSING_VERDICT, _NONE),))
    cut = end in {CUT, BLOCKED}
    reading = _read(envelope, known, end, cut=cut)
    if not cut or reading.label is None:
        return reading
    # What is not trusted at the cut must leave nothing else to be read in its place.
    whole = _read(envelope, known, None, cut=False)
    if whole.label == reading.label or (whole.label is None and not conflicts(whole.issues)):
        return reading
    return LabelReading(ParseStatus.TRUNCATED, issues=(issue(IssueCode.TRUNCATED, "the reply was cut off"),))


def _read(envelope: Envelope, known: Choices, end: str | None, *, cut: bool) -> LabelReading:
    hits, reason, repairs = _from_documents(envelope, known)
    if not hits:
        hits = _from_tags(envelope, known)
    prose = mask(envelope, ())
    hits += find_label(prose, known, cut=cut, beside_data=bool(hits))
    others = frozenset[str]() if cut else other_names(prose, known)
    if others and (not hits or any(said_under(hit, envelope.text, others) for hit in hits)):
        hits.append(Hit(None, (len(envelope.text), len(envelope.text)), "labelled"))
    return _settle(envelope, known, hits, end, reason, repairs)


def _settle(
    envelope: Envelope, known: Choices, hits: list[Hit], end: str | None, reason: str | None, repairs: tuple[Any, ...]
) -> LabelReading:
    notes: list[Issue] = []
    if repairs:
        notes.append(issue(IssueCode.REPAIRED_JSON, "the reply had to be mended"))
    if not hits:
        status, why = _why_none(envelope, end)
        return LabelReading(status, issues=(*notes, *why), repairs=repairs)
    hits.sort(key=lambda hit: hit.span)
    last = hits[-1]
    if any(hit.label != last.label for hit in hits):
        differing = max(at for at, hit in enumerate(hits) if hit.label != last.label)
        between = envelope.text[hits[differing].span[1] : last.span[0]]
        if last.label is None or withdraws(between) is not True:
            notes.append(issue(IssueCode.CONFLICTING_VERDICTS, "the reply gives different labels"))
            return LabelReading(ParseStatus.UNPARSEABLE, issues=tuple(notes), repairs=repairs)
        notes.append(issue(IssueCode.CONFLICTING_VERDICTS, "the judge took back an earlier label"))
    tail = envelope.text[last.span[1] : last.span[1] + _TAIL]
    if slips(tail):
        notes.append(issue(IssueCode.CONFLICTING_VERDICTS, "the judge says that the label was a slip"))
        return LabelReading(ParseStatus.UNPARSEABLE, issues=tuple(notes), repairs=repairs)
    # What was read as one answer may hold the second: "A. Make it B.".
    told = tail if last.format in _DATA else f"{tail}\n{envelope.text[slice(*last.span)]}"
    second = calls_off(told) or any(known.read(said) not in {None, last.label} for said in retold(told))
    if second and end not in {CUT, BLOCKED}:  # at a cut it may be torn: the reply as a whole is read without one
        notes.append(issue(IssueCode.CONFLICTING_VERDICTS, "the judge says otherwise behind the label"))
        return LabelReading(ParseStatus.UNPARSEABLE, issues=tuple(notes), repairs=repairs)
    # In running text a reason may follow, and speak of a second look: there only the next words count.
    if withdraws(tail if last.format in _DATA else next_words(tail)) is True:
        notes.append(issue(IssueCode.CONFLICTING_VERDICTS, "the judge takes the label back after it"))
        return LabelReading(ParseStatus.UNPARSEABLE, issues=tuple(notes), repairs=repairs)
    if any(withdraws(line) is True for line in tail.split("\n")[1:] if len(line) <= _SHORT_LINE):
        notes.append(issue(IssueCode.CONFLICTING_VERDICTS, "the judge takes the label back on a line below it"))
        return LabelReading(ParseStatus.UNPARSEABLE, issues=tuple(notes), repairs=repairs)
    if last.format not in _DATA and announced_as_anothers(envelope.text, *last.span):
        notes.append(issue(IssueCode.UNKNOWN_LABEL, "the line above the label says that it is not the judge's own"))
        return LabelReading(ParseStatus.UNPARSEABLE, issues=tuple(notes), repairs=repairs)
    if last.label is None:
        notes.append(issue(IssueCode.UNKNOWN_LABEL, "what stands in the place of the label is none of the choices"))
        return LabelReading(ParseStatus.UNPARSEABLE, issues=tuple(notes), repairs=repairs)
    return LabelReading(ParseStatus.OK, last.label, tuple(notes), last.format, reason, last.span, repairs)


def _why_none(envelope: Envelope, end: str | None) -> tuple[ParseStatus, tuple[Issue, ...]]:
    visible = "\n".join(envelope.text[start:stop] for start, stop in envelope.prose)
    blank = not envelope.documents and is_blank(visible.replace("`", ""))
    if end in {REFUSED, BLOCKED}:
        return ParseStatus.REFUSAL, (issue(IssueCode.REFUSAL, "the provider reports a refusal"),)
    if blank and not envelope.unfinished:
        return ParseStatus.EMPTY, (issue(IssueCode.EMPTY_REPLY, "the reply holds no answer"),)
    if end == CUT or envelope.unfinished or any(document.dangling for document in envelope.documents):
        return ParseStatus.TRUNCATED, (issue(IssueCode.TRUNCATED, "the reply was cut off"),)
    if refuses(visible):
        return ParseStatus.REFUSAL, (issue(IssueCode.REFUSAL, "the judge refused"),)
    return ParseStatus.UNPARSEABLE, (issue(IssueCode.MISSING_VERDICT, _NONE),)


# -- data -----------------------------------------------------------


def _from_documents(envelope: Envelope, choices: Choices) -> tuple[list[Hit], str | None, tuple[Repair, ...]]:
    hits: list[Hit] = []
    reason = None
    repairs: tuple[Repair, ...] = ()
    for document in judged(envelope):
        found = _find(document.value, (), document, choices, 0)
        if found:
            hits += found
            repairs = (*repairs, *document.repairs)
            reason = reason or _reason(document.value)
    return hits, reason, repairs


def _reason(value: Any) -> str | None:
    if not isinstance(value, dict):
        return None
    return next(
        (clean(item) for key, item in value.items() if role_of(key) is Role.REASON and isinstance(item, str)), None
    )


def _find(value: Any, path: Path, document: Document, choices: Choices, depth: int) -> list[Hit]:
    if depth > DEEPEST or (isinstance(value, dict) and is_schema(value)):
        return []
    if isinstance(value, list):
        if len(value) == 1:
            return (
                _find(value[0], (*path, 0), document, choices, depth + 1)
                if isinstance(value[0], dict | list)
                else _leaf(value[0], (*path, 0), document, choices)
            )
        return []
    if not isinstance(value, dict) or len(value) > MOST_KEYS:
        return []
    twice = value.twice if isinstance(value, Obj) else {}
    hits = [
        hit
        for key, item in value.items()
        if (role_of(key) in {Role.VERDICT, Role.WEAK_VERDICT} or compact(key[:64]).removeprefix("final") in _NAMES)
        for each in twice.get(key, (item,))
        if not isinstance(each, dict | list)
        for hit in _leaf(each, (*path, key), document, choices)
    ]
    named = [hit for hit in hits if hit.label is not None]
    if named:
        return named
    nested = [
        found
        for key, item in value.items()
        if isinstance(item, dict | list) and role_of(key) not in {Role.QUOTE, Role.ASIDE, Role.REASON}
        if (found := _find(item, (*path, key), document, choices, depth + 1))
    ]
    return nested[0] if len(nested) == 1 else hits[:1]


def _leaf(item: Any, path: Path, document: Document, choices: Choices) -> list[Hit]:
    form = "repaired-json" if document.repairs else "json"
    if not isinstance(item, str | int):
        return []
    if isinstance(item, bool) and choices.find(str(item)) is None:
        return []  # a truth value is a label only where it is one of the choices
    return [Hit(choices.read(str(item)[:400]), document.locate(path), form)]


def _from_tags(envelope: Envelope, choices: Choices) -> list[Hit]:
    if "</" not in envelope.text:
        return []
    hits: list[Hit] = []
    pending = list(reversed(read_tags(envelope.text, envelope.prose)))
    while pending:
        element = pending.pop()
        pending.extend(reversed(element.children))
        if (
            element.closed
            and not element.children
            and role_of(element.name) not in {Role.REASON, Role.QUOTE, Role.ECHO}
        ):
            label = choices.read(envelope.text[element.inner : element.stop][:400])
            if label is not None:
                hits.append(Hit(label, (element.inner, element.stop), "xml"))
    return hits
