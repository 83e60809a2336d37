"""A reply with marks under it: where each verdict was read, and what was mended.

    1 | 1. yes, says the log
      | ^^^^^^^^^^^^^^^^^^^^ s1 supported

A line of the reply begins with its number, or with ":" where a long one goes on; a line of marks begins with neither.
So a reply cannot draw marks of its own.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len
from rich.text import Text

from magistrate.report.text import inert

_BREAK: Final = re.compile(r"\r\n|\n|\r")
_PLAIN: Final = re.compile(r"[ -~]*")
_TAB: Final = 4
_NARROWEST: Final = 16
_UNMARKED: Final = 12
"""Lines to show of a text without marks."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A part of a text and what is to be said of it."""

    start: int
    end: int
    label: str
    style: str = "bold"


class Lines:
    r"""Where the lines of a text begin and end; a line ends at \n, \r\n or \r."""

    def __init__(self, text: str) -> None:
        breaks = [match.span() for match in _BREAK.finditer(text)]
        self.starts = [0, *(end for _, end in breaks)]
        self.ends = [*(start for start, _ in breaks), len(text)]

    def __len__(self) -> int:
        return len(self.starts)

    def number(self, offset: int) -> int:
        """The line (0-based) on which a character stands."""
        return bisect_right(self.starts, offset) - 1

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of a character, both from 1 on."""
        line = self.number(offset)
        return line + 1, offset - self.starts[line] + 1

    def where(self, offset: int) -> dict[str, int]:
        """The same as JSON holds it."""
        return dict(zip(("line", "column"), self.place(offset), strict=True))


def excerpt(text: str, offset: int, around: int = 20) -> str:
    """A few characters on either side of a place, inert, on one line."""
    start, end = max(0, offset - around), min(len(text), offset + around)
    shown = " ".join(inert(text[start:end]).split())
    return f"{'...' if start else ''}{shown}{'...' if end < len(text) else ''}"


def marked_text(text: str, marks: Sequence[Mark], *, width: int, around: int | None = 2) -> Iterator[Text]:
    """Yield the lines of a text, each with the marks that begin on it below."""
    lines = Lines(text)
    ordered = sorted(marks, key=lambda mark: (mark.start, mark.end))
    if len(lines) > 1 and lines.starts[-1] == len(text) and not (ordered and ordered[-1].start == len(text)):
        lines.starts.pop(), lines.ends.pop()  # what follows the last line break is nothing
    page = _Page(text, lines, ordered, width)
    last = -1
    for number in _kept(lines, ordered, around):
        if number - last > 1:
            yield page.note(number - last - 1, "line")
        last = number
        yield from page.line(number, around)
    if last + 1 < len(lines):
        yield page.note(len(lines) - last - 1, "line")


def _kept(lines: Lines, marks: Sequence[Mark], around: int | None) -> list[int]:
    """The lines to show: all, or those near an end of a mark."""
    if around is None or len(lines) <= _UNMARKED:
        return list(range(len(lines)))
    if not marks:
        return list(range(_UNMARKED))
    near = {lines.number(offset) for mark in marks for offset in (mark.start, max(mark.start, mark.end - 1))}
    kept = {at for line in near for at in range(line - around, line + around + 1) if 0 <= at < len(lines)}
    kept.update(at + 1 for at in list(kept) if at + 2 in kept or at + 2 == len(lines))  # a gap of one is no gain
    return sorted(kept)


@dataclass(frozen=True, slots=True)
class _Piece:
    """As much of a line as fits beside its number."""

    start: int
    end: int
    shown: str
    cells: Sequence[int]
    indices: Sequence[int]

    def local(self, offset: int) -> int:
        """A place in the text as a place in the piece."""
        return min(max(offset, self.start), self.end) - self.start


class _Page:
    """Draws lines."""

    def __init__(self, text: str, lines: Lines, marks: Sequence[Mark], width: int) -> None:
        self.text = text
        self.lines = lines
        self.marks = marks
        self.starts = [mark.start for mark in marks]
        self.longest = max((mark.end - mark.start for mark in marks), default=0)
        self.gutter = len(str(len(lines)))
        self.room = max(_NARROWEST, width - self.gutter - 3)

    def note(self, count: int, what: str) -> Text:
        """Say how much is left out."""
        return Text(f"{'':{self.gutter}}   ({count:,} {what}{'' if count == 1 else 's'} left out)", style="dim")

    def line(self, number: int, around: int | None) -> Iterator[Text]:
        """Draw a line and the marks that begin on it; of a long one the pieces near an end of a mark."""
        pieces = list(self._pieces(self.lines.starts[number], self.lines.ends[number]))
        stop = self.lines.starts[number + 1] if number + 1 < len(self.lines) else len(self.text) + 1
        skipped = 0
        for at, piece in enumerate(pieces):
            if around is not None and at >= _UNMARKED and not self._near(pieces, at, around):
                skipped += 1
                continue
            if skipped:
                yield self.note(skipped, "piece")
                skipped = 0
            gutter = f"{'':{self.gutter}} : " if at else f"{number + 1:>{self.gutter}} | "
            yield Text.assemble((gutter, "dim"), self._styled(piece))
            beyond = stop if at + 1 == len(pieces) else piece.end
            for mark in self.marks[bisect_left(self.starts, piece.start) : bisect_left(self.starts, beyond)]:
                yield self._pointer(piece, mark)
        if skipped:
            yield self.note(skipped, "piece")

    def _near(self, pieces: Sequence[_Piece], at: int, around: int) -> bool:
        first, last = pieces[max(0, at - around)].start, pieces[min(len(pieces) - 1, at + around)].end
        low, high = bisect_left(self.starts, first - self.longest), bisect_right(self.starts, last)
        return any(first <= offset <= last for mark in self.marks[low:high] for offset in (mark.start, mark.end))

    def _pieces(self, start: int, end: int) -> Iterator[_Piece]:
        if _PLAIN.fullmatch(self.text, start, end):
            for low in range(start, max(end, start + 1), self.room):
                high = min(end, low + self.room)
                yield _Piece(low, high, self.text[low:high], range(high - low + 1), range(high - low + 1))
            return
        piece = _Growing(start)
        for at in range(start, end):
            char = self.text[at]
            shown = " " * (_TAB - piece.cells[-1] % _TAB) if char == "\t" else inert(char)
            cells = cell_len(shown)
            if piece.cells[-1] + cells > self.room and len(piece.cells) > 1:
                yield piece.finished(at)
                piece = _Growing(at)
            piece.add(shown, cells)
        yield piece.finished(end)

    def _styled(self, piece: _Piece) -> Text:
        body = Text(piece.shown)
        low, high = bisect_left(self.starts, piece.start - self.longest), bisect_left(self.starts, piece.end)
        for mark in self.marks[low:high]:
            if mark.end > piece.start:
                body.stylize(mark.style, piece.indices[piece.local(mark.start)], piece.indices[piece.local(mark.end)])
        return body

    def _pointer(self, piece: _Piece, mark: Mark) -> Text:
        column = piece.cells[piece.local(mark.start)]
        length = max(1, piece.cells[piece.local(mark.end)] - column)
        label = mark.label
        if mark.end - 1 > piece.end:
            line, last = self.lines.place(mark.end - 1)
            label += f" (to {line}:{last})"
        if column + length + 1 + len(label) <= self.room or column < len(label) + 1:
            length = max(1, min(length, self.room - column - 1 - len(label)))
            blanks, arrow, words = " " * column, "^" * length, f" {label}"
        else:  # no room to the right of it
            blanks, arrow, words = " " * (column - len(label) - 1) + f"{label} ", "^" * length, ""
        return Text.assemble((f"{'':{self.gutter}} | ", "dim"), (f"{blanks}{arrow}{words}", mark.style))


class _Growing:
    """A piece while characters are added to it."""

    def __init__(self, start: int) -> None:
        self.start = start
        self.parts: list[str] = []
        self.cells = [0]
        self.indices = [0]

    def add(self, shown: str, cells: int) -> None:
        self.parts.append(shown)
        self.cells.append(self.cells[-1] + cells)
        self.indices.append(self.indices[-1] + len(shown))

    def finished(self, end: int) -> _Piece:
        return _Piece(self.start, end, "".join(self.parts), self.cells, self.indices)
