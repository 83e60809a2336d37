"""A reply with marks under it. Its lines begin with a number or ":", those of marks with neither, so it draws none."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from rich.cells import cell_len
from rich.text import Text

from magistrate.report.text import inert

_BREAK: Final = re.compile(r"\r\n|\n|\r")
_PLAIN: Final = re.compile(r"[ -~]*")
_TAB: Final = 4
_NARROWEST: Final = 16
_UNMARKED: Final = 12
"""Lines to show of a text without marks."""


class Mark(NamedTuple):
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
    """Yield the lines of a text, each with the marks that begin on it below; all, or those near an end of a mark."""
    lines = Lines(text)
    ordered = sorted(marks, key=lambda mark: (mark.start, mark.end))
    if len(lines) > 1 and lines.starts[-1] == len(text) and not (ordered and ordered[-1].start == len(text)):
        lines.starts.pop(), lines.ends.pop()  # what follows the last line break is nothing
    yield from _Page(text, lines, ordered, width, around).shown()


def _kept(total: int, near: set[int], around: int | None) -> Iterator[tuple[int, int | None]]:
    """Which of so many to show, each with how many are left out before it; last how many are behind."""
    kept = set(range(total if around is None or total <= _UNMARKED else _UNMARKED))
    if around is not None and total > _UNMARKED and near:
        kept = {at for one in near for at in range(one - around, one + around + 1) if 0 <= at < total}
        kept.update(at + 1 for at in list(kept) if at + 2 in kept or at + 2 == total)  # a gap of one is no gain
    last = -1
    for at in sorted(kept):
        yield at - last - 1, at
        last = at
    yield total - last - 1, None


class _Piece(NamedTuple):
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
    def __init__(self, text: str, lines: Lines, marks: Sequence[Mark], width: int, around: int | None) -> None:
        self.text, self.lines, self.marks, self.around = text, lines, marks, around
        self.starts = [mark.start for mark in marks]
        self.places = sorted(place for mark in marks for place in (mark.start, max(mark.start, mark.end - 1)))
        self.longest = max((mark.end - mark.start for mark in marks), default=0)
        self.gutter = len(str(len(lines)))
        self.room = max(_NARROWEST, width - self.gutter - 3)

    def shown(self) -> Iterator[Text]:
        for left_out, number in _kept(len(self.lines), set(map(self.lines.number, self.places)), self.around):
            yield from self._note(left_out, "line")
            if number is not None:
                yield from self._line(number)

    def _note(self, count: int, what: str) -> Iterator[Text]:
        if count:
            yield Text(f"{'':{self.gutter}}   ({count:,} {what}{'' if count == 1 else 's'} left out)", style="dim")

    def _line(self, number: int) -> Iterator[Text]:
        """Draw a line and the marks that begin on it; of a long one the pieces near an end of a mark."""
        start = self.lines.starts[number]
        pieces = list(self._pieces(start, self.lines.ends[number]))
        begins = [piece.start for piece in pieces]
        stop = self.lines.starts[number + 1] if number + 1 < len(self.lines) else len(self.text) + 1
        places = self.places[bisect_left(self.places, start) : bisect_left(self.places, stop)]
        near = {bisect_right(begins, place) - 1 for place in places}
        for left_out, at in _kept(len(pieces), near, self.around):
            yield from self._note(left_out, "piece")
            if at is None:
                continue
            gutter = f"{'':{self.gutter}} : " if at else f"{number + 1:>{self.gutter}} | "
            yield Text.assemble((gutter, "dim"), self._styled(pieces[at]))
            beyond = stop if at + 1 == len(pieces) else pieces[at].end
            for mark in self.marks[bisect_left(self.starts, pieces[at].start) : bisect_left(self.starts, beyond)]:
                yield self._pointer(pieces[at], mark)

    def _pieces(self, start: int, end: int) -> Iterator[_Piece]:
        if _PLAIN.fullmatch(self.text, start, end):
            for low in range(start, max(end, start + 1), self.room):
                high = min(end, low + self.room)
                yield _Piece(low, high, self.text[low:high], range(high - low + 1), range(high - low + 1))
            return
        shown, cells, indices = "", [0], [0]
        for at in range(start, end):
            char = self.text[at]
            more = " " * (_TAB - cells[-1] % _TAB) if char == "\t" else inert(char)
            if cells[-1] + cell_len(more) > self.room and len(cells) > 1:
                yield _Piece(start, at, shown, cells, indices)
                start, shown, cells, indices = at, "", [0], [0]
            shown += more
            cells.append(cells[-1] + cell_len(more))
            indices.append(len(shown))
        yield _Piece(start, end, shown, cells, indices)

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
        beyond = " (to {}:{})".format(*self.lines.place(mark.end - 1)) if mark.end - 1 > piece.end else ""
        label = f"{mark.label}{beyond}"
        if column + length + 1 + len(label) <= self.room or column < len(label) + 1:
            length = max(1, min(length, self.room - column - 1 - len(label)))
            blanks, arrow, words = " " * column, "^" * length, f" {label}"
        else:  # no room to the right of it
            blanks, arrow, words = " " * (column - len(label) - 1) + f"{label} ", "^" * length, ""
        return Text.assemble((f"{'':{self.gutter}} | ", "dim"), (f"{blanks}{arrow}{words}", mark.style))
