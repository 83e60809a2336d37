"""Scores and labels that a text only talks about: what one takes, what it would be, whose it is, what is denied.

All of these rules take a reading away. None of them makes one.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = [
    "NOT_THE_JUDGES",
    "another_number",
    "asked",
    "doubted",
    "given",
    "not_the_judges",
    "one_of_several",
    "split_off",
    "taken_back",
    "talked_of",
]

_BEHIND: Final = r"[*_`\"'”)\]]*+\s*+(?:points?|stars?)?+\s*+,?\s*+"
_ONLY_TALKED_OF: Final = re.compile(
    rf"{_BEHIND}(?:would|could|might|requires?|needs?|demands?|means?|implies|stands? for|denotes?|represents?"
    r"|corresponds?|is (?:reserved|meant|only|too|for|(?:given|awarded|assigned) (?:to|for|when|if|only))"
    r"|only (?:if|when)|if|when|unless|were it|had it|wenn|falls|würde|wäre|hätte|si|serait|sería|se|sarebbe|seria"
    r"|если)\b",
    re.IGNORECASE,
)
"""Behind a score that is not given: "a score of 5 would need sources", "a 5 if it were shorter"."""
_IN_GENERAL: Final = re.compile(r"(?<!\w)(?:an?|any|every|each)[ \t]+(?:\w+[ \t]+)?\w+[ \t]+of[ \t]*\Z", re.IGNORECASE)
_EXPLAINED: Final = re.compile(
    rf"{_BEHIND}(?:indicates?|reflects?|shows?|signif\w+|goes to|should|describes?)\b", re.IGNORECASE
)
"""Behind "a score of 5": the scale is explained. ("My score of 5 reflects ..." gives one.)"""
_DENIED: Final = re.compile(
    r"(?:\b(?:not|never|cannot|hardly|barely|nor|neither|without|fail(?:s|ed)? to|unable to|short of|far from"
    r"|tempted to|wanted to|going to|about to|nicht|kein\w*|pas|nunca|jamais|mai|não|не)|n['’]t)"
    r"(?:[ \t]+[\w'’]+){0,2}[ \t]*\Z",
    re.IGNORECASE,
)
"""Before a score that is not given: "it doesn't quite deserve", "not worth a score of"."""
_DOUBTED: Final = re.compile(
    r"(?:(?:\bnot|n['’]t)[ \t]+(?:think|believe|feel|find|agree|see|say|consider)"
    r"|\b(?:doubt|deny|dispute|disagree)|\b(?:false|wrong|untrue|incorrect|mistaken|unlikely|claim|claims|idea|notion)"
    r"[ \t]+(?:to[ \t]+say[ \t]+)?that)\b(?:(?!,[ \t]*(?:so|hence|therefore|thus)\b)[^.;:\n]){0,60}\Z",
    re.IGNORECASE,
)
"""Before what somebody denies: "I don't believe that A is better", "it is false that"."""
_QUESTION: Final = re.compile(r"[*_`\"'”’)\]]*[ \t]*[?？؟]")
_POSSIBLE: Final = re.compile(r"\b(?:could|might|may|can)(?:[ \t]+\w+)?[ \t]+\Z", re.IGNORECASE)
_WOULD: Final = re.compile(r"(?:\bwould|['’]d)(?:[ \t]+\w+)?[ \t]+\Z", re.IGNORECASE)
_UNDER_A_CONDITION: Final = re.compile(
    r"\b(?:if|unless|had (?:it|the)|were (?:it|the)|with(?:out)?|wenn|falls|si|se|если)\b", re.IGNORECASE
)
_SENTENCE: Final = re.compile(r"[.;!?\n]")
_ANOTHER_NUMBER: Final = re.compile(
    r"\s*(?:->|=>|[→⇒➜+×÷=])\s*[+\-\u2212]?\.?\d|[ \t]+[x*][ \t]+\d|[ \t]+(?:\d+(?:[.,]\d+)?|\.\d+)(?![\d.)])"
    r"|\s*[,;&]\s*\d+(?:[.,]\d+)?\s*(?:[,;&\n]|\Z|and\b|or\b)|[ \t]*\n\s*\d+(?:[.,]\d+)?\s*\Z"
)
_ONE_OF_SEVERAL: Final = re.compile(
    r"\s*(?:points?|stars?|marks?)?\s+for\b[^.;\n\d]{1,60}\d+(?:\s*/\s*\d+)?\s*(?:points?|stars?|marks?)?\s+for\b",
    re.IGNORECASE,
)
_HEDGES: Final = re.compile(
    r"\b(?:partially|partly|in part|not entirely|not fully|not completely|except|apart from|aside from"
    r"|other than|save for|mostly|largely|parcialmente|en parte"
    r"|em parte|teilweise|zum teil|partiellement|en partie|parzialmente|in parte|частично|отчасти)\b"
    r"|^\W*is what\b|^\W*(?:but|and no\b|or\b|pero|aber|mais|ma\b|mas\b|но\b)|部分|部分的|一部|일부|부분|جزئي|आंशिक"
    r"|^\W*(?:not|hardly|never|nowhere|barely|scarcely)\W*$"
    r"|^[,\s\u2013\u2014-]*(?:it|this|that) is not(?: (?:supported|true|so))?\W*$"
    r"|\bwithout (?:any )?(?:support|evidence|basis)\b|\bby the opposite\b"
)
"""Behind a yes that is less than a yes."""
_BY_NOTHING: Final = re.compile(
    r"^\W*(?:by|with|from|durch|von|por|par|da)\s+(?:(?:nothing|none|neither|nobody|nichts|nada|rien|nulla|niente)\b"
    r"|(?:kein|ning[uú]n|aucun|nessun|nenhum)|no (?!less\b|fewer\b|other\b))"
)
"""A word that the next ones take back: "supported by nothing"."""
NOT_THE_JUDGES: Final = frozenset(
    "max maximum min minimum highest lowest possible available passing pass threshold cutoff baseline old previous "
    "prior former earlier initial original expected reference target desired ideal perfect human user users user's "
    "author's gold default example sample other others another base starting preliminary provisional tentative penalty "
    "confidence certainty".split()
)
"""Words beside "score" or "label" with which it is not the one that the judge gives."""


def asked(follow: str) -> bool:
    """Whether what stands behind a word makes it a question: "PASS?"."""
    return _QUESTION.match(follow) is not None


def doubted(ahead: str) -> bool:
    """Whether what stands before a word denies what follows: "I do not think that the verdict is PASS"."""
    return _DOUBTED.search(ahead) is not None


def talked_of(follow: str) -> bool:
    """Whether what stands behind a word says what it would take or mean: "PASS would be too generous"."""
    return _ONLY_TALKED_OF.match(follow) is not None


def given(text: str, end: int, before: str, start: int) -> bool:
    """Whether a number is given as the score, and not only talked about.

    Args:
        text: The text.
        end: Where the number ends in it.
        before: What stands before the number, as far as it is looked at.
        start: Where the name of the score or the verb begins in that.
    """
    follow = text[end : end + 40]
    if talked_of(follow) or (_EXPLAINED.match(follow) and _IN_GENERAL.search(before)):
        return False
    ahead = before[:start]
    if doubted(before) or _DENIED.search(ahead) or _DENIED.search(before[start:]) or _POSSIBLE.search(ahead):
        return False
    hedged = _WOULD.search(ahead) or re.search(r"\bwould be\b", before[start:], re.IGNORECASE)
    return not (hedged and _conditional(ahead, text[end : end + 60]))


def _conditional(ahead: str, follow: str) -> bool:
    """Whether a condition stands in the same sentence, on either side."""
    sides = (_SENTENCE.split(ahead)[-1], _SENTENCE.split(follow)[0])
    return any(_UNDER_A_CONDITION.search(side) for side in sides)


def another_number(follow: str) -> bool:
    """Whether a second number stands right behind one: "4 -> 5", "3 + 1 = 4", "4 5", "4, 5"."""
    return _ANOTHER_NUMBER.match(follow) is not None


def one_of_several(follow: str) -> bool:
    """Whether what stands behind a number makes it one of several marks: "2 points for style and 3 for content"."""
    return _ONE_OF_SEVERAL.match(follow) is not None


def taken_back(follow: str, *, yes: bool) -> bool:
    """Whether what stands behind a word of the scale takes it back: "yes, in part", "supported by nothing".

    Args:
        follow: What stands behind, as `fold` gives it.
        yes: Whether the word is a yes: only that can be less than it says.
    """
    return (yes and _HEDGES.search(follow[:120]) is not None) or _BY_NOTHING.match(follow) is not None


_SPLIT_OFF: Final = re.compile(
    r"(?<![\w'])(?:(?<!or )not|nicht|(?:un|u|in|dis|non)(?=[^\w\s])"
    r"|(?:no|not|nicht|non|não|не|pas)\s+(?:is|está|es|est|ist|è|é)"
    r"|(?:is|are|está|ist|est|è)(?=\s{0,2}[.,;\])\n]))\W{0,4}\Z",
    re.IGNORECASE,
)


def split_off(ahead: str) -> bool:
    """Whether a text ends in what belongs to the word behind it, with a mark between the two: "not. supported"."""
    return _SPLIT_OFF.search(ahead) is not None


_NOT_HIS: Final = re.compile(
    r"\s*,?\s*(?:if|unless|provided that|assuming)\b"
    r"|[^.;\n]{0,40}\b(?:according to|(?:says?|claims?|argues?|asserts?|states?)) the "
    r"(?:candidate|assistant|author|response|answer|student|user|reviewer)\b",
    re.IGNORECASE,
)


def not_the_judges(follow: str) -> bool:
    """Whether what stands behind a word makes it conditional, or somebody else's: "supported, says the candidate"."""
    return _NOT_HIS.match(follow) is not None
