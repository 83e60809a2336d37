"""Numbers beside a score that are none: counts, terms of a sum, indexes, remarks in brackets; and corrections.

All of these rules take a reading away, but for a remark between a name and its colon, which is passed over.
"""

from __future__ import annotations

import re
from typing import Final

from magistrate.parsing.numerals import Scale
from magistrate.parsing.prose import ECHO

__all__ = [
    "MEASURES",
    "THINGS",
    "calculated",
    "concluded",
    "corrected_to",
    "counts",
    "in_a_range",
    "is_index",
    "is_measured",
    "only_remarks",
]

MEASURES: Final = frozenset(
    "good bad strong weak minor major errors error mistakes reasons reason points issues issue problems facts claims "
    "statements years year km kg m cm "
    "minutes hours days items words sentences examples steps villages people times different separate".split()
)
"""Words behind a number of things that is no rating."""
THINGS: Final = frozenset(
    "temperature humidity population height width weight mass volume area distance speed velocity pressure "
    "density altitude elevation capacity price cost cash salary income revenue sales age birthday sugar salt "
    "water fat protein fibre fiber alcohol calories energy power voltage current oil gas copper iron gold "
    "silver zinc carbon nitrogen oxygen rainfall snowfall wind tax discount interest inflation unemployment "
    "turnout share dose dosage confidence certainty".split()
)
"""Things that are measured: a number behind such a name is no rating, whatever the scale."""
_RATINGS: Final = re.compile(
    r"(?<![^\W_])(?:overall|total|final|scores?|ratings?|grades?|marks?|points?|results?|evaluation|assessment|verdict|bewertung"
    r"|punktzahl|gesamt\w*|wertung|note|nota|puntuaci[oó]n|calificaci[oó]n|puntaje|punteggio|voto|valutazione|pontua[cç][aã]o"
    r"|avalia[cç][aã]o|оценка|балл|рейтинг|match|support|agreement|alignment|recall|style|tone|depth|grammar|logic|structure"
    r"|similarity|entailment|judg\w+|factual\w*|correct\w*|engagement|empathy|humou?r|faithful\w*|ground\w*|complete\w*|answer|response|reply|summary)(?![^\W_])"
    r"|(?:ness|ity|acy|ency|ance|ence|ision|ation|heit|keit|anz|idad|ité|tà|dade|ость)(?![^\W_])|[分价価評评性度성도점]",
    re.IGNORECASE,
)
"""Names of what is rated, by their endings too: clarity, conciseness, accuracy, relevance."""
_NAMED: Final = re.compile(
    r"(?:^|\n)[\s*_`>#-]{0,8}(?P<name>[^\W\d][^\d:\uff1a=\n]{0,40})[*_`]{0,3}[ \t]?[:\uff1a=][ \t*_`]{0,6}\Z"
)
_MARKS: Final = r"[*_`\"'”)\]]*"
_COUNTS: Final = re.compile(
    rf"{_MARKS}[ \t]+(?:of[ \t]+(?:the|these|those|all|its|our|my)\b|(?:confident|certain|sure|per)\b"
    r"|(?:points?|marks?)[ \t]+(?:deducted|lost|off|taken|missing|docked|short)\b"
    r"|or[ \t]+(?:less|more|higher|lower|above|below|fewer|better|worse)\b|at[ \t]+(?:most|least)\b|tops\b"
    r"|(?:max|min)(?:imum)?\b(?![ \t.:]*\d)"
    r"|(?:(?:major|minor|main|key|other|different|separate|missing|wrong|correct|incorrect|unsupported|supported|factual"
    r"|small|clear|obvious|good|bad|new)[ \t]+)?"
    r"(?!(?:points|stars|marks|puntos|pontos|estrel(?:la|a)s|is|as|was|has|this|its|always|plus|less|minus|across|perhaps|besides|unless|thus|yes|does"
    r"|gives|means|reflects|covers|shows|hence|towards|afterwards|is|us|versus|vs|sans|dans|sous|mas|pues)\b)"
    r"[a-z]{3,}s\b)"
)
"""Behind a number of things, or a bound: "3 errors", "3 of the claims", "9 out of 10 experts", "8 or less"."""
_CALCULATED: Final = re.compile(
    rf"{_MARKS}\s*(?:[*x×·+]\s*\.?\d|(?:minus|plus|times|less)\b[ \t]+\.?\d)", re.IGNORECASE
)
_INDEX: Final = re.compile(rf"{_MARKS}\s*[:：=]\s*[*_`]*[+\-\u2212]?\.?\d")
_RANGE_BEFORE: Final = re.compile(r"\d\s*(?:-|\u2013|\u2014|~|to|or|bis|oder)\s*\Z", re.IGNORECASE)
_CUE: Final = (
    r"(?:correct(?:ion|ed)|revis(?:ion|ed)|updated?|on (?:second thoughts?|reflection)|scratch that|(?:no|actually"
    r"|sorry|oops|wait|hmm+|rather|hold on|better)(?=[\s,.:;!\u2026\u2013\u2014-])|i mean|make (?:it|that)"
    r"|correcci[oó]n|korrektur|correzione|correção|исправление|更正|修正|訂正|정정)"
)
_CORRECTED: Final = re.compile(
    rf"(?:^|[\s,.:;!(\u2026\u2013\u2014。，-]){_CUE}[\s,.:;!\u2026：，\u2013\u2014-]{{0,5}}"
    r"(?:(?:it(?:'s| is| should be)?|that(?:'s| is| should be)?|an?|the|my|score|rating|final|to"
    r"|i(?:'d| would)? (?:say|rate it|give(?: it)?|go with)|make (?:it|that)|more like|should be|is|actually|no|wait)"
    r"[\s,:：]{1,3}){0,4}"
    + _MARKS
    + r"(?P<number>\d{1,6}(?:[.,]\d{1,4})?)(?=[*_`\"']*\s*(?:[.,;:!)\n。分点점]|/|out of\b|\Z))",
    re.IGNORECASE,
)
_REMARK: Final = re.compile(r"[(\[（【](?P<said>[^()\[\]（）【】\n]{1,80})[)\]）】](?=[*_`]{0,3}\s{0,3}[:：=])")
"""What stands in brackets before a colon."""
_MOST: Final = 400
"""Remarks that are looked at."""
_NAME: Final = 40
"""Characters before a remark in which its name stands."""
_NUMBER: Final = re.compile(r"\d{1,6}(?:\.\d{1,4})?")
_LIMITS: Final = re.compile(
    r"(?:\d\s*(?:-|\u2013|\u2014|~|to|bis|a|à|до|至)|out of|max\w*|/)\s*(?P<top>\d{1,6}(?:\.\d{1,4})?)",
    re.IGNORECASE,
)


def counts(follow: str) -> bool:
    """Whether what stands behind a number makes it a count or a bound, and no rating: "3 errors", "8 or less"."""
    return _COUNTS.match(follow) is not None


def is_measured(before: str, follow: str) -> bool:
    """Whether the name before a number is that of a thing that is measured: "Sugar: 60 %", "Temperature: 60".

    Args:
        before: What stands before the number.
        follow: The number, and what stands behind it.
    """
    match = _NAMED.search(before)
    if match is None:
        return False
    if not THINGS.isdisjoint(match["name"].casefold().split()):
        return True
    return _PER_CENT.match(follow) is not None and _RATINGS.search(match["name"]) is None


_PER_CENT: Final = re.compile(r"[\d.,]{1,12}\s?(?:[%\uff05\u066a]|per\s?cent\b|prozent\b)", re.IGNORECASE)


def calculated(follow: str) -> bool:
    """Whether what stands behind a number makes it a term of a sum: "0.4*8 + 0.6*6", "8 minus 1"."""
    return _CALCULATED.match(follow) is not None


def concluded(reason: str) -> float | None:
    """The score that a reason ends with in so many words ("So the score is 3."); None where it ends otherwise."""
    match = _CONCLUDED.search(reason[-_TAIL:].rstrip())
    return None if match is None else float(match["number"].replace(",", "."))


_TAIL: Final = 160
_CONCLUDED: Final = re.compile(
    r"(?:^|[.!?;:,\n])\s*+(?:so|therefore|thus|hence)?+[\s,]*+(?:(?:the|my|its|final|overall|total)\s+){0,3}"
    r"(?:score|rating|grade)\s*+(?:is|should be|would be|:|=)\s*+[*_`]*+(?P<number>\d{1,4}(?:[.,]\d{1,3})?)"
    r"[*_`]*+(?:\s*+(?:/|out of)\s*+\d{1,4})?[\s.!*_`)]*+\Z",
    re.IGNORECASE,
)


def is_index(follow: str) -> bool:
    """Whether what stands behind a number makes it the number of a thing whose value follows: "Score 1: 7"."""
    return _INDEX.match(follow) is not None


def in_a_range(before: str) -> bool:
    """Whether what stands before a number makes it the end of a range: "6/10 - 7/10"."""
    return _RANGE_BEFORE.search(before) is not None


def corrected_to(tail: str, value: float) -> bool:
    """Whether what stands behind a score puts another number in its place: "7. Correction: 6", "7, no, 6"."""
    return any(float(match["number"].replace(",", ".")) != value for match in _CORRECTED.finditer(tail))


def moved_to(text: str, value: float) -> bool:
    """Whether a text moves a score, last of all, to another number: "I lower it to 3", "Adjusted to 3 for the tone"."""
    last = max(_MOVED.finditer(text), key=re.Match.start, default=None)
    return last is not None and float(last["number"].replace(",", ".")) != value


_OBJECT: Final = r"(?:(?:it|this|that|(?:the|my|its)\s+(?:score|rating|grade|mark))\s+)?"
_MOVED: Final = re.compile(
    rf"(?:(?:\b(?:i|i['’]?ll|i['’]?d|we|let\s+me|let['’]s)\s+(?:[a-z]{{2,12}}\s+){{0,2}}|(?:^|[.!?;,\n(])\s{{0,4}}+(?:(?:and|so|then)\s+){{0,2}})"
    rf"(?:lower|reduc|decreas|rais|increas|bump|drop|downgrad|upgrad|adjust|revis|chang|correct|settl|mov)[a-z]{{0,4}}\s+{_OBJECT}"
    rf"(?:(?:up|down|back)\s+)?(?:(?:from\s+)?(?:an?\s+)?\d{{1,4}}\s+)?(?:to|on|at)|\bpoints?\s+(?:off|away)\W{{1,3}}(?:so|leaving|which\s+leaves)?"
    r"|\b(?:minus|less)\s+(?:\d|one|two|half|an?)\b[^.!?\n\d]{0,40}(?:=|:|\bso|\bleaves|\bmakes)"
    r"|\boverall,?\s+(?:it\s+is|it['’]s|this\s+is|that['’]s|i(?:['’]d|\s+would)?\s+(?:give|rate|score|say)))"
    r"\s{0,4}(?:(?:it|this|an?)\s+){0,2}[*_`]{0,3}(?P<number>\d{1,4}(?:[.,]\d{1,3})?)(?![\d%.,]*\d)"
    r"(?![\s-]{0,3}(?!because|for|as|since|due|given|and|but|so|out|points?|stars?|instead|overall|now|here|in\b|on\b)[^\W\d_])",
    re.IGNORECASE,
)


def only_remarks(text: str, named: re.Pattern[str], scale: Scale) -> str:
    """Blank out remarks in brackets between a name and its colon: "Score (5 is average): 8", "[0 = worst]".

    A remark that names another scale stays in the way, so that what stands behind the colon is no value of its name.

    Args:
        text: The text.
        named: Matches a text that ends with a name.
        scale: The declared range.
    """

    def blank(match: re.Match[str]) -> str:
        if named.search(text[max(0, match.start() - _NAME) : match.start()]) is None:
            return match.group()
        numbers = [float(number) for number in _NUMBER.findall(match["said"])]
        tops = [float(limit["top"]) for limit in _LIMITS.finditer(match["said"])]
        fits = max(numbers, default=scale.high) <= scale.high and all(top == scale.high for top in tops)
        return (" " if fits else ECHO) * len(match.group())

    return _REMARK.sub(blank, text, count=_MOST)
