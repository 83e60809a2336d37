"""A list of statements in plain text: every line is an item, goes on with one, leads in, or is a courtesy."""

import re
from itertools import pairwise
from typing import Final

from magistrate.parsing.rows.candidate import Span
from magistrate.parsing.rows.walk import is_more
from magistrate.parsing.switches import kept
from magistrate.parsing.wording.courtesy import SENTENCES, is_courtesy, is_own_lead, lead_words
from magistrate.parsing.wording.fold import DROPPED
from magistrate.parsing.wording.keys import Role, role_of
from magistrate.parsing.wording.languages import special
from magistrate.parsing.wording.patterns import WordPattern, plurals, prose, vocabulary
from magistrate.parsing.wording.reasons import is_headed_reason

MOST_LINES: Final = 2_000
_POINTERS: Final = {"this", "that", "these", "those", "there", "nothing"}
_BARE: Final = re.compile(r"[ \t]*(?:[-*•+‣◦–]|[(\[]?\d{1,4}[.)])[ \t]*")
_QUOTES: Final = frozenset('"“”')
_HEADING: Final = re.compile(r"[\s*_#]*sentence\s*#?\d", re.IGNORECASE)
_ITEM: Final = WordPattern(
    r"[ \t]*\**(?:(?:[-*•+‣◦–・][ \t]+|・)|s\d{1,3}:[ \t]+|[(\[]?\d{1,4}\s?[.):、．\]]-?\**[ \t]*"
    r"|{item}\s*#?\s*\d{1,4}\s*[:.)-]\**\s*|[(\[]?[a-z][.)][ \t]+)(?P<text>.*)",
)
_MARK: Final = re.compile(r"(?:\[[ xX\d]{1,3}\]|[a-z]\)|(?i:claim|statement)\s*:)\s+")
_NEXT: Final = re.compile(r"(?<=[.!?])\s+(?:[-•]|[(]?(?P<number>\d{1,4})[.)])\s+(?=\S)")
_COLONS: Final = frozenset({":", "："})
_RULE: Final = re.compile(r"[\s|:-]+")
_listing: Final = kept(lambda: lead_words() | special("special", "wrapper") | plurals("item"))
_meta: Final = kept(
    lambda: (
        plurals("item", "candidate", "judged", "quote", "answer", "verdict", "reason")
        | {"information", "question", "questions", "task", "input"}
    )
)
"""Words of a sentence that may speak of the task: "The text holds no facts.", "Both are on the tower."."""


def _parted(items: list[tuple[str, Span]], source: str) -> list[tuple[str, Span]]:
    """The items with those that share a line apart; what is a lead-in, a rule or nothing is none."""
    found: list[tuple[str, Span]] = []
    for text, (start, end) in items:
        at = 0
        head = re.search(r"(\d{1,4})\W*$", source[max(0, start - 8) : start])
        last = int(head[1]) if head else None
        for match in _NEXT.finditer(text):
            number = int(match["number"]) if match["number"] else None
            if number is not None and number != (last or 0) + 1:
                continue
            found.append((text[at : match.start()], (start + at, start + match.start())))
            at, last = match.end(), number
        found.append((text[at:], (start + at, end)))
    return [
        one for one in found if is_more(one[0]) or (any(map(str.isalnum, one[0])) and one[0][-1:] not in {":", "："})
    ]


def _bared(text: str) -> str:
    """A statement without the marks around it."""
    text = _MARK.sub("", text.strip().strip("*_").strip()).strip("*_ ")
    text = text[:-1] if text[:1] in _QUOTES and text[-2:-1] in _QUOTES and text[-1:] == "," else text
    quoted = len(text) > 2 and text[0] in _QUOTES and text[-1] in _QUOTES  # noqa: PLR2004
    return text[1:-1] if quoted and not _QUOTES & set(text[1:-1]) else text


def leads_list(line: str) -> bool:
    """Whether a line leads into the list that was asked for, in known words and no others."""
    if vocabulary("quote").issuperset(re.findall(r"[a-z]+", line.casefold())) and line.isascii():
        return False  # "Sources:"
    return is_own_lead(line) or not line.isascii() or _listing().issuperset(re.findall(r"[a-z]+", line.casefold()))


def listed_statements(text: str) -> list[tuple[str, Span]]:
    """The items of a masked text that is a list and nothing else; none where any line is unaccounted for."""
    items: list[tuple[str, Span]] = []
    at, closed = 0, False
    depths: list[int] = []
    headed: list[bool] = []  # which items are the sentences that the others were taken out of
    lines = text.split("\n")
    if len(lines) > MOST_LINES:
        return []
    for at_line, line in enumerate(lines):
        bare = line.strip(" \t\r" + DROPPED)
        match = _ITEM.fullmatch(line.rstrip("\r").strip(DROPPED)) if not (closed and items) else None
        if match and match["text"].strip():
            headed.append(_HEADING.match(line) is not None)
            depths.append(len(line) - len(line.lstrip()))
            items.append((_bared(match["text"]), (at + line.find(match["text"]), at + len(line))))
        elif not bare or _BARE.fullmatch(line) or (items and is_more(bare)):
            pass
        elif not items:
            leads = bare.rstrip("*_")[-1:] in _COLONS
            if not (leads_list(bare) if leads else is_courtesy(bare)):
                return []
        elif is_courtesy(bare) or (not lines[at_line - 1].strip() and is_headed_reason(bare)):
            closed = True
        elif line[:1] in {" ", "\t"} and not closed:  # an item that goes on
            items[-1] = (f"{items[-1][0]} {bare}", (items[-1][1][0], at + len(line)))
        else:
            return []
        at += len(line) + 1
    if len(set(depths)) > 1 and any(_said(one[0]) <= _said(another[0]) for another, one in pairwise(items)):
        return []  # a statement, and what it was taken apart into
    if any(headed) and not all(headed):
        items = [one for one, is_head in zip(items, headed, strict=True) if not is_head]
    return _parted(items, text)


def _said(text: str) -> set[str]:
    return set(text.casefold().strip(".").split())


def tabled_statements(text: str) -> list[tuple[str, Span]]:
    """The cells of the one column of a table that is called a statement, beside numbers alone."""
    found, at, column = list[tuple[str, Span]](), 0, -1
    for line in text.split("\n"):
        cells = line.strip(" \t\r|").split("|") if "|" in line else []
        if column < 0 and cells:
            column = next((place for place, cell in enumerate(cells) if role_of(cell.strip(" *_")) is Role.ECHO), -1)
            if column < 0:
                return []
        elif cells and not _RULE.fullmatch(line):
            beside = [cell for place, cell in enumerate(cells) if place != column]
            if len(cells) <= column or any(re.search(r"[^\W\d]", cell) for cell in beside):
                return []
            start = at + line.find(cells[column])
            found.append((_bared(cells[column]), (start, start + len(cells[column]))))
        elif not cells and not is_courtesy(line) and not (column < 0 and leads_list(line.strip())):
            return []
        at += len(line) + 1
    return found


def _is_sentence(line: str) -> bool:
    """Whether a line is one sentence, from its capital to its stop, and no field of anything."""
    capital = line[0].isalpha() and not line[0].islower()
    ended = line[-1] in ".。" and not any(SENTENCES.split(line)[1:])
    return capital and ended and re.search(r"[:：](?!\d)", line) is None


def sentence_statements(text: str) -> list[tuple[str, Span]]:
    """The lines of a masked text that is sentences, one a line, and nothing else but a lead-in and courtesies."""
    items: list[tuple[str, Span]] = []
    led = closed = False
    for line, _ in zip(re.finditer(r"[^\n]+", text), range(MOST_LINES), strict=False):
        bare = line.group().strip(" \t\r" + DROPPED)
        if not bare or is_courtesy(bare):
            led, closed = led or bare[-1:] in _COLONS, bool(items and bare) or closed
            continue
        if not items and bare.rstrip("*_")[-1:] in _COLONS and is_own_lead(bare):
            led = True
            continue
        said = re.findall(r"[^\W\d_]+", bare.casefold())
        if (
            closed
            or not said
            or not _is_sentence(bare)
            or not _meta().isdisjoint(said)
            or said[0] in vocabulary("none", "every") | _POINTERS
        ):
            return []
        if prose("self", "refusal").search(bare):
            return []
        start = line.start() + line.group().find(bare)
        items.append((bare, (start, start + len(bare))))
    return items if len(items) > 1 or led else []
