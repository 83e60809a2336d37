"""Mending where a value should stand."""

from __future__ import annotations

import re
from typing import Any, Final, cast

from magistrate.parsing.decode.nodes import Arr, Gap, Obj
from magistrate.parsing.decode.repair_patterns import (
    AFTER_ELEMENT,
    AFTER_MEMBER,
    AFTER_NUMBERED,
    ANY_QUOTE,
    BARE_ELEMENT_END,
    BARE_MEMBER_END,
    COLONS,
    DECIMAL_COMMA,
    DOTS,
    FENCED,
    GROUPED,
    LITERALS,
    NOT_NUMBERS,
    NUMBER,
    NUMBERS,
    OPENERS,
    PYTHON,
    SPACE,
    VALUE_IS_KEY,
    WORD,
)
from magistrate.parsing.decode.repair_rows import read_rows
from magistrate.parsing.decode.repair_state import AFTER, DEEPEST, KEY, State
from magistrate.parsing.decode.repair_strings import RunawayError


def read_value(state: State) -> bool:
    """Read what stands where a value should; return whether to go on."""
    char = state.skip()
    in_object = isinstance(state.stack[-1], Obj)
    if not char:
        state.dangling = in_object or bool(state.stack[-1])
        if in_object:
            state.store(Gap.CUT, state.at, state.at)
        return False
    if char in "{[":
        return (char == "{" and read_rows(state)) or _open_value(state, char)
    if char in ",}]":
        return _no_value(state, char, in_object=in_object)
    if char == ":" and in_object:
        state.junk("surplus-colon", state.at)
        colons = COLONS.match(state.text, state.at, state.end)
        state.at = colons.end() if colons else state.at + 1
        return True
    if char == "`" and state.text.startswith("```", state.at):
        return _fenced_value(state) or state.give_up()
    if char in OPENERS or state.text.startswith('\\"', state.at):
        if not in_object and VALUE_IS_KEY.match(state.text, state.at, state.end):
            return _member_in_array(state)
        return _string_value(state, in_object=in_object)
    return _bare_value(state, in_object=in_object)


def _open_value(state: State, char: str) -> bool:
    if char == "[" and isinstance(state.stack[-1], Arr) and not state.stack[-1] and len(state.stack) > DEEPEST // 2:
        raise RunawayError
    state.open(char)
    return True


def _no_value(state: State, char: str, *, in_object: bool) -> bool:
    """A comma or closing bracket where a value should stand."""
    top = state.stack[-1]
    if in_object:
        state.note("missing-value", state.at)
        state.store(Gap.MISSING, state.at, state.at)
        state.want = AFTER
        return True
    if char == ",":
        state.junk("blank-element", state.at)
        state.store(Gap.MISSING, state.at, state.at)
        state.at += 1
        return True
    if top:
        state.note("trailing-comma", state.at)
    state.want = AFTER
    return True


def _string_value(state: State, *, in_object: bool) -> bool:
    start = state.at
    if in_object and VALUE_IS_KEY.match(state.text, start, state.end) and not _is_text_then_colon(state, start):
        state.note("missing-value", start)
        state.store(Gap.MISSING, start, start)
        state.want = KEY
        return True
    after = AFTER_MEMBER if in_object else AFTER_ELEMENT
    if in_object and (state.keys[-1] or "").isdecimal():
        after = AFTER_NUMBERED
    value = state.string(after)
    if value is None:
        state.dangling = True
        state.store(Gap.CUT, start, state.end)
        return False
    state.store(value, start, state.at)
    state.want = AFTER
    return True


def _fenced_value(state: State) -> bool:
    """Code in a fence where a value should stand: a text, whatever it looks like."""
    fenced = FENCED.match(state.text, state.at, state.end)
    if fenced is None:
        return False
    state.note("unquoted-value", state.at)
    state.store(fenced["inside"].strip("\n"), state.at, fenced.end())
    state.at = fenced.end()
    state.want = AFTER
    return True


def _member_in_array(state: State) -> bool:
    """A key where an element should stand: a bracket is missing, or the wrong one was opened."""
    match = VALUE_IS_KEY.match(state.text, state.at, state.end)
    top = cast("Arr", state.stack[-1])
    key = match.group().rstrip(":\uff1a \t\r\n").strip(ANY_QUOTE) if match else ""
    if not top:
        state.note("wrong-bracket", top.span[0])
        state.stack[-1] = Obj(top.span[0])
        if len(state.stack) == 1:
            state.root = state.stack[0]
    elif isinstance(top[-1], Obj) and key in top[-1]:
        state.note("missing-bracket", state.at)
        state.open_object()
    elif len(state.stack) > 1 and isinstance(state.stack[-2], Obj):
        state.note("missing-bracket", state.at)
        state.close()
    else:
        return _string_value(state, in_object=False)
    state.want = KEY
    return True


def _is_text_then_colon(state: State, start: int) -> bool:
    """Whether what looks like a key in the place of a value is quoted text: it goes on after the colon as text."""
    match = VALUE_IS_KEY.match(state.text, start, state.end)
    if match is None:
        return False
    after = SPACE.match(state.text, match.end(), state.end)
    char = state.text[after.end() : after.end() + 1] if after else ""
    return bool(char) and char not in OPENERS and char not in "{[-0123456789tfnTFN"


def _bare_value(state: State, *, in_object: bool) -> bool:
    start = state.at
    dots = None if in_object else DOTS.match(state.text, start, state.end)
    if dots:
        state.note("ellipsis", start)
        state.store(Gap.ELLIPSIS, start, dots.end())
        state.at = dots.end()
        state.want = AFTER
        return True
    value, stop = _scalar(state, start, in_object=in_object)
    if stop >= state.end and not isinstance(value, bool) and value is not None:
        state.dangling = True
        state.store(Gap.CUT, start, stop)
        state.at = state.end
        return False
    if stop <= start:
        return state.give_up()
    state.store(value, start, stop)
    state.at = stop
    state.want = AFTER
    return True


def _scalar(state: State, start: int, *, in_object: bool) -> tuple[Any, int]:
    comma = DECIMAL_COMMA.match(state.text, start, state.end) if in_object else None
    if comma:
        state.note("decimal-comma", start)
        return comma.group(), comma.end()
    match = NUMBER.match(state.text, start, state.end)
    if match and _ends_here(state, match.end()) and not (in_object and GROUPED.match(state.text, start, state.end)):
        written = match.group().lstrip("-")
        if written[:1] == "." or (written[:1] == "0" and written[1:2].isdigit()):
            state.note("unquoted-value", start)  # 007 may be a number or a name
            return (match.group() if written[0] == "0" else _number(match.group())), match.end()
        return _number(match.group()), match.end()
    match = WORD.match(state.text, start, state.end)
    if match and _ends_here(state, match.end()):
        word = match.group()
        if word in LITERALS:
            return LITERALS[word], match.end()
        if word in PYTHON:
            state.note("python-literal", start)
            return PYTHON[word], match.end()
        if word in NOT_NUMBERS:
            return NOT_NUMBERS[word], match.end()
    return _bare_text(state, start, in_object=in_object)


def _ends_here(state: State, at: int) -> bool:
    match = SPACE.match(state.text, at, state.end)
    after = match.end() if match else at
    char = state.text[after : after + 1] if after < state.end else ""
    if not char or char in ",;}]/#\n\uff0c\uff5d\uff3d\u3001\uff1b" or (after > at and char in OPENERS):
        return True
    return char in OPENERS and VALUE_IS_KEY.match(state.text, after, state.end) is not None


_HELD: Final = re.compile(r"[{\[]")
_ID_KEY: Final = re.compile(r"[a-zA-Z]?\d{1,4}")
_WORD_OF_MAP: Final = re.compile(
    r"(?P<word>[^\W\d_]\w*+(?:[ ][^\W\d_]\w*+){0,4}+)(?=\s{0,40},\s{0,40}[\"']?[a-zA-Z]?\d{1,4}[\"']?\s{0,4}[:\uff1a])"
)
"""A few words, and behind their comma the next number and its colon."""


def _bare_text(state: State, start: int, *, in_object: bool) -> tuple[Any, int]:
    """Text without quotation marks: up to where the next member or element begins."""
    if in_object and _ID_KEY.fullmatch(state.keys[-1] or ""):
        word = _WORD_OF_MAP.match(state.text, start, state.end)
        if word:  # {1: yes, 2: no}
            state.note("unquoted-value", start)
            return word["word"], word.end()
    match = (BARE_MEMBER_END if in_object else BARE_ELEMENT_END).search(state.text, start, state.end)
    state.meter.spend((state.end if match is None else match.end()) - start)
    if match is None:
        return state.text[start : state.end], state.end
    state.note("unquoted-value", start)
    text = state.text[start : match.start()].strip()
    if (not in_object and NUMBERS.fullmatch(text)) or (
        _HELD.search(text) and "\\" not in text
    ):  # how many, nobody can tell
        return Gap.MISSING, match.start()
    digits = NUMBER.fullmatch(_ascii_digits(text))
    stop = match.start()
    if in_object and state.text[stop : stop + 1] in OPENERS and not state.text[stop : stop + 1].isspace():
        stop += 1
        state.note("missing-quote", start)
    return (_number(digits.group()) if digits else text), max(stop, start)


def _number(digits: str) -> int | float:
    """A number; one of more digits than any scale has is a float, because int() takes quadratic time."""
    if len(digits) <= 18 and digits.lstrip("-").isdigit():  # noqa: PLR2004 - what fits 64 bits
        return int(digits)
    try:
        return float(digits)
    except (ValueError, OverflowError):
        return float("nan")


def _ascii_digits(text: str) -> str:
    return "".join(chr(ord(char) - 0xFEE0) if "\uff10" <= char <= "\uff19" else char for char in text[:40])
