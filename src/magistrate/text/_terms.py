"""Terms: what a text is about, in any script.

A term is a word without its ending, a number by its value, and in a script without spaces a pair of neighbouring
characters. Overlap, coverage, similarity: whatever compares texts by their words counts these. Words lose their endings
so that two forms of a word are one term ("awarded" and "award", "городами" and "город"); that now and then two
different words are one too does less harm.
"""

import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import Final

from magistrate.text._fold import EAST_ASIAN, TABLES, all_words, fold, words
from magistrate.text._numbers import plain_digits, read_numbers
from magistrate.text._tokens import dense_characters, is_dense, token_runs

_LONGEST_ENDING: Final = 7


def _plain(word: str) -> str:
    """Latin letters without their accents: texts write "Perez" for "Pérez", and forms of a word move them."""
    if word.isascii():
        return word
    return "".join(c for c in unicodedata.normalize("NFD", word) if not "\u0300" <= c <= "\u036f")


_TABLES: Final = {
    script: tuple(
        frozenset(e for e in map(_plain if script == "latin" else str, endings.split()) if len(e) == size)
        for size in range(_LONGEST_ENDING + 1)
    )
    for script, endings in TABLES["endings"].items()
}
_ARABIC_PREFIXES: Final = ("وال", "بال", "كال", "فال", "لل", "ال")
_SHORTEST_STEM: Final = 3
_LONGEST_WORD: Final = 60  # what is longer is no word, and would take long to cut letter by letter
# "studying" loses one ending and then another, as "study" and "studies" lose one; but not down to nothing.
_SHORTEST_AGAIN: Final = 4


@lru_cache(maxsize=32768)
def stem(word: str) -> str:
    """Cut the endings off a word: light, without a dictionary, the same in every language of a script."""
    script = next((script for script, (least, over) in _FROM_TO.items() if least <= word[0] < over), None)
    if script is None or word[0].isdigit() or len(word) > _LONGEST_WORD:
        return word
    if script == "latin":
        word = _plain(word)
    elif script == "arabic":
        word = _without_article(word)
    shorter = _cut(word, script, _SHORTEST_STEM)
    while shorter != word:
        word, shorter = shorter, _cut(shorter, script, _SHORTEST_AGAIN)
    return word


def _cut(word: str, script: str, least: int) -> str:
    for size in range(min(_LONGEST_ENDING, len(word) - least), 0, -1):
        if word[-size:] in _TABLES[script][size]:
            return word[:-size]
    # "stopped" is "stop" as "stops" is, "presses" is "press".
    doubled = script == "latin" and len(word) > _SHORTEST_STEM and word[-1] == word[-2]
    return word[:-1] if doubled else word


def _without_article(word: str) -> str:
    while (prefix := next((p for p in _ARABIC_PREFIXES if word.startswith(p)), None)) is not None:
        if len(word) - len(prefix) < _SHORTEST_STEM:
            break
        word = word[len(prefix) :]
    return word


_FROM_TO: Final = {
    "latin": ("", "\u0250"),
    "cyrillic": ("\u0400", "\u0530"),
    "arabic": ("\u0600", "\u0780"),
    "devanagari": ("\u0900", "\u0980"),
}


_FIRST_DENSE: Final = "\u0e00"


@cache
def _grammar() -> frozenset[str]:
    """Characters of scripts without spaces of which a pair carries no content."""
    return frozenset().union(*(words(code, "stop_words") for code in EAST_ASIAN))


def stop_words(language: str | None) -> frozenset[str]:
    """The words of a language that carry no content; those of all languages where it is not known."""
    if language is None:
        return all_words("stop_words")
    return words(language, "stop_words") or words(language, "hints")


def text_runs(text: str) -> list[str]:
    """The runs of a text as it is: `fold`, `plain_digits` and `token_runs` in one."""
    return token_runs(plain_digits(fold(text)))


def ordered_terms(runs: Sequence[str]) -> list[str]:
    """All terms of a text, in its order and with repeats, the words without content too."""
    if not runs or max(runs) < _FIRST_DENSE:
        return list(map(_term, runs))
    terms: list[str] = []
    for run in runs:
        if run < _FIRST_DENSE or not is_dense(run):
            terms.append(_term(run))
        else:
            terms += _pairs(run)
    return terms


def content_terms(runs: Sequence[str], language: str | None = None) -> list[str]:
    """The terms that carry content, in order, with repeats; where none does, all: words make terms."""
    stop, grammar = stop_words(language), _grammar()
    terms: list[str] = []
    for run in runs:
        if run < _FIRST_DENSE or not is_dense(run):
            if run not in stop:
                terms.append(_term(run))
        else:
            terms += [pair for pair in _pairs(run) if not (pair[0] in grammar and pair[-1] in grammar)]
    return terms or ordered_terms(runs)


def denial_words(language: str | None) -> frozenset[str]:
    """The words of a language that deny; of scripts without spaces, strings that do. Empty for an unknown language."""
    return words(language, "negations")


def denies(runs: Sequence[str], language: str | None) -> bool:
    """Whether a text holds a word that denies: "not", "n't", "never", "ohne", "不"."""
    words = denial_words(language)
    if language in EAST_ASIAN:
        return any(word in run for run in runs for word in words)
    if language == "en" and "t" in runs and any(run == "t" and before[-1] == "n" for before, run in pairwise(runs)):
        return True
    return not words.isdisjoint(runs)


@lru_cache(maxsize=32768)
def _term(run: str) -> str:
    if not run[0].isdecimal():
        return stem(run)
    numbers = read_numbers([run])
    # The longest reading, so that "1.234" and "1234" are one term; `read_numbers` is there to tell them apart.
    return (
        max((str(reading) for reading in numbers[0]), key=lambda text: (len(text), text)) if len(numbers) == 1 else run
    )


def _pairs(run: str) -> list[str]:
    characters = dense_characters(run)
    return [a + b for a, b in pairwise(characters)] or characters
