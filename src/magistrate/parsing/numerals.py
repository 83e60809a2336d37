"""Numbers as people write them: decimal commas, thousands marks, fractions of a scale, per cent."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Final

from magistrate.parsing.vocabulary import fold

__all__ = ["Numeral", "Scale", "find_numeral", "read_numeral"]

LONGEST: Final = 60

_NUMBER: Final = r"[+\-\u2212]?(?:\d{1,30}(?:[.,\u00b7\u066b]\d{1,30})*|\.\d{1,30})(?:[eE][+-]?\d{1,4})?"
_OF: Final = r"(?:/|\uff0f|out\s+of|of|von|de|sur|su|из|中の|满分|満分|분의|من|में से)"
_NUMERAL: Final = re.compile(
    rf"(?P<number>{_NUMBER})(?:(?P<percent>\s?[%\uff05\u066a]|\s++(?:per\s?cent|percent|prozent|por ciento|pour cent"
    rf"|per cento|por cento|процентов)\b)"
    rf"|\s*+(?:points?|stars?|punkte?n?|puntos?|étoiles?|punti|pontos?|баллов|балла|балл|分|点|점"
    rf"|نقاط)?+\s*+[(（]?+\s*+{_OF}\s*+(?:a\s+possible\s+|possible\s+|total\s+)?(?P<top>{_NUMBER})"
    r"(?:\s*+(?:分|点|점)?+\s*+[)）])?)?",
    re.IGNORECASE,
)
_PLAIN: Final = re.compile(r"[+\-\u2212]?(?:\d{1,30}(?:\.\d{1,30})?|\.\d{1,30})(?:[eE][+-]?\d{1,4})?")
_GROUPED: Final = re.compile(r"[+\-\u2212]?\d{1,3}(?:,\d{3})+(?:\.\d{1,30})?")
_COMMA: Final = re.compile(r"([+\-\u2212]?\d{1,30})[,\u066b\u00b7](\d{1,30})")
_BOUND: Final = re.compile(r"[^\d<>=-]*[<>]=?\s*[+\-\u2212]?\d[^<>]*$")
"""A number behind "<" or ">" that no other one closes: a bound, not a value."""
_UNIT: Final = re.compile(
    r"\s*(?:points?|pts|stars?|punkte?|puntos?|étoiles?|punti|pontos?|баллов|балла|балл|分|点|점)\Z", re.IGNORECASE
)
"""What a rating is counted in, behind a number that stands alone."""
_LOST_MARK: Final = re.compile(r"(?:[^.,\u00b7\u066b]|^)[+\-\u2212]?([.,\u00b7\u066b])\Z")
"""A decimal mark that was taken off together with the marks around a number: ".5" is no 5."""
_DECORATION: Final = " \t\r\n*_`\"'“”()[]{}【】《》「」<>~≈=:：。.;,!"


@dataclass(frozen=True, slots=True)
class Scale:
    """The range that was declared.

    Args:
        low: Its least number.
        high: Its greatest.
    """

    low: float
    high: float

    def holds(self, value: float) -> bool:
        """Whether a number is on the scale."""
        return math.isfinite(value) and self.low <= value <= self.high


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number as written.

    Args:
        value: Its value on the declared scale; NaN where it cannot be told, infinite where it is on another scale.
        start: Where it begins.
        end: One past its last character.
        fraction: Whether it is written as a part of a top ("8/10", "85%").
    """

    value: float
    start: int
    end: int
    fraction: bool = False


def read_numeral(text: str, scale: Scale) -> Numeral | None:
    """Read a text that is one number and nothing else; None where it is not."""
    if len(text) > LONGEST:
        return None
    folded = fold(text)
    stripped = folded.strip(_DECORATION)
    if _BOUND.match(text):
        return None
    if stripped[:1].isdigit():
        mark = _LOST_MARK.search(folded[: folded.index(stripped)])
        if mark is not None:
            if mark[1] != ".":
                return None
            stripped = "." + stripped
    match = _NUMERAL.fullmatch(_UNIT.sub("", stripped))
    return None if match is None else _numeral(match, scale, 0)


def find_numeral(text: str, start: int, scale: Scale, end: int | None = None) -> Numeral | None:
    """Read the number that stands at a position; None where there is none."""
    match = _NUMERAL.match(text, start, len(text) if end is None else end)
    return None if match is None else _numeral(match, scale, 0)


def _numeral(match: re.Match[str], scale: Scale, offset: int) -> Numeral:
    span = (offset + match.start(), offset + match.end())
    value = _value(
        match["number"], scale, grouped=match["top"] is not None and _GROUPED.fullmatch(match["top"]) is not None
    )
    if match["percent"]:
        top = 100.0 if scale.high == 100 else (1.0 if scale.high == 1 else None)  # noqa: PLR2004 - per cent of one or of a hundred
        if top is None or scale.low != 0:
            return Numeral(math.inf, *span, fraction=True)
        return Numeral(value if top > 1 else value / 100, *span, fraction=True)
    if match["top"]:
        top = _value(match["top"], scale, grouped=True)
        return Numeral(value if top == scale.high else math.inf, *span, fraction=True)
    return Numeral(value, *span)


def _value(text: str, scale: Scale, *, grouped: bool) -> float:
    """The value of a numeral; NaN where a comma may be either kind of mark."""
    text = text.replace("\u2212", "-").replace("\u066b", ",").replace("\u00b7", ".")
    if _PLAIN.fullmatch(text):
        return _float(text)
    if _GROUPED.fullmatch(text):
        if grouped or scale.high >= 1000 or text.count(",") > 1:  # noqa: PLR2004 - where thousands can be meant
            return _float(text.replace(",", ""))
        return math.nan
    match = _COMMA.fullmatch(text)
    return _float(f"{match[1]}.{match[2]}") if match else math.nan


def _float(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan
