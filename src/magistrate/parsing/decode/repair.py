"""JSON that is almost JSON: read in one pass, with every change written down.

The rules that keep it honest:
- Only what a strict decoder refuses comes here; valid JSON is never "repaired".
- A value that reaches the end of the text is not a value ("verdict": 1 may have been 10).
- No element is dropped and no gap is closed: a blank or missing one stays in its place as a `Gap`.
- Work is linear: the text is walked once, look-ahead and look-back are bounded, there is no recursion.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Final

from magistrate.parsing.decode import repair_patterns as shapes
from magistrate.parsing.decode.nodes import Arr, Gap, Obj, Span
from magistrate.parsing.decode.repair_patterns import OPENERS
from magistrate.parsing.decode.repair_state import KEY, VALUE, Note, State
from magistrate.parsing.decode.repair_strings import RunawayError
from magistrate.parsing.decode.repair_values import read_key, read_value


@dataclass(slots=True)
class Mended:
    """What could be read from one opening bracket on.

    Args:
        value: The container.
        end: One past the last character that belongs to it.
        notes: What was changed and where, in order.
        cut: Whether the text ended, or ceased to be JSON, before the container was closed.
        dangling: Whether it ended in the middle of something, not just before closing brackets.
        work: How many characters were looked at beyond the one walk.
    """

    value: Obj | Arr
    end: int
    notes: list[Note]
    cut: bool
    dangling: bool
    work: int


@dataclass(frozen=True, slots=True)
class GivenUp:
    """Where mending was given up: the text nests too deep, or needs too many repairs."""

    at: int
    work: int


def mend(text: str, start: int, end: int | None = None) -> Mended | GivenUp:
    """Read the container that opens at `start`, mending what a strict decoder refuses."""
    state = State(text, start, len(text) if end is None else end)
    if state.open(state.char()) is None:
        return GivenUp(start, 0)
    root = state.stack[0]
    try:
        _walk(state)
    except RunawayError:
        return GivenUp(state.at, state.meter.spent)
    cut = bool(state.stack)
    if cut:
        state.note("missing-bracket", min(state.at, state.end))
        for container in state.stack:
            container.span = (container.span[0], state.at)
        state.close_all()
    root.span = (start, root.span[1])
    if (cut or state.torn) and state.unsure >= 0:
        _drop(root, state.unsure)
    state.notes.sort(key=itemgetter(1))
    return Mended(root, state.at, state.notes, cut, state.dangling, state.meter.spent)


def _drop(root: Obj | Arr, start: int) -> None:
    """Drop all values from a place on: they may be what a string quotes whose end was cut off."""
    pending: list[Obj | Arr] = [root]
    while pending:
        holder = pending.pop()
        places: Iterable[tuple[Any, Span]] = (
            [(key, holder.spans.get(key, holder.span)) for key in holder]
            if isinstance(holder, Obj)
            else list(enumerate(holder.spans))
        )
        for step, span in places:
            value = holder[step]
            if isinstance(value, Obj | Arr):
                pending.append(value)
            elif span[0] >= start:
                holder[step] = Gap.CUT
            if isinstance(holder, Obj) and step in holder.twice:
                holder[step] = Gap.CUT
                holder.twice[step] = [Gap.CUT]


def _walk(state: State) -> None:
    """Take one step after the other, to the end of the container or of what can be read."""
    for _ in range(state.most_steps):
        if not state.stack or not _STEPS[state.want](state):
            return
    raise RunawayError


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
    stray = shapes.STRAY.match(state.text, state.at, state.end)
    if stray:
        state.junk("stray-text", state.at)
        state.spoil(stray.end())
        state.at = stray.end()
        return True
    return state.give_up()


def _closing(state: State, char: str) -> bool:
    top = state.stack[-1]
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
    state.junk("surplus-bracket", state.at)
    state.at += 1
    return True


def _surplus(state: State, char: str) -> bool:
    """Whether a bracket that closes the wrong container is one too many: the container goes on after it."""
    goes_on = shapes.ELEMENT_FOLLOWS if char == "}" else shapes.MEMBER_FOLLOWS
    return goes_on.match(state.text, state.at + 1, state.end) is not None


def _mistyped(state: State, char: str) -> bool:
    """Whether a bracket of the wrong kind stands for the right one: what holds the container goes on after it."""
    holder = state.stack[-2]
    if (char == "}") != isinstance(holder, Obj):
        return False
    goes_on = shapes.MEMBER_FOLLOWS if char == "}" else shapes.OBJECT_FOLLOWS
    return goes_on.match(state.text, state.at + 1, state.end) is not None


_STEPS: Final = (read_value, read_key, _after)
