"""The road nearly all replies take: JSON that needs no mending, perhaps in one fence, of a shape that is known.

Two shapes: rows of one kind, as many as asked; and one object with the parts of all rows, {"s1_why": ..., "s1": ...}.
Columns are checked at a time, and verdict objects are built when they are asked for. Whatever is not exactly that goes
the long way round, which gives the same reading, slower.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise, repeat
from operator import itemgetter
from typing import Any, Final, NamedTuple

from jiter import from_json

from magistrate.parsing.decode.documents import Document, end_of, member_spans, repeats_a_key
from magistrate.parsing.decode.nodes import Obj
from magistrate.parsing.decode.parts import Part
from magistrate.parsing.layouts.single import CONCLUSIONS, LAST_WORDS, concludes, names_verdict
from magistrate.parsing.readings import OK, VERDICT_FIELDS, VerdictReading, issue, locate, verdicts_of
from magistrate.parsing.rows.candidate import Path, Span
from magistrate.parsing.rows.statements import Statements, default_ids
from magistrate.parsing.rows.verdicts import VerdictRows
from magistrate.parsing.rows.walk import texts_of
from magistrate.parsing.settle.acceptance import is_foreign, unaccounted
from magistrate.parsing.settle.alignment import begins_with_another
from magistrate.parsing.settle.ladder import repaired
from magistrate.parsing.switches import cached, cached_for
from magistrate.parsing.wording.courtesy import SENTENCES, is_courtesy, is_own_lead, withdraws
from magistrate.parsing.wording.fold import clean
from magistrate.parsing.wording.keys import Role, asks_support, is_named, polarity_of, role_of
from magistrate.parsing.wording.languages import group
from magistrate.parsing.wording.patterns import Screen
from magistrate.parsing.wording.scales import Words, words_of
from magistrate.verdict import IssueCode, StatementVerdict, Verdict

_LISTS: Final = frozenset(
    "verdicts statements results claims evaluations judgments judgements answers items data output response".split()
)
_PARTS: Final = frozenset({Role.ID, Role.ECHO, Role.VERDICT, Role.REASON, Role.QUOTE})
_WIDEST: Final = 12
_TOKEN: Final = "token"  # noqa: S105 - a key of a reply, not a password
_PLAIN: Final = re.compile(r"\w+")
LONGEST_ENVELOPE: Final = 600


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
    start, stop = (0, len(raw)) if raw[:1] in _CLOSED_BY and raw[-1:] == _CLOSED_BY[raw[0]] else _inside(raw, words)
    if start < 0:
        return None
    part = raw[start:stop]
    try:
        value = from_json(part.encode())
        found = _columns(value, statements, words, token, ids)
    except ValueError:
        return None
    if found is None:
        return None
    escapes = "\\" in part
    if (escapes or part.count('"') != found.marks) and _repeats(part, value, escapes=escapes):
        return None
    if part in "\n".join((*statements, *(contexts or ()), *given)):
        return None
    source = (_build, raw, start, None, found, statements, ids, contexts)
    return VerdictReading(OK, found.verdicts, source, statements, "json")


def read_regular(
    part: Part, asked: Statements, words: Words, token: str | None, contexts: Sequence[str], given: Sequence[str]
) -> VerdictReading | None:
    """Read a part of a reply as `read_fast` does, where its one document had to be mended; None where it is not so."""
    if len(part.documents) != 1 or part.quoted or part.unfinished or part.overrun:
        return None
    document = part.documents[0]
    raw, statements, ids = part.text, asked.texts, None if asked.numbered else asked.ids
    before = "".join(raw[low:high] for low, high in part.prose if high <= document.start)
    behind = "".join(raw[low:high] for low, high in part.prose if high > document.start)
    if document.layer is not None or document.dangling or not _is_envelope(before, behind, words):
        return None
    found = _columns(document.value, statements, words, token, ids)
    if found is None or any(type(one) is Obj and one.twice for one in (document.value, *found.rows)):
        return None
    if raw[document.start : document.end] in "\n".join((*statements, *contexts, *given)):
        return None
    issues = repaired([code for code, _ in document.notes])
    if document.cut:
        issues.append(issue(IssueCode.UNCERTAIN_END, "the answer is complete, but its closing brackets are missing"))
    form = "repaired-json" if document.notes else "json"
    source = (_build, raw, document.start, document, found, statements, ids, contexts, form)
    return VerdictReading(OK, found.verdicts, source, statements, form, tuple(issues), document.changes)


def _columns(
    value: Any, statements: Sequence[str], words: Words, token: str | None, ids: Sequence[str] | None
) -> _Found | None:
    """What each statement gets; None where the shape of the data, or a reason, needs a closer look."""
    try:
        found = _flat(value, len(statements), words, token, ids) or _listed(value, statements, words, token, ids)
        if found is not None and found.reasons is not None and _says_otherwise(found, words):
            return None
    except (KeyError, TypeError):
        return None
    return found


def _repeats(part: str, value: Any, *, escapes: bool) -> bool:
    """Whether an object has a key twice."""
    if not escapes:
        return repeats_a_key(part, value)
    try:
        from_json(part.encode(), catch_duplicate_keys=True)
    except ValueError:
        return True
    return False


# -- what stands around ----------------------------------------------------------------------------------------------


_CLOSED_BY: Final = {"{": "}", "[": "]"}
_BLANKS: Final = " \t\r\n\ufeff"
_THINKING: Final = ("<think>", "<thinking>", "<reasoning>")
_OPENING: Final = re.compile(r"(?P<lead>[^`~<>{}\[\]|\d]*)(?P<fence>(?<![^\n])```(?:json|JSON)?[ \t]*\n)?\s*")
_CLOSING: Final = re.compile(r"\s*?(?P<fence>\n```[ \t]*(?![^\n]))?(?P<tail>(?:\s*\n[^`~<>{}\[\]|\d]*)?)\s*")


def _inside(raw: str, words: Words) -> Span:
    """Where JSON stands in a reply, behind thinking, in a fence, between courtesies; -1 where more may stand there."""
    at = len(raw) - len(raw.lstrip(_BLANKS))
    for mark in _THINKING:
        if raw.startswith(mark, at):
            close = raw.find("<", at + 1)
            if not raw.startswith(f"</{mark[1:]}", close) or "THINK]" in raw[:close] or "\u25c1" in raw[:close]:
                return -1, -1
            at = close + len(mark) + 1
            break
    brace = raw.find("{", at)
    start = raw.find("[", at, brace) if brace >= 0 else raw.find("[", at)
    start = brace if start < 0 else start
    stop = raw.rfind(_CLOSED_BY[raw[start]]) + 1 if start >= 0 else 0
    return (start, stop) if start < stop and _is_envelope(raw[at:start], raw[stop:], words) else (-1, -1)


def _is_envelope(before: str, behind: str, words: Words) -> bool:
    """Whether what stands around data says nothing: blanks, a fence, courtesies."""
    if not before.strip(_BLANKS) and not behind.strip(_BLANKS):
        return True
    return len(before) + len(behind) <= LONGEST_ENVELOPE and _says_nothing(before, behind, words)


@cached_for(512)
def _says_nothing(before: str, behind: str, words: Words) -> bool:
    opening, closing = _OPENING.fullmatch(before), _CLOSING.fullmatch(behind)
    if opening is None or closing is None or (opening["fence"] is None) is not (closing["fence"] is None):
        return False
    lead, tail = opening["lead"], closing["tail"]
    return (
        not any(True for text in (lead, tail) for _ in words.mentions(text))
        and words.signs.isdisjoint(lead + tail)
        and all(is_courtesy(one) or is_own_lead(one) for one in SENTENCES.split(lead))
        and not is_foreign(lead, len(lead))
        and not unaccounted(tail, numbers=False).strip()
    )


class _Found(NamedTuple):
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

    def paths(self) -> list[Path]:
        """Where each row stands in the data."""
        if self.plan is not None:
            return [(name,) for name in self.plan.names]
        if self.holder is None:
            return [()]
        return [(self.holder, at) if self.holder else (at,) for at in range(len(self.rows))]

    def spans(self, raw: str, start: int) -> Sequence[Span]:
        """Where each row stands in a reply in which the data begins at `start`, and is right."""
        if self.plan is not None:
            return _flat_spans(raw, start, self.plan, self.rows[0])
        return [(start, end_of(raw, start))] if self.holder is None else _row_spans(raw, start, self)


# -- the parts of all rows in one object -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Flat:
    verdicts: Callable[[Any], tuple[Any, ...]]
    reasons: Callable[[Any], tuple[Any, ...]] | None
    names: tuple[str, ...]
    keys: tuple[str, ...]  # as they are written, if they stand in this order, and are of letters and digits


def _flat(value: Any, count: int, words: Words, token: str | None, ids: Sequence[str] | None) -> _Found | None:
    if not isinstance(value, dict) or len(value) < count or (token is not None and value.get(_TOKEN) != token):
        return None
    plan = _flat_plan(tuple(value), count, None if ids is None else tuple(ids), _TOKEN in value)
    if plan is None:
        return None
    verdicts = [*map(words.exact.__getitem__, plan.verdicts(value))]
    reasons = plan.reasons(value) if plan.reasons is not None else None
    marks = 2 * (len(value) + [*map(type, value.values())].count(str))
    return _Found(verdicts, reasons, None, marks, True, [value], plan, None)


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
    plain = sorted(ordered, key=keys.index) == list(ordered) and all(map(_PLAIN.fullmatch, ordered))
    return _Flat(
        _getter(ordered),
        _getter(tuple(reasons[at] for at in range(1, count + 1))) if reasons else None,
        ordered,
        tuple(f'"{key}"' for key in ordered) if plain else (),
    )


def _getter(keys: tuple[str, ...]) -> Callable[[Any], tuple[Any, ...]]:
    if len(keys) == 1:
        only = keys[0]
        return lambda value: (value[only],)
    return itemgetter(*keys)


def _flat_spans(raw: str, start: int, plan: _Flat, value: dict[str, Any]) -> Sequence[Span]:
    """Where verdicts stand: behind their keys, if all values are texts, none is a key, and none holds an escape."""
    said = value.values()
    if "\\" in raw or not plan.keys or {*map(type, said)} != {str} or not value.keys().isdisjoint(said):
        spans = member_spans(raw, start)
        return [spans[name] for name in plan.names]
    found, find, at = [], raw.find, start
    for key, verdict in zip(plan.keys, plan.verdicts(value), strict=True):
        at = find('"', find(key, at) + len(key))
        found.append((at, at + len(verdict) + 2))
    return found


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
) -> _Found | None:
    count, marks = len(statements), 0
    rows: Any = value
    holder: str | None = ""
    if isinstance(value, dict):
        if token is not None and value.get(_TOKEN) != token:
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
    texts = [*map(type, rows[0].values())].count(str)
    return _Found(
        verdicts,
        columns[plan.reason] if plan.reason is not None else None,
        columns[plan.quotes] if plan.quotes is not None else None,
        marks + 2 * count * (len(keys) + texts),
        plan.identity is not None or plan.echo is not None,
        rows,
        None,
        holder,
    )


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


def _row_spans(raw: str, start: int, found: _Found) -> Sequence[Span]:
    """Where the rows stand: from brace to brace, if no string in them holds an opening one."""
    count = len(found.rows)
    if found.holder:
        start = member_spans(raw, start)[found.holder][0]
    starts, at = [], start
    for _ in range(count):
        at = raw.find("{", at + 1)
        starts.append(at)
    if not found.holder and raw.find("{", at + 1) < 0:
        return [(here, raw.rfind("}", here, there) + 1) for here, there in pairwise([*starts, len(raw)])]
    return list(member_spans(raw, start).values())


# -- reasons, verdict objects ----------------------------------------------------------------------------------------


@cached
def _item_heads() -> frozenset[str]:
    """How the names of statements begin: a quick look whether a reason may begin with one."""
    return frozenset(name[:3] for name in ("item", *group("names", "item")))


@cached
def _second_thoughts() -> Screen:
    return Screen((*group("prose", "withdrawn"), *CONCLUSIONS), beside=LAST_WORDS)


def _says_otherwise(found: _Found, words: Words) -> bool:
    """Whether a reason may say more than why: name another statement, take the verdict back, or give another."""
    reasons = found.reasons or ()
    said = "\n".join(reasons)
    if not found.named and any(
        begins_with_another(reason, at) for at, reason in enumerate(reasons) if reason[:3].lower() in _item_heads()
    ):
        return True
    if not _second_thoughts().search(said) and not names_verdict(said):
        return False
    return withdraws(said) or any(
        concludes(reason, words) not in {None, verdict} for reason, verdict in zip(reasons, found.verdicts, strict=True)
    )


def _build(
    raw: str,
    start: int,
    mended: Document | None,
    found: _Found,
    statements: Sequence[str],
    ids: Sequence[str] | None,
    contexts: Sequence[str] | None,
    form: str = "json",
) -> list[StatementVerdict]:
    count = len(statements)
    names = default_ids(count) if ids is None else ids
    spans = found.spans(raw, start) if mended is None else [*map(mended.locate, found.paths())]
    reasons: Iterable[str | None] = found.reasons or repeat(None)
    if found.reasons is not None and (mended is not None or not all(map(str.strip, found.reasons))):
        reasons = [clean(one) if one.strip() else None for one in found.reasons]
    common = VERDICT_FIELDS | {"format": form}
    fields = []
    # a copy that is changed takes half the time of a new one
    for index, name, statement, verdict, reason, span in zip(  # noqa: B905 - the hot path
        range(count), names, statements, found.verdicts, reasons, spans
    ):
        one = common.copy()
        one["index"] = index
        one["id"] = name
        one["statement"] = statement
        one["verdict"] = verdict
        one["reason"] = reason
        one["span"] = span
        if found.quotes is not None:
            one["evidence"] = locate(texts_of(found.quotes[index]), contexts)
        if mended is not None:
            one["repairs"] = mended.touched(span)
        fields.append(one)
    return verdicts_of(fields)
