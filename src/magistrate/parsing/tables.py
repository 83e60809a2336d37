"""What decoded objects are: columns, holders of rows, a provider's envelope; and what makes one table of several."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from magistrate.parsing.decode.nodes import Gap
from magistrate.parsing.fields import read_value
from magistrate.parsing.keys import Role, role_of
from magistrate.parsing.rows import Path, Row, Table, read_id
from magistrate.parsing.vocabulary import Vocabulary, fold
from magistrate.verdict import IssueCode, Verdict

__all__ = [
    "cells_of",
    "groups_of",
    "holds_rows",
    "is_envelope",
    "is_mixed",
    "only_of",
    "placed_at",
    "request_token",
    "said_beside",
    "together",
    "told_apart",
    "unlike",
    "useful",
]

_VERDICTS: Final = frozenset({Role.VERDICT, Role.WEAK_VERDICT})


def placed_at(tables: list[Table], path: Path) -> list[Table]:
    """What was decoded from a string stands, as far as the text goes, where the string stands."""
    for table in tables:
        for row in table.rows:
            row.path, row.span = path, None  # where the text stands, not where in it
    return tables


def cells_of(item: Any) -> list[tuple[str | int, Any]] | None:
    """The cells of a column, each under its position or row label; None where it is no column."""
    if isinstance(item, list):
        cells: list[tuple[str | int, Any]] = list(enumerate(item))
    elif (
        isinstance(item, dict)
        and item
        and [*item] in ([*map(str, range(len(item)))], [*map(str, range(1, len(item) + 1))])
    ):
        cells = list(item.items())
    else:
        return None
    return None if any(isinstance(cell, dict | list) for _, cell in cells) else cells


def is_mixed(rows: list[Row]) -> bool:
    """Whether a list of bare elements holds numbers, and words that are none of the scale: ["body", 1] is a path."""
    numbers = any(isinstance(row.value, int) and not isinstance(row.value, bool) for row in rows)
    return numbers and any(isinstance(row.value, str) and row.reading is IssueCode.UNKNOWN_LABEL for row in rows)


def told_apart(item: Any) -> list[tuple[str | int, Any]] | None:
    """The texts of a list of objects that each hold one statement and nothing else; None where it is another."""
    if not isinstance(item, list) or not item:
        return None
    found: list[tuple[str | int, Any]] = []
    for at, each in enumerate(item):
        texts = [text for key, text in each.items() if role_of(key) is Role.ECHO] if isinstance(each, dict) else []
        if len(texts) != 1 or not isinstance(texts[0], str) or any(role_of(key) in _VERDICTS for key in each):
            return None
        found.append((at, texts[0]))
    return found


def groups_of(value: dict[str, Any], path: Path, words: Vocabulary, knows: Callable[[str], bool]) -> list[Table]:
    """Read statements grouped under verdicts: {"supported": [1, 3], "unsupported": [2]}."""
    groups = [(key, item) for key, item in value.items() if role_of(key) not in {Role.REASON, Role.TOKEN}]
    if len(groups) < 2 or not all(isinstance(item, list) for _, item in groups):  # noqa: PLR2004 - one group may be a column
        return []
    rows: list[Row] = []
    for key, item in groups:
        reading = _group_word(key, words)
        if reading is None:
            return []
        for at, element in enumerate(item):
            row = Row(reading, key, path=(*path, key, at))
            if isinstance(element, str) and knows(element):
                row.echo = element
            else:
                row.id = None if isinstance(element, dict | list | Gap) else read_id(element)
            rows.append(row)
    placed = all(row.echo is not None or isinstance(row.id, int) for row in rows)
    return useful([Table(rows, orderly=False)]) if placed else []


def _group_word(key: str, words: Vocabulary) -> Verdict | IssueCode | None:
    """The verdict under which an object groups statements: "supported", "unsupported_claims"."""
    said = words.word(key)
    head, _, last = fold(key).rpartition(" ")
    return words.word(head) if said is None and last in _GROUPED else said


_GROUPED: Final = frozenset({"statements", "claims", "items", "facts", "sentences", "ids", "indices", "numbers"})


def holds_rows(value: dict[str, Any]) -> bool:
    """Whether an object holds the list of rows, so that a verdict beside it is about the whole."""
    return any(
        isinstance(item, list)
        and item
        and all(isinstance(element, dict) for element in item)
        and role_of(key) in {Role.VERDICT, Role.WEAK_VERDICT, Role.ECHO, Role.ID}
        and all(any(role_of(name) in _VERDICTS for name in element) for element in item)
        for key, item in value.items()
    )


def is_envelope(value: dict[str, Any]) -> bool:
    """Whether an object is what a provider sends around a reply."""
    if "content" in value:
        return isinstance(value.get("role"), str) or value.get("type") == "message"
    return any(isinstance(value.get(key), list) for key in ("choices", "candidates"))


def useful(tables: list[Table]) -> list[Table]:
    """Tables that say something about verdicts."""
    return [table for table in tables if any(_says_something(row) for row in table.rows)]


def _says_something(row: Row) -> bool:
    if isinstance(row.reading, Verdict) or row.reading in {IssueCode.OUT_OF_RANGE, IssueCode.CONFLICTING_VERDICTS}:
        return True
    return row.reading is not IssueCode.UNKNOWN_LABEL and (row.id is not None or row.echo is not None)


def together(tables: Iterable[Table]) -> list[Table]:
    """Single rows found apart are rows of one answer; whole answers stay apart, as rivals."""
    found = list(tables)
    single = [table for table in found if len(table.rows) == 1 and not table.orderly]
    if len(single) < 2 or len(single) != len(found):  # noqa: PLR2004 - nothing to put together
        return found
    return [
        Table(
            [table.rows[0] for table in single], orderly=False, notes=[note for table in single for note in table.notes]
        )
    ]


def request_token(value: dict[str, Any]) -> str | None:
    """The request token that an object carries; None where it carries none, or several."""
    tokens = {item.strip() for key, item in value.items() if role_of(key) is Role.TOKEN and isinstance(item, str)}
    return tokens.pop() if len(tokens) == 1 else None


def only_of(element: Any) -> Any | None:
    """The one element of a list that holds one word or number, [["yes"], ["no"]]; None where it is another."""
    if not isinstance(element, list) or len(element) != 1 or isinstance(element[0], dict | list | Gap):
        return None
    return element[0]


def unlike(elements: list[Any], words: Vocabulary) -> bool:
    """Whether lists of words are of unlike length, [["yes", "no"], ["no"]]: which is the answer cannot be told."""
    lists = [element for element in elements if isinstance(element, list) and element]
    if any(isinstance(item, dict | list) for element in lists for item in element):
        return False
    said = [element for element in lists if any(isinstance(read_value(item, words), Verdict) for item in element)]
    return len({len(element) for element in said}) > 1


def said_beside(value: dict[str, Any], tables: Sequence[Table]) -> list[str]:
    """What an object says beside its rows: no statement, no quotation, and no reason that is one row's own."""
    said = [
        item for key, item in value.items() if isinstance(item, str) and role_of(key) not in {Role.ECHO, Role.QUOTE}
    ]
    reasons = {row.reason for table in tables for row in table.rows} if said else set()
    return [item for item in said if item not in reasons]
