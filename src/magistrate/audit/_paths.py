"""Paths into rows: `result.replies[*].text`, `grading[-1].content`, `vars["a.b"]`."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from magistrate.errors import ConfigurationError


class _Mark(Enum):
    MISSING = "the value of a path that leads nowhere, which is not null"
    STAR = "*"


MISSING: Final = _Mark.MISSING
STAR: Final = _Mark.STAR
Step = str | int | _Mark
Choice = tuple[str | int, ...]
"""Which element each `[*]` of a path stands for."""

_STEP: Final = re.compile(
    r"""(?:^|\.)(?P<name>[^.\[\]"']+)  |  \[(?P<index>-?\d{1,9}|\*)\]  |  \[(?P<quoted>"(?:[^"\\]|\\.)*")\]""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class FieldPath:
    """Where a value stands in a row."""

    text: str
    steps: tuple[Step, ...]


def read_path(text: str) -> FieldPath:
    """Read a path."""
    steps: list[Step] = []
    end = 0
    with contextlib.suppress(ValueError):  # an escape in a quoted key that JSON does not know
        while match := _STEP.match(text, end):
            name, index, quoted = match.group("name", "index", "quoted")
            steps.append(name or (json.loads(quoted) if quoted else STAR if index == "*" else int(index)))
            end = match.end()
    if end != len(text) or not steps:
        raise ConfigurationError(
            f"{text!r} is no path to a field: expected a column, or keys and indices such as "
            'answer.text, replies[0], scores[*].value or vars["a.b"]'
        )
    return FieldPath(text, tuple(steps))


def choices(row: Mapping[str, Any], path: FieldPath) -> Iterator[Choice]:
    """Yield every way to choose an element for each `[*]` of a path, in order; once nothing for a path without one."""
    if STAR not in path.steps:
        yield ()
        return
    at = path.steps.index(STAR)
    for key, item in _elements(_value(row, path.steps[:at])):
        for rest in choices(item, FieldPath("", path.steps[at + 1 :])):
            yield (key, *rest)


def look_up(row: Mapping[str, Any], path: FieldPath, like: FieldPath | None = None, chosen: Choice = ()) -> Any:
    """The value at a path; a list of values where it has a `[*]`; `MISSING` where it leads nowhere.

    Those `[*]` that it shares with another path stand for what was chosen for that one.
    """
    if path.text in row:
        return row[path.text]
    steps, left = [*path.steps], iter(chosen)
    for at, (mine, theirs) in enumerate(zip(path.steps, () if like is None else like.steps, strict=False)):
        if mine != theirs:
            break
        steps[at] = next(left, STAR) if mine is STAR else mine
    return _value(row, steps)


def _value(value: Any, steps: Sequence[Step]) -> Any:
    for at, step in enumerate(steps):
        if step is STAR:
            found = (_value(item, steps[at + 1 :]) for _, item in _elements(value))
            return [item for item in found if item is not MISSING]
        if (value := _step(value, step)) is MISSING:
            break
    return value


def _step(value: Any, step: Step) -> Any:
    value = _opened(value)
    if isinstance(value, Mapping):
        return value.get(step if isinstance(step, str) else str(step), MISSING)
    index = int(step) if isinstance(step, str) and step.isascii() and step.isdigit() else step
    inside = isinstance(value, list) and isinstance(index, int) and -len(value) <= index < len(value)
    return value[index] if inside else MISSING


def _elements(value: Any) -> Iterable[tuple[str | int, Any]]:
    value = _opened(value)
    return value.items() if isinstance(value, Mapping) else enumerate(value if isinstance(value, list) else ())


def _opened(value: Any) -> Any:
    """A text that holds JSON is looked into: tables keep lists and objects so."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value
