"""Paths into rows: `result.replies[*].text`, `grading[-1].content`, `vars["a.b"]`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
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
    while match := _STEP.match(text, end):
        end = match.end()
        if match["name"] is not None:
            steps.append(match["name"])
        elif match["quoted"] is not None:
            steps.append(_unquoted(match["quoted"], text))
        else:
            steps.append(STAR if match["index"] == "*" else int(match["index"]))
    if end != len(text) or not steps:
        raise _no_path(text)
    return FieldPath(text, tuple(steps))


def _unquoted(quoted: str, text: str) -> str:
    try:
        return str(json.loads(quoted))
    except ValueError:
        raise _no_path(text) from None


def _no_path(text: str) -> ConfigurationError:
    return ConfigurationError(
        f"{text!r} is no path to a field: expected a column, or keys and indices such as "
        'answer.text, replies[0], scores[*].value or vars["a.b"]'
    )


def choices(row: Mapping[str, Any], path: FieldPath) -> Iterator[Choice]:
    """Yield every way to choose an element for each `[*]` of a path, in order; once nothing for a path without one."""
    return _choices(row, path.steps, ())


def _choices(value: Any, steps: tuple[Step, ...], chosen: Choice) -> Iterator[Choice]:
    for at, step in enumerate(steps):
        if step is STAR:
            for key, item in _elements(value):
                yield from _choices(item, steps[at + 1 :], (*chosen, key))
            return
        value = _step(value, step)
    yield chosen


def look_up(row: Mapping[str, Any], path: FieldPath, like: FieldPath | None = None, chosen: Choice = ()) -> Any:
    """The value at a path; a list of values where it has a `[*]`; `MISSING` where it leads nowhere."""
    if path.text in row:
        return row[path.text]
    shared = 0 if like is None else _shared(path.steps, like.steps)
    return _look_up(row, path.steps, shared, chosen)


def _shared(steps: tuple[Step, ...], others: tuple[Step, ...]) -> int:
    """How many stars two paths have in common, before they part."""
    count = 0
    for mine, theirs in zip(steps, others, strict=False):
        if mine != theirs:
            break
        count += mine is STAR
    return count


def _look_up(value: Any, steps: tuple[Step, ...], shared: int, chosen: Choice) -> Any:
    for at, step in enumerate(steps):
        if step is not STAR:
            value = _step(value, step)
        elif shared > 0 and chosen:
            value = _step(value, chosen[0])
            shared, chosen = shared - 1, chosen[1:]
        else:
            found = (_look_up(item, steps[at + 1 :], 0, ()) for _, item in _elements(value))
            return [item for item in found if item is not MISSING]
        if value is MISSING:
            return MISSING
    return value


def _step(value: Any, step: Step) -> Any:
    value = _opened(value)
    if isinstance(value, Mapping):
        return value.get(step if isinstance(step, str) else str(step), MISSING)
    if isinstance(value, list):
        index = int(step) if isinstance(step, str) and step.isascii() and step.isdigit() else step
        if isinstance(index, int) and -len(value) <= index < len(value):
            return value[index]
    return MISSING


def _elements(value: Any) -> Iterator[tuple[str | int, Any]]:
    value = _opened(value)
    if isinstance(value, Mapping):
        yield from value.items()
    elif isinstance(value, list):
        yield from enumerate(value)


def _opened(value: Any) -> Any:
    """A text that holds JSON is looked into: tables keep lists and objects so."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value
