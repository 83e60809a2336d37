"""Courtesies, lead-ins, corrections: what may stand around an answer, as words."""

from __future__ import annotations

import re
from typing import Final

from magistrate.parsing.switches import cached, cached_for
from magistrate.parsing.wording.languages import group
from magistrate.parsing.wording.patterns import any_of, either, is_dense, names, prose

__all__ = [
    "begins_courtesy",
    "corrects",
    "denies",
    "is_courtesy",
    "is_example",
    "is_own_lead",
    "refuses",
    "speaks_known_language",
    "withdraws",
]

LONGEST_COURTESY: Final = 300
LONGEST_REFUSAL: Final = 3_000
"""A refusal is short; a longer text that answers nothing is something else."""
_SIGNS: Final = re.compile(r"[^\w'\u2019]+|\d+|_+")
_BESIDE: Final = re.compile(r"\([^()]{0,60}\)|\[\w{1,20}\]")
"""What a lead-in holds in brackets: "(scores only)", "[INFO]"."""
_IF_ANYTHING: Final = re.compile(r"(?i)\bif (?:any|some)thing is (?:unclear|not clear|missing)\b")
"""An offer whose words would be a verdict elsewhere."""
_APOSTROPHE: Final = str.maketrans("\u2019", "'")


_BLANKS: Final = {code: " " for code in range(128) if not chr(code).isalpha() and chr(code) != "'"}


def _said(text: str) -> list[str]:
    if text.isascii():
        return text.translate(_BLANKS).lower().split()
    return _SIGNS.sub(" ", text).translate(_APOSTROPHE).casefold().split()


@cached
def _courtesies() -> frozenset[str]:
    return frozenset(word for phrase in group("prose", "courtesy") for word in phrase.split())


@cached
def _dense_courtesies() -> re.Pattern[str]:
    """Courtesies of scripts without blanks: a text is taken apart into them."""
    words = [re.escape(word) for word in group("prose", "courtesy", "own") if is_dense(word)]
    return re.compile(rf"(?:{'|'.join(words) or '(?!)'})+")


@cached_for(512)
def is_courtesy(text: str) -> bool:
    """Whether a text says nothing: every word of it is one of those with which judges open and close a reply."""
    if len(text) > LONGEST_COURTESY:
        return not text.strip()
    said = _said(_IF_ANYTHING.sub(" ", text))
    if _courtesies().issuperset(said):
        return True
    rest = [word for word in said if word not in _courtesies()]
    return all(not word.isascii() and _dense_courtesies().fullmatch(word) for word in rest)


def begins_courtesy(text: str) -> bool:
    """Whether a text that was cut off may be the beginning of a courtesy."""
    said = _said(text)
    return _courtesies().issuperset(said[:-1]) and any(word.startswith(said[-1]) for word in _courtesies() if said)


@cached
def _own_lead() -> re.Pattern[str]:
    own = either("prose", "own")
    kinds = "json|output|response|reply|analysis|evaluation|assessment|grading|decision|turn|score|rating"
    noun = rf"(?:{names('verdict', 'answer', 'score', 'winner')}|{kinds})(?:s|es|e|n|en)?"
    dense = "|".join(re.escape(word) for word in group("prose", "own") if is_dense(word)) or r"(?!)"
    return re.compile(
        rf"(?:{dense})[^.。!！?？\n]{{0,16}}{noun}\s*[*_`]*[:：]?\s*$|(?:^|,\s*|\b(?:and|so|therefore|thus"
        rf"|hence)\s+,?|\bis\s+)[\s*_#>-]*(?:(?:{either('prose', 'therefore')})\s*,?\s+)?"
        rf"(?:(?:{own})\s+){{1,3}}(?:\w+\s+){{0,2}}{noun}(?:\s+\w+){{0,6}}\s*[*_`]*[:：]?\s*$"
        rf"|^[\s*_#>-]*(?:(?:{own})\s+)?(?:\w+\s+)?{noun}(?:\s+(?:for|in|on|of|per)\s+[\w ]{{1,40}})?\s*[*_`]*"
        rf"[:：]?\s*$"
        rf"|\b(?:{own})\s*[:：]?\s*$|\b(?:{names('award')})\b[^.!?\n:：]{{0,80}}[:：]\s*$|^[\W\d]*$",
        re.IGNORECASE,
    )


def is_own_lead(text: str) -> bool:
    """Whether the words that lead into an answer say that it is the judge's own."""
    bare = _BESIDE.sub(" ", text[-LONGEST_COURTESY:])
    return is_courtesy(text) or _own_lead().search(bare) is not None


@cached
def _correction() -> re.Pattern[str]:
    """Words of correction; a single one only as a heading or before the name of an answer: no "revised essay"."""
    words = [word for word in group("prose", "corrected") if not is_dense(word)]
    single = any_of(tuple(word for word in words if " " not in word))
    several = any_of(tuple(word for word in words if " " in word))
    nouns = names("verdict", "answer", "score", "winner")
    dense = any(is_dense(word) for word in group("prose", "corrected"))
    return re.compile(
        rf"\b(?:{several})\b|\b(?:{single})\b(?=[*_`\"')\]]*\s*(?:[:：.,;!\u2014\u2013(-]|$|\n|\w*\s*(?:{nouns})|json|list|output))"
        + (
            rf"|(?:{'|'.join(re.escape(word) for word in group('prose', 'corrected') if is_dense(word))})"
            if dense
            else ""
        ),
        re.IGNORECASE,
    )


def corrects(text: str) -> bool:
    """Whether the words before an answer say that it corrects an earlier one; "final" is not enough."""
    return _correction().search(text) is not None


@cached
def _withdrawal() -> re.Pattern[str]:
    """Words that take an answer back; a single word only where a clause begins with it: "Wait," not "to wait"."""
    words = group("prose", "withdrawn")
    head = any_of(tuple(word for word in words if " " not in word))
    inside = any_of(tuple(word for word in words if " " in word))
    contrast = either("prose", "contrast", "negation")
    return re.compile(
        rf"(?:^|[.!?;:,()\n\u2014\u2013。！？；，、-])[\s*_\"'\u201c]*(?:(?:{contrast}|oh|ah)\b,?\s+)?(?:{head})(?![\w'])"
        rf"|\b(?:{inside})\b",
        re.IGNORECASE | re.MULTILINE,
    )


@cached
def _telling() -> tuple[frozenset[str], tuple[str, ...]]:
    """The longest word of each phrase that takes an answer back: without any of them, none stands in a text."""
    words = group("prose", "withdrawn")
    plain = frozenset(max(_said(word), key=len) for word in words if not is_dense(word) and _said(word))
    return plain, tuple(word for word in words if is_dense(word))


def withdraws(text: str) -> bool:
    """Whether a text takes an answer back, in so many words."""
    plain, dense = _telling()
    if plain.isdisjoint(_said(text)) and (text.isascii() or not any(word in text for word in dense)):
        return False
    return _withdrawal().search(text) is not None


def denies(text: str) -> bool:
    """Whether a text holds any negation at all."""
    return prose("negation").search(text)


def refuses(text: str) -> bool:
    """Whether a text that holds no answer is a refusal in so many words, in any of the languages known."""
    return len(text) <= LONGEST_REFUSAL and prose("refusal").search(text)


def is_example(text: str) -> bool:
    """Whether a text speaks of an example."""
    return prose("example").search(text)


def speaks_known_language(text: str) -> bool:
    """Whether a text holds a word by which one of the languages known is told."""
    return prose("function").search(text)
