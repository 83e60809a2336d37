"""Where a string ends whose quotation marks cannot be trusted: where the grammar goes on, not at the first mark."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from magistrate.parsing.decode import repair_patterns as shapes
from magistrate.parsing.decode.repair_patterns import OPENERS
from magistrate.parsing.wording.fold import clean

if TYPE_CHECKING:
    from magistrate.parsing.decode.repair_state import State

MOST_MARKS: Final = 200
"""Quotation marks in one string, after which it is taken to have no end."""
PATIENCE: Final = 40
"""Further quotation marks that are looked at before the first place where a string may end is taken."""
FARTHEST: Final = 3
"""Strings that are looked ahead, one behind the other, to see whether the marks in each come in pairs."""
PER_MARK: Final = 60
"""What looking at a mark counts for, in characters."""
LONGEST_RESTART: Final = 200
"""Characters in which it shows that the structure goes on; blanks aside, they are fewer."""
_OPENS: Final = frozenset(" \t\n([{-\u2014\u2013:=/>,")
_ENDS: Final = frozenset(" \t\n)]}.,;:!?-\u2014\u2013/<")
_STRUCTURE: Final = re.compile(r"[{}\[\]\n]|,\s*$")
_NEXT_LINE: Final = re.compile(r",[^\S\n]*+\n\s*+\Z")
_APOSTROPHE: Final = re.compile(r"\w'\w")
_MARKS: dict[str, re.Pattern[str]] = {}


@dataclass(slots=True)
class Ending:
    """Where a string ends."""

    first: int  # where its text begins
    last: int  # one past the last character of its text
    at: int  # where reading goes on
    inner: list[int] = field(default_factory=list)  # quotation marks inside it
    unclosed: bool = False  # whether its closing mark is missing
    sure: bool = False  # whether structure goes on behind it, which it does nowhere inside it


def find_end(state: State, start: int, after: re.Pattern[str], depth: int = 0) -> Ending | None:
    """Find where the string that opens at `start` ends, as what a member or an element is.

    A mark closes the string if what follows it is what the grammar allows there, and goes on as the grammar has it: a
    quotation inside the string may look like the end, but what stands behind the quotation does not. Where nothing
    goes on so, the first mark outside of a quotation is taken. A string whose closing mark is missing ends where the
    structure goes on inside what was taken for it.

    Args:
        state: Where the walk stands.
        start: Where the opening mark stands.
        after: What may follow a closing mark here.
        depth: How many strings are looked ahead already.

    Returns:
        None where the string has no end.
    """
    if start in state.endings:
        return state.endings[start]
    text, end = state.text, state.end
    closers = OPENERS[text[start]]
    checked = closers in {'"', "'"} and after is not shapes.AFTER_ELEMENT
    first = at = searched = start + 1
    fallback: Ending | None = None
    inner: list[int] = []
    pending, limit, braces, brackets = 0, MOST_MARKS, 0, 0
    while True:
        found = _next_mark(text, at, end, closers)
        if found is None:
            break
        braces += text.count("{", at, found[0]) - text.count("}", at, found[0])
        brackets += text.count("[", at, found[0]) - text.count("]", at, found[0])
        if checked and braces <= 0 and shapes.ROW_BEGINS.match(text, at, found[0]):  # the next row's string ends there
            if fallback is None and inner:
                fallback = Ending(first, inner[-1], at, inner[:-1])
            break
        if checked and fallback is not None and text.find("\n", at, found[0]) >= 0:
            break  # where a string may end on its line, it does
        mark, at = found
        state.spend(PER_MARK)
        if len(inner) >= limit:
            break
        line = after is shapes.AFTER_ELEMENT and _NEXT_LINE.search(text, max(first, mark - LONGEST_RESTART), mark)
        if line and line.start() > first:
            return _restarted(text, first, line.start(), inner)
        if after.match(text, at, end):
            if pending > 0:
                state.spend(mark - searched)
                restart = shapes.RESTART.search(text, searched, mark)
                searched = max(first, mark - LONGEST_RESTART)
                if (
                    restart is not None
                    and not _odd_quotes(text, first, restart.start(), closers)
                    and (not checked or not shapes.MEMBER_INSIDE.search(text, first, restart.start()))
                    and (not checked or goes_on(state, restart.start(), depth))
                ):
                    return _restarted(text, first, restart.start(), inner)
            whole = not inner or braces == brackets == 0  # a quotation of structure is closed before its string is
            if (whole and goes_on(state, at, depth)) if checked else pending <= 0:
                fallback = Ending(first, mark, at, inner, sure=checked)
                break
            if fallback is None:
                fallback = Ending(first, mark, at, inner[:])
                limit = min(limit, len(inner) + PATIENCE)
        pending = _weigh(text, mark, at, pending)
        inner.append(mark)
    state.endings[start] = fallback
    return fallback


def goes_on(state: State, at: int, depth: int) -> bool:
    """Whether structure follows a mark and goes on as such: to the end of the container, or for a member at least.

    A member whose string holds marks of its own does if they come in pairs.
    """
    low, high, known = state.ahead
    if low <= at <= high:
        return known
    text, end = state.text, state.end
    run = shapes.MEMBERS_FOLLOW.match(text, at, end)
    stop = run.end() if run else at
    state.spend((stop - at) // 4)
    good = any(shape.match(text, stop, end) for shape in (shapes.CLOSES, shapes.CONTAINER_FOLLOWS))
    string = None if good else shapes.STRING_FOLLOWS.match(text, stop, end)
    if string is None:
        state.ahead = (at, stop, good)
        return good
    if stop > at:
        state.ahead = (at, stop - 1, True)
        return True
    if depth >= FARTHEST:
        return True
    return pairs_up(state, string.end(), depth)


def pairs_up(state: State, start: int, depth: int = 0) -> bool:
    """Whether the marks inside the string that opens here come in pairs, as those of a quotation do."""
    ending = find_end(state, start, shapes.AFTER_MEMBER, depth + 1)
    if ending is None:
        return True
    marks = [mark for mark in ending.inner if mark < ending.last and not _APOSTROPHE.match(state.text, mark - 1)]
    return len(marks) % 2 == 0


def find_key_end(text: str, start: int, end: int) -> Ending | None:
    """Find where the key that opens at `start` ends: at its first mark, if no structure stands before it."""
    first = start + 1
    found = _next_mark(text, first, min(end, first + shapes.LONGEST_KEY), OPENERS[text[start]])
    return None if found is None or _STRUCTURE.search(text, first, found[0]) else Ending(first, *found)


def _restarted(text: str, first: int, at: int, inner: list[int]) -> Ending:
    """A string whose closing mark is missing: it ends before the blanks before the place where structure goes on."""
    last = at
    while last > first and text[last - 1] in " \t\r\n":
        last -= 1
    return Ending(first, last, at, inner, unclosed=True)


def _next_mark(text: str, at: int, end: int, closers: str) -> tuple[int, int] | None:
    """The next mark that is not escaped, and one past it."""
    if len(closers) == 1:
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
        if match.group()[0] != "\\":
            return match.start(), at


def _weigh(text: str, mark: int, after: int, pending: int) -> int:
    """Count a quotation mark inside a string as one that opens a quotation or one that ends it."""
    if text[mark - 1] in _OPENS and text[after : after + 1] not in _ENDS:
        return pending + 1
    return max(0, pending - 1)


def closes_first(text: str, mark: int) -> bool:
    """Whether the first quotation mark in a string closes a quotation that none has opened."""
    return _weigh(text, mark, mark + 1, 0) == 0


def _odd_quotes(text: str, first: int, last: int, closers: str) -> bool:
    return sum(text.count(mark, first, last) for mark in closers) % 2 == 1


def unescape(content: str, offset: int) -> tuple[str, list[int]]:
    """Resolve the escapes of a string; return the text, and where those stand that JSON does not know."""
    bad: list[int] = []

    def one(match: re.Match[str]) -> str:
        code, char = match.groups()
        if code:
            return chr(int(code, 16))
        if char in shapes.SIMPLE_ESCAPES:
            return shapes.SIMPLE_ESCAPES[char]
        bad.append(offset + match.start())
        return str(char) if char and char in "'`_*#~" else match.group()

    text = shapes.ESCAPE.sub(one, content)
    # Halves of one character that were escaped one by one become that character; a lone half is replaced.
    return clean(text), bad
