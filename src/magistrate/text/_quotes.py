"""Quotes against contexts: does what a judge quotes stand there?

A quote is found where its tokens stand in a context in their order, whatever the case, the white space, the quote marks
and dashes, the punctuation between words, and whether characters are full-width or not. A quote with something left out
("the first part ... the second part") is found where its parts stand in one context in their order. A quote that
differs a little is found with a `similarity` below 1, unless it differs in what may turn its meaning: a number, a word
that denies, a name. Everything else is not found.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final, NamedTuple

from rapidfuzz.distance import LCSseq, Levenshtein

from magistrate.text._fold import languages, words
from magistrate.text._numbers import read_numbers
from magistrate.text._terms import stem, stop_words
from magistrate.text._tokens import Token, token_spans, token_texts
from magistrate.verdict import Evidence

NEAR: Final = 0.85
"""Least similarity of a near match: 1 - edit distance / length of the longer text, both folded, in characters."""

# A near match says little about a few words, and a long quote that is not verbatim is not looked at for long.
_SHORTEST_NEAR: Final = 4
_LONGEST_NEAR: Final = 1000
# Share of the words of a quote that a stretch has to hold to be compared with it.
_SHARE: Final = 0.6
# Each part of a quote with something left out holds at least two words, or four characters of a script without spaces.
_SHORTEST_PART: Final = 4
_ELISION: Final = re.compile(r"\[ ?(?:\.{3,}|…|⋯) ?\]|\( ?(?:\.{3,}|…|⋯) ?\)|\.{3,}|[…⋯]+|(?:\. ){2,}\.")


class _Text(NamedTuple):
    """A context, a quote or a part of one, read: its words, and those in one line with a space around each."""

    text: str
    words: list[str]
    line: str


class _Match(NamedTuple):
    """The first and the last token of a match."""

    first: int
    last: int
    similarity: float


def locate_quote(quote: str, contexts: Sequence[str]) -> Evidence:
    """Find a quote in the contexts: verbatim in the first that has it, else nearly; `Evidence.found` tells whether."""
    return locate_quotes([quote], contexts)[0]


def locate_quotes(quotes: Iterable[str], contexts: Sequence[str]) -> tuple[Evidence, ...]:
    """Find several quotes: as `locate_quote` each, reading the contexts once."""
    read: list[_Text] = []
    found: list[Evidence] = []
    for quote in quotes:
        evidence = _as_it_is(quote, contexts)
        if evidence is None:
            read = read or [*map(_read, contexts)]
            evidence = _by_tokens(quote, read)
        found.append(evidence)
    return tuple(found)


def _as_it_is(quote: str, contexts: Sequence[str]) -> Evidence | None:
    """The quote character by character, not inside a longer word: what most quotes are, found without tokens."""
    sought = quote.strip()
    if not any(map(str.isalnum, sought)):
        return None
    for index, text in enumerate(contexts):
        start = text.find(sought)
        if start < 0:
            continue
        end = start + len(sought)
        if _apart(text, start) and _apart(text, end):
            return Evidence(quote, index, start, end, 1.0)
    return None


def _apart(text: str, index: int) -> bool:
    """Whether no word or number goes on over this place."""
    if index in (0, len(text)):
        return True
    before, after = text[index - 1], text[index]
    return not (_inside(before) and _inside(after))


def _inside(character: str) -> bool:
    # White space and ASCII punctuation are outside; for the rest the tokens decide, where this is too strict.
    return not (character.isspace() or (character.isascii() and not character.isalnum() and character not in ".,'"))


def _read(text: str) -> _Text:
    words = token_texts(text)
    return _Text(text, words, f" {' '.join(words)} ")


def _by_tokens(quote: str, contexts: Sequence[_Text]) -> Evidence:
    whole = _read(quote)
    if not whole.words:
        return Evidence(quote)
    parts = [part for part in map(_read, _ELISION.split(quote)) if part.words]
    if len(parts) > 1 and min(map(_size, parts)) < _SHORTEST_PART:
        parts = [whole]
    for index, context in enumerate(contexts):
        match = _verbatim([whole], context) or (_verbatim(parts, context) if len(parts) > 1 else None)
        if match is not None:
            return _evidence(quote, index, context, match)
    near = [(index, match) for index, text in enumerate(contexts) if (match := _parts_near(parts, text)) is not None]
    index, best = max(near, key=lambda one: one[1].similarity, default=(0, None))
    return Evidence(quote) if best is None else _evidence(quote, index, contexts[index], best)


def _evidence(quote: str, index: int, context: _Text, match: _Match) -> Evidence:
    tokens = token_spans(context.text, match.first, match.last + 1)
    return Evidence(quote, index, tokens[0].start, tokens[-1].end, match.similarity)


def _size(part: _Text) -> int:
    """Two for a word, one for a character of a script without spaces."""
    return sum(1 if len(word) == 1 and word >= "\u0e00" else 2 for word in part.words)


def _verbatim(parts: Sequence[_Text], context: _Text) -> _Match | None:
    """The parts one after the other in a context, word by word."""
    line = context.line
    places: list[int] = []
    offset = 0
    for part in parts:
        sought = part.line
        offset = line.find(sought, offset)
        if offset < 0:
            return None
        places.append(offset)
        offset += len(sought) - 1
    end = offset
    # The earliest places were taken; the latest ones before the last part leave the least between them.
    for index in range(len(parts) - 2, -1, -1):
        places[index] = line.rfind(parts[index].line, 0, places[index + 1] + 1)
    return _Match(line.count(" ", 0, places[0]), line.count(" ", 0, end) - 1, 1.0)


def _parts_near(parts: Sequence[_Text], context: _Text) -> _Match | None:
    """The parts one after the other in a context, each as it is or nearly so."""
    begin = 0
    first: int | None = None
    similarity = 1.0
    for part in parts:
        match = _near(part, context, begin)
        if match is None:
            return None
        first = match.first if first is None else first
        begin = match.last + 1
        similarity = min(similarity, match.similarity)
    return None if first is None else _Match(first, begin - 1, similarity)


def _near(part: _Text, context: _Text, begin: int) -> _Match | None:
    """The stretch of a context that a part of a quote differs from little, and in nothing that turns its meaning."""
    size = len(part.words)
    if size > _LONGEST_NEAR or _size(part) < 2 * _SHORTEST_NEAR:
        return None
    low, high = _densest(part.words, context.words, begin)
    if high <= low:
        return None
    margin = size // 4 + 1
    low, high = max(begin, low - margin), min(len(context.words), high + margin)
    blocks = [op for op in LCSseq.opcodes(part.words, context.words[low:high]) if op.tag == "equal"]
    # Words of the quote before the first and behind the last equal one may stand for as many of the context.
    starts = {low + blocks[0].dest_start, max(low, low + blocks[0].dest_start - blocks[0].src_start)}
    ends = {low + blocks[-1].dest_end, min(high, low + blocks[-1].dest_end + size - blocks[-1].src_end)}
    similarity, first, end = max(
        (Levenshtein.normalized_similarity(part.line[1:-1], " ".join(context.words[start:end])), start, end)
        for start in starts
        for end in ends
    )
    if similarity < NEAR or _turns(part, context, first, end):
        return None
    return _Match(first, end - 1, min(round(similarity, 4), 0.9999))


def _densest(words: Sequence[str], others: Sequence[str], begin: int) -> tuple[int, int]:
    """The stretch a little longer than `words` that holds most of them; an empty one where too few are there."""
    wanted = Counter(words)
    places = [index for index in range(begin, len(others)) if others[index] in wanted]
    length = len(words) + len(words) // 4
    have: Counter[str] = Counter()
    count = left = 0
    best, low, high = int(_SHARE * len(words)), 0, 0
    for place in places:
        word = others[place]
        have[word] += 1
        count += have[word] <= wanted[word]
        while places[left] <= place - length:
            leaving = others[places[left]]
            count -= have[leaving] <= wanted[leaving]
            have[leaving] -= 1
            left += 1
        if count > best:
            best, low, high = count, places[left], place + 1
    return low, high


def _turns(part: _Text, context: _Text, first: int, end: int) -> bool:
    """Whether the quote and the stretch differ in a number, a word that denies, or a name."""
    quote_tokens = token_spans(part.text)
    context_tokens = token_spans(context.text, first, end)
    for op in LCSseq.opcodes(part.words, context.words[first:end]):
        if op.tag == "equal":
            continue
        quoted = quote_tokens[op.src_start : op.src_end]
        stated = context_tokens[op.dest_start : op.dest_end]
        same = {stem(token.text) for token in quoted} & {stem(token.text) for token in stated}
        for tokens, text in ((quoted, part.text), (stated, context.text)):
            if any(_weighs(token, text) for token in tokens if stem(token.text) not in same):
                return True
    return False


@cache
def _denials() -> frozenset[str]:
    """Words that deny, in any language, and are little else."""
    return frozenset().union(*(words(code, "negations") for code in languages())) - {"n", "ni", "ne", "non"}


def _weighs(token: Token, text: str) -> bool:
    word = token.text
    if word in _denials() or word == "t" or word[0].isdecimal() or read_numbers([word]):
        return True
    return text[token.start].isupper() and word not in stop_words(None)
