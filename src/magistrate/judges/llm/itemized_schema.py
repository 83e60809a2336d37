"""A reply that must hold one entry for each of some items: asked for by number, read entry by entry.

Frameworks ask for a bare list, and take whatever comes for the entries of the first items. Here each entry is a
property of its own under the item's number, so that a provider that enforces schemas can neither leave one out nor add
one, and a reply that does not follow can be told: by number, else by the item it repeats, else by position if the count
fits exactly.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from pydantic import BaseModel

from magistrate.completion.schemas import close_schema, inline_schema
from magistrate.judges._replies import ISSUE_OF_STATUS, StructuredReply, usage_of
from magistrate.judges.llm.call_status import STATUS_OF_CALL, Unread, reply_in
from magistrate.parsing import parse_object
from magistrate.parsing.objects.leaves import same
from magistrate.parsing.objects.target import target_of
from magistrate.parsing.rows.candidate import Candidate, read_id
from magistrate.parsing.rows.statements import Statements
from magistrate.records import CallRecord, Completion
from magistrate.verdict import Issue, IssueCode, ParseStatus, Status

M = TypeVar("M", bound=BaseModel)

MAX_ROWS = 50
"""Most entries of one request."""
_LONGEST_SHOWN = 120
_ID_KEYS = ("id", "number", "index", "item", "no", "n")


@dataclass(frozen=True, slots=True)
class Rows:
    """The list of a reply that must hold one entry for each item.

    `field` of the reply holds it; `echo` of an entry repeats its item: it is not asked for but filled in. `limits` say
    what the schema of an entry's properties leaves open ("" for entries that are no objects), `entry` gives the schema
    of an item's entry (0-based) where the reply's does not. `other` is a form in which a reply may give the entries
    too: its schema, and what makes entries by item of a value. `build` makes the reply of all entries where that is
    more than to list them; `check` says whether an item's entry agrees with itself, or is none.
    """

    field: str
    items: tuple[str, ...]
    echo: str | None = None
    noun: str = "item"
    limits: Mapping[str, Mapping[str, Any]] | None = None
    entry: Callable[[int], Mapping[str, Any]] | None = None
    other: tuple[Mapping[str, Any], Callable[[Any], Mapping[int, Any]]] | None = None
    build: Callable[[Sequence[Any]], Mapping[str, Any]] | None = None
    check: Callable[[int, Any], bool] | None = None

    def entry_schema(self, schema: Mapping[str, Any], index: int) -> Mapping[str, Any]:
        """Schema of the entry of an item, without the item's text."""
        if self.entry is not None:
            return self.entry(index)
        listed = schema.get("properties", {}).get(self.field, {})
        entry = listed.get("items", {}) if isinstance(listed, Mapping) else {}
        limits = self.limits or {}
        entry = {**entry, **limits.get("", {})}
        if not isinstance(properties := entry.get("properties"), Mapping):
            return entry
        kept = {key: value for key, value in properties.items() if key != self.echo}
        bounded = {key: {**value, **limits[key]} if key in limits else value for key, value in kept.items()}
        required = [key for key in entry.get("required", ()) if key != self.echo]
        return {**entry, "properties": bounded, "required": required}

    def fill(self, index: int, entry: Any) -> Any:
        """The entry with its item's text."""
        return {**entry, self.echo: self.items[index]} if self.echo and isinstance(entry, Mapping) else entry


def items_schema(schema: Mapping[str, Any], rows: Rows, pending: Sequence[int]) -> Mapping[str, Any]:
    """The schema to ask with: the list becomes an object with one property per item, under its number."""
    entries = {str(index + 1): rows.entry_schema(schema, index) for index in pending}
    described = {"type": "object", "properties": entries}
    if rows.entry is not None:
        return close_schema({"type": "object", "properties": {rows.field: described}})
    return close_schema({**schema, "properties": {**schema.get("properties", {}), rows.field: described}})


def items_list(rows: Rows, pending: Sequence[int]) -> str:
    """The items under their numbers, a line each; long ones are cut, as the prompt has them in full."""
    return "\n".join(f"{index + 1}: {json.dumps(_shown(rows.items[index]), ensure_ascii=False)}" for index in pending)


def _shown(text: str) -> str:
    line = " ".join(text[: 4 * _LONGEST_SHOWN].split())
    return line if len(line) <= _LONGEST_SHOWN else line[:_LONGEST_SHOWN].rstrip() + " ..."


class ItemsCollector(Generic[M]):
    """Takes the calls about a list, and puts their entries together."""

    def __init__(self, model: type[M] | Mapping[str, Any], rows: Rows) -> None:
        self.model = model
        self.schema = inline_schema(model)
        self.rows = rows
        self.calls: list[CallRecord] = []
        self._entries: dict[int, Any] = {}
        self._beside: Mapping[str, Any] | None = None
        self._issues: list[Issue] = []
        self._why = Status.UNPARSEABLE

    def missing(self, pending: Sequence[int]) -> tuple[int, ...]:
        """Those of some items that have no entry yet."""
        return tuple(index for index in pending if index not in self._entries)

    def add(self, call: CallRecord, pending: Sequence[int]) -> CallRecord:
        """Read a call about some items (0-based) and keep what it gives; return it with the status of its reading."""
        done = reply_in(call, ())
        if isinstance(done, Unread):
            self._issues.append(done.issue)
            self._why = STATUS_OF_CALL[done.call.status]
        else:
            reader = _Reader(done, self.schema, self.rows, pending)
            entries, read = reader.read()
            self._entries.update(entries)
            self._beside = self._beside or reader.beside()
            call = replace(call, status=read.value)
            if read is not ParseStatus.OK:
                self._why = STATUS_OF_CALL.get(read.value, Status.UNPARSEABLE)
                message = f"{len(entries)} of {len(pending)} entries of {self.rows.field!r} could be read"
                code = ISSUE_OF_STATUS.get(self._why, IssueCode.MISSING_VERDICT)
                code = IssueCode.EMPTY_REPLY if read is ParseStatus.EMPTY else code
                self._issues.append(Issue(code, message))
        self.calls.append(call)
        return call

    def reply(self) -> StructuredReply[M]:
        """What all calls together gave."""
        made, usage = tuple(self.calls), usage_of(self.calls)
        last = next((call.completion.text for call in reversed(made) if call.completion is not None), None)
        missing = self.missing(range(len(self.rows.items)))
        if missing or self._beside is None:
            named = ", ".join(str(index + 1) for index in missing[:8]) + (", ..." if len(missing) > 8 else "")  # noqa: PLR2004
            message = "the rest of the reply is missing"
            if missing:
                first = json.dumps(_shown(self.rows.items[missing[0]]), ensure_ascii=False)
                message = f"there is no entry for {self.rows.noun} {named}: {first}"
            issues = (*self._issues, *(Issue(IssueCode.MISSING_VERDICT, message, index) for index in missing[:1]))
            return StructuredReply(None, last, self._why, issues, (message,), usage, made, missing)
        listed = [self.rows.fill(index, self._entries[index]) for index in range(len(self.rows.items))]
        whole = {**self._beside, self.rows.field: listed} if self.rows.build is None else self.rows.build(listed)
        value, flaws = target_of(self.model).build(whole)
        if flaws:
            errors = tuple(map(str, flaws))
            return StructuredReply(None, last, Status.UNPARSEABLE, tuple(self._issues), errors, usage, made)
        return StructuredReply(value, last, Status.SCORED, tuple(self._issues), (), usage, made)


@dataclass(frozen=True, slots=True)
class _Reader:
    completion: Completion
    schema: Mapping[str, Any]
    rows: Rows
    pending: Sequence[int]

    def _parse(self, schema: Mapping[str, Any]) -> Any:
        done = self.completion
        return parse_object(done.text, schema, finish_reason=done.finish_reason, refusal=done.refusal)

    def read(self) -> tuple[dict[int, Any], ParseStatus]:
        """The entries by item (0-based), and how the reply reads as a whole."""
        entries, status = self.by_number()
        entries = entries or self.by_number(bare=True)[0] or self.by_list() or self.other()
        if self.rows.check is not None:
            entries = {index: entry for index, entry in entries.items() if self.rows.check(index, entry)}
        if len(entries) == len(self.pending):
            return entries, ParseStatus.OK
        if entries and status is not ParseStatus.TRUNCATED:
            return entries, ParseStatus.PARTIAL
        return entries, ParseStatus.UNPARSEABLE if status is ParseStatus.OK else status

    def beside(self) -> Mapping[str, Any] | None:
        """The properties of the reply beside the list; None where one of them cannot be read."""
        declared = self.schema.get("properties", {})
        others = {key: value for key, value in declared.items() if key != self.rows.field}
        if not others or self.rows.build is not None:
            return {}
        required = [key for key in self.schema.get("required", ()) if key in others]
        value = self._parse({"type": "object", "properties": others, "required": required}).value
        return None if value is None else {key: value[key] for key in others if key in value}

    # -- an object with one property per item ------------------------------------------------------------------------

    def by_number(self, *, bare: bool = False) -> tuple[dict[int, Any], ParseStatus]:
        """Read entries under numbers. What is broken or missing beside an entry does not touch it."""
        field = self.rows.field

        def read(properties: Mapping[str, Any]) -> tuple[Mapping[str, Any] | None, ParseStatus]:
            reading = self._parse(_object(properties) if bare else _object({field: _object(properties)}))
            value = reading.value
            return value if bare or value is None else value[field], reading.status

        schemas = {str(index + 1): self.rows.entry_schema(self.schema, index) for index in self.pending}
        entries, status = read(schemas)
        if entries is None:
            alone = {number: read({number: schema})[0] or {} for number, schema in schemas.items()}
            given = {key for one in alone.values() for key in one}
            # A number that was not asked for makes it unclear what the others count from.
            clear = all(key in schemas or not key.isdecimal() for key in given)
            entries = {number: one[number] for number, one in alone.items() if one and clear}
        found = {index: entries[str(index + 1)] for index in self.pending if str(index + 1) in entries}
        return self._checked(found), status

    def _checked(self, entries: Mapping[int, Any]) -> dict[int, Any]:
        """Leave out entries that repeat another item than their number says."""
        echo = self.rows.echo
        if echo is None:
            return dict(entries)
        kept = {}
        for index, entry in entries.items():
            said = entry.get(echo) if isinstance(entry, Mapping) else None
            if isinstance(said, str) and said.strip():
                place = self._echoes([Candidate(IssueCode.MISSING_VERDICT, echo=said)])[0]
                if place is not None and self.pending[place] != index:
                    continue
            kept[index] = entry
        return kept

    def _echoes(self, lines: Sequence[Candidate]) -> Sequence[int | None]:
        return Statements([self.rows.items[index] for index in self.pending]).echoes(lines)

    # -- a list ------------------------------------------------------------------------------------------------------

    def by_list(self) -> dict[int, Any]:
        """Read a list of entries: by the number each carries, by the item it repeats, by position if the count fits."""
        if self.rows.entry is not None:
            return {}
        item = self.rows.entry_schema(self.schema, 0)
        value = self._parse(_object({self.rows.field: {"type": "array", "items": item}})).value
        if value is None:
            return {}
        entries = value[self.rows.field]
        ids = [self._id_of(entry) for entry in entries]
        if any(identity is not None for identity in ids):
            places = [None if identity is None else identity - 1 for identity in ids]
            known = {place for place in places if place is not None} <= set(self.pending)
            return self._checked(self._filed(entries, places)) if known else {}
        echoes = [entry.get(self.rows.echo) if isinstance(entry, Mapping) else None for entry in entries]
        if self.rows.echo is not None and any(isinstance(echo, str) for echo in echoes):
            lines = [
                Candidate(IssueCode.MISSING_VERDICT, echo=echo if isinstance(echo, str) else None) for echo in echoes
            ]
            found = self._echoes(lines)
            return self._filed(entries, [None if place is None else self.pending[place] for place in found])
        return dict(zip(self.pending, entries, strict=True)) if len(entries) == len(self.pending) else {}

    def _filed(self, entries: Sequence[Any], places: Sequence[int | None]) -> dict[int, Any]:
        """Entries by item; two of an item that differ in more than their reasons and its text leave none."""

        def plain(entry: Any) -> Any:
            beside = {"reason", self.rows.echo}
            return {k: v for k, v in entry.items() if k not in beside} if isinstance(entry, Mapping) else entry

        found: dict[int, Any] = {}
        for index, entry in zip(places, entries, strict=True):
            if index in found and not same(plain(found[index]), plain(entry)):
                found[index] = None
            elif index is not None:
                found.setdefault(index, entry)
        return {index: entry for index, entry in found.items() if entry is not None}

    def _id_of(self, entry: Any) -> int | None:
        """The number that an entry carries beside its own properties."""
        if not isinstance(entry, Mapping):
            return None
        own = self.rows.entry_schema(self.schema, 0).get("properties", {})
        ids = [read_id(entry.get(key)) for key in _ID_KEYS if key not in own]
        return next((identity for identity in ids if isinstance(identity, int)), None)

    # -- the caller's own form ---------------------------------------------------------------------------------------

    def other(self) -> dict[int, Any]:
        if self.rows.other is None:
            return {}
        schema, entries_of = self.rows.other
        value = self._parse(schema).value
        return {} if value is None else {i: e for i, e in entries_of(value).items() if i in set(self.pending)}


def _object(properties: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}
