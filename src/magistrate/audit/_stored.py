"""From a row of a file to stored replies: the text, what was asked, and what was recorded, each at its path."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from magistrate.audit._recorded import UnusableError
from magistrate.errors import ConfigurationError, meant
from magistrate.evaluation.readers.base import kind, printed_list

MISSING: Final[Any] = object()
"""The value of a path that leads nowhere, which is not null."""
STAR: Final = None
"""The step `[*]`."""
Step = str | int | None
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
        with contextlib.suppress(ValueError, RecursionError):
            return json.loads(value)
    return value


_BROKEN_LIST = re.compile(r"(?:array\(\s*)?\[\s*[\"'{]")
_LIST_IN_PROMPT = re.compile(r""":\s*(\[\s*(?:(?:"(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+')\s*,?\s*)++\])""")

_NOT_NEEDED = ("finish_reason", "refusal", "contexts", "truth")


class Fields(NamedTuple):
    """Which field of a row holds what."""

    paths: Mapping[str, FieldPath]
    optional: bool = False

    @classmethod
    def of(cls, paths: Mapping[str, str], *, optional: bool = False) -> Fields:
        """Make them of texts."""
        unknown = sorted(set(paths) - set(FIELDS))
        if unknown:
            raise ConfigurationError(f"a stored reply has no field {unknown[0]!r}; fields: {', '.join(FIELDS)}")
        if "reply" not in paths:
            asked = "which field holds the judge's reply (ragas and DeepEval store none)?"
            raise ConfigurationError(f"{asked} Name it with --reply FIELD")
        return cls({name: read_path(text) for name, text in paths.items()}, optional)


class Place(NamedTuple):
    """Where a reply is stored.

    Args:
        source: The file.
        row: Number of the row (1-based).
        line: The line on which it starts (1-based), where the format has lines.
        part: The elements within the row.
        id: What names the row, where a field does.
    """

    source: str
    row: int
    line: int | None = None
    part: Choice = ()
    id: str | None = None

    def __str__(self) -> str:
        at = f"{self.source}:{self.line}" if self.line is not None else f"{self.source}: row {self.row}"
        part = "".join(f"[{step}]" for step in self.part)
        return f"{at}{' ' + part if part else ''}{' ' + self.id if self.id else ''}"


class Stored(NamedTuple):
    """One stored reply."""

    place: Place
    reply: str | None = None  # the judge's
    statements: tuple[str, ...] | None = None  # those it was asked about
    score: Any = None
    label: Any = None
    truth: Any = None  # what people say: a score, a label, or verdicts
    verdicts: tuple[Any, ...] | None = None  # those recorded, or the one of a reply about one statement
    finish_reason: str | None = None  # why the provider said the reply ended
    refusal: str | None = None  # the provider's own refusal text
    contexts: tuple[str, ...] | None = None  # what the judge saw
    ids: tuple[str, ...] | None = None  # those of the statements in the prompt
    problem: str | None = None
    lacking: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    last: bool = False


FIELDS = (*(name for name in Stored._fields if name not in {"place", "problem", "lacking", "notes", "last"}), "id")
"""What a row may hold of a stored reply; `id` names the row."""


def stored_replies(row: Mapping[str, Any], fields: Fields, place: Place) -> Iterator[Stored]:
    """Yield the replies of a row: one, or one for each element that the reply's path stands for."""
    leading = fields.paths["reply"]
    for chosen in [()] if leading.text in row else choices(row, leading.steps):
        found = {
            name: row[path.text] if path.text in row else look_up(row, path, leading, chosen)
            for name, path in fields.paths.items()
        }
        if found["reply"] is MISSING and fields.optional:
            continue
        named = found.pop("id", None)
        named = named if type(named) is str else str(named) if isinstance(named, str | int | float) else None
        where = Place(place.source, place.row, place.line, chosen, named)
        try:
            yield Stored(where, **_values(row, fields, found))
        except UnusableError as error:
            yield Stored(where, problem=str(error))


def _values(row: Mapping[str, Any], fields: Fields, found: dict[str, Any]) -> dict[str, Any]:
    lacking: list[str] = []
    for name, value in found.items():
        if value is MISSING:
            if name not in _NOT_NEEDED:
                text = fields.paths[name].text
                raise UnusableError(f"the row has no field {text!r}{_hint(text, field_names(row))}")
            found[name] = None
            lacking.append(fields.paths[name].text)
        elif (read := _READ.get(name)) and (value is not None or name == "statements"):
            found[name] = read(value, fields.paths[name].text)
    return found | {"lacking": tuple(lacking)} if lacking else found


def field_names(row: Mapping[str, Any]) -> tuple[str, ...]:
    """The fields of a row, those of an object in it by their paths."""
    within = {key: value if isinstance(value, dict) else {"": None} for key, value in row.items()}
    return tuple(f"{key}.{name}".rstrip(".") for key, value in within.items() for name in value)


@lru_cache(maxsize=64)
def _hint(wanted: str, keys: tuple[str, ...]) -> str:
    named = ", ".join(repr(key[:60]) for key in keys[:12])
    deeper = [key for key in keys if key.endswith(f".{wanted}")]
    return f".{near}" if (near := meant(wanted, deeper or keys)) else f"; it has {named}" if keys else ""


def _reply(value: Any, name: str) -> str:
    """The text of a reply. Some tools store the decoded object: it is written out again."""
    if isinstance(value, str):
        return value
    while isinstance(value, list) and len(value) == 1 and isinstance(value[0], list):
        value = value[0]  # LangSmith keeps generations as a list for each of the prompts sent at once
    parts = value if isinstance(value, list) and all(isinstance(part, dict) for part in value) else []
    if all(isinstance(part.get("type"), str) for part in parts) and (
        texts := [part["text"] for part in parts if isinstance(part.get("text"), str)]
    ):
        return "\n".join(texts)  # the content of a message in parts
    if isinstance(value, dict | list | bool | int | float):
        return json.dumps(value, ensure_ascii=False)
    raise UnusableError(f"{name} is {kind(value)}, expected a text")


def _texts(value: Any, name: str) -> tuple[str, ...]:
    if type(value) is list and {*map(type, value)} == {str}:
        return tuple(value)
    texts = []
    for item in _items(value, name):
        if type(item) is str:
            texts.append(item)
            continue
        if isinstance(item, Mapping):
            item = next((item[key] for key in ("statement", "text", "claim", "content") if key in item), None)  # noqa: PLW2901
        if isinstance(item, bool) or not isinstance(item, str | int | float):
            raise UnusableError(f"{name} holds {kind(item)}, expected texts")
        texts.append(str(item))
    return tuple(texts)


def _statements(value: Any, name: str) -> tuple[str, ...]:
    """The statements; of a prompt those of the last list in it that follows a colon: what comes before are examples."""
    listed = _LIST_IN_PROMPT.findall(value) if isinstance(value, str) and value.lstrip()[:1] not in ("[", "(") else ()
    return _texts(listed[-1] if listed else value, name)


def _items(value: Any, name: str) -> tuple[Any, ...]:
    """A list, whether it is one, a JSON list in a text, or a text with an item a line."""
    if isinstance(value, str):
        text = value.strip()
        value = [line.strip() for line in value.splitlines() if line.strip()]
        if text.startswith(("[", "array(", "(")):
            try:
                value = json.loads(text)
            except (ValueError, RecursionError):
                found = printed_list(text)
                if found is None and _BROKEN_LIST.match(text):
                    message = "begins like a list but is none, neither JSON nor as Python prints it"
                    raise UnusableError(f"{name} {message}") from None
                value = value if found is None else found
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], list):
        value = value[0]  # promptfoo unrolls lists in variables, so one writes a list in a list
    if not isinstance(value, list | tuple):
        keys = field_names(value) if isinstance(value, dict) else ()
        raise UnusableError(f"{name} is {kind(value)}, expected a list{_hint('', keys)}")
    return tuple(value)


_READ: Final[Mapping[str, Callable[[Any, str], Any]]] = {
    "reply": _reply,
    "verdicts": lambda value, name: (value,) if isinstance(value, bool | int | float) else _items(value, name),
    **dict.fromkeys(("finish_reason", "refusal"), lambda value, _: value if isinstance(value, str) and value else None),
    "statements": _statements,
    **dict.fromkeys(("contexts", "ids"), _texts),
}
"""What is taken otherwise than it stands in a row, unless it is null."""
