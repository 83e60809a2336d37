"""The pieces of a folded text, words and the marks between them, and where a word of a scale ends."""

from __future__ import annotations

import re
from typing import Final

from magistrate.parsing.languages import merge

__all__ = ["MARKS", "Piece", "is_list_number", "pieces_of", "stands_alone"]

Piece = tuple[str | None, str, int]
"""The kind of a piece ("word", "gap" or "mark"), the piece itself, and where it ends."""

MARKS: Final = frozenset(word for word in merge() if len(word) == 1 and not word.isalnum())
"""Ticks, crosses and their like that say yes or no."""
_COMBINING: Final = (  # vowel signs and accents, which are no word characters to `re`
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4"
    "\u0900-\u0963\u0966-\u0df3\u0e31-\u0e3a\u0e47-\u0e4e\u3099\u309a"
)
_PIECE: Final = re.compile(
    rf"(?P<word>n/a\b|[^\W_](?:[\w{_COMBINING}%']|[.,](?=\d))*)|(?P<gap>\s+)|(?P<mark>.)",
    re.DOTALL,
)
_BREAKS: Final = frozenset('.,;:!?()[]{}"“”«»<>\u2014\u2013-\u2192\n。，、；：！？،؛؟।（）「」『』【】…|/\\\u2022*=')
_CONNECTORS: Final = frozenset(
    (
        "because since as per according based due by with anywhere weil da laut porque ya según car selon puisque "
        "perché poiché secondo pois segundo conforme потому так согласно поскольку لأن وفقا क्योंकि and or"
    ).split()
)


def pieces_of(folded: str) -> list[Piece]:
    """Split a folded text into words, gaps and marks."""
    return [(match.lastgroup, match.group(), match.end()) for match in _PIECE.finditer(folded)]


def stands_alone(pieces: list[Piece], at: int) -> bool:
    """Whether a word that ends here ends: at the end, before a break, or before "because" and its kind."""
    if at >= len(pieces):
        return True
    kind, text, _ = pieces[at]
    if kind == "gap":
        if "\n" in text or at + 1 >= len(pieces):
            return True
        kind, text, _ = pieces[at + 1]
        return text in _BREAKS or text in MARKS or text in _CONNECTORS
    return text in _BREAKS or text in MARKS


_COVERED: Final = frozenset("\ue000\ue001\ue002")
"""What stands in masked text for data, a statement, a quotation."""


def is_list_number(pieces: list[Piece], at: int) -> bool:
    """Whether a number is followed by what follows the number of a list item: "1. The plate says so"."""
    if at >= len(pieces) or pieces[at][1] not in {".", ")"}:
        return False
    return any(kind == "word" or text in _COVERED for kind, text, _ in pieces[at + 1 :])
