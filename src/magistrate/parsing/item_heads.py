"""Numbers at the head of a line that begin no item, and sentences in one that are about another."""

from __future__ import annotations

import re
from typing import Final

from magistrate.parsing.decode.nodes import Span
from magistrate.parsing.item_wording import VERDICT_NAMES, either
from magistrate.parsing.prose import Prose
from magistrate.parsing.vocabulary import Vocabulary, fold
from magistrate.verdict import Verdict

__all__ = [
    "gives_figure",
    "is_lone_word",
    "is_sentence",
    "leads_in",
    "leads_on",
    "leads_to_another",
    "of_another",
    "verdict_before",
    "words_before",
]


def is_sentence(rest: str, words: Vocabulary) -> bool:
    """Whether a sentence goes on behind "Statement 1" that says nothing in its first word: "might be supported"."""
    return _LOWER.match(rest) is not None and words.lead(fold(rest)) is None


_LOWER: Final = re.compile(r"\s+[a-z]+\s+[a-z]")


def gives_figure(match: re.Match[str], rest: str) -> bool:
    """Whether the number is the value of a verdict, or stands behind one: "Verdict: 1 (no)", "No (2), yes (1)"."""
    name = match.groupdict().get("name") or ""
    head = match.group()[: match.end("sign") - match.start()]
    if _NO.match(match.group()) and (
        "(" in head or (head.rstrip()[-1:] == "]" and not rest.strip()) or _YES.search(rest)
    ):
        return True
    return (
        not match["sign"].strip()
        and rest.lstrip()[:1] in {"(", "（"}
        and name.rstrip(" *_`\"'")[-1:] in {":", "：", "="}
    )


_NO: Final = re.compile(r"[\s*_`-]*no?[*_`]{0,3}\s*[:(\[（：=]", re.IGNORECASE)
"""A word or an abbreviation: "No (2), yes (1)", "No: 2"."""
_YES: Final = re.compile(r"(?<!\w)(?:y|yes|n|no)[*_`]{0,3}\s?[:(\[（：=]\s?\d", re.IGNORECASE)


def of_another(number: int | None, start: int, text: str, span: Span) -> bool:
    """Whether what gives the verdict of an item is a sentence about the statement of another number."""
    named = list(_NAMED.finditer(text, max(start, span[0] - _NEAR), span[1]))
    return bool(named) and number is not None and int(named[-1]["number"]) != number


_NAMED: Final = re.compile(
    r"(?<![\w.])(?:statement|claim|item|sentence|fact)\s*#?\s*(?P<number>\d{1,3})\s+(?:is|are|was|were)\b",
    re.IGNORECASE,
)
_NEAR: Final = 40


def leads_on(text: str) -> bool:
    """Whether a line goes on in the next one: "the page says"."""
    return _GOES_ON.search(text[-_SHORT:]) is not None


_SHORT: Final = 40
_GOES_ON: Final = re.compile(
    r"(?:[,:：]|\b(?:says?|said|states?|reads?|writes?|that|the|and|or|of))\s*$", re.IGNORECASE
)


def words_before(start: int, prose: Prose, words: Vocabulary) -> bool:
    """Whether lines before a place are words of the scale and nothing else: a list of which one row got a number."""
    bare = (line.text.strip(" \t\r*•+-–—") for line in prose.lines() if line.end <= start)
    return any(isinstance(words.word(text), Verdict) for text in bare if text)


def verdict_before(start: int, prose: Prose, words: Vocabulary) -> bool:
    """Whether the line right before a place gives a verdict under its name: each stands before its statement."""
    lines = [line.text for line in prose.lines() if line.end <= start and line.text.strip()]
    match = _VERDICT_LINE.match(lines[-1]) if lines else None
    return match is not None and isinstance(words.word(lines[-1][match.end() :]), Verdict)


_VERDICT_LINE: Final = re.compile(
    rf"[ \t]*+(?:[-*•+][ \t]++)?[*_`]{{0,3}}(?:{either(VERDICT_NAMES)})[*_`]{{0,3}}[ \t]*+[:：=][ \t*_`]*+",
    re.IGNORECASE,
)


def leads_in(rest: str, words: Vocabulary) -> bool:
    """Whether what follows a number without a sign begins with a word of the scale: it is an item, no sentence."""
    return words.lead(fold(rest), numbers=False) is not None


def is_lone_word(rest: str, words: Vocabulary) -> bool:
    """Whether all that follows a number is a word of the scale: "1 yes"."""
    return not rest.strip().isdigit() and isinstance(words.word(rest), Verdict)


def leads_to_another(sign: str, rest: str) -> bool:
    """Whether an arrow leads from the number of an item to another number: "1->2: yes" is about either."""
    return _ARROW.search(sign) is not None and _ANOTHER.match(rest) is not None


_ARROW: Final = re.compile(r"[-=]>|[\u2192\u21d2]")
_ANOTHER: Final = re.compile(r"[ \t]{0,4}\d{1,4}[ \t]{0,4}[:\uff1a=]")
