"""Statements: what an answer says, sentence by sentence, in any script.

    for statement in split_statements(answer):
        answer[statement.start : statement.end] == statement.text

`split_text` gives every piece of an answer with its kind; `split_statements` those that state something.
`find_statement` finds a statement that a judge took from an answer in that answer.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from magistrate.text._blocks import blocks
from magistrate.text._language import detect_language, main_script
from magistrate.text._names import read_names
from magistrate.text._numbers import read_numbers
from magistrate.text._phrases import is_courtesy
from magistrate.text._sentences import sentence_spans
from magistrate.text._terms import content_terms, denial_words, denies, ordered_terms, text_runs
from magistrate.text._tokens import token_spans, token_texts

SegmentKind = Literal["sentence", "row", "code", "heading", "courtesy", "marker"]

_STATES: Final = frozenset({"sentence", "row", "code"})
_AS_IT_IS: Final[dict[str, SegmentKind]] = {"row": "row", "code": "code", "heading": "heading", "marker": "marker"}
_LETTER: Final = re.compile(r"[^\W_]")
_PLAIN: Final = re.compile(r"""[A-Za-z]{2}(?:[ "-\-/->@-{}~]|[.!?](?=[A-Za-z0-9]))*+[.!?]*+["')\]]*+(?<! )""")
"""One sentence without layout."""

IN_ANSWER: Final = 0.6
"""Least share of a statement's terms that the answer has to hold."""

IN_SENTENCES: Final = 0.5
"""Least share of them that two sentences of it next to each other have to hold."""

# Both were set on sentences whose atomic statements people wrote down: 98.8 % of 4,318 statements pass for the answer
# they were taken from, 0.5 % of 1,472 for an answer about something else.

_NEIGHBOURS: Final = 2


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of an answer and its place in it; a heading, a courtesy and a marker (bullets, rules) state nothing."""

    text: str
    start: int
    end: int
    kind: SegmentKind = "sentence"

    @property
    def is_statement(self) -> bool:
        """Whether the piece states something: a sentence, a row of a table, a block of code."""
        return self.kind in _STATES


def split_statements(text: str) -> tuple[Segment, ...]:
    """The statements of an answer: sentences, items, rows of tables, blocks of code. An end in doubt is none."""
    return tuple(segment for segment in split_text(text) if segment.is_statement)


def split_sentences(text: str) -> tuple[str, ...]:
    """The texts of `split_statements`."""
    return tuple(segment.text for segment in split_statements(text))


def split_text(text: str) -> tuple[Segment, ...]:
    """All pieces of an answer, in its order: what `split_statements` keeps and what it leaves out."""
    if _PLAIN.fullmatch(text):
        return (Segment(text, 0, len(text), "courtesy" if is_courtesy(text) else "sentence"),)
    segments: list[Segment] = []
    for block in blocks(text):
        if block.kind in _AS_IT_IS:
            segments += _segment(text, block.start, block.end, _AS_IT_IS[block.kind])
            continue
        for start, end in sentence_spans(text, block.start, block.end):
            states: SegmentKind = "courtesy" if is_courtesy(text[start:end]) else "sentence"
            segments += _segment(text, start, end, states if _LETTER.search(text, start, end) else "marker")
    return tuple(segments)


def sentences_outside(text: str, spans: Sequence[tuple[int, int] | None]) -> list[Segment]:
    """Return the sentences of a text that none of the spans touches; one that is None may be of any of them."""
    known = sorted(span for span in spans if span is not None)
    end = 0
    for start, stop in (*known, (len(text), len(text))):
        if any(char.isalnum() for char in text[end:start]):
            break
        end = max(end, stop)
    else:
        return []
    left = (
        one for one in split_statements(text) if not any(start < one.end and one.start < end for start, end in known)
    )
    return list(left)[len(spans) - len(known) :]


def find_statement(statement: str, answer: str) -> tuple[int, int] | None:
    """Find a statement in the answer that a judge says it took it from.

    It is found where its words stand in the answer in their order (case, white space and punctuation aside); or, for a
    rephrased one, where the answer holds at least 0.6 of its terms and two neighbouring sentences at least 0.5, all its
    numbers, all its names, and where both deny or neither does (set on sentences
    whose atomic statements people wrote down).

    Args:
        statement: A statement, as a judge worded it; untrusted.
        answer: The answer.

    Returns:
        (start, end) in the answer: of the words, or of the sentences that hold most of it; None where it is not found.
    """
    return _word_by_word(statement, answer) or _by_terms(statement, answer)


def _segment(text: str, start: int, end: int, kind: SegmentKind) -> list[Segment]:
    stretch = text[start:end]
    start += len(stretch) - len(stretch.lstrip())
    stretch = stretch.strip()
    return [Segment(stretch, start, start + len(stretch), kind)] if stretch else []


class _Sentence(NamedTuple):
    start: int
    end: int
    runs: list[str]
    terms: frozenset[str]


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


def _by_terms(statement: str, answer: str) -> tuple[int, int] | None:
    runs = text_runs(statement)
    script = main_script(statement)
    language = detect_language(script, runs) or _language_of(answer)
    # A word that denies is in some sentence of most answers: whether the right one denies is looked at below.
    denials = denial_words(language)
    terms = frozenset(content_terms([run for run in runs if run not in denials], language))
    if not terms:
        return None
    read = _read(answer, language)
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
def _read(answer: str, language: str | None) -> list[_Sentence]:
    read = ((one.start, one.end, text_runs(one.text)) for one in split_text(answer) if one.kind != "marker")
    return [_Sentence(start, end, runs, frozenset(content_terms(runs, language))) for start, end, runs in read]


@lru_cache(maxsize=2)
def _language_of(answer: str) -> str | None:
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
    numbers = read_numbers(runs)
    if not numbers:
        return True
    offered = frozenset().union(*(number for s in read for number in read_numbers(s.runs, offered=True)))
    return all(number & offered for number in numbers)


def _denies_otherwise(
    runs: Sequence[str], terms: frozenset[str], window: Sequence[_Sentence], language: str | None
) -> bool:
    """Whether one denies and the other does not, where the sentences hold the terms of the statement."""
    stretch = [run for sentence in window for run in sentence.runs]
    places = [index for index, run in enumerate(stretch) if not terms.isdisjoint(ordered_terms([run]))]
    near = stretch[max(0, places[0] - 2) : places[-1] + 2] if places else stretch
    return denies(runs, language) != denies(near, language)
