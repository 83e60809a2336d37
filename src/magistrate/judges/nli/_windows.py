"""Windows: stretches of a context that a model can read beside a statement.

A window is made of whole sentences that follow each other in one context, and windows overlap by a sentence, so that
two neighbouring sentences that fit together stand together in one. It never crosses contexts: what a context proves
then depends on that context alone, whatever stands beside it and in which order.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from magistrate.text import split_text

# A stretch without an end of a sentence is taken in pieces of at most this many characters, so that what is held in
# memory at a time does not grow with the context.
LONGEST: Final = 4000

Count = Callable[[str], int]
"""How many tokens a text has."""
Span = tuple[int, int]


def pieces_of(text: str) -> list[Span]:
    """The sentences of a context, and what stands for one: a heading, a row; bullets go with what they stand before."""
    pieces: list[Span] = []
    begin, segments = -1, split_text(text)
    for segment in segments:
        begin = segment.start if begin < 0 else begin
        if segment.kind != "marker" or segment is segments[-1]:
            pieces += _short(text, begin, segment.end)
            begin = -1
    return pieces


def _short(text: str, start: int, end: int) -> Iterator[Span]:
    while end - start > LONGEST:
        cut = _white_space(text, start, start + LONGEST)
        yield start, cut
        start = _past_space(text, cut, end)
    if start < end:
        yield start, end


def _white_space(text: str, start: int, end: int) -> int:
    """The last white space in the second half of a stretch; its end where there is none."""
    return next((at - 1 for at in range(end, (start + end) // 2, -1) if text[at - 1].isspace()), end)


def _past_space(text: str, start: int, end: int) -> int:
    return next((at for at in range(start, end) if not text[at].isspace()), end)


def windows(
    text: str, pieces: Sequence[Span], count: Count, *, tokens: int, sentences: int | None = None
) -> Iterator[Span]:
    """The windows of a context, of at most so many tokens and sentences."""
    first = covered = 0
    while covered < len(pieces):
        start, end = pieces[first]
        if count(text[start:end]) > tokens:
            yield from _stretches(text, start, end, count, tokens)
            first = covered = first + 1
            continue
        last, most = first + 1, len(pieces) if sentences is None else min(len(pieces), first + sentences)
        while last < most and count(text[start : pieces[last][1]]) <= tokens:
            last += 1
        if last > covered:
            yield start, pieces[last - 1][1]
            covered = last
        first = max(first + 1, last - 1)


def _stretches(text: str, start: int, end: int, count: Count, tokens: int) -> Iterator[Span]:
    """A piece that does not fit, in stretches that do, cut at white space where there is some."""
    while start < end:
        low, high = start + 1, end
        if count(text[start:end]) <= tokens:
            yield start, end
            return
        while high - low > 1:  # the longest that fits, as far as halving finds it; at least one character
            middle = (low + high) // 2
            low, high = (middle, high) if count(text[start:middle]) <= tokens else (low, middle)
        cut = _white_space(text, start, low)
        cut = cut if cut > start and count(text[start:cut]) <= tokens else low
        yield start, cut
        start = _past_space(text, max(start + 1, _white_space(text, start, (start + cut) // 2 + 1)), end)
