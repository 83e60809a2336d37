"""parse_label: one of several declared labels."""

from __future__ import annotations

import re
from typing import Any, Final

from magistrate.parsing.layouts.choices import Choices
from magistrate.parsing.layouts.labels import read_labels
from magistrate.parsing.readings import LabelReading, issue
from magistrate.parsing.rows.candidate import Candidate
from magistrate.parsing.rows.labels import LabelFields, is_label_name
from magistrate.parsing.settle.ladder import is_cut
from magistrate.parsing.settle.single import Kind, read_single
from magistrate.parsing.wording.keys import Role, role_of
from magistrate.verdict import IssueCode, ParseStatus

_MEANING: Final = re.compile(r"\W*[:\u2013\u2014-]\s*[A-Z_ ]{4,40}\W*")
"""What a letter stands for: "A: CORRECT"."""


def read_label(raw: str, choices: Choices, end: str | None, *, strict: bool) -> LabelReading:
    """Read which of the labels a reply gives."""
    fields = LabelFields(choices.read)

    def in_tags(leaves: list[tuple[str, str, int, int]]) -> list[Candidate]:
        found = [
            (name, Candidate(label, content, (start, stop)))
            for name, content, start, stop in leaves
            if role_of(name) is not Role.REASON and (label := choices.read(content[:400])) is not None
        ]
        named = [one for name, one in found if is_label_name(name)]
        return named or [one for _, one in found]

    def rivals(text: str, value: Any, short: bool) -> bool:
        return short and choices.rivals(text, value, named=not strict)

    kind = Kind(
        fields.walk,
        in_tags,
        lambda text, cut, beside: read_labels(text, choices, cut=cut, beside=beside),
        lambda left, right: left == right,
        rivals,
        "the reply gives none of the choices as its answer",
        lambda sentence, _: choices.lone and _MEANING.fullmatch(sentence) is not None,
    )
    settled = read_single(raw, kind, end, strict=strict)
    best, notes, repairs = settled.best, settled.issues, settled.repairs
    if best is None:
        return LabelReading(settled.status, issues=tuple(notes), repairs=repairs)
    if isinstance(best.value, IssueCode):
        if is_cut(settled.part, end):
            notes.append(issue(IssueCode.TRUNCATED, "the reply was cut off"))
            return LabelReading(ParseStatus.TRUNCATED, issues=tuple(notes), repairs=repairs)
        notes.append(issue(IssueCode.UNKNOWN_LABEL, "what stands in the place of the label is none of the choices"))
        return LabelReading(ParseStatus.UNPARSEABLE, issues=tuple(notes), repairs=repairs)
    return LabelReading(ParseStatus.OK, best.value, tuple(notes), best.format, best.reason, best.span, repairs)
