"""What the test server's model knows: a rule that says which verdict is right.

The default rule is for tests, so simple that their author can foresee every verdict:

- supported: every content word and number of the statement stands in one and the same passage;
- contradicted: all but its numbers do, and that passage has other numbers;
- partially_supported (where the scale has it): at least two thirds of its content words do;
- not_enough_info: otherwise.

`LEARNERS` is for texts as people have them, in any language: what `magistrate fault-server` answers by. A test with its
own truth gives an `Oracle` with its own functions.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from magistrate.text import (
    CITED,
    content_terms,
    denies,
    detect_language,
    main_script,
    ordered_terms,
    read_numbers,
    split_sentences,
    text_runs,
)
from magistrate.verdict import Verdict

_WORD = re.compile(r"\w+")
_END = re.compile(r"(?<=[.!?])\s+|(?<=[。\uff01\uff1f])")
_SMALL = frozenset(
    _WORD.findall(
        "a an the of in on at to for from by with and or but as than is are was were be been it its this that"
    )
)
_ANSWERS = frozenset(("yes", "no", "nein", "oui", "non"))
_PARTLY = 2 / 3
_HALF = 1 / 2
_MOST = 3 / 4

JudgeRule = Callable[[str, Sequence[str]], tuple[Verdict, str]]
GradeRule = Callable[[str, Mapping[str, str], float, float], tuple[float, str]]


def sentences(text: str) -> list[str]:
    """Split a text after its closing marks."""
    return [part.strip() for part in _END.split(text) if part.strip()]


def default_verdict(statement: str, passages: Sequence[str]) -> tuple[Verdict, str]:
    """Judge a statement by the default rule."""
    words = set(_content(statement))
    numbers = {word for word in words if word[0].isdigit()}
    names = words - numbers
    best = 0.0
    for index, passage in enumerate(passages, 1):
        known = set(_content(passage))
        if words <= known:
            return Verdict.SUPPORTED, f"Passage {index} states this in words that match the statement closely."
        if numbers and names <= known and any(word[0].isdigit() for word in known):
            return Verdict.CONTRADICTED, f"Passage {index} gives another number for this than the statement does."
        best = max(best, len(names & known) / len(names) if names else 0.0)
    if best >= _PARTLY:
        return Verdict.PARTIALLY_SUPPORTED, "Some of this stands in a passage, the rest is mentioned nowhere."
    return Verdict.NOT_ENOUGH_INFO, "None of the passages says anything that would settle this either way."


def word_verdict(statement: str, passages: Sequence[str]) -> tuple[Verdict, str]:
    """Judge a statement of any language by its words without their endings."""
    runs = text_runs(CITED.sub(" ", statement))
    language = detect_language(main_script(statement), runs)
    said = {term for term in content_terms(runs, language) if not term[0].isdigit()} - _ANSWERS
    read = [(set(ordered_terms(text_runs(passage))), index) for index, passage in enumerate(passages)]
    held, best = max(((len(said & terms), -index) for terms, index in read), default=(0, 0))
    share = held / len(said) if said else float(bool(runs))
    if not read or share < _HALF:
        return Verdict.NOT_ENOUGH_INFO, f"No passage has half of the statement's {len(said)} words: {held} at most."
    passage, where = passages[-best], f"Passage {1 - best}"
    if share < _MOST:
        return (
            Verdict.PARTIALLY_SUPPORTED,
            f"{where} has {held} of the statement's {len(said)} words, the rest is open.",
        )
    offered = read_numbers(text_runs(passage), offered=True)
    known: frozenset[float | str] = frozenset().union(*offered)
    if any(known.isdisjoint(number) for number in read_numbers(runs)):
        if known:
            return Verdict.CONTRADICTED, f"{where} speaks of this with another number than the statement has."
        return Verdict.NOT_ENOUGH_INFO, f"{where} speaks of this without the number that the statement has."
    parts = [text_runs(sentence) for sentence in split_sentences(passage)]
    nearest = max(parts, key=lambda part: len(said.intersection(ordered_terms(part))), default=[])
    if denies(nearest, language) != denies(runs, language):
        return Verdict.CONTRADICTED, f"{where} and the statement differ: one of the two denies it."
    return Verdict.SUPPORTED, f"{where} says this, with {held} of the statement's {len(said)} words."


def _content(text: str) -> list[str]:
    return [word for word in _WORD.findall(CITED.sub(" ", text).casefold()) if word not in _SMALL]


def default_grade(rubric: str, fields: Mapping[str, str], low: float, high: float) -> tuple[float, str]:
    """Grade by length: one step above the lowest per sentence in the longest field, at most the highest."""
    del rubric
    most = max((len(sentences(text)) for text in fields.values()), default=0)
    return min(high, low + most), f"The longest field has {most} sentences, and each of them counts one."


@dataclass(frozen=True, slots=True)
class Oracle:
    """The functions that a test server's model answers by.

    Args:
        verdict: Takes a statement and the passages, gives a verdict and a reason.
        extract: Takes a text, gives its statements.
        grade: Takes a rubric, the fields, the lowest and the highest score, gives a score and a reason.
    """

    verdict: JudgeRule = default_verdict
    extract: Callable[[str], Sequence[str]] = sentences
    grade: GradeRule = default_grade


LEARNERS: Final = Oracle(verdict=word_verdict, extract=split_sentences)
"""What `magistrate fault-server` answers by."""


def offered(verdict: Verdict, scale: Sequence[Verdict]) -> Verdict:
    """Return the verdict of a scale that says what a verdict says."""
    falls_back: Mapping[Verdict, tuple[Verdict, ...]] = {
        Verdict.PARTIALLY_SUPPORTED: (Verdict.NOT_ENOUGH_INFO, Verdict.UNSUPPORTED),
        Verdict.CONTRADICTED: (Verdict.UNSUPPORTED, Verdict.NOT_ENOUGH_INFO),
        Verdict.NOT_ENOUGH_INFO: (Verdict.UNSUPPORTED, Verdict.CONTRADICTED),
        Verdict.UNSUPPORTED: (Verdict.NOT_ENOUGH_INFO, Verdict.CONTRADICTED),
    }
    return next((one for one in (verdict, *falls_back.get(verdict, ())) if one in scale), scale[-1])
