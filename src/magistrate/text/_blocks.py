"""What an answer is laid out as: paragraphs, list items, headings, tables, code.

Reads lines, once each. Only what decides where statements begin and end is told apart; this is no Markdown renderer.
"""

import re
from collections.abc import Iterator
from itertools import chain, islice, takewhile
from typing import Final, Literal, NamedTuple

from magistrate.text._fold import all_words, fold

BlockKind = Literal["prose", "code", "row", "heading", "marker", "break", "rule", "quote"]


class Block(NamedTuple):
    """A stretch of an answer, of one kind: "prose", "code", "row", "heading", "marker" (what only lays out)."""

    kind: BlockKind
    start: int
    end: int


_FENCE: Final = re.compile(r"[ \t]*(`{3,}|~{3,})")
_HEADING: Final = re.compile(r"[ \t]*#{1,6}[ \t]+\S")
_RULE: Final = re.compile(r"[ \t]*(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|=+)$")
_DELIMITERS: Final = re.compile(r"(?=[^\n]*\|)[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_BOLD_LINE: Final = re.compile(r"[ \t]*(?:\*\*[^*\n]{1,120}\*\*|__[^_\n]{1,120}__):?[ \t]*$")
_QUOTE: Final = re.compile(r"[ \t]*(?:>[ \t]?)+")
_BULLET: Final = re.compile(
    r"[ \t]*(?:[-*+•‣⁃◦▪▫●○■□◆◇★☆✓✔➢➤►▶·・–—][ \t]+|[•‣◦▪●○■◆★✓✔➤►▶・](?=\S))(?:\[[ xX]\][ \t]+)?"
)
_NUMBER: Final = re.compile(
    r"[ \t]*(?:[(（]?(\d{1,3})(?:[.)）][ \t]+|[.)）、．](?=[^\W\d_a-zA-Z]))|([①-⑳])[ \t]*|[(（]?[a-zA-Z][)）][ \t]+)"
)
_WORD: Final = re.compile("[^\\W\\d_]{1,20}")
_ROW: Final = re.compile(r"[ \t]*\|.*\|[ \t]*$")
_SENTENCE_ENDS: Final = (".", "!", "。", "！", "।", "۔", "॥")
_LONGEST_TITLE: Final = 80
_LONGEST_LINE: Final = 400
_STOPPED: Final = frozenset(".!?:;…。！？｡：；۔؟।॥")
_WRAPPED: Final = 50  # columns; a line shorter than this was ended by its writer
_WIDE: Final = re.compile("[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60]")


def blocks(text: str) -> Iterator[Block]:
    """Split a text into blocks that together hold every character that is not white space."""
    paragraph: Block | None = None  # the next line may go on with it
    quote: Block | None = None  # the quote marks of that line
    for block in chain(_line_blocks(text), (Block("break", len(text), len(text)),)):
        if block.kind == "quote" and paragraph is not None:
            quote = block
            continue
        if block.kind == "prose" and paragraph is not None and _goes_on(text, paragraph, block):
            paragraph, quote = Block("prose", paragraph.start, block.end), None
            continue
        if paragraph is not None:  # it does not go on; a rule under it can make a heading of it
            yield paragraph._replace(kind="heading" if block.kind == "rule" and _is_title(text, paragraph) else "prose")
        if quote is not None:
            yield quote._replace(kind="marker")
        paragraph, quote = (block, None) if block.kind == "prose" else (None, None)
        if block.kind in ("rule", "quote"):
            yield block._replace(kind="marker")
        elif block.kind not in ("prose", "break"):
            yield block


def _line_blocks(text: str) -> Iterator[Block]:
    """What each line is; lines of prose are not joined yet."""
    lines = list(_lines(text))
    index = last_number = 0
    while index < len(lines):
        start, end = lines[index]
        index += 1
        line = text[start:end]
        if not line.strip():
            yield Block("break", start, end)
            continue
        fence = _FENCE.match(line)
        if fence is not None and fence.group(1)[0] not in line[fence.end() :]:
            index = _fence_end(text, lines, index, fence.group(1))
            yield Block("code", start, lines[index - 1][1])
        elif "|" in line and index < len(lines) and _DELIMITERS.match(text, *lines[index]):
            yield Block("heading", start, end)
            yield Block("marker", *lines[index])
            rows = list(takewhile(lambda span: "|" in text[slice(*span)], islice(lines, index + 1, None)))
            yield from (Block("row", *row) for row in rows)
            index += 1 + len(rows)
        else:
            kind = _line_kind(line)
            if kind != "prose":
                yield Block(kind, start, end)
                continue
            marker, number, quoted = _marker(text, start, end, last_number)
            last_number = last_number if number is None else number
            prose = bool(text[marker:end].strip())
            if marker > start:
                yield Block("quote" if quoted and prose else "marker", start, marker)
            if prose:
                yield Block("prose", marker, end)


def _line_kind(line: str) -> BlockKind:
    """What a line that is not blank is by itself."""
    if _RULE.match(line):
        return "rule"
    # What is marked as a heading and ends as a sentence does is one, and states something.
    if (_HEADING.match(line) or _BOLD_LINE.match(line)) and not line.rstrip(" \t*_#").endswith(_SENTENCE_ENDS):
        return "heading"
    return "row" if _ROW.match(line) else "prose"


def _lines(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for line in text.splitlines(keepends=True):
        yield start, start + len(line.rstrip("\r\n\v\f\x1c\x1d\x1e\x85\u2028\u2029"))
        start += len(line)


def _fence_end(text: str, lines: list[tuple[int, int]], index: int, fence: str) -> int:
    """The line after the closing fence; after the last line where it is never closed."""
    for number, (start, end) in enumerate(lines[index:], index + 1):
        closing = _FENCE.match(text, start, end)
        if closing is not None and closing.group(1).startswith(fence) and not text[closing.end() : end].strip():
            return number
    return len(lines)


def _is_title(text: str, block: Block) -> bool:
    """Whether a paragraph over a rule is a heading: one short line without a stop and without a number."""
    stretch = text[block.start : block.end].strip()
    return (
        "\n" not in stretch
        and len(stretch) <= _LONGEST_TITLE
        and stretch[-1] not in _STOPPED
        and not any(map(str.isdigit, stretch))
    )


def _marker(text: str, start: int, end: int, last_number: int) -> tuple[int, int | None, bool]:
    """Where the text of a line begins, its number (0 for other marks), and whether its marks are quote marks only."""
    quote = _QUOTE.match(text, start, end)
    index = start if quote is None else quote.end()
    bullet = _BULLET.match(text, index, end)
    if bullet is not None:
        return bullet.end(), 0, False
    numbered = _NUMBER.match(text, index, end)
    if numbered is not None and numbered.group(1) is None:
        return numbered.end(), 0, False
    if numbered is not None:
        number = int(numbered.group(1))
        # "12. Mai 1999 ..." opens a sentence, not a list, and so does "2019. ...": a list counts from 1.
        following = _WORD.match(text, numbered.end(), end)
        is_date = following is not None and fold(following.group()) in all_words("ordinals.nouns")
        if not is_date and (number <= 1 or number == last_number + 1):
            return numbered.end(), number, False
    return index, None, quote is not None


def _goes_on(text: str, paragraph: Block, line: Block) -> bool:
    """Whether a line goes on with the paragraph above it: its writer wrapped it, and did not end a line there."""
    before = text[max(paragraph.start, paragraph.end - _LONGEST_LINE) : paragraph.end].rstrip()
    if not before or before[-1] in _STOPPED:
        return False
    first = text[line.start : line.end].lstrip()[:1]
    if first.islower() or before[-1] in ",，、;-–":
        return True
    last_line = before.rpartition("\n")[2]
    return len(last_line) + len(_WIDE.findall(last_line)) >= _WRAPPED
