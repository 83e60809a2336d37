"""Expressions built from groups of words: the only place where words of a language become patterns."""

from __future__ import annotations

import re

from magistrate.parsing.switches import cached
from magistrate.parsing.wording.fold import fold
from magistrate.parsing.wording.languages import group

__all__ = ["either", "names", "prose", "vocabulary"]


def _source(word: str) -> str:
    """The pattern of one word: blanks of any width, a star for any ending, whole where its script parts words."""
    body = re.escape(word).replace(r"\ ", r"\s+").replace("'", "['\u2019]").replace(r"\*", r"\w*")
    if is_dense(word):
        return body
    return (r"\b" if word[0].isalnum() else "") + body + (r"\b" if word[-1].isalnum() else "")


def is_dense(word: str) -> bool:
    """Whether a word is of a script that puts no blanks between words, or joins particles to them."""
    return any("\u0e00" <= char <= "\u0eff" or "\u1100" <= char <= "\u11ff" or char >= "\u2e80" for char in word)


@cached
def either(section: str, *keys: str) -> str:
    """A pattern of the words of some groups, without bounds, longest first; it never matches where there are none."""
    words = group(section, *keys)
    return "|".join(re.escape(word).replace(r"\ ", r"[\s_]+") for word in words) or r"(?!)"


def names(*keys: str) -> str:
    """A pattern of what the parts of an answer are called."""
    return either("names", *keys)


@cached
def prose(*keys: str) -> re.Pattern[str]:
    """An expression that finds one of the words of some groups, whole, in any case."""
    words = group("prose", *keys)
    return re.compile("|".join(map(_source, words)) or r"(?!)", re.IGNORECASE)


@cached
def vocabulary(section: str, *keys: str) -> frozenset[str]:
    """The words of some groups, each in the form in which words are compared."""
    return frozenset(map(fold, group(section, *keys)))
