"""The sentence of the contexts to show beside a verdict that was reached by words."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from magistrate.judges.lexical._measures import KEPT, KEPT_CHARACTERS
from magistrate.text import blocks, fold, sentence_spans
from magistrate.verdict import Evidence

_STOP: Final = re.compile(r"[.!?\n。！？।؟۔](?:[\"'”’)\]]*\s+|(?<=[\n。！？।؟۔]))")
# Stretches between stops to look at on either side: "Dr.", "e.g." and wrapped lines are inside a sentence.
_AROUND: Final = 2
_LONGEST: Final = 600  # characters


class _Stretch(NamedTuple):
    start: int
    end: int
    folded: str


def best_quote(words: Sequence[str], text: str, index: int) -> Evidence | None:
    """The sentence of a context that holds most of a statement's words; None where none holds any."""
    short = len(text) <= KEPT_CHARACTERS
    stretches = (_kept if short else _kept_long)(text)
    place = _holds_most(words, stretches)
    if place is None:
        return None
    around = stretches[max(0, place - _AROUND) : place + _AROUND + 1]
    sentences = (_kept_sentences if short else _cut)(text, around[0].start, around[-1].end)
    best = _holds_most(words, sentences)
    if best is None:
        return None
    start, end, _ = sentences[best]
    return Evidence(text[start:end], index, start, end, 1.0)


def _folded(text: str, spans: Iterable[tuple[int, int]]) -> list[_Stretch]:
    return [_Stretch(start, end, fold(text[start:end])) for start, end in spans]


def _between_stops(text: str) -> list[_Stretch]:
    return _folded(text, pairwise([0, *(stop.end() for stop in _STOP.finditer(text)), len(text)]))


def _cut(text: str, start: int, end: int) -> list[_Stretch]:
    return _folded(text, _sentences(text, start, end))


# Statements of a case, and cases of one collection, share contexts.
_kept_sentences = lru_cache(maxsize=4 * KEPT)(_cut)
_kept = lru_cache(maxsize=KEPT)(_between_stops)
_kept_long = lru_cache(maxsize=4)(_between_stops)


def _holds_most(words: Sequence[str], stretches: Sequence[_Stretch]) -> int | None:
    held = [sum(map(stretch.folded.__contains__, words)) for stretch in stretches]
    most = max(held, default=0)
    return held.index(most) if most else None


def _sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The sentences of a stretch; one too long to quote in pieces that end at white space where there is some."""
    for block in blocks(text[start:end]):
        first, last = start + block.start, start + block.end
        whole = [] if block.kind == "marker" else [(first, last)]
        for at, to in sentence_spans(text, first, last) if block.kind == "prose" else whole:
            while to - at > _LONGEST:
                cut = max(text.rfind(" ", at + 1, at + _LONGEST), text.rfind("\n", at + 1, at + _LONGEST))
                cut = cut if cut > at else at + _LONGEST
                yield at, cut
                at = cut + (1 if text[cut].isspace() else 0)  # noqa: PLW2901
            if at < to:
                yield at, to
