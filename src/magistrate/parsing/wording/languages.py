"""Words by language, from one file of data each; merged, since a judge may mix languages."""

import tomllib
from enum import StrEnum
from functools import cache
from importlib import resources
from typing import Final

from magistrate.parsing.switches import cached, is_on, kept
from magistrate.parsing.wording.fold import fold

_FOLDER: Final = resources.files("magistrate.parsing.wording") / "data"
_NO_LANGUAGE: Final = frozenset({"keys", "signs"})
LANGUAGES: Final = tuple(
    sorted(
        entry.name.removesuffix(".toml")
        for entry in _FOLDER.iterdir()
        if entry.name.endswith(".toml") and entry.name.removesuffix(".toml") not in _NO_LANGUAGE
    )
)
signs_of_senses: Final = kept(lambda: frozenset(word for word in senses() if len(word) == 1 and not word.isalnum()))
"""The single signs that say yes or no: check marks, crosses."""


class Sense(StrEnum):
    """What a word says, before a scale gives it a verdict."""

    YES = "yes"  # supported, in so many words or by a plain yes
    # a plain no, or false: the denial where a scale has one, the contradiction where it tells the two apart
    NO = "no"
    LACK = "lack"  # not supported: contradicted or not mentioned, it does not say which
    CONTRA = "contradicted"  # the contexts say otherwise
    UNKNOWN = "unknown"  # the contexts do not tell
    PARTLY = "partly"  # supported in part
    OFF = "off"  # an answer that is on no scale, such as "not applicable"


@cache
def _data(name: str) -> dict[str, dict[str, str]]:
    return tomllib.loads((_FOLDER / f"{name}.toml").read_text(encoding="utf-8"))


@cache
def _words(language: str) -> dict[str, str]:
    """The groups of a language by their names, which are those of one section each."""
    return {key: words for name in ("verdict", "names", "prose") for key, words in _data(language)[name].items()}


def _listed(text: str) -> list[str]:
    return [" ".join(word.split()) for word in text.split(",") if word.strip()]


@cached
def group(*keys: str) -> tuple[str, ...]:
    """The words of one or more groups in all languages, longest first; none of a group that is switched off."""
    found = {
        word
        for key in keys
        if is_on(f"words:{key}")
        for language in LANGUAGES
        for word in _listed(_words(language)[key])
    }
    return tuple(sorted(found, key=lambda word: (-len(word), word)))


@cached
def ranks(*keys: str) -> dict[str, int]:
    """The number that each word of an ordered group stands for: "second" is 2. A word with two ranks has none."""
    found: dict[str, set[int]] = {}
    for key in keys:
        for language in LANGUAGES if is_on(f"words:{key}") else ():
            for number, word in enumerate(_listed(_words(language)[key]), 1):
                found.setdefault(word, set()).add(number)
    return {word: said.pop() for word, said in found.items() if len(said) == 1}


@cached
def senses() -> dict[str, Sense]:
    """One table of the words that stand for a verdict.

    A word in capitals counts in capitals only. A word that says different things in two languages is in no table, but
    where all are a denial: then it says "not supported" and no more.
    """
    found: dict[str, set[Sense]] = {}
    for language in (*LANGUAGES, "signs"):
        data = _data(language)["verdict"]
        for sense in Sense:
            if is_on(f"words:{sense.value}"):
                for word in _listed(data.get(sense.value, "")):
                    found.setdefault(word if word.isupper() else fold(word), set()).add(sense)
    return {
        word: said.pop() if len(said) == 1 else Sense.LACK
        for word, said in found.items()
        if len(said) == 1 or said <= {Sense.NO, Sense.LACK, Sense.CONTRA}
    }


@cached
def special(section: str, key: str) -> frozenset[str]:
    """Names of fields in data that are no language's own, compact."""
    return frozenset(_data("keys")[section][key].split()) if is_on(f"words:{section}.{key}") else frozenset()
