"""The grades that Inspect's graders are asked for in words: "end with your answer formatted as 'GRADE: $LETTER'"."""

from __future__ import annotations

import re

from magistrate.parsing import parse_label
from magistrate.verdict import ParseStatus, Status

_OFFERED = re.compile(r"'GRADE: \$LETTER' \(without quotes\) where LETTER is one of ([A-Z]{2,26})\b")
_SAID = r"GRADE[*_`]{0,3}[ \t]{0,3}:[ \t]{0,3}[*_`'\"\[(]{0,5}(\w{1,20})"
_MENTIONED = re.compile(rf"\b{_SAID}", re.IGNORECASE)
_ALONE = re.compile(rf"^[ \t>*_#`'\"]{{0,9}}{_SAID}[ \t\r*_`'\".\])]{{0,9}}$", re.IGNORECASE | re.MULTILINE)
_LETTERS = {"correct": "C", "incorrect": "I", "partial": "P"}


def letters_offered(prompt: str) -> str:
    """The grades that a prompt offers; "" where it asks for none."""
    found = _OFFERED.search(prompt)
    return found[1] if found else ""


def grade_in(text: str, letters: str, finish_reason: str | None) -> tuple[str | None, Status]:
    """Read the grade that a grader's reply ends with; None, and why, where there is none or more than one."""
    if finish_reason in {"length", "content_filter"}:
        return None, Status.TRUNCATED if finish_reason == "length" else Status.REFUSED
    mentioned, alone = list(_MENTIONED.finditer(text)), list(_ALONE.finditer(text))
    if not mentioned:
        refused = parse_label(text, list(letters), finish_reason=finish_reason).status is ParseStatus.REFUSAL
        return None, Status.REFUSED if refused else Status.UNPARSEABLE
    if alone and alone[-1].end(1) != mentioned[-1].end(1):
        return None, Status.UNPARSEABLE
    said = {_LETTERS.get(match[1].lower(), match[1].upper()) for match in alone or mentioned}
    grade = said.pop()
    return (grade, Status.SCORED) if not said and grade in set(letters) else (None, Status.UNPARSEABLE)
