"""Which column of a dataset is which field of a case."""

from __future__ import annotations

import difflib
import functools
import re
from collections.abc import Mapping, Sequence
from typing import Any

from magistrate.case import ALIASES
from magistrate.errors import ConfigurationError
from magistrate.evaluation.problems import Problem

FieldMap = Mapping[str, str]
"""Field of a case -> column of the dataset."""

JUDGED = ("id", "question", "answer", "contexts", "statements")
"""A wrong value in one of these makes the row unfit to judge; in another field it is left out and reported."""
_SIMILAR = {
    "question": "user_query user_question user_message search_query utterance instruction",
    "answer": "claim completion prediction generation generated_answer model_answer reply result bot_reply "
    "bot_response bot_answer assistant llm_answer llm_response system_answer",
    "contexts": "passages evidence sources chunks docs ctxs retrieved_docs knowledge article retrieved "
    "retrieved_passages search_results snippets",
}
"""Names that other datasets use; a hint offers them, but only --map reads them."""
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_FIELD_OF_NAME = {name: field for field, names in ALIASES.items() for name in names}


@functools.lru_cache(maxsize=4096)
def field_of(column: str) -> str | None:
    """The field that a column stands for: by its name in `ALIASES`, in any case, with spaces, hyphens or camel case."""
    return _FIELD_OF_NAME.get(column) or _FIELD_OF_NAME.get(_normal(column))


def _normal(column: str) -> str:
    return re.sub(r"[\s\-]+", "_", _CAMEL.sub("_", column.strip())).casefold()


def resolve_mapping(mapping: FieldMap | Sequence[str] | None) -> dict[str, str]:
    """Read `field=column` pairs; the field may be given under any of its names."""
    pairs: list[tuple[str, str]] = []
    if isinstance(mapping, Mapping):
        pairs = list(mapping.items())
    else:
        for text in mapping or ():
            name, equals, column = text.partition("=")
            if not (name.strip() and equals and column.strip()):
                raise ConfigurationError(f"--map {text!r}: expected field=column, such as answer=claim")
            pairs.append((name.strip(), column.strip()))
    result: dict[str, str] = {}
    for name, column in pairs:
        field = field_of(name)
        if field is None:
            near = difflib.get_close_matches(name, _FIELD_OF_NAME, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise ConfigurationError(f"--map: a case has no field {name!r}.{hint} Fields: {', '.join(ALIASES)}")
        if result.setdefault(field, column) != column:
            raise ConfigurationError(f"--map: {field} is mapped twice, to {result[field]!r} and {column!r}")
    return result


def assign(row: Mapping[str, Any], mapping: FieldMap, problems: list[Problem]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Tell the columns of a row that are fields from the rest."""
    raw: dict[str, Any] = {}
    rest: dict[str, Any] = dict(row)
    for field, column in mapping.items():
        found, value = find_column(row, column)
        if found:
            raw[field] = value
            rest.pop(column, None)
        else:
            near = difflib.get_close_matches(column, row, n=1)
            problems.append(
                Problem(
                    field=field,
                    message=f"the row has no column {column!r}",
                    expected=f"the column that --map {field}={column} names",
                    hint=f"did you mean {near[0]!r}?" if near else f"columns: {', '.join(map(str, list(row)[:12]))}",
                    blocking=field in JUDGED,
                )
            )
    named = {field: [c for c in ALIASES[field] if c in rest] for field in ALIASES if field not in mapping}
    for column in rest:
        field = field_of(column) or ""
        if field in named and column not in named[field]:
            named[field].append(column)
    for field, columns in named.items():
        given = [column for column in columns if rest[column] is not None]
        if given:
            raw[field] = rest.pop(given[0])
            others = [column for column in given[1:] if rest[column] != raw[field]]
            if others:
                problems.append(
                    Problem(
                        field=field,
                        message=f"is read from {given[0]!r}; {', '.join(map(repr, others))} goes to metadata",
                        severity="warning",
                    )
                )
        for column in columns:
            if column in rest and rest[column] is None:
                del rest[column]
    return raw, rest


def find_column(row: Mapping[str, Any], column: str) -> tuple[bool, Any]:
    """Whether a row has a column, and its value; also by a dotted path into objects and lists ("output.0.text")."""
    if column in row:
        return True, row[column]
    value: Any = row
    for part in column.split("."):
        if isinstance(value, Mapping) and part in value:
            value = value[part]
        elif isinstance(value, list) and part.isascii() and part.isdigit() and int(part) < len(value):
            value = value[int(part)]
        else:
            return False, None
    return "." in column, value


def likely_column(field: str, columns: list[str]) -> str | None:
    """A column that may be meant for a field: for the hint only, nothing is read from it."""
    normal = {_normal(column): column for column in reversed(columns)}
    for name in _SIMILAR[field].split():
        if name in normal:
            return normal[name]
    near = difflib.get_close_matches(field, columns, n=1)
    return near[0] if near else None
