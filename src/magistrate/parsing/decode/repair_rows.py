"""Objects and members in which nothing is in doubt but their marks: one pattern takes each."""

from __future__ import annotations

import re
from itertools import compress
from typing import Any, Final

from jiter import from_json

from magistrate.parsing.decode import repair_patterns as shapes
from magistrate.parsing.decode.nodes import Arr, Obj
from magistrate.parsing.decode.repair_patterns import LITERALS, PER_MEMBER
from magistrate.parsing.decode.repair_state import AFTER, DEEPEST, FREE_REPAIRS, RunawayError, State
from magistrate.parsing.decode.repair_strings import MOST_MARKS, pairs_up, unescape


def read_rows(state: State) -> bool:
    """Take as many plain objects of a list as follow each other: the road nearly all elements take."""
    top = state.stack[-1]
    if not isinstance(top, Arr) or len(state.stack) >= DEEPEST:
        return False
    text, end, at, before, notes = state.text, state.end, state.at, len(top), state.notes
    while True:
        value, stop = _strict_row(state, at)
        row = shapes.ROW.match(text, at, end) if value is None else None
        stop = row.end() if row is not None else stop
        ends = shapes.ROW_ENDS.match(text, stop, end) if value is not None or row is not None else None
        if ends is None:
            break
        if value is None:
            value = Obj(at)
        value.span = span = (at, stop)
        value.open = False
        if row is not None:
            _fill(state, value, row)
            if text[stop - 2] in ", \n\t" and row[row.lastindex or 0].startswith(","):
                notes.append(("trailing-comma", row.start(row.lastindex or 0)))
            if len(notes) > state.most_notes:
                raise RunawayError
        top.append(value)
        top.spans.append(span)
        state.at, at = stop, ends.end()
        if at == stop:
            break
    state.want = AFTER
    return len(top) > before


_SCALARS: Final = frozenset({str, int, bool, type(None)})
_STRICT: Final = re.compile(r"\{\s*+\"")


def _strict_row(state: State, at: int) -> tuple[Obj | None, int]:
    """Read a plain object in which nothing is wrong: by the strict decoder, several times as fast as the pattern."""
    if not _STRICT.match(state.text, at, state.end):
        return None, at
    stop = state.text.find("}", at, state.end) + 1
    row = state.text[at:stop]
    if "\\" in row:
        return None, at
    try:
        members = from_json(row.encode(), catch_duplicate_keys=True)
    except ValueError:
        return None, at
    if not _SCALARS.issuperset(map(type, members.values())):
        return None, at
    value = Obj(at)
    value.update(members)
    return value, stop


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


def _fill(state: State, value: Obj, row: re.Match[str]) -> None:
    """File the members that one pattern took."""
    groups = iter(row.groups())
    single_mark, bare_key = -1, False
    for at, (mark, key, bare, text, single, word) in enumerate(zip(*[groups] * PER_MEMBER, strict=False)):
        item: Any = text
        if key is None:
            if bare is None:
                break
            key, bare_key = bare, True  # noqa: PLW2901 - the key, however it is written
        elif mark == "'" and single_mark < 0:
            single_mark = row.start(PER_MEMBER * at + 1)
        if text is None:
            item = single if single is not None else LITERALS[word] if word in LITERALS else int(word)
            if word and word[0] in "TFN":
                state.notes.append(("python-literal", row.start(PER_MEMBER * at + PER_MEMBER)))
            if single is not None and single_mark < 0:
                single_mark = row.start(PER_MEMBER * at + 5) - 1
        elif '"' in text or "\\" in text:
            item = _text(state, text, row.start(PER_MEMBER * at + 4))
        if key in value:
            value.twice.setdefault(key, [value[key]]).append(item)
        else:
            value[key] = item
    if single_mark >= 0:
        state.notes.append(("single-quotes", single_mark))
    if bare_key:
        state.notes.append(("unquoted-key", value.span[0] + 1))


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
        if match[PER_MEMBER + 1] is None:
            break
    if found and not _is_sure(state, found[-1]):
        at = found.pop().start()
    if not found:
        return False
    for match in found:
        _file(state, match)
        if len(state.notes) > state.most_notes:
            raise RunawayError
    state.at = at
    if text.startswith("}", at):
        if found[-1][PER_MEMBER + 1]:
            state.note("trailing-comma", found[-1].start(PER_MEMBER + 1))
        state.at = at + 1
        state.close()
    return True


def _is_sure(state: State, last: re.Match[str]) -> bool:
    """Whether the last member ends where it seems to."""
    text, end, at, comma = state.text, state.end, last.end(), last.start(PER_MEMBER + 1)
    if comma >= 0 and last[PER_MEMBER] is not None:
        return True
    if text.startswith("}", at):
        return shapes.CLOSES.match(text, at, end) is not None
    string = shapes.STRING_FOLLOWS.match(text, comma, end)
    return string is None or pairs_up(state, string.end())


def _file(state: State, match: re.Match[str]) -> None:
    """File one member, with where it stands."""
    member = Obj()
    member.span = (max(match.start(1), match.start(3)) - 1, match.end())  # its key stands behind that
    _fill(state, member, match)
    for key, value in member.items():
        group = 4 if match[4] is not None else 5 if match[5] is not None else 6
        edge = group != PER_MEMBER
        state.keys[-1] = key
        state.store(value, match.start(group) - edge, match.end(group) + edge)


def _text(state: State, text: str, offset: int) -> str:
    """A string with escapes, or with words in marks of their own."""
    if text.count('"') > MOST_MARKS:
        raise RunawayError
    state.notes.extend(
        ("unescaped-quote", offset + mark.start()) for mark in _MARK.finditer(text) if mark.group() == '"'
    )
    if "\\" in text:
        text, bad = unescape(text, offset)
        state.notes.extend(("invalid-escape", place) for place in bad)
    return text


_MARK = re.compile(r'\\.|"', re.DOTALL)


def member_spans(text: str, value: Obj) -> None:
    """Find where the values of an object stand that a pattern took at once."""
    at, (start, end) = value.span[0] + 1, value.span
    while (match := shapes.MEMBER.match(text, at, end)) and start < at:
        key = match[2] or match[3]
        for group in (4, 5, 6):
            if match[group] is not None:
                edge = group != PER_MEMBER
                value.spans.setdefault(key, (match.start(group) - edge, match.end(group) + edge))
        at = match.end()
