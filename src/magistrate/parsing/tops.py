"""What a score is out of, where the reply names another top than the declared one: then there is no score on the range.

All of these rules take a reading away. None of them makes one, and none rescales.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from magistrate.parsing.keys import compact
from magistrate.parsing.numerals import Scale, read_numeral

__all__ = ["names_another_top", "off_the_scale"]

_BEFORE: Final = 200
_BEHIND: Final = 100
"""Characters around a number in which the scale that it is on is named."""

_N: Final = r"\d{1,6}(?:[.,]\d{1,3})?"
_TO: Final = r"\s*(?:to|through|-|\u2013|\u2014|~|bis|a|à|до|至|到)\s*"
_SCALE: Final = r"(?:scale|skala|escala|échelle|scala|шкал\w{0,3})"
_MOST: Final = r"(?:max(?:imum|imal)?|highest|best|top|perfect|out\s+of)"
_COUNTS_POINTS: Final = (
    r"(?![\d.,]*\d)(?![ \t]*[-\u2013]?[ \t]*(?!(?:points?|stars?|marks?|possible|max\w*|total|in|overall|because|as"
    r"|since|for|due|given|and|but|so|which|with|on|here|the|scale|is|was|it|this)\b)[a-z]{2})"
)
"""Behind a top: "out of 10 claims" counts claims."""
_OUT_OF: Final = re.compile(
    r"(?:[^\d\n.;!?]{0,60}?(?:[/\uff0f]|\bout[\s*_`]{1,6}of\b)|[\s*_`\"')\](\[（,\u2013\u2014-]{0,12}\bof\b)"
    rf"[\s*_`]{{0,6}}(?:(?:a|the|possible|maximum|total|of)\s+){{0,4}}(?P<top>{_N}){_COUNTS_POINTS}",
    re.IGNORECASE,
)
"""Behind a number: "4 (good) out of 10", "**4** /10"."""
_IN_BRACKETS: Final = re.compile(
    rf"[^\d\n()]{{0,30}}[(（\[]\s*(?:[^\d()\n]{{0,20}}\b{_MOST}\b[^\d()\n]{{0,20}}(?P<top>{_N}){_COUNTS_POINTS}"
    rf"|(?P<high>{_N})\s+(?:being|is|=)\s+(?:the\s+)?{_MOST}\b)",
    re.IGNORECASE,
)
_DECLARED: Final = (
    re.compile(
        rf"(?:\b(?:on|using|with|in|per|under|auf|en|sur|su)\s+(?:an?|the|my|this|our|einer|una|une)\s+(?:[\w-]+\s+)?{_SCALE}\b"
        rf"|(?:^|[(\[（])\W{{0,6}}{_SCALE}\b)[^\d\n]{{0,16}}?(?:{_N}{_TO})?(?P<top>{_N})(?!{_TO}\d){_COUNTS_POINTS}",
        re.IGNORECASE | re.MULTILINE,
    ),
    re.compile(
        rf"(?<![\d.])(?:{_N}{_TO}(?P<top>{_N})|(?P<high>{_N})[\s-]points?)[\s-]+(?:[\w-]+\s+)?{_SCALE}\b", re.IGNORECASE
    ),
    re.compile(
        rf"(?:满分|滿分|満分)\s*(?:为|為|是|[:：])?\s*(?P<top>{_N})|(?P<high>{_N})\s*(?:分制|分满分|点満点|점\s*만점)"
    ),
    re.compile(
        rf"^\W{{0,6}}{_MOST}(?:[ _]possible)?(?:[ _](?:score|points?|rating|grade|marks?))?\W{{0,6}}(?P<top>{_N})"
        r"\W{0,6}$",
        re.IGNORECASE | re.MULTILINE,
    ),
)
_TOPS: Final = frozenset(
    "max maxscore maximum maximumscore scoremax outof denominator best bestrating maxrating top scale scoringscale "
    "ratingscale scorerange range maxpoints pointspossible maxvalue possible maxpossible maxpossiblescore".split()
)
"""Keys beside a score that say what it is out of."""
_RANGE: Final = re.compile(
    rf"[^\d]{{0,20}}(?:{_N}{_TO})?(?P<top>{_N})\W{{0,6}}(?:points?|stars?|{_SCALE})?\W{{0,6}}", re.IGNORECASE
)


def names_another_top(text: str, start: int, end: int, scale: Scale) -> bool:
    """Whether the words around a number say that it is out of something else than the top of the declared range.

    Args:
        text: The judge's own text.
        start: Where the number begins in it.
        end: One past its last character.
        scale: The declared range.
    """
    if text[end - 1 : end] in {"%", "\uff05", "\u066a"}:
        return False
    behind = text[end : end + _BEHIND]
    tops = [match for match in (_OUT_OF.match(behind), _IN_BRACKETS.match(behind)) if match is not None]
    if not tops:
        near = text[max(0, start - _BEFORE) : end + _BEHIND]
        tops = [match for pattern in _DECLARED for match in pattern.finditer(near)]
    named = {_top(match) for match in tops}
    return bool(named) and scale.high not in named


def _top(match: re.Match[str]) -> float:
    groups = match.groupdict()
    return float((groups["top"] or groups["high"]).replace(",", "."))


def off_the_scale(beside: Mapping[str, Any], scale: Scale) -> bool:
    """Whether a field or an attribute beside a score says that it is out of another top: {"score": 4, "max": 10}."""
    tops = [
        top for key, item in beside.items() if len(key) <= _LONGEST and compact(key) in _TOPS for top in _said(item)
    ]
    return bool(tops) and scale.high not in tops


_LONGEST: Final = 32
_HUGE: Final = 10**300


def _said(item: Any) -> Iterator[float]:
    if isinstance(item, list) and item:
        item = item[-1]
    if isinstance(item, bool):
        return
    if isinstance(item, int | float):
        if abs(item) < _HUGE:
            yield float(item)
    elif isinstance(item, str) and len(item) <= _LONGEST:
        match = _RANGE.fullmatch(item)
        numeral = read_numeral(match["top"], Scale(-math.inf, math.inf)) if match else None
        if numeral is not None:
            yield numeral.value
