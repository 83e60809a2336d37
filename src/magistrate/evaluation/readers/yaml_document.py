"""YAML: a list of cases, a mapping that holds one, or one case a document. Text stays text: `no`, `2024-01-05`, `1.10`.

A plain scalar is a number, a boolean or null only where writing that value down again gives the same characters.
"""

import io
import json
import re
from collections.abc import Iterator
from typing import Any, BinaryIO

import yaml

from magistrate.evaluation.readers.base import WRAPPERS, RawRow, bad_row, object_row

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_MAX_DEPTH = 64
_MAX_NODES = 1_000_000
"""Nodes of one case with its aliases written out: ten short lines of nested aliases make a billion nodes."""
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,18})(?:\.[0-9]{1,17})?\Z")
_CONSTANTS: dict[str, Any] = {"": None, "~": None, "null": None, "true": True, "false": False}


class _UnusableError(Exception):
    """What is wrong with a value, and the event where: its events are used up, and the reading goes on behind it."""


def read_yaml(stream: BinaryIO) -> Iterator[RawRow]:
    """Yield the cases of a YAML stream, one after the other, in constant memory."""
    text = io.TextIOWrapper(stream, encoding="utf-8-sig", errors="strict")
    reader = _Reader(yaml.parse(text, Loader=_LOADER))
    try:
        yield from reader.documents()
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
        said = getattr(error, "problem", None) or getattr(error, "context", None) or " ".join(str(error).split())
        message = f"not valid YAML: {said}; nothing after it is read"
        yield bad_row(message, line=mark.line + 1 if mark else reader.line, last=True)
    except UnicodeDecodeError as error:
        message = f"not valid UTF-8: byte 0x{error.object[error.start]:02x}; nothing after it is read"
        yield bad_row(message, line=reader.line, expected="UTF-8 text", last=True)
    finally:
        text.detach()


class _Reader:
    """Makes plain values of YAML events, with limits on depth and on what aliases expand to."""

    def __init__(self, events: Iterator[Any]) -> None:
        self.line = 1
        self._events = self._followed(events)
        self._anchors: dict[str, tuple[Any, int]] = {}
        self._nodes = 0

    def _followed(self, events: Iterator[Any]) -> Iterator[Any]:
        for event in events:
            self.line = event.start_mark.line + 1
            yield event

    def documents(self) -> Iterator[RawRow]:
        """The rows of all documents."""
        for event in self._events:
            match event:
                case yaml.DocumentStartEvent():
                    self._anchors.clear()
                case yaml.SequenceStartEvent():
                    yield from self._rows()
                case yaml.MappingStartEvent():
                    yield from self._case(event)
                case yaml.ScalarEvent() if not event.style and _CONSTANTS.get(event.value, event) is None:
                    continue  # a blank document
                case yaml.ScalarEvent() | yaml.AliasEvent():
                    yield self._row(event)

    def _rows(self) -> Iterator[RawRow]:
        while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
            yield self._row(event)

    def _row(self, event: Any) -> RawRow:
        value, wrong = self._value(event)
        return wrong or object_row(value, event.start_mark.line + 1)

    def _case(self, start: Any) -> Iterator[RawRow]:
        """A mapping at the top is one case, unless it has the list of cases under one of the known keys."""
        row, wrapped = RawRow({}, start.start_mark.line + 1), False
        case: dict[str, Any] = {}
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            key, wrong = self._value(event)
            event = next(self._events)
            if isinstance(key, str) and key in WRAPPERS and isinstance(event, yaml.SequenceStartEvent):
                wrapped = True
                yield from self._rows()
            else:
                case[_name(key)], also = self._value(event)
                row.problems += also.problems if also else ()
            row.problems += wrong.problems if wrong else ()
        if not wrapped:
            row.data = None if row.problems else case
            yield row

    def _value(self, first: Any) -> tuple[Any, RawRow | None]:
        """The value that begins with this event, and what is wrong with it."""
        events, level = [first], _level(first)
        while level:
            events.append(next(self._events))
            level += _level(events[-1])
        self._nodes = 0
        rest = iter(events)
        try:
            return self._build(next(rest), rest, 0), None
        except _UnusableError as error:
            message, event = error.args
            return None, bad_row(f"cannot be read: {message}", line=event.start_mark.line + 1)

    def _build(self, event: Any, rest: Iterator[Any], depth: int) -> Any:
        if depth > _MAX_DEPTH:
            raise _UnusableError(f"nested deeper than {_MAX_DEPTH} levels", event)
        before = self._nodes
        self._nodes += 1
        match event:
            case yaml.AliasEvent():
                if event.anchor not in self._anchors:
                    raise _UnusableError(f"the alias *{event.anchor} names no anchor before it", event)
                value, size = self._anchors[event.anchor]
                self._nodes += size - 1
                if self._nodes > _MAX_NODES:
                    raise _UnusableError(f"its aliases expand to more than {_MAX_NODES:,} values", event)
                return value
            case yaml.ScalarEvent():
                value = _scalar(event)
            case yaml.SequenceStartEvent():
                value = []
                while not isinstance(item := next(rest), yaml.SequenceEndEvent):
                    value.append(self._build(item, rest, depth + 1))
            case _:
                value = self._mapping(rest, depth)
        if event.anchor:
            self._anchors[event.anchor] = (value, self._nodes - before)
        return value

    def _mapping(self, rest: Iterator[Any], depth: int) -> dict[str, Any]:
        value: dict[str, Any] = {}
        merged: dict[str, Any] = {}
        while not isinstance(event := next(rest), yaml.MappingEndEvent):
            key = self._build(event, rest, depth + 1)
            item = self._build(next(rest), rest, depth + 1)
            if isinstance(event, yaml.ScalarEvent) and event.value == "<<" and not event.style:
                for source in item if isinstance(item, list) else [item]:
                    if not isinstance(source, dict):
                        raise _UnusableError("<< merges something that is no mapping", event)
                    merged = source | merged
                continue
            if value.setdefault(name := _name(key), item) != item:
                raise _UnusableError(f"the key {name!r} is given twice, with two different values", event)
        return merged | value


def _name(key: Any) -> str:
    return key if isinstance(key, str) else json.dumps(key)


def _level(event: Any) -> int:
    if isinstance(event, yaml.SequenceStartEvent | yaml.MappingStartEvent):
        return 1
    return -isinstance(event, yaml.SequenceEndEvent | yaml.MappingEndEvent)


def _scalar(event: Any) -> Any:
    text: str = event.value
    if event.tag not in (None, "!", "tag:yaml.org,2002:str"):
        raise _UnusableError(f"has the tag {event.tag}, which is not read", event)
    if event.style or event.tag:  # quoted, block or !!str: a text
        return text
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    number: int | float = 0
    if _NUMBER.match(text):
        number = float(text) if "." in text else int(text)
    return number if str(number) == text else text
