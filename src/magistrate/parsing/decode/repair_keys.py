"""Mending where a key should stand."""

from __future__ import annotations

from magistrate.parsing.decode.nodes import Arr, Obj
from magistrate.parsing.decode.repair_patterns import (
    ARROW,
    BARE_KEY,
    DOTS,
    KEY_TAIL,
    OPENERS,
    RUNAWAY_KEY,
    VALUE_IS_KEY,
)
from magistrate.parsing.decode.repair_rows import read_members
from magistrate.parsing.decode.repair_state import AFTER, VALUE, State


def read_key(state: State) -> bool:
    """Read what stands where a key should; return whether to go on."""
    top = state.stack[-1]
    if read_members(state):
        return True
    char = state.skip()
    if not char:
        state.dangling = bool(top)
        return False
    if char == "}":
        if top:
            state.note("trailing-comma", state.at)
        state.at += 1
        state.close()
        return True
    if char == ",":
        state.junk("surplus-comma", state.at)
        state.at += 1
        return True
    if char == "{" and not top:
        state.junk("doubled-brace", state.at)
        state.at += 1
        return True
    if char == "]":
        state.note("missing-bracket" if len(state.stack) > 1 else "wrong-bracket", state.at)
        if len(state.stack) == 1 or isinstance(state.stack[-2], Obj):
            state.at += 1
        state.close()
        return True
    if char in "{[":
        return _key_is_container(state, char)
    if state.text.startswith("```", state.at):
        return state.give_up()
    if char in OPENERS:
        return _quoted_key(state)
    match = BARE_KEY.match(state.text, state.at, state.end)
    if match:
        state.note("unquoted-key", state.at)
        state.keys[-1] = match[1].strip()
        state.at = match.end()
        state.want = VALUE
        return True
    dots = DOTS.match(state.text, state.at, state.end)
    if dots:
        state.note("ellipsis", state.at)
        state.at = dots.end()
        return True
    return state.give_up()


def _key_is_container(state: State, char: str) -> bool:
    """A container where a key should stand: the object was not closed before the next element."""
    if len(state.stack) > 1 and isinstance(state.stack[-2], Arr) and char == "{":
        state.note("missing-bracket", state.at)
        state.close()
        state.want = VALUE
        return True
    return state.give_up()


def _quoted_key(state: State) -> bool:
    start = state.at
    runaway = RUNAWAY_KEY.match(state.text, start, state.end)
    if runaway and not VALUE_IS_KEY.match(state.text, start, state.end):
        state.note("missing-quote", start)
        state.keys[-1] = runaway[1].strip()
        state.at = runaway.end()
        state.want = VALUE
        return True
    key = state.key()
    if key is None:
        state.dangling = True
        state.at = state.end
        return False
    tail = KEY_TAIL.match(state.text, state.at, state.end)
    if tail:  # {"verdic"t: 0}: the quotation mark stands in the midst of the key
        state.note("unescaped-quote", state.at)
        key += tail[1]
        state.at = tail.end(1)
        if state.text[state.at : state.at + 1] in OPENERS:
            state.at += 1
    before, state.keys[-1] = state.keys[-1], key
    sign = state.skip()
    arrow = ARROW.match(state.text, state.at, state.end) if sign == "=" else None
    if arrow:
        state.note("wrong-punctuation", state.at)
        state.at = arrow.end()
    elif sign == ":":
        state.at += 1
    elif sign and sign in ",}":
        state.note("stray-text", start)
        state.keys[-1] = before
        if ("missing-comma", start) in state.notes[-3:]:  # {"s1": 1 "no"}: two values for one key
            state.spoil(state.at)
        state.keys[-1] = None
        state.want = AFTER
        return True
    else:
        state.note("missing-colon", state.at)
    state.want = VALUE
    return True
