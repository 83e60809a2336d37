"""Which statement the words before a loose object name: "Statement 2: {...}", "For the second one: {...}"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from magistrate.parsing.ordinals import ORDINALS
from magistrate.parsing.prose import Prose
from magistrate.parsing.rows import Row
from magistrate.parsing.tree import Span
from magistrate.parsing.wording import ITEM_NAMES, either

__all__ = ["place_by_leads"]

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


def place_by_leads(rows: Sequence[Row], spans: Sequence[Span], prose: Prose) -> bool:
    """Give each of several loose objects the statement that the words before it name.

    Args:
        rows: Their rows, none of which says what it is about.
        spans: Where each object stands in the reply.
        prose: The plain text of the reply.

    Returns:
        Whether the places of the objects may be those of the statements: not where the words name others.
    """
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
    return (numbers.pop(), None) if len(numbers) == 1 and not echoes else (None, None)
