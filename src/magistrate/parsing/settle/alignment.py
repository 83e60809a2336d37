"""Which row speaks of which statement: by id, else by the statement it repeats, else by position if the count fits."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from magistrate.parsing.rows.candidate import Answer, Candidate, read_id, split_numbered
from magistrate.parsing.rows.statements import Statements
from magistrate.parsing.settle.ladder import verdicts_for
from magistrate.parsing.wording.fold import fold
from magistrate.parsing.wording.keys import is_named, role_of
from magistrate.parsing.wording.patterns import WordPattern
from magistrate.verdict import IssueCode, Verdict

_UNREADABLE: Final = frozenset({IssueCode.MISSING_VERDICT, IssueCode.TRUNCATED, IssueCode.UNKNOWN_LABEL})
_LETTERS: Final = 26
_MOST_HINTS: Final = 24
_OF_OTHERS: Final = re.compile(
    r"(?:^|_)(?:source|doc|page|context|chunk|passage|file|evidence|citation|user|model|run|session|trace|confidence|score|length|"
    r"count|total|tokens|line|year|time|date|prob|rank|weight|percent|certainty|version|level|start|end|offset|char)",
    re.IGNORECASE,
)
"""Numbers of other things than statements."""
_LONG: Final = 300
_NAMED_WITHIN: Final = WordPattern(r"\b(?:{item}|item)\s*#?\s*(?P<name>\d{1,4})\b|[(\[#](?P<mark>\d{1,4})[)\]]")
_BEGINS: Final = WordPattern(r"^\W{0,4}(?:{item}|item)\s*#?\s*(\d{1,3})(?![\d.,]*\d)\b")


@dataclass(slots=True)
class Alignment:
    """Per statement the rows about it; the rows about none; and what is to be known about the answer."""

    rows: dict[int, list[Candidate]] = field(default_factory=dict)
    strangers: list[Candidate] = field(default_factory=list)
    issues: list[tuple[IssueCode, str]] = field(default_factory=list)

    def add(self, index: int | None, row: Candidate) -> None:
        """File a row under a statement, or as a stranger."""
        if index is None:
            self.strangers.append(row)
        else:
            self.rows.setdefault(index, []).append(row)


def align(answer: Answer, statements: Statements) -> Alignment:
    """Tell which statement each row of one answer is about."""
    result, rows, count = Alignment(), answer.rows, len(statements)
    for row in rows:  # the number that is repeated with a statement names it, too
        if row.echo is not None and row.echo_index is None and not statements.knows(row.echo):
            parts = split_numbered(row.echo)
            if parts is not None and statements.knows(parts[1]):
                row.echo = parts[1]
                row.id = parts[0] if row.id is None and statements.numbered else row.id
    unclear = count > 1 and (_hints_unclear(answer, statements) or _tells_another(answer, statements))
    echoes = statements.echoes(rows)
    by_id = any(row.id is not None for row in rows)
    if by_id and not unclear:
        _by_id(rows, echoes, statements, result)
    elif any(index is not None for index in echoes):
        for row, index in zip(rows, echoes, strict=True):
            result.add(index, row)
    elif unclear or (any(row.echo for row in rows) and count > 1):
        result.strangers.extend(rows)
    else:
        _by_position(answer, statements, result)
    if result.strangers and (by_id or unclear or any(row.echo for row in rows)):
        few = len(result.strangers) == 1
        message = f"{len(result.strangers)} verdict{' is' if few else 's are'} for no statement asked about"
        result.issues.append((IssueCode.UNKNOWN_STATEMENT, message))
    told = sum(row.value not in _UNREADABLE for row in rows)
    if told != count or result.strangers:
        message = verdicts_for(told, count)
        if told == count:
            message = f"{told} verdicts, but not for the {count} statements asked about"
        result.issues.append((IssueCode.COUNT_MISMATCH, message))
    return result


def _hints_unclear(answer: Answer, statements: Statements) -> bool:
    """Take ids and statements from members of unknown name; whether such members leave open what a row is about.

    A number under any key counts as an id, or voids the order: but for names of numbers of other things.
    """
    rows = answer.rows
    if any(row.id is not None or row.echo or row.echo_index is not None for row in rows):
        ids = [(row.id, key, read_id(hint)) for row in rows for key, hint in row.hints]
        shifts = {(key, one - other) for one, key, other in ids if isinstance(one, int) and isinstance(other, int)}
        return len(shifts) > len({key for key, _ in shifts})  # {"id": 1, "index": 2}, {"id": 2, "index": 1}
    columns = [dict(row.hints) for row in rows]
    unclear = any(len(row.hints) > _MOST_HINTS for row in rows)
    for key in dict.fromkeys(key for column in columns for key in column):
        values = [column.get(key) for column in columns]
        if all(isinstance(value, str) and statements.knows(value) for value in values):
            for row, value in zip(rows, values, strict=True):
                row.echo = str(value)
            return False
        of_others = _OF_OTHERS.search(fold(key).replace(" ", "_")) is not None or role_of(key) is not None
        unclear |= len({value for value in values if _is_one_of_others(key, value)}) == len(rows) > 1
        numbers = [number for value in values if isinstance(number := read_id(value), int)]
        if not numbers or (len(numbers) > 1 and len(set(numbers)) < len(numbers)):
            continue  # a measure, not a count
        if of_others:
            unclear |= sorted(numbers) == list(range(1, len(rows) + 1))
            continue
        if len(numbers) == len(rows) and _are_ids(numbers, statements):
            for row, number in zip(rows, numbers, strict=True):
                row.id = number
            return False
        unclear = True
    return unclear


def _is_one_of_others(key: str, value: Any) -> bool:
    """Whether a member names one of several things that are no statements: {"rater": "r1"}, {"criterion": "tone"}."""
    if is_named(key, "kind"):
        return isinstance(value, str) and _NAMED_WITHIN.search(value) is None
    return isinstance(value, str) and role_of(key) is None and " " not in value.strip()


def _tells_another(answer: Answer, statements: Statements) -> bool:
    """Whether a row without id says by a number or a repeated statement that it is about another than its place."""
    rows = answer.rows
    if any(row.id is not None or row.echo or row.echo_index is not None for row in rows):
        return False
    for at, row in enumerate(rows):
        raw = row.raw if isinstance(row.raw, str) else ""
        match = _NAMED_WITHIN.search(raw) if len(raw) < _LONG and any(char.isdigit() for char in raw) else None
        if (
            match
            and int(match["name"] or match["mark"]) != at + 1
            and 1 <= int(match["name"] or match["mark"]) <= len(statements)
        ):
            return True
        told = row.reason if row.reason and len(row.reason) < _LONG and statements.knows(row.reason) else ""
        texts = (raw, told, *(hint for _, hint in row.hints if isinstance(hint, str)))
        if any(statements.tells_another(one, at) for one in texts):
            return True
    return False


def _are_ids(numbers: list[int], statements: Statements) -> bool:
    count = len(statements)
    if statements.numbered:
        return set(numbers) <= set(range(1, count + 1)) or numbers == list(range(count))
    return all(statements.by_id(number) is not None for number in numbers)


def _by_position(answer: Answer, statements: Statements, result: Alignment) -> None:
    """A list without ids or echoes: all of it if the count fits, the leading rows if it is known to be cut short."""
    rows, count = answer.rows, len(statements)
    if len(rows) > 1 and [str(row.raw).strip() for row in rows] == [str(number) for number in range(1, len(rows) + 1)]:
        for row in rows:  # the numbers of the statements, and nothing about them
            row.value = IssueCode.OUT_OF_RANGE
    fits = (answer.cut and answer.orderly and len(rows) <= count) or (
        len(rows) == count and (answer.orderly or count == 1)
    )
    for at, row in enumerate(rows):
        if answer.gap is not None:
            result.add(at if answer.orderly and at < answer.gap and len(rows) <= count else None, row)
        else:
            result.add(at if fits else None, row)
        if count == 1 and row.echo and statements.replaces(row.echo, 0):
            row.value = IssueCode.CONFLICTING_VERDICTS


def _by_id(rows: Sequence[Candidate], echoes: Sequence[int | None], statements: Statements, result: Alignment) -> None:
    _letters(rows, statements)
    ids = [row.id for row in rows if row.id is not None]
    shift = statements.base(ids)
    offsets: set[Any] = {
        row.id - echo if isinstance(row.id, int) else None
        for row, echo in zip(rows, echoes, strict=True)
        if echo is not None
    }
    strays = [
        at
        for at, row in enumerate(rows if len(rows) > len(statements) else ())
        if row.id is None and echoes[at] is None and row.source is not None and isinstance(row.value, Verdict)
    ]
    for row in (row for at in strays for row in (*rows[max(0, at - 1) : at], *rows[at + 1 : at + 2])):
        row.value = IssueCode.CONFLICTING_VERDICTS  # it may be a part of one of them
    known = [echo for echo in echoes if echo is not None]
    counted = ids == list(range(1, len(rows) + 1)) and len(set(known)) == len(rows) > 1
    another_base = statements.numbered and (counted or (len(offsets) == 1 and None not in offsets and len(known) > 1))
    for row, echo in zip(rows, echoes, strict=True):
        index = None
        if row.id is not None and shift is not None:
            index = statements.by_id(row.id + shift if isinstance(row.id, int) else row.id)
        if echo is not None and echo != index:
            if index is None or another_base or row.id is None:
                index = echo
            else:
                row.value = IssueCode.CONFLICTING_VERDICTS
                message = f"id {row.id} and the repeated text name different statements"
                result.issues.append((IssueCode.CONFLICTING_VERDICTS, message))
        free = row.source is None and row.format == "numbered"
        replaces = statements.alters if free else statements.replaces
        if index is not None and echo is None and row.echo and replaces(row.echo, index):
            row.value = IssueCode.CONFLICTING_VERDICTS
            message = f"the text repeated under id {row.id} is not that of the statement"
            result.issues.append((IssueCode.CONFLICTING_VERDICTS, message))
        if isinstance(row.value, Verdict) or index is not None or row.id is not None:
            result.add(index, row)


def _letters(rows: Sequence[Candidate], statements: Statements) -> None:
    """Letters for numbers: "a", "b", "c", where they are all there."""
    letters = [str(row.id).casefold() for row in rows]
    expected = [chr(ord("a") + at) for at in range(len(statements))] if len(statements) <= _LETTERS else []
    if statements.numbered and len(expected) > 1 and sorted(letters) == expected:
        for row, letter in zip(rows, letters, strict=True):
            row.id = expected.index(letter) + 1


def begins_with_another(reason: str, place: int) -> bool:
    """Whether a reason begins with the number of another statement than the one it would be about."""
    match = _BEGINS.match(reason)
    return match is not None and int(match[1]) != place + 1
