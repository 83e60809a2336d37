"""The text of one item of a list: its lines, without what it says of other statements."""

from __future__ import annotations

import re
from typing import Final

from magistrate.parsing.prose import ECHO, Prose

__all__ = ["echo_alone", "joined", "without_others"]

_OF_ANOTHER: Final = re.compile(
    r"(?:^|(?<=[.!?;\n]))[ \t*_]*(?:the\s+)?(?:statement|claim|sentence|fact|item)\s*#?\s*"
    r"(?P<number>\d{1,4})\b[^.!?;\n]*",
    re.IGNORECASE,
)
"""A sentence that begins with the number of a statement."""


def without_others(text: str, number: int) -> str:
    """The text of an item with the sentences that begin with the number of another statement blanked out."""
    return _OF_ANOTHER.sub(
        lambda match: match.group() if int(match["number"]) == number else " " * len(match.group()), text
    )


def joined(lines: list[tuple[str, int]], first: int) -> str:
    """The lines as one text in which positions are still positions of the reply."""
    pieces: list[str] = []
    at = first
    for text, start in lines:
        pieces.append("\n" * max(0, start - at))
        pieces.append(text)
        at = max(at, start) + len(text)
    return "".join(pieces)


def echo_alone(prose: Prose, start: int) -> int | None:
    """Index of the statement that the rest of a line repeats; None where it says anything else."""
    stop = prose.text.find("\n", start)
    rest = prose.text[start : stop if stop >= 0 else len(prose.text)]
    return prose.echo_at(start + rest.index(ECHO)) if rest.strip(_AROUND) == ECHO else None


_AROUND: Final = " \t\r*_`\"'\u201c\u201d().,;:\u2013\u2014-"
