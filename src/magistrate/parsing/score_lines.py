"""A score that a line gives by standing alone in it, or behind one name."""

from __future__ import annotations

import math
import re
from typing import Final

from magistrate.parsing.figures import MEASURES, is_measured
from magistrate.parsing.numerals import Scale, read_numeral
from magistrate.parsing.ordinals import COUNTING
from magistrate.parsing.prose import DROPPED, ECHO
from magistrate.parsing.score_fields import Candidate
from magistrate.parsing.subjects import somebody_elses
from magistrate.parsing.talk import NOT_THE_JUDGES

__all__ = ["alone", "beside_others", "leading", "named", "opening", "worded"]


def leading(text: str, scale: Scale) -> list[Candidate]:
    """The number that is the whole first line of a reply: an answer, whatever is labelled in what follows."""
    line = text.lstrip(" \t\r\n" + DROPPED).partition("\n")[0]
    bare = line.strip(" \t\r*_`")
    numeral = read_numeral(bare, scale) if bare[-1:].isdigit() else None
    if numeral is None or not scale.holds(numeral.value):
        return []
    at = text.index(bare)
    return [Candidate(numeral.value, (at, at + len(bare)), "number")]


def opening(text: str, *, cut: bool, scale: Scale) -> Candidate | None:
    """The number that opens a reply before a dash or colon, where no other line begins with one: "4 - mostly right"."""
    match = None if cut else _OPENING.match(text.lstrip(" \t\r\n*_`" + DROPPED))
    if match is None or _ITEM.search(text, text.index(match["number"]) + len(match["number"])):
        return None
    numeral = read_numeral(match["number"], scale)
    at = text.index(match["number"])
    return None if numeral is None else Candidate(numeral.value, (at, at + len(match["number"])), "number")


_OPENING: Final = re.compile(
    r"(?P<number>\d{1,3}(?:\.\d{1,2})?(?:\s?/\s?\d{1,3})?)[*_`]{0,3}\s?(?:[-\u2013\u2014]\s|[:：]\s?)(?=[^\W\d])[^\d\n]{1,400}(?:\n|\Z)"
)
_ITEM: Final = re.compile(r"^[\s*_`>(\[-]{0,8}\d", re.MULTILINE)


def named(text: str, scale: Scale, *, cut: bool) -> Candidate | None:
    """The number of a reply that is one name and one number: "Coherence: 4"."""
    match = None if cut else _NAMED.fullmatch(_LEAD_IN.sub("", text.strip(" \t\r\n*_`" + DROPPED), count=1))
    words = match["name"].casefold().split() if match else []
    if match is None or _counts(words) or (words[-1] in _SETTINGS and words[0] not in _ON):
        return None
    if somebody_elses(match["name"] + ":", 0, "") or is_measured(match["name"] + ":", match["number"]):
        return None
    numeral = read_numeral(match["number"], scale)
    at = text.index(match["number"])
    return None if numeral is None else Candidate(numeral.value, (at, at + len(match["number"])), "labelled")


_NAMED: Final = re.compile(
    rf"(?P<name>[^\W\d][^\d:\n{ECHO}]{{1,30}})[*_`]*+\s?[:：=][*_`]*+\s?(?P<number>[^\s*_`]{{1,12}}(?:\s?/\s?\d{{1,6}})?)[*_`]*+"
)
_WORDED: Final = re.compile(
    r"^[ \t*_`#>-]{0,8}(?:(?:final|overall|my|the|total)[ ]){0,2}(?:score|rating|grade|mark)[*_`]{0,3}"
    r"[ ]?[:：=][ *_`]{0,5}"
    r"(?P<word>[a-z]{3,5})(?:[ ](?:out[ ]of|of|/)[ ](?P<top>[a-z]{3,5}|\d{1,3}))?(?:[ ](?:points?|stars?))?"
    r"[*_`.]{0,4}[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)


def worded(text: str, scale: Scale) -> list[Candidate]:
    """Numbers in words on lines that give a score: "Rating: four", "Score: four out of five"."""
    found = []
    for match, _ in zip(_WORDED.finditer(text), range(_MOST_LINES), strict=False):
        number, top = COUNTING.get(match["word"].casefold()), match["top"]
        out_of = scale.high if top is None else COUNTING.get(top.casefold(), int(top) if top.isdecimal() else None)
        if number is not None:
            value = float(number) if out_of == scale.high else math.inf
            found.append(Candidate(value, match.span("word"), "labelled"))
    return found


_COUNTED: Final = MEASURES | frozenset(
    "number count confidence line page step version question example id year date time length limit threshold min max "
    "maximum minimum token statement claim no nr code error deduction deductions deducted penalty penalties lost loss "
    "difference delta change improvement gap drop increase decrease variance deviation".split()
)
"""Names of numbers that are no ratings, in the singular."""


def _counts(words: list[str]) -> bool:
    """Whether the words of a name, in the singular or the plural, are those of a number that is no rating."""
    return not (_COUNTED | NOT_THE_JUDGES).isdisjoint([*words, *(word.removesuffix("s") for word in words)])


_LEAD_IN: Final = re.compile(r"(?:[^\d\n]{0,60}[:：]\s*\n\s*)?(?:[-*•+]\s+)?[*_`]{0,3}")
"""Before the one name and number: the heading of a form, the mark of a list."""
_ON: Final = frozenset({"on", "using", "with"})
_SETTINGS: Final = frozenset({"range", "scale", "weight"})
"""Such names too, where they stand last: "Scale: 5", but not "On a scale of 1-5: 4"."""


def beside_others(text: str, one: Candidate, scale: Scale) -> bool:
    """Whether other lines rate other things differently: "Tone: 3", beside "Helpfulness score: 5"."""
    for line, _ in zip(_NAMED_LINE.finditer(text), range(_MOST_LINES), strict=False):
        words = line["name"].casefold().split()
        numeral = read_numeral(line["number"], scale)
        if (
            numeral is not None
            and numeral.value != one.value
            and not _counts(words)
            and not line.start() <= one.span[0] < line.end()
        ):
            return True
    return False


_MOST_LINES: Final = 400
_NAMED_LINE: Final = re.compile(
    rf"^[\s*_`>#-]{{0,8}}(?P<name>[^\W\d_][^\d:\n{ECHO}]{{0,40}})[*_`]*[:：=]"
    r"[ \t*_`]*(?P<number>[^\s*_`]{1,12})[ \t*_`]*$",
    re.MULTILINE,
)


_NEAR: Final = 60
_GIVES_ANOTHER: Final = re.compile(r"[:：=][ \t*_`]*[+\-\u2212]?\d+(?:[.,]\d+)?[ \t*_`]*\n\s*\Z")
"""Before a line that is a number: "Score: 8" and "9" below it."""


def alone(text: str, scale: Scale, *, cut: bool) -> Candidate | None:
    """A number on a line of its own: the only line, the first or the last."""
    lines = [
        (match.group(), match.start())
        for match in re.finditer(r"[^\n]+", text)
        if match.group().strip(" \t\r*_`" + DROPPED)
    ]
    if not lines:
        return None
    found: list[Candidate] = []
    for line, start in dict.fromkeys((lines[0], lines[-1])):
        numeral = read_numeral(line.strip(DROPPED), scale)
        if numeral is not None and not (cut and (line, start) == lines[-1]):
            if start and _GIVES_ANOTHER.search(text[max(0, start - _NEAR) : start]):
                continue
            bare = line.strip(" \t\r*_`[]()" + DROPPED)
            at = start + line.index(bare)
            found.append(Candidate(numeral.value, (at, at + len(bare)), "number"))
    return found[0] if len({one.value for one in found}) == 1 else None
