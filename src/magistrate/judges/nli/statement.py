"""What of a statement the model is shown, and which statements no model of this kind can judge."""

from __future__ import annotations

import re
from typing import Final

from magistrate.text import detect_language, is_about_the_source, main_script, split_text, text_runs
from magistrate.verdict import IssueCode

__all__ = ["claim_of"]

# Raised digits are left in: they may be a mark of citation, but also the square of "80 m²".
_CITED: Final = re.compile(r"\s?(?:\[\^?\d{1,4}(?:[ ,;–-]{1,3}\d{1,4}){0,30}\]|【[^】\n]{1,60}】)")


def claim_of(statement: str) -> str | tuple[IssueCode, str]:
    """The words of a statement that claim something: no bullets, no marks of citation, no courtesies.

    Args:
        statement: A statement.

    Returns:
        The claim, or the reason why there is none to judge.
    """
    if not any(map(str.isalnum, statement)):
        return IssueCode.BLANK_STATEMENT, "the statement holds no words"
    pieces = [p.text for p in split_text(_CITED.sub("", statement)) if p.kind not in ("marker", "courtesy")]
    if not pieces:
        return IssueCode.MISSING_VERDICT, "a courtesy, a mark of citation or a numbering states nothing to judge"
    for piece in pieces:
        runs = text_runs(piece)
        if is_about_the_source(runs, detect_language(main_script(piece), runs)):
            message = "it says what the source lacks or what its speaker does not know, which no single window can show"
            return IssueCode.MISSING_VERDICT, message
    return " ".join(pieces)
