"""Which row speaks of which statement: by id, else by the statement it repeats, else by position if the count fits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from magistrate.parsing.hints import mind_hints, misplaced
from magistrate.parsing.rows import Row, Table, split_numbered
from magistrate.parsing.statement_index import Statements
from magistrate.verdict import IssueCode, Verdict

__all__ = ["Alignment", "align"]

_UNREADABLE: Final = frozenset({IssueCode.MISSING_VERDICT, IssueCode.TRUNCATED, IssueCode.UNKNOWN_LABEL})


class Alignment:
    """Which rows speak of which statement.

    Attributes:
        rows: Per statement (index) the rows about it, in the order of the reply.
        strangers: Rows about none of the statements, or about none that can be told.
        issues: Codes with a message, about the answer as a whole.
    """

    __slots__ = ("issues", "rows", "strangers")

    def __init__(self) -> None:
        self.rows: dict[int, list[Row]] = {}
        self.strangers: list[Row] = []
        self.issues: list[tuple[IssueCode, str]] = []

    def add(self, index: int | None, row: Row) -> None:
        """File a row under a statement, or as a stranger."""
        if index is None:
            self.strangers.append(row)
        else:
            self.rows.setdefault(index, []).append(row)


def align(table: Table, statements: Statements) -> Alignment:
    """Tell which statement each row of one answer is about."""
    result = Alignment()
    rows, count = table.rows, len(statements)
    _mind_numbers(rows, statements)
    unclear = count > 1 and mind_hints(rows, statements)
    echoes = statements.echoes(rows)
    by_id = any(row.id is not None for row in rows)
    by_echo = any(index is not None for index in echoes)
    if by_id:
        _by_id(rows, echoes, statements, result)
    elif by_echo:
        for row, index in zip(rows, echoes, strict=True):
            result.add(index, row)
    elif unclear or (any(row.echo for row in rows) and count > 1):
        result.strangers.extend(rows)
    else:
        _by_position(table, count, result)
    if result.strangers and (by_id or unclear or any(row.echo for row in rows)):
        number = len(result.strangers)
        result.issues.append(
            (IssueCode.UNKNOWN_STATEMENT, f"{number} verdicts are for no statement that was asked about")
        )
    told = sum(row.reading not in _UNREADABLE for row in rows)
    if told != count or result.strangers:
        result.issues.append((IssueCode.COUNT_MISMATCH, f"{told} verdicts for {count} statements"))
    return result


def _mind_numbers(rows: Sequence[Row], statements: Statements) -> None:
    """Take the number off a statement that is repeated with it, "1. The plate is dry.": it names the statement, too."""
    for row in rows:
        if row.echo is None or row.echo_index is not None or statements.knows(row.echo):
            continue
        parts = split_numbered(row.echo)
        if parts is not None and statements.knows(parts[1]):
            row.echo = parts[1]
            row.id = parts[0] if row.id is None and statements.numbered else row.id


def _by_position(table: Table, count: int, result: Alignment) -> None:
    """A list without ids or echoes: all of it if the count fits, the leading rows if it is known to be cut short."""
    rows = table.rows
    for at, row in enumerate(rows if count > 1 else ()):
        if isinstance(row.reading, Verdict) and misplaced(row.reason, at):
            row.reading = IssueCode.CONFLICTING_VERDICTS
    if len(rows) > 1 and [str(row.value).strip() for row in rows] == [
        str(number) for number in range(1, len(rows) + 1)
    ]:
        for row in rows:  # the numbers of the statements, and nothing about them
            row.reading = IssueCode.OUT_OF_RANGE
    if table.gap is not None:
        for at, row in enumerate(rows):
            result.add(at if table.orderly and at < table.gap and len(rows) <= count else None, row)
    elif (table.cut and table.orderly and len(rows) <= count) or (len(rows) == count and (table.orderly or count == 1)):
        for at, row in enumerate(rows):
            result.add(at, row)
    else:
        result.strangers.extend(rows)


def _by_id(rows: Sequence[Row], echoes: Sequence[int | None], statements: Statements, result: Alignment) -> None:
    _number(rows, statements)
    ids = [row.id for row in rows if row.id is not None]
    shift = statements.base(ids)
    counts = ids == list(range(1, len(ids) + 1)) == [row.id for row in rows]
    if counts and len(rows) > 1 and all(row.echo_index is not None for row in rows) and len(set(echoes)) == len(rows):
        ids = []  # the judge numbered its lines; what each repeats says which statement it is about
    another_base = not ids or _another_base(rows, echoes, statements)
    for row, echo in zip(rows, echoes, strict=True):
        index = None
        if row.id is not None and shift is not None:
            index = statements.by_id(row.id + shift if isinstance(row.id, int) else row.id)
        if echo is not None and echo != index:
            if index is None or another_base or row.id is None:
                index = echo
            else:
                row.reading = IssueCode.CONFLICTING_VERDICTS
                result.issues.append(
                    (IssueCode.CONFLICTING_VERDICTS, f"id {row.id} and the repeated text name different statements")
                )
        result.add(index, row)


def _number(rows: Sequence[Row], statements: Statements) -> None:
    """Turn the letters a, b, c, ... into numbers, where they count all statements."""
    letters = [str(row.id).casefold() for row in rows]
    expected = [chr(ord("a") + at) for at in range(len(statements))]
    if statements.numbered and len(expected) > 1 and sorted(letters) == expected:
        for row, letter in zip(rows, letters, strict=True):
            row.id = expected.index(letter) + 1


def _another_base(rows: Sequence[Row], echoes: Sequence[int | None], statements: Statements) -> bool:
    """Whether ids and repeated statements differ by one and the same number: another base, no contradiction."""
    if not statements.numbered:
        return False
    offsets = {
        row.id - echo if isinstance(row.id, int) else None
        for row, echo in zip(rows, echoes, strict=True)
        if echo is not None
    }
    return len(offsets) == 1 and None not in offsets and len([echo for echo in echoes if echo is not None]) > 1
