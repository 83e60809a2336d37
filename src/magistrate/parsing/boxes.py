"""A form with several options, one of which is marked: "[x] supported [ ] not supported"."""

from __future__ import annotations

import re
from typing import Final

from magistrate.parsing.vocabulary import Vocabulary
from magistrate.verdict import IssueCode, Verdict

__all__ = ["marked_option"]

_BOX: Final = re.compile(
    r"\[[ \t]*(?P<square>[xX✓✔☑]?)[ \t]*\]|\([ \t]*(?P<round>[xX✓✔•*]?)[ \t]*\)|(?P<sign>[☐☑☒⬜✅□■◻◼])"
)
_OPEN_SIGNS: Final = frozenset("☐⬜□◻")
_LONGEST_OPTION: Final = 40
_MOST_BOXES: Final = 12


def marked_option(text: str, words: Vocabulary) -> Verdict | IssueCode | None:
    """Read a form.

    Args:
        text: The text of one statement.
        words: The vocabulary of the scale.

    Returns:
        The option with the one mark; CONFLICTING_VERDICTS where none (even of one) or more than one is marked, or
        where it cannot be told which box belongs to which option; None where the text is no form with options.
    """
    boxes = list(_BOX.finditer(text))
    if len(boxes) == 1 and not _is_marked(boxes[0]) and words.word(text[: boxes[0].start()] + text[boxes[0].end() :]):
        return IssueCode.CONFLICTING_VERDICTS  # one option, not marked
    if not 2 <= len(boxes) <= _MOST_BOXES:  # noqa: PLR2004 - several options
        return None
    pieces = [text[: boxes[0].start()]]
    pieces += [
        text[box.end() : boxes[at + 1].start() if at + 1 < len(boxes) else len(text)] for at, box in enumerate(boxes)
    ]
    options = [words.word(piece.split("\n\n")[0]) if len(piece) <= _LONGEST_OPTION else None for piece in pieces]
    before, behind = options[1:], options[:-1]
    if all(isinstance(option, Verdict | IssueCode) for option in before):
        named, clear = before, not isinstance(options[0], Verdict)
    elif all(isinstance(option, Verdict | IssueCode) for option in behind):
        named, clear = behind, not isinstance(options[-1], Verdict)
    else:
        several = {option for option in options if isinstance(option, Verdict)}
        return IssueCode.CONFLICTING_VERDICTS if len(several) > 1 else None
    if len(set(named)) < 2:  # noqa: PLR2004 - one option, said again
        return None
    ticked = [option for box, option in zip(boxes, named, strict=True) if _is_marked(box)]
    return ticked[0] if clear and len(ticked) == 1 and ticked[0] is not None else IssueCode.CONFLICTING_VERDICTS


def _is_marked(box: re.Match[str]) -> bool:
    sign = box["sign"]
    return sign not in _OPEN_SIGNS if sign else bool(box["square"] or box["round"])
