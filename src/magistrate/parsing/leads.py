"""Which statement the words before a loose object name: "Statement 2: {...}", "For the second one: {...}"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from magistrate.parsing.decode.documents import Document
from magistrate.parsing.decode.nodes import Span
from magistrate.parsing.item_wording import ITEM_NAMES, either
from magistrate.parsing.ordinals import ORDINALS
from magistrate.parsing.prose import Prose
from magistrate.parsing.rows import Row
from magistrate.verdict import IssueCode, Verdict

__all__ = ["MOST_LOOKED_AT", "names_other_places", "place_by_leads", "place_by_words"]

MOST_LOOKED_AT: Final = 200_000
"""Rows times repeated statements; with more of them nothing is said of their places."""
_LONGEST: Final = 400
"""Characters before an object that are looked at."""
_NUMBER: Final = re.compile(
    rf"(?<![^\W_])(?:{either(ITEM_NAMES)})[ ]?#?[ ]?(?P<named>\d{{1,4}})(?![\w.%])"
    r"|^[^\w\n]*(?P<head>\d{1,4})(?=[\s.):\]=-]|$)",
    re.IGNORECASE | re.MULTILINE,
)
_ORDINAL: Final = re.compile(rf"\b(?P<word>{'|'.join(ORDINALS)})\b", re.IGNORECASE)
_LETTER: Final = re.compile(r"^[^\w\n]*(?P<letter>[a-jA-J])[ ]?[).:]", re.MULTILINE)


_LAST: Final = re.compile(r"(?<![\w.,])(?P<number>\d{1,4})[ \t]*[:：)\]]?[^\w\n]{0,4}\Z")
_Place = tuple[int | None, int | None]
_NOWHERE: Final[_Place] = (None, None)
_SEVERAL: Final = re.compile(
    r"(?<![\w.,])\d{1,4}[ ]?(?:[,&+\u2013-]|and|to|or)[ ]?\d{1,4}[ \t]*+[:：)\]]?[^\w\n]{0,4}+\Z", re.IGNORECASE
)
_NO_PLACE: Final[_Place] = (-1, None)
"""What words name that name several statements: no place of a single one."""


def place_by_leads(rows: Sequence[Row], spans: Sequence[Span], prose: Prose) -> bool:
    """Give each of several loose objects the statement that the words before it name.

    Args:
        rows: Their rows, none of which says what it is about.
        spans: Where each object stands in the reply.
        prose: The plain text of the reply.

    Returns:
        Whether the places of the objects may be those of the statements: not where the words name others.
    """
    if len(rows) * len(prose.echoes) > MOST_LOOKED_AT:
        return False
    told: list[_Place] = []
    tails: list[_Place] = []
    floor = 0
    for at, (start, end) in enumerate(spans):
        stop = prose.inside(start)
        told.append(_named(prose, max(floor, stop - _LONGEST), stop, len(spans)))
        floor = prose.inside(end)
        last = prose.inside(spans[at + 1][0]) if at + 1 < len(spans) else len(prose.text)
        line = prose.text.find("\n", floor, last)
        if line >= 0 or last == len(prose.text):  # the rest of its line belongs to it, what follows to the next
            stop = line if line >= 0 else last
            tails.append(_named(prose, floor, min(stop, floor + _LONGEST), len(spans)))
            floor = stop
    if all(one == _NOWHERE for one in told) and len(tails) == len(spans):
        told = tails
    if all(one != _NOWHERE for one in told):
        for row, (number, echo) in zip(rows, told, strict=True):
            row.id, row.echo_index = number, echo
        return False
    return all((echo if number is None else number - 1) in {None, at} for at, (number, echo) in enumerate(told))


def names_other_places(document: Document) -> bool:
    """Whether comments in a list, or a list of numbers before it, say that its places are not those of the statements.

    `["no", // 2` and `"yes" // 1` below it; "[2, 1] = [no, yes]".
    """
    text = document.text
    before = _NUMBERS_BEFORE.search(text, max(0, document.start - _LONGEST), document.start)
    told = [int(number) for number in _DIGITS.findall(before["list"])] if before is not None else []
    if not told and any(code == "comment" for code, _ in document.notes):
        told = [int(match["number"]) for match in _NUMBER_ASIDE.finditer(text, document.start, document.end)]
    return bool(told) and (told[0] > 1 or told != list(range(told[0], told[0] + len(told))))


_DIGITS: Final = re.compile(r"\d{1,4}")
_NUMBERS_BEFORE: Final = re.compile(
    r"[\[(]\s?(?P<list>\d{1,4}(?:\s?,\s?\d{1,4}){1,80})\s?[\])]\s?(?:=|:|->|=>|\u2192)\s?\Z"
)
_NUMBER_ASIDE: Final = re.compile(
    r"(?://|#|/\*)[ \t]{0,4}(?:(?:statement|claim|sentence|fact|item|[scfi])[ \t]?#?)?"
    r"(?P<number>\d{1,4})(?=[ \t]{0,4}(?:\r?\n|\*/|\Z|[:)]|\.(?!\d)))",
    re.IGNORECASE,
)


def place_by_words(rows: Sequence[Row], text: str, statements: Sequence[str]) -> None:
    """Give rows without a number the statement that stands behind each of their words: "yes (statement 1)".

    Bare numbers in another order than the rows ("no (2)", "yes (1)") leave none of them a verdict.

    Args:
        rows: The rows of one answer.
        text: The reply.
        statements: The statements asked about.
    """
    if len(rows) != len(statements) or any(
        row.id is not None or row.echo is not None or row.echo_index is not None for row in rows
    ):
        return
    said = [row.value if row.source is not None else _line(row, text) for row in rows]
    matches = [_BEHIND.search(one) if isinstance(one, str) and len(one) <= _LONGEST else None for one in said]
    numbers = [int(match["number"]) for match in matches if match is not None]
    if sorted(numbers) == list(range(1, len(rows) + 1)) and numbers != sorted(numbers):
        by_name = all(match is not None and match["name"] for match in matches)
        for row, number in zip(rows, numbers, strict=True):
            if by_name:
                row.id = number
            elif isinstance(row.reading, Verdict):
                row.reading = IssueCode.CONFLICTING_VERDICTS  # "no [2]" may name a statement, or a source
        return
    for at, (row, match) in enumerate(zip(rows, matches, strict=True), 1):
        if match is not None and match["name"] and int(match["number"]) != at and isinstance(row.reading, Verdict):
            row.reading = IssueCode.CONFLICTING_VERDICTS  # '["yes (statement 2)", "no"]'
    if len(rows) > _MOST_ROWS or not all(isinstance(one, str) and len(one) > _SHORTEST for one in said):
        return
    repeated = [
        [at for at, statement in enumerate(statements) if len(statement) >= _SHORTEST and statement in one]
        for one in said
        if isinstance(one, str) and len(one) <= _LONGEST
    ]
    if sorted(at for one in repeated for at in one) == list(range(len(rows))) and all(
        len(one) == 1 for one in repeated
    ):
        for row, one in zip(rows, repeated, strict=True):
            row.echo_index = one[0]


_SHORTEST: Final = 12
_MOST_ROWS: Final = 300
_BEHIND: Final = re.compile(
    r"(?:[(\[#]|\s[-\u2013\u2014]|\b(?=[scfi]))[ #]{0,3}(?P<name>(?:statement|claim|sentence|fact|item)[ :#]{1,3})?"
    r"(?P<number>\d{1,4})[)\]]?[\s.]{0,4}\Z",
    re.IGNORECASE,
)


def _line(row: Row, text: str) -> str:
    """The line of a row, from its word on."""
    if row.span is None:
        return ""
    stop = text.find("\n", row.span[0])
    return text[row.span[0] : stop if stop >= 0 else len(text)][: _LONGEST + 1]


def _named(prose: Prose, start: int, stop: int, count: int) -> _Place:
    """The number, or the index of the statement, that words name; neither where they name none, or several."""
    lead = prose.text[start:stop]
    echoes = {index for at, index in prose.echoes.items() if start <= at < stop}
    numbers = {int(match["named"] or match["head"]) for match in _NUMBER.finditer(lead)}
    last = _LAST.search(lead) if not numbers else None
    numbers |= {int(last["number"])} if last is not None and 0 < int(last["number"]) <= count else set()
    if not numbers and prose.ordered:
        numbers = {ORDINALS[match["word"].lower()] for match in _ORDINAL.finditer(lead)}
        numbers = numbers or {ord(match["letter"].lower()) - ord("a") + 1 for match in _LETTER.finditer(lead)}
    if len(echoes) == 1:
        return None, echoes.pop()
    if _SEVERAL.search(lead):
        return _NO_PLACE
    return (numbers.pop(), None) if len(numbers) == 1 and not echoes else (None, None)
