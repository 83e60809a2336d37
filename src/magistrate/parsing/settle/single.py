"""What a score and a label have in common: candidates of one answer, and the one that is left standing."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final

from magistrate.parsing.decode.parts import Part, parts_of
from magistrate.parsing.decode.tags import Element, content_of, read_tags
from magistrate.parsing.readings import issue
from magistrate.parsing.reply.masking import QUOTED, cover
from magistrate.parsing.reply.source import BLOCKED, CUT
from magistrate.parsing.rows.candidate import Answer, Candidate
from magistrate.parsing.settle.acceptance import between, is_foreign, void_single
from magistrate.parsing.settle.ladder import is_cut, repaired, why_none
from magistrate.parsing.settle.masks import masked
from magistrate.parsing.switches import is_on
from magistrate.parsing.wording.courtesy import withdraws
from magistrate.parsing.wording.keys import Role, is_named, role_of
from magistrate.verdict import Issue, IssueCode, ParseStatus, Repair

_GIVEN: Final = re.compile(r"=([\w-]{1,40})>\Z")
_NO_ANSWER: Final = frozenset({Role.QUOTE, Role.ASIDE, Role.ECHO, Role.REASON})


@dataclass(frozen=True, slots=True)
class Kind:
    """What tells one kind of single answer from another."""

    in_data: Callable[[Any], list[Candidate]]  # the candidates that a decoded value holds
    in_tags: Callable[[list[tuple[str, str, int, int]]], list[Candidate]]
    in_text: Callable[[str, bool, bool], list[Candidate]]
    same: Callable[[Any, Any], bool]  # whether two values are one
    rivals: Callable[[str, Any, bool], bool]
    missing: str  # what to say where there is none
    known: Callable[[str, Any], bool] = lambda _, __: False
    concludes: Callable[[str, Any], bool] = lambda _, __: False  # whether a reason in data ends in another value


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


def read_single(raw: str, kind: Kind, end: str | None, *, strict: bool) -> Settled:
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
    return last


def _settle(part: Part, kind: Kind, end: str | None, *, strict: bool) -> Settled:
    settled = Settled(part)
    if part.overrun:
        settled.issues = [issue(IssueCode.MISSING_VERDICT, "the reply holds more fragments than any answer has")]
        return settled
    settled.text = text = _without_asides(masked(part), part)
    cut = end in {CUT, BLOCKED}
    candidates = _from_data(part, kind, text, settled)
    if not candidates and ("</" in part.text or "/>" in part.text):
        candidates = kind.in_tags(leaves_of(part))
        for one in candidates:
            one.format = "xml"
        candidates = [
            one for one in candidates if one.span is None or not is_foreign(text, one.span[0] - 1, inline=False)
        ]
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


def _from_data(part: Part, kind: Kind, text: str, settled: Settled) -> list[Candidate]:
    """The candidates in data."""
    found: list[Candidate] = []
    for document in part.documents:
        if text and is_foreign(text, document.start):
            continue
        candidates = kind.in_data(document.value)
        for one in candidates:
            one.source, one.format = document, "repaired-json" if document.notes else "json"
            one.span = document.locate(one.path)
        found += candidates
        if candidates:
            settled.repairs += document.repairs
    settled.issues += repaired([repair.code for repair in settled.repairs])
    return found


def _without_asides(text: str, part: Part) -> str:
    """A masked text in which elements for reasons, quotations and statements are covered, too."""
    if "</" not in part.text or not text:
        return text
    spans = sorted((one.inner, one.stop) for one in _elements(part) if role_of(_name(one, part.text)) in _NO_ANSWER)
    return cover(text, spans, QUOTED)


def _elements(part: Part) -> list[Element]:
    """The elements; of a list of keys and values, each value under its key."""
    found = []
    pending: list[Element] = list(reversed(read_tags(part.text, part.prose)))
    while pending:
        element = pending.pop()
        pending.extend(reversed(element.children))
        if element.closed:
            found.append(element)
    for key, value in pairwise(found):
        if key.name == "arg_key" and value.name == "arg_value":
            value.attributes["name"] = content_of(key, part.text)
    return found


def _name(element: Element, text: str) -> str:
    """What an element is called: its own name, or the one it gives, <parameter name="score">, <parameter=score>."""
    given = _GIVEN.search(text[element.start : element.inner])
    return element.attributes.get("name") or (given[1] if given else element.name)


def leaves_of(part: Part) -> list[tuple[str, str, int, int]]:
    """The elements without children, and attributes of any: name, content, where that stands."""
    found = []
    for element in _elements(part):
        name, given = _name(element, part.text), element.attributes.items()
        tops = [value for key, value in given if is_named(key, "top")]
        if not element.children and role_of(name) not in _NO_ANSWER:
            found.append((name, "/".join((content_of(element, part.text), *tops)), element.inner, element.stop))
        found += [
            (element.attributes.get("name", key), "/".join((value, *tops)), element.start, element.inner)
            for key, value in given
            if is_named(key, "score", "label", "overall") and role_of(key) is not Role.ID
        ]
    return found


def _standing(
    candidates: Sequence[Candidate], text: str, kind: Kind, *, strict: bool, cut: bool
) -> tuple[Candidate | None, list[Issue]]:
    """The last answer, if all agree with it that no correction stands behind; or why none."""
    answers = sorted(
        (Answer([one], *(one.span or (0, 0)), data=one.source is not None) for one in candidates),
        key=lambda one: (one.start, one.end),
    )
    own = [one for one in answers if not is_foreign(text, text.rfind("\n", 0, one.start) + 1, inline=False)]
    if not own:
        return None, [issue(IssueCode.UNKNOWN_LABEL, "the line above does not say that the answer is the judge's own")]
    kept = {id(one) for one in own}
    answers = [one for one in answers if id(one) in kept or one.start > own[-1].start]
    last, notes = answers[-1], []
    value = last.rows[0].value
    differing = [one for one in answers if not kind.same(one.rows[0].value, value)]
    if differing:
        if isinstance(value, IssueCode) or not between(text, differing[-1].end, last):
            return None, [issue(IssueCode.CONFLICTING_VERDICTS, "the reply gives different answers")]
        notes.append(issue(IssueCode.CONFLICTING_VERDICTS, "the judge corrected an earlier answer"))
    reason = last.rows[0].reason
    short = reason is not None and len(reason) < 100  # noqa: PLR2004 - it may be a second thought
    if reason and is_on("rule:reason") and ((short and withdraws(reason)) or kind.concludes(reason, value)):
        return None, [issue(IssueCode.TEXT_AFTER_ANSWER, "the reason takes the answer back")]
    tail = text[last.end :]
    if void_single(
        tail,
        value,
        kind.rivals,
        strict=strict,
        cut=cut,
        known=lambda sentence: kind.known(sentence, value),
        goes_on=not last.data,
    ):
        return None, [issue(IssueCode.TEXT_AFTER_ANSWER, "what stands behind the answer may take it back")]
    return last.rows[0], notes
