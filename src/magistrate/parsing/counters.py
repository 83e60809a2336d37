"""Counters that are no figures: "Claim A", "Statement one", "First: yes. Second: no.", "(a) yes (b) no".

They are written in figures where they count the statements asked about, in a text of the same length, so that positions
stay what they are.
"""

from __future__ import annotations

import re
from typing import Final

from magistrate.parsing.ordinals import COUNTING, PLACES
from magistrate.parsing.vocabulary import Vocabulary, fold

__all__ = ["in_figures"]

_NOUN: Final = (
    "(?:statement|claim|item|sentence|fact|point|assertion|aussage|behauptung|afirmación|declaración|affirmation|énoncé"
    "|affermazione|dichiarazione|afirmação|declaração|утверждение)"
)
_FOLLOWS: Final = (
    r"[*_`)\]\"']{0,3}\s*(?:[:：=.)\]]|->|→|[-–—]\s"
    r"|(?:is|are|was|were|must|should|cannot|can|remains?|contradicts?|ist|es|est|è|é)\b)"
)
_NAMED_WORD: Final = re.compile(
    rf"(?<![^\W\d_]){_NOUN}\s+[*_`]{{0,3}}(?P<mark>{'|'.join(sorted(COUNTING, key=len, reverse=True))})(?={_FOLLOWS})",
    re.IGNORECASE,
)
_NAMED_LETTER: Final = re.compile(rf"(?<![^\W\d_])(?i:{_NOUN})s?\s+[(\[*_`\"']{{0,3}}(?P<mark>[A-Z])(?![\w'’])")
_NAMED_FIGURE: Final = re.compile(rf"(?<![^\W\d_]){_NOUN}s?\s*#?\s*\d", re.IGNORECASE)
_HEAD: Final = (
    rf"(?:^|(?<=[\n.;,|。；，]))[ \t]*(?:[-*•+][ \t]+)?[*_`]{{0,3}}(?P<mark>(?:the[ ])?"
    rf"(?P<word>{'|'.join(sorted([*COUNTING, *PLACES], key=len, reverse=True))}|\d(?:st|nd|rd|th))"
    rf"(?:[ ](?:{_NOUN}|one))?)[*_`]{{0,3}}\s*(?:[:：=][*_`]{{0,3}}|->|→|[-–—](?=\s))"
)
_WORD_HEAD: Final = re.compile(_HEAD, re.IGNORECASE)
_LETTER_HEAD: Final = re.compile(
    r"(?:^|(?<=[\s,;]))(?:[(\[](?P<mark>[A-Za-z])[)\]][:.]?|(?P<open>[A-Za-z])(?:\)|[:=](?=\s)))", re.MULTILINE
)
MOST: Final = 400
"""Counters in one text; a text with more is no answer."""
_LOOKED_AT: Final = 60

Edit = tuple[int, int, int]


def in_figures(text: str, words: Vocabulary, count: int) -> str:
    """Write the counters of a masked text in figures.

    Args:
        text: The text, with what is not the judge's wording masked.
        words: The vocabulary: a bare counter is one only where a word of the scale follows.
        count: How many statements were asked about; letters and bare counters must count them all, one by one.
    """
    if count < 2:  # noqa: PLR2004 - one statement is not counted
        return text
    text = _rewritten(
        text, [(*match.span("mark"), COUNTING[fold(match["mark"])]) for match in _some(_NAMED_WORD, text)]
    )
    text = _rewritten(text, _named_letters(text, count))
    return _rewritten(text, _in_turn(text, words, count))


def _some(pattern: re.Pattern[str], text: str) -> list[re.Match[str]]:
    found = [match for match, _ in zip(pattern.finditer(text), range(MOST + 1), strict=False)]
    return found if len(found) <= MOST else []


def _rewritten(text: str, edits: list[Edit]) -> str:
    pieces, at = [], 0
    for start, end, number in edits:
        figure = str(number)
        if len(figure) > end - start:
            continue
        pieces += [text[at:start], figure.rjust(end - start)]
        at = end
    return "".join([*pieces, text[at:]]) if pieces else text


def _named_letters(text: str, count: int) -> list[Edit]:
    """Letters behind the name of an item, where these are all that were asked about and no figures count them, too."""
    found = _some(_NAMED_LETTER, text)
    edits = [(*match.span("mark"), ord(match["mark"]) - ord("A") + 1) for match in found]
    if {number for _, _, number in edits} != set(range(1, count + 1)) or _NAMED_FIGURE.search(text):
        return []
    return [edit for edit in edits if edit[2] <= 9]  # noqa: PLR2004 - two figures have no place


def _in_turn(text: str, words: Vocabulary, count: int) -> list[Edit]:
    """Bare counters, each before a word of the scale, which count all statements one by one."""
    for pattern in (_WORD_HEAD, _LETTER_HEAD):
        found = _some(pattern, text)
        edits = []
        for match in found:
            group = "mark" if match["mark"] else "open"
            said = words.lead(fold(text[match.end() : match.end() + _LOOKED_AT].lstrip().split("\n", 1)[0]))
            if said is not None:
                edits.append((*match.span(group), _number(match)))
        numbers = [number for _, _, number in edits]
        if pattern is _WORD_HEAD:
            numbers.sort()  # "Third: yes. Second: no. First: no."
        if numbers == list(range(1, count + 1)) and len(found) == count:
            return edits
    return []


def _number(match: re.Match[str]) -> int:
    word = match.groupdict().get("word")
    if word is None:
        return ord((match["mark"] or match["open"]).casefold()) - ord("a") + 1
    word = word.casefold()
    return int(word[0]) if word[0].isdigit() else PLACES.get(word) or COUNTING[word]
