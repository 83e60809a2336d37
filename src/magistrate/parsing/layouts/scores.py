"""The layouts of a score in text: in double brackets, before its top, alone, at the head; and their table."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Final

from magistrate.parsing.layouts.named_scores import (
    BOUND,
    SCALE_OF_NUMBERS,
    found_at,
    may_follow,
    on_scale,
    other_scale,
    read_labelled,
    read_spoken,
    score_name,
)
from magistrate.parsing.layouts.numerals import NUMBER, Range, numeral, plain_notation, value_of, value_pattern
from magistrate.parsing.layouts.view import BRACKETED, EMPHASIS, SingleLayout, matches, read_single_layouts
from magistrate.parsing.reply.masking import DATA, DROPPED
from magistrate.parsing.rows.candidate import Candidate
from magistrate.parsing.switches import cached
from magistrate.parsing.wording.courtesy import (
    SENTENCES,
    corrects,
    explains,
    is_courtesy,
    is_headed_reason,
    is_own_lead,
)
from magistrate.parsing.wording.keys import is_named
from magistrate.parsing.wording.languages import group
from magistrate.parsing.wording.patterns import any_of, either, names
from magistrate.parsing.wording.remarks import is_remark


def read_scores(text: str, scale: Range, *, cut: bool, beside: bool) -> list[Candidate]:
    """The scores that a masked text gives, those of the best rank there is."""
    text = plain_notation(text, scale)
    ranked: dict[int, list[Candidate]] = {}
    for rank, one in read_single_layouts(LAYOUTS, text, scale, cut=cut):
        ranked.setdefault(0 if one.id == "overall" else rank, []).append(one)
    best = ranked.pop(0, [])
    others = ranked.get(1, [])
    if beside:
        return best + others
    apart = [one for one in others if not any(_overlap(one, top) for top in best)]
    told = {one.value for one in apart if isinstance(one.value, float) and scale.holds(one.value)}
    if len(told) == 1 and all(isinstance(one.value, float) for one in best):  # several are the parts of an overall one
        best += [one for one in apart if one.value in told] if best else []
    return best or next((ranked[rank] for rank in sorted(ranked)), [])


def _overlap(one: Candidate, other: Candidate) -> bool:
    (start, end), (low, high) = one.span or (0, 0), other.span or (0, 0)
    return start < high and low < end


_NUMBER_AT_HEAD: Final = re.compile(r"[+\-]?\d[\d.]{0,9}")
_SCORE_HEAD: Final = re.compile(r"\s*(?:rating|score|评分|評価)\s*[:：]?", re.IGNORECASE)


def _bracketed(text: str, scale: Range) -> Iterator[Candidate]:
    """In double brackets, behind [RESULT], in a box."""
    for match in matches(BRACKETED, text):
        number = _NUMBER_AT_HEAD.match(match["result"] or "")
        body = number[0] if number else match["body"] or match["box"] or ""
        value = numeral(_SCORE_HEAD.sub("", body).split(":")[-1], scale)
        if value is not None or any(char.isdigit() for char in body):
            yield found_at(math.nan if value is None else value, match.start(), match.end())


_LEAD: Final = 400
"""How far back a line is looked at for what leads into a number."""


@cached
def _fraction_pattern() -> re.Pattern[str]:
    return re.compile(value_pattern(words=True), re.IGNORECASE)


def _fraction(text: str, scale: Range) -> Iterator[Candidate]:
    """With its top: "4/5", "7 out of 10", "un due su cinque"."""
    taken = [one.span for one in (*_form(text, scale), *_call(text, scale)) if one.span]
    for match in matches(_fraction_pattern(), text):
        if any(start <= match.start("number") < end for start, end in taken):
            continue
        before = text[max(0, match.start() - 30) : match.start()].rpartition("\n")[2]
        if match["top"] and not BOUND.search(before):
            value = value_of(match, scale)
            if not math.isinf(value):  # 3 of 4 points: something else was counted
                value = value if _stands_alone(text, match.start(), match.end()) else math.nan
                yield found_at(value, match.start("number"), match.end())


@cached
def _awards() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{names('award', 'score')})\b(?:\s+\w+){{0,4}}$|^(?:my|our|overall|i|we)\b", re.IGNORECASE)


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Whether a part of a top is all that its clause says, or is led in as the judge's own."""
    line = text[max(0, start - _LEAD) : start].rpartition("\n")[2]
    before = re.split(r"[.!?;:。：—–]\s*|\s-\s", line)[-1].strip(" *_`#>|[(" + DROPPED + DATA)
    led = re.split("[:：]", line)[-2:-1]
    named = not re.search(r"[^\W\d_]", before) and (
        not led or not line.rstrip().endswith((":", "：")) or _awards().search(led[0].strip(" *_")) is not None
    )
    if before and led and not (is_own_lead(led[0]) or is_headed_reason(led[0].strip()) or corrects(led[0] + ":")):
        return False
    sure = named or not before.isascii() or _awards().search(before) is not None
    behind = re.match(
        r"[*_`\"'”)\]]*\s*(?:$|[.,;:!)\]（(\n|<—–，。-]|[^\x00-\x7f])|\s+(?:because|since|for|and|but|with|overall|(?i:stars?|points?|punkten?))\b",
        text[end : end + 40],
    )
    return (
        sure
        and behind is not None
        and not re.search(r"\d\s*(?:[-–—]|to|bis)\s*$", line)
        and not re.match(r"\s*[-–]\s*\d", text[end : end + 6])
    )


_ANSWER: Final = re.compile(r"^[\s*_]*(?:(?:the|my|final)\s+)?answer[*_]*\s*[:：]", re.IGNORECASE)


def _lone(text: str, scale: Range) -> Iterator[Candidate]:
    """A number alone on the first or last line."""
    lines = [match for match in re.finditer(r"[^\n]+", text) if match.group().strip(EMPHASIS + DATA + " ")]
    for line in lines[:1] + lines[1:][-1:]:
        said = line.group().strip(" \t\r" + DROPPED + DATA)
        value = numeral(_ANSWER.sub("", said) if len(lines) == 1 else said, scale)
        if value is not None and not re.match(r"#+\d", said):
            yield found_at(value, line.start(), line.end())


_FORM_LINE: Final = re.compile(
    rf"(?:^|(?<=[.!?]\s))[ \t*_•-]*(?P<name>[^\W\d][^\n:：=\d()\[\].]{{1,40}}?)[*_]*{SCALE_OF_NUMBERS}?[*_]*"
    rf"\s*(?:[:：=]|\bis\b)[ \t*_]*(?P<number>{NUMBER})",
    re.MULTILINE,
)
_SCORE_WORD: Final = re.compile(r"^(?:the|my)\s+|[\s*_]*(?:score|rating)?[\s*_]*$", re.IGNORECASE)


@cached
def _unsaid() -> re.Pattern[str]:
    """A name of the score with something else than a number behind it: "Score: see above"."""
    return re.compile(rf"^[ \t*_#-]*{score_name()}[ \t*_]*[:：][ \t*_]*[^\s\d*_]", re.IGNORECASE | re.MULTILINE)


def is_quality(line: str) -> bool:
    """Whether a line scores one quality, beside the score of the whole: "- Accuracy: 9"."""
    match = _FORM_LINE.match(line.lstrip())
    return match is not None and is_named(_SCORE_WORD.sub("", match["name"]), "aspect")


def _form(text: str, scale: Range) -> Iterator[Candidate]:
    """The one line of a form, "- Coherence (1-5): 4": a quality that is all that was asked for."""
    lines = list(matches(_FORM_LINE, text))
    if len(lines) != 1 or not is_named(_SCORE_WORD.sub("", lines[0]["name"]), "aspect") or _unsaid().search(text):
        return
    match = _value().match(text, lines[0].start("number"))
    if match is not None:
        other = other_scale(lines[0], scale) or not may_follow(text, match.end())
        yield found_at(math.inf if other else on_scale(text, match, scale), match.start("number"), match.end())


@cached
def _value() -> re.Pattern[str]:
    return re.compile(value_pattern(), re.IGNORECASE)


# -- at the head of a text, in a sentence of its own -----------------------------------------------------------------

_ROW_HEAD: Final = re.compile(
    r"(?<![\w.])\d[\d.]*[*_]*(?:\s+[-–—]\s|\s*[:：=])[*_]*\s*[^\W\d]|^[^\w\n]*\d+[.)]\s", re.MULTILINE
)


@cached
def _head_pattern() -> re.Pattern[str]:
    because = either("prose", "because")
    return re.compile(
        rf"[\s*_`#{DROPPED}]*+{value_pattern()}[*_`]*(?=\s+[-–—]\s+[^\W\d]|\s*[:：(（]\s*[^\W\d]"
        rf"|[,，]?\s*\b(?:{because})\s+\S+\s+\S)",
        re.IGNORECASE,
    )


_GLOSSES: Final = frozenset("-–—:：(（")


def read_head(text: str, scale: Range) -> Iterator[Candidate]:
    """At the head of a text, with what it stands for or its reason behind it: "4 - Good", "3, since ..."."""
    match = _head_pattern().match(text)
    if match is None or match["top"] or len(_ROW_HEAD.findall(text)) > 1:
        return
    reason = SENTENCES.split(text[match.end() :].lstrip())[0]
    if is_remark(reason) or (
        not is_courtesy(reason) and explains(reason, is_remark, goes_on=reason[:1] not in _GLOSSES)
    ):
        yield found_at(value_of(match, scale), match.start("number"), match.end())


@cached
def _call_pattern() -> re.Pattern[str]:
    things = names("candidate", "item")
    mine = any_of(tuple(one for one in group("prose", "own") if one.startswith(("i ", "i'"))))
    therefore, is_ = either("prose", "therefore"), r"(?:'s|\s+(?:is|would\s+be))\s+"
    return re.compile(
        rf"(?:^|(?<=[.!]\s))[ \t*_]*(?:on\s+(?:an?|the|this)\s+[^,.\n]{{0,40}}\bscale\b[^,.\n]{{0,20}},\s+)?"
        rf"(?:(?:{therefore}|definitely|easily|clearly)\s*,?\s+)?"
        rf"(?:(?:{mine})\s+(?:(?:it|this){is_})?(?:an?\s+)?|(?:(?:it|this|that|(?:this|the)\s+(?:{things})){is_})?an?\s+"
        rf"|(?:{therefore})\s*[,:]\s+)(?:(?:solid|strong|firm|clear)\s+)?{value_pattern()}(?:\s+(?:stars|points))?"
        rf"(?=(?:\s+(?:for|from)\s+me|\s+here|\s+overall|\s+(?:on|for|to)\s+(?:the|this)\s+(?:{things}|rubric|scale))?"
        r"[*_]*\s*(?:[.!]?\s*$|[.!]\s|,?\s+because\b))",
        re.IGNORECASE | re.MULTILINE,
    )


def _call(text: str, scale: Range) -> Iterator[Candidate]:
    """All that a sentence says: "A 4.", "I'd say 3.", "It's a 2 for me."."""
    for match in matches(_call_pattern(), text):
        yield found_at(value_of(match, scale), match.start("number"), match.end())


LAYOUTS: Final = (
    SingleLayout("bracketed", _bracketed, 0),
    SingleLayout("labelled", read_labelled, 1),
    SingleLayout("number", _lone, 1),
    SingleLayout("fraction", _fraction, 1),
    SingleLayout("sentence", read_spoken, 2),
    SingleLayout("call", _call, 1),
    SingleLayout("head", read_head, 2),
    SingleLayout("form", _form, 2),
)

_OTHER_TOP: Final = re.compile(
    r"\bscale\s*(?:of|from|:|\()?\s*(?:\d{1,4}(?:\.\d+)?\s*(?:\([^()]{1,30}\)\s*)?(?:-|–|to|bis|and)\s*)?(?P<top>\d{1,5}(?:\.\d+)?)(?![\d.]*\d)"
    r"|\bmax(?:imum)?\b\s*(?:scores?|points?|rating)?\s*(?:of|is|:|=)?\s*(?P<most>\d{1,5}(?:\.\d+)?)(?![\d.]*\d)"
    r"|(?P<of>\d{1,4})(?:-point\b|\s*段階|\s*점\s*만점)|\d\s*(?:-|–|to)\s*(?P<best>\d{1,4})\s+scale\b",
    re.IGNORECASE,
)


def other_tops(text: str) -> set[float]:
    """The tops of the scales that a text names."""
    return {float(match["top"] or match["most"] or match["of"] or match["best"]) for match in _OTHER_TOP.finditer(text)}
