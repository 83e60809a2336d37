"""What the parsing functions return: a status, a value or none, and what is to be known about it."""

from collections.abc import Callable, Iterator, Sequence
from copy import copy, deepcopy
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Generic, SupportsIndex, TypeVar, overload

from pydantic import BaseModel

from magistrate.verdict import Evidence, Issue, IssueCode, ParseStatus, Repair, StatementVerdict, Verdict

Span = tuple[int, int]
T = TypeVar("T")
VERDICT_FIELDS: Final[dict[str, Any]] = {
    name: field.get_default() if not field.is_required() else None
    for name, field in StatementVerdict.model_fields.items()
}
_FIELDS: Final = set(VERDICT_FIELDS)
OK: Final = ParseStatus.OK
"""Looked up once: a member of an enumeration takes longer to find than a name."""
Rows = Callable[[], list[dict[str, Any]]]
"""What gives all fields of all verdicts, which are right already, when one of them is asked for."""
_MEMBERS: Final = BaseModel.__dict__["__dict__"]
_FILL: Final = _MEMBERS.__set__
_CLASS: Final = object.__dict__["__class__"]
_UNSET: Final = {"__pydantic_fields_set__": _FIELDS, "__pydantic_extra__": None, "__pydantic_private__": None}


@dataclass(frozen=True, slots=True)
class ScoreReading:
    """One number on a declared range.

    Attributes:
        status: How the reading ended.
        value: The number as the judge gave it; None where there is none that is safe to use.
        issues: What is to be known about the reading.
        format: What it was read from ("json", "number", "bracketed", "labelled", ...); None where there is none.
        reason: The judge's reason; None where it gave none that can be told from the rest.
        span: Where the number stands in the raw reply.
        repairs: The repairs that were needed to read it.
    """

    status: ParseStatus
    value: float | None = None
    issues: tuple[Issue, ...] = ()
    format: str | None = None
    reason: str | None = None
    span: Span | None = None
    repairs: tuple[Repair, ...] = ()


@dataclass(frozen=True, slots=True)
class LabelReading:
    """One of several declared labels.

    Attributes:
        status: How the reading ended.
        label: The label, as declared; None where there is none that is safe to use.
        issues: What is to be known about the reading.
        format: What it was read from; None where there is none.
        reason: The judge's reason; None where it gave none that can be told from the rest.
        span: Where the label stands in the raw reply.
        repairs: The repairs that were needed to read it.
    """

    status: ParseStatus
    label: str | None = None
    issues: tuple[Issue, ...] = ()
    format: str | None = None
    reason: str | None = None
    span: Span | None = None
    repairs: tuple[Repair, ...] = ()


@dataclass(frozen=True, slots=True)
class StatementsReading:
    """The statements a judge took out of a text.

    Attributes:
        status: How the reading ended; `empty` where the judge found none.
        statements: The statements, blank ones left out. With status `truncated` the list is known to be incomplete.
        issues: What is to be known about the reading.
        format: What they were read from; None where there is none.
        spans: Where each stands in the raw reply, where known.
        repairs: The repairs that were needed to read them.
    """

    status: ParseStatus
    statements: list[str]
    issues: tuple[Issue, ...] = ()
    format: str | None = None
    spans: tuple[Span | None, ...] = ()
    repairs: tuple[Repair, ...] = ()


@dataclass(frozen=True, slots=True)
class ObjectReading(Generic[T]):
    """An object of the caller's schema.

    Attributes:
        status: How the reading ended.
        value: The object; None where there is none that is safe to use.
        issues: What is to be known about the reading.
        repairs: The repairs that were needed to read it.
        format: What it was read from; None where there is none.
        errors: Where the reply does not fit the schema: one line each, "path: what is wrong".
    """

    status: ParseStatus
    value: T | None = None
    issues: tuple[Issue, ...] = ()
    repairs: tuple[Repair, ...] = ()
    format: str | None = None
    errors: tuple[str, ...] = ()


class Verdicts(Sequence[StatementVerdict]):
    """One `StatementVerdict` per statement, in order; they are built when the first is asked for, and then kept."""

    __slots__ = ("_built", "_found", "_rows")

    def __init__(self, found: Sequence[Verdict | None], rows: Rows) -> None:
        self._found = found
        self._rows = rows
        self._built: Sequence[StatementVerdict] | None = None

    @overload
    def __getitem__(self, index: int) -> StatementVerdict: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[StatementVerdict]: ...
    def __getitem__(self, index: int | slice) -> StatementVerdict | Sequence[StatementVerdict]:
        built = self._built or [*self]
        return tuple(built[index]) if isinstance(index, slice) else built[index]

    def __iter__(self) -> Iterator[StatementVerdict]:
        built = self._built
        if built is None:
            built = self._built = _verdicts_later(self._found, self._rows)
        return iter(built)

    def __len__(self) -> int:
        return len(self._found)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Verdicts | tuple | list):
            return len(self) == len(other) and all(mine == theirs for mine, theirs in zip(self, other, strict=True))
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Verdicts({list(self)!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the verdicts, not the way to build them."""
        return (Verdicts, (tuple(self._found), self._kept()))

    def _kept(self) -> Rows:
        return partial(list, [vars(one) for one in self])


class VerdictReading:
    """What a reply says of the statements.

    Attributes:
        status: `ok` where every statement has a verdict, `partial` where some have, else why none has.
        issues: What is to be known about the reading, of the reply as a whole and of single statements.
        format: What the verdicts were read from ("json", "xml", "numbered", ...); None where there is none.
        extra: Verdicts that the reply gave beyond the statements asked about, in its order.
        statements: The statements; those asked about, or those taken from the reply.
    """

    def __init__(
        self,
        status: ParseStatus,
        found: Sequence[Verdict | None],
        rows: Rows,
        statements: Sequence[str],
        format: str | None = None,  # noqa: A002 - the public name of the attribute
        issues: tuple[Issue, ...] = (),
        repairs: tuple[Repair, ...] | Callable[[], tuple[Repair, ...]] = (),
        extra: tuple[Verdict, ...] = (),
    ) -> None:
        self.status = status
        self.format = format
        self.statements = statements
        self._found = found
        self._rows = rows
        self.issues = issues
        self.extra = extra
        self._repairs = repairs
        self._verdicts: Verdicts | None = None

    @property
    def verdicts(self) -> Verdicts:
        """One `StatementVerdict` per statement, in order."""
        if self._verdicts is None:
            self._verdicts = Verdicts(self._found, self._rows)
        return self._verdicts

    @property
    def found(self) -> Sequence[Verdict | None]:
        """The verdict of each statement, without the rest; None where there is none."""
        return self._found

    @property
    def repairs(self) -> tuple[Repair, ...]:
        """The repairs that were needed to read it, in the order of the reply."""
        if callable(self._repairs):
            self._repairs = self._repairs()
        return self._repairs

    @property
    def missing(self) -> tuple[int, ...]:
        """Indices (0-based) of the statements that still lack a verdict: what to ask again."""
        return tuple(index for index, verdict in enumerate(self._found) if verdict is None)

    def __repr__(self) -> str:
        codes = ", ".join(sorted({issue.code.value for issue in self.issues}))
        found = len(self._found) - len(self.missing)
        return f"VerdictReading({self.status.value}, {found} of {len(self._found)} verdicts, {self.format}, [{codes}])"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the verdicts, not the way to build them."""
        parts = (
            self.status,
            tuple(self._found),
            self.verdicts._kept(),  # noqa: SLF001 - a part of this one
            tuple(self.statements),
            self.format,
            self.issues,
            self.repairs,
            self.extra,
        )
        return (VerdictReading, parts)


class _Late(StatementVerdict):
    """A verdict whose other members are worked out when one of them is asked for: then it is a `StatementVerdict`."""

    __init__ = object.__init__

    def __getattr__(self, name: str) -> Any:
        return getattr(_filled(self), name)

    __dict__ = property(lambda self: _filled(self).__dict__)
    __class__ = property(lambda self: type(_filled(self)))

    def __copy__(self) -> Any:
        return copy(_filled(self))

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Any:
        return deepcopy(_filled(self), memo)

    def __reduce_ex__(self, protocol: SupportsIndex) -> Any:
        return _filled(self).__reduce_ex__(protocol)


def _filled(one: StatementVerdict) -> StatementVerdict:
    """Give a late verdict all its members."""
    members = _MEMBERS.__get__(one)
    later = members.get("later")
    if later is not None:
        for name, value in _UNSET.items():
            object.__setattr__(one, name, value)
        if callable(later[0]):
            later[:] = later[0]()
        _FILL(one, later[members["at"]])
        _CLASS.__set__(one, StatementVerdict)
    return one


def _verdicts_later(found: Sequence[Verdict | None], rows: Rows) -> list[StatementVerdict]:
    made: list[StatementVerdict] = []
    later, fill, add = [rows], _FILL, made.append
    for verdict in found:
        fill(one := _Late(), {"verdict": verdict, "at": len(made), "later": later})
        add(one)
    return made


def locate(quotes: Sequence[str], contexts: Sequence[str] | None) -> tuple[Evidence, ...]:
    """Quotes, each with the place where it stands word for word in a context; others are left for a closer look."""
    found = []
    for quote in quotes:
        place = next(
            ((at, start) for at, context in enumerate(contexts or ()) if (start := context.find(quote)) >= 0), None
        )
        found.append(
            Evidence(quote) if place is None else Evidence(quote, place[0], place[1], place[1] + len(quote), 1.0)
        )
    return tuple(found)


def issue(code: IssueCode, message: str, index: int | None = None) -> Issue:
    """An issue whose message is bounded: it may quote a reply."""
    return Issue(code, message if len(message) <= 300 else message[:297] + "...", index)  # noqa: PLR2004
