"""Reasons: what a short text behind an answer may be made of, if it is to be its reason and no second thought."""

import re
from collections.abc import Callable
from typing import Final

from magistrate.parsing.switches import cached, kept
from magistrate.parsing.wording.courtesy import SENTENCES, courtesy_words, is_courtesy, words_in
from magistrate.parsing.wording.languages import group
from magistrate.parsing.wording.patterns import WordPattern, is_dense, plurals, prose, vocabulary

_FEW: Final = 2
_FEW_WORDS: Final = 8
_LONGEST_CLAUSE: Final = 200
_FIRST_CLAUSE: Final = WordPattern(r"[.,;:!?\n\u3002\uff0c\uff1a]|\s{because}\s")
_FEWEST: Final = 3
"""Words, and signs of a dense script, from which on a sentence may be a reason: fewer may be a second thought."""
_FEWEST_DENSE: Final = 8
_NO_SUBJECT: Final = frozenset("i you this that these those which to at have be is are was were".split())
_POINTING: Final = frozenset({"this", "that"})
_ELIDED: Final = frozenset({"l'", "d'"})
_ASIDE: Final = re.compile(r"\{\w{1,20}\}")
_CONTINUES: Final = re.compile(r"[*_`\"'”)\s]*(?:[,;:(–—-]\s*(?:\w+ly\s+)?)?")
_HEADED_REASON: Final = WordPattern(r"[\s*_#(\[;,|-]*(?:{reason|quote}|confidence)s?[*_)\]]*\s*(?:[:：=\]]|$)")
_APART: Final = " \t\n*_`.,;:|\u2013\u2014-"
_BACK: Final = re.compile(
    r"[\s`*_\x00]*(?:\^|(?:this|that)\s+(?:was|is what)\b|(?:the|this)\s+(?:(?:above|preceding)\b"
    r"|(?:line|block|json|object|list|text|answer|score|verdict|reply|response|output|code)s?\s+above\s+(?:is|was|are|were|belongs|comes)\b))"
    r"(?P<rest>[^.!?\n]{0,120})",
    re.IGNORECASE,
)
_COPULAS: Final = frozenset({"is", "are", "was", "were", "has", "have", "lacks"})
_units: Final = kept(lambda: vocabulary("score") | {"분", "점", "分", "点", "點", "punkten", "points"})
_of_answer: Final = kept(lambda: plurals("item", "answer", "score") | {"order", "list", "above", "below"})
_hollow: Final = kept(
    lambda: frozenset(word for phrase in group("function", "is", "negation") for word in words_in(phrase))
)


@cached
def _subjects() -> frozenset[str]:
    """Words with which a sentence on the thing that was judged begins."""
    things = group("item", "candidate", "quote")
    listed = group("function", "because", "none", "every", "numbers")
    return (
        frozenset(
            word.split()[0]
            for word in (*listed, *things, *(f"{one}s" for one in things), "there")
            if word.isascii() is False or " " not in word
        )
        - _NO_SUBJECT
    )


@cached
def _links() -> frozenset[str]:
    """Words with which a sentence goes on behind its answer: "with the page", "stars for its clarity"."""
    listed = group("function", "because", "is", "and", "out_of")
    return frozenset(word for phrase in listed for word in phrase.split()[:1]) | _units() - {"i", "you"}


def is_headed_reason(text: str) -> bool:
    """Whether a text begins with a name for a reason: "Explanation: ..."."""
    return _HEADED_REASON.match(text) is not None


def reason_of(text: str) -> str:
    """What stands behind an answer without the signs and the name that lead in its reason: ". Explanation: ..."."""
    bare = text.lstrip(_APART)
    head = _HEADED_REASON.match(bare)
    return bare[head.end() :].lstrip(_APART) if head else bare


def judges_nothing(reason: str) -> bool:
    """Whether a reason begins by saying that nothing was judged: "Unable to evaluate: the answer was missing."."""
    first = _FIRST_CLAUSE.split(reason_of(reason[:_LONGEST_CLAUSE]), maxsplit=1)[0]
    return len(first.split()) <= _FEW_WORDS and prose("unjudged").search(first)


def explains(text: str, known: Callable[[str], bool], *, goes_on: bool, named: bool = False) -> bool:
    """Whether a short text behind an answer is known to be its reason, by how its sentences begin."""
    for at, sentence in enumerate(SENTENCES.split(text.strip())):
        bare = _ASIDE.sub(" ", sentence).rstrip("\n")
        if is_headed_reason(bare):
            return True
        counted = len(re.findall(r"\d+", bare)) > 1
        if not words_in(bare) or (is_courtesy(bare) and not counted) or (known(bare) and not named):
            continue
        if not (goes_on and at == 0 and _carries_on(bare)) and (named or not _is_reason(bare)):
            return False
    return True


def points_back(text: str) -> bool:
    """Whether what stands behind an answer says what that is, and not that it is the judge's own."""
    match = _BACK.match(text)
    return match is not None and not speaks_of_judge(match["rest"])


def speaks_of_judge(text: str) -> bool:
    """Whether a text speaks of who judges, "I change 1 to no"."""
    return prose("self").search(re.sub(r"(?<![\w'\u2019])i(?![\w'\u2019])", " ", text))


def speaks_of_answer(text: str) -> bool:
    """Whether a sentence is about the answer itself: "The numbers follow the order in the text"."""
    said = {word for word in words_in(text)[:_FEWEST] if len(word) > _FEW} - vocabulary(
        "doubt"
    )  # "not": a Turkish grade
    return not is_headed_reason(text) and not plurals("number", "verdict", "answer", "score").isdisjoint(said)


def _carries_on(sentence: str) -> bool:
    match = _CONTINUES.match(sentence)
    rest = sentence[match.end() :] if match else sentence
    said = words_in(rest)
    if said and (
        said[0] in _units() or (len(said) > 1 and said[0] in _links()) or vocabulary("because").intersection(said)
    ):
        return True
    return is_dense(rest) and any(is_dense(word) and rest.startswith(word) for word in _links())


def _is_reason(sentence: str) -> bool:
    said = words_in(sentence)
    if said and said[0] in vocabulary("therefore"):
        said = said[1:]
    if not said or speaks_of_judge(sentence) or vocabulary("verdict").intersection(said):
        return not said
    if is_dense(sentence) and sum(map(is_dense, sentence)) >= _FEWEST_DENSE:
        return True
    strangers = sum(word not in courtesy_words() and word not in _hollow() for word in said)
    if strangers < _FEW and not _of_answer().isdisjoint(said):
        return False  # "in reverse order"
    if said[0] in vocabulary("only") and len(said) > 1 and said[1] in _subjects() - {"if"}:
        said = said[1:]  # "Only one of the parts is answered."
    begins = (
        said[0].removesuffix("'s") in _subjects()
        or (said[0] in _POINTING and said[1] in _subjects())
        or said[0][:2] in _ELIDED
    )
    begins = begins or (
        said[0] not in _no_noun() and said[1:2] != [] and said[1] in _COPULAS and not re.search(r"\d", sentence)
    )
    return len(said) >= _FEWEST and begins and not says_nothing_new(sentence)


@cached
def _no_noun() -> frozenset[str]:
    """Words that are no subject of their own: "terminology is consistent" has one, "rating is provisional" has not."""
    listed = vocabulary("function", "is", "doubt", "hedge", "negation", "self", "contrast", "therefore", "own")
    return _of_answer() | listed | courtesy_words() | _NO_SUBJECT


def says_nothing_new(sentence: str) -> bool:
    """Whether a sentence is made of function words and a denial: "It is not."."""
    return _hollow().issuperset(words_in(sentence))
