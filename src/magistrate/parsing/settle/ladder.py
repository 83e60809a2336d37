"""The one ladder of statuses: why a reply has no answer, for all parsing functions."""

from collections.abc import Sequence
from typing import Final

from magistrate.parsing.decode.documents import Document
from magistrate.parsing.decode.parts import Part
from magistrate.parsing.readings import issue
from magistrate.parsing.reply.source import BLOCKED, CUT, REFUSED
from magistrate.parsing.wording.courtesy import refuses
from magistrate.verdict import Issue, IssueCode, ParseStatus

_GLANCE: Final = 400
"""Characters of data that are looked at for a refusal."""


def is_cut(part: Part, end: str | None) -> bool:
    """Whether a reply ends before its end: by its finish reason, or because something in it was never closed."""
    return end in {CUT, BLOCKED} or part.unfinished or any(document.dangling for document in part.documents)


def why_none(
    part: Part, end: str | None, missing: str, *, refusal: str | None = None, answered: bool = False
) -> tuple[ParseStatus, Issue]:
    """The status of a reply without an answer, and the issue that says why."""
    if refusal or end == REFUSED or (end == BLOCKED and not answered):
        return ParseStatus.REFUSAL, issue(IssueCode.REFUSAL, refusal or "the provider reports a refusal")
    cut = is_cut(part, end)
    if part.blank:
        if part.unfinished or (cut and end is not None and not answered and part.text.strip()):
            return ParseStatus.TRUNCATED, issue(IssueCode.TRUNCATED, "the reply was cut off before its answer")
        return ParseStatus.EMPTY, issue(IssueCode.EMPTY_REPLY, "the reply holds no answer")
    said = "\n".join([part.visible, *map(_beginning, part.documents[:3])])
    if not answered and not part.unfinished and refuses(said):
        return ParseStatus.REFUSAL, issue(IssueCode.REFUSAL, "the judge refused")
    if cut:
        return ParseStatus.TRUNCATED, issue(IssueCode.TRUNCATED, "the reply was cut off")
    return ParseStatus.UNPARSEABLE, issue(IssueCode.MISSING_VERDICT, missing)


def _beginning(document: Document) -> str:
    short = document.end - document.start <= 10 * _GLANCE
    return str(document.value)[:_GLANCE] if short else document.text[document.start : document.start + _GLANCE]


def repaired(kinds: Sequence[str]) -> list[Issue]:
    """The issue of a reply that had to be mended; none where it had not."""
    listed = ", ".join(sorted(set(kinds))[:8])
    return [issue(IssueCode.REPAIRED_JSON, f"the reply had to be mended: {listed}")] if listed else []


def verdicts_for(told: int, count: int) -> str:
    """How many verdicts there are, and for how many statements: "1 verdict for 2 statements"."""
    return f"{told} verdict{'s' * (told != 1)} for {count} statement{'s' * (count != 1)}"
