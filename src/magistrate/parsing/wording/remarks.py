"""Remarks beside a score: what is said of the thing that was judged, and numbers that are no score."""

import re
from typing import Final

from magistrate.parsing.switches import cached
from magistrate.parsing.wording.courtesy import withdraws
from magistrate.parsing.wording.languages import group, ranks, special
from magistrate.parsing.wording.patterns import is_dense, prose, vocabulary

_TAKEN: Final = r"deducted|subtracted|lost|loses|docked|took off|taking off"
COUNTED: Final = re.compile(
    r"\b\d{1,4}\s*(?:/|(?:out\s+)?of(?:\s+the)?)\s*\d{1,4}\b(?:\s+points)?|\bscale\s+(?:of|from)\s+\d{1,4}\s*(?:to|-|–)\s*\d{1,4}\b"
    r"|\b(?:all|the|of|these|its|both)\s+\d{1,4}(?=\s+(?!points|stars|marks|scores)(?:\w+\s+)?[a-z]{3,}s\b)"
    r"|\b\d{1,4}\s+of\s+(?:the|its|these|those|them)\b|\b(?:steps?|lines?|pages?|sections?|paragraphs?|questions?|chapters?|figures?|tables?|turns?|art(?:icle)?s?\.?|numbers?)\s+\d{1,4}\b"
    r"|\b\d{1,4}(?=\s+(?:(?!points|stars|marks)\w+\s+)?(?:files|pieces|words|sentences|claims|statements|sources|errors|mistakes|typos|facts|dates|names|pages"
    r"|steps|lines|questions|paragraphs|items|examples|issues|gaps|details|omissions|images|links|references|citations"
    r"|numbers|minutes|hours|days|years|times|parts|tests|functions|cases|bugs|users)\b)"
    r"|\b\d{1,4}\s*(?:to|-|–)\s*\d{1,4}\s+scale\b|\b\d{1,4}\s*=\s*(?=[a-z])"
    rf"|(?:\bI\s+)?\b(?:{_TAKEN}|minus)\s+(?:\w+\s+)?\d{{1,4}}(?:\s+points?)?\b|(?<=\()[-\u2212]\s?\d{{1,4}}\b"
    rf"|\b\d{{1,4}}\s+points?\s+(?:(?:is|are|was|were)\s+)?(?:{_TAKEN}|off|missing)\b",
    re.IGNORECASE,
)
"""A number of things, "3 of 3 points", "all 3 dates"; what was taken off; a scale: no score."""
UNREAL: Final = re.compile(
    r"\b(?:to\s+(?:reach|get|earn|deserve|score)|why\s+not|from\s+(?:being\s+)?an?)\b|\b(?:would|could)\s+(?:score|need|require|reach|get|earn|rise|have\s+(?:been|needed|got|scored|reached|to))\b",
    re.IGNORECASE,
)
"""What would be, had the answer been another: "It would have been a 5 with sources"."""
_SIGNS: Final = re.compile(r"[^\w'\u2019\u0300-\u0d7f]+|_+")
_FEW: Final = 3


@cached
def _remarks() -> tuple[frozenset[str], tuple[str, ...]]:
    """What is said of an answer beside its score: whole words, and beginnings of words."""
    things = (*group("candidate"), *special("special", "aspect"))
    words = group("remark") + tuple(one for one in things if one not in _names_of_score())
    return frozenset(words), tuple(one.rstrip("*") for one in words if one.endswith("*") or is_dense(one))


@cached
def _names_of_score() -> frozenset[str]:
    return frozenset(group("score", "verdict", "winner")) - frozenset(group("negation"))


def is_remark(sentence: str) -> bool:
    """Whether a short sentence speaks of what was judged, and of no number, doubt or second thought.

    One of a few words is made of known ones alone: "(highly relevant)", no "too generous".
    """
    bare = COUNTED.sub(" ", sentence)
    counted = bare != sentence
    said = [one for one in _SIGNS.split(bare.casefold()) if one]
    function = vocabulary("function", "none", "out_of")
    words, stems = _remarks()
    inside = tuple(stem for stem in stems if is_dense(stem))
    known = [one in words or one.startswith(stems) or any(stem in one for stem in inside) for one in said]
    denies = vocabulary("negation")
    lacked = [at > 0 and one in denies and [*known, False][at + 1] for at, one in enumerate(said)]
    rest = [one for one, is_known, lack in zip(said, known, lacked, strict=True) if not is_known and not lack]
    for one, behind, is_known in zip(said, [*said[1:], ""], [*known[1:], False], strict=False):
        if one.isdigit() or (one in ranks("numbers") and not is_known and behind != "of"):
            return False
    if function.issuperset(said):  # what was counted is all there is
        return counted and any(char.isalpha() for char in sentence)
    if not (counted or any(known)) or not _names_of_score().isdisjoint(said) or withdraws(sentence):
        return False
    if not counted and all(prose("hedge").search(one) for one in said if one not in rest):
        return False
    if said[0] in function and known[1:2] == [True]:  # "No errors.", "The text is not ..."
        rest = [one for one in rest if one not in vocabulary("negation")]
    if prose("negation", "hedge", "doubt", "self").search(" ".join(rest)):
        return False
    linked = function | vocabulary("contrast", "and", "is", "therefore") | ranks("numbers").keys()
    return counted or len(said) > _FEW or linked.issuperset(rest)


def is_remark_on_answer(text: str) -> bool:
    """Whether a few words speak of what was judged by its name, and say how it is: "A very good answer"."""
    said = set(text.casefold().split())
    named, valued = set(group("candidate")), set(group("remark"))
    return not said.isdisjoint(named) and not (said - named).isdisjoint(valued) and is_remark(text)


OF_RUBRIC: Final = re.compile(
    r"[*_\"]*\s+(?:needs?|means?|requires?|allows?|stands|indicates?|describes?|applies|represents?|demands?|calls|would|(?:is|are)\s+(?:given|reserved|defined))\b"
)
"""What a level of a rubric stands for: "a score of 3 means ..."."""
_THINGS: Final = re.compile(
    r"\s+(?:the\s+)?(?:(?!(?:points|stars|marks|scores)\b)[^\W\d_]{3,24}s|(?!(?:for|and|but|with|because|since|which|from|overall)\b)[^\W\d_]{3,24}\s+(?!this\b)[^\W\d_]{3,24}s)\b",
    re.IGNORECASE,
)


def counts_things(text: str, end: int) -> bool:
    """Whether a part of a top counts what was judged: "Three of five sentences are wrong"."""
    return _THINGS.match(text, end) is not None
