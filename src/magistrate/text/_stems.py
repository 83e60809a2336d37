"""Words without their endings, so that two forms of a word are one term.

"awarded" and "award", "городами" and "город" should give one stem; that now and then two different words give one too
does less harm.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final

from magistrate.text._tables import TABLES

_LONGEST_ENDING: Final = 7


def _plain(word: str) -> str:
    """Latin letters without their accents: texts write "Perez" for "Pérez", and forms of a word move them."""
    if word.isascii():
        return word
    return "".join(c for c in unicodedata.normalize("NFD", word) if not "\u0300" <= c <= "\u036f")


_TABLES: Final = {
    script: tuple(
        frozenset(e for e in map(_plain if script == "latin" else str, endings.split()) if len(e) == size)
        for size in range(_LONGEST_ENDING + 1)
    )
    for script, endings in TABLES["endings"].items()
}
_ARABIC_PREFIXES: Final = ("وال", "بال", "كال", "فال", "لل", "ال")
_SHORTEST_STEM: Final = 3
_LONGEST_WORD: Final = 60  # what is longer is no word, and would take long to cut letter by letter
# "studying" loses one ending and then another, as "study" and "studies" lose one; but not down to nothing.
_SHORTEST_AGAIN: Final = 4


@lru_cache(maxsize=32768)
def stem(word: str) -> str:
    """Cut the endings off a word: light, without a dictionary, the same in every language of a script."""
    script = _script(word)
    if script is None or word[0].isdigit() or len(word) > _LONGEST_WORD:
        return word
    if script == "latin":
        word = _plain(word)
    elif script == "arabic":
        word = _without_article(word)
    shorter = _cut(word, script, _SHORTEST_STEM)
    while shorter != word:
        word, shorter = shorter, _cut(shorter, script, _SHORTEST_AGAIN)
    return word


def _cut(word: str, script: str, least: int) -> str:
    for size in range(min(_LONGEST_ENDING, len(word) - least), 0, -1):
        if word[-size:] in _TABLES[script][size]:
            return word[:-size]
    # "stopped" is "stop" as "stops" is, "presses" is "press".
    doubled = script == "latin" and len(word) > _SHORTEST_STEM and word[-1] == word[-2]
    return word[:-1] if doubled else word


def _without_article(word: str) -> str:
    while (prefix := next((p for p in _ARABIC_PREFIXES if word.startswith(p)), None)) is not None:
        if len(word) - len(prefix) < _SHORTEST_STEM:
            break
        word = word[len(prefix) :]
    return word


def _script(word: str) -> str | None:
    first = word[0]
    if first < "\u0250":
        return "latin"
    if "\u0400" <= first < "\u0530":
        return "cyrillic"
    if "\u0600" <= first < "\u0780":
        return "arabic"
    if "\u0900" <= first < "\u0980":
        return "devanagari"
    return None
