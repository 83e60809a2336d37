"""JSON that is almost JSON: read in one pass, with every change written down.

The rules that keep it honest:
- Only what a strict decoder refuses comes here; valid JSON is never "repaired".
- A value that reaches the end of the text is not a value ("verdict": 1 may have been 10).
- No element is dropped and no gap is closed: a blank or missing one stays in its place as a `Gap`.
- Work is linear: the text is walked once, look-ahead and look-back are bounded, there is no recursion.
"""

from __future__ import annotations

import re
from operator import itemgetter
from typing import Final

from magistrate.parsing.decode import repair_patterns as shapes
from magistrate.parsing.decode.nodes import Obj
from magistrate.parsing.decode.repair_patterns import OPENERS
from magistrate.parsing.decode.repair_state import KEY, VALUE, RunawayError, State
from magistrate.parsing.decode.repair_values import read_key, read_value


def mend(text: str, start: int, end: int | None = None) -> State:
    """Read the container that opens at `start`, mending what a strict decoder refuses.

    Returns:
        The state at the end of the walk; its value is None where mending was given up: the text nests too deep, or
        needs too many repairs.
    """
    state = State(text, start, len(text) if end is None else end)
    root = state.open(state.char())
    try:
        if root is None or not _walk(state):
            return state
    except RunawayError:
        return state
    state.cut = bool(state.stack)
    if state.cut:
        state.note("missing-bracket", min(state.at, state.end))
        for container in state.stack:
            container.span = (container.span[0], state.at)
        state.close_all()
    root.span = (start, root.span[1])
    if state.cut and state.unsure:
        return state  # what its strings quote may be taken for the rest of it
    state.notes.sort(key=itemgetter(1))
    state.value = root
    return state


def _walk(state: State) -> bool:
    """Take one step after the other, to the end of the container or of what can be read; False where it is too far."""
    return any(not state.stack or not _STEPS[state.want](state) for _ in range(state.most_steps))


def _after(state: State) -> bool:
    char = state.skip()
    top = state.stack[-1]
    if not char:
        return False
    if char == "`" and state.text.startswith("```", state.at):
        return state.give_up()  # the fence in which it began is closed
    if char == ",":
        state.at += 1
        state.want = KEY if isinstance(top, Obj) else VALUE
        return True
    if char in "}]":
        return _closing(state, char)
    in_object = isinstance(top, Obj)
    if in_object and char in "{[":
        return state.give_up()
    if char in OPENERS or char in "{[" or (in_object and shapes.BARE_KEY.match(state.text, state.at, state.end)):
        state.note("missing-comma", state.at)
        state.want = KEY if isinstance(top, Obj) else VALUE
        return True
    if shapes.STRAY.match(state.text, state.at, state.end):
        raise RunawayError  # "yes" (mostly) is not "yes"
    return state.give_up()


def _closing(state: State, char: str) -> bool:
    fits = (char == "}") == isinstance(state.stack[-1], Obj)
    if not fits and len(state.stack) > 1 and _mistyped(state, char):
        state.note("wrong-bracket", state.at)
        fits = True
    if not fits and len(state.stack) > 1 and (char == "}") == isinstance(state.stack[-2], Obj):
        surplus = _follows(state, shapes.ELEMENT_FOLLOWS if char == "}" else shapes.MEMBER_FOLLOWS)
        if not surplus:  # nor does the container go on after it
            state.note("missing-bracket", state.at)
            state.close()
            return True
    if not fits:
        state.note("surplus-bracket", state.at)
    state.at += 1
    if fits:
        state.close()
    return True


def _mistyped(state: State, char: str) -> bool:
    """Whether a bracket of the wrong kind stands for the right one: what holds the container goes on after it."""
    in_object = isinstance(state.stack[-2], Obj)
    return (char == "}") == in_object and _follows(state, shapes.MEMBER_FOLLOWS if in_object else shapes.OBJECT_FOLLOWS)


def _follows(state: State, shape: re.Pattern[str]) -> bool:
    """Whether something follows the bracket that stands here."""
    return shape.match(state.text, state.at + 1, state.end) is not None


_STEPS: Final = (read_value, read_key, _after)
