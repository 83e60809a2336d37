"""Ordinals and numbers in words."""

from __future__ import annotations

from typing import Final

__all__ = ["COUNTING", "ORDINALS", "PLACES"]

ORDINALS: Final = {
    word: number
    for number, word in enumerate("first second third fourth fifth sixth seventh eighth ninth tenth".split(), start=1)
}
COUNTING: Final = {
    word: number
    for words in (
        "one two three four five six seven eight nine ten",
        "eins zwei drei vier fünf sechs sieben acht neun zehn",
        "uno dos tres cuatro cinco seis siete ocho nueve diez",
        "un deux trois quatre cinq",
        "uno due tre quattro cinque",
        "um dois três quatro cinco",
    )
    for number, word in enumerate(words.split(), start=1)
}
"""Numbers in words, in the languages in which items are named."""
PLACES: Final = ORDINALS | {
    word: number
    for words in (
        "erste zweite dritte vierte fünfte",
        "erstens zweitens drittens viertens fünftens",
        "primera segunda tercera cuarta quinta",
        "primero segundo tercero cuarto quinto",
        "première deuxième troisième quatrième cinquième",
        "prima seconda terza quarta quinta",
        "primeira segunda terceira quarta quinta",
        "первое второе третье четвёртое пятое",
    )
    for number, word in enumerate(words.split(), start=1)
}
"""Ordinals that may stand before a verdict as its number, in several languages."""
