"""The part of a reply that is plain text, with everything masked in it that is not the judge's own wording.

A mask is one character, whatever it covers: what is not wording is not walked over either. `Prose.place` leads from a
position in the masked text back to the reply.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from magistrate.parsing.decode.brackets import is_blank
from magistrate.parsing.decode.nodes import Span
from magistrate.parsing.decode.tags import HOLDER
from magistrate.parsing.envelope import Envelope
from magistrate.parsing.fences import fence_lines, program_blocks
from magistrate.parsing.notation import plain
from magistrate.parsing.voices import QUOTED

__all__ = ["DROPPED", "ECHO", "JSON", "QUOTED", "Line", "Prose", "mask"]

DROPPED: Final = "\x00"
JSON: Final = "\ue000"
ECHO: Final = "\ue001"

Cover = tuple[int, int, str]

LONGEST_PROSE: Final = 30_000
PROSE_PER_STATEMENT: Final = 600
"""Characters of plain text that are read, plus so many a statement: well above any reply that is an answer, and well
below what would take long."""
MOST_LINES: Final = 1_500
LINES_PER_STATEMENT: Final = 8
"""Lines of it, and so many more a statement."""
_WORK: Final = 40_000_000
_SHORTEST_ECHO: Final = 8

_QUOTATION: Final = re.compile(
    r"\"[^\"\n]*\"|“[^“”\n]*”|„[^„“”\n]*[“”]|«[^«»\n]*»|「[^「」\n]*」|『[^『』\n]*』|(?<![\w'])'[^'\n]{6,}'(?![\w'])"
)
_WORDS: Final = re.compile(r"\w+")
_BLOCK_QUOTE: Final = re.compile(r"^[ \t]*>[^\n]*$", re.MULTILINE)
_RUN: Final = re.compile(r"\s{40,}")
_UNSEEN: Final = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]+")
"""Marks of no width: they say nothing, wherever they stand."""
_KEPT: Final = 4
"""Blanks that are kept at both ends of a long run of them: no pattern walks over the rest again and again."""
_LINE_BREAK: Final = re.compile(r"<br\s{0,4}/?>", re.IGNORECASE)
_ESCAPED_BREAK: Final = re.compile(r"\\r\\n|\\n")
_MARK: Final = re.compile(r"[\s.]*(?:\w{1,20}\s*[:：])?\s*\[\[[^\[\]]{1,20}\]\][\s.]*")
"""A mark in double brackets: judges put it in quotation marks, too."""
_LABEL_BEFORE: Final = re.compile(r"[:：=]\s*[*_]*$")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the masked text: what it says and where it begins."""

    text: str
    start: int

    @property
    def end(self) -> int:
        """One past its last character."""
        return self.start + len(self.text)


@dataclass(slots=True)
class Prose:
    """The masked text.

    Args:
        text: The text; each thing that is not the judge's wording is one character in it.
        echoes: Positions in it where statements are repeated, and their indices.
        language: The language of the first fence in it ("yaml"), "" where there is none.
        overlong: Whether there is more than is read.
        ordered: Whether the ids of the statements are their places, so that the first one is number 1.
        ours: Positions in it from which on it is shifted against the reply.
        theirs: The positions in the reply that belong to them.
    """

    text: str
    echoes: dict[int, int] = field(default_factory=dict)
    language: str = ""
    overlong: bool = False
    ordered: bool = True
    ours: list[int] = field(default_factory=list)
    theirs: list[int] = field(default_factory=list)
    _lines: tuple[str, list[Line]] | None = None

    def lines(self) -> list[Line]:
        """The lines, blank ones too."""
        if self._lines is not None and self._lines[0] is self.text:
            return self._lines[1]
        found: list[Line] = []
        at = 0
        for text in self.text.split("\n"):
            found.append(Line(text.rstrip("\r"), at))
            at += len(text) + 1
        self._lines = (self.text, found)
        return found

    def echo_at(self, position: int) -> int | None:
        """Index of the statement that is repeated at a position."""
        return self.echoes.get(position)

    def place(self, position: int) -> int:
        """The position in the reply."""
        step = bisect_right(self.ours, position) - 1
        return position if step < 0 else self.theirs[step] + position - self.ours[step]

    def back(self, at: int) -> int:
        """The position in the reply, by the name that layers of a document have for it."""
        return self.place(at)

    def inside(self, position: int) -> int:
        """The position in the masked text that belongs to one in the reply; where it is masked, that of the mask."""
        step = bisect_right(self.theirs, position) - 1
        if step < 0:
            return position
        shifted = position - self.theirs[step] + self.ours[step]
        return min(shifted, self.ours[step + 1]) if step + 1 < len(self.ours) else shifted

    def span(self, start: int, end: int) -> Span:
        """The span in the reply."""
        return self.place(start), self.place(end) if end > start else self.place(start)


def mask(
    envelope: Envelope,
    statements: Sequence[str],
    *,
    skip: Sequence[Span] = (),
    quotes: bool = True,
    ordered: bool = True,
) -> Prose:
    """Mask a reply for the text readers.

    Args:
        envelope: The parts of the reply.
        statements: What was asked about: where it is repeated it is not the judge's wording.
        skip: Further spans that are no prose.
        quotes: Whether quotations are masked.
        ordered: Whether the ids of the statements are their places: else letters and ordinals name none.
    """
    text = envelope.text
    total = sum(end - start for start, end in envelope.prose)
    if total > LONGEST_PROSE + PROSE_PER_STATEMENT * len(statements):
        return Prose("", overlong=True)
    lines = sum(text.count("\n", start, end) for start, end in envelope.prose)
    if lines > MOST_LINES + LINES_PER_STATEMENT * len(statements):
        return Prose("", overlong=True)
    if all(is_blank(text[start:end]) for start, end in envelope.prose):
        return Prose("")
    text = plain(text, len(statements) if ordered else 0)
    covers: list[Cover] = [(document.start, document.end, JSON) for document in envelope.documents]
    covers += [(start, end, JSON) for start, end in skip]
    covers += _outside(envelope, covers)
    if not text.isascii():
        covers += [(mark.start(), mark.end(), "") for mark in _UNSEEN.finditer(text)]
    covers += [(run.start() + _KEPT, run.end() - _KEPT, " ") for run in _RUN.finditer(text)]
    fences = fence_lines(text, envelope.prose)
    language = next((fence["language"] for fence in fences if fence["language"]), "")
    covers += [(fence.start(), fence.end(), DROPPED) for fence in fences]
    covers += [(start, end, DROPPED) for start, end in program_blocks(fences)]
    for start, end in envelope.prose:
        covers += [(found.start(), found.end(), DROPPED) for found in _LINE_BREAK.finditer(text, start, end)]
        if "\n" not in text[start:end].strip():
            covers += [(found.start(), found.end(), DROPPED) for found in _ESCAPED_BREAK.finditer(text, start, end)]
        covers += [(tag.start(), tag.end(), DROPPED) for tag in HOLDER.finditer(text, start, end)]
        covers += [(quote.start(), quote.end(), DROPPED) for quote in _BLOCK_QUOTE.finditer(text, start, end)]
        covers += _drafts(text, start, end)
    echoes = _echoes(text, envelope.prose, statements)
    covers += [(start, end, ECHO) for (start, end), _ in echoes]
    masked = _cover(text, covers, language.casefold())
    if quotes:
        covers += [
            (*masked.span(found.start(), found.end()), QUOTED)
            for found in _QUOTATION.finditer(masked.text)
            if _is_quotation(masked.text, found)
        ]
        masked = _cover(text, covers, language.casefold())
    starts = {start: index for (start, _), index in echoes}
    masked.ordered = ordered
    masked.echoes = {at: starts[place] for at, place in _echo_places(masked) if place in starts}
    return masked


def _drafts(text: str, start: int, end: int) -> list[Cover]:
    """Paragraphs headed as examples; sections headed as drafts, where one headed as the answer follows."""
    covers: list[Cover] = []
    for example in _EXAMPLE.finditer(text, start, end):
        stop = text.find("\n\n", example.end(), end)
        covers.append((example.start(), end if stop < 0 else stop, DROPPED))
    heads = [head for head in _HEADING.finditer(text, start, end) if _is_heading(head)]
    finals = [head.start() for head in heads if _FINAL.search(head.group())]
    for at, head in enumerate(heads):
        if _DRAFT.search(head.group()) and finals and finals[-1] > head.start():
            stop = heads[at + 1].start() if at + 1 < len(heads) else end
            covers.append((head.start(), stop, DROPPED))
    return covers


_EXAMPLE: Final = re.compile(
    r"^[ \t*_#>-]*(?:for )?(?:examples?|beispiele?|ejemplos?|exemples?|esempi?o?|exemplos?|пример\w?|例|示例|예시)[ "
    r"\t]*\d{0,2}[*_ \t]*[:：][*_ \t]*$",
    re.MULTILINE | re.IGNORECASE,
)
_HEADING: Final = re.compile(
    r"^[ \t]*(?:#{1,6}[ \t]+[^\n]{1,60}[ \t]*$|\*\*[^\n*]{1,60}\*\*:?[ \t]*$"
    r"|(?P<plain>[^\W\d][^\n:：.,;#*]{0,40})[:：])",
    re.MULTILINE,
)
_DRAFT: Final = re.compile(
    r"\b(?:draft|scratch(?:pad)?|first (?:pass|attempt|try|guess|thoughts?|impressions?)|(?:initial|preliminary"
    r"|tentative) (?:thoughts?|pass|assessments?|answers?|verdicts?|judge?ments?|impressions?|reading)|entwurf|borrador"
    r"|brouillon|bozza|rascunho)\b"
    r"|черновик|草稿|下書き|초안",
    re.IGNORECASE,
)
_FINAL: Final = re.compile(
    r"\b(?:final|answers?|verdicts?|results?|endgültig\w*|antwort|urteile?|respuesta|veredictos?|réponse|risposta"
    r"|resposta)\b"
    r"|итог|ответ|вердикт|最终|最終|答案|结论|結論|判定|최종|결론",
    re.IGNORECASE,
)


def _is_heading(head: re.Match[str]) -> bool:
    """Whether a line is a heading; one without marks only where it names a draft or the final answer and no more."""
    plain = head["plain"]
    if plain is None:
        return True
    short = len(plain.split()) <= _WORDS_OF_A_HEADING
    return short and (_DRAFT.search(plain) is not None or _PLAIN_FINAL.search(plain) is not None)


_WORDS_OF_A_HEADING: Final = 4
_PLAIN_FINAL: Final = re.compile(
    r"\b(?:final|endgültig\w*|definitiv\w*|finale?s?)\b|итогов|最终|最終|최종", re.IGNORECASE
)


def _echo_places(masked: Prose) -> list[tuple[int, int]]:
    places, at = [], masked.text.find(ECHO)
    while at >= 0:
        places.append((at, masked.place(at)))
        at = masked.text.find(ECHO, at + 1)
    return places


def _outside(envelope: Envelope, documents: Sequence[Cover]) -> list[Cover]:
    """What is neither prose nor JSON: thinking, later turns."""
    kept = sorted([*envelope.prose, *((start, end) for start, end, _ in documents)])
    gaps, at = [], 0
    for start, end in kept:
        if start > at:
            gaps.append((at, start, DROPPED))
        at = max(at, end)
    if at < len(envelope.text):
        gaps.append((at, len(envelope.text), DROPPED))
    return gaps


def _echoes(text: str, prose: Sequence[Span], statements: Sequence[str]) -> list[tuple[Span, int]]:
    """Where statements are repeated word for word, in order; the longest first where they overlap."""
    size = sum(end - start for start, end in prose)
    if size * len(statements) > _WORK:
        return []
    found: list[tuple[Span, int]] = []
    taken = bytearray(len(text))
    for index in sorted(range(len(statements)), key=lambda at: -len(statements[at])):
        statement = statements[index].strip().rstrip(".。!！?？")
        if len(statement) < _SHORTEST_ECHO and not (statement and statement[0] > "\u2e7f" and len(statement) > 3):  # noqa: PLR2004 - short words of dense scripts
            found += _short_echoes(text, prose, statement, index, taken)
            continue
        for start, end in prose:
            at = text.find(statement, start, end)
            while at >= 0:
                span = (at, at + len(statement))
                if 1 not in taken[span[0] : span[1]]:
                    taken[span[0] : span[1]] = b"\x01" * len(statement)
                    found.append((span, index))
                at = text.find(statement, span[1], end)
    found += _shortened(text, prose, statements, taken)
    return sorted(found)


def _short_echoes(
    text: str, prose: Sequence[Span], statement: str, index: int, taken: bytearray
) -> list[tuple[Span, int]]:
    """Where a statement of a word or two is repeated: at the head of an item, before a colon, a dash or its end."""
    if len(statement) < 2 or not statement[0].isalpha():  # noqa: PLR2004 - a letter says nothing
        return []
    found: list[tuple[Span, int]] = []
    pattern = re.compile(
        rf"^[ \t]*(?:[-*•+][ \t]+|[(\[]?\d{{1,4}}[)\].:]+[ \t]+)[*_`\"']*(?P<echo>{re.escape(statement)})"
        r"(?=[.!]?[*_`\"']*[ \t]*(?:[:：|]|[-–—]\s|->|→|$))",
        re.MULTILINE,
    )
    for start, end in prose:
        for match in pattern.finditer(text, start, end):
            span = match.span("echo")
            if 1 not in taken[span[0] : span[1]]:
                taken[span[0] : span[1]] = b"\x01" * len(statement)
                found.append((span, index))
    return found


def _shortened(text: str, prose: Sequence[Span], statements: Sequence[str], taken: bytearray) -> list[tuple[Span, int]]:
    """Where the head of one statement alone is repeated and dots stand for the rest."""
    found: list[tuple[Span, int]] = []
    for start, end in prose:
        at = start
        for dots, _ in zip(_DOTS.finditer(text, start, end), range(MOST_SHORTENED), strict=False):
            match = _HEAD.search(text, max(at, dots.start() - _LONGEST_HEAD), dots.start())
            at = dots.end()
            if match is None:
                continue
            head = match["head"].rstrip(" ,;:")
            holders = [at for at, statement in enumerate(statements) if statement.startswith(head)]
            span = match.span("head")
            if len(holders) == 1 and 1 not in taken[span[0] : dots.end()]:
                found.append(((span[0], dots.end()), holders[0]))
    return found


MOST_SHORTENED: Final = 200
"""Shortened sentences that are looked at."""
_LONGEST_HEAD: Final = 400
_DOTS: Final = re.compile(r"\.{3}|…")
_HEAD: Final = re.compile(r"[\"“'‘«](?P<head>[^\"“”«»\n]{12,400}+)\Z")
"""What stands before the dots, from a quotation mark on."""


def _is_quotation(text: str, found: re.Match[str]) -> bool:
    """Whether quotation marks hold quoted text, not a value ("not supported" after a colon) or a single word."""
    inside = found.group()[1:-1]
    if inside.strip(ECHO + " .") == "" or _MARK.fullmatch(inside):
        return False
    words = len(_WORDS.findall(inside[:80]))
    if words <= 1 and ":" not in inside and "\uff1a" not in inside:
        return False
    if _stands_alone(text, found):
        return False
    return words > 4 or _LABEL_BEFORE.search(text[max(0, found.start() - 8) : found.start()]) is None  # noqa: PLR2004


def _stands_alone(text: str, found: re.Match[str]) -> bool:
    """Whether quotation marks stand around a whole sentence of the judge's: nothing leads into it or goes on after."""
    before = text[max(0, found.start() - 40) : found.start()].rstrip(" \t*_")
    after = text[found.end() : found.end() + 40].lstrip(" \t*_.。")
    return (not before or before[-1] in ".!?。！？\n") and (not after or after[0] == "\n")


def _cover(text: str, covers: Sequence[Cover], language: str) -> Prose:
    """Put one character, or none, in the place of each covered part; what is merely dropped leaves a line break."""
    pieces: list[str] = []
    ours: list[int] = []
    theirs: list[int] = []
    at = length = 0
    for start, end, fill in sorted(covers):
        if end <= at:
            continue
        begin = max(start, at)
        pieces.append(text[at:begin])
        length += begin - at
        ours.append(length)
        theirs.append(begin)
        pieces.append("\n" if fill == DROPPED else fill)
        length += len(fill)
        ours.append(length)
        theirs.append(end)
        at = end
    pieces.append(text[at:])
    return Prose("".join(pieces), {}, language, ours=ours, theirs=theirs)
