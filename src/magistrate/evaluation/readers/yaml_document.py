"""YAML: a list of cases, a mapping that holds one, or one case a document. Text stays text.

YAML 1.1 reads `no` as false, `2024-01-05` as a date and `1.10` as 1.1. An answer is a text, so here a plain scalar is
a number, a boolean or null only where writing that value down again gives the same characters.
"""

from __future__ import annotations

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


def read_yaml(stream: BinaryIO) -> Iterator[RawRow]:
    """Yield the cases of a YAML stream, one after the other, in constant memory."""
    text = io.TextIOWrapper(stream, encoding="utf-8-sig", errors="strict")
    builder = _Builder(yaml.parse(text, Loader=_LOADER))
    try:
        yield from _documents(builder)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        message = f"not valid YAML: {error.problem or error.context}; nothing after it is read"
        yield bad_row(message, line=mark.line + 1 if mark else builder.line, last=True)
    except yaml.YAMLError as error:
        message = " ".join(str(error).split())
        yield bad_row(f"not valid YAML: {message}; nothing after it is read", line=builder.line, last=True)
    except UnicodeDecodeError as error:
        message = f"not valid UTF-8: byte 0x{error.object[error.start]:02x}; nothing after it is read"
        yield bad_row(message, line=builder.line, expected="UTF-8 text", last=True)
    finally:
        text.detach()


def _documents(builder: _Builder) -> Iterator[RawRow]:
    while (event := builder.take()) is not None:
        match event:
            case yaml.StreamStartEvent() | yaml.StreamEndEvent() | yaml.DocumentEndEvent():
                continue
            case yaml.DocumentStartEvent():
                builder.anchors.clear()
            case yaml.SequenceStartEvent():
                yield from _sequence(builder)
            case yaml.MappingStartEvent():
                yield from _mapping(builder, event)
            case _:
                value, problem = builder.value(event)
                if problem or value is not None:
                    yield problem or object_row(value, event.start_mark.line + 1)


def _sequence(builder: _Builder) -> Iterator[RawRow]:
    while not isinstance(event := builder.need(), yaml.SequenceEndEvent):
        line = event.start_mark.line + 1
        value, problem = builder.value(event)
        yield problem or object_row(value, line)


def _mapping(builder: _Builder, start: Any) -> Iterator[RawRow]:
    """A mapping at the top is one case, unless it has the list of cases under one of the known keys."""
    row = RawRow({}, start.start_mark.line + 1)
    case: dict[str, Any] = {}
    wrapped = False
    while not isinstance(event := builder.need(), yaml.MappingEndEvent):
        key, problem = builder.value(event)
        event = builder.need()
        if not problem and key in WRAPPERS and isinstance(event, yaml.SequenceStartEvent):
            wrapped = True
            yield from _sequence(builder)
            continue
        value, bad = builder.value(event)
        for broken in (problem, bad):
            row.problems.extend(broken.problems if broken else ())
        case[key if isinstance(key, str) else json.dumps(key)] = value
    if not wrapped:
        row.data = None if row.problems else case
        yield row


class _Builder:
    """Builds plain values from YAML events, with limits on depth and on what aliases expand to."""

    def __init__(self, events: Iterator[Any]) -> None:
        self._events = events
        self.anchors: dict[str, tuple[Any, int]] = {}
        self.line = 1
        self._unusable: RawRow | None = None
        self._nodes = 0

    def take(self) -> Any:
        """The next event; None at the end."""
        event = next(self._events, None)
        if event is not None and event.start_mark is not None:
            self.line = event.start_mark.line + 1
        return event

    def need(self) -> Any:
        """The next event where there must be one."""
        event = self.take()
        if event is None:
            raise yaml.YAMLError("the document ends early")
        return event

    def value(self, event: Any) -> tuple[Any, RawRow | None]:
        """Build a value; what is unusable about it is a bad row, and the reading goes on behind it."""
        self._unusable, self._nodes = None, 0
        value = self._build(event, 0)
        return (value, None) if self._unusable is None else (None, self._unusable)

    def _refuse(self, message: str, event: Any) -> None:
        if self._unusable is None:
            self._unusable = bad_row(f"cannot be read: {message}", line=event.start_mark.line + 1)

    def _build(self, event: Any, depth: int) -> Any:
        """Build the value that begins with this event, and use up its events even where it is unusable."""
        if depth > _MAX_DEPTH:
            self._refuse(f"nested deeper than {_MAX_DEPTH} levels", event)
            self._skip(event)
            return None
        before = self._nodes
        self._nodes += 1
        match event:
            case yaml.AliasEvent():
                return self._alias(event)
            case yaml.ScalarEvent():
                value: Any = self._scalar(event)
            case yaml.SequenceStartEvent():
                value = []
                while not isinstance(item := self.need(), yaml.SequenceEndEvent):
                    value.append(self._build(item, depth + 1))
            case _:
                value = self._mapping(depth)
        if event.anchor:
            self.anchors[event.anchor] = (value, self._nodes - before)
        return value

    def _skip(self, event: Any) -> None:
        level = 0
        while True:
            level += isinstance(event, yaml.SequenceStartEvent | yaml.MappingStartEvent)
            level -= isinstance(event, yaml.SequenceEndEvent | yaml.MappingEndEvent)
            if not level:
                return
            event = self.need()

    def _alias(self, event: Any) -> Any:
        if event.anchor not in self.anchors:
            self._refuse(f"the alias *{event.anchor} names no anchor before it", event)
            return None
        value, size = self.anchors[event.anchor]
        self._nodes += size
        if self._nodes > _MAX_NODES:
            self._refuse(f"its aliases expand to more than {_MAX_NODES:,} values", event)
            return None
        return value

    def _scalar(self, event: Any) -> Any:
        text: str = event.value
        if event.tag not in (None, "!", "tag:yaml.org,2002:str"):
            self._refuse(f"has the tag {event.tag}, which is not read", event)
            return None
        if event.style or event.tag:  # quoted, block or !!str: a text
            return text
        if text in _CONSTANTS:
            return _CONSTANTS[text]
        if _NUMBER.match(text):
            number: int | float = float(text) if "." in text else int(text)
            if str(number) == text:
                return number
        return text

    def _mapping(self, depth: int) -> dict[str, Any]:
        value: dict[str, Any] = {}
        merged: dict[str, Any] = {}
        while not isinstance(event := self.need(), yaml.MappingEndEvent):
            is_merge = isinstance(event, yaml.ScalarEvent) and event.value == "<<" and not event.style
            key = self._build(event, depth + 1)
            item = self._build(self.need(), depth + 1)
            if is_merge:
                for source in item if isinstance(item, list) else [item]:
                    if not isinstance(source, dict):
                        self._refuse("<< merges something that is no mapping", event)
                    else:
                        merged = source | merged
                continue
            name = key if isinstance(key, str) else json.dumps(key)
            if name in value and value[name] != item:
                self._refuse(f"the key {name!r} is given twice, with two different values", event)
            value[name] = item
        return merged | value
