"""Where a string ends whose quotation marks cannot be trusted: where the grammar goes on, not at the first mark."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from magistrate.parsing.decode.repair_patterns import (
    AFTER_KEY,
    ESCAPE,
    LONGEST_KEY,
    OPENERS,
    RESTART,
    SIMPLE_ESCAPES,
    VALUE_FOLLOWS,
)

__all__ = ["Ending", "Meter", "RunawayError", "find_end", "find_key_end", "inner_marks", "unescape"]

MOST_MARKS: Final = 200
"""Quotation marks in one string, after which it is taken to have no end."""
PATIENCE: Final = 40
"""Further quotation marks that are looked at before the first place where a string may end is taken."""
PER_MARK: Final = 60
"""What looking at a mark counts for, in characters."""
LONGEST_RESTART: Final = 200
"""Characters in which it shows that the structure goes on; blanks aside, they are fewer."""
_OPENS: Final = frozenset(" \t\n([{-\u2014\u2013:=/>,")
_ENDS: Final = frozenset(" \t\n)]}.,;:!?-\u2014\u2013/<")
_STRUCTURE: Final = re.compile(r"[{}\[\]\n]|,\s*$")
_MARKS: dict[str, re.Pattern[str]] = {}


class RunawayError(Exception):
    """More work than any answer takes: levels of nesting, repairs, or text looked at again and again."""


class Meter:
    """Counts what is looked at beyond the one walk through the text.

    Args:
        most: Characters that may be looked at.
    """

    __slots__ = ("most", "spent")

    def __init__(self, most: int) -> None:
        self.most = most
        self.spent = 0

    def spend(self, characters: int) -> None:
        """Count some more.

        Raises:
            RunawayError: If that is more than may be looked at.
        """
        self.spent += characters
        if self.spent > self.most:
            raise RunawayError


@dataclass(slots=True)
class Ending:
    """Where a string ends.

    Args:
        first: Where its text begins.
        last: One past the last character of its text.
        at: Where reading goes on.
        inner: Quotation marks inside it.
        unclosed: Whether its closing mark is missing.
    """

    first: int
    last: int
    at: int
    inner: list[int] = field(default_factory=list)
    unclosed: bool = False


def find_end(text: str, start: int, end: int, after: re.Pattern[str], meter: Meter) -> Ending | None:
    """Find where the string that opens at `start` ends.

    A mark closes the string if what follows it is what the grammar allows there, and no quotation inside the string is
    still open. Where one is, either a mark is missing (then the structure goes on inside what was taken for the string)
    or the mark belongs to the quotation.

    Args:
        text: The text.
        start: Where the opening mark stands.
        end: Where the text ends.
        after: What may follow a closing mark here.
        meter: Counts the work.

    Returns:
        None where the string has no end.
    """
    escaped = text.startswith('\\"', start)
    closers = OPENERS['"' if escaped else text[start]]
    first = at = start + (2 if escaped else 1)
    fallback: Ending | None = None
    inner: list[int] = []
    pending = 0
    limit = -1
    searched = first
    while True:
        found = _next_mark(text, at, end, closers, escaped=escaped)
        if found is None:
            break
        mark, at = found
        meter.spend(PER_MARK)
        if 0 <= limit < len(inner) or len(inner) >= MOST_MARKS:
            break
        if after.match(text, at, end):
            if pending <= 0:
                return Ending(first, mark, at, inner)
            meter.spend(mark - searched)
            restart = RESTART.search(text, searched, mark)
            searched = max(first, mark - LONGEST_RESTART)
            if restart is not None and not _odd_quotes(text, first, restart.start(), closers):
                return _restarted(text, first, restart.start(), inner)
            if fallback is None:
                fallback = Ending(first, mark, at, inner)
                limit = len(inner) + PATIENCE
        pending = _weigh(text, mark, at, pending)
        inner.append(mark)
    if fallback is not None:
        return fallback
    if len(inner) >= MOST_MARKS:
        return None
    meter.spend(end - first)
    restart = RESTART.search(text, first, end)
    return None if restart is None else _restarted(text, first, restart.start(), inner)


def find_key_end(text: str, start: int, end: int) -> Ending | None:
    """Find where the key that opens at `start` ends: at its first mark before a colon, without structure in between.

    A key that no colon follows ends at its first mark all the same; what follows it is then its value.

    Returns:
        None where the key has no end.
    """
    escaped = text.startswith('\\"', start)
    closers = OPENERS['"' if escaped else text[start]]
    first = at = start + (2 if escaped else 1)
    end = min(end, first + LONGEST_KEY)
    fallback: Ending | None = None
    inner: list[int] = []
    while True:
        found = _next_mark(text, at, end, closers, escaped=escaped)
        if found is None or _STRUCTURE.search(text, at, found[0]):
            return fallback
        mark, at = found
        if AFTER_KEY.match(text, at):
            return Ending(first, mark, at, inner)
        if fallback is None:
            fallback = Ending(first, mark, at)
            if VALUE_FOLLOWS.match(text, at):
                return fallback
        inner.append(mark)


def _restarted(text: str, first: int, at: int, inner: list[int]) -> Ending:
    """A string whose closing mark is missing: it ends before the blanks before the place where structure goes on."""
    last = at
    while last > first and text[last - 1] in " \t\r\n":
        last -= 1
    return Ending(first, last, at, inner, unclosed=True)


def _next_mark(text: str, at: int, end: int, closers: str, *, escaped: bool) -> tuple[int, int] | None:
    """The next mark that is not escaped, and one past it."""
    if len(closers) == 1 and not escaped:
        mark = text.find(closers, at, end)
        if mark < 0:
            return None
        if text.find("\\", at, mark) < 0:
            return mark, mark + 1
    pattern = _MARKS.get(closers)
    if pattern is None:
        pattern = _MARKS[closers] = re.compile(rf"\\.|[{closers}]", re.DOTALL)
    while True:
        match = pattern.search(text, at, end)
        if match is None:
            return None
        at = match.end()
        if match.group()[0] != "\\" or (escaped and match.group() == '\\"'):
            return match.start(), at


def _weigh(text: str, mark: int, after: int, pending: int) -> int:
    """Count a quotation mark inside a string as one that opens a quotation or one that ends it."""
    if text[mark - 1] in _OPENS and text[after : after + 1] not in _ENDS:
        return pending + 1
    return max(0, pending - 1)


def inner_marks(content: str, quote: str) -> list[int] | None:
    """Where unescaped quotation marks stand inside a string; None where the last quotation they open stays open."""
    marks: list[int] = []
    pending = at = 0
    if "\\" not in content:  # most strings
        mark = content.find(quote)
        while mark >= 0:
            marks.append(mark)
            at = mark + 1
            if not mark or (content[mark - 1] in _OPENS and content[at : at + 1] not in _ENDS):
                pending += 1
            elif pending:
                pending -= 1
            mark = content.find(quote, at)
        return None if pending else marks
    while True:
        found = _next_mark(content, at, len(content), quote, escaped=False)
        if found is None:
            return None if pending else marks
        mark, at = found
        marks.append(mark)
        pending = _weigh(content, mark, at, pending) if mark else pending + 1


def _odd_quotes(text: str, first: int, last: int, closers: str) -> bool:
    return sum(text.count(mark, first, last) for mark in closers) % 2 == 1


def unescape(content: str, offset: int) -> tuple[str, list[int]]:
    """Resolve the escapes of a string; return the text, and where those stand that JSON does not know."""
    bad: list[int] = []

    def one(match: re.Match[str]) -> str:
        code, char = match.groups()
        if code:
            return chr(int(code, 16))
        if char in SIMPLE_ESCAPES:
            return SIMPLE_ESCAPES[char]
        bad.append(offset + match.start())
        return str(char) if char and char in "'`_*#~" else match.group()

    text = ESCAPE.sub(one, content)
    # Halves of one character that were escaped one by one become that character; a lone half is replaced.
    return (text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")), bad
