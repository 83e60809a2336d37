"""The road nearly all replies take: data of a shape that is known, perhaps in a fence, behind thinking, or mended.

Columns are checked at a time. Reasons, places and all that is not a verdict are what the long way round gives, taken
when one of them is asked for; so does whatever is not exactly of that shape: the same reading, slower.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Final

from jiter import from_json

from magistrate.parsing.decode.repair_rows import mend_frame
from magistrate.parsing.layouts.single import LAST_WORDS, concludes, conclusions, names_verdict
from magistrate.parsing.readings import OK, VerdictReading, issue
from magistrate.parsing.rows.statements import Statements, default_ids
from magistrate.parsing.rows.verdicts import VerdictRows
from magistrate.parsing.settle.acceptance import is_foreign, unaccounted
from magistrate.parsing.settle.alignment import begins_with_another
from magistrate.parsing.settle.answers import Question
from magistrate.parsing.settle.ladder import repaired
from magistrate.parsing.settle.verdicts import read_reply
from magistrate.parsing.switches import cached, cached_for
from magistrate.parsing.wording.courtesy import SENTENCES, is_courtesy, is_own_lead, withdraws
from magistrate.parsing.wording.keys import Role, asks_support, is_named, polarity_of, role_of
from magistrate.parsing.wording.languages import group
from magistrate.parsing.wording.patterns import Screen
from magistrate.parsing.wording.scales import Words, telling, words_of
from magistrate.verdict import Issue, IssueCode, Verdict

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
    part = raw if raw[:1] in _CLOSED_BY and raw[-1] in "}]" else _inside(raw, words)
    if not part:
        return None
    mended, strict = None, "\\" in part
    try:
        closed = part[-1] == _CLOSED_BY[part[0]]
        value = from_json(part.encode(), cache_mode="all", catch_duplicate_keys=strict) if closed else None
    except ValueError:
        value = None
    if value is None:
        # signs of what may stand around an answer, and here stand in it
        signs = "<" in part or "`" in part or "~" in part or "\u25c1" in part or "THINK]" in part
        mended = None if signs else mend_frame(part)
        if mended is None:
            return None
        value = mended[0]
    found = _columns_of(value, statements, words, token, ids)
    asked_with = (*statements, *(contexts or ()), *given) if contexts or given else statements
    if found is None or part in "\n".join(asked_with):
        return None
    verdicts, _, expected, _ = found
    # a key that is there twice has marks that are too many
    if not strict and expected != (part.count('"') if mended is None else mended[1]):
        return None
    asked = (raw, statements, words, token, ids, contexts, given)

    def rows() -> list[dict[str, Any]]:
        return [*map(vars, _closely(asked).verdicts)]

    if mended is None:
        return VerdictReading(OK, verdicts, rows, statements, "json")
    issues = _issues(mended[2], mended[3])
    return VerdictReading(OK, verdicts, rows, statements, "repaired-json", issues, lambda: _closely(asked).repairs)


def _closely(asked: tuple[Any, ...]) -> VerdictReading:
    raw, statements, words, token, ids, contexts, given = asked
    return read_reply(raw, Question(Statements(statements, ids), words, None, None, token, contexts or (), given))


@cached_for(64)
def _issues(codes: tuple[str, ...], cut: bool) -> tuple[Issue, ...]:
    issues = repaired(codes)
    if cut:
        issues.append(issue(IssueCode.UNCERTAIN_END, "the answer is complete, but its closing brackets are missing"))
    return tuple(issues)


# -- what stands around ----------------------------------------------------------------------------------------------


_CLOSED_BY: Final = {"{": "}", "[": "]"}
_BLANKS: Final = " \t\r\n\ufeff"
_THINKING: Final = ("<think>", "<thinking>", "<reasoning>")
_OPENING: Final = re.compile(r"(?P<lead>[^`~<>{}\[\]|\d]*)(?P<fence>(?<![^\n])```(?:json|JSON)?[ \t]*\n)?\s*")
_CLOSING: Final = re.compile(r"\s*?(?P<fence>\n```[ \t]*(?![^\n]))?(?P<tail>(?:\s*\n[^`~<>{}\[\]|\d]*)?)\s*")


def _inside(raw: str, words: Words) -> str:
    """The JSON of a reply, behind thinking, in a fence, between courtesies; nothing where more may stand there."""
    at = len(raw) - len(raw.lstrip(_BLANKS))
    for mark in _THINKING:
        if raw.startswith(mark, at):
            close = raw.find("<", at + 1)
            if not raw.startswith(f"</{mark[1:]}", close) or "THINK]" in raw[:close] or "\u25c1" in raw[:close]:
                return ""
            at = close + len(mark) + 1
            break
    brace = raw.find("{", at)
    start = raw.find("[", at, brace) if brace >= 0 else raw.find("[", at)
    start = brace if start < 0 else start
    stop = raw.rfind(_CLOSED_BY[raw[start]]) + 1 if start >= 0 else 0
    return raw[start:stop] if start < stop and _is_envelope(raw[at:start], raw[stop:], words) else ""


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


# -- columns: rows of one kind, or one object with the parts of all rows, {"s1_why": ..., "s1": ...} -------------


_LISTS: Final = frozenset(
    "verdicts statements results claims evaluations judgments judgements answers items data output response".split()
)
_PARTS: Final = frozenset({Role.ID, Role.ECHO, Role.VERDICT, Role.REASON, Role.QUOTE})
_WIDEST: Final = 12
_TOKEN: Final = "token"  # noqa: S105 - a key of a reply, not a password


def _columns_of(
    value: Any, statements: Sequence[str], words: Words, token: str | None, ids: Sequence[str] | None
) -> Found | None:
    """What each statement gets; None where the shape of the data, or a reason, needs a closer look."""
    try:
        found = _flat(value, len(statements), words, token, ids) if type(value) is dict else None
        found = found or _listed(value, statements, words, token, ids)
        verdicts, reasons, _, named = found or ([], None, 0, False)
        if reasons is None:
            return found
        said = "\n".join(reasons)
        if not named and (
            not set(reasons).isdisjoint(statements)
            or any(begins_with_another(one, at) for at, one in enumerate(reasons))
        ):
            return None  # a reason that is a statement says which one the row is about
        doubtful = _second_thoughts().search(said) or (not said.isascii() and names_verdict(said))
        if doubtful and _says_otherwise(said, reasons, verdicts, words):
            return None
    except (KeyError, TypeError):
        return None
    return found


Found = tuple[list[Verdict], tuple[str, ...] | None, int, bool]
"""The columns of an answer: the verdict of each statement; the reason of each, or None; how many quotation marks the
JSON has if no key is repeated; whether rows name their statements."""
_Cells = Callable[[Any], tuple[Any, ...]]


def _flat(value: Any, count: int, words: Words, token: str | None, ids: Sequence[str] | None) -> Found | None:
    if not count <= len(value) <= 2 * count + 1 or (token is not None and value.get(_TOKEN) != token):
        return None
    plan = _flat_plan(tuple(value), count, None if ids is None else tuple(ids))
    if plan is None:
        return None
    said, why, texts = plan
    given = said(value)
    marks = 2 * (texts + (token is not None) + [*map(type, given)].count(str))
    return [*map(words.exact.__getitem__, given)], why(value) if why is not None else None, marks, True


@cached_for(256)
def _flat_plan(
    keys: tuple[str, ...], count: int, ids: tuple[str, ...] | None
) -> tuple[_Cells, _Cells | None, int] | None:
    """What takes the verdicts, what the reasons, and how many keys and reasons there are; None if a key is no such."""
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
    said, why = (tuple(part[at] for at in range(1, count + 1) if at in part) for part in (verdicts, reasons))
    return _getter(said), _getter(why) if why else None, len(keys) + len(reasons)


def _getter(keys: tuple[str, ...]) -> _Cells:
    if len(keys) == 1:
        only = keys[0]
        return lambda value: (value[only],)
    return itemgetter(*keys)


# -- rows ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Plan:
    verdict: int
    identity: int | None
    echo: int | None
    reason: int | None
    quotes: int | None
    support: bool
    cells: _Cells


def _listed(
    value: Any, statements: Sequence[str], words: Words, token: str | None, ids: Sequence[str] | None
) -> Found | None:
    count, marks = len(statements), 0
    rows: Any = value
    if isinstance(value, dict):
        if len(value) > _WIDEST or (token is not None and value.get(_TOKEN) != token):
            return None
        rest = [key for key in value if key != _TOKEN]
        marks = 4 * (len(value) - len(rest))
        if len(rest) == 1 and rest[0] in _LISTS:
            rows, marks = value[rest[0]], marks + 2
        elif count == 1 and not marks:
            rows = [value]
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
    if plan.quotes is not None:
        texts += [*map(type, columns[plan.quotes])].count(str)
    named = plan.identity is not None or plan.echo is not None
    return verdicts, reasons, marks + 2 * (count * len(keys) + texts), named


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
    if Role.QUOTE in found and found.keys().isdisjoint({Role.ID, Role.ECHO}):
        return None  # it may be the number of what each row is about
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


# -- reasons ---------------------------------------------------------------------------------------------------------


@cached
def _second_thoughts() -> Screen:
    return Screen((*group("withdrawn"), *conclusions(), *telling()), beside=LAST_WORDS)


def _says_otherwise(said: str, reasons: Sequence[str], verdicts: Sequence[Verdict], words: Words) -> bool:
    """Whether a reason may say more than why: take the verdict back, or give another."""
    return withdraws(said) or any(
        concludes(reason, words) not in {None, verdict} or words.denies(reason, verdict)
        for reason, verdict in zip(reasons, verdicts, strict=True)
    )
