"""Time grows with the length of a reply, and not by much: a unit of a few bytes is repeated until it is long."""

from __future__ import annotations

import time

from fuzz.oracles import check
from magistrate.parsing import parse_label, parse_object, parse_score, parse_statements, parse_verdicts

__all__ = ["growth"]

_SIZE = 12_000
_STATEMENTS = ("The kiln was fired twice.", "Nine bowls cracked.", "The glaze is blue.")
_SCHEMA = {"type": "object", "properties": {"grade": {"type": "integer"}, "why": {"type": "string"}}}
_LONGEST = 120
_BUDGET = 2.5e-6
"""Seconds a character may take: what is promised is 100 ms a MB, and instrumented code is some ten times slower."""
_FACTOR = 8.0
"""By how much the time may grow where the length does four times."""


def growth(data: bytes) -> None:
    """The first byte chooses the function, the second where the unit ends; what follows it is the end of the reply."""
    if len(data) < 3:  # noqa: PLR2004 - the header and one byte
        return
    body = data[2 : 2 + _LONGEST].decode("utf-8", "replace")
    head = data[1] % 16
    start, unit, end = body[:head], body[head:-head] if head else body, body[-head:] if head else ""
    if not unit:
        return
    short = start + unit * (_SIZE // len(unit)) + end
    long = start + unit * (4 * _SIZE // len(unit)) + end
    which, allowed = data[0] % 5, _BUDGET * len(long)
    if _seconds(which, long) < allowed:
        return
    # A machine that was busy for a moment is no finding: the best of three counts.
    slow = min(_seconds(which, long) for _ in range(3))
    check("a bounded time for each character", slow < allowed, which, start, unit, end, slow)
    quick = min(_seconds(which, short) for _ in range(3))
    check("time grows with length", slow < _FACTOR * quick, which, start, unit, end, quick, slow)


def _seconds(which: int, text: str) -> float:
    began = time.thread_time()
    match which:
        case 0:
            tuple(parse_verdicts(text, _STATEMENTS).verdicts)
        case 1:
            parse_score(text, 1, 10)
        case 2:
            parse_statements(text)
        case 3:
            parse_label(text, ("A", "B", "tie"))
        case _:
            parse_object(text, _SCHEMA)
    return time.thread_time() - began
