"""JSON that is almost JSON: read in one pass, with every change written down.

The rules that keep it honest:
- Only what a strict decoder refuses comes here; valid JSON is never "repaired".
- A value that reaches the end of the text is not a value ("verdict": 1 may have been 10).
- No element is dropped and no gap is closed: a blank or missing one stays in its place as a `Gap`.
- Work is linear: the text is walked once, look-ahead and look-back are bounded, there is no recursion.
"""

import re
from operator import itemgetter
from typing import Any, Final

from magistrate.parsing.decode import repair_patterns as shapes
from magistrate.parsing.decode.nodes import Arr, Gap, Obj
from magistrate.parsing.decode.repair_patterns import LITERALS, OPENERS, SPACE
from magistrate.parsing.decode.repair_rows import read_members
from magistrate.parsing.decode.repair_state import AFTER, KEY, VALUE, RunawayError, State


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
        state.cut = bool(state.stack)
        if state.cut:
            state.note("missing-bracket", min(state.at, state.end))
    except RunawayError:
        return state
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


# -- where a key or a value should stand -----------------------------------------------------------------------------

_HELD: Final = re.compile(r"[{\[]")
_ID_KEY: Final = re.compile(r"[a-zA-Z]?\d{1,4}")
_WORD_OF_MAP: Final = re.compile(
    r"(?P<word>[^\W\d_]\w*+(?:[ ][^\W\d_]\w*+){0,4}+)(?=\s{0,40},\s{0,40}[\"']?[a-zA-Z]?\d{1,4}[\"']?\s{0,4}[:\uff1a])"
)
"""A few words, and behind their comma the next number and its colon."""


def _key(state: State) -> bool:
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
    if char == "{" and not top:
        state.note("doubled-brace", state.at)
        state.at += 1
        return True
    if char == "{" and len(state.stack) > 1 and isinstance(state.stack[-2], Arr):
        state.note("missing-bracket", state.at)  # the object was not closed before the next element
        state.close()
        state.want = VALUE
        return True
    if state.text.startswith("```", state.at):
        return state.give_up()
    if char in OPENERS:
        return _quoted_key(state)
    return _loose_key(state, shapes.BARE_KEY, "unquoted-key") or state.give_up()


def _loose_key(state: State, shape: re.Pattern[str], code: str) -> bool:
    """Read a key of another shape than JSON has, and its colon."""
    match = shape.match(state.text, state.at, state.end)
    if match is None:
        return False
    state.note(code, state.at)
    state.keys[-1] = match[1].strip()
    state.at = match.end()
    state.want = VALUE
    return True


def _quoted_key(state: State) -> bool:
    start = state.at
    if not shapes.VALUE_IS_KEY.match(state.text, start, state.end) and _loose_key(
        state, shapes.RUNAWAY_KEY, "missing-quote"
    ):
        return True
    key = state.key()
    if key is None:
        state.dangling = True
        state.at = state.end
        return False
    state.keys[-1] = key
    sign = state.skip()
    arrow = shapes.ARROW.match(state.text, state.at, state.end) if sign == "=" else None
    if arrow:
        state.note("wrong-punctuation", state.at)
        state.at = arrow.end()
    elif sign == ":":
        state.at += 1
    elif sign and not shapes.VALUE_FOLLOWS.match(state.text, state.at, state.end):  # {"s1": 1 "no"}
        raise RunawayError
    else:
        state.note("missing-colon", state.at)
    state.want = VALUE
    return True


def _value(state: State) -> bool:
    """Read what stands where a value should; return whether to go on."""
    char = state.skip()
    in_object = isinstance(state.stack[-1], Obj)
    if not char:
        state.dangling = in_object or bool(state.stack[-1])
        if in_object:
            state.store(Gap.CUT, state.at, state.at)
        return False
    if char in "{[":
        state.open(char)
        return True
    if char in ",}]":
        return _no_value(state, char, in_object=in_object)
    if (char == ":" and in_object) or state.text.startswith("```", state.at):
        return state.give_up()
    if char == "\\":  # an escaped string in what is not escaped
        raise RunawayError
    if char in OPENERS:
        if not in_object and shapes.VALUE_IS_KEY.match(state.text, state.at, state.end):
            return _member_in_array(state)
        return _string_value(state, in_object=in_object)
    return _bare_value(state, in_object=in_object)


def _no_value(state: State, char: str, *, in_object: bool) -> bool:
    """A comma or closing bracket where a value should stand."""
    if in_object:
        state.note("missing-value", state.at)
        return _store(state, Gap.MISSING, state.at, state.at)
    if char == ",":
        state.note("blank-element", state.at)
        state.store(Gap.MISSING, state.at, state.at)
        state.at += 1
        return True
    if state.stack[-1]:
        state.note("trailing-comma", state.at)
    state.want = AFTER
    return True


def _store(state: State, value: Any, start: int, stop: int) -> bool:
    """File a value that ends at a place."""
    state.store(value, start, stop)
    state.at = stop
    state.want = AFTER
    return True


def _string_value(state: State, *, in_object: bool) -> bool:
    start = state.at
    value = state.string(shapes.AFTER_MEMBER if in_object else shapes.AFTER_ELEMENT)
    if value is None:
        state.dangling = True
        state.store(Gap.CUT, start, state.end)
        return False
    return _store(state, value, start, state.at)


def _member_in_array(state: State) -> bool:
    """A key where an element should stand: a bracket is missing, or the wrong one was opened."""
    if len(state.stack) > 1 and isinstance(state.stack[-2], Obj) and state.stack[-1]:
        state.note("missing-bracket", state.at)
        state.close()
        state.want = KEY
        return True
    raise RunawayError


def _bare_value(state: State, *, in_object: bool) -> bool:
    start = state.at
    dots = None if in_object else shapes.DOTS.match(state.text, start, state.end)
    if dots:
        state.note("ellipsis", start)
        return _store(state, Gap.ELLIPSIS, start, dots.end())
    value, stop = _scalar(state, start, in_object=in_object)
    if stop >= state.end and not isinstance(value, bool) and value is not None:
        state.dangling = True
        state.store(Gap.CUT, start, stop)
        state.at = state.end
        return False
    return _store(state, value, start, stop) if stop > start else state.give_up()


def _scalar(state: State, start: int, *, in_object: bool) -> tuple[Any, int]:
    text, end = state.text, state.end
    match = shapes.NUMBER.match(text, start, end)
    if match and _ends_here(state, match.end()) and not (in_object and shapes.GROUPED.match(text, start, end)):
        if match.group().lstrip("-")[0] == ".":
            state.note("unquoted-value", start)
        return _number(match.group()), match.end()
    match = shapes.WORD.match(text, start, end)
    if match and match.group() in LITERALS and _ends_here(state, match.end()):
        if match.group() in shapes.PYTHON:
            state.note("python-literal", start)
        return LITERALS[match.group()], match.end()
    return _bare_text(state, start, in_object=in_object)


def _ends_here(state: State, at: int) -> bool:
    match = SPACE.match(state.text, at, state.end)
    after = match.end() if match else at
    char = state.text[after : after + 1] if after < state.end else ""
    if not char or char in ",;}]/#\n\uff0c\uff5d\uff3d\u3001\uff1b" or (after > at and char in OPENERS):
        return True
    return char in OPENERS and shapes.VALUE_IS_KEY.match(state.text, after, state.end) is not None


def _bare_text(state: State, start: int, *, in_object: bool) -> tuple[Any, int]:
    """Text without quotation marks: up to where the next member or element begins."""
    if in_object and _ID_KEY.fullmatch(state.keys[-1] or ""):
        word = _WORD_OF_MAP.match(state.text, start, state.end)
        if word:  # {1: yes, 2: no}
            state.note("unquoted-value", start)
            return word["word"], word.end()
    pattern = shapes.BARE_MEMBER_END if in_object else shapes.BARE_ELEMENT_END
    match = pattern.search(state.text, start, state.end)
    state.spend((state.end if match is None else match.end()) - start)
    if match is None:
        return state.text[start : state.end], state.end
    state.note("unquoted-value", start)
    text, stop = state.text[start : match.start()].strip(), match.start()
    if (not in_object and shapes.NUMBERS.fullmatch(text)) or (_HELD.search(text) and "\\" not in text):
        return Gap.MISSING, stop  # how many, nobody can tell
    digits = shapes.NUMBER.fullmatch(_ascii_digits(text))
    if in_object and state.text[stop : stop + 1] in OPENERS:
        stop += 1
        state.note("missing-quote", start)
    return (_number(digits.group()) if digits else text), stop


def _number(digits: str) -> int | float:
    """A number; one of more digits than any scale has is a float, because int() takes quadratic time."""
    return int(digits) if len(digits) <= 18 and digits.lstrip("-").isdigit() else float(digits)  # noqa: PLR2004 - 64 bits


def _ascii_digits(text: str) -> str:
    return "".join(chr(ord(char) - 0xFEE0) if "\uff10" <= char <= "\uff19" else char for char in text[:40])


_STEPS: Final = (_value, _key, _after)
