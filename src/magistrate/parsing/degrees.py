"""Nouns that answer, and that name what is asked as well: "support" is a yes, "support: none" is not."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["QUALITIES", "is_degree"]


def is_degree(rest: str, head: str = "support") -> bool:
    """Whether what follows the name of a quality says how much there is of it: "support: none", "support (weak)".

    The label of a classifier with its probability is an answer: "entailment (0.93)". One that is not more likely than
    all others together is none. With a few words of reason it is one, too: "entailment - see the text".
    """
    match = _VALUE.match(rest)
    if match is None or (head == "entailment" and (_is_sure(rest) or _is_reason(match))):
        return False
    said = match["value"].split()
    return 0 < len(said) < _WORDS_OF_A_REASON or (bool(said) and said[0] in _DEGREES)


def _is_sure(rest: str) -> bool:
    match = _PROBABILITY.match(rest)
    if match is None:
        return False
    return float(match["number"]) > (_HALF * 100 if match["percent"] else _HALF)


def _is_reason(match: re.Match[str]) -> bool:
    """Whether several words stand behind a dash or in brackets, none of which says how much or denies."""
    said = match["value"].split()
    sign = match.group().lstrip(" \t*_`\"'")[0]
    return sign in "-–—(（[" and len(said) > 1 and not said[0][0].isdigit() and _LESS.isdisjoint(said)


_HALF: Final = 0.5
_PROBABILITY: Final = re.compile(
    r"[\s*_`\"']*(?:[(（\[]|[-–—](?=\s))\s*(?:(?:confidence|conf|probability|prob|score|p)\.?\s?[:=]?\s?)?"
    r"(?P<number>(?:0?\.\d{1,20}|1\.0{1,20})(?!\s?%)|\d{1,3}(?:\.\d{1,20})?(?=\s?%))(?P<percent>\s?%)?(?=\s*(?:[)）\],;.]|$))"
)
"""A probability behind a label, in brackets or after a dash."""
QUALITIES: Final = frozenset({"support", "entailment", "agreement", "truth"})
_VALUE: Final = re.compile(
    r"[\s*_`\"']*(?:[:：=(（\[]|[-–—](?=\s)|->|→)[\s*_`\"'(]*(?P<value>[^.,;:!?()（）\[\]\n]{0,200})"
)
_WORDS_OF_A_REASON: Final = 4
_DEGREES: Final = frozenset(
    "no none not nil zero lack lacking lacks missing absent weak little low limited insufficient poor minimal partial "
    "only hardly barely scarce thin mixed".split()
)
_LESS: Final = _DEGREES | frozenset(
    "contradiction contradicted contradicts neutral nothing nobody never nowhere cannot can't isn't doesn't without "
    "fails failed failing unproven unproved unclear doubtful questionable uncertain unlikely improbable possible "
    "perhaps maybe partly partially part parts some somewhat rather quite almost nearly half unknown refuted "
    "rejected denied disproved broken violated false wrong untrue nicht kein keine nichts kaum schwach gering "
    "teilweise pas non ne aucun aucune rien peu faible nada ningún ninguna poco débil não nenhum nenhuma pouco "
    "fraco nessun nessuna niente nulla debole не нет ничего слабо".split()
)
"""Words with which a few words behind a label are no reason for it."""
