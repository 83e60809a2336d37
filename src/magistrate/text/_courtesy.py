"""What an assistant says to be polite: it states nothing about the contexts, so no judge should be asked about it.

Only whole sentences that begin like one of these, are short, and hold no digit; a sentence that goes on with content
("Of course the fee is ...") is longer or does not begin like that.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final, NamedTuple

from magistrate.text._fold import fold
from magistrate.text._words import lines

_LONGEST: Final = 160
_WORDS: Final = re.compile(r"[^\W_]+")
_DIGIT: Final = re.compile(r"\d")
_MARKS: Final = " \t\n\"'“”„«»*_#>-–—(["


def _folded(text: str) -> str:
    return " ".join(_WORDS.findall(fold(text)))


_MOST_WORDS: Final = 22
_COLONS: Final = (":", "：")


class _Phrases(NamedTuple):
    whole: frozenset[str]
    openings: tuple[str, ...]
    leads: tuple[str, ...]
    first: frozenset[str]
    """Their first two characters: most sentences begin like none of these, which shows at once."""


@cache
def _phrases() -> _Phrases:
    whole, openings, leads = (tuple(map(_folded, lines(f"courtesies.{key}"))) for key in ("whole", "openings", "leads"))
    return _Phrases(frozenset(whole), openings, leads, frozenset(phrase[:2] for phrase in (*whole, *openings, *leads)))


def is_courtesy(sentence: str) -> bool:
    """Whether a sentence is a greeting, thanks, an offer of help, or only leads to what follows ("Here they are:").

    Args:
        sentence: One sentence, in one of twelve languages.
    """
    phrases = _phrases()
    if (
        len(sentence) > _LONGEST
        or fold(sentence[:24]).strip(_MARKS).replace("'", " ")[:2] not in phrases.first
        or _DIGIT.search(sentence)
    ):
        return False
    folded = _folded(sentence)
    if folded in phrases.whole:
        return True
    if folded.count(" ") >= _MOST_WORDS:
        return False
    leads = sentence.rstrip(_MARKS).endswith(_COLONS) and folded.startswith(phrases.leads)
    return leads or folded.startswith(phrases.openings)
