"""Block YAML: maps and lists by indentation, quoted scalars, block text, flow values.

What judges write is taken, not all of YAML: anchors, aliases, tags and complex keys give nothing; a colon inside a
plain scalar is text, items may be bullets or numbers, keys may be set in bold. A plain scalar stays text here: what it
is depends on what the schema asks for (see `block_fit`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from magistrate.parsing.decode.documents import decode_at
from magistrate.parsing.decode.nodes import Arr, Gap, Obj
from magistrate.parsing.decode.repair import Note
from magistrate.parsing.decode.yaml_lines import Line, closing, folded, unescaped
from magistrate.parsing.voices import withdraws

__all__ = ["Block", "BlockText", "Plain", "begins_item", "begins_key", "read_block"]

DEEPEST: Final = 40
"""Levels of nesting; a deeper block is no answer."""
_KEY: Final = re.compile(
    r"(?:\"(?P<double>[^\"\n\\]{1,120})\"|'(?P<single>[^'\n]{1,120})'"
    r"|[*`]{0,3}(?P<under>_{1,2}(?=[^_\s]))?(?P<plain>[^\s:\uff1a#\[\]{},\"'`&*!|>%@?-][^:\uff1a\n]{0,80}?)(?(under)_{1,2})[*`]{0,3})"
    r"[ \t]{0,4}(?::(?=[*_`]{0,3}(?:[ \t\r]|$))|\uff1a)[*_`]{0,3}",
    re.MULTILINE,
)
_ITEM: Final = re.compile(r"(?:[-*+\u2022]|\d{1,3}[.)])(?=[ \t\r]|$)[ \t]{0,40}", re.MULTILINE)
_BLOCK_TEXT: Final = re.compile(r"(?P<kind>[|>])(?P<marks>[-+1-9]{0,2})[ \t]*(?:#[^\n]*)?")
_REFERENCE: Final = re.compile(r"(?:[&*]\w+|!{1,2}[\w<:/.,-]*)(?:[ \t]|$)")
_COMMENT: Final = re.compile(r"[ \t]#(?:[ \t]|$)")
_END: Final = re.compile(r"(?:---|\.\.\.|#{2,6}[ \t])")
_OWN_NOTES: Final = frozenset({"unquoted-key", "unquoted-value", "single-quotes", "trailing-comma"})
"""Changes that JSON needs and YAML does not."""


_DOTS: Final = (["..."], ["\u2026"])


class Plain(str):
    """A scalar without quotation marks."""

    __slots__ = ()


class BlockText(str):
    """A text under "|" or ">"."""

    __slots__ = ()


class _TornError(Exception):
    """The text is no block."""


@dataclass(slots=True)
class Block:
    """A map or a list, and where it stands.

    Args:
        value: What it holds.
        end: One past its last character.
        following: Where the line behind it begins.
        rich: Whether it holds more than keys with a plain scalar each.
        nests: Whether it holds a map or a list by indentation.
        ends_open: Whether its last value was never closed.
        notes: What was changed to read flow values.
        heads: For each key of the map, where it begins and whether a blank line stands before it.
    """

    value: Obj | Arr
    end: int
    following: int
    rich: bool
    nests: bool
    ends_open: bool
    notes: list[Note]
    heads: dict[str, tuple[int, bool]]


def begins_key(text: str, at: int) -> re.Match[str] | None:
    """The key that stands at a place, with its colon."""
    return _KEY.match(text, at)


def begins_item(text: str, at: int) -> re.Match[str] | None:
    """The mark of an item that stands at a place."""
    return _ITEM.match(text, at)


def name_of(key: re.Match[str]) -> str:
    """The key, without its marks."""
    return str(key["double"] or key["single"] or key["plain"]).rstrip()


def read_block(text: str, lines: list[Line], first: int, known: Callable[[str], bool]) -> tuple[Block, int] | None:
    """Read the block that begins with a line.

    Args:
        text: The text.
        lines: Its lines.
        first: Which of them begins the block.
        known: Whether a key names a property of what is asked for.

    Returns:
        The block, and the line behind it; None where there is none that can be read.
    """
    reader = _Reader(text, lines, first, known)
    try:
        value = reader.container(lines[first].indent, lines[first].start, 0)
    except _TornError:
        return None
    if not isinstance(value, Obj | Arr):
        return None
    after = reader.next()
    attached = after is not None and not lines[after - 1].blank and begins_key(text, lines[after].start) is None
    if after is not None and attached and not reader.ends(after) and not reader.open:
        return None  # the text goes on in another way right below it
    at = reader.at if after is None else after
    following = lines[after].start if after is not None else len(text)
    return Block(value, reader.end, following, reader.rich, reader.nests, reader.open, reader.notes, reader.heads), at


class _Reader:
    def __init__(self, text: str, lines: list[Line], at: int, known: Callable[[str], bool]) -> None:
        self.known = known
        self.text = text
        self.lines = lines
        self.at = at
        self.end = lines[at].start
        self.rich = self.nests = self.open = False
        self.notes: list[Note] = []
        self.heads: dict[str, tuple[int, bool]] = {}

    def next(self) -> int | None:
        """The next line that says something."""
        while self.at < len(self.lines):
            if not self.lines[self.at].blank:
                return self.at
            self.at += 1
        return None

    def ends(self, at: int) -> bool:
        return _END.match(self.text, self.lines[at].start) is not None

    def container(self, indent: int, start: int, depth: int) -> Any:
        """The map, list or text whose first part stands at `start` of the line that is next."""
        if depth > DEEPEST:
            raise _TornError
        if _ITEM.match(self.text, start):
            return self._list(indent, start, depth)
        if _KEY.match(self.text, start):
            return self._map(indent, start, depth)
        line = self.lines[self.at]
        self.at += 1
        return self._scalar(start, line.end, indent - 1)

    def _map(self, indent: int, start: int, depth: int) -> Obj:
        value = Obj(start)
        value.open = False
        begin: int | None = start
        while begin is not None:
            key = _KEY.match(self.text, begin)
            if key is None:
                if depth == 0 and (self.ends(self.at) or self._apart()):
                    break
                raise _TornError
            name = name_of(key)
            if depth == 0 and value and key.end() >= self.lines[self.at].end and self._heads_another(name):
                break
            if depth == 0:
                self.heads.setdefault(name, (begin, self._apart()))
            line = self.lines[self.at]
            self.at += 1
            item, span = self._value(key.end(), line.end, indent, depth, items_beside=True)
            if name in value:
                value.twice.setdefault(name, [value[name]]).append(item)
            else:
                value[name] = item
                value.spans[name] = span
            value.span = (start, self.end)
            begin = self._further(indent)
            if begin is not None and depth and _ITEM.match(self.text, begin) and not _KEY.match(self.text, begin):
                break
        return value

    def _heads_another(self, name: str) -> bool:
        """Whether a key without a value heads another block: "Corrected:", "My review:" between blank lines."""
        if withdraws(f"{name}:") is True:
            return True
        below = self.at + 1 < len(self.lines) and self.lines[self.at + 1].blank
        return self._apart() and below and not self.known(name)

    def _apart(self) -> bool:
        """Whether a blank line stands before the next one."""
        return self.at > 0 and self.lines[self.at - 1].blank

    def _list(self, indent: int, start: int, depth: int) -> Arr:
        value = Arr(start)
        value.open = False
        begin: int | None = start
        while begin is not None:
            mark = _ITEM.match(self.text, begin)
            if mark is None:
                break
            line = self.lines[self.at]
            inside = mark.end()
            column = indent + inside - begin
            if inside < line.end and (_KEY.match(self.text, inside) or _ITEM.match(self.text, inside)):
                self.nests = self.nests or depth > 0
                item = self.container(column, inside, depth + 1)
                span = (inside, self.end)
            else:
                self.at += 1
                item, span = self._value(inside, line.end, indent, depth, items_beside=False)
            value.append(item)
            value.spans.append(span)
            value.span = (start, self.end)
            begin = self._further(indent)
        self.rich = True
        return value

    def _further(self, indent: int) -> int | None:
        """Where the next part begins of a container at an indentation; None where it ends."""
        after = self.next()
        if after is None or self.open:
            return None
        line = self.lines[after]
        if line.indent > indent:
            raise _TornError
        return line.start if line.indent == indent else None

    def _value(
        self, start: int, stop: int, indent: int, depth: int, *, items_beside: bool
    ) -> tuple[Any, tuple[int, int]]:
        """What stands behind a colon or the mark of an item, or below it."""
        text = self.text
        while start < stop and text[start] in " \t":
            start += 1
        if start < stop and not text.startswith("# ", start):
            item = self._scalar(start, stop, indent)
            return item, (start, self.end)
        after = self.next()
        self.end = max(self.end, stop)
        if after is None:
            return Gap.MISSING, (start, start)
        line = self.lines[after]
        deeper = line.indent > indent
        if deeper or (items_beside and line.indent == indent and _ITEM.match(text, line.start)):
            self.rich = self.nests = True
            item = self.container(line.indent, line.start, depth + 1)
            return item, (line.start, self.end)
        return None, (start, start)

    # -- scalars -----------------------------------------------------------

    def _scalar(self, start: int, stop: int, indent: int) -> Any:
        """A scalar or a flow value that begins on a line; further lines of it are deeper than `indent`."""
        text = self.text
        mark = text[start]
        if mark in "|>":
            head = _BLOCK_TEXT.fullmatch(text, start, stop)
            if head is not None:
                return self._block_text(head, indent)
        if mark in "&*!" and _REFERENCE.match(text, start, stop):
            raise _TornError
        if mark in "\"'":
            quoted = self._quoted(start, stop, indent)
            if quoted is not None:
                return quoted
        if mark in "[{":
            flow = self._flow(start, stop, indent)
            if flow is not None:
                return flow
        return self._plain(start, stop, indent)

    def _plain(self, start: int, stop: int, indent: int) -> Plain | Gap:
        parts = [self._without_comment(start, stop)]
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if line.blank or line.indent <= indent:
                break
            if _ITEM.match(self.text, line.start) or _KEY.match(self.text, line.start):
                raise _TornError  # a map or a list below a scalar: one of them is misplaced
            parts.append(self._without_comment(line.start, line.end))
            self.at += 1
        return Gap.ELLIPSIS if parts in _DOTS else Plain(" ".join(parts))

    def _without_comment(self, start: int, stop: int) -> str:
        comment = _COMMENT.search(self.text, start, stop)
        self.end = stop if comment is None else comment.start()
        return self.text[start : self.end].rstrip()

    def _block_text(self, head: re.Match[str], indent: int) -> BlockText:
        self.rich = True
        marks = head["marks"]
        width = next((int(char) for char in marks if char.isdigit()), 0)
        inner = max(indent, 0) + width if width else 0
        held: list[str] = []
        ended = head.end()
        while self.at < len(self.lines):
            line = self.lines[self.at]
            begin = line.start - line.indent
            said = line.end > line.start
            if said and line.indent <= indent:
                break
            if said:
                inner = inner or line.indent
                if line.indent < inner:
                    raise _TornError
                ended = line.end
            held.append(self.text[begin + inner : line.end] if said else "")
            self.at += 1
        self.end = ended
        blanks = 0
        while held and not held[-1]:
            held.pop()
            blanks += 1
        body = "\n".join(held) if head["kind"] == "|" else folded(held)
        broken = self.text.startswith("\n", ended) or self.text.startswith("\r\n", ended)
        closing = "" if "-" in marks or not body or not broken else "\n" * (1 + blanks if "+" in marks else 1)
        return BlockText(body + closing)

    def _quoted(self, start: int, stop: int, indent: int) -> str | Gap | None:
        """A scalar in quotation marks; None where what stands there is more than that."""
        mark, text = self.text[start], self.text
        pieces: list[str] = []
        at, limit, first = start + 1, stop, self.at
        while True:
            close = closing(text, mark, at, limit)
            if close >= 0:
                break
            pieces.append(text[at:limit])
            if self.at >= len(self.lines):
                self.rich = self.open = True
                self.end = limit
                return Gap.CUT
            line = self.lines[self.at]
            if line.end > line.start and line.indent <= indent:
                raise _TornError
            self.at += 1
            at, limit = line.start, line.end
        pieces.append(text[at:close])
        rest = text[close + 1 : limit].strip(" \t")
        if rest and not rest.startswith("#"):
            if self.at > first:
                raise _TornError
            return None  # "too short" is what it says
        self.rich = True
        self.end = close + 1
        joined = pieces[0] if len(pieces) == 1 else folded([piece.strip(" \t") for piece in pieces])
        return joined.replace("''", "'") if mark == "'" else unescaped(joined)

    def _flow(self, start: int, stop: int, indent: int) -> Any:
        """A list or a map in brackets; None where brackets begin a text."""
        document = decode_at(self.text, start, stop).document
        line = self.at
        if document is None or document.cut:
            while line < len(self.lines):
                one = self.lines[line]
                if one.end > one.start and one.indent <= indent and self.text[one.start] not in "]}":
                    break
                line += 1
            limit = self.lines[line - 1].end
            document = decode_at(self.text, start, limit).document if limit > stop else document
            if document is None:
                return None
            if document.cut and line < len(self.lines):
                raise _TornError
            self.open = document.cut
        while self.at < len(self.lines) and self.lines[self.at].start < document.end:
            self.at += 1
        rest = self.text[document.end : self.lines[self.at - 1].end].strip(" \t")
        if rest and not rest.startswith("#"):
            if self.lines[self.at - 1].end > stop:
                raise _TornError
            return None
        self.rich = True
        self.end = document.end
        self.notes += [note for note in document.notes if note[0] not in _OWN_NOTES]
        return document.value
