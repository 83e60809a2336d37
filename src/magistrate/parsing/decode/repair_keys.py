"""Mending where a key should stand."""

from __future__ import annotations

import re

from magistrate.parsing.decode.nodes import Arr, Obj
from magistrate.parsing.decode.repair_patterns import (
    AFTER_KEY,
    AFTER_MEMBER,
    AFTER_NUMBERED,
    ARROW,
    BARE_KEY,
    DOTS,
    KEY_TAIL,
    KEY_THEN_STRING,
    LITERAL,
    MEMBER,
    MEMBER_ENDS,
    OPENERS,
    RUNAWAY_KEY,
    VALUE_IS_KEY,
    first_quote,
)
from magistrate.parsing.decode.repair_state import AFTER, VALUE, State

__all__ = ["read_key"]


def read_key(state: State) -> bool:
    """Read what stands where a key should; return whether to go on."""
    top = state.stack[-1]
    if _members(state):
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


def _members(state: State) -> bool:
    """Take as many members as follow of which at most the string's own quotation marks are in doubt."""
    top = state.stack[-1]
    quote = first_quote(state.text, state.at - 1)
    pattern = MEMBER.get(quote)
    if pattern is None or not isinstance(top, Obj):
        return False
    text, end, at = state.text, state.end, state.at
    took = False
    while True:
        match = pattern.match(text, at, end)
        if match is None:
            state.at = at
            opened = KEY_THEN_STRING.match(text, at, end) if quote == '"' else None
            if opened is None or not _open_string(state, opened):
                break
            ends = MEMBER_ENDS.match(text, state.at, end)
            took = True
            if ends is None:
                state.want = AFTER
                return True
            state.at = at = ends.end()
            if ends[1]:
                state.close()
                return True
            continue
        key, string, number, literal, comma = match.groups()
        value = string if string is not None else (int(number) if number else LITERAL[literal])
        took = True
        if quote == "'":
            state.note("single-quotes", match.start(1) - 1)
        if key in top:
            top.twice.setdefault(key, [top[key]]).append(value)
        else:
            top[key] = value
            group, edge = (2, 1) if string is not None else ((3, 0) if number else (4, 0))
            top.spans[key] = (match.start(group) - edge, match.end(group) + edge)
        at = match.end()
        if text[at : at + 1] == "}":
            if comma:
                state.note("trailing-comma", match.start(5))
            state.at = at + 1
            state.close()
            return True
    return took


def _open_string(state: State, opened: re.Match[str]) -> bool:
    """Take a key and a string whose end has to be looked for; False where something else is wrong there."""
    start = opened.end()
    if VALUE_IS_KEY.match(state.text, start, state.end):
        return False
    before = state.at
    state.at = start
    value = state.string(AFTER_NUMBERED if opened[1].isdecimal() else AFTER_MEMBER)
    if value is None:
        state.at = before
        return False
    state.keys[-1] = opened[1]
    state.store(value, start, state.at)
    return True


def _quoted_key(state: State) -> bool:
    start = state.at
    runaway = RUNAWAY_KEY.match(state.text, start, state.end)
    if runaway and not VALUE_IS_KEY.match(state.text, start, state.end):
        state.note("missing-quote", start)
        state.keys[-1] = runaway[1].strip()
        state.at = runaway.end()
        state.want = VALUE
        return True
    key = state.string(AFTER_KEY)
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
