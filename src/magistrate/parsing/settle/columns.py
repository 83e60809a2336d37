"""The columns of data of a shape that is known: what each statement gets, taken a column at a time.

Two shapes: rows of one kind, as many as asked; and one object with the parts of all rows, {"s1_why": ..., "s1": ...}.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Final, NamedTuple

from magistrate.parsing.decode.documents import end_of, member_spans
from magistrate.parsing.layouts.single import CONCLUSIONS, LAST_WORDS, concludes, names_verdict
from magistrate.parsing.rows.candidate import Span
from magistrate.parsing.rows.statements import default_ids
from magistrate.parsing.rows.verdicts import VerdictRows
from magistrate.parsing.settle.alignment import begins_with_another
from magistrate.parsing.switches import cached, cached_for
from magistrate.parsing.wording.courtesy import withdraws
from magistrate.parsing.wording.keys import Role, asks_support, is_named, polarity_of, role_of
from magistrate.parsing.wording.languages import group
from magistrate.parsing.wording.patterns import Screen
from magistrate.parsing.wording.scales import Words, words_of
from magistrate.verdict import Verdict

_LISTS: Final = frozenset(
    "verdicts statements results claims evaluations judgments judgements answers items data output response".split()
)
_PARTS: Final = frozenset({Role.ID, Role.ECHO, Role.VERDICT, Role.REASON, Role.QUOTE})
_WIDEST: Final = 12
_TOKEN: Final = "token"  # noqa: S105 - a key of a reply, not a password
_PLAIN: Final = re.compile(r"\w+")


def columns_of(
    value: Any, statements: Sequence[str], words: Words, token: str | None, ids: Sequence[str] | None
) -> Found | None:
    """What each statement gets; None where the shape of the data, or a reason, needs a closer look."""
    try:
        found = _flat(value, len(statements), words, token, ids) if type(value) is dict else None
        found = found or _listed(value, statements, words, token, ids)
        if found is None or (reasons := found.reasons) is None:
            return found
        said = "\n".join(reasons)
        if not found.named and (not set(reasons).isdisjoint(statements) or _begins_with_another(reasons)):
            return None  # a reason that is a statement says which one the row is about
        doubtful = _second_thoughts().search(said) or (not said.isascii() and names_verdict(said))
        if doubtful and _says_otherwise(said, found, words):
            return None
    except (KeyError, TypeError):
        return None
    return found


class Found(NamedTuple):
    """The columns of an answer.

    Args:
        verdicts: The verdict of each statement.
        reasons: The reason of each; None where there are none.
        quotes: The quotation or quotations of each, likewise.
        marks: How many quotation marks the JSON has if no key is repeated.
        named: Whether rows name their statements.
        rows: The objects that hold them.
        plan: Which keys of the one object are whose, if it holds the parts of all rows.
        holder: The key that holds the list of rows; "" where none does, None where there is no list.
    """

    verdicts: list[Verdict]
    reasons: tuple[str, ...] | None
    quotes: Sequence[Any] | None
    marks: int
    named: bool
    rows: Sequence[Any]
    plan: _Flat | None
    holder: str | None

    def spans(self, raw: str, start: int, *, plain: bool) -> Sequence[Span]:
        """Where each row stands in a reply in which the data begins at `start`, and is right.

        Args:
            raw: The reply.
            start: Where the data begins.
            plain: Whether no string holds an escape, and all quotation marks are those of `marks`.
        """
        if self.plan is not None:
            return _flat_spans(raw, start, self.plan, self.rows[0], plain=plain)
        if self.holder is None:
            return [(start, end_of(raw, start))]
        return _row_spans(raw, start, self.holder, len(self.rows), plain=plain)


_found: Final = Found._make
"""In the order of its fields, in half the time."""


# -- the parts of all rows in one object -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Flat:
    verdicts: Callable[[Any], tuple[Any, ...]]
    reasons: Callable[[Any], tuple[Any, ...]] | None
    names: tuple[str, ...]
    heads: tuple[tuple[str, ...], ...]  # what stands before them in JSON, if they are in this order, and plain


def _flat(value: Any, count: int, words: Words, token: str | None, ids: Sequence[str] | None) -> Found | None:
    if not count <= len(value) <= 2 * count + 1 or (token is not None and value.get(_TOKEN) != token):
        return None
    plan = _flat_plan(tuple(value), count, None if ids is None else tuple(ids))
    if plan is None:
        return None
    verdicts = [*map(words.exact.__getitem__, plan.verdicts(value))]
    reasons = plan.reasons(value) if plan.reasons is not None else None
    marks = 2 * (len(value) + [*map(type, value.values())].count(str))
    return _found((verdicts, reasons, None, marks, True, [value], plan, None))


@cached_for(256)
def _flat_plan(keys: tuple[str, ...], count: int, ids: tuple[str, ...] | None) -> _Flat | None:
    """Which key is the verdict of which statement, and which its reason; None where any key is something else."""
    verdicts: dict[int, str] = {}
    reasons: dict[int, str] = {}
    names = VerdictRows(words_of("binary"), lambda _: False)
    for key in keys:
        if key == _TOKEN:
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
    plain = sorted(ordered, key=keys.index) == list(ordered) and all(map(_PLAIN.fullmatch, ordered))
    return _Flat(
        _getter(ordered),
        _getter(tuple(reasons[at] for at in range(1, count + 1))) if reasons else None,
        ordered,
        tuple(tuple(f'"{key}":{gap}"' for key in ordered) for gap in (" ", "")) if plain else (),
    )


def _getter(keys: tuple[str, ...]) -> Callable[[Any], tuple[Any, ...]]:
    if len(keys) == 1:
        only = keys[0]
        return lambda value: (value[only],)
    return itemgetter(*keys)


def _flat_spans(raw: str, start: int, plan: _Flat, value: dict[str, Any], *, plain: bool) -> Sequence[Span]:
    """Where verdicts stand: behind their keys, which are unlike all else if every quotation mark is structure."""
    for heads in plan.heads if plain else ():
        spans: list[Span] = []
        at, index, append = start, raw.index, spans.append
        try:
            for head, size, length in zip(heads, map(len, heads), map(len, plan.verdicts(value))):  # noqa: B905
                at = index(head, at) + size
                append((at - 1, at + length + 1))
        except ValueError:
            continue
        return spans
    places = member_spans(raw, start)
    return [places[name] for name in plan.names]


# -- rows ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Plan:
    verdict: int
    identity: int | None
    echo: int | None
    reason: int | None
    quotes: int | None
    support: bool
    cells: Callable[[Any], tuple[Any, ...]]


def _listed(
    value: Any, statements: Sequence[str], words: Words, token: str | None, ids: Sequence[str] | None
) -> Found | None:
    count, marks = len(statements), 0
    rows: Any = value
    holder: str | None = ""
    if isinstance(value, dict):
        if len(value) > _WIDEST or (token is not None and value.get(_TOKEN) != token):
            return None
        rest = [key for key in value if key != _TOKEN]
        marks = 4 * (len(value) - len(rest))
        if len(rest) == 1 and rest[0] in _LISTS:
            holder, rows, marks = rest[0], value[rest[0]], marks + 2
        elif count == 1 and not marks:
            rows, holder = [value], None
        else:
            return None
    elif token is not None:
        return None
    if not isinstance(rows, list) or len(rows) != count or not count or not isinstance(rows[0], dict):
        return None
    keys = tuple(rows[0])
    plan = _plan(keys)
    if plan is None or (plan.support and not words.two_valued) or [*map(len, rows)].count(len(keys)) != count:
        return None
    columns = [*zip(*map(plan.cells, rows))]  # noqa: B905 - they are of one length, and this is the hot path
    said = columns[plan.verdict]
    verdicts = [*map(words.exact.__getitem__, said)]
    if "NEI" in words.exact and "NEI" in said and "JA" in said:  # a no in capitals, not "not enough information"
        return None
    if plan.identity is not None and not _in_order(columns[plan.identity], count, ids):
        return None
    if plan.echo is not None and columns[plan.echo] != tuple(statements):
        return None
    # of a column that is known all cells are of one kind
    texts = [*map(type, said)].count(str) + count * ((plan.echo is not None) + (plan.reason is not None))
    if plan.identity is not None and type(columns[plan.identity][0]) is str:
        texts += count
    reasons = columns[plan.reason] if plan.reason is not None else None
    quotes = columns[plan.quotes] if plan.quotes is not None else None
    if quotes is not None:
        texts += [*map(type, quotes)].count(str)
    named = plan.identity is not None or plan.echo is not None
    return _found((verdicts, reasons, quotes, marks + 2 * (count * len(keys) + texts), named, rows, None, holder))


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
        _getter(keys),
    )


@cached
def _numbers(count: int) -> tuple[int, ...]:
    return tuple(range(1, count + 1))


def _in_order(given: tuple[Any, ...], count: int, ids: Sequence[str] | None) -> bool:
    if ids is not None:
        return given == tuple(ids)
    return (given == _numbers(count) and given[0] is not True) or given == default_ids(count)


def _row_spans(raw: str, start: int, holder: str, count: int, *, plain: bool) -> Sequence[Span]:
    """Where the rows stand: from brace to brace, if no string in them holds a closing one."""
    if holder:
        at = raw.find(f'"{holder}"', start) if plain else -1
        start = raw.find("[", at) if at >= 0 else member_spans(raw, start)[holder][0]
    parts = raw[start:].split("}")
    if len(parts) != count + (2 if holder else 1):
        return list(member_spans(raw, start).values())
    spans: list[Span] = []
    for part in parts[:count]:
        end = start + len(part) + 1
        spans.append((start + part.index("{"), end))
        start = end
    return spans


# -- reasons ---------------------------------------------------------------------------------------------------------


@cached
def _item_heads() -> frozenset[str]:
    """How the names of statements begin: a quick look whether a reason may begin with one."""
    return frozenset(name[:3] for name in ("item", *group("names", "item")))


@cached
def _second_thoughts() -> Screen:
    return Screen((*group("prose", "withdrawn"), *CONCLUSIONS), beside=LAST_WORDS)


def _begins_with_another(reasons: Sequence[str]) -> bool:
    """Whether a reason may name another statement."""
    heads = _item_heads()
    return any(begins_with_another(one, at) for at, one in enumerate(reasons) if one[:3].lower() in heads)


def _says_otherwise(said: str, found: Found, words: Words) -> bool:
    """Whether a reason may say more than why: take the verdict back, or give another."""
    return withdraws(said) or any(
        concludes(reason, words) not in {None, verdict}
        for reason, verdict in zip(found.reasons or (), found.verdicts, strict=True)
    )
