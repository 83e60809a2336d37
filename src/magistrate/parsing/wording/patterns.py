"""Expressions built from groups of words: the only place where words of a language become patterns."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, partial
from typing import Any, Final

from pydantic_core import SchemaValidator, core_schema

from magistrate.parsing.switches import cached, keep_in_step
from magistrate.parsing.wording.fold import COVERS, ECHO, fold
from magistrate.parsing.wording.languages import group, ranks, special

DENSE: Final = "\u2e80-\u9fff\uac00-\ud7a3"
"""Scripts whose words join a label of Latin letters without a blank: "回答B更好"."""
_END: Final = ""
_LONG: Final = 200
"""Characters of a text from which on a first look is worth its while."""
_TOKEN: Final = re.compile(r"[^\W_][\w'\u0300-\u036f\u0610-\u065f\u0900-\u0d7f]*|[^\w\s]")
QUALITIES: Final = (
    *"supported support faithful grounded entailed attributable correct factual consistent accurate".split(),
    *("factually consistent", "factually accurate", "factually correct", "can be inferred"),
)
MORE_ITEMS: Final = tuple("case criterion point item answer question".split())
NAMED: Final[dict[str, str | Callable[[], str]]] = {
    **COVERS,
    "DENSE": DENSE,
    "ITEM": rf"(?:{{item|number}}|{{verdict}}|{'|'.join(MORE_ITEMS)})",
    "ITEMS": r"(?:{ITEM}(?:s|es|n|en)?)",
    "VERDICT": rf"(?:{{verdict|answer}}|{'|'.join(QUALITIES)})",
    "ARTICLE": lambda: any_of(word for word in group("function") if word not in vocabulary("negation", "none")),
    "WHICH": lambda: any_of(special("special", "which")),
    "NUMBER_WORD": lambda: any_of(ranks("numbers")),
    "ORDINAL": lambda: any_of(ranks("ordinals")),
}
"""What stands for a name in capitals in an expression: signs that cover; what a statement is called before its number,
and a verdict before its sign; what stands before a noun and denies nothing, or before the name of what was judged."""
_SHORT: Final = 4
_LETTER: Final = re.compile("[^\x00-\x7f\u2000-\u206f\ue000-\ue002]")
"""A sign that is no plain one, no mark of punctuation, and covers nothing."""
_DENSE_SIGN: Final = re.compile("[\u0e00-\u0eff\u1100-\u11ff\u2e80-\U0010ffff]")
_MANY: Final = 12
_FEW: Final = 128
_INNER: Final = re.compile(r"(?<=[a-z])[^a-z*]+(?=[a-z])")
_METHODS: Final = ("match", "search", "fullmatch", "finditer", "findall", "split", "sub", "subn")


def is_dense(word: str) -> bool:
    """Whether a word is of a script that puts no blanks between words, or joins particles to them."""
    return not word.isascii() and _DENSE_SIGN.search(word) is not None


def any_of(words: Iterable[str]) -> str:
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
    parts = {char: _letter(char) + _source(inner) for char, inner in sorted(node.items()) if char != _END}
    if not parts:
        return ""
    alike = ["".join(parts)[at : at + _MANY] for at in range(0, len(parts), _MANY)]
    listed = ["|".join(map(parts.__getitem__, chars)) for chars in alike]
    if len(alike) > 1:  # most are passed over by one look
        pairs = zip(alike, listed, strict=True)
        listed = [f"(?=[{chars}])(?:{one})" if chars.isalpha() else one for chars, one in pairs]
    body = "|".join(listed)
    if _END in node:
        return f"(?:{body})?"
    return body if len(parts) == 1 else f"(?:{body})"


def _letter(char: str) -> str:
    return {" ": r"[\s_]+", "*": r"\w*", "'": "['\u2019]"}.get(char) or re.escape(char)


@cached
def either(*keys: str) -> str:
    """A pattern of the words of some groups, without bounds; it never matches where there are none."""
    return f"(?:{any_of(group(*keys))})"


_KINDS: Final[dict[str | None, Callable[[str], bool]]] = {
    None: bool,
    "dense": is_dense,
    "plain": lambda word: not is_dense(word),
    "foreign": lambda word: not word.isascii(),
    "single": lambda word: " " not in word,
    "several": lambda word: " " in word,
    "long": lambda word: len(word) > _SHORT and " " not in word,
}
_SLOT: Final = re.compile(rf"(?<!\\)\{{(?:({'|'.join(filter(None, _KINDS))}):)?([A-Za-z][\w|]*)\}}")


def fill(source: str, **parts: str | Callable[[], str]) -> str:
    """An expression with words where it names groups of them: "{own|therefore}" stands for those of both.

    "{dense:own}" stands for those of scripts without blanks, "{plain:own}" for the others, "{single:own}" for those
    that are one word, "{several:own}" for the others; "{DATA}" for what `NAMED` has, or `parts`.
    """

    def filled(slot: re.Match[str]) -> str:
        part = parts.get(slot[2], NAMED.get(slot[2]))
        if part is None:
            return f"(?:{any_of(_words_of(slot))})" if slot[1] else either(*slot[2].split("|"))
        said = fill(part, **parts) if isinstance(part, str) else part()
        return said if slot[2].isupper() and isinstance(part, str) else f"(?:{said})"

    return _SLOT.sub(filled, source)


def _words_of(slot: re.Match[str]) -> tuple[str, ...]:
    return tuple(filter(_KINDS[slot[1]], group(*slot[2].split("|"))))


class Phrases:
    """The words of some groups, to be found whole in a text, in any case, in linear time."""

    def __init__(self, words: Iterable[str]) -> None:
        words = [*words]
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
        if _LETTER.search(lowered) is None:
            return self._plain(lowered.replace("\u2019", "'").replace(ECHO, "0").encode("ascii", "replace").decode())
        plain = lowered.replace("\u0131", "i").replace("\u0307", "")  # "\u0130" is an i with a dot
        return self._foreign(plain.encode(errors="replace").decode())

    @cached_property
    def _plain(self) -> Callable[[str], bool]:
        """For text of ASCII signs, which are told apart as little as can be: the smaller its tables, the faster."""
        return self._holds([_INNER.sub(" ", word) for word in self._words if word.isascii()], "[^a-z]+", plain=True)

    @cached_property
    def _foreign(self) -> Callable[[str], bool]:
        return self._holds(self._words, r"[\s_\x1c-\x1f]+")

    def _holds(self, words: list[str], blank: str, *, plain: bool = False) -> Callable[[str], bool]:
        kept: list[str] = []
        for word in sorted(word.replace("*", "") for word in words):
            if not (kept and word.startswith(kept[-1])):  # one that begins with another is found with it
                kept.append(word)
        listed = [re.escape(word).replace(r"\ ", blank).replace("'", "['\u2019]") for word in kept]
        pattern = "|".join([*listed, *self._beside]) or "[^\\x00-\\U0010ffff]"
        if plain:
            pattern = pattern.replace("\u2019", "").replace(r"\d", "0-9").replace("[^", r"[\x00-\x7f--")
        if len(kept) > _FEW:  # they have so many beginnings that a look for those first takes longer than it saves
            pattern = f"^{'[[:ascii:]]' if plain else '(?s:.)'}*?(?:{pattern})"
        return SchemaValidator(core_schema.str_schema(pattern=pattern)).isinstance_python


class WordPattern:
    """An expression in which words of the tables stand, built where it is first used; its methods are those of `re`.

    Args:
        source: The expression, as `fill` has it.
        flags: Its flags.
        near: Words of which one stands wherever it matches, "{is}" for those of a group: it is built, and tried, only
            where one may stand.
        parts: What stands for further names in it.
    """

    match: Callable[..., re.Match[str] | None]
    search: Callable[..., re.Match[str] | None]
    fullmatch: Callable[..., re.Match[str] | None]
    finditer: Callable[..., Iterator[re.Match[str]]]
    findall: Callable[..., list[Any]]
    split: Callable[..., list[Any]]
    sub: Callable[..., str]
    subn: Callable[..., tuple[str, int]]

    def __init__(
        self, source: str, flags: int = re.IGNORECASE, *, near: Iterable[str] = (), **parts: str | Callable[[], str]
    ) -> None:
        self._source, self._flags, self._near, self._parts = source, flags, tuple(near), parts
        keep_in_step(self)

    def __getattr__(self, name: str) -> Any:
        """A method of the expression, kept as a member of its own."""
        if name not in _METHODS:
            raise AttributeError(name)
        method = partial(self._tried, name) if self._near else getattr(self.expression, name)
        setattr(self, name, method)
        return method

    @cached_property
    def expression(self) -> re.Pattern[str]:
        """The expression itself."""
        return re.compile(fill(self._source, **self._parts), self._flags)

    @cached_property
    def _screen(self) -> Screen:
        return Screen(one for word in self._near for one in _words_near(word))

    def _tried(self, name: str, *args: Any) -> Any:
        text = args[name == "sub"]
        if self._screen.search(text):
            return getattr(self.expression, name)(*args)
        return iter(()) if name == "finditer" else text if name == "sub" else None

    def forget(self) -> None:
        """Drop what was built, as the words may have changed."""
        for name in (*_METHODS, "expression", "_screen"):
            vars(self).pop(name, None)


def _words_near(source: str) -> list[str]:
    slot = _SLOT.search(source)
    return [source] if slot is None else [source.replace(slot[0], word) for word in _words_of(slot)]


AnyPattern = re.Pattern[str] | WordPattern


@cached
def prose(*keys: str) -> Phrases:
    """The words of some groups of prose."""
    return Phrases(group(*keys))


@cached
def vocabulary(*keys: str) -> frozenset[str]:
    """The words of some groups, each as it is written."""
    return frozenset(group(*keys))


@cached
def plurals(*keys: str) -> frozenset[str]:
    """The words of some groups, each with its plural."""
    return frozenset(form for word in group(*keys) for form in (word, f"{word}s"))
