"""Block YAML: maps and lists by indentation, quoted scalars, block text, flow values.

What judges write is taken, not all of YAML: anchors, aliases, tags and complex keys give nothing; a colon inside a
plain scalar is text, items may be bullets or numbers, keys may be set in bold. So each line is first written as YAML
has it, in as many characters; PyYAML composes the nodes, and what they say is read where they stand. A plain scalar
stays text here: what it is depends on what the schema asks for.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from magistrate.parsing.decode.documents import decode_at
from magistrate.parsing.decode.nodes import Arr, Gap, Obj, Span
from magistrate.parsing.decode.repair_state import Note
from magistrate.parsing.decode.repair_strings import unescape

DEEPEST: Final = 40
"""Levels of nesting; a deeper block is no answer."""
FARTHEST: Final = 160
"""Columns by which a line may be indented."""
MOST_KEYS: Final = 2_000
_KEY: Final = re.compile(
    r"(?:\"(?P<double>[^\"\n\\]{1,120})\"|'(?P<single>[^'\n]{1,120})'"
    r"|[*`]{0,3}(?P<under>_{1,2}(?=[^_\s]))?(?P<plain>[^\s:\uff1a#\[\]{},\"'`&*!|>%@?-][^:\uff1a\n]{0,80}?)(?(under)_{1,2})[*`]{0,3})"
    r"[ \t]{0,4}(?::(?=[*_`]{0,3}(?:[ \t\r]|$))|\uff1a)[*_`]{0,3}",
    re.MULTILINE,
)
_ITEM: Final = re.compile(r"(?:[-*+\u2022]|\d{1,3}[.)])(?=[ \t\r]|$)[ \t]{0,40}", re.MULTILINE)
_BLOCK_TEXT: Final = re.compile(r"[|>][-+1-9]{0,2}[ \t]*(?:#[^\n]*)?")
_REFERENCE: Final = re.compile(r"(?:[&*]\w+|!{1,2}[\w<:/.,-]*)(?:[ \t]|$)")
_COMMENT: Final = re.compile(r"[ \t]#(?:[ \t]|$)")
_QUOTED: Final = re.compile(r"\"(?P<double>(?:[^\"\\]|\\.)*+)\"|'(?P<single>(?:[^']|'')*+)'", re.DOTALL)
_END: Final = re.compile(r"(?:---|\.\.\.|#{2,6}[ \t])")
_OWN_NOTES: Final = frozenset({"unquoted-key", "unquoted-value", "single-quotes", "trailing-comma"})
"""Changes that JSON needs and YAML does not."""
_NO_BREAK: Final = re.compile(r"[^\n]")
_DOTS: Final = ("...", "\u2026")


class Plain(str):
    """A scalar without quotation marks."""

    __slots__ = ()


class BlockText(str):
    """A text under "|" or ">"."""

    __slots__ = ()


class _TornError(Exception):
    """The text is no block."""


@dataclass(slots=True)
class Line:
    """A line: how far it is indented, where what it says begins and ends, whether that is nothing."""

    indent: int
    start: int
    end: int
    blank: bool


@dataclass(slots=True)
class Block:
    """A map or a list, and where it stands.

    Args:
        value: What it holds.
        end: One past its last character.
        following: Where the line behind it begins.
        rich: Whether it holds more than keys with a plain scalar each.
        ends_open: Whether its last value was never closed.
        notes: What was changed to read flow values.
        heads: For each key of the map, where it begins and whether a blank line stands before it.
    """

    value: Any
    end: int
    following: int = 0
    rich: bool = False
    ends_open: bool = False
    notes: list[Note] = field(default_factory=list)
    heads: dict[str, tuple[int, bool]] = field(default_factory=dict)


def lines_of(text: str, start: int, end: int) -> list[Line]:
    """The lines of a part of a text; a line of nothing but a comment is blank."""
    found = []
    at = start
    while at < end:
        stop = text.find("\n", at, end)
        stop = end if stop < 0 else stop
        line = text[at:stop]
        body = line.strip(" \t\r")
        indent = len(line) - len(line.lstrip(" \t"))
        blank = not body or body == "#" or body.startswith("# ")
        found.append(Line(indent, at + indent, at + len(line.rstrip(" \t\r")), blank))
        at = stop + 1
    return found


def begins_key(text: str, at: int) -> re.Match[str] | None:
    """The key that stands at a place, with its colon."""
    return _KEY.match(text, at)


def begins_item(text: str, at: int) -> re.Match[str] | None:
    """The mark of an item that stands at a place."""
    return _ITEM.match(text, at)


def read_block(
    text: str, lines: list[Line], first: int, known: Callable[[str], bool], heads_another: Callable[[str], bool]
) -> tuple[Block, int] | None:
    """Read the block that begins with a line.

    Args:
        text: The text.
        lines: Its lines.
        first: Which of them begins the block.
        known: Whether a key names a property of what is asked for.
        heads_another: Whether a key without a value takes back what stands above it.

    Returns:
        The block, and the line behind it; None where there is none that can be read.
    """
    import yaml  # noqa: PLC0415 - only where something looks like YAML

    reader = _Reader(text, lines, first, known, heads_another)
    try:
        behind = reader.write()
        node = yaml.compose(reader.as_yaml(), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        if not isinstance(node, yaml.MappingNode | yaml.SequenceNode):
            return None
        block = Block(reader.value(node, 0), reader.end, rich=reader.rich, ends_open=reader.open, notes=reader.notes)
    except (yaml.YAMLError, _TornError, RecursionError):
        return None
    block.heads = reader.heads
    after = next((at for at in range(behind, len(lines)) if not lines[at].blank), None)
    if after is None:
        block.following = len(text)
        return block, len(lines)
    attached = not lines[after - 1].blank and begins_key(text, lines[after].start) is None
    if attached and not _END.match(text, lines[after].start) and not reader.open:
        return None  # the text goes on in another way right below it
    block.following = lines[after].start
    return block, after


class _Reader:
    """Writes the lines of a block as YAML has them, and reads the nodes that come of it."""

    def __init__(
        self, text: str, lines: list[Line], first: int, known: Callable[[str], bool], another: Callable[[str], bool]
    ) -> None:
        self.text, self.lines, self.at = text, lines, first
        self.known, self.another = known, another
        self.base, self.origin = lines[first].indent, lines[first].start - lines[first].indent
        self.end = lines[first].start
        self.is_list = _ITEM.match(text, self.end) is not None
        self.rich = self.open = self.hangs = False
        self.notes: list[Note] = []
        self.heads: dict[str, tuple[int, bool]] = {}
        self.pieces: list[tuple[int, str]] = []
        self.keys: dict[int, str] = {}
        self.values: dict[int, tuple[Any, int]] = {}
        self.empty: dict[int, int] = {}
        self.starts: list[int] = []

    def write(self) -> int:
        """Write the lines up to where the block ends; return which line that is."""
        first = self.at
        while self.at < len(self.lines) and not self.open:
            line = self.lines[self.at]
            if line.blank:
                self.at += 1
                continue
            if line.indent < self.base or (line.indent == self.base and self.at > first and self._ends(line)):
                break
            self._line(line)
        while self.lines[self.at - 1].blank:
            self.at -= 1
        return self.at

    def as_yaml(self) -> str:
        """The block, in as many signs: what was not written is blank."""
        parts, at = [], self.origin
        for start, piece in self.pieces:
            parts += [_NO_BREAK.sub(" ", self.text[at:start]), piece]
            at = start + len(piece)
        return "".join([*parts, "\n"])

    def _ends(self, line: Line) -> bool:
        """Whether a line at the margin is none of the block."""
        key, item = _KEY.match(self.text, line.start), _ITEM.match(self.text, line.start)
        if _END.match(self.text, line.start):
            return True
        if item is not None and (self.is_list or key is None):
            return not (self.is_list or self.hangs)
        if self.is_list or key is None:
            return True
        if key.end() < line.end:
            return False
        name, apart = _name(key), self.lines[self.at - 1].blank
        below = self.at + 1 < len(self.lines) and self.lines[self.at + 1].blank
        return self.another(name) or (apart and below and not self.known(name))

    def _line(self, line: Line) -> None:
        """Write a line, and what goes on in the lines below it."""
        text, at, apart = self.text, line.start, self.at > 0 and self.lines[self.at - 1].blank
        if line.indent > FARTHEST or len(self.keys) > MOST_KEYS:
            raise _TornError
        parent = line.indent
        while (item := _ITEM.match(text, at)) and at < min(line.end, line.start + FARTHEST):
            self.pieces.append((at, "-".ljust(item.end() - at)))
            parent, at, self.rich = at - line.start + line.indent, item.end(), True
        key = _KEY.match(text, at) if at < line.end else None
        if key is not None:
            parent, start, at = at - line.start + line.indent, at, key.end()
            while at < line.end and text[at] in " \t":
                at += 1
            if at < line.end and at - start < len("k: "):
                raise _TornError
            self.pieces.append((start, "k:".ljust(at - start)))
            self.keys[start] = _name(key)
            if start == line.start and line.indent == self.base:
                self.heads.setdefault(_name(key), (start, apart))
        self.at += 1
        said = at < line.end and not text.startswith("# ", at)
        if line.indent == self.base:
            self.hangs = not said or _ITEM.match(text, line.start) is not None
        if said:
            self._scalar(at, line.end, parent)
        elif key is not None:
            self.empty[start] = line.end

    def _scalar(self, start: int, stop: int, parent: int) -> None:
        """Write a scalar or a flow value; what goes on in further lines is deeper than its parent."""
        text, mark, limit = self.text, self.text[start], self._limit(parent)
        if mark in "|>" and _BLOCK_TEXT.fullmatch(text, start, stop):
            self.pieces.append((start, text[start:limit].replace("\t", " ")))
            self._pass(limit)
            return
        if mark in "&*!" and _REFERENCE.match(text, start, stop):
            raise _TornError
        if mark in "\"'":
            quoted = _QUOTED.match(text, start, limit)
            if quoted is None:
                self.open = self.rich = True
                self._put(start, limit, Gap.CUT)
                return
            if not self._rest(quoted.end()):
                body, single = quoted["double"], quoted["single"]
                said = single.replace("''", "'") if body is None else unescape(body, start)[0]
                self.rich = True
                self._put(start, quoted.end(), _folded(said) if "\n" in quoted.group() else said)
                return
        elif mark in "[{":
            document = decode_at(text, start, limit).document
            if document is not None and not self._rest(document.end):
                self.open, self.rich = document.cut, True
                self.notes += [note for note in document.notes if note[0] not in _OWN_NOTES]
                self._put(start, document.end, document.value)
                return
        comment = _COMMENT.search(text, start, stop)
        said = text[start : stop if comment is None else comment.start()].rstrip()
        self._put(start, start + len(said), Gap.ELLIPSIS if said in _DOTS else Plain(said))

    def _put(self, start: int, end: int, value: Any) -> None:
        """Write as many signs for a value, and keep it."""
        self.pieces.append((start, "x" * (end - start)))
        self.values[start] = (value, end)
        self._pass(end)

    def _pass(self, end: int) -> None:
        while self.at < len(self.lines) and self.lines[self.at].start < end:
            self.at += 1

    def _rest(self, at: int) -> str:
        """What stands behind a value on its line, comments aside."""
        stop = self.text.find("\n", at)
        rest = self.text[at : len(self.text) if stop < 0 else stop].strip(" \t\r")
        return "" if rest.startswith("#") else rest

    def _limit(self, parent: int) -> int:
        """Where the lines end that are deeper than what holds them, and brackets that close beside it."""
        at, end = self.at, self.lines[self.at - 1].end
        while at < len(self.lines):
            line = self.lines[at]
            if line.end > line.start:
                if line.indent <= parent and self.text[line.start] not in "]}":
                    break
                end = line.end
            at += 1
        return end

    # -- nodes -------------------------------------------------------------

    def value(self, node: Any, depth: int) -> Any:
        """What a node says."""
        if depth > DEEPEST:
            raise _TornError
        start = node.start_mark.index + self.origin
        if node.id == "scalar":
            return self._said(node, start)
        if node.id == "sequence":
            listed = Arr(start)
            listed.open = False
            for item in node.value:
                listed.append(self.value(item, depth + 1))
                listed.spans.append((item.start_mark.index + self.origin, self.end))
            listed.span = (start, self.end)
            return listed
        held = Obj(start)
        held.open = False
        self.rich = self.rich or depth > 0
        for key, item in node.value:
            place = key.start_mark.index + self.origin
            name, one = self.keys[place], self.value(item, depth + 1)
            if one is None:
                self.end = max(self.end, self.empty.get(place, 0))
                one = None if self.text[self.end :].strip() else Gap.MISSING
            if name in held:
                held.twice.setdefault(name, [held[name]]).append(one)
            else:
                held[name] = one
                held.spans[name] = self._span(item, one)
        held.span = (start, self.end)
        return held

    def _span(self, node: Any, value: Any) -> Span:
        start = node.start_mark.index + self.origin
        return (start, start) if value is None else (start, max(start, self.end))

    def _said(self, node: Any, start: int) -> Any:
        self.starts = self.starts or [*self.values]
        if start not in self.values:
            if node.style in {"|", ">"}:
                self.rich = True
                self.end = self.origin + node.start_mark.index + len(self._source(node).rstrip())
                return BlockText(node.value)
            return None
        value, self.end = self.values[start]
        parts, last = [value], node.end_mark.index + self.origin
        starts = self.starts
        at = bisect_left(starts, start) + 1
        while at < len(starts) and starts[at] < last:
            more, self.end = self.values[starts[at]]
            parts.append(more)
            at += 1
        return value if len(parts) == 1 else Plain(" ".join(map(str, parts)))

    def _source(self, node: Any) -> str:
        return self.text[node.start_mark.index + self.origin : node.end_mark.index + self.origin]


def _name(key: re.Match[str]) -> str:
    """The key, without its marks."""
    return str(key["double"] or key["single"] or key["plain"]).rstrip()


def _folded(text: str) -> str:
    """Lines of a quoted scalar as one text: a line break is a blank, a blank line is a line break."""
    return re.sub(r"[ \t]*\n((?:[ \t]*\n)*)[ \t]*", lambda breaks: "\n" * breaks[1].count("\n") or " ", text)
