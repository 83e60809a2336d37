"""Paths to the fields of a row: keys, indices, and `[*]` for every element."""

import contextlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from typing import Any, Final, NamedTuple

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


class FieldPath(NamedTuple):
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


def choices(row: Any, steps: Sequence[Step]) -> Iterator[Choice]:
    """Every way to choose an element for each `[*]` of a path, in order; once nothing for a path without one."""
    if STAR not in steps:
        yield ()
        return
    at = steps.index(STAR)
    for key, item in elements_of(value_at(row, steps[:at])):
        for rest in choices(item, steps[at + 1 :]):
            yield (key, *rest)


def look_up(row: Mapping[str, Any], path: FieldPath, leading: FieldPath, chosen: Choice) -> Any:
    """The value at a path, whose `[*]` stand for what was chosen as far as it is the same as the leading one."""
    steps, left = [*path.steps], iter(chosen)
    for at, (mine, theirs) in enumerate(zip(path.steps, leading.steps, strict=False)):
        if mine != theirs:
            break
        steps[at] = next(left, STAR) if mine is STAR else mine
    return value_at(row, steps)


def value_at(value: Any, steps: Sequence[Step]) -> Any:
    """The value at a path; a list of values where it has a `[*]`; `MISSING` where it leads nowhere."""
    for at, step in enumerate(steps):
        if step is STAR:
            found = (value_at(item, steps[at + 1 :]) for _, item in elements_of(value))
            return [item for item in found if item is not MISSING]
        opened, value = opened_of(value), MISSING
        if isinstance(opened, Mapping):
            value = opened.get(step if isinstance(step, str) else str(step), MISSING)
        elif isinstance(opened, list):
            index = int(step) if isinstance(step, str) and step.isascii() and step.isdigit() else step
            value = opened[index] if isinstance(index, int) and -len(opened) <= index < len(opened) else MISSING
        if value is MISSING:
            break
    return value


def elements_of(value: Any) -> Iterable[tuple[str | int, Any]]:
    """The members of a mapping or a list, with their keys or places; none of anything else."""
    value = opened_of(value)
    return value.items() if isinstance(value, Mapping) else enumerate(value if isinstance(value, list) else ())


def opened_of(value: Any) -> Any:
    """A text that holds JSON is looked into: tables keep lists and objects so."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value
