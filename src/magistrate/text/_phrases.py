"""Sentences that no lexical judge can compare with a passage: courtesies, and statements about what a source lacks.

A courtesy ("I hope this helps!") states nothing. Whether "The passage does not say when" holds cannot be seen from
words the two share: the fewer they share, the truer it is. Both have to be known, in every language that is judged.
"""

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

from magistrate.text._fold import EAST_ASIAN, entry, fold, languages, lines, words
from magistrate.text._language import detect_language, main_script
from magistrate.text._terms import text_runs

# How near the words have to be to each other, in words.
_NEAR: Final = 9
_BESIDE: Final = 3


@cache
def _phrases(*codes: str) -> tuple[str, ...]:
    """What is said of oneself, or without naming a source; folded, words apart by one space."""
    written = (line for code in codes for line in entry(code, "abstention.phrases").splitlines() if line)
    return tuple(" ".join(fold(line).replace("'", " ").replace("-", " ").split()) for line in written)


@cache
def _phrases_of_words() -> tuple[str, ...]:
    return _phrases(*(code for code in languages() if code not in EAST_ASIAN))


def is_about_the_source(runs: Sequence[str], language: str | None) -> bool:
    """Whether a statement says that a source lacks something, or that its speaker does not know."""
    sources, denials = words(language, "abstention.sources"), words(language, "abstention.denials")
    if language in EAST_ASIAN and sources:
        text = "".join(runs)
        if any(phrase in text for phrase in _phrases(language)):
            return True
        return any(source in text for source in sources) and any(denial in text for denial in denials)
    line = " ".join(runs)
    if any(map(line.__contains__, _phrases_of_words())):
        return True
    places = [index for index, run in enumerate(runs) if run in denials] if sources else []
    return any(_denies_saying(runs, index, language) or _denies_matter(runs, index, language) for index in places)


def says_what_is_missing(sentence: str) -> bool:
    """Whether a sentence says, in whatever language, that a source lacks something or its speaker does not know it."""
    runs = text_runs(sentence)
    return is_about_the_source(runs, detect_language(main_script(sentence), runs))


def _denies_saying(runs: Sequence[str], index: int, language: str | None) -> bool:
    """Whether a denial is one of saying: "The passage does not say", "Der Text erwähnt das nicht"."""
    sources = words(language, "abstention.sources")
    if sources.isdisjoint(runs[max(0, index - _NEAR) : index + _NEAR + 1]):
        return False
    ahead, behind = entry(language, "abstention.ahead"), entry(language, "abstention.behind")
    says = tuple(words(language, "abstention.says"))
    return any(run.startswith(says) and run not in sources for run in runs[max(0, index - ahead) : index + 1 + behind])


def _denies_matter(runs: Sequence[str], index: int, language: str | None) -> bool:
    """Whether a denial is one of matter: "There is no information", "Es gibt keine Angaben"."""
    if words(language, "abstention.exists").isdisjoint(runs[max(0, index - _BESIDE) : index + _BESIDE]):
        return False
    matters = tuple(words(language, "abstention.matters"))
    return any(run.startswith(matters) for run in runs[index + 1 : index + 1 + _BESIDE])


# Only whole sentences that begin like one of these, are short, and hold no digit: one that goes on with content ("Of
# course the fee is ...") is longer or does not begin like that.
_LONGEST: Final = 160
_WORDS: Final = re.compile(r"[^\W_]+")
_DIGIT: Final = re.compile(r"\d")
_MARKS: Final = " \t\n\"'“”„«»*_#>-–—(["


def _folded(text: str) -> str:
    return " ".join(_WORDS.findall(fold(text)))


_MOST_WORDS: Final = 22


@cache
def _courtesies(*kinds: str) -> tuple[str, ...]:
    return tuple(_folded(line) for kind in kinds for line in lines(f"courtesies.{kind}"))


@cache
def _beginnings() -> frozenset[str]:
    """Their first two characters: most sentences begin like none of these, which shows at once."""
    return frozenset(phrase[:2] for phrase in _courtesies("whole", "openings", "leads"))


def is_courtesy(sentence: str) -> bool:
    """Whether a sentence is a greeting, thanks, an offer of help, or only leads to what follows ("Here they are:")."""
    begins = fold(sentence[:24]).strip(_MARKS).replace("'", " ")[:2]
    if len(sentence) > _LONGEST or begins not in _beginnings() or _DIGIT.search(sentence):
        return False
    folded = _folded(sentence)
    if folded in _courtesies("whole"):
        return True
    if folded.count(" ") >= _MOST_WORDS:
        return False
    leads = sentence.rstrip(_MARKS).endswith((":", "：")) and folded.startswith(_courtesies("leads"))
    return leads or folded.startswith(_courtesies("openings"))
