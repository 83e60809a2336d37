"""The layouts of a score in text: in double brackets, behind its name, in a sentence, before its top, alone."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from magistrate.parsing.layouts.numerals import NUMBER, Range, numeral, value_of, value_pattern
from magistrate.parsing.layouts.view import EMPHASIS, MOST_MATCHES
from magistrate.parsing.reply.masking import DATA, DROPPED
from magistrate.parsing.rows.candidate import Candidate
from magistrate.parsing.switches import cached, is_on
from magistrate.parsing.wording.languages import ranks
from magistrate.parsing.wording.patterns import any_of, either, names

__all__ = ["LAYOUTS", "ScoreLayout", "other_tops", "read_scores"]


@dataclass(frozen=True, slots=True)
class ScoreLayout:
    """One layout of scores.

    Args:
        name: Its name.
        read: Finds its scores: a masked text, the scale -> candidates.
        rank: What it is worth: candidates of a lower rank leave those of a higher one uncounted.
    """

    name: str
    read: Callable[[str, Range], Iterator[Candidate]]
    rank: int


def read_scores(text: str, scale: Range, *, cut: bool, beside: bool) -> list[Candidate]:
    """The scores that a masked text gives, those of the best rank there is.

    Args:
        text: The judge's own wording.
        scale: The scale.
        cut: Whether the reply was cut off: what reaches its end may go on.
        beside: Whether the reply holds a score in data: then a number counts only where it is named.
    """
    last = len(text.rstrip())
    ranked: dict[int, list[Candidate]] = {}
    for layout in LAYOUTS:
        if is_on(f"layout:{layout.name}"):
            for one in layout.read(text, scale):
                one.format = layout.name
                end = one.span[1] if one.span else 0
                if not (cut and end >= last):
                    ranked.setdefault(0 if one.id == "overall" else layout.rank, []).append(one)
    if beside:
        return ranked.get(0, []) + ranked.get(1, [])
    for rank in sorted(ranked):
        if rank:
            return ranked.get(0, []) or ranked[rank]
    return ranked.get(0, [])


def _found(value: float, start: int, end: int, *, overall: bool = False) -> Candidate:
    return Candidate(value, span=(start, end), id="overall" if overall else None)


_BRACKETED: Final = re.compile(
    r"[\[【［]\s?[\[【［]\s*(?:(?:rating|score|评分|評価)\s*[:：]?)?\s*(?P<body>[^\[\]【】［］\n]{1,30}?)\s*[\]】］]\s?[\]】］]"
    r"|\[RESULT\]\s*[:：]?\s*(?P<result>[+\-]?\d[\d.]{0,9})|\\boxed\s*\{\s*(?:\\text\s*\{)?\s*(?P<box>[^{}\n]{1,30})\}",
    re.IGNORECASE,
)


def _bracketed(text: str, scale: Range) -> Iterator[Candidate]:
    """In double brackets, behind [RESULT], in a box."""
    for match in _matches(_BRACKETED, text):
        body = match["body"] or match["result"] or match["box"] or ""
        value = numeral(body.split(":")[-1], scale)
        if value is not None or any(char.isdigit() for char in body):
            yield _found(math.nan if value is None else value, match.start(), match.end())


_BOUND: Final = re.compile(
    r"\b(?:at least|at most|than|up to|above|below|over|under|between|minimum|maximum|not|if|max|min|scale)\b",
    re.IGNORECASE,
)


_LEVEL: Final = re.compile(r"\)?[*_]*\s*[:：]")


@cached
def _score_name() -> str:
    return (
        rf"(?:(?P<overall>{names('overall')})[ \t_]*)?(?:(?:{names('overall')})(?=\s*[:=：])|{names('score')}"
        rf"|verdict|points\s+awarded)"
        rf"(?:\s+(?:{names('overall')}))?"
    )


@cached
def _labelled_pattern() -> re.Pattern[str]:
    return re.compile(
        rf"(?:(?:^|(?<=[.!?;:,(>#*_\n。，！{DROPPED}\]|]))[\s*_#>\[|-]{{0,12}}+|\b(?:the|my|our|an?|this"
        rf"|{either('prose', 'own')})\s+|(?<=[^\x00-\x7f])(?=[^\x00-\x7f]))(?<![^\W_\u2e80-\uffff]){_score_name()}"
        r"[*_`\"'”)\]】]*(?:\s*\((?:\d{1,4}\s*(?:-|–|to)\s*\d{1,4}|[^()\d\n]{1,20})\))?(?:\s+(?:for|of|to"
        r"|awarded for)\s+(?:this|the|that)\s+[\w ]{1,30}?)?"
        rf"\s*(?:[:：=|]|->|→|[–—-]|\b(?:{either('prose', 'is')}|of|as|at|de|à|da|a)\b|は|은|는)?"
        rf"[ \t*_`\"'“:：(\[【\n|{DROPPED}]{{0,40}}(?:(?:a|an|about|around)\s+)?{value_pattern()}",
        re.IGNORECASE | re.MULTILINE,
    )


def _labelled(text: str, scale: Range) -> Iterator[Candidate]:
    """Behind a name: "Score: 4", "Overall rating - 7/10"."""
    for match in _matches(_labelled_pattern(), text):
        head = text[match.start() : match.start("number")]
        if _BOUND.search(head) or (_LEVEL.match(text, match.end()) and not re.search(r"[:：=]", head)):
            continue  # "Score 5: the response is ..." is a level of a rubric
        unsure = scale.low < 0 and re.search(r"[-–—]\s+$", head)  # a dash, or a minus
        value = math.nan if unsure else value_of(match, scale)
        overall = (
            bool(match["overall"])
            or re.match(rf"[\s*_#]*(?:{names('overall')})\b", match.group(), re.IGNORECASE) is not None
        )
        yield _found(value, match.start("number"), match.end(), overall=overall)


@cached
def _spoken_pattern() -> re.Pattern[str]:
    return re.compile(
        rf"\b(?:{names('award')})\b(?P<gap>[^\d.;!?\n]{{0,60}}?)" + value_pattern(),
        re.IGNORECASE,
    )


def _spoken(text: str, scale: Range) -> Iterator[Candidate]:
    """In a sentence: "I would give it a 7"."""
    for match in _matches(_spoken_pattern(), text):
        if not _BOUND.search(match["gap"]):
            yield _found(value_of(match, scale), match.start("number"), match.end())


@cached
def _fraction_pattern() -> re.Pattern[str]:
    words = any_of(tuple(ranks("numbers")))
    value = value_pattern()
    return re.compile(value.replace(f"(?P<number>{NUMBER})", rf"(?P<number>{NUMBER}|\b(?:{words})\b)"), re.IGNORECASE)


def _fraction(text: str, scale: Range) -> Iterator[Candidate]:
    """With its top: "4/5", "7 out of 10", "un due su cinque"."""
    for match in _matches(_fraction_pattern(), text):
        before = text[max(0, match.start() - 30) : match.start()].rpartition("\n")[2]
        if match["top"] and not _BOUND.search(before):
            value = value_of(match, scale)
            if not math.isinf(value):  # 3 of 4 points: something else was counted
                yield _found(value, match.start("number"), match.end())


def _lone(text: str, scale: Range) -> Iterator[Candidate]:
    """A number alone on the first or last line."""
    lines = [match for match in re.finditer(r"[^\n]+", text) if match.group().strip(EMPHASIS + DATA + " ")]
    for line in lines[:1] + lines[1:][-1:]:
        value = numeral(line.group().strip(" \t\r" + DROPPED + DATA), scale)
        if value is not None:
            yield _found(value, line.start(), line.end())


_FORM_LINE: Final = re.compile(
    rf"^[ \t*_•-]*[^\W\d_][^\n:：\d]{{1,40}}[:：][ \t*_]*(?P<number>{NUMBER})[ \t*_.]*$", re.MULTILINE
)


def _form(text: str, scale: Range) -> Iterator[Candidate]:
    """The one line of a form, "- Coherence: 4": whatever it is called, it is all that was asked for."""
    lines = list(_matches(_FORM_LINE, text))
    if len(lines) == 1 and not text[lines[0].end() :].strip(EMPHASIS + " \n") and len(re.findall(r"\d+", text)) == 1:
        value = numeral(lines[0]["number"], scale)
        if value is not None:
            yield _found(value, lines[0].start("number"), lines[0].end())


def _matches(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    for match, _ in zip(pattern.finditer(text), range(MOST_MATCHES), strict=False):
        yield match


LAYOUTS: Final = (
    ScoreLayout("bracketed", _bracketed, 0),
    ScoreLayout("labelled", _labelled, 1),
    ScoreLayout("number", _lone, 1),
    ScoreLayout("fraction", _fraction, 1),
    ScoreLayout("sentence", _spoken, 2),
    ScoreLayout("form", _form, 2),
)

_OTHER_TOP: Final = re.compile(
    r"\bscale\s*(?:of|from|:|\()?\s*(?:\d{1,4}(?:\.\d+)?\s*(?:-|–|to|bis|and)\s*)?(?P<top>\d{1,5}(?:\.\d+)?)(?![\d.]*\d)"
    r"|\bmax(?:imum)?\b\s*(?:scores?|points?|rating)?\s*(?:of|is|:|=)?\s*(?P<most>\d{1,5}(?:\.\d+)?)(?![\d.]*\d)"
    r"|(?P<of>\d{1,4})-point\b",
    re.IGNORECASE,
)


def other_tops(text: str) -> set[float]:
    """The tops of the scales that a text names."""
    return {float(match["top"] or match["most"] or match["of"]) for match in _OTHER_TOP.finditer(text)}
