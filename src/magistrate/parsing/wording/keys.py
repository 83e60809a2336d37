"""The names judges give to the parts of a row, in any language: which part a key names.

Keys are compared in a compact form ("Statement_ID " is "statementid"); a key of six letters or more may be one letter
off. What no table holds has no role.
"""

import re
from collections.abc import Iterable
from enum import StrEnum
from typing import Final

from magistrate.parsing.switches import cached, cached_for
from magistrate.parsing.wording.fold import compact
from magistrate.parsing.wording.languages import Sense, group, senses, special
from magistrate.parsing.wording.patterns import is_dense

SHORTEST_NEAR: Final = 5
LONGEST_NEAR: Final = 24
"""Letters of a key that may be one letter off. A digit never is: "statement1" is no misspelt "statements"."""
_SHORT: Final = 4
_RESULTS: Final = ("result", "status", "outcome", "conclusion", "assessment")
LONGEST_KEY: Final = 64
"""No key of any table is longer; a reply may hold a megabyte of key."""
_COUNTING: Final = frozenset({"ids", "index", "indices", "indexes", "count", "counts"})
_PARTS_OF_KEY: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\d_A-Za-z]+")


class Role(StrEnum):
    """The part of a row that a key names."""

    ID = "id"
    ECHO = "echo"
    VERDICT = "verdict"
    WEAK_VERDICT = "weak"  # may hold a verdict where nothing better does: "answer", "score", "status"
    REASON = "reason"
    QUOTE = "quote"
    PROBABILITY = "probability"
    TOKEN = "token"  # noqa: S105 - a part of a reply, not a password
    ASIDE = "aside"  # never holds the answer: drafts, examples, schemas, what was put in


_NAMES: Final = {
    Role.ID: ("number",),
    Role.ECHO: ("item",),
    Role.VERDICT: ("verdict",),
    Role.WEAK_VERDICT: ("answer",),
    Role.REASON: ("reason",),
    Role.QUOTE: ("quote",),
}
"""The groups of words that name a part in text, too."""


@cached
def _roles() -> dict[str, Role]:
    found = dict.fromkeys(special("special", "thinking"), Role.REASON)
    for role in set(Role) - {Role.REASON}:
        for key in special("keys", role.value):
            found.setdefault(key.replace("_", ""), role)
    for role, keys in _NAMES.items():
        for name in group(*keys):
            found.setdefault(compact(name), role)
    return found


@cached
def _close() -> dict[int, list[tuple[str, Role]]]:
    found: dict[int, list[tuple[str, Role]]] = {}
    for key, role in _roles().items():
        if len(key) > SHORTEST_NEAR and key.isascii():
            found.setdefault(len(key), []).append((key, role))
    return found


@cached
def _polarities() -> dict[str, Sense]:
    senses = (Sense.CONTRA, Sense.LACK, Sense.UNKNOWN, Sense.PARTLY)
    return {key: sense for sense in senses for key in special("polarity", sense.value)}


def polarity_of(key: str) -> Sense | None:
    """The verdict other than "supported" that a key names: "hallucinated"; None for any other key."""
    return _polarities().get(compact(key)) if len(key) <= LONGEST_KEY else None


def asks_support(key: str) -> bool:
    """Whether a key asks whether the statement is supported, so that a no is only "not supported"."""
    return is_named(key, "support")


def is_named(key: str, *kinds: str) -> bool:
    """Whether a key is one of the special names of some kinds: "score", "of_all", "abstention"."""
    return len(key) <= LONGEST_KEY and _is_named(key, kinds)


@cached_for(1024)
def _is_named(key: str, kinds: tuple[str, ...]) -> bool:
    name = compact(key)
    return any(name in special("special", kind) for kind in kinds)


def role_of(key: str, *, near: bool = True) -> Role | None:
    """Which part of a row a key names; None where no table holds it.

    A key of five letters or more counts with one letter missing, added, changed or swapped, if that leaves one role.
    """
    if len(key) > LONGEST_KEY:
        return None
    return _role(key) if near else _roles().get(compact(key))


def parts_of_key(key: str) -> list[str]:
    """The words of a key: "winner_after_review"."""
    return [compact(one) for one in _PARTS_OF_KEY.findall(key[:LONGEST_KEY])]


@cached
def _dense_names() -> re.Pattern[str]:
    """The names in a key of a script without blanks, and each sign that is in none."""
    names = sorted((name for name in _roles() if is_dense(name)), key=len, reverse=True)
    return re.compile(rf"{'|'.join(map(re.escape, names))}|[\u2e80-\uffef]")


_NO_WRAPPER: Final = frozenset({None, Role.ID, Role.ASIDE})


@cached
def _wrapping() -> frozenset[str]:
    given = {compact(one) for one in group("judged", "quote")}  # what was judged, and by what
    return (special("special", "wrapper") | special("special", "aspect")) - given


@cached_for(1024)
def may_wrap(key: str) -> bool:
    """Whether what stands under a key may be the judge's own answer: each word of the key is known to say so."""
    name = compact(key)
    if len(key) > LONGEST_KEY or polarity_of(key) is not None:
        return False
    if not _COUNTING.isdisjoint(parts_of_key(key)[-1:]):
        return False  # "statement_ids"
    misspelt = role_of(key) is Role.VERDICT and name not in senses()
    if (
        misspelt
        or role_of(key, near=False) not in _NO_WRAPPER
        or is_named(key, "wrapper", "aspect", "quality", "score", "overall", "of_all", "label")
    ):
        return True
    return _made_of(key, _wrapping())


@cached_for(1024)
def is_wrapper(key: str) -> bool:
    """Whether a name is known to be put around an answer, or to be that of one: a tag's, no lead-in's."""
    named = is_named(key, "wrapper", "aspect", "quality", "score", "overall", "label")
    return named or _made_of(
        key, special("special", "wrapper") | special("special", "aspect") - {"number", "num", "id", "ids"}
    )


def _made_of(key: str, known: frozenset[str]) -> bool:
    name = compact(key)
    parts = [compact(one) for one in (_dense_names().findall(key) or _PARTS_OF_KEY.findall(key))]
    return not any(map(polarity_of, parts)) and all(
        (len(one) == 1 and one.isascii()) or one in known or _roles().get(one) not in _NO_WRAPPER
        for one in parts or [name]
    )


def names_others(words: Iterable[str]) -> bool:
    """Whether a few words name somebody else, a draft or an example."""
    return not (special("special", "others") | special("keys", Role.ASIDE.value)).isdisjoint(words)


def is_other_aspect(key: str) -> bool:
    """Whether a key names a quality that is not whether something is supported: "fluency"."""
    return is_named(key, "aspect") and role_of(key) is None and not is_named(key, "quality", "support")


def is_own_name(key: str, names: frozenset[str] = frozenset()) -> bool:
    """Whether a key says no more than that it is the name of an answer, such as one of `names`: "final_verdict"."""
    own = special("special", "verdict") | special("special", "qualifier") | names
    parts = parts_of_key(key)
    for word in sorted(own, key=len, reverse=True):
        parts = [
            rest for one in parts if (rest := one if len(word) < _SHORT and one != word else one.replace(word, ""))
        ]
    return not parts and any(map(str.isalpha, key))


@cached
def _judged() -> frozenset[str]:
    return frozenset(map(compact, group("judged")))


@cached_for(4096)
def _role(key: str) -> Role | None:
    name = compact(key)
    role = _roles().get(name)
    if role is None and name in _polarities():
        return None
    if role is None and name.isalpha() and any(word in name for word in special("special", "verdict")):
        return Role.WEAK_VERDICT if is_own_name(key) else Role.ASIDE  # "previous_verdict", "human_label"
    if role is None and name.endswith(_RESULTS) and is_own_name(key):
        return Role.WEAK_VERDICT  # "verification_result"
    if name in _judged():
        return role  # "context" is no misspelt "content"
    if role is not None or not SHORTEST_NEAR <= len(name) <= LONGEST_NEAR or not name.isalpha() or not name.isascii():
        return role
    close = (pair for length in (len(name) - 1, len(name), len(name) + 1) for pair in _close().get(length, ()))
    found = {role for other, role in close if _one_off(name, other)}
    return found.pop() if len(found) == 1 else None


def _one_off(left: str, right: str) -> bool:
    """Whether two words differ by one letter missing, added or changed, or two neighbours swapped."""
    if len(left) > len(right):
        left, right = right, left
    start = 0
    while start < len(left) and left[start] == right[start]:
        start += 1
    if len(left) < len(right):
        return left[start:] == right[start + 1 :]
    if left[start + 1 :] == right[start + 1 :]:
        return True
    return left[start : start + 2] == right[start : start + 2][::-1] and left[start + 2 :] == right[start + 2 :]
