"""parse_label: one of several declared labels."""

from __future__ import annotations

import re
from typing import Any, Final

from magistrate.parsing.layouts.choices import Choices
from magistrate.parsing.layouts.labels import read_labels
from magistrate.parsing.readings import LabelReading
from magistrate.parsing.rows.labels import LabelFields
from magistrate.parsing.settle.single import Kind, read_single

_MEANING: Final = re.compile(r"\W*[:\u2013\u2014-]\s*[A-Z_ ]{4,40}\W*")
"""What a letter stands for: "A: CORRECT"."""


def read_label(raw: str, choices: Choices, end: str | None, *, strict: bool) -> LabelReading:
    """Read which of the labels a reply gives."""
    fields = LabelFields(choices.read, choices.opposite, choices.truth)

    def rivals(text: str, value: Any, short: bool) -> bool:
        return short and choices.rivals(text, value, named=not strict)

    kind = Kind(
        fields.walk,
        lambda text, cut, beside: read_labels(text, choices, cut=cut, beside_data=beside),
        rivals,
        LabelReading,
        "the reply gives none of the choices as its answer",
        "what stands in the place of the label is none of the choices",
        concludes=lambda last, value: choices.ends(last) not in {None, value},
        known=lambda sentence, _: (
            choices.is_option_text(sentence)
            or (choices.lone and _MEANING.fullmatch(sentence) is not None)
            or choices.faults(sentence)
        ),
    )
    return read_single(raw, kind, end, strict=strict)
