"""parse_score: one number on a declared range. Never rescaled, clamped or coerced."""

from __future__ import annotations

import math
import re
from typing import Any, Final

from magistrate.parsing.layouts.numerals import Range, numeral, plain, same
from magistrate.parsing.layouts.scores import other_tops, read_scores
from magistrate.parsing.readings import ScoreReading, issue
from magistrate.parsing.rows.candidate import Candidate
from magistrate.parsing.rows.scores import ScoreFields, is_overall, is_score
from magistrate.parsing.settle.ladder import is_cut
from magistrate.parsing.settle.single import Kind, read_single
from magistrate.parsing.switches import is_on
from magistrate.parsing.wording.courtesy import SENTENCES
from magistrate.verdict import IssueCode, ParseStatus

_COUNTED: Final = re.compile(r"\b\d{1,4}\s*(?:/|(?:out\s+)?of(?:\s+the)?)\s*\d{1,4}\b")
"""A part of a number of things, "3 of 3 points": no score."""

_LAST_NUMBER: Final = re.compile(
    r"(?:\b(?:to|on|so|a|an|is|be)|[:=])\s*(?P<number>\d{1,6}(?:\.\d{1,6})?)(?:\s*/\s*\d{1,5})?(?=\s*[.!]?\s*$|\s+for\b)"
)
_LISTED: Final = re.compile(r"^[ \t]*\d{1,2}[.)][ \t]+(?=\S)", re.MULTILINE)
_OF_SCALE: Final = re.compile(
    r"(?:[/(–-]|\b(?:of|to|from|scale|possible|max\w*|von|sur|su|de|из)\b[:.]?)\s*$", re.IGNORECASE
)

_NUMBERS: Final = re.compile(r"(?<![\w.,])\d{1,9}(?:[.,]\d{1,9})?(?![\w]|[.,]\d)")


def read_score(raw: str, scale: Range, end: str | None, *, strict: bool) -> ScoreReading:
    """Read the score of a reply."""
    fields = ScoreFields(lambda text: numeral(text, scale), scale.high)

    def in_data(value: Any) -> list[Candidate]:
        only = fields.only(value)
        return [] if only is None else [only]

    def in_tags(leaves: list[tuple[str, str, int, int]]) -> list[Candidate]:
        found = [
            (name, Candidate(value, content, (start, stop)))
            for name, content, start, stop in leaves
            if (value := numeral(content, scale)) is not None
        ]
        for tier in (is_overall, is_score):
            named = [one for name, one in found if tier(name)]
            if named:
                return named
        return [found[0][1]] if len(found) == 1 else []

    def rivals(text: str, value: Any, short: bool) -> bool:
        return short and _names_another(text, value, scale)

    kind = Kind(
        in_data,
        in_tags,
        lambda text, cut, beside: read_scores(text, scale, cut=cut, beside=beside),
        same,
        rivals,
        "the reply gives no single number as its score",
        lambda text, value: {plain(one, scale.high) for one in _NUMBERS.findall(text)} == {value},
        lambda reason, value: _concludes(reason, value, scale),
    )
    settled = read_single(raw, kind, end, strict=strict)
    notes, repairs = settled.issues, settled.repairs
    beside = settled.text + "\n" + "\n".join(one.reason for one in settled.candidates if one.reason)
    tops = other_tops(beside) if is_on("rule:other-scale") and settled.candidates else set()
    if tops and scale.high not in tops:
        why = issue(IssueCode.OUT_OF_RANGE, "the reply names another scale")
        return ScoreReading(ParseStatus.OUT_OF_RANGE, None, (*notes, why), repairs=repairs)
    best = settled.best
    if best is None:
        return ScoreReading(settled.status, issues=tuple(notes), repairs=repairs)
    if isinstance(best.value, IssueCode) or math.isnan(best.value):
        if is_cut(settled.part, end):
            notes.append(issue(IssueCode.TRUNCATED, "the reply was cut off"))
            return ScoreReading(ParseStatus.TRUNCATED, issues=tuple(notes), repairs=repairs)
        code = best.value if isinstance(best.value, IssueCode) else IssueCode.UNKNOWN_LABEL
        notes.append(issue(code, "what stands in place of the score is no number that can be told"))
        return ScoreReading(ParseStatus.UNPARSEABLE, issues=tuple(notes), repairs=repairs)
    if not scale.holds(best.value):
        notes.append(
            issue(IssueCode.OUT_OF_RANGE, f"the score is not on the scale from {scale.low:g} to {scale.high:g}")
        )
        return ScoreReading(ParseStatus.OUT_OF_RANGE, None, tuple(notes), best.format, best.reason, best.span, repairs)
    return ScoreReading(ParseStatus.OK, best.value, tuple(notes), best.format, best.reason, best.span, repairs)


def _concludes(reason: str, value: Any, scale: Range) -> bool:
    """Whether the last sentence of a reason ends in another number of the scale, or gives one as the score."""
    last = [one for one in SENTENCES.split(reason.strip()) if one.strip()][-1]
    match = _LAST_NUMBER.search(last)
    said = [plain(match["number"], scale.high)] if match else []
    said += [one.value for one in read_scores(last, scale, cut=False, beside=True)]
    return any(scale.holds(one) and not same(one, value) for one in said if not isinstance(one, IssueCode))


def _names_another(text: str, value: float, scale: Range) -> bool:
    """Whether a text behind a score holds another number of its range; the top counts, but as the end of a scale."""
    for match in _NUMBERS.finditer(_COUNTED.sub(" ", _LISTED.sub(" ", text))):
        number = plain(match.group(), scale.high)
        top = number == scale.high and _OF_SCALE.search(match.string[max(0, match.start() - 24) : match.start()])
        if scale.holds(number) and not same(number, value) and not top:
            return True
    return False
