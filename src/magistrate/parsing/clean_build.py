"""The verdict objects of a clean reply, built all at once when the first is asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final

from magistrate.parsing.decode.documents import Document, end_of, member_spans
from magistrate.parsing.decode.nodes import Obj, Span
from magistrate.parsing.fields import texts_of
from magistrate.parsing.reading import FIELDS, locate, new_verdict
from magistrate.parsing.statement_index import default_ids
from magistrate.verdict import StatementVerdict, Verdict

__all__ = ["Table", "build"]

Table = tuple[
    list[Verdict],  # one per statement
    list[Any],  # the row of each
    tuple[Any, ...] | None,  # the reason of each
    str | None,  # the key of the list that holds them
    list[int] | None,  # the place of each in that list, where it is not the order of the statements
    bool,  # whether they stand under the ids of the statements
    str | None,  # the key of the evidence
    int,  # how many quotation marks the JSON has if no key is repeated and no string holds an escape
]

_BLANK: Final = re.compile(r"[ \t\r\n\ufeff]*")

# A Pydantic object is these four slots; setting them spares validating what has been checked already.
_SLOTS: Final = StatementVerdict.__mro__[1].__dict__
_set_dict: Final = _SLOTS["__dict__"].__set__
_set_fields: Final = _SLOTS["__pydantic_fields_set__"].__set__
_set_extra: Final = _SLOTS["__pydantic_extra__"].__set__
_set_private: Final = _SLOTS["__pydantic_private__"].__set__


def build(
    raw: str,
    start: int,
    value: Any,
    table: Table,
    statements: Sequence[str],
    ids: Sequence[str] | None,
    contexts: Sequence[str] | None,
    document: Document | None,
) -> list[StatementVerdict]:
    """Build the verdict objects.

    Args:
        raw: The reply.
        start: Where the JSON begins in it, blanks before it aside.
        value: What it holds.
        table: What was read of it.
        statements: The statements.
        ids: Their ids; None for s1 to sn.
        contexts: What the judge saw.
        document: The JSON, where it is not the whole text or had to be mended.
    """
    verdicts, rows, reasons, holder, order, named, quotes, _ = table
    names = default_ids(len(rows)) if ids is None else ids
    if all(isinstance(row, Obj) for row in rows):
        spans = [row.span for row in rows]
    else:
        spans = _spans(raw, start, value, rows, holder, named=named)
        if named:
            places = {name: at for at, name in enumerate(name for name in value if name != "token")}
            spans = [spans[places[name]] for name in names]
        elif order is not None:
            spans = [spans[at] for at in order]
    form = "json" if document is None or not document.notes else "repaired-json"
    made = []
    for at, row in enumerate(rows):
        reason = reasons[at] if reasons is not None else None
        span = spans[at]
        one = new_verdict(StatementVerdict)
        _set_dict(
            one,
            {
                "index": at,
                "id": names[at],
                "statement": statements[at],
                "verdict": verdicts[at],
                "reason": reason if reason and not reason.isspace() else None,
                "evidence": locate(texts_of(row[quotes]), contexts) if quotes is not None else (),
                "probability": None,
                "issues": (),
                "format": form,
                "span": span,
                "repairs": document.touched(span) if document is not None else (),
            },
        )
        _set_fields(one, FIELDS)
        _set_extra(one, None)
        _set_private(one, None)
        made.append(one)
    return made


def _spans(raw: str, start: int, value: Any, rows: Sequence[Any], holder: str | None, *, named: bool) -> list[Span]:
    """Where the rows stand, in the order of the text."""
    blank = _BLANK.match(raw, start)
    start = blank.end() if blank else start
    if holder is None and not named and isinstance(value, dict):
        return [(start, end_of(raw, start))]
    return _by_first_key(raw, start, len(rows)) or _by_walk(raw, start, holder, named=named)


def _by_first_key(raw: str, start: int, count: int) -> list[Span] | None:
    """Find rows by the way they all begin ('{"id"'): no string can hold that, its quotation marks would be escaped.

    Returns:
        None where they do not all begin alike, or something else does, too.
    """
    begin = raw.find("{", start + 1)
    first = raw.find('"', begin)
    head = raw[begin : raw.find('"', first + 1) + 1]
    if begin < 0 or "\\" in head or raw.count(head, begin) != count:
        return None
    starts = [begin]
    at, find = begin, raw.find
    for _ in range(count - 1):
        at = find(head, at + 1)
        starts.append(at)
    rfind = raw.rfind
    spans = [(here, rfind("}", here, there) + 1) for here, there in pairwise(starts)]
    spans.append((at, end_of(raw, at)))
    return spans


def _by_walk(raw: str, start: int, holder: str | None, *, named: bool) -> list[Span]:
    if holder is not None:
        start = member_spans(raw, start)[holder][0]
    spans = member_spans(raw, start)
    return [span for name, span in spans.items() if not (named and name == "token")]
