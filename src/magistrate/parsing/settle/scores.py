"""parse_score: one number on a declared range. Never rescaled, clamped or coerced."""

import math
import re
from typing import Any, Final

from magistrate.parsing.layouts.numerals import Range, numeral, other_tops, plain, read_head, same
from magistrate.parsing.layouts.scores import is_quality, read_scores
from magistrate.parsing.readings import ScoreReading
from magistrate.parsing.rows.candidate import Candidate
from magistrate.parsing.rows.scores import ScoreFields
from magistrate.parsing.settle.single import Kind, Settled, read_single
from magistrate.parsing.switches import is_on
from magistrate.parsing.wording.courtesy import SENTENCES
from magistrate.parsing.wording.languages import ranks
from magistrate.parsing.wording.reasons import speaks_of_judge
from magistrate.parsing.wording.remarks import COUNTED, UNREAL, is_remark
from magistrate.verdict import IssueCode

_LAST_NUMBER: Final = re.compile(
    r"(?:\b(?:(?:lower|reduc|chang|rais|drop|down|up|revis|adjust|correct|set|go|goes|went|come|comes)\w*\s+(?:\w+\s+){0,3}to|on|so|a|an|is|be|score\s+of|rating\s+of|rated|scored)|[:=])\s*(?P<number>\d{1,6}(?:\.\d{1,6})?)(?:\s*/\s*\d{1,5})?(?=\s*[.!]?\s*$|\s+for\b)",
    re.IGNORECASE,
)
_LONGEST: Final = 100
_TOP: Final = re.compile(r"(?:/|\bof)\s*(\d{1,5})\W*$")
_LISTED: Final = re.compile(r"^[ \t]*\d{1,2}[.)][ \t]+(?=\S)", re.MULTILINE)
_OF_SCALE: Final = re.compile(
    r"(?:[/(–-]|\b(?:of|to|from|scale|possible|max\w*|von|sur|su|de|из)\b[:.]?|满分)\s*$", re.IGNORECASE
)
_NUMBERS: Final = re.compile(r"(?<![^\W\u2e80-\uffff])(?<![.,])\d{1,9}(?:[.,]\d{1,9})?(?!(?![分点點점])\w|[.,]\d)")


def read_score(raw: str, scale: Range, end: str | None, *, strict: bool) -> ScoreReading:
    """Read the score of a reply."""
    fields = ScoreFields(lambda text: _in_string(text, scale), scale.high)

    def in_data(value: Any) -> list[Candidate]:
        only = fields.only(value)
        return [] if only is None else [only]

    def rivals(text: str, value: Any, short: bool) -> bool:
        return short and _names_another(text, value, scale)

    def checked(settled: Settled) -> Any:
        best = settled.best.value if settled.best is not None else None
        said = (settled.text, *(one.reason for one in settled.candidates if one.reason))
        tops = other_tops("\n".join(said)) if is_on("rule:other-scale") and settled.candidates else set()
        start, end = (settled.best.span if settled.best is not None else None) or (0, 0)
        given = _TOP.search(settled.text[start:end])  # "7/10", where its parts have tops of their own
        if tops and scale.high not in tops and not (given and float(given[1]) == scale.high):
            return IssueCode.OUT_OF_RANGE
        if best is None or isinstance(best, IssueCode):
            return best
        if math.isnan(best):
            return IssueCode.UNKNOWN_LABEL
        return best if scale.holds(best) else IssueCode.OUT_OF_RANGE

    kind = Kind(
        in_data,
        lambda text, cut, beside: read_scores(text, scale, cut=cut, beside=beside),
        rivals,
        ScoreReading,
        "the reply gives no single number as its score",
        f"what stands in the place of the score is no number from {scale.low:g} to {scale.high:g} that can be told",
        same,
        checked,
        lambda text, value: (
            {plain(one, scale.high) for one in _NUMBERS.findall(text)} == {value}
            or is_quality(text)
            or is_remark(text)
            or _SURE.match(text) is not None
            or (UNREAL.search(text) is not None and not speaks_of_judge(text))
        ),
        lambda last, value: _concludes(last, value, scale),
        lambda tail: _GLOSS.match(tail) is not None,
    )
    return read_single(raw, kind, end, strict=strict)


_GLOSS: Final = re.compile(
    r"[\s*_]*[(（](?!\s*(?:(?:out|of|von|sur|su|de|из|on|because|since|as)\b|满分))", re.IGNORECASE
)
"""What an answer means, in brackets behind it: neither its top nor a reason."""


def _in_string(text: str, scale: Range) -> float | None:
    """The number that a string holds, alone, in a word, or with a remark: "4 - Good"."""
    value = numeral(text, scale)
    if value is None and text.strip().casefold() in ranks("numbers"):
        return plain(text, scale.high)
    found = next(read_head(text, scale), None) if value is None and len(text) <= _LONGEST else None
    remarked = found is not None and found.span is not None and is_remark(text[found.span[1] :])
    return found.value if found is not None and remarked else value


def _concludes(last: str, value: Any, scale: Range) -> bool:
    """Whether the last sentence of a reason ends in another number of the scale, or gives one as the score."""
    if UNREAL.search(last) or _SURE.match(last):
        return False
    match = _LAST_NUMBER.search(last)
    said = [plain(match["number"], scale.high)] if match else []
    said += [one.value for one in read_scores(last, scale, cut=False, beside=False)]
    return any(scale.holds(one) and not same(one, value) for one in said if not isinstance(one, IssueCode))


_SURE: Final = re.compile(r"\W*(?:confidence|certainty)(?:\s+\w+)?[*_]*\s*[:=|]", re.IGNORECASE)
"""A line that says how sure the judge is."""


def _names_another(text: str, value: float, scale: Range) -> bool:
    """Whether a text behind a score holds another number of its range; the top counts, but as the end of a scale."""
    text = "\n".join(line for line in text.split("\n") if not (is_quality(line) or _SURE.match(line)))
    text = " ".join(one for one in SENTENCES.split(text) if not UNREAL.search(one) or speaks_of_judge(one))
    for match in _NUMBERS.finditer(COUNTED.sub(" ", _LISTED.sub(" ", text))):
        number = plain(match.group(), scale.high)
        top = number == scale.high and _OF_SCALE.search(match.string[max(0, match.start() - 24) : match.start()])
        if scale.holds(number) and not same(number, value) and not top:
            return True
    return False
