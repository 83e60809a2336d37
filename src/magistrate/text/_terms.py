"""Terms: what a text is about, in any script.

A term is a word without its ending, a number by its value, and in a script without spaces a pair of neighbouring
characters. Overlap, coverage, similarity: whatever compares texts by their words counts these.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import Final

from magistrate.text._fold import fold
from magistrate.text._numbers import plain_digits, read_numbers
from magistrate.text._stems import stem
from magistrate.text._tokens import dense_characters, is_dense, token_runs
from magistrate.text._words import EAST_ASIAN, all_words, words

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
