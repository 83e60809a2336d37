"""How far contexts hold a statement by its words: the measures behind the offline judge.

Pure functions of texts. What they can tell is whether a statement's words, numbers and names stand in the contexts;
what they cannot tell is what the contexts say about them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from sys import intern
from typing import Final, NamedTuple

from rapidfuzz import fuzz
from rapidfuzz.distance import LCSseq

from magistrate.text import (
    content_terms,
    dense_characters,
    detect_language,
    is_dense,
    main_script,
    ordered_terms,
    read_names,
    read_numbers,
    text_runs,
)

# Contexts are compared in passages of at most this many terms: short neighbours are read as one, long contexts in
# pieces that overlap by half.
PASSAGE: Final = 400
# Languages that inflect names: "Марией" and "Мария".
_INFLECT_NAMES: Final = frozenset({"ru", "uk", "bg", "pl", "cs", "fi", "hu", "tr"})
_SHORTEST_NAME: Final = 5
CHINESE_FROM: Final = 16
"""Characters from which on a text without kana is Chinese: a Japanese title or short sentence may hold none."""
# A statement is a sentence; of something much longer that passes for one the beginning tells enough, and the work is
# linear.
_LONGEST_ORDER: Final = 1000  # terms
_MOST_NAMES: Final = 100
# Terms of a context that its language is told by.
_SAMPLE: Final = 60
_GRAM: Final = 4
# Characters of a statement that are looked for letter by letter, and of the contexts that they are looked for in.
_LONGEST_ALIKE: Final = 300
_MOST_ALIKE: Final = 50_000
_APART: Final = "\0"
KEPT: Final = 128
"""Passages that are kept as they were read."""
KEPT_CHARACTERS: Final = 8_000


@dataclass(frozen=True, slots=True)
class ReadText:
    text: str
    runs: list[str]
    script: str | None
    language: str | None


@dataclass(frozen=True, slots=True)
class ReadContexts:
    """Contexts, read once for all statements."""

    texts: dict[int, ReadText]
    terms: dict[int, frozenset[str]]
    passages: list[tuple[frozenset[str], list[str]]]
    held: frozenset[str]
    numbers: frozenset[float | str]
    letters: tuple[str, ...]
    together: str
    """All letters, the contexts kept apart by a character that no word holds."""


@dataclass(frozen=True, slots=True)
class Grounding:
    """How far the contexts hold a statement: by terms, by their order, by letters (`alike`, `grams`)."""

    coverage: float
    order: float
    alike: float
    grams: float
    missing_numbers: tuple[str, ...]
    missing_names: tuple[str, ...]
    missing_words: tuple[str, ...]
    terms: int
    held: int
    best: int | None


def read_text(text: str) -> ReadText:
    runs = text_runs(text)
    script = main_script(text)
    short = script == "han" and sum(map(len, runs)) < CHINESE_FROM
    return ReadText(text, runs, script, None if short else detect_language(script, runs[:_SAMPLE]))


class _Passage(NamedTuple):
    text: ReadText
    ordered: list[str]
    terms: frozenset[str]
    numbers: frozenset[float | str]
    letters: str


def _passage(text: str) -> _Passage:
    read = read_text(text)
    read.runs[:] = map(intern, read.runs)  # passages that are kept share most of their words
    ordered = ordered_terms(read.runs)
    numbers = frozenset[float | str]().union(*read_numbers(read.runs, offered=True))
    return _Passage(read, ordered, frozenset(ordered), numbers, " ".join(read.runs)[:_MOST_ALIKE])


_kept_passage = lru_cache(maxsize=KEPT)(_passage)


def read_contexts(contexts: Sequence[str]) -> ReadContexts:
    """Read contexts; blank ones are left out. Cases of one collection share passages: the last ones read are kept."""
    passages = {
        index: (_kept_passage if len(text) <= KEPT_CHARACTERS else _passage)(text)
        for index, text in enumerate(contexts)
        if text.strip()
    }
    texts = {index: passage.text for index, passage in passages.items()}
    terms = {index: passage.terms for index, passage in passages.items()}
    ordered = [passage.ordered for passage in passages.values()]
    letters = tuple(passage.letters for passage in passages.values())
    return ReadContexts(
        texts,
        terms,
        [(frozenset(passage), passage) for passage in _passages(ordered)],
        frozenset().union(*terms.values()),
        frozenset().union(*(passage.numbers for passage in passages.values())),
        letters,
        _APART.join(letters),
    )


def _alike(letters: str, contexts: ReadContexts) -> tuple[float, float]:
    """How far the likeliest stretch of the contexts is like it, letter by letter, and its runs there; in [0, 1]."""
    if letters in contexts.together:  # word for word, which is quicker found than measured
        return 1.0, float(len(letters) >= _GRAM)
    best = 0.0
    for text in contexts.letters:
        best = max(best, fuzz.partial_ratio(letters, text, score_cutoff=best))
    grams = {letters[at : at + _GRAM] for at in range(len(letters) - _GRAM + 1)}
    return best / 100, sum(map(contexts.together.__contains__, grams)) / max(1, len(grams))


def _passages(contexts: Sequence[list[str]]) -> list[list[str]]:
    passages: list[list[str]] = []
    together: list[str] = []
    for terms in contexts:
        if len(together) + len(terms) > PASSAGE and together:
            passages.append(together)
            together = []
        if len(terms) < PASSAGE:
            together = together + terms
        else:
            step = PASSAGE // 2
            passages += [terms[start : start + PASSAGE] for start in range(0, max(1, len(terms) - step), step)]
    return [*passages, together] if together else passages


def ground(statement: ReadText, language: str | None, contexts: ReadContexts) -> Grounding:
    terms = frozenset(content_terms(statement.runs, language))
    ordered = ordered_terms(statement.runs)
    if not terms or not contexts.passages:
        return Grounding(0.0, 0.0, 0.0, 0.0, (), (), (), len(terms), 0, None)
    held = len(terms & contexts.held)
    in_passage = max(len(terms & passage) for passage, _ in contexts.passages)
    line = ordered[:_LONGEST_ORDER]
    common = max(LCSseq.similarity(line, passage) for _, passage in contexts.passages)
    best = max(contexts.terms, key=lambda index: len(terms & contexts.terms[index]))
    alike, grams = _alike(" ".join(statement.runs)[:_LONGEST_ALIKE], contexts)
    numbers = read_numbers(statement.runs)
    names = read_names(statement.text, statement.script, language)[:_MOST_NAMES]
    missing_names = [name for name in names if not _holds_name(name, language, contexts)]
    return Grounding(
        coverage=(held + in_passage) / 2 / len(terms),
        order=common / len(line),
        alike=alike,
        grams=grams,
        missing_numbers=tuple(dict.fromkeys(_shown(n) for n in numbers if n.isdisjoint(contexts.numbers))),
        missing_names=tuple(missing_names),
        missing_words=tuple(dict.fromkeys(_missing_words(statement.runs, terms, contexts.held, missing_names))),
        terms=len(terms),
        held=held,
        best=best if terms & contexts.terms[best] else None,
    )


def _holds_name(name: str, language: str | None, contexts: ReadContexts) -> bool:
    if contexts.held.issuperset(ordered_terms([name])):
        return True
    if language not in _INFLECT_NAMES or len(name) < _SHORTEST_NAME:
        return False
    return any(
        word.startswith(name[:-2]) and len(word) <= len(name) + 2
        for text in contexts.texts.values()
        for word in text.runs
    )


def _shown(number: frozenset[float | str]) -> str:
    reading = max(number, key=lambda reading: (len(str(reading)), str(reading)))
    return f"{reading:.15g}" if isinstance(reading, float) else reading


def _missing_words(
    runs: Sequence[str], terms: frozenset[str], held: frozenset[str], names: Sequence[str]
) -> Iterator[str]:
    """The words whose terms are missing; of a run of characters, the stretches that are missing."""
    missing = terms - held
    for run in runs if missing else ():
        if run in names or run[0].isdecimal():
            continue
        pairs, start = ordered_terms([run]), 0
        if not is_dense(run) and not missing.isdisjoint(pairs):
            yield run
        for lacking, stretch in groupby(pairs, missing.__contains__) if is_dense(run) else ():
            end = start + len(list(stretch))
            if lacking:
                # As many pairs as characters but one.
                yield "".join(dense_characters(run)[start : end + 1])
            start = end
