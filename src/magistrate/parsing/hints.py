"""What rows without id and statement say of their place all the same, under names that no table holds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from magistrate.parsing.rows import Row, read_id
from magistrate.parsing.statement_index import Statements, echo_key

__all__ = ["MOST_HINTS", "is_hint", "is_of_ids", "mind_hints", "misplaced", "names_another"]

MOST_HINTS: Final = 24
"""Members of a row that are looked at; of a row that has more of them the place is not known."""
LONGEST: Final = 400
_ID_NAME: Final = re.compile(
    r"(?:.*(?:[_\- ]|(?<=[a-z])(?=[A-Z])))?(?:id|ID|Id|no|No|nr|idx|index|Index|num|number|Number|#)"
    r"|case|criterion|criteria|row|sn|s|line|rank|rule|check|test|item"
)
_OF_OTHERS: Final = re.compile(
    r"source|doc|page|context|chunk|passage|file|evidence|citation|user|model|run|session|trace", re.IGNORECASE
)
"""Ids of other things than statements."""
_BEGINS: Final = re.compile(
    r"^\W{0,4}(?:statement|claim|sentence|fact|item)\s*#?\s*(\d{1,3})(?![\d.,]*\d)\b", re.IGNORECASE
)
_NO_NAMES: Final = frozenset("ABDEGHJKLMNOPQRTUVWXYZabdeghjklmnopqrtuvwxyz")
"""Letters with which none of these names begins: a quick test."""
_LONG_WORD: Final = re.compile(r"[^\W\d_]{4,}")
_STEM: Final = 5


def is_hint(value: Any) -> bool:
    """Whether a value may say which statement a row is about: a whole number, or a text that is no essay."""
    return (isinstance(value, int) and not isinstance(value, bool)) or (
        isinstance(value, str) and 0 < len(value) <= LONGEST
    )


def mind_hints(rows: Sequence[Row], statements: Statements) -> bool:
    """Take ids and statements from members of unknown name, where these are such.

    Returns:
        Whether the rows stand in no order that can be relied on: some member counts or names the statements otherwise.
    """
    if any(row.id is not None or row.echo or row.echo_index is not None for row in rows):
        return False
    columns = [dict(row.hints) for row in rows]
    unclear = any(len(row.hints) > MOST_HINTS for row in rows)
    stems: list[set[str]] = []
    for key in dict.fromkeys(key for column in columns for key in column):
        values = [column.get(key) for column in columns]
        if _echoes(values, rows, statements) or (is_of_ids(key) and _ids(values, rows, statements)):
            return False
        if is_of_ids(key):
            unclear = unclear or _is_out_of_order(values, len(rows))
        elif None not in values:
            unclear = unclear or _otherwise(values, statements, stems)
    return unclear


def is_of_ids(key: str) -> bool:
    """Whether a key that no table holds is a name of ids, and not of those of other things."""
    return _ID_NAME.fullmatch(key) is not None and _OF_OTHERS.search(key) is None


def _ids(values: list[Any], rows: Sequence[Row], statements: Statements) -> bool:
    """Take the values under a name of ids for ids, where each row has its own and all are those of statements."""
    numbers = [read_id(value) for value in values]
    if len(set(numbers)) != len(numbers) or None in numbers:
        return False
    count = len(statements)
    if statements.numbered:
        fits = set(numbers) <= set(range(1, count + 1)) or numbers == list(range(count))
    else:
        fits = all(statements.by_id(number) is not None for number in numbers if number is not None)
    for row, number in zip(rows, numbers, strict=True):
        row.id = number if fits else None
    return fits


def _is_out_of_order(values: list[Any], count: int) -> bool:
    """Whether numbers that are no ids of statements do not even rise, or count otherwise where rows lack them."""
    numbered = [(at, number) for at, value in enumerate(values) if isinstance(number := read_id(value), int)]
    numbers = [number for _, number in numbered]
    if numbers != sorted(set(numbers)):
        return True
    bases = {number - at for at, number in numbered}  # they count from 1, or from 0 where there is a 0
    return 0 < len(numbered) < count and bases != {1} and not (bases == {0} and 0 in numbers)


def _echoes(values: list[Any], rows: Sequence[Row], statements: Statements) -> bool:
    """Take the values for repeated statements where each is one of them."""
    if not all(isinstance(value, str) and statements.knows(value) for value in values):
        return False
    for row, value in zip(rows, values, strict=True):
        row.echo = value
    return True


def _otherwise(values: list[Any], statements: Statements, stems: list[set[str]]) -> bool:
    """Whether values count the rows in another order than they stand in, or share words with other statements."""
    numbers = [read_id(value) for value in values]
    if all(isinstance(number, int) for number in numbers):
        whole = [number for number in numbers if isinstance(number, int)]
        if len(whole) < len(statements):  # a list that was cut off: it may count all of them, in any order
            return len(set(whole)) == len(whole) and max(whole) <= len(statements) and whole != sorted(whole)
        return sorted(whole) in (list(range(1, len(whole) + 1)), list(range(len(whole)))) and whole != sorted(whole)
    texts = [value for value in values if isinstance(value, str)]
    if len(texts) != len(values) or len(texts) != len(statements) or len(set(texts)) != len(texts):
        return False
    stems += [] if stems else [_stems(text) for text in statements.texts]  # made once for all members
    for at, text in enumerate(texts):
        said = _stems(text)
        others = set().union(*(each for place, each in enumerate(stems) if place != at))
        if said and not said & stems[at] and said & others:
            return True
    return False


def _stems(text: str) -> set[str]:
    return {word[:_STEM] for word in _LONG_WORD.findall(echo_key(text))}


def misplaced(reason: str | None, place: int) -> bool:
    """Whether a reason begins with the number of another statement than the one it would be about."""
    match = _BEGINS.match(reason) if reason else None
    return match is not None and int(match[1]) != place + 1


def names_another(reasons: Sequence[str]) -> bool:
    """Whether one of the reasons of rows in order begins with the number of another statement."""
    for at, reason in enumerate(reasons, 1):
        if reason[:1] not in _NO_NAMES:
            match = _BEGINS.match(reason)
            if match is not None and int(match[1]) != at:
                return True
    return False
