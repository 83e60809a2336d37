"""What a score and a label have in common: candidates of one answer, and the one that is left standing."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeVar

from magistrate.parsing.decode.documents import Document
from magistrate.parsing.decode.parts import Part, parts_of
from magistrate.parsing.decode.tags import others_words, read_markup, read_tags
from magistrate.parsing.readings import LabelReading, ScoreReading, issue
from magistrate.parsing.reply.masking import cover
from magistrate.parsing.reply.source import BLOCKED, CUT
from magistrate.parsing.rows.candidate import Answer, Candidate
from magistrate.parsing.rows.fields import is_error
from magistrate.parsing.settle.acceptance import SHORT, between, disowns, is_foreign, is_quoted, void_single
from magistrate.parsing.settle.ladder import is_cut, repaired, why_none
from magistrate.parsing.settle.masks import masked
from magistrate.parsing.switches import is_on
from magistrate.parsing.wording.courtesy import SENTENCES, withdraws
from magistrate.parsing.wording.fold import DATA, QUOTED
from magistrate.parsing.wording.hedges import OF_ANOTHER, is_dictated
from magistrate.parsing.wording.keys import Role, role_of
from magistrate.parsing.wording.reasons import is_headed_reason
from magistrate.verdict import Issue, IssueCode, ParseStatus, Repair


@dataclass(slots=True)
class Settled:
    """The answer that is left standing, or why there is none."""

    part: Part
    best: Candidate | None = None
    status: ParseStatus = ParseStatus.UNPARSEABLE
    issues: list[Issue] = field(default_factory=list)
    repairs: tuple[Repair, ...] = ()
    candidates: list[Candidate] = field(default_factory=list)
    text: str = ""


_WORDS: Final = frozenset({Role.QUOTE, Role.REASON})
R = TypeVar("R", ScoreReading, LabelReading)


@dataclass(frozen=True, slots=True)
class Kind(Generic[R]):
    """What tells one kind of single answer from another."""

    in_data: Callable[[Any], list[Candidate]]  # the candidates that a decoded value holds
    in_text: Callable[[str, bool, bool], list[Candidate]]
    rivals: Callable[[str, Any, bool], bool]
    reading: Callable[..., R]  # what is returned
    missing: str  # what to say where there is none
    unusable: str  # what to say where what stands there is none that can be used
    same: Callable[[Any, Any], bool] = lambda left, right: bool(left == right)  # whether two values are one
    checked: Callable[[Settled], Any] = lambda settled: settled.best and settled.best.value
    known: Callable[[str, Any], bool] = lambda _, __: False
    concludes: Callable[[str, Any], bool] = lambda _, __: False  # whether a reason in data ends in another value
    glosses: Callable[[str], bool] = lambda _: False  # whether what stands behind begins with what the answer means


def read_single(raw: str, kind: Kind[R], end: str | None, *, strict: bool) -> R:
    """Read the one answer of a reply; an earlier part that says otherwise voids it."""
    settled = [_settle(part, kind, end, strict=strict) for part in parts_of(raw, ())]
    last = settled[-1]
    for other in settled[:-1]:
        if last.best is None:
            continue
        if other.candidates and (other.best is None or not kind.same(other.best.value, last.best.value)):
            last.best = None
            last.issues.append(issue(IssueCode.CONFLICTING_VERDICTS, "an earlier part of the reply says otherwise"))
            last.status = ParseStatus.UNPARSEABLE
    value, best, notes = kind.checked(last), last.best, last.issues
    status = last.status
    if isinstance(value, IssueCode):
        status = ParseStatus.OUT_OF_RANGE if value is IssueCode.OUT_OF_RANGE else ParseStatus.UNPARSEABLE
        if status is ParseStatus.UNPARSEABLE and is_cut(last.part, end):
            status, value = ParseStatus.TRUNCATED, IssueCode.TRUNCATED
        notes.append(issue(value, kind.unusable))
        value = None
    if best is None:
        return kind.reading(status, None, tuple(notes), repairs=last.repairs)
    return kind.reading(status, value, tuple(notes), best.format, best.reason, best.span, last.repairs)


def _settle(part: Part, kind: Kind[Any], end: str | None, *, strict: bool) -> Settled:
    settled = Settled(part)
    if part.overrun:
        settled.issues = [issue(IssueCode.MISSING_VERDICT, "the reply holds more fragments than any answer has")]
        return settled
    settled.text = text = _without_asides(masked(part), part)
    cut = end in {CUT, BLOCKED}
    candidates = _from_data(part.documents, kind, text, settled)
    if not candidates and ("</" in part.text or "/>" in part.text):
        roots = read_tags(part.text, part.prose)
        markup = read_markup(part.text, roots, part.documents)
        candidates = [] if markup is None else _from_data([markup], kind, text, settled, "xml")
        if candidates and text:
            settled.text = text = cover(text, [(one.start, one.end) for one in roots if one.closed], DATA)
    candidates += kind.in_text(text, cut, bool(candidates))
    candidates = [] if part.thinks_again else candidates
    settled.candidates = candidates
    if not candidates:
        settled.status, why = why_none(part, end, kind.missing)
        settled.issues.append(why)
        return settled
    settled.best, why_not = _standing(candidates, text, kind, strict=strict, cut=cut)
    settled.issues += why_not
    if settled.best is not None:
        settled.status = ParseStatus.OK
        if (cut and any(document.dangling or document.cut for document in part.documents)) or is_cut(part, None):
            settled.issues.append(issue(IssueCode.TRUNCATED, "the reply was cut off after its answer"))
        elif any(document.cut for document in part.documents):
            settled.issues.append(issue(IssueCode.UNCERTAIN_END, "closing brackets are missing"))
    return settled


def _from_data(
    documents: Sequence[Document], kind: Kind[Any], text: str, settled: Settled, form: str = "json"
) -> list[Candidate]:
    """The candidates in data."""
    found: list[Candidate] = []
    for document in documents:
        if text and (is_foreign(text, document.start) or is_quoted(text, document.start, document.end)):
            continue
        beside = document.value.items() if isinstance(document.value, dict) else ()
        if any(
            is_error(key, item) or (isinstance(item, str) and disowns(item) and role_of(key) not in _WORDS)
            for key, item in beside
        ):
            continue
        candidates = kind.in_data(document.value)
        for one in candidates:
            one.source, one.format = document, "repaired-json" if form == "json" and document.notes else form
            one.span = document.locate(one.path)
        found += candidates
        if candidates:
            settled.repairs += document.repairs
    settled.issues += repaired([repair.code for repair in settled.repairs])
    return found


_ASIDES: Final = re.compile(
    r"\[[^\[\]\n]{1,200}\]\([^\s()]{1,2000}\)|https?://[^\s<>()\[\]{}\"'`]+|^\[\^\w{1,20}\]:[^\n]*|\[\^\w{1,20}\]",
    re.MULTILINE,
)


def _without_asides(text: str, part: Part) -> str:
    """A masked text in which addresses, notes at the foot and elements for reasons and the like are covered, too."""
    if "://" in text or "[^" in text or "](" in text:
        text = cover(text, [one.span() for one in _ASIDES.finditer(text)], QUOTED)
    if "</" not in part.text or not text:
        return text
    return cover(text, others_words(part.text, part.prose, strange=True), QUOTED)


def _standing(
    candidates: Sequence[Candidate], text: str, kind: Kind[Any], *, strict: bool, cut: bool
) -> tuple[Candidate | None, list[Issue]]:
    """The last answer, if all agree with it that no correction stands behind; or why none."""
    answers = sorted(
        (Answer([one], *(one.span or (0, 0)), data=one.source is not None) for one in candidates),
        key=lambda one: (one.start, one.end, one.data),
    )
    for one in answers:
        one.end = max(one.end, one.rows[0].until)
    own = [one for one in answers if not is_foreign(text, text.rfind("\n", 0, one.start) + 1, inline=False)]
    if not own:
        return None, [issue(IssueCode.UNKNOWN_LABEL, "the line above does not say that the answer is the judge's own")]
    kept = {id(one) for one in own}
    answers = [one for one in answers if id(one) in kept or one.start > own[-1].start]
    last, notes = answers[-1], []
    value = last.rows[0].value
    differing = [one for one in answers if not kind.same(one.rows[0].value, value)]
    if differing:
        if not between(text, differing[-1].end, last):
            return None, [issue(IssueCode.CONFLICTING_VERDICTS, "the reply gives different answers")]
        notes.append(issue(IssueCode.CONFLICTING_VERDICTS, "the judge corrected an earlier answer"))
    reason = last.rows[0].reason
    short = reason is not None and len(reason) < SHORT  # it may be a second thought
    tail = text[last.end :]
    why = reason or (tail if not cut and (len(tail.strip()) > SHORT or is_headed_reason(tail)) else "")
    said = [one for one in SENTENCES.split(why.strip()) if one.strip()][-1:]
    taken = short and withdraws(reason or "") and not any(kind.known(one, value) for one in said)
    taken = taken or is_dictated(reason or "")
    if said and is_on("rule:reason") and (taken or kind.concludes(said[0], value)):
        return None, [issue(IssueCode.TEXT_AFTER_ANSWER, "the reason takes the answer back")]
    if OF_ANOTHER.match(tail) or void_single(
        tail,
        value,
        kind.rivals,
        strict=strict,
        cut=cut,
        known=lambda sentence: kind.known(sentence, value),
        goes_on=not last.data and not kind.glosses(tail),
    ):
        return None, [issue(IssueCode.TEXT_AFTER_ANSWER, "what stands behind the answer may take it back")]
    return last.rows[0], notes
