"""Which column of a dataset is which field of a case; and what only shows over many rows."""

import difflib
import functools
import re
import shlex
from array import array
from collections.abc import Mapping, Sequence
from typing import Any

from magistrate.case import ALIASES, Problem
from magistrate.errors import ConfigurationError, meant

FieldMap = Mapping[str, str | Sequence[str]]
"""Field of a case -> column of the dataset, or several for a list of texts."""
_NO_VALUE = frozenset({"", "nan", "none", "null", "n/a", "<na>", "#n/a"})
"""What programs write into the cell of a table that has no value."""
_LISTS = ("contexts", "statements")

JUDGED = ("id", "question", "answer", "contexts", "statements")
"""A wrong value in one of these makes the row unfit to judge; in another field it is left out and reported."""
_SIMILAR = {
    "question": "user_query user_question user_message search_query utterance instruction prompt frage pregunta",
    "answer": "claim completion prediction generation generated_answer model_answer reply result bot_reply "
    "bot_response bot_answer assistant llm_answer llm_response system_answer antwort respuesta réponse",
    "contexts": "passages evidence sources chunks docs ctxs retrieved_docs knowledge article retrieved "
    "retrieved_passages search_results snippets passage chunk doc kontext kontexte textstellen "
    "fundstellen quellen contexto contexte",
}
"""Names that other datasets use, also with a number or words beside; a hint offers them, but only --map reads them."""
_ABOUT = frozenset({"id", "nr", "no", "number", "key", "score", "rating", "type", "length", "time", "date"})
"""Words of a column that holds something about a field, not the field."""
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_FIELD_OF_NAME = {name: field for field, names in ALIASES.items() for name in names}


@functools.lru_cache(maxsize=4096)
def field_of(column: str) -> str | None:
    """The field that a column stands for: by its name in `ALIASES`, in any case, with spaces, hyphens or camel case."""
    return _FIELD_OF_NAME.get(column) or _FIELD_OF_NAME.get(_normal(column))


def _normal(column: str) -> str:
    return re.sub(r"[\s\-]+", "_", _CAMEL.sub("_", column.strip())).casefold()


def resolve_mapping(mapping: FieldMap | Sequence[str] | None) -> dict[str, str | list[str]]:
    """Read `field=column` pairs; the field may be given under any of its names, a list of texts in several columns."""
    result: dict[str, list[str]] = {}
    if isinstance(mapping, Mapping):
        pairs = [(name, column) for name, columns in mapping.items() for column in all_of(columns) or [""]]
    else:
        pairs = [(name.strip(), column.strip()) for name, _, column in (text.partition("=") for text in mapping or ())]
    for name, column in pairs:
        wrong = ""
        if not (name and column):
            wrong = f"{f'{name}={column}'!r}: expected field=column, such as answer=claim"
        elif (field := field_of(name)) is None:
            wrong = f"a case has no field {name!r}.{meant(name, _FIELD_OF_NAME)} Fields: {', '.join(ALIASES)}"
        elif column not in (there := result.setdefault(field, [])):
            if there and field not in _LISTS:
                wrong = f"{field} is mapped twice, to {there[0]!r} and {column!r}: choose one"
            there.append(column)
        if wrong:
            raise ConfigurationError(f"mapping (--map): {wrong}")
    return {field: columns if columns[1:] else columns[0] for field, columns in result.items()}


def all_of(columns: str | Sequence[str]) -> list[str]:
    """The columns of a field in a mapping."""
    return list(columns) if isinstance(columns, list | tuple) else [str(columns or "")]


def is_blank(value: Any) -> bool:
    """Whether there is nothing in a value, or a word for nothing."""
    return value is None or (isinstance(value, str | float) and str(value).strip().casefold() in _NO_VALUE)


def note(problems: list[Problem], field: str, message: str, expected: str | None = None, **more: Any) -> None:
    """Note what is wrong with a field; an error in what is judged makes the row unfit."""
    blocking = field.partition("[")[0] in JUDGED and more.get("severity") != "warning"
    problems.append(Problem(field=field, message=message, expected=expected, **{"blocking": blocking, **more}))


def assign(row: Mapping[str, Any], mapping: FieldMap, problems: list[Problem]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Tell the columns of a row that are fields from the rest."""
    raw: dict[str, Any] = {}
    rest: dict[str, Any] = dict(row)
    passages = all_of(mapping["contexts"]) if "contexts" in mapping else []
    for field, columns in mapping.items():
        names = all_of(columns)
        values = [value for found, value in (find_column(row, name) for name in names) if found]
        if values:
            raw[field] = values[0] if isinstance(columns, str) else values
            taken = {name if name in row else name.partition(_SPLIT)[0] for name in names}
            rest = {name: value for name, value in rest.items() if name not in taken}
        else:
            hint = meant(names[0], row).strip() or f"columns: {', '.join(map(str, list(row)[:12]))}"
            expected = f"the column that --map {field}={names[0]} names"
            note(problems, field, f"the row has no column {names[0]!r}", expected, hint=hint)
    for field, known in _fields_of(tuple(rest)):
        if field in mapping:
            continue
        given = [column for column in known if rest[column] is not None]
        if given:
            raw[field] = rest.pop(given[0])
            passages = given[:1] if field == "contexts" else passages
        for column in known if len(given) < len(known) else ():
            if rest.get(column, raw) is None:
                del rest[column]
        if others := [column for column in given[1:] if rest[column] != raw[field]]:
            message = f"is read from {given[0]!r}; {', '.join(map(repr, others))} goes to metadata"
            note(problems, field, message, severity="warning")
    numbered = _numbered_like(passages[0], tuple(rest)) if passages else []
    if more := [name for name in numbered if isinstance(rest[name], str | list) and not is_blank(rest[name] or None)]:
        message = f"is read from {', '.join(map(repr, passages))} alone, not from {', '.join(map(repr, more[:8]))}"
        every = [name for name in row if name in passages or name in more]
        note(problems, "contexts", message, hint=f"{ALL}{_options({'contexts': every})}", blocking=False)
    _note_joined(row, passages, problems)
    return raw, rest


def _note_joined(row: Mapping[str, Any], passages: list[str], problems: list[Problem]) -> None:
    for name in passages:
        text = row.get(name)
        if not isinstance(text, str) or _LIST.match(text) or not (found := _JOIN.search(text)):
            continue
        before, after = text[: found.start()], text[found.end() :]
        if before.strip() and after.strip() and "|" not in before:
            hint = f"{ALL}{_options({'contexts': f'{name}{_SPLIT}{found[0]})'})}"
            message = f"is read from {name!r} as one passage, and holds {found[0]!r}, which may stand between several"
            note(problems, "contexts", message, hint=hint, severity="warning")


_JOIN = re.compile(r"\|\|+|<sep>|\[sep\]", re.IGNORECASE)
_LIST = re.compile(r"\s*\[\s*[\"'{\[]")
_SPLIT = ".split("
ALL = "every passage: "
"""Begins the hint on how to read passages that are not read, or not as passages."""


@functools.lru_cache(maxsize=64)
def _numbered_like(column: str, columns: tuple[str, ...]) -> list[str]:
    """The other columns of a name that is the same but for a number behind."""
    stem = _normal(column).rstrip("_0123456789")
    return [other for other in columns if other != column and stem and _normal(other).rstrip("_0123456789") == stem]


@functools.lru_cache(maxsize=64)
def _fields_of(columns: tuple[str, ...]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The fields that columns stand for, each with its columns, that of the first alias first."""
    named = {field: [name for name in names if name in columns] for field, names in ALIASES.items()}
    for column in columns:
        field = field_of(column)
        if field is not None and column not in named[field]:
            named[field].append(column)
    return tuple((field, tuple(found)) for field, found in named.items() if found)


def find_column(row: Mapping[str, Any], column: str) -> tuple[bool, Any]:
    """Whether a row has a column, and its value.

    Also by a dotted path into objects and lists ("output.0.text"), or as the texts between a mark ("cell.split(||)").
    """
    if column in row:
        return True, row[column]
    name, split, mark = column.removesuffix(")").partition(_SPLIT)
    if split and mark and column.endswith(")"):
        found, text = find_column(row, name)
        several = isinstance(text, str) and mark in text
        return found, [one.strip() for one in text.split(mark) if one.strip()] if several else text
    value: Any = row
    for part in column.split("."):
        if isinstance(value, Mapping) and part in value:
            value = value[part]
        elif isinstance(value, list) and part.isascii() and part.isdigit() and int(part) < len(value):
            value = value[int(part)]
        else:
            return False, None
    return "." in column, value


def how_to_name(fields: Sequence[str], columns: list[str]) -> str:
    """How to name the columns of fields, each with the likely one: on a command line, and in Python."""
    meant: dict[str, str | list[str]] = {field: likely_column(field, columns) or "COLUMN" for field in fields}
    if more := _numbered_like(str(meant.get("contexts", "")), tuple(columns)):
        meant["contexts"] = [name for name in columns if name == meant["contexts"] or name in more]
    return f"{_options(meant)}, in Python mapping={meant!r}"


def _options(mapping: FieldMap) -> str:
    pairs = (f"{field}={column}" for field, columns in mapping.items() for column in all_of(columns))
    return " ".join(f"--map {shlex.quote(pair)}" for pair in pairs)


def likely_column(field: str, columns: list[str]) -> str | None:
    """A column that may be meant for a field: for the hint only, nothing is read from it."""
    normal = {_normal(column).rstrip("_0123456789"): column for column in reversed(columns)}
    for name in _SIMILAR[field].split():
        if name in normal:
            return normal[name]
    names = {field, *_SIMILAR[field].split()}
    worded = [one for one in columns if (words := {*_normal(one).split("_")}) & names and not words & _ABOUT]
    return next(iter(worded or difflib.get_close_matches(field, columns, n=1)), None)


_SHOWN = 20
_KEPT = 200


class UnseenColumns:
    """The columns of a mapping that no row had so far."""

    def __init__(self, mapping: FieldMap) -> None:
        self._unseen = [(field, column) for field, columns in mapping.items() for column in all_of(columns)]
        self._columns: dict[str, None] = {}
        self._rows = 0

    def __bool__(self) -> bool:
        return bool(self._unseen)

    def look(self, row: Mapping[str, Any]) -> None:
        """Take note of the columns of a row."""
        if self._unseen:
            self._rows += 1
            self._unseen = [pair for pair in self._unseen if not find_column(row, pair[1])[0]]
            self._columns |= dict.fromkeys(map(str, row)) if len(self._columns) < _KEPT else {}

    def check(self, source: str) -> None:
        """Refuse a mapping to a column that none of the rows had; without rows there is nothing to say."""
        for field, column in self._unseen if self._rows else ():
            more = ", ..." if len(self._columns) > _SHOWN else ""
            there = f" Columns: {listed(self._columns)}{more}." if self._columns else " No row could be read."
            raise ConfigurationError(
                f"mapping (--map) {field}={column}: no row of {source} has a column {column!r}."
                f"{meant(column, self._columns)}{there}"
            )


class RepeatedIds:
    """Tells of an id that an earlier row has too, in 24 to 48 bytes an id: an open table of their hashes and rows."""

    def __init__(self) -> None:
        self._marks, self._rows, self._count = array("Q", [0, 0]), array("I", [0, 0]), 0

    def problem(self, case_id: str | None, row: int, source: str, line: int | None) -> Problem | None:
        """What is wrong with a row (1-based) whose id an earlier one has; None where it is the first."""
        text = case_id or ""
        mark = (hash(text) << 32 ^ hash(text[::-1])) & 0xFFFF_FFFF_FFFF_FFFF or 1  # 64 bits, also where a hash has 32
        first = self._enter(mark, row)
        self._count += first == row
        if 2 * self._count > len(self._marks):
            marks, rows = self._marks, self._rows
            self._marks, self._rows = array("Q", [0]) * (2 * len(marks)), array("I", [0]) * (2 * len(rows))
            for one, place in zip(marks, rows, strict=True):
                if one:
                    self._enter(one, place)
        if first == row:
            return None
        message = f"the id {case_id!r} is given to row {first} too"
        return Problem(source=source, line=line, row=row, field="id", message=message, expected="each id once")

    def _enter(self, mark: int, row: int) -> int:
        """The row of the first id with this hash, which this is where there is none yet."""
        marks = self._marks
        at = mark & (last := len(marks) - 1)
        while (found := marks[at]) and found != mark:
            at = at + 1 & last
        if not found:
            marks[at], self._rows[at] = mark, row
        return self._rows[at]


def listed(names: Mapping[str, None]) -> str:
    """The first of some names, as a message shows them."""
    return ", ".join(repr(name[:60]) for name in list(names)[:_SHOWN])
