"""parse_label: one of several declared labels."""

import re
from typing import Any, Final

from magistrate.parsing.layouts.labels import read_labels
from magistrate.parsing.readings import LabelReading
from magistrate.parsing.rows.labels import LabelFields
from magistrate.parsing.settle.single import Kind, read_single
from magistrate.parsing.wording.choices import Choices
from magistrate.parsing.wording.courtesy import SENTENCES, denies
from magistrate.parsing.wording.patterns import WordPattern
from magistrate.parsing.wording.reasons import speaks_of_judge
from magistrate.parsing.wording.remarks import UNREAL, is_remark
from magistrate.verdict import IssueCode

_LEAD: Final = WordPattern(
    r"(?:\b(?:{is|therefore}|clearly|simply|be\s+(?:labell?ed|marked|graded)|makes\s+(?:it|this))\s+(?:(?:an?|the|therefore|thus)\s+)?|^)[*_\"']*$"
)


def _last_label(reason: str, choices: Choices) -> str | None:
    """The label with which the last sentence of a reason ends as its conclusion: "... hence no.", "It is unsafe."."""
    label = choices.ends(reason)
    for match in choices.words.finditer(reason) if label is None and len(reason) <= _LONGEST else ():
        word = len(match["label"]) > 1 and not re.search(r"\w", reason[match.end() :])
        clause = re.split("[,;]", reason[: match.start()])[-1]
        if word and _LEAD.search(clause) and not denies(clause):
            label = choices.find(match["label"])
    return label


_LONGEST: Final = 300
_MEANING: Final = re.compile(r"\W*[:\u2013\u2014-]\s*[A-Z_ ]{4,40}\W*")
"""What a letter stands for: "A: CORRECT"."""


def read_label(raw: str, choices: Choices, end: str | None, *, strict: bool) -> LabelReading:
    """Read which of the labels a reply gives."""
    fields = LabelFields(choices.read, choices.opposite, choices.truth)

    def rivals(text: str, value: Any, short: bool) -> bool:
        said = " ".join(one for one in SENTENCES.split(text) if not UNREAL.search(one) or speaks_of_judge(one))
        return short and choices.rivals(said, value, named=not strict)

    kind = Kind(
        fields.walk,
        lambda text, cut, beside: read_labels(text, choices, cut=cut, beside_data=beside),
        rivals,
        LabelReading,
        "the reply gives none of the choices as its answer",
        "what stands in the place of the label is none of the choices",
        concludes=lambda last, value: (
            _last_label(last, choices) not in {None, value}
            or any(
                one.value not in {value, *IssueCode} for one in read_labels(last, choices, cut=False, beside_data=True)
            )
        ),
        known=lambda sentence, _: (
            choices.is_option_text(sentence)
            or (choices.lone and _MEANING.fullmatch(sentence) is not None)
            or choices.faults(sentence)
            or is_remark(sentence)
        ),
    )
    return read_single(raw, kind, end, strict=strict)
