"""parse_score: one number on a declared range."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Final

from magistrate.parsing.decode.tags import Element, read_tags
from magistrate.parsing.envelope import Envelope, open_envelope
from magistrate.parsing.figures import concluded, corrected_to, moved_to
from magistrate.parsing.keys import Role, compact, role_of
from magistrate.parsing.numerals import Scale, read_numeral
from magistrate.parsing.prose import mask
from magistrate.parsing.reading import ScoreReading, conflicts, issue
from magistrate.parsing.refusal import refuses
from magistrate.parsing.retold import calls_off, retold
from magistrate.parsing.score_fields import OVERALL, SCORE, Candidate, find_in_value
from magistrate.parsing.score_text import find_in_text
from magistrate.parsing.source import BLOCKED, CUT, REFUSED, as_text, ending
from magistrate.parsing.tops import off_the_scale
from magistrate.parsing.voices import announced_as_anothers, judged, next_words, slips, withdraws
from magistrate.verdict import Issue, IssueCode, ParseStatus

__all__ = ["parse_score"]

_TAIL: Final = 300
_DATA: Final = frozenset({"json", "repaired-json", "xml"})
"""Characters behind an answer in which a slip of the pen is corrected."""
_NAME: Final = 64
_STRUCK: Final = frozenset({"del", "s", "strike"})
"""Elements whose text is struck out."""
_SAME: Final = 1e-9
_WINDOW: Final = 24
_UNCLEAR: Final = "what stands in place of the score is no number, or may be read as more than one"
_ABOUT: Final = re.compile(
    r"(?:[~\u223c\u2248\u2243]|\b(?:about|around|approx\.|approximately|roughly|circa|ca\.|c\.|ungefähr|etwa|rund|environ"
    r"|alrededor de|aproximadamente|cerca de|intorno a|около|примерно)|约|大约|約|およそ|약)"
    r"\s*(?:an?\s+)?[*_`\"'(\[]{0,4}$",
    re.IGNORECASE,
)
"""Words before a rough number: it counts, as it is the one the judge names, and is reported as rough."""


def parse_score(text: str | bytes | None, low: float, high: float, *, finish_reason: str | None = None) -> ScoreReading:
    """Read one number in [low, high].

    A number is never rescaled, clamped or coerced: `x/y` counts only where y is the top of the range, `x%` where the
    top is 100, or 1 (there the sign means hundredths). What is outside has status `out_of_range` and no value.

    Args:
        text: The reply as the model gave it.
        low: The least number of the range.
        high: The greatest.
        finish_reason: Why the provider says the reply ended.

    Raises:
        ValueError: If low and high are no range.
    """
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise ValueError(f"[{low}, {high}] is no range: low must be less than high, both finite")
    raw, end, scale = as_text(text), ending(finish_reason), Scale(float(low), float(high))
    envelope = open_envelope(raw)
    cut = end in {CUT, BLOCKED}
    reading = _settle(envelope, _candidates(envelope, scale, cut=cut), scale, end)
    if not cut or reading.value is None:
        return reading
    # What is not trusted at the cut must leave nothing else to be read in its place.
    whole = _settle(envelope, _candidates(envelope, scale, cut=False), scale, None)
    same = whole.value is not None and _same(whole.value, reading.value)
    if same or (whole.value is None and not conflicts(whole.issues)):
        return reading
    return ScoreReading(ParseStatus.TRUNCATED, issues=(issue(IssueCode.TRUNCATED, "the reply was cut off"),))


def _candidates(envelope: Envelope, scale: Scale, *, cut: bool) -> list[Candidate]:
    """All scores of the reply in the judge's own voice; data before text, text only as far as it is explicit."""
    if envelope.overrun:
        return []
    text = envelope.text
    found: list[Candidate] = []
    for document in judged(envelope):
        candidate = find_in_value(document, scale)
        if candidate is not None:
            found.append(candidate)
    if "<" in text and not found:
        found += _tagged(envelope, scale)
    prose = mask(envelope, ())
    spoken = find_in_text(prose, scale, cut=cut, beside_data=bool(found))
    return found + spoken


def _tagged(envelope: Envelope, scale: Scale) -> list[Candidate]:
    """The one element that holds a number and nothing else; of several, the one that is called the score."""
    leaves: list[tuple[Candidate, str]] = []
    roots = read_tags(envelope.text, envelope.prose)
    told = _attributed(roots, envelope.text, scale)
    pending = list(reversed(roots))
    while pending:
        element = pending.pop()
        pending.extend(reversed(element.children))
        if element.closed and not element.children and element.name.casefold() not in _STRUCK:
            numeral = read_numeral(envelope.text[element.inner : element.stop], scale)
            if numeral is not None:
                value = math.inf if off_the_scale(element.attributes, scale) else numeral.value
                leaves.append((Candidate(value, (element.inner, element.stop), "xml"), compact(element.name[:_NAME])))
    for names in (OVERALL, SCORE):
        named = [leaf for leaf, name in leaves if name in names]
        if named:
            return named + told
    if told:
        return told
    return [leaf for leaf, _ in leaves] if len(leaves) == 1 else []


def _attributed(roots: list[Element], text: str, scale: Scale) -> list[Candidate]:
    """The scores that elements have as attributes, of the outermost that have any: <evaluation score="4" max="5"/>."""
    level = roots
    while level:
        found = []
        for element in level:
            holds_score = (
                compact(element.name[:_NAME]) in _ATTRIBUTES and not text[element.inner : element.stop].strip()
            )
            for name, item in element.attributes.items():
                if compact(name) not in _ATTRIBUTES and not (holds_score and compact(name) == "value"):
                    continue
                numeral = read_numeral(item, scale)
                begins = text.find(name, element.start + 1 + len(element.name), element.inner)
                at = text.find(item, begins + len(name), element.inner)
                aside = element.name.casefold() in _STRUCK or role_of(element.name) in _ASIDE
                if numeral is not None and item and at >= 0 and not aside:
                    value = math.inf if off_the_scale(element.attributes, scale) else numeral.value
                    found.append(Candidate(value, (at, at + len(item)), "xml"))
        if found:
            return found
        level = [child for element in level for child in element.children]
    return []


_ASIDE: Final = frozenset({Role.ASIDE, Role.QUOTE, Role.REASON, Role.ECHO, Role.ID})
_ATTRIBUTES: Final = frozenset("score rating grade overall overallscore overallrating finalscore stars".split())
"""Attributes that give a score."""


def _settle(envelope: Envelope, candidates: list[Candidate], scale: Scale, end: str | None) -> ScoreReading:
    candidates = sorted(candidates, key=lambda candidate: candidate.span)
    values = [candidate for candidate in candidates if not candidate.broken]
    repairs = tuple(repair for candidate in candidates for repair in candidate.repairs)
    notes: list[Issue] = []
    if repairs:
        notes.append(
            issue(
                IssueCode.REPAIRED_JSON,
                "the reply had to be mended: " + ", ".join(sorted({repair.code for repair in repairs})),
            )
        )
    if values:
        last = values[-1]
        if any(not _same(one.value, last.value) for one in values):
            differing = max(at for at, one in enumerate(values) if not _same(one.value, last.value))
            between = envelope.text[values[differing].span[1] : last.span[0]]
            if withdraws(between) is not True:
                notes.append(issue(IssueCode.CONFLICTING_VERDICTS, "the reply gives different scores"))
                return ScoreReading(ParseStatus.UNPARSEABLE, issues=tuple(notes), repairs=repairs)
            notes.append(issue(IssueCode.CONFLICTING_VERDICTS, "the judge took back an earlier score"))
        tail = envelope.text[last.span[1] : last.span[1] + _TAIL]
        if slips(tail) or corrected_to(tail, last.value):
            notes.append(issue(IssueCode.CONFLICTING_VERDICTS, "the judge says that the score was a slip"))
            return ScoreReading(ParseStatus.UNPARSEABLE, issues=tuple(notes), repairs=repairs)
        # In running text a reason may follow, and speak of a second look: there only the next words count.
        if withdraws(tail if last.format in _DATA else next_words(tail)) is True:
            notes.append(issue(IssueCode.CONFLICTING_VERDICTS, "the judge takes the score back after it"))
            return ScoreReading(ParseStatus.UNPARSEABLE, issues=tuple(notes), repairs=repairs)
        concluded_with = concluded(last.reason) if last.reason else None
        differs = concluded_with is not None and not _same(concluded_with, last.value)
        if differs or moved_to(last.reason or "", last.value):
            notes.append(issue(IssueCode.CONFLICTING_VERDICTS, "the reason ends with another score"))
            return ScoreReading(ParseStatus.UNPARSEABLE, issues=tuple(notes), repairs=repairs)
        if moved_to(tail, last.value) or calls_off(tail) or any(map(_other_than(last.value), retold(tail))):
            notes.append(issue(IssueCode.CONFLICTING_VERDICTS, "the judge moves the score to another number"))
            return ScoreReading(ParseStatus.UNPARSEABLE, issues=tuple(notes), repairs=repairs)
        if last.format not in _DATA and announced_as_anothers(envelope.text, *last.span):
            notes.append(issue(IssueCode.UNKNOWN_LABEL, "the line above the score says that it is not the judge's own"))
            return ScoreReading(ParseStatus.UNPARSEABLE, issues=tuple(notes), repairs=repairs)
        if any(candidate.doubtful for candidate in values):
            notes.append(issue(IssueCode.CONFLICTING_VERDICTS, "one key holds different scores"))
            return ScoreReading(ParseStatus.UNPARSEABLE, issues=tuple(notes), repairs=repairs)
        if math.isnan(last.value):
            notes.append(issue(IssueCode.UNKNOWN_LABEL, _UNCLEAR))
            return ScoreReading(ParseStatus.UNPARSEABLE, issues=tuple(notes), repairs=repairs)
        if not scale.holds(last.value):
            notes.append(
                issue(IssueCode.OUT_OF_RANGE, f"the score is not on the scale from {scale.low:g} to {scale.high:g}")
            )
            return ScoreReading(
                ParseStatus.OUT_OF_RANGE,
                issues=tuple(notes),
                format=last.format,
                reason=last.reason,
                span=last.span,
                repairs=repairs,
            )
        if any(document.dangling for document in envelope.documents):
            notes.append(issue(IssueCode.TRUNCATED, "the reply was cut off after the score"))
        if _is_rough(envelope.text, *last.span):
            notes.append(issue(IssueCode.LOW_CONFIDENCE, "the judge gives the score as a rough one"))
        return ScoreReading(ParseStatus.OK, last.value, tuple(notes), last.format, last.reason, last.span, repairs)
    status, note = _why_none(envelope, candidates, end)
    return ScoreReading(status, issues=(*notes, *note), repairs=repairs)


def _other_than(value: float) -> Callable[[str], bool]:
    """Whether a second answer is a number, and another one."""

    def differs(said: str) -> bool:
        match = _NUMBER.fullmatch(said)
        return match is not None and not _same(float(match["number"].replace(",", ".")), value)

    return differs


_NUMBER: Final = re.compile(
    r"[*_`\[(]*(?P<number>\d{1,4}(?:[.,]\d{1,3})?)(?:\s*(?:/|out\s+of)\s*\d{1,4})?[*_`\])]*(?:\s+(?:points?|stars?))?"
)


def _is_rough(text: str, start: int, end: int) -> bool:
    """Whether the words before a number, or a sign that was read with it, say that it is a rough one."""
    digit = next((at for at in range(start, end) if text[at].isdigit()), start)
    return _ABOUT.search(text[max(0, start - _WINDOW) : digit]) is not None


def _same(left: float, right: float) -> bool:
    return left == right or (math.isnan(left) and math.isnan(right)) or abs(left - right) <= _SAME


def _why_none(
    envelope: Envelope, candidates: list[Candidate], end: str | None
) -> tuple[ParseStatus, tuple[Issue, ...]]:
    blank = not envelope.documents and not any(
        envelope.text[start:stop].strip(" \t\r\n`\x00\ufeff") for start, stop in envelope.prose
    )
    if end == REFUSED or (end == BLOCKED and not candidates):
        return ParseStatus.REFUSAL, (issue(IssueCode.REFUSAL, "the provider reports a refusal"),)
    if blank and not envelope.unfinished:
        return ParseStatus.EMPTY, (issue(IssueCode.EMPTY_REPLY, "the reply holds no answer"),)
    cut = end == CUT or envelope.unfinished or any(document.dangling for document in envelope.documents)
    if cut:
        return ParseStatus.TRUNCATED, (issue(IssueCode.TRUNCATED, "the reply was cut off"),)
    if refuses(envelope.text):
        return ParseStatus.REFUSAL, (issue(IssueCode.REFUSAL, "the judge refused"),)
    if candidates:
        return ParseStatus.UNPARSEABLE, (issue(IssueCode.UNKNOWN_LABEL, _UNCLEAR),)
    return ParseStatus.UNPARSEABLE, (issue(IssueCode.MISSING_VERDICT, "the reply gives no single number as its score"),)
