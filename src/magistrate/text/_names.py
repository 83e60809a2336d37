"""Names: the words of a sentence that its writing marks as such.

In scripts with capitals that is a capitalised word inside a sentence; in the others, a word in Latin letters. A name
that a source does not hold is the plainest sign that it does not hold the statement.
"""

import re
from typing import Final

from magistrate.text._fold import fold_token
from magistrate.text._terms import stop_words

_WORD: Final = re.compile("[^\\W\\d_]+")
_LATIN_WORD: Final = re.compile("[A-Za-z\u00c0-\u024f]{2,}")
_CAPITALS: Final = frozenset({"latin", "cyrillic", "greek", "armenian"})
# Marks after which a capital says only that something begins.
_BEGINNINGS: Final = frozenset(".!?:;…。！？•\n\r|\"'“”„«»‘’「『")
_OPENERS: Final = " \t([{*_#>-–—¿¡"
_TITLE_WORDS: Final = 4


def read_names(text: str, script: str | None, language: str | None) -> list[str]:
    """The folded words of the names in a statement as written, once each; None for capitals or a title."""
    if script not in _CAPITALS:
        found = (fold_token(match.group()) for match in _LATIN_WORD.finditer(text)) if script else ()
        return list(dict.fromkeys(name for name in found if name not in stop_words("en")))
    matches = list(_WORD.finditer(text))
    stop = stop_words(language)
    capital = [match.group()[0].isupper() for match in matches]
    # In German the words that are all in capitals tell a heading, since every noun has one.
    large = [m.group().isupper() for m in matches] if language == "de" else capital
    if len(matches) >= _TITLE_WORDS and all(
        is_large for m, is_large in zip(matches, large, strict=True) if _content(m, stop)
    ):
        return []  # a title: its capitals say nothing
    names: dict[str, None] = {}
    for index, match in enumerate(matches):
        word = match.group()
        if not capital[index] or len(word) == 1:
            continue
        folded = fold_token(word)
        if folded in stop:
            continue
        # Capitals inside a word tell a name ("GmbH", "McKinsey"). Beside another capitalised word a name may begin a
        # sentence ("Helen Marsh built"), and a German noun be one.
        if not any(map(str.isupper, word[1:])) and (language == "de" or _begins(text, match.start())):
            beside = (i for i in (index - 1, index + 1) if 0 <= i < len(matches))
            if not any(
                capital[i] and _adjacent(text, matches[i], match) and _content(matches[i], stop) for i in beside
            ):
                continue
        names[folded] = None
    return list(names)


def _begins(text: str, start: int) -> bool:
    """Whether the word at `start` is the first of a sentence, a line or a quote."""
    before = text[:start].rstrip(_OPENERS)
    return not before or before[-1] in _BEGINNINGS


def _content(match: re.Match[str], stop: frozenset[str]) -> bool:
    return fold_token(match.group()) not in stop


def _adjacent(text: str, one: re.Match[str], other: re.Match[str]) -> bool:
    first, second = (one, other) if one.start() < other.start() else (other, one)
    return text[first.end() : second.start()] in (" ", "-")
