"""From a decoded value to tables of rows: wrappers, lists, maps keyed by id or statement, columns, JSON in strings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from magistrate.parsing.decode.nodes import Gap, Obj
from magistrate.parsing.fields import fields_of, hints_of, listed_verdict, own_verdict, place, read_value, texts_of
from magistrate.parsing.flat import split_part
from magistrate.parsing.keys import OF_ALL, Role, compact, role_of
from magistrate.parsing.ordinals import ORDINALS
from magistrate.parsing.rows import Path, Row, Table, read_id, split_numbered
from magistrate.parsing.schema_echo import is_schema, schema_values
from magistrate.parsing.sequence import read_words
from magistrate.parsing.tables import (
    cells_of,
    groups_of,
    holds_rows,
    is_envelope,
    is_mixed,
    only_of,
    placed_at,
    request_token,
    said_beside,
    together,
    told_apart,
    unlike,
    useful,
)
from magistrate.parsing.vocabulary import Vocabulary
from magistrate.verdict import IssueCode, Verdict

__all__ = ["Shaper"]

DEEPEST: Final = 48
"""Levels of wrapping that are looked through."""
_PAIR: Final = 2
_WIDEST_PAIR: Final = 4
"""Parts of a row that is a list: id or statement, verdict, perhaps a reason and more."""
_OPENERS: Final = ("{", "[", '"', "'", "\u201c", "```")
_NO_ANSWER: Final = frozenset({Role.QUOTE, Role.ASIDE, Role.REFUSAL, Role.TOKEN})
_THOUGHTS: Final = ("thought", "think", "cot", "chainofthought", "scratch")
_BESIDE: Final = frozenset({Role.REASON, Role.REFUSAL, Role.TOKEN, Role.ASIDE})


class Shaper:
    """Finds the rows of a decoded value.

    Args:
        words: The words of the scale.
        knows: Tells whether a text is one of the statements asked about.
        decode: Decodes a string that may hold an answer; returns None where it does not.
        most_keys: Keys of an object that may be an answer.
    """

    def __init__(
        self, words: Vocabulary, knows: Callable[[str], bool], decode: Callable[[str], Any | None], most_keys: int
    ) -> None:
        self._words = words
        self._knows = knows
        self._decode = decode
        self._most_keys = most_keys
        self._rowless: dict[int, dict[str, Any]] = {}  # by identity: no chain of wrappers is walked again at each level

    def tables(self, value: Any) -> list[Table]:
        """Return the answers that a value holds; usually one, none where it holds no verdict."""
        self._rowless.clear()
        found = self._walk(value, (), 0)
        if isinstance(value, dict) and len(value) <= self._most_keys:
            token = request_token(value)
            beside = said_beside(value, found)
            for table in found:
                table.token = table.token or token
                if any(row.path for row in table.rows):  # a row's own reason is no word about the list
                    table.notes += beside
            only = found[0].rows[0] if len(found) == 1 and len(found[0].rows) == 1 else None
            if only is not None and only.path:  # a verdict beside a list of one is about the same
                own = own_verdict(value, fields_of(value), self._words)[0]
                if isinstance(own, Verdict) and isinstance(only.reading, Verdict) and own is not only.reading:
                    only.reading = IssueCode.CONFLICTING_VERDICTS
        return found

    # -- any value -----------------------------------------------------------

    def _walk(self, value: Any, path: Path, depth: int) -> list[Table]:
        if depth > DEEPEST:
            return []
        if isinstance(value, dict):
            return self._object(value, path, depth)
        if isinstance(value, list):
            return self._list(value, path, depth)
        if isinstance(value, str):
            inner = self._inner(value)
            return [] if inner is None else placed_at(self._walk(inner, path, depth + 1), path)
        return []

    def _inner(self, value: Any) -> Any | None:
        """What a string holds if it is itself JSON; None for any other value."""
        if not isinstance(value, str) or not value.lstrip().startswith(_OPENERS):
            return None
        inner = self._decode(value)
        return inner if isinstance(inner, dict | list) or (isinstance(inner, str) and inner != value) else None

    # -- lists -----------------------------------------------------------

    def _list(self, values: list[Any], path: Path, depth: int) -> list[Table]:
        gap, cut = None, False
        elements: list[tuple[Any, Path]] = []
        for at, value in enumerate(values):
            if value is Gap.ELLIPSIS or (isinstance(value, str) and value.strip(" .\u2026") == "" and value.strip()):
                gap = len(elements) if gap is None else gap
            elif value is Gap.CUT:
                gap, cut = len(elements) if gap is None else gap, True
            else:
                inner = self._inner(value)
                elements.append((value if inner is None else inner, (*path, at)))
        tables = self._rows_of(elements, depth)
        for table in tables:
            if len(tables) == 1:
                table.gap, table.cut = gap, table.cut or cut
        return tables

    def _rows_of(self, elements: list[tuple[Any, Path]], depth: int) -> list[Table]:
        if any(isinstance(element, dict) for element, _ in elements):
            return self._objects(elements, depth)
        if any(isinstance(element, list) for element, _ in elements):
            counted = [read_id(element[0]) for element, _ in elements if isinstance(element, list) and element]
            whole = len(counted) == len(elements) > 1 and set(counted) == set(range(1, len(counted) + 1))
            pairs = [self._pair(element, path, counted=whole) for element, path in elements]
            if all(pair is not None for pair in pairs):
                return useful([Table([pair for pair in pairs if pair is not None])])
            single = [only_of(element) for element, _ in elements]
            if all(item is not None for item in single):
                return useful(
                    [Table([self._bare(item, (*path, 0)) for item, (_, path) in zip(single, elements, strict=True)])]
                )
            if unlike([element for element, _ in elements], self._words):
                return []  # which of them is the answer, or whether all are one, cannot be told
            return together(table for element, path in elements for table in self._walk(element, path, depth + 1))
        numbered = [split_numbered(element) if isinstance(element, str) else None for element, _ in elements]
        if len({parts[0] for parts in numbered if parts is not None}) == len(elements) > 0:
            named = zip(numbered, elements, strict=True)
            read = self._words.read
            return useful([Table([Row(read(it[1]), it[1], id=it[0], path=path) for it, (_, path) in named if it])])
        rows = [self._bare(element, path) for element, path in elements]
        return [] if is_mixed(rows) else useful([Table(rows)])

    def _objects(self, elements: list[tuple[Any, Path]], depth: int) -> list[Table]:
        rows: list[Row] = []
        for element, path in elements:
            row = self._element(element, path, depth)
            if row is None:
                return together(table for item, place_ in elements for table in self._walk(item, place_, depth + 1))
            rows.append(row)
        return useful([Table(rows)])

    def _element(self, element: Any, path: Path, depth: int) -> Row | None:
        """Read one element of a list as a row; None where it is an answer of its own."""
        if not isinstance(element, dict):
            return self._bare(element, path)
        row = self._row(element, path, depth)
        if row is not None:
            return row
        tables = self._walk(element, path, depth + 1)
        if not tables:
            return Row(IssueCode.MISSING_VERDICT, path=path)
        return tables[0].rows[0] if len(tables) == 1 and len(tables[0].rows) == 1 else None

    def _pair(self, element: Any, path: Path, *, counted: bool) -> Row | None:
        """Read [1, "yes"] or ["The statement.", "yes", ...]; [1, 0] only where the first ones count 1, 2, ..."""
        if (
            not isinstance(element, list)
            or not _PAIR <= len(element) <= _WIDEST_PAIR
            or any(isinstance(item, dict | list) for item in element)
        ):
            return None
        key, verdict = element[0], element[1]
        reading = self._words.read(verdict) if not isinstance(verdict, Gap) else IssueCode.MISSING_VERDICT
        if isinstance(key, str) and self._knows(key):
            return Row(reading, verdict, echo=key, path=path)
        identity = None if isinstance(key, Gap) else read_id(key)
        if isinstance(identity, int) and (counted or isinstance(verdict, str | bool)):
            return Row(reading, verdict, id=identity, path=path)
        return None

    def _bare(self, value: Any, path: Path) -> Row:
        """Read one element that is no object: a bare word."""
        return Row(read_value(value, self._words), value, path=path)

    # -- objects -----------------------------------------------------------

    def _object(self, value: dict[str, Any], path: Path, depth: int) -> list[Table]:
        if len(value) > self._most_keys:
            return []
        if is_schema(value):
            inner = schema_values(value)
            return [] if inner is None else self._wrapper(inner, (*path, "properties"), depth)
        if is_envelope(value):
            return self._wrapper(value, path, depth)
        groups = groups_of(value, path, self._words, self._knows)
        if groups:
            return groups
        columns = self._columns(value, path)
        if columns is not None:
            return columns
        row = self._row(value, path, depth)
        if row is not None:
            return [Table([row], orderly=False)]
        return (
            self._map(value, path, depth) or self._side_by_side(value, path, depth) or self._wrapper(value, path, depth)
        )

    def _row(self, value: dict[str, Any], path: Path, depth: int) -> Row | None:
        """Read an object as one row; None where it holds no verdict of its own."""
        if id(value) in self._rowless:
            return None
        row = self._own_row(value, path, depth)
        self._rowless.update({} if row is not None else {id(value): value})
        return row

    def _own_row(self, value: dict[str, Any], path: Path, depth: int) -> Row | None:
        if len(value) > self._most_keys or is_envelope(value):
            return None
        fields = fields_of(value)
        reading, token = own_verdict(value, fields, self._words)
        row = Row(IssueCode.MISSING_VERDICT if reading is None else reading, token, path=path)
        place(row, value, fields, self._knows)
        placed = row.id is not None or row.echo is not None
        row.hints = () if placed else hints_of(value, self._knows)
        if not placed and (holds_rows(value) or (isinstance(token, str) and self._is_answer(token, reading))):
            return None  # its own words are about the whole
        if reading is not None:
            return row
        if placed:
            listed = listed_verdict(fields, self._words)
            if listed is not None:
                row.reading = listed
                return row
        nested = self._nested(value, path, depth) if placed or len(value) == 1 else None
        if nested is not None:
            nested.id = row.id if nested.id is None else nested.id
            nested.echo = row.echo if nested.echo is None else nested.echo
            nested.reason = row.reason if nested.reason is None else nested.reason
            nested.path = path
            return nested
        return row if placed and not any(isinstance(item, dict | list) for item in value.values()) else None

    def _is_answer(self, token: str, reading: Verdict | IssueCode | None) -> bool:
        """Whether what stands in the place of one verdict is the verdicts of all statements, in one text."""
        if isinstance(reading, Verdict):
            return False
        return self._inner(token) is not None or read_words(token, self._words) is not None

    def _nested(self, value: dict[str, Any], path: Path, depth: int) -> Row | None:
        """The row of the one field that holds one: {"id": 1, "result": {"verdict": "yes"}}."""
        if depth >= DEEPEST:
            return None
        rows = []
        for key, item in value.items():
            if (
                isinstance(item, dict)
                and role_of(key) not in {Role.QUOTE, Role.ASIDE, Role.REASON}
                and not isinstance(read_id(key), int)
                and not self._knows(key)
            ):
                row = self._row(item, (*path, key), depth + 1)
                if row is not None:
                    rows.append(row)
        return rows[0] if len(rows) == 1 else None

    def _map(self, value: dict[str, Any], path: Path, depth: int) -> list[Table]:
        """Read a map from ids or statements to verdicts or rows."""
        twice = value.twice if isinstance(value, Obj) else {}
        members = [
            (key, each)
            for key, item in value.items()
            if not (role_of(key) in _BESIDE or compact(key[:32]) in OF_ALL) or isinstance(read_id(key), int)
            for each in twice.get(key, (item,))
        ]
        if not members:
            return []
        named = [self._name(key) for key, _ in members]
        if any(name is None for name in named):
            return []
        rows = []
        for (key, item), name in zip(members, named, strict=True):
            row = self._member(item, (*path, key), depth)
            row.id, row.echo = (name, row.echo) if isinstance(name, int) else (row.id, name)
            rows.append(row)
        return useful([Table(rows, orderly=False)])

    def _side_by_side(self, value: dict[str, Any], path: Path, depth: int) -> list[Table]:
        """Read rows whose parts stand side by side: {"s1_why": "...", "s1": "supported", ...}."""
        twice = value.twice if isinstance(value, Obj) else {}
        rows: list[Row] = []
        parts: dict[int, list[tuple[Role, Any]]] = {}
        for key, item in value.items():
            part = split_part(key)
            if part is None:
                if role_of(key) not in _BESIDE:
                    return []
            elif part[1] is not Role.VERDICT:
                parts.setdefault(part[0], []).append((part[1], item))
            elif isinstance(item, dict | list):
                return []
            else:
                for each in twice.get(key, (item,)):
                    row = self._member(each, (*path, key), depth)
                    row.id = part[0]
                    rows.append(row)
        for row in rows:
            for role, item in parts.get(row.id, []) if isinstance(row.id, int) else []:
                if role is Role.REASON and isinstance(item, str) and item.strip():
                    row.reason = item
                elif role is Role.QUOTE:
                    row.quotes = (*row.quotes, *texts_of(item))
        return useful([Table(rows, orderly=False)])

    def _name(self, key: str) -> int | str | None:
        """The statement that a key names: its number, its text; None where it names none."""
        identity = read_id(key)
        if isinstance(identity, int):
            return identity
        if self._knows(key):
            return key
        ordinal = ORDINALS.get(compact(key))
        if ordinal is not None:
            return ordinal
        parts = split_numbered(key)
        return parts[0] if parts is not None and self._knows(parts[1]) else None

    def _member(self, item: Any, path: Path, depth: int) -> Row:
        if isinstance(item, dict):
            row = self._row(item, path, depth + 1)
            return row if row is not None else Row(IssueCode.MISSING_VERDICT, path=path)
        inner = self._inner(item)
        if isinstance(inner, dict):
            row = self._row(inner, path, depth + 1)
            if row is not None:
                row.path = path
                return row
        return Row(read_value(item, self._words), item, path=path)

    def _columns(self, value: dict[str, Any], path: Path) -> list[Table] | None:
        """Read columns: {"statements": [...], "verdicts": [...]}.

        Returns:
            None where there are none; no table where they are of unlike length, so that nothing can be told.
        """
        columns: dict[Role, list[tuple[str, list[tuple[str | int, Any]]]]] = {}
        for key, item in value.items():
            role = role_of(key)
            cells = cells_of(item) or (told_apart(item) if role is Role.ECHO else None)
            if role is not None and cells is not None:
                columns.setdefault(role, []).append((key, cells))
        verdicts = columns.get(Role.VERDICT, []) or columns.get(Role.WEAK_VERDICT, [])
        if len(verdicts) != 1 or not (Role.ID in columns or Role.ECHO in columns):
            return None
        key, column = verdicts[0]
        rows = [Row(read_value(item, self._words, key), item, path=(*path, key, step)) for step, item in column]
        for role, each in columns.items():
            other = each[0][1]
            if len(other) != len(rows):
                if role in {Role.ID, Role.ECHO}:
                    return []
                continue
            for row, (_, item) in zip(rows, other, strict=True):
                if role is Role.ID:
                    row.id = None if isinstance(item, Gap) else read_id(item)
                elif role is Role.ECHO and isinstance(item, str):
                    row.echo = item
                elif role is Role.ECHO and row.id is None:
                    row.id = read_id(item) if isinstance(item, int) else None
                elif role is Role.REASON and isinstance(item, str) and item.strip():
                    row.reason = item
        return useful([Table(rows)])

    def _wrapper(self, value: dict[str, Any], path: Path, depth: int) -> list[Table]:
        """Look for answers one level further in; drafts, examples, quotations and reasons hold none."""
        twice = value.twice if isinstance(value, Obj) else {}
        tables: list[Table] = []
        named_reason: list[Table] = []
        for key, item in value.items():
            role = role_of(key)
            if role is Role.VERDICT and isinstance(item, str):
                listed = read_words(item, self._words)
                tables += [] if listed is None else placed_at([listed], (*path, key))
            if role in _NO_ANSWER or (role is Role.REASON and not isinstance(item, dict | list)):
                continue
            for each in twice.get(key, (item,)):
                found = self._walk(each, (*path, key), depth + 1)
                if role is not Role.REASON:
                    tables += found
                elif not compact(key).startswith(_THOUGHTS):
                    named_reason += found
        return together(tables or named_reason)  # "analysis" may be what a judge calls its list
