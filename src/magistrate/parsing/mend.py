"""JSON that is almost JSON: read in one pass, with every change written down.

The rules that keep it honest:
- Only what a strict decoder refuses comes here; valid JSON is never "repaired".
- A value that reaches the end of the text is not a value ("verdict": 1 may have been 10).
- No element is dropped and no gap is closed: a blank or missing one stays in its place as a `Gap`.
- Work is linear: the text is walked once, look-ahead and look-back are bounded, there is no recursion.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from magistrate.parsing.mend_keys import read_key
from magistrate.parsing.mend_patterns import (
    BARE_KEY,
    ELEMENT_FOLLOWS,
    MEMBER_FOLLOWS,
    OBJECT_FOLLOWS,
    OPENERS,
    STRAY,
)
from magistrate.parsing.mend_state import DEEPEST, KEY, VALUE, Note, State, TooDeepError
from magistrate.parsing.mend_values import read_value
from magistrate.parsing.tree import Arr, Obj

__all__ = ["Mended", "Note", "mend"]


@dataclass(slots=True)
class Mended:
    """What could be read from one opening bracket on.

    Args:
        value: The container.
        end: One past the last character that belongs to it.
        notes: What was changed and where, in order.
        cut: Whether the text ended, or ceased to be JSON, before the container was closed.
        dangling: Whether it ended in the middle of something, not just before closing brackets.
    """

    value: Obj | Arr
    end: int
    notes: list[Note]
    cut: bool
    dangling: bool


def mend(text: str, start: int, end: int | None = None) -> Mended | int:
    """Read the container that opens at `start`, mending what a strict decoder refuses.

    Args:
        text: The text.
        start: Where the container opens.
        end: Where the text is to be taken for ended.

    Returns:
        What was read; where it nests too deep, the place where it was given up.
    """
    state = State(text, start, len(text) if end is None else end)
    if state.open(state.char()) is None:
        return start
    root = state.stack[0]
    try:
        while state.stack and _STEPS[state.want](state):
            pass
    except TooDeepError:
        return state.at
    cut = bool(state.stack)
    if cut:
        state.note("missing-bracket", min(state.at, state.end))
        for container in state.stack:
            container.span = (container.span[0], state.at)
        state.close_all()
    root = state.root or root
    root.span = (start, root.span[1])
    return Mended(root, state.at, state.notes, cut, state.dangling)


def _after(state: State) -> bool:
    char = state.skip()
    top = state.stack[-1]
    if not char:
        return False
    if char == ",":
        state.at += 1
        state.want = KEY if isinstance(top, Obj) else VALUE
        return True
    if char in "}]":
        return _closing(state, char)
    if char in OPENERS or char in "{[" or (isinstance(top, Obj) and BARE_KEY.match(state.text, state.at, state.end)):
        if isinstance(top, Obj) and char in "{[":
            return state.give_up()
        state.note("missing-comma", state.at)
        state.want = KEY if isinstance(top, Obj) else VALUE
        return True
    stray = STRAY.match(state.text, state.at, state.end)
    if stray:
        state.note("stray-text", state.at)
        state.at = stray.end()
        state.strays += 1
        return state.strays <= DEEPEST
    return state.give_up()


def _closing(state: State, char: str) -> bool:
    top = state.stack[-1]
    if char == "]" and isinstance(top, Obj) and state.text[top.span[0]] == "[":  # opened by the wrong bracket
        state.at += 1
        state.close()
        return True
    if (char == "}") == isinstance(top, Obj):
        state.at += 1
        state.close()
        return True
    if len(state.stack) > 1 and _mistyped(state, char):
        state.note("wrong-bracket", state.at)
        state.at += 1
        state.close()
        return True
    if len(state.stack) > 1 and (char == "}") == isinstance(state.stack[-2], Obj) and not _surplus(state, char):
        state.note("missing-bracket", state.at)
        state.close()
        return True
    state.note("surplus-bracket", state.at)
    state.at += 1
    return True


def _surplus(state: State, char: str) -> bool:
    """Whether a bracket that closes the wrong container is one too many: the container goes on after it."""
    goes_on = ELEMENT_FOLLOWS if char == "}" else MEMBER_FOLLOWS
    return goes_on.match(state.text, state.at + 1, state.end) is not None


def _mistyped(state: State, char: str) -> bool:
    """Whether a bracket of the wrong kind stands for the right one: what holds the container goes on after it."""
    holder = state.stack[-2]
    if (char == "}") != isinstance(holder, Obj):
        return False
    goes_on = MEMBER_FOLLOWS if char == "}" else OBJECT_FOLLOWS
    return goes_on.match(state.text, state.at + 1, state.end) is not None


_STEPS: Final = (read_value, read_key, _after)
