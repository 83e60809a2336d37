"""Nouns that answer, and that name what is asked as well: "support" is a yes, "support: none" is not."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["QUALITIES", "is_degree"]


def is_degree(rest: str) -> bool:
    """Whether what follows the name of a quality says how much there is of it: "support: none", "support (weak)"."""
    match = _VALUE.match(rest)
    if match is None:
        return False
    said = match["value"].split()
    return 0 < len(said) < _WORDS_OF_A_REASON or (bool(said) and said[0] in _DEGREES)


QUALITIES: Final = frozenset({"support", "entailment", "agreement", "truth"})
_VALUE: Final = re.compile(
    r"[\s*_`\"']*(?:[:：=(（\[]|[-–—](?=\s)|->|→)[\s*_`\"'(]*(?P<value>[^.,;:!?()（）\[\]\n]{0,200})"
)
_WORDS_OF_A_REASON: Final = 4
_DEGREES: Final = frozenset(
    "no none not nil zero lack lacking lacks missing absent weak little low limited insufficient poor minimal partial "
    "only hardly barely scarce thin mixed".split()
)
