"""Expressions built from groups of words: the only place where words of a language become patterns."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Any, Final

from pydantic_core import SchemaValidator, core_schema

from magistrate.parsing.switches import cached
from magistrate.parsing.wording.fold import fold
from magistrate.parsing.wording.languages import group

_END: Final = ""
_LONG: Final = 200
"""Characters of a text from which on a first look is worth its while."""
_TOKEN: Final = re.compile(r"[^\W_][\w'\u0300-\u036f\u0610-\u065f\u0900-\u0d7f]*|[^\w\s]")


def is_dense(word: str) -> bool:
    """Whether a word is of a script that puts no blanks between words, or joins particles to them."""
    return not word.isascii() and any(
        "\u0e00" <= char <= "\u0eff" or "\u1100" <= char <= "\u11ff" or char >= "\u2e80" for char in word
    )


def any_of(words: tuple[str, ...]) -> str:
    """A pattern of some words, without bounds: a tree by letters, so that no place is tried word by word."""
    tree: dict[str, Any] = {}
    for word in words:
        node = tree
        for char in word:
            node = node.setdefault(char, {})
        node[_END] = {}
    if not tree:
        return r"(?!)"
    firsts = "".join(sorted(re.escape(char) for char in tree if char not in {" ", "*"}))
    return f"(?=[{firsts}]){_source(tree)}"


def _source(node: dict[str, Any]) -> str:
    parts = [_letter(char) + _source(inner) for char, inner in sorted(node.items()) if char != _END]
    if not parts:
        return ""
    body = "|".join(parts)
    if _END in node:
        return f"(?:{body})?"
    return body if len(parts) == 1 else f"(?:{body})"


def _letter(char: str) -> str:
    return {" ": r"[\s_]+", "*": r"\w*", "'": "['\u2019]"}.get(char) or re.escape(char)


@cached
def either(*keys: str) -> str:
    """A pattern of the words of some groups, without bounds; it never matches where there are none."""
    return f"(?:{any_of(group(*keys))})"


class Phrases:
    """The words of some groups, to be found whole in a text, in any case, in linear time."""

    def __init__(self, words: tuple[str, ...]) -> None:
        self._dense = tuple(fold(word.rstrip("*")) for word in words if is_dense(word))
        self._screen = Screen(fold(word) for word in words)
        self._phrases: dict[str, list[tuple[str, ...]]] = {}
        self._stems: set[str] = set()
        for word in words:
            parts = tuple(_TOKEN.findall(fold(word)))
            if is_dense(word) or not parts:
                continue
            if word.endswith("*") and len(parts) <= 2:  # noqa: PLR2004 - the stem, and its star
                self._stems.add(parts[0])
            else:
                self._phrases.setdefault(parts[0], []).append(tuple(part for part in parts if part != "*"))
        self._shortest = min((len(stem) for stem in self._stems), default=0)

    def search(self, text: str) -> bool:
        """Whether one of the words stands in a text."""
        folded = fold(text)
        if len(folded) > _LONG and not self._screen.search(folded):
            return False
        tokens = _TOKEN.findall(folded)
        for at, token in enumerate(tokens):
            for phrase in self._phrases.get(token, ()):
                if len(phrase) == 1 or tuple(tokens[at : at + len(phrase)]) == phrase:
                    return True
            if self._stems and any(token[:size] in self._stems for size in range(self._shortest, len(token) + 1)):
                return True
        return not folded.isascii() and any(word in folded for word in self._dense)


class Screen:
    """A first look, for many words at once, whether one of them may stand in a text.

    A hundred times faster than an expression of `re`: it is searched for by the engine of Pydantic's validator.

    Args:
        words: The words, in lower case.
        beside: A further expression.
    """

    def __init__(self, words: Iterable[str], beside: str = "") -> None:
        self._words = [word.lower().replace("\u0131", "i") for word in words]
        self._beside = [beside] if beside else []

    def search(self, text: str) -> bool:
        """Whether a word may stand in a text, in any case, perhaps within another word."""
        lowered = text.lower()
        if lowered.isascii():
            return self._plain(lowered)
        plain = lowered.replace("\u0131", "i").replace("\u0307", "")  # "\u0130" is an i with a dot
        return self._foreign(plain.encode(errors="replace").decode())

    @cached_property
    def _plain(self) -> Callable[[str], bool]:
        return self._holds([word for word in self._words if word.isascii()], r"[ \t-\r_\x1c-\x1f]+")

    @cached_property
    def _foreign(self) -> Callable[[str], bool]:
        return self._holds(self._words, r"[\s_\x1c-\x1f]+")

    def _holds(self, words: Iterable[str], blank: str) -> Callable[[str], bool]:
        listed = [re.escape(word).replace(r"\*", "").replace(r"\ ", blank).replace("'", "['\u2019]") for word in words]
        pattern = "|".join([*listed, *self._beside]) or "[^\\x00-\\U0010ffff]"
        return SchemaValidator(core_schema.str_schema(pattern=pattern)).isinstance_python


class Guarded:
    """An expression that holds one of some words wherever it matches: built, and tried, only where one may stand.

    Args:
        words: The words.
        build: Builds the expression.
    """

    def __init__(self, words: Iterable[str], build: Callable[[], re.Pattern[str]]) -> None:
        self._screen = Screen(words)
        self._build = build

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return self._build()

    def match(self, text: str) -> re.Match[str] | None:
        """As of the expression."""
        return self._pattern.match(text) if self._screen.search(text) else None

    def search(self, text: str) -> re.Match[str] | None:
        """As of the expression."""
        return self._pattern.search(text) if self._screen.search(text) else None

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """As of the expression."""
        return self._pattern.finditer(text) if self._screen.search(text) else iter(())

    def sub(self, by: str, text: str) -> str:
        """As of the expression."""
        return self._pattern.sub(by, text) if self._screen.search(text) else text


@cached
def prose(*keys: str) -> Phrases:
    """The words of some groups of prose."""
    return Phrases(group(*keys))


@cached
def vocabulary(*keys: str) -> frozenset[str]:
    """The words of some groups, each as it is written."""
    return frozenset(group(*keys))
