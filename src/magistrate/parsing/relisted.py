"""Whether a reply lists all statements in an order of its own: what its numbers then mean is not known."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from magistrate.parsing.decode.documents import Document
from magistrate.parsing.prose import ECHO, Prose
from magistrate.parsing.rows import Row, read_id
from magistrate.parsing.statement_index import Statements
from magistrate.verdict import IssueCode

__all__ = ["relists"]

_NUMBERED: Final = re.compile(rf"[ \t*_`>#(\[-]{{0,12}}+(?P<number>\d{{1,4}})[ \t*_`.:)\]\"'“]{{1,8}}+{ECHO}\W{{0,8}}")
"""A line that is a number and a repeated statement, and gives no verdict."""


def relists(documents: Iterable[Document], prose: Prose, asked: Statements) -> bool:
    """Whether a reply repeats all statements under numbers, or in places, that are not those they were asked under.

    Numbers that all differ from the asked ones by the same are another base and no other order. A list of some of the
    statements, as of those that lack support, is none of this kind.

    Args:
        documents: The data in the reply.
        prose: Its plain text.
        asked: The statements.
    """
    if len(asked) < 2 or not asked.in_order:  # noqa: PLR2004 - one stands in no order
        return False
    told = _in_text(prose)
    if _is_another_order(told, len(asked)):
        return True
    return any(
        _is_another_order(list(zip(numbers, _indices(texts, asked), strict=True)), len(asked))
        for document in documents
        for numbers, texts in _lists(document.value, len(asked))
    )


def _in_text(prose: Prose) -> list[tuple[int, int | None]]:
    """Numbers and the indices of the statements that stand behind them, one a line."""
    if not prose.echoes:
        return []
    matches = ((line, _NUMBERED.fullmatch(line.text)) for line in prose.lines())
    return [
        (int(match["number"]), prose.echo_at(line.start + line.text.index(ECHO)))
        for line, match in matches
        if match is not None
    ]


def _lists(value: Any, count: int) -> Iterator[tuple[list[int], list[str]]]:
    """The lists of as many texts as there are statements, and the maps from numbers to so many."""
    pending = [value]
    while pending:
        item = pending.pop()
        if not isinstance(item, dict | list):
            continue
        inside = list(item.values()) if isinstance(item, dict) else item
        texts = [each for each in inside if isinstance(each, str)]
        pending += [each for each in inside if isinstance(each, dict | list)]
        if len(texts) == len(inside) == count:
            numbers = [read_id(key) for key in item] if isinstance(item, dict) else [*range(1, count + 1)]
            whole = [number for number in numbers if isinstance(number, int)]
            if len(whole) == count:
                yield whole, texts


def _indices(texts: Sequence[str], asked: Statements) -> list[int | None]:
    """The indices of the statements that texts repeat."""
    if not all(asked.knows(text) for text in texts):
        return [None] * len(texts)
    return asked.echoes([Row(IssueCode.MISSING_VERDICT, echo=text) for text in texts])


def _is_another_order(told: Sequence[tuple[int, int | None]], count: int) -> bool:
    """Whether all statements are told, each once, and their numbers differ from their places by more than a base."""
    places = [index for _, index in told if index is not None]
    if len(told) != count or sorted(places) != list(range(count)):
        return False
    return len({number - index for number, index in told if index is not None}) > 1
