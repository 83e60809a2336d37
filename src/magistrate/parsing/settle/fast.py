"""The road nearly all replies take: JSON that needs no mending, perhaps in one fence, of a shape that is known.

Two shapes: rows of one kind, as many as asked; and one object with the parts of all rows, {"s1_why": ..., "s1": ...}.
Columns are checked at a time, and verdict objects are built when they are asked for. Whatever is not exactly that goes
the long way round, which gives the same reading, slower.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from operator import itemgetter
from typing import Any, Final

from jiter import from_json

from magistrate.parsing.decode.documents import end_of, member_spans, repeats_a_key
from magistrate.parsing.layouts.single import concludes, may_conclude, may_end
from magistrate.parsing.readings import FIELDS, OK, VerdictReading, locate, new_verdict
from magistrate.parsing.rows.candidate import Span
from magistrate.parsing.rows.statements import default_ids
from magistrate.parsing.rows.verdicts import VerdictRows
from magistrate.parsing.rows.walk import texts_of
from magistrate.parsing.settle.alignment import begins_with_another
from magistrate.parsing.switches import cached, cached_for
from magistrate.parsing.wording.courtesy import withdraws
from magistrate.parsing.wording.fold import clean
from magistrate.parsing.wording.keys import Role, asks_support, is_named, polarity_of, role_of
from magistrate.parsing.wording.languages import group
from magistrate.parsing.wording.scales import Words, words_of
from magistrate.verdict import StatementVerdict, Verdict

__all__ = ["read_fast"]

_LISTS: Final = frozenset(
    "verdicts statements results claims evaluations judgments judgements answers items data output response".split()
)
_PARTS: Final = frozenset({Role.ID, Role.ECHO, Role.VERDICT, Role.REASON, Role.QUOTE})
_WIDEST: Final = 12
_TOKEN: Final = "token"  # noqa: S105 - a key of a reply, not a password
_values: Final = dict.values

# A Pydantic object is these four slots; setting them spares validating what has been checked already.
_SLOTS: Final = StatementVerdict.__mro__[1].__dict__
_set_dict: Final = _SLOTS["__dict__"].__set__
_set_fields: Final = _SLOTS["__pydantic_fields_set__"].__set__
_set_extra: Final = _SLOTS["__pydantic_extra__"].__set__
_set_private: Final = _SLOTS["__pydantic_private__"].__set__

Spans = Callable[[str, int], Sequence[Span]]


def read_fast(
    raw: str,
    statements: Sequence[str],
    words: Words,
    token: str | None,
    ids: Sequence[str] | None,
    contexts: Sequence[str] | None,
    given: Sequence[str] = (),
) -> VerdictReading | None:
    """Read a reply that needs no second thought; None where it does."""
    start, part = 0, raw
    if raw[:1] not in {"{", "["} or raw[-1:] not in {"}", "]"}:
        start, stop = _inside(raw)
        if start < 0:
            return None
        part = raw[start:stop]
    try:
        value = from_json(part.encode())
    except ValueError:
        return None
    escapes = "\\" in part
    count = len(statements)
    try:
        found = _flat(value, count, words, token, ids) or _listed(value, statements, words, token, ids)
        if found is None:
            return None
        verdicts, reasons, quotes, marks, spans, named = found
        if (escapes or part.count('"') != marks) and _repeats(part, value, escapes=escapes):
            return None
        if reasons is not None and _says_otherwise(reasons, verdicts, words, named=named):
            return None
    except (KeyError, TypeError):
        return None
    if (contexts or given) and any(part in text for text in (*(contexts or ()), *given)):
        return None
    source = (_build, raw, start, spans, verdicts, reasons, quotes, statements, ids, contexts)
    return VerdictReading(OK, verdicts, source, statements, "json")


def _repeats(part: str, value: Any, *, escapes: bool) -> bool:
    """Whether an object has a key twice."""
    if not escapes:
        return repeats_a_key(part, value)
    try:
        from_json(part.encode(), catch_duplicate_keys=True)
    except ValueError:
        return True
    return False


def _inside(raw: str) -> Span:
    """Where JSON stands in a reply that begins otherwise: in one fence, or between blanks; -1 where it may not."""
    start = len(raw) - len(raw.lstrip(" \t\r\n\ufeff"))
    stop = len(raw.rstrip(" \t\r\n"))
    if raw.startswith("```", start):
        line = raw.find("\n", start, start + 12)
        if line < 0 or raw[start + 3 : line].strip().lower() not in {"", "json"} or not raw.endswith("```", line, stop):
            return -1, -1
        inner = raw[line + 1 : stop - 3]
        start, stop = line + 1 + len(inner) - len(inner.lstrip()), line + 1 + len(inner.rstrip())
    return (start, stop) if raw[start : start + 1] in {"{", "["} and raw[stop - 1 : stop] in {"}", "]"} else (-1, -1)


Found = tuple[list[Verdict], tuple[Any, ...] | None, Sequence[Any] | None, int, Spans, bool]
"""Verdicts, reasons, quotes, quotation marks that the JSON has if no key is repeated, where the rows stand, and whether
they name their statements."""


# -- the parts of all rows in one object -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Flat:
    verdicts: Callable[[Any], tuple[Any, ...]]
    reasons: Callable[[Any], tuple[Any, ...]] | None
    names: tuple[str, ...]
    places: tuple[int, ...]


def _flat(value: Any, count: int, words: Words, token: str | None, ids: Sequence[str] | None) -> Found | None:
    if type(value) is not dict or len(value) < count or (token is not None and value.get(_TOKEN) != token):
        return None
    plan = _flat_plan(tuple(value), count, None if ids is None else tuple(ids), _TOKEN in value)
    if plan is None:
        return None
    verdicts = [*map(words.exact.__getitem__, plan.verdicts(value))]
    reasons = plan.reasons(value) if plan.reasons is not None else None
    if reasons is not None:
        "".join(reasons)  # none of them is anything but a text
    texts = [*map(type, value.values())].count(str)
    marks = 2 * (len(value) + texts)
    places = plan.places if texts == len(value) else ()
    return verdicts, reasons, None, marks, lambda raw, start: _flat_spans(raw, start, plan.names, places), True


@cached_for(256)
def _flat_plan(keys: tuple[str, ...], count: int, ids: tuple[str, ...] | None, has_token: bool) -> _Flat | None:
    """Which key is the verdict of which statement, and which its reason; None where any key is something else."""
    verdicts: dict[int, str] = {}
    reasons: dict[int, str] = {}
    names = VerdictRows(words_of("binary"), lambda _: False)
    for key in keys:
        if has_token and key == _TOKEN:
            continue
        name, role = names.name_of(key)
        if ids is not None:
            number = ids.index(key) + 1 if key in ids else None
            name, role = (number, Role.VERDICT) if number is not None else (None, role)
        part = verdicts if role is Role.VERDICT else reasons if role is Role.REASON else None
        if part is None or not isinstance(name, int) or name in part or not 1 <= name <= count:
            return None
        part[name] = key
    if count < 1 or len(verdicts) != count or len(reasons) not in {0, count}:
        return None
    ordered = tuple(verdicts[at] for at in range(1, count + 1))
    return _Flat(
        _getter(ordered),
        _getter(tuple(reasons[at] for at in range(1, count + 1))) if reasons else None,
        ordered,
        tuple(keys.index(key) for key in ordered),
    )


def _getter(keys: tuple[str, ...]) -> Callable[[Any], tuple[Any, ...]]:
    if len(keys) == 1:
        only = keys[0]
        return lambda value: (value[only],)
    return itemgetter(*keys)


def _flat_spans(raw: str, start: int, names: Sequence[str], places: Sequence[int]) -> Sequence[Span]:
    """Where verdicts stand: between the quotation marks, if all values are texts and none of these holds an escape."""
    if "\\" in raw or not places:
        spans = member_spans(raw, start)
        return [spans[name] for name in names]
    ends = [*accumulate(map(len, raw[start:].split('"')), initial=start)]
    # of each member there are four marks; its value stands between the last two
    return [(ends[at] + at - 1, ends[at + 1] + at + 1) for at in (4 * place + 3 for place in places)]


# -- rows ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Plan:
    verdict: int
    identity: int | None
    echo: int | None
    reason: int | None
    quotes: int | None
    support: bool
    width: int


def _listed(
    value: Any, statements: Sequence[str], words: Words, token: str | None, ids: Sequence[str] | None
) -> Found | None:
    count, holder, marks = len(statements), None, 0
    rows = value
    if type(value) is dict:
        if token is not None and value.get(_TOKEN) != token:
            return None
        rest = [key for key in value if key != _TOKEN]
        marks = 4 * (len(value) - len(rest))
        if len(rest) == 1 and rest[0] in _LISTS:
            holder, rows, marks = rest[0], value[rest[0]], marks + 2
        elif count == 1 and not marks:
            rows = [value]
        else:
            return None
    elif token is not None:
        return None
    if type(rows) is not list or len(rows) != count or not count or type(rows[0]) is not dict:
        return None
    keys = tuple(rows[0])
    plan = _plan(keys)
    if plan is None or (plan.support and not words.two_valued) or [*map(tuple, rows)].count(keys) != count:
        return None
    columns = [*zip(*map(_values, rows))]  # noqa: B905 - they are of one length, and this is the hot path
    verdicts = [*map(words.exact.__getitem__, columns[plan.verdict])]
    if plan.identity is not None and not _in_order(columns[plan.identity], count, ids):
        return None
    if plan.echo is not None and columns[plan.echo] != tuple(statements):
        return None
    reasons = columns[plan.reason] if plan.reason is not None else None
    if reasons is not None:
        "".join(reasons)
    texts = [type(cell) for cell in rows[0].values()].count(str)
    marks += 2 * count * (plan.width + texts)
    single = holder is None and type(value) is dict
    quotes = columns[plan.quotes] if plan.quotes is not None else None

    def spans(raw: str, start: int) -> Sequence[Span]:
        return [(start, end_of(raw, start))] if single else _row_spans(raw, start, count, holder)

    return verdicts, reasons, quotes, marks, spans, plan.identity is not None or plan.echo is not None


@cached_for(512)
def _plan(keys: tuple[str, ...]) -> _Plan | None:
    """Which key names which part; None where more than one names a verdict, or one is not plain."""
    found: dict[Role, int] = {}
    for at, key in enumerate(keys[: _WIDEST + 1]):
        role = role_of(key)
        if role not in _PARTS or role in found or polarity_of(key) is not None or is_named(key, "abstention"):
            return None
        found[role] = at
    if Role.VERDICT not in found or len(keys) > _WIDEST:
        return None
    return _Plan(
        found[Role.VERDICT],
        found.get(Role.ID),
        found.get(Role.ECHO),
        found.get(Role.REASON),
        found.get(Role.QUOTE),
        asks_support(keys[found[Role.VERDICT]]),
        len(keys),
    )


@cached
def _numbers(count: int) -> tuple[int, ...]:
    return tuple(range(1, count + 1))


def _in_order(given: tuple[Any, ...], count: int, ids: Sequence[str] | None) -> bool:
    if ids is not None:
        return given == tuple(ids)
    return (given == _numbers(count) and given[0] is not True) or given == default_ids(count)


def _row_spans(raw: str, start: int, count: int, holder: str | None) -> Sequence[Span]:
    """Where the rows stand: by the way they all begin ('{"id"'), which no string can hold without an escape."""
    begin = raw.find("{", start + 1)
    first = raw.find('"', begin)
    head = raw[begin : raw.find('"', first + 1) + 1]
    if begin >= 0 and "\\" not in head and raw.count(head, begin) == count:
        starts = [begin]
        for _ in range(count - 1):
            starts.append(raw.find(head, starts[-1] + 1))
        spans = [(here, raw.rfind("}", here, there) + 1) for here, there in pairwise(starts)]
        return [*spans, (starts[-1], end_of(raw, starts[-1]))]
    if holder is not None:
        start = member_spans(raw, start)[holder][0]
    return list(member_spans(raw, start).values())


# -- reasons, verdict objects ----------------------------------------------------------------------------------------


@cached
def _item_heads() -> frozenset[str]:
    """How the names of statements begin: a quick look whether a reason may begin with one."""
    return frozenset(name[:3] for name in ("item", *group("names", "item")))


def _says_otherwise(reasons: Sequence[str], verdicts: Sequence[Verdict], words: Words, *, named: bool) -> bool:
    """Whether a reason may say more than why: name another statement, take the verdict back, or give another."""
    said = "\n".join(reasons)
    if withdraws(said):
        return True
    if not named and any(
        begins_with_another(reason, at) for at, reason in enumerate(reasons) if reason[:3].lower() in _item_heads()
    ):
        return True
    if not may_conclude(said) and not any(map(may_end, reasons)):
        return False
    return any(
        may_conclude(reason) and concludes(reason, words) not in {None, verdict}
        for reason, verdict in zip(reasons, verdicts, strict=True)
    )


def _build(
    raw: str,
    start: int,
    spans_of: Spans,
    verdicts: Sequence[Verdict],
    reasons: Sequence[str] | None,
    quotes: Sequence[Any] | None,
    statements: Sequence[str],
    ids: Sequence[str] | None,
    contexts: Sequence[str] | None,
) -> list[StatementVerdict]:
    names = default_ids(len(verdicts)) if ids is None else ids
    spans = spans_of(raw, start)
    made = []
    for at, verdict in enumerate(verdicts):
        reason = reasons[at] if reasons is not None else None
        one = new_verdict(StatementVerdict)
        _set_dict(
            one,
            {
                "index": at,
                "id": names[at],
                "statement": statements[at],
                "verdict": verdict,
                "reason": clean(reason) if reason and not reason.isspace() else None,
                "evidence": locate(texts_of(quotes[at]), contexts) if quotes is not None else (),
                "probability": None,
                "confidence": None,
                "votes": (),
                "issues": (),
                "format": "json",
                "span": spans[at],
                "repairs": (),
            },
        )
        _set_fields(one, FIELDS)
        _set_extra(one, None)
        _set_private(one, None)
        made.append(one)
    return made
