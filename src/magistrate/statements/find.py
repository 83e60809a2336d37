"""Is a statement that a judge took from an answer really in that answer?

A judge rephrases: "Her debut, released in 1999, sold well." becomes "Her debut was released in 1999." So a statement is
looked for word by word first, and then by what it is about.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from magistrate.terms import (
    content_terms,
    denial_words,
    denies,
    detect_language,
    main_script,
    ordered_terms,
    read_names,
    read_numbers,
    text_runs,
    token_spans,
    token_texts,
)

__all__ = ["IN_ANSWER", "IN_SENTENCES", "find_statement"]

IN_ANSWER: Final = 0.6
"""Least share of a statement's terms that the answer has to hold."""

IN_SENTENCES: Final = 0.5
"""Least share of them that two sentences of it next to each other have to hold."""

# Both were set on sentences whose atomic statements people wrote down: 98.8 % of 4,318 statements pass for the answer
# they were taken from, 0.5 % of 1,472 for an answer about something else.

_NEIGHBOURS: Final = 2


Spans = tuple[tuple[int, int], ...]


class _Sentence(NamedTuple):
    start: int
    end: int
    runs: list[str]
    terms: frozenset[str]


def find_statement(statement: str, answer: str, sentences: Spans) -> tuple[int, int] | None:
    """Find a statement among the sentences of an answer; see `magistrate.statements.find_statement`."""
    place = _word_by_word(statement, answer)
    return place if place is not None else _by_terms(statement, answer, sentences)


def _word_by_word(statement: str, answer: str) -> tuple[int, int] | None:
    words = token_texts(statement)
    if not words:
        return None
    line = _line(answer)
    offset = line.find(f" {' '.join(words)} ")
    if offset < 0:
        return None
    first = line.count(" ", 0, offset)
    tokens = token_spans(answer, first, first + len(words))
    return tokens[0].start, tokens[-1].end


def _by_terms(statement: str, answer: str, sentences: Spans) -> tuple[int, int] | None:
    runs = text_runs(statement)
    script = main_script(statement)
    language = detect_language(script, runs) or _language(answer)
    # A word that denies is in some sentence of most answers: whether the right one denies is looked at below.
    denials = denial_words(language)
    terms = frozenset(content_terms([run for run in runs if run not in denials], language))
    if not terms:
        return None
    read = _read(answer, sentences, language)
    held = frozenset().union(*(sentence.terms for sentence in read))
    if len(terms & held) < IN_ANSWER * len(terms) or not _holds_names(statement, script, language, held, read):
        return None
    if not _holds_numbers(runs, read):
        return None
    windows = (read[i : i + size] for size in range(1, _NEIGHBOURS + 1) for i in range(len(read) - size + 1))
    best = max(windows, key=lambda window: (_share(terms, window), -len(window)), default=[])
    if not best or _share(terms, best) < IN_SENTENCES or _denies_otherwise(runs, terms, best, language):
        return None
    return best[0].start, best[-1].end


# A judge's statements come one after the other from the same answer, which need not be read for each of them.
@lru_cache(maxsize=2)
def _read(answer: str, sentences: Spans, language: str | None) -> list[_Sentence]:
    read = []
    for start, end in sentences:
        runs = text_runs(answer[start:end])
        read.append(_Sentence(start, end, runs, frozenset(content_terms(runs, language))))
    return read


@lru_cache(maxsize=2)
def _language(answer: str) -> str | None:
    return detect_language(main_script(answer), text_runs(answer))


@lru_cache(maxsize=2)
def _line(answer: str) -> str:
    return f" {' '.join(token_texts(answer))} "


def _share(terms: frozenset[str], window: Sequence[_Sentence]) -> float:
    return len(terms.intersection(frozenset().union(*(sentence.terms for sentence in window)))) / len(terms)


def _holds_names(
    statement: str, script: str | None, language: str | None, held: frozenset[str], read: Sequence[_Sentence]
) -> bool:
    """Whether the answer holds every name of the statement: one changed name is another statement."""
    names = read_names(statement, script, language)
    words = held.union(*(sentence.runs for sentence in read)) if names else held
    return all(name in words or set(ordered_terms([name])) <= words for name in names)


def _holds_numbers(runs: Sequence[str], read: Sequence[_Sentence]) -> bool:
    asked = read_numbers(runs)
    if not asked:
        return True
    offered = frozenset().union(*(number for s in read for number in read_numbers(s.runs, offered=True)))
    return all(number & offered for number in asked)


def _denies_otherwise(
    runs: Sequence[str], terms: frozenset[str], window: Sequence[_Sentence], language: str | None
) -> bool:
    """Whether the statement denies and the sentences do not, or the other way round, where they speak of the same.

    Only the stretch of the sentences that holds the statement's terms counts: the rest may deny something else.
    """
    stretch = [run for sentence in window for run in sentence.runs]
    places = [index for index, run in enumerate(stretch) if not terms.isdisjoint(ordered_terms([run]))]
    near = stretch[max(0, places[0] - 2) : places[-1] + 2] if places else stretch
    return denies(runs, language) != denies(near, language)
