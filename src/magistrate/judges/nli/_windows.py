"""Windows: stretches of a context that a model can read beside a statement.

A window is made of whole sentences that follow each other in one context, and windows overlap by a sentence, so that
two neighbouring sentences that fit together stand together in one. It never crosses contexts: what a context proves
then depends on that context alone, whatever stands beside it and in which order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from magistrate.text import split_text

# A stretch without an end of a sentence is taken in pieces of at most this many characters, so that what is held in
# memory at a time does not grow with the context.
LONGEST: Final = 4000

Count = Callable[[str], int]
"""How many tokens a text has."""


class Piece(NamedTuple):
    """A sentence of a context, or what stands for one: a heading, a row, a bullet."""

    start: int
    end: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Passage:
    index: int
    text: str
    pieces: tuple[Piece, ...]


def read_passage(index: int, text: str, count: Count) -> Passage:
    spans = [span for start, end in _sentences(text) for span in _short(text, start, end)]
    following = [start for start, _ in spans[1:]] + [len(text)]
    pieces = [
        Piece(start, end, count(text[start : min(beyond, end + LONGEST)]))
        for (start, end), beyond in zip(spans, following, strict=False)
    ]
    return Passage(index, text, tuple(pieces))


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    """The pieces of a text; bullets and numbering go with what they stand before."""
    begin: int | None = None
    end = 0
    for segment in split_text(text):
        begin, end = segment.start if begin is None else begin, segment.end
        if segment.kind != "marker":
            yield begin, end
            begin = None
    if begin is not None:
        yield begin, end


def _short(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while end - start > LONGEST:
        cut = _white_space(text, start, start + LONGEST)
        yield start, cut
        start = cut
        while start < end and text[start].isspace():
            start += 1
    if start < end:
        yield start, end


def _white_space(text: str, start: int, end: int) -> int:
    """The last white space in the second half of a stretch; its end where there is none."""
    for index in range(end, (start + end) // 2, -1):
        if text[index - 1].isspace():
            return index - 1
    return end


def windows(passage: Passage, count: Count, *, tokens: int, sentences: int | None = None) -> Iterator[tuple[int, int]]:
    pieces, text = passage.pieces, passage.text
    first = covered = 0
    while covered < len(pieces):
        if pieces[first].tokens > tokens and count(text[pieces[first].start : pieces[first].end]) > tokens:
            yield from _stretches(text, pieces[first], count, tokens)
            first = covered = first + 1
            continue
        end = _reach(pieces, first, tokens, sentences)
        # Tokens of a whole can be more than those of its parts together: some tokenizers join across white space.
        while end - first > 1 and count(text[pieces[first].start : pieces[end - 1].end]) > tokens:
            end -= 1
        if end > covered:
            yield pieces[first].start, pieces[end - 1].end
            covered = end
        first = max(first + 1, end - 1)


def _reach(pieces: Sequence[Piece], first: int, tokens: int, sentences: int | None) -> int:
    """One past the last piece of the window that begins with a piece."""
    last = len(pieces) if sentences is None else min(len(pieces), first + sentences)
    end = first + 1
    total = pieces[first].tokens
    while end < last and total + pieces[end].tokens <= tokens:
        total += pieces[end].tokens
        end += 1
    return end


def _stretches(text: str, piece: Piece, count: Count, tokens: int) -> Iterator[tuple[int, int]]:
    """A piece that does not fit, in stretches that do, cut at white space where there is some."""
    start = piece.start
    while start < piece.end:
        end = _fitting(text, start, piece.end, count, tokens)
        yield start, end
        if end >= piece.end:
            return
        middle = _white_space(text, start, (start + end) // 2 + 1)
        start = max(start + 1, middle)
        while start < piece.end and text[start].isspace():
            start += 1


def _fitting(text: str, start: int, end: int, count: Count, tokens: int) -> int:
    """The end of the longest stretch from `start` that fits, as far as halving finds it; at least one character."""
    if count(text[start:end]) <= tokens:
        return end
    low, high = start + 1, end
    while high - low > 1:
        middle = (low + high) // 2
        if count(text[start:middle]) <= tokens:
            low = middle
        else:
            high = middle
    cut = _white_space(text, start, low)
    return cut if cut > start and count(text[start:cut]) <= tokens else low
