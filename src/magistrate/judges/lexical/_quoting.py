"""The sentence of the contexts to show beside a verdict that was reached by words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from magistrate.judges.lexical._measures import KEPT, KEPT_CHARACTERS, ReadContexts
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


class _Cut:
    """A context, cut up only where it is to be quoted: between stops first, then into sentences."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.stretches = _folded(text, _between_stops(text))
        self._sentences: dict[int, list[_Stretch]] = {}

    def sentences(self, place: int) -> list[_Stretch]:
        """The sentences around a stretch; statements share few of them."""
        if place not in self._sentences:
            start = self.stretches[max(0, place - _AROUND)].start
            end = self.stretches[min(len(self.stretches) - 1, place + _AROUND)].end
            self._sentences[place] = _folded(self.text, _sentences(self.text, start, end))
        return self._sentences[place]


_kept_cut = lru_cache(maxsize=KEPT)(_Cut)


class Quotes:
    """Finds what to quote of contexts."""

    def __init__(self, contexts: ReadContexts) -> None:
        self._texts = contexts.texts
        self._long: dict[int, _Cut] = {}

    def best(self, words: Sequence[str], index: int | None) -> Evidence | None:
        """The sentence of a context that holds most of a statement's words; None where none holds any."""
        if index is None:
            return None
        text = self._texts[index].text
        cut = _kept_cut(text) if len(text) <= KEPT_CHARACTERS else self._long.get(index)
        if cut is None:
            cut = self._long[index] = _Cut(text)
        place = _holds_most(words, cut.stretches)
        sentences = () if place is None else cut.sentences(place)
        best = _holds_most(words, sentences)
        if best is None:
            return None
        start, end, _ = sentences[best]
        return Evidence(text[start:end], index, start, end, 1.0)


def _folded(text: str, spans: Iterable[tuple[int, int]]) -> list[_Stretch]:
    return [_Stretch(start, end, fold(text[start:end])) for start, end in spans]


def _holds_most(words: Sequence[str], stretches: Sequence[_Stretch]) -> int | None:
    held = [sum(map(stretch.folded.__contains__, words)) for stretch in stretches]
    most = max(held, default=0)
    return held.index(most) if most else None


def _between_stops(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for stop in _STOP.finditer(text):
        yield start, stop.end()
        start = stop.end()
    yield start, len(text)


def _sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for block in blocks(text[start:end]):
        if block.kind == "prose":
            for first, last in sentence_spans(text, start + block.start, start + block.end):
                yield from _pieces(text, first, last)
        elif block.kind != "marker":
            yield from _pieces(text, start + block.start, start + block.end)


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A sentence that is too long to quote, in pieces that end at white space where there is some."""
    while end - start > _LONGEST:
        cut = max(text.rfind(" ", start + 1, start + _LONGEST), text.rfind("\n", start + 1, start + _LONGEST))
        cut = cut if cut > start else start + _LONGEST
        yield start, cut
        start = cut + (1 if text[cut].isspace() else 0)
    if start < end:
        yield start, end
