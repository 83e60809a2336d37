"""The shortest road: a reply of a form that has been read before.

One judge answers in one form: the same keys, blanks and brackets around other values. Once a form has been read a few
times the long way, a pattern made of one of its rows takes a reply of it apart in a single pass, which also proves that
no key is repeated, missing or added. Whatever is not exactly of the form is read the long way; so is all that holds an
escape, a line break or a tab. What is read here is what the long way would read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any, Final

from magistrate.parsing.conclusions import may_conclude
from magistrate.parsing.reading import FIELDS, OK, VerdictReading, new_verdict
from magistrate.parsing.statement_index import default_ids
from magistrate.parsing.vocabulary import Vocabulary
from magistrate.verdict import StatementVerdict, Verdict

__all__ = ["Form", "learn", "read_form"]

MOST_FORMS: Final = 24
"""Forms that are kept, for the life of the process."""
_OFTEN: Final = 4
"""How often a form has to be seen: making its pattern takes as long as reading a hundred replies."""
_MOST_HEADS: Final = 256
_LONGEST: Final = 400
"""Characters of a row beside its values, and of what stands around the rows."""
_MOST_COLUMNS: Final = 4_096
_SHORT_COLUMN: Final = 16

_MEMBER: Final = re.compile(
    r"(?P<key>\"[^\"]*+\"[ ]*+:[ ]*+)(?P<value>\"[^\"]*+\"|true|false|[1-9]\d{0,8})(?P<after>[ ]*+(?:,[ ]*+|\}))"
)
_BARE: Final = {"true": True, "false": False}


@dataclass(frozen=True, slots=True)
class Form:
    """How the replies of one judge are written.

    Args:
        head: How they begin.
        split: Takes one apart: what stands before the first row, its values, what stands before the second, ...
        opening: What stands before the first row.
        between: What stands between two rows.
        closing: What stands after the last row.
        step: How many pieces a row makes, what stands before it included.
        verdict: Which of them is the verdict.
        identity: Which is the id; 0 where there is none.
        echo: Which is the repeated statement; 0 where there is none.
        reason: Which is the reason; 0 where there is none.
        bare: Whether the verdict is a truth value, not a text.
        named: Whether the id is a text, not a number.
        support: Whether the verdict's key asks whether the statement is supported.
        fixed: Characters of a row beside its values.
        frames: What stands around the rows, by how many there are.
    """

    head: str
    split: Callable[[str], list[str]]
    opening: str
    between: str
    closing: str
    step: int
    verdict: int
    identity: int
    echo: int
    reason: int
    bare: bool
    named: bool
    support: bool
    fixed: int
    frames: dict[int, list[str]] = field(default_factory=dict)

    def frame(self, count: int) -> list[str]:
        """What stands around so many rows."""
        made = [self.opening, *[self.between] * (count - 1), self.closing]
        if 0 < count <= _LONGEST:
            self.frames[count] = made
        return made


_FORMS: list[Form] = []
_SEEN: dict[str, int] = {}
_NUMBERS: dict[int, list[str]] = {}


def read_form(
    start: int, part: str, statements: Sequence[str], words: Vocabulary, ids: Sequence[str] | None
) -> tuple[VerdictReading, list[str] | None] | None:
    """Read a reply of a known form; with it its reasons, where they may say something else than their rows.

    Args:
        start: Where the JSON begins in the reply.
        part: The JSON.
        statements: The statements.
        words: The scale.
        ids: Their ids; None for s1 to sn.
    """
    for form in _FORMS:
        if part.startswith(form.head):
            break
    else:
        return None
    if "\\" in part or "\n" in part or "\t" in part or "\r" in part:
        return None
    pieces, step, count = form.split(part), form.step, len(statements)
    frame = form.frames.get(count) or form.frame(count)
    if pieces[::step] != frame or (form.support and not words.two_valued):
        return None
    if form.identity and not _in_order(pieces[form.identity :: step], count, ids, named=form.named):
        return None
    if form.echo and pieces[form.echo :: step] != [*statements]:
        return None
    verdicts = _verdicts(tuple(pieces[form.verdict :: step]), words, bare=form.bare)
    if verdicts is None:
        return None
    reading = VerdictReading(OK, verdicts, (_build, start, form, pieces, verdicts, statements, ids), statements, "json")
    if not form.reason:
        return reading, None
    reasons = pieces[form.reason :: step]
    said = "\n".join(reasons)
    # which statement a row is about is certain where it repeats it
    if may_conclude(said) or not (form.echo or set(statements).isdisjoint(reasons)):
        return reading, reasons
    return reading, None


def _in_order(given: list[str], count: int, ids: Sequence[str] | None, *, named: bool) -> bool:
    if named:
        return tuple(given) == (default_ids(count) if ids is None else tuple(ids))
    if ids is not None:
        return False
    known = _NUMBERS.get(count)
    if known is None:
        known = [*map(str, range(1, count + 1))]
        if count <= _LONGEST:
            _NUMBERS[count] = known
    return given == known


def _verdicts(column: tuple[str, ...], words: Vocabulary, *, bare: bool) -> tuple[Verdict, ...] | None:
    """What a column of words means; short ones come again and again."""
    columns = words.truth_columns if bare else words.columns
    known = columns.get(column)
    if known is None:
        try:
            known = (*map(words.look_up, map(_BARE.__getitem__, column) if bare else column),)
        except KeyError:
            return None
        if len(column) <= _SHORT_COLUMN and len(columns) < _MOST_COLUMNS:
            columns[column] = known
    return known


# -- verdict objects -----------------------------------------------------------

_SLOTS: Final = StatementVerdict.__mro__[1].__dict__
_set_dict: Final = _SLOTS["__dict__"].__set__
_set_fields: Final = _SLOTS["__pydantic_fields_set__"].__set__
_set_extra: Final = _SLOTS["__pydantic_extra__"].__set__
_set_private: Final = _SLOTS["__pydantic_private__"].__set__


def _build(
    start: int,
    form: Form,
    pieces: list[str],
    verdicts: tuple[Verdict, ...],
    statements: Sequence[str],
    ids: Sequence[str] | None,
) -> list[StatementVerdict]:
    count, step = len(verdicts), form.step
    names = default_ids(count) if ids is None else ids
    reasons: Any = pieces[form.reason :: step] if form.reason else repeat(None, count)
    sizes = [*map(len, pieces)]
    at, gap, fixed = start + sizes[0], len(form.between), form.fixed
    made = []
    rows = zip(range(count), names, statements, verdicts, reasons, range(1, count * step, step), strict=True)
    for index, name, statement, verdict, reason, first in rows:
        end = at + fixed + sum(sizes[first : first + step - 1])
        one = new_verdict(StatementVerdict)
        _set_dict(
            one,
            {
                "index": index,
                "id": name,
                "statement": statement,
                "verdict": verdict,
                "reason": reason if reason and not reason.isspace() else None,
                "evidence": (),
                "probability": None,
                "issues": (),
                "format": "json",
                "span": (at, end),
                "repairs": (),
            },
        )
        _set_fields(one, FIELDS)
        _set_extra(one, None)
        _set_private(one, None)
        made.append(one)
        at = end + gap
    return made


# -- learning a form -----------------------------------------------------------


def learn(
    part: str, begin: int, count: int, roles: tuple[int, int | None, int | None, int | None], *, support: bool
) -> None:
    """Keep the form of a reply that was read the long way, once it has been seen often enough.

    Args:
        part: The JSON, without escapes.
        begin: Where its first row begins.
        count: How many rows it has, two at least.
        roles: Positions of verdict, id, repeated statement and reason among the keys.
        support: Whether the verdict's key asks whether the statement is supported.
    """
    head = part[: part.find(":", begin) + 1]
    if not head or len(head) > _LONGEST or len(_FORMS) >= MOST_FORMS:
        return
    seen = _SEEN.get(head, 0) + 1
    if seen > 1 or len(_SEEN) < _MOST_HEADS:
        _SEEN[head] = seen
    if seen != _OFTEN:
        return
    form = _make(part, begin, head, count, roles, support=support)
    if form is not None:
        _FORMS.append(form)


def _make(
    part: str,
    begin: int,
    head: str,
    count: int,
    roles: tuple[int, int | None, int | None, int | None],
    *,
    support: bool,
) -> Form | None:
    at, source, fixed = begin + 1, re.escape("{"), 1
    values: list[str] = []
    blanks = len(part) - begin - 1 - len(part[begin + 1 :].lstrip(" "))
    source, at, fixed = source + " " * blanks, at + blanks, fixed + blanks
    while True:
        member = _MEMBER.match(part, at)
        if member is None or len(values) > 12:  # noqa: PLR2004 - no row has as many keys
            return None
        value = member["value"]
        values.append(value)
        quoted = value[0] == '"'
        group = '"([^"]*+)"' if quoted else "(true|false)" if value in _BARE else r"([1-9]\d{0,8}+)"
        source += re.escape(member["key"]) + group + re.escape(member["after"])
        fixed += len(member.group()) - len(value) + 2 * quoted
        at = member.end()
        if member["after"].endswith("}"):
            break
    split = re.compile(source).split
    pieces, step = split(part), len(values) + 1
    frame = pieces[::step]
    verdict, identity, echo, reason = (-1 if role is None else role for role in roles)
    if (
        len(pieces) != count * step + 1
        or len({*frame[1:-1]}) != 1
        or max(map(len, frame)) + fixed > _LONGEST
        or not head.startswith(frame[0])
        or any(values[role][0] != '"' for role in (echo, reason) if role >= 0)
        or (identity >= 0 and values[identity] in _BARE)
        or (values[verdict][0] != '"' and values[verdict] not in _BARE)
    ):
        return None
    return Form(
        head=head,
        split=split,
        opening=frame[0],
        between=frame[1],
        closing=frame[-1],
        step=step,
        verdict=verdict + 1,
        identity=identity + 1,
        echo=echo + 1,
        reason=reason + 1,
        bare=values[verdict] in _BARE,
        named=identity >= 0 and values[identity][0] == '"',
        support=support,
        fixed=fixed,
    )
