"""Words without their endings, so that two forms of a word are one term.

"awarded" and "award", "городами" and "город" should give one stem; that now and then two different words give one too
does less harm.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final

# Endings that inflect or derive, longest first, in one list a script: which language a short text is in is often
# unclear, and an ending cut off on both sides does no harm.
_ENDINGS: Final = {
    "latin": """ization isation ational ations ation ização zación mente aciones ación amento amenti azione azioni
        ements ement ments ment ingly ings edly ness ities ity ità idad idades idade isch ische ischen
        ischer lich liche lichen ungen ung heiten heit keiten keit iamo iendo ando endo indo ição ções ção
        iones ión ions ion ies ied ily ing ers ern est eur eux ique iques aux ent ant ado ada ados adas ido
        ida idos idas ito ita are ere ire er en em es ed ly al as os is us ez ai ás és e s a o i y""",
    "cyrillic": """иями ями ами ого его ому ему ыми ими ость ости ение ения ению ании ание ания иях ях ах ия ию ий ый
        ой ая яя ое ее ые ие ов ев ей ом ем ам ям ую юю ал ала али ил ила или ть ся а я о е ы и у ю ь й""",
    "devanagari": "ियों ाओं ुओं ओं ों ें ीं ाँ ां ियाँ ियां ते ता ती ना ने नी े ी ा ो ि ु",
    "arabic": "تها اتهم اتها هما كما ها هم هن كم نا ات ون ين ان ته يه ه ي ا",
}
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
    for script, endings in _ENDINGS.items()
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
