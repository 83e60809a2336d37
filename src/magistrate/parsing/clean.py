"""The road nearly all replies take: JSON that needs no mending, rows in a known shape, as many as were asked about.

Everything that is not exactly that goes the long way round, which gives the same reading, slower. What is read here is
checked by whole columns at a time, by the interpreter's own loops; verdict objects are built when they are asked for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Any, Final

from jiter import from_json

from magistrate.parsing.clean_build import Table, build
from magistrate.parsing.clean_forms import learn, read_form
from magistrate.parsing.conclusions import conclusion_of, may_conclude
from magistrate.parsing.decode.documents import Document, listed, repeats_a_key
from magistrate.parsing.fields import ABSTENTIONS
from magistrate.parsing.hints import names_another
from magistrate.parsing.keys import POLARITY, Role, asks_support, compact, role_of
from magistrate.parsing.reading import OK, VerdictReading, issue
from magistrate.parsing.statement_index import default_ids
from magistrate.parsing.vocabulary import Vocabulary
from magistrate.verdict import Issue, IssueCode, Verdict

__all__ = ["NOT_JSON", "read_clean", "read_mended"]

_LISTS: Final = frozenset(
    "verdicts statements results claims evaluations judgments judgements answers items data output response "
    "analysis".split()
)
_BLANK: Final = re.compile(r"[ \t\r\n\ufeff]*")
_BLANKS: Final = frozenset(" \t\r\n\ufeff")
_COURTESIES: Final = frozenset(
    "here is are the my our verdict verdicts json result results answer answers evaluation evaluations assessment "
    "assessments sure certainly below following requested output response as i have has been evaluated assessed judged "
    "checked statement statements each of for hope this helps let me know if you need anything else further question "
    "questions any more detail details please in final list object a to and with it all claim claims based on context "
    "contexts provided given against s".split()
)
"""Words of a lead-in that says nothing. Any other word before or after the JSON has to be read."""
_SIGNS: Final = str.maketrans(dict.fromkeys(",.:!;'\u2019", " "))
_LONGEST_COURTESY: Final = 300
_WIDEST: Final = 12
_MOST_PLANS: Final = 512


@dataclass(frozen=True, slots=True)
class Plan:
    """Which key of a row is which part.

    Args:
        verdict: Position of the verdict among the members.
        identity: Position of the id; None where there is none.
        echo: Position of the repeated statement; None where there is none.
        reason: Position of the reason; None where there is none.
        quotes: The key of the evidence; None where there is none.
        support: Whether the verdict's key asks whether the statement is supported.
        plain: Whether a row has no keys but verdict, id, repeated statement and reason.
        width: How many keys there are.
    """

    verdict: int
    identity: int | None
    echo: int | None
    reason: int | None
    quotes: str | None
    support: bool
    plain: bool
    width: int


class NotJson(Enum):
    """A reply that begins like JSON and is none that a strict decoder takes."""

    MARK = 0


NOT_JSON: Final = NotJson.MARK

_PLANS: dict[tuple[str, ...], Plan | None] = {}


def read_clean(
    raw: str,
    statements: Sequence[str],
    words: Vocabulary,
    token: str | None,
    ids: Sequence[str] | None,
    contexts: Sequence[str] | None,
) -> VerdictReading | Document | NotJson | None:
    """Read a reply that needs no second thought; the JSON it is, or None, where it is not one."""
    start, part = 0, raw
    if raw[:1] not in {"{", "["}:
        start, stop = _inside(raw)
        if start < 0:
            return None
        part = raw[start:stop]
    if part[-1:] in {"\n", " "}:
        part = part.rstrip(" \t\r\n")
    try:
        if token is None:
            known = read_form(start, part, statements, words, ids)
            if known is not None:
                reading, reasons = known
                if (reasons is not None and _says_otherwise(reasons, reading.found, words, statements)) or (
                    contexts and _repeats(part, contexts)
                ):
                    return None
                return reading
        escapes = "\\" in part
        value = from_json(part.encode(), catch_duplicate_keys=True) if escapes else from_json(part.encode())
    except ValueError:
        return None if start else NOT_JSON
    table = _columns(value, statements, words, token, ids)
    if table is None or (contexts and _repeats(part, contexts)):
        if start or (not escapes and repeats_a_key(part, value)):
            return None
        return Document(raw, 0, len(part), value)
    if not escapes:
        if part.count('"') != table[7] and repeats_a_key(part, value):
            return None
        if token is None and table[7] > 0 and len(statements) > 1 and not table[5] and table[4] is None:
            _learn(part, table)
    return VerdictReading(
        OK, table[0], (build, raw, start, value, table, statements, ids, contexts, None), statements, "json"
    )


def _learn(part: str, table: Table) -> None:
    plan = _PLANS.get(tuple(table[1][0]))
    if plan is not None:  # not all orders of keys are kept
        roles = (plan.verdict, plan.identity, plan.echo, plan.reason)
        learn(part, part.find("{", 1), len(table[1]), roles, support=plan.support)


def read_mended(
    document: Document,
    statements: Sequence[str],
    words: Vocabulary,
    token: str | None,
    ids: Sequence[str] | None,
    contexts: Sequence[str] | None,
) -> VerdictReading | None:
    """Read a reply that is one container and, once mended, needs no second thought; None where it is not one."""
    if document.dangling or document.layer is not None:
        return None
    value, notes = document.value, document.notes
    table = _columns(value, statements, words, token, ids)
    if table is None or getattr(value, "twice", None):
        return None
    for row in table[1]:
        if getattr(row, "twice", None):
            return None
    if contexts and _repeats(document.text[document.start : document.end], contexts):
        return None
    issues = (_mended(frozenset([code for code, _ in notes])),) if notes else ()
    if document.cut:
        issues = (*issues, _UNCLOSED)
    source = (build, document.text, document.start, value, table, statements, ids, contexts, document)
    form = "repaired-json" if notes else "json"
    return VerdictReading(OK, table[0], source, statements, form, issues, document.changes)


_UNCLOSED: Final = issue(IssueCode.UNCERTAIN_END, "the answer is complete, but its closing brackets are missing")


@lru_cache(maxsize=256)
def _mended(kinds: frozenset[str]) -> Issue:
    return issue(IssueCode.REPAIRED_JSON, "the reply had to be mended: " + listed(kinds))


def _repeats(text: str, contexts: Sequence[str]) -> bool:
    text = text.strip()
    return any(len(context) >= len(text) and text in context for context in contexts)


def _columns(
    value: Any, statements: Sequence[str], words: Vocabulary, token: str | None, ids: Sequence[str] | None
) -> Table | None:
    """The verdicts of a value of known shape; None where anything at all is out of the ordinary."""
    count = len(statements)
    if isinstance(value, list) and token is None:
        rows: list[Any] = value
        holder, named = None, False
    else:
        rows, holder, named = _rows(value, count, token, ids)
    if len(rows) != count or not count:
        return None
    try:
        keys = tuple(rows[0])
        plan = _PLANS[keys] if keys in _PLANS else _plan(keys)
        if plan is None or (plan.support and not words.two_valued):
            return None
        if [*map(tuple, rows)].count(keys) != count:
            return None
        columns = [*zip(*map(_values, rows))]  # noqa: B905 - they are of one length, and this is the hot path
        verdicts = [*map(words.look_up, columns[plan.verdict])]
        order: list[int] | None = None
        identity, echo, reason = plan.identity, plan.echo, plan.reason
        if identity is not None and (named or not _in_order(columns[identity], count, ids)):
            return None
        if echo is not None and columns[echo] != (echoes := tuple(statements)):
            order = None if named or identity is not None else _permutation(columns[echo], echoes)
            if order is None:
                return None
            rows, verdicts = [rows[at] for at in order], [verdicts[at] for at in order]
            columns = [tuple([column[at] for at in order]) for column in columns]
        reasons = columns[reason] if reason is not None else None
        if reasons is not None:
            said = "\n".join(reasons)
            if (may_conclude(said) or not set(statements).isdisjoint(reasons)) and _says_otherwise(
                reasons, verdicts, words, statements
            ):
                return None
        marks = -1
        if plan.plain:
            texts = plan.width - _numeric(columns[plan.verdict])
            if identity is not None and type(columns[identity][0]) is not str:  # then none is: they are 1 to n
                texts -= 1
            marks = (
                2 * count * (plan.width + texts + named)
                + (2 if holder is not None else 0)
                + (4 if token is not None else 0)
            )
    except (KeyError, TypeError):
        return None
    return verdicts, rows, reasons, holder, order, named, plan.quotes, marks


_values: Final = dict.values


def _numeric(column: tuple[Any, ...]) -> int:
    """Whether no value of a column is a text (1) or each one is (0).

    Raises:
        TypeError: If some are.
    """
    if type(column[0]) is str:
        "".join(column)
        return 0
    if str in {*map(type, column)}:
        raise TypeError("a column of texts and other values")
    return 1


def _rows(value: Any, count: int, token: str | None, ids: Sequence[str] | None) -> tuple[list[Any], str | None, bool]:
    """The rows of an object of known shape, the key of the list they stand in, and whether they stand under ids."""
    if not isinstance(value, dict) or (token is not None and value.get("token") != token):
        return [], None, False
    size = len(value) - ("token" in value)
    if size == 1:
        for key, item in value.items():
            if isinstance(item, list) and key in _LISTS:
                return item, key, False
    names = default_ids(count) if ids is None else ids
    if size == count and count and names[0] in value:
        try:
            return [value[name] for name in names], None, True
        except KeyError:
            return [], None, False
    return ([value], None, False) if count == 1 and token is None else ([], None, False)


def _plan(keys: tuple[str, ...]) -> Plan | None:
    """Which part each key names; None where more than one names a verdict, or one is not plain."""
    plan = _make_plan(keys) if len(keys) <= _WIDEST else None
    if len(_PLANS) < _MOST_PLANS:
        _PLANS[keys] = plan
    return plan


def _make_plan(keys: tuple[str, ...]) -> Plan | None:
    found: dict[Role, str] = {}
    for key in keys:
        role = role_of(key)
        if role in {Role.WEAK_VERDICT, Role.REFUSAL, Role.ASIDE, Role.PROBABILITY, Role.TOKEN} or role in found:
            return None
        if compact(key) in POLARITY or compact(key) in ABSTENTIONS:
            return None
        if role is not None:
            found[role] = key
    if Role.VERDICT not in found:
        return None
    if len(found) < len(keys) and not found.keys() & {Role.ID, Role.ECHO}:
        return None  # another member may say which statement a row is about
    at = {role: keys.index(key) for role, key in found.items()}
    return Plan(
        verdict=at[Role.VERDICT],
        identity=at.get(Role.ID),
        echo=at.get(Role.ECHO),
        reason=at.get(Role.REASON),
        quotes=found.get(Role.QUOTE),
        support=asks_support(found[Role.VERDICT]),
        plain=found.keys() <= {Role.VERDICT, Role.ID, Role.ECHO, Role.REASON} and len(found) == len(keys),
        width=len(keys),
    )


def _in_order(given: tuple[Any, ...], count: int, ids: Sequence[str] | None) -> bool:
    if ids is not None:
        return given == tuple(ids)
    return (given == _numbers(count) and given[0] is not True) or given == default_ids(count)


_NUMBERS: dict[int, tuple[int, ...]] = {}


def _numbers(count: int) -> tuple[int, ...]:
    known = _NUMBERS.get(count)
    if known is None:
        known = tuple(range(1, count + 1))
        if count <= 512:  # noqa: PLR2004 - more statements than any request holds
            _NUMBERS[count] = known
    return known


def _permutation(echoes: tuple[Any, ...], statements: tuple[str, ...]) -> list[int] | None:
    """For each statement the row that repeats it word for word; None where that is not one to one."""
    places = {echo: at for at, echo in enumerate(echoes)}
    if len(places) != len(statements) or len(set(statements)) != len(statements):
        return None
    order = [places.get(statement, -1) for statement in statements]
    return None if -1 in order else order


def _says_otherwise(
    reasons: Sequence[str], verdicts: Sequence[Verdict | None], words: Vocabulary, statements: Sequence[str]
) -> bool:
    """Whether a reason says more than why: it is a statement, names another, or closes with another verdict."""
    if not set(statements).isdisjoint(reasons) or names_another(reasons):
        return True
    for reason, verdict in zip(reasons, verdicts, strict=True):
        if may_conclude(reason):
            label = conclusion_of(reason, words)
            if label is not None and label is not verdict:
                return True
    return False


# -- what may stand around it -----------------------------------------------------------


def _inside(raw: str) -> tuple[int, int]:
    """Where JSON may stand in a reply that begins otherwise: after thinking, in one fence; -1 where it may not."""
    start = _skip(raw, 0)
    if raw.startswith("<think>", start):
        close = raw.find("<", start + 7)
        if not raw.startswith("</think>", close):  # else it is the next mark, which single signs find soonest
            close = raw.find("</think>", start)
            if close < 0 or raw.find("<think>", start + 7, close) >= 0:
                return -1, -1
        start = _skip(raw, close + 8)
    if raw[start : start + 1] in {"{", "["}:
        return start, len(raw)
    fence = raw.find("```", start, start + _LONGEST_COURTESY)
    if fence < 0:
        return -1, -1
    line = raw.find("\n", fence, fence + 12)
    close = raw.rfind("```", fence + 3)
    if (
        line < 0
        or close < line
        or len(raw) - close > _LONGEST_COURTESY
        or raw[fence + 3 : line] not in {"json", "", "JSON"}
    ):
        return -1, -1
    before, behind = raw[start:fence], raw[close + 3 :]
    if (before and not _is_courtesy(before)) or (behind and not _is_courtesy(behind)):
        return -1, -1
    return line + 1, close


def _skip(raw: str, at: int) -> int:
    if raw[at : at + 1] not in _BLANKS:
        return at
    match = _BLANK.match(raw, at)
    return match.end() if match else at


@lru_cache(maxsize=256)
def _is_courtesy(text: str) -> bool:
    return _COURTESIES.issuperset(text.translate(_SIGNS).casefold().split())
