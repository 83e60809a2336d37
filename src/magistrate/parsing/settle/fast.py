"""The road nearly all replies take: data of a shape that is known, perhaps in a fence, behind thinking, or mended.

Columns are checked at a time, and verdict objects are built when they are asked for. Whatever is not exactly that goes
the long way round, which gives the same reading, slower.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import repeat
from typing import Any, Final

from jiter import from_json

from magistrate.parsing.decode.documents import decode_strict
from magistrate.parsing.decode.repair_rows import mend_frame
from magistrate.parsing.readings import OK, VERDICT_FIELDS, VerdictReading, issue, locate
from magistrate.parsing.rows.candidate import Span
from magistrate.parsing.rows.statements import Statements, default_ids
from magistrate.parsing.rows.walk import texts_of
from magistrate.parsing.settle.acceptance import is_foreign, unaccounted
from magistrate.parsing.settle.answers import Question
from magistrate.parsing.settle.columns import Found, columns_of
from magistrate.parsing.settle.ladder import repaired
from magistrate.parsing.settle.verdicts import read_reply
from magistrate.parsing.switches import cached_for
from magistrate.parsing.wording.courtesy import SENTENCES, is_courtesy, is_own_lead
from magistrate.parsing.wording.fold import clean
from magistrate.parsing.wording.scales import Words
from magistrate.verdict import Issue, IssueCode

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
    start, stop = (0, len(raw)) if raw[:1] in _CLOSED_BY and raw[-1] in "}]" else _inside(raw, words)
    if start < 0:
        return None
    part = raw[start:stop]
    try:
        value, mended = from_json(part.encode()), None
    except ValueError:
        # signs of what may stand around an answer, and here stand in it
        marks = "<" in part or "`" in part or "~" in part or "\u25c1" in part or "THINK]" in part
        mended = None if marks else mend_frame(part)
        if mended is None:
            return None
        value = mended[0]
    found = columns_of(value, statements, words, token, ids)
    if found is None or part in "\n".join((*statements, *(contexts or ()), *given)):
        return None
    if mended is not None:
        if found.marks != mended[1]:
            return None

        def closely() -> VerdictReading:
            asked = Statements(statements, ids)
            return read_reply(raw, Question(asked, words, None, None, token, contexts or (), given))

        issues, repairs = _issues(mended[2], mended[3]), lambda: closely().repairs
        return VerdictReading(
            OK, found.verdicts, lambda: [*map(vars, closely().verdicts)], statements, "repaired-json", issues, repairs
        )
    plain = "\\" not in part and part.count('"') == found.marks
    if not plain and not _is_strict(part):
        return None
    rows = partial(_fields, found, raw, start, plain, statements, ids, contexts)
    return VerdictReading(OK, found.verdicts, rows, statements, "json")


@cached_for(64)
def _issues(codes: tuple[str, ...], cut: bool) -> tuple[Issue, ...]:
    issues = repaired(codes)
    if cut:
        issues.append(issue(IssueCode.UNCERTAIN_END, "the answer is complete, but its closing brackets are missing"))
    return tuple(issues)


def _is_strict(part: str) -> bool:
    """Whether no object has a key twice."""
    try:
        decode_strict(part)
    except ValueError:
        return False
    return True


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


def _fields(
    found: Found,
    raw: str,
    start: int,
    plain: bool,
    statements: Sequence[str],
    ids: Sequence[str] | None,
    contexts: Sequence[str] | None,
) -> list[dict[str, Any]]:
    reasons: Iterable[str | None] = found.reasons or repeat(None)
    if found.reasons is not None and not all(map(str.strip, found.reasons)):
        reasons = [clean(one) if one.strip() else None for one in found.reasons]
    blanks, spans = _blanks(len(statements), None if ids is None else tuple(ids)), found.spans(raw, start, plain=plain)
    fields = []
    # a copy that is changed takes half the time of a new one
    for one, statement, verdict, reason, span in zip(  # noqa: B905 - the hot path
        map(dict.copy, blanks), statements, found.verdicts, reasons, spans
    ):
        one["statement"] = statement
        one["verdict"] = verdict
        one["reason"] = reason
        one["span"] = span
        fields.append(one)
    if found.quotes is not None:
        for one, quotes in zip(fields, found.quotes, strict=True):
            one["evidence"] = locate(texts_of(quotes), contexts)
    return fields


@cached_for(16)
def _blanks(count: int, ids: tuple[str, ...] | None) -> list[dict[str, Any]]:
    """The fields of verdicts, but for what a reply says."""
    names = default_ids(count) if ids is None else ids
    return [VERDICT_FIELDS | {"format": "json", "index": index, "id": name} for index, name in enumerate(names)]
