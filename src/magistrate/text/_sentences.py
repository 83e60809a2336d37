"""Where sentences end, in any script.

A full stop is many things: the end of a sentence, part of an abbreviation, a number, a version, an address, an
ellipsis. The rules look at the word before it and the word after it, a bounded number of characters each, so a text is
read once. In doubt there is no end: two sentences judged as one lose less than half a sentence judged as a whole one.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from magistrate.text._fold import TABLES, all_words, fold
from magistrate.text._terms import stop_words

# Stops of scripts that use them for nothing else: ideographic, Devanagari, Arabic, Armenian, Ethiopic, Burmese, Khmer.
_STRONG: Final = frozenset("。！？｡．؟۔।॥։።፧။។៕")
_STOPS: Final = re.compile("[.!?…‼⁇⁈⁉。！？｡．؟۔।॥։።፧။។៕]+")
_CLOSERS: Final = re.escape("\"'”’»›)]}」』）】〉》〕］｣*_~`")
_OPENERS: Final = re.compile(r"""[\s"'“‘„«‹(\[{「『（【〈《*_~`#\-–—•>¿¡…]*+""")
_INVERTED: Final = ("¿", "¡")
CITED: Final = re.compile(r"\[\^?\d{1,4}(?:[ ,;–-]{1,3}\d{1,4}){0,30}\]|【[^】\n]{1,60}】|[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,6}")
"""The mark of a source, whose number is none of the text's."""
# Closing marks, and marks of a source behind the stop, belong to the sentence before it: "It rose.[1][2]", "It rose.
# [3]", "It rose.²". "[1]" at the start of the next line belongs to that line.
_CLOSED: Final = re.compile(rf"[{_CLOSERS}]*+(?:(?:[ \t]?(?:{CITED.pattern}))++[{_CLOSERS}.]*+)?")
# What goes on after a closing quote: Japanese particles, Chinese 的, a comma.
_GOES_ON: Final = frozenset("とってはがをのにでもやへか的地得说說道,，、;；:：)）]】")
_WORD: Final = re.compile("[^\\W\\d_]{1,40}")
_DENSE: Final = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff]"
)
_THAI: Final = re.compile("[\u0e01-\u0e30\u0e32\u0e33\u0e40-\u0e46\u0e81-\u0eb0\u0eb2\u0eb3\u0ec0-\u0ec6]")
# A character (a letter or its mark), spaces, and a letter.
_SPACED: Final = re.compile(r"[\u0e01-\u0e4e\u0e81-\u0ecd]\s+[\u0e01-\u0e30\u0e40-\u0e46\u0e81-\u0eb0\u0ec0-\u0ec6]")
_CLAUSE: Final = 20  # letters
_GOING_ON: Final = tuple(TABLES["spaces"]["goes_on"].split())
_LONGEST_WORD: Final = 24
_LONGEST_ORDINAL: Final = 3


@cache
def _starters() -> frozenset[str]:
    """Words that open a sentence."""
    return stop_words(None) | all_words("starters")


def sentence_spans(text: str, start: int = 0, end: int | None = None) -> Iterator[tuple[int, int]]:
    """(start, end) of each sentence of a paragraph; together they hold every character that is not white space."""
    end = len(text) if end is None else end
    # In a text without capitals a small letter after a full stop says nothing.
    cased = text[start:end] != text[start:end].lower()
    begin = start
    for match in _STOPS.finditer(text, start, end):
        if match.start() < begin:
            continue
        closed = _CLOSED.match(text, match.end(), end)
        after = closed.end() if closed else match.end()
        if _ends(text, match, after, begin, end, cased=cased):
            yield from _trimmed(text, begin, after)
            begin = after
    yield from _trimmed(text, begin, end)


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    start = end - len(text[start:end].lstrip())
    end = start + len(text[start:end].rstrip())
    if start < end:
        yield from _by_spaces(text, start, end) if _SPACED.search(text, start, end) else ((start, end),)


def _by_spaces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Thai and Lao put a space where others put a stop, and also around names, numbers and clauses.

    So a space ends a sentence only between two letters of the script, after a stretch about as long as a clause, and
    not before a word that goes on.
    """
    begin = counted = start
    letters = 0
    for space in _SPACED.finditer(text, start, end):
        last, following = space.start() + 1, space.end() - 1
        letters += len(_THAI.findall(text, counted, last))
        counted = last
        goes_on = text.startswith(_GOING_ON, following) or text.endswith(_GOING_ON, begin, last)
        if letters >= _CLAUSE and not goes_on:
            yield begin, last
            begin, letters = following, 0
    yield begin, end


def _ends(  # noqa: PLR0911 - a rule each
    text: str, stop: re.Match[str], after: int, begin: int, end: int, *, cased: bool
) -> bool:
    if after >= end:
        return False  # the last sentence ends there anyway
    marks = stop.group()
    following = text[after]
    closed = after > stop.end()
    if not _STRONG.isdisjoint(marks):
        if marks[-1] == "．" and following.isdigit():
            return False
        return not (following in _GOES_ON and (closed or following in ",，、;；:：)）]】"))
    if not following.isspace():
        # "完成.下一步": no space is needed between characters of a script that has none.
        before = text[stop.start() - 1] if stop.start() > begin else ""
        glued = _DENSE.match(following) is not None and _DENSE.match(before) is not None
        return glued or (closed and text[after - 1] in "]】⁰¹²³⁴⁵⁶⁷⁸⁹" and following.isupper())
    opening = _OPENERS.match(text, after, end)
    index = opening.end() if opening else after
    if index >= end:
        return False
    first, inverted = text[index], text[after:index].rstrip().endswith(_INVERTED)
    if first.islower() and cased and not inverted and not _inner_capital(text, index):
        return False
    if marks != ".":
        return not (first.isdigit() and "…" in marks.replace("...", "…"))
    return _full_stop(text, stop.start(), index, begin, cased=cased)


def _inner_capital(text: str, index: int) -> bool:
    """Whether a word begins small and goes on in capitals: "iPhone", "eBay"."""
    word = _WORD.match(text, index)
    return word is not None and any(map(str.isupper, word.group()[1:3]))


def _full_stop(text: str, stop: int, following: int, begin: int, *, cased: bool) -> bool:
    """Whether the single full stop at `stop` ends a sentence, where the next word starts at `following`."""
    word = _word_before(text, stop, begin)
    next_word = _WORD.match(text, following)
    starts = next_word is not None and fold(next_word.group()) in _starters() and not next_word.group()[0].islower()
    if not word:
        return _after_digits(text, stop, begin, next_word, starts=starts)
    if word in all_words("abbreviations.inside"):
        return False
    # The letter before a full stop may belong to an address or a formula: "?q=f.", "a/b.".
    if len(word) == 1 and word.isalpha() and not (stop - 2 >= begin and text[stop - 2] in "=/&?@+_%0123456789"):
        # An initial, or "S. 5", "т. д."; "and so do I." only before a word that begins sentences.
        is_initial = next_word is not None and len(next_word.group()) == 1 and text.startswith(".", next_word.end())
        return starts and not is_initial
    if "." in word or word in all_words("abbreviations.may_end"):
        # In a text without capitals nothing tells a beginning; "etc." before a capital is the end more often than not.
        return starts or (word in ("etc", "usw", "ecc") and cased and text[following].isupper())
    if word in all_words("abbreviations.before_number"):
        return not text[following].isdigit()
    return True


def _word_before(text: str, stop: int, begin: int) -> str:
    """The folded word before a full stop, inner full stops included ("e.g", "u.s"); "" where there is none."""
    index = stop
    low = max(begin, stop - _LONGEST_WORD)
    while index > low and (text[index - 1].isalpha() or text[index - 1] in ".-№"):
        index -= 1
    if index > begin and index == low and text[index - 1].isalpha():
        return text[index:stop].casefold()  # longer than any abbreviation
    word = fold(text[index:stop].strip(".-"))
    return word if "." in word else word.rpartition("-")[2]


def _after_digits(text: str, stop: int, begin: int, next_word: re.Match[str] | None, *, starts: bool) -> bool:
    """Whether a full stop after digits (or a bracket) ends a sentence: not in "12. Mai", "im 19. Jahrhundert"."""
    index = stop
    while index > begin and text[index - 1].isdigit() and stop - index <= _LONGEST_ORDINAL:
        index -= 1
    if index == stop or stop - index > _LONGEST_ORDINAL:
        return True
    if index - begin < _LONGEST_WORD and not text[begin:index].strip():
        return False  # a number at the very beginning is a numbering
    if next_word is None or starts:
        return True
    if fold(next_word.group()) in all_words("ordinals.nouns"):
        return False
    before = text[max(begin, index - _LONGEST_WORD) : index].split()
    return not (before and fold(before[-1]) in all_words("ordinals.openers"))
