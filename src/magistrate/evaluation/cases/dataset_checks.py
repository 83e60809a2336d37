"""What only shows over many rows of a dataset: a mapped column or a system that no row has, an id given twice."""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Mapping
from typing import Any

from magistrate.errors import ConfigurationError
from magistrate.evaluation.cases.columns import FieldMap, find_column
from magistrate.evaluation.problems import Problem

_SHOWN = 20
_KEPT = 200


class UnseenColumns:
    """The columns of a mapping that no row had so far."""

    def __init__(self, mapping: FieldMap) -> None:
        self._unseen = dict(mapping)
        self._columns: dict[str, None] = {}
        self._rows = 0

    def __bool__(self) -> bool:
        return bool(self._unseen)

    def look(self, row: Mapping[str, Any]) -> None:
        """Take note of the columns of a row."""
        if not self._unseen:
            return
        self._rows += 1
        self._unseen = {field: name for field, name in self._unseen.items() if not find_column(row, name)[0]}
        if self._unseen and len(self._columns) < _KEPT:
            self._columns.update(dict.fromkeys(map(str, row)))

    def check(self, source: str) -> None:
        """Refuse a mapping to a column that none of the rows had; without rows there is nothing to say."""
        if not self._unseen or not self._rows:
            return
        field, column = next(iter(self._unseen.items()))
        near = difflib.get_close_matches(column, self._columns, n=1)
        meant = f" Did you mean {near[0]!r}?" if near else ""
        more = ", ..." if len(self._columns) > _SHOWN else ""
        raise ConfigurationError(
            f"--map {field}={column}: no row of {source} has a column {column!r}.{meant} "
            f"Columns: {_listed(self._columns)}{more}"
        )


class UnseenSystem:
    """A system that no row had an answer of so far."""

    def __init__(self, system: str) -> None:
        self._system = system
        self._unseen = True
        self._there: dict[str, None] = {}
        self._rows = 0

    def look(self, metadata: Mapping[str, Any], *, found: bool) -> None:
        """Take note of a row: whether it has an answer of the system, and else of which it has."""
        self._rows += 1
        self._unseen = self._unseen and not found
        if not self._unseen or len(self._there) >= _KEPT:
            return
        answers = metadata.get("answers")
        names = [str(name) for name in answers] if isinstance(answers, Mapping) else []
        for column in map(str, metadata):
            name = column.removeprefix("answer_").removesuffix("_answer")
            if name != column:
                names.append(name)
        self._there.update(dict.fromkeys(names))

    def check(self, source: str) -> None:
        """Refuse a system that none of the rows had an answer of; without rows there is nothing to say."""
        if not self._unseen or not self._rows:
            return
        raise ConfigurationError(
            f"no row of {source} has an answer of the system {self._system[:60]!r}: expected answers.NAME, or a column "
            f"NAME or answer_NAME. It has answers of {_listed(self._there) or 'none'}. A function is module:function; "
            "a run or a dataset is a path that is there"
        )


class RepeatedIds:
    """Tells of an id that an earlier row has too. It holds 8 bytes of each id, not the id."""

    def __init__(self) -> None:
        self._rows: dict[bytes, int] = {}

    def first_row(self, case_id: str | None, number: int) -> int:
        """The number (1-based) of the first row with this id: that of the row itself, or of an earlier one."""
        digest = hashlib.blake2b((case_id or "").encode("utf-8", "replace"), digest_size=8).digest()
        return self._rows.setdefault(digest, number)

    def problem(self, case_id: str | None, row: int, source: str, line: int | None) -> Problem | None:
        """What is wrong with a row whose id an earlier one has; None where it is the first."""
        first = self.first_row(case_id, row)
        if first == row:
            return None
        message = f"the id {case_id!r} is given to row {first} too"
        return Problem(source=source, line=line, row=row, field="id", message=message, expected="each id once")


def _listed(names: Mapping[str, None]) -> str:
    return ", ".join(repr(name[:60]) for name in list(names)[:_SHOWN])
