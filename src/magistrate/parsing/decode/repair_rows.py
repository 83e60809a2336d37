"""Objects and members in which nothing is in doubt but their marks: one pattern takes each."""

import re
from itertools import compress
from typing import Any, Final

from jiter import from_json

from magistrate.parsing.decode import repair_patterns as shapes
from magistrate.parsing.decode.nodes import Obj
from magistrate.parsing.decode.repair_patterns import LITERALS
from magistrate.parsing.decode.repair_state import FREE_REPAIRS, RunawayError, State
from magistrate.parsing.decode.repair_strings import MOST_MARKS, pairs_up, unescape

_TEXT, _SINGLE, _WORD, _COMMA_GROUP = 4, 5, 6, 7
"""Groups of the pattern of a member."""
_CODES: Final = ("missing-bracket", "single-quotes", "trailing-comma", "unescaped-quote")
_COMMA: Final = re.compile(r",(?=\s*[}\]])")
_INNER: Final = re.compile(r"(?<=[^:,{\[\s][ (])\"([^\"\\:{}\[\],\x00-\x1f]{1,80})\"(?=[ .,;!?)])")


def mend_frame(text: str, inner: int = 0) -> tuple[Any, int, tuple[str, ...], bool] | None:
    """Mend rows whose strings end where they seem to: the marks of keys, commas, brackets at the end, quotations.

    Args:
        text: The rows.
        inner: How many quotations stand in their strings, between marks of their own.

    Returns:
        What the walk reads there, too; how many quotation marks that has; the codes of the repairs; and whether the
        end is missing. None where more may be wrong.
    """
    mark = '"' if '"' in text else "'"
    if text[-1] not in "}]" or "\\" in text or "\x01" in text or (not inner and "\x02" in text):
        return None
    parts = text.split(mark)
    frame = "\x01".join(parts[::2])
    braces, brackets, singles = frame.count("{"), frame.count("["), frame.count("'")
    open_braces, open_brackets = braces - frame.count("}"), brackets - frame.count("]")
    fixed, commas = _COMMA.subn("", frame.replace("'", '"') if singles else frame)
    if open_braces < 0 or open_brackets < 0 or brackets > 1 or len(parts) % 2 == 0:
        return None
    if braces + commas + 2 * inner > FREE_REPAIRS or (inner and max(part.count("\x02") for part in parts) > MOST_MARKS):
        return None
    parts[::2] = (fixed + "]" * open_brackets + "}" * open_braces).split("\x01")
    try:
        value = from_json('"'.join(parts).replace("\x02", '\\"').encode())
    except ValueError:
        text, found = _INNER.subn("\x02\\1\x02", text, FREE_REPAIRS) if not inner else (text, 0)
        return mend_frame(text, found) if found else None
    rows: Any = value if type(value) is list else next((v for v in value.values() if type(v) is list), [value])
    if braces != len(rows) + (brackets == 1 and type(value) is dict):
        return None  # what rows hold is mended with more care
    cut = bool(open_braces or open_brackets)
    done = (cut, singles > 0 or mark == "'", commas > 0, inner > 0)
    return value, len(parts) - 1 + singles, tuple(compress(_CODES, done)), cut


def read_members(state: State) -> bool:
    """Take as many members as follow in which nothing is in doubt; False where none does.

    The last string is in doubt where no structure follows it: it may end further on.
    """
    text, end, top, at = state.text, state.end, state.stack[-1], state.at
    if not isinstance(top, Obj):
        return False
    found = []
    while match := shapes.MEMBER.match(text, at, end):
        found.append(match)
        at = match.end()
        if match[_COMMA_GROUP] is None:
            break
    if found and not _is_sure(state, found[-1]):
        at = found.pop().start()
    if not found:
        return False
    for match in found:
        _file(state, match)
    state.at = at
    if text.startswith("}", at):
        if found[-1][_COMMA_GROUP]:
            state.note("trailing-comma", found[-1].start(_COMMA_GROUP))
        state.at = at + 1
        state.close()
    return True


def _is_sure(state: State, last: re.Match[str]) -> bool:
    """Whether the last member ends where it seems to."""
    text, end, at, comma = state.text, state.end, last.end(), last.start(_COMMA_GROUP)
    if comma >= 0 and last[_WORD] is not None:
        return True
    if text.startswith("}", at):
        return shapes.CLOSES.match(text, at, end) is not None
    string = shapes.STRING_FOLLOWS.match(text, comma, end)
    return string is None or pairs_up(state, string.end())


def _file(state: State, match: re.Match[str]) -> None:
    """File one member, with where it stands."""
    mark, key, bare, text, single, word, _ = match.groups()
    group = _TEXT if text is not None else _SINGLE if single is not None else _WORD
    start, stop = match.span(group)
    if bare is not None:
        state.note("unquoted-key", match.start(3))
    elif mark == "'" or single is not None:
        state.note("single-quotes", match.start(1) if mark == "'" else start - 1)
    if word is not None and word[0] in "TFN":
        state.note("python-literal", start)
    state.keys[-1] = key if bare is None else bare
    value: Any = single
    if group == _WORD:
        value = LITERALS[word] if word in LITERALS else int(word)
    elif group == _TEXT:
        value = _text(state, text, start) if '"' in text or "\\" in text else text
    state.store(value, start - (group != _WORD), stop + (group != _WORD))


def _text(state: State, text: str, offset: int) -> str:
    """A string with escapes, or with words in marks of their own."""
    if text.count('"') > MOST_MARKS:
        raise RunawayError
    for mark in _MARK.finditer(text):
        if mark.group() == '"':
            state.note("unescaped-quote", offset + mark.start())
    if "\\" in text:
        text, bad = unescape(text, offset)
        state.notes.extend(("invalid-escape", place) for place in bad)
    return text


_MARK = re.compile(r'\\.|"', re.DOTALL)
