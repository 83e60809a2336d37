"""The one walk over decoded data: wrappers, JSON in strings, schemas that came back, repeated keys."""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, Final, Generic, TypeVar

from magistrate.parsing.decode.documents import decode_text
from magistrate.parsing.decode.nodes import Gap, Obj
from magistrate.parsing.rows.candidate import Candidate, Path
from magistrate.parsing.wording.fold import clean
from magistrate.parsing.wording.keys import Role, may_wrap, role_of

T = TypeVar("T")
DEEPEST: Final = 48
"""Levels of wrapping that are looked through."""
NO_ANSWER: Final = frozenset({Role.QUOTE, Role.ASIDE, Role.TOKEN})
"""Parts in which nothing is an answer: quotations, drafts, examples."""
_OPENING: Final = frozenset('{["')
_TYPES: Final = frozenset("object array string integer number boolean null".split())
_TELLING: Final = frozenset("$ref $defs $schema anyOf allOf oneOf enum".split())
_BESIDE_TYPE: Final = frozenset(
    "properties items title description enum required default minimum maximum format $ref examples "
    "additionalProperties".split()
)
_ENVELOPE: Final = frozenset(
    "properties required title description type additionalProperties $schema $defs name strict".split()
)
_LONGEST_MORE: Final = 40
_MORE: Final = re.compile(
    r"\W*(?:[.…]|\betc\b|and so (?:on|forth)|(?:and )?(?:\d+|many|several|some) (?:more|others))\W*", re.IGNORECASE
)


class Walk(ABC, Generic[T]):
    """A walk over a decoded value; a subclass says what objects and lists hold."""

    def walk(self, value: Any, path: Path = (), depth: int = 0) -> list[T]:
        """What a value holds."""
        if depth > DEEPEST:
            return []
        if isinstance(value, dict):
            if len(value) > self.widest:
                return []
            if is_schema(value):
                inner = schema_values(value)
                return [] if inner is None else self.wrapped(inner, (*path, "properties"), depth)
            return self.in_object(value, path, depth)
        if isinstance(value, list):
            return self.in_list(value, path, depth)
        inner = inner_of(value)
        return [] if inner is None else self.placed(self.walk(inner, path, depth + 1), path)

    def only(self, value: Any) -> T | None:
        """The one thing that a value holds; None where it holds none, or several with none above them."""
        found = self.walk(value)
        return found[0] if len(found) == 1 else None

    no_answer = NO_ANSWER
    widest = 500

    def wrapped(self, value: dict[str, Any], path: Path, depth: int) -> list[T]:
        """What stands one level further in; drafts, quotations and reasons in words hold nothing."""
        found: list[T] = []
        reasons: list[T] = []
        for key, item in members(value):
            role = role_of(key)
            if role in self.no_answer or (role is Role.REASON and isinstance(item, str)):
                continue
            given = key == "input" and ("name" in value or len(value) == 1)  # what a tool is called with
            if isinstance(item, str) and item.lstrip()[:1] not in _OPENING:
                continue
            if isinstance(item, dict | list | str) and (given or may_wrap(key)):
                (reasons if role is Role.REASON else found).extend(self.walk(item, (*path, key), depth + 1))
        return found or reasons

    @abstractmethod
    def in_object(self, value: dict[str, Any], path: Path, depth: int) -> list[T]:
        """What an object holds."""

    @abstractmethod
    def in_list(self, values: list[Any], path: Path, depth: int) -> list[T]:
        """What a list holds."""

    @abstractmethod
    def placed(self, found: list[T], path: Path) -> list[T]:
        """What was decoded from a string stands where the string stands."""


class Candidates(Walk[Candidate]):
    """A walk that finds candidates."""

    def placed(self, found: list[Candidate], path: Path) -> list[Candidate]:
        """What was decoded from a string stands where the string stands."""
        for one in found:
            one.path = path
        return found


def members(value: dict[str, Any]) -> Iterable[tuple[str, Any]]:
    """The members of an object, a repeated key with each of its values."""
    twice = value.twice if isinstance(value, Obj) else None
    if not twice:
        return value.items()
    return [(key, each) for key, item in value.items() for each in twice.get(key, (item,))]


def inner_of(value: Any) -> Any | None:
    """What a string holds if it is itself JSON; None for any other value."""
    if not isinstance(value, str) or value.lstrip()[:1] not in _OPENING:
        return None
    inner = decode_text(value)
    return inner if isinstance(inner, dict | list) or (isinstance(inner, str) and inner != value) else None


def is_dots(value: Any) -> bool:
    """Whether an element says that something was left out."""
    return value is Gap.ELLIPSIS or (isinstance(value, str) and is_more(value))


def is_more(text: str) -> bool:
    """Whether a text says that a list goes on: "...", "and so on", "(and 5 more)"."""
    dots = bool(text.strip()) and not text.strip(" .…")
    return dots or (len(text) <= _LONGEST_MORE and _MORE.fullmatch(text) is not None)


def reason_of(value: dict[str, Any]) -> str | None:
    """The reason among an object's own fields."""
    return next((text_of(item) for key, item in value.items() if role_of(key) is Role.REASON), None)


def text_of(item: Any) -> str | None:
    """The text that a field holds, lines of a list put together; None where it holds none."""
    return "\n".join(texts_of(item)) or None


def texts_of(item: Any) -> list[str]:
    """The texts that a field holds: one, or a list of them."""
    texts = [item] if isinstance(item, str) else item if isinstance(item, list) else []
    return [clean(text) for text in texts if isinstance(text, str) and text.strip()]


def is_schema(value: dict[str, Any]) -> bool:
    """Whether an object is a JSON schema, or answers under its words."""
    kind = value.get("type")
    if isinstance(kind, str) and kind in _TYPES and (len(value) > 1 or kind == "object"):
        return len(value) == 1 or not _BESIDE_TYPE.isdisjoint(value)
    if _TELLING & value.keys():
        return True
    return isinstance(value.get("properties"), dict) and value.keys() <= _ENVELOPE


def schema_values(value: dict[str, Any]) -> dict[str, Any] | None:
    """The members under "properties" that are values, not schemas themselves; None where there are none."""
    inner = value.get("properties")
    if not isinstance(inner, dict):
        return None
    values = {key: item for key, item in inner.items() if not (isinstance(item, dict) and _is_leaf_schema(item))}
    return values or None


def _is_leaf_schema(item: dict[str, Any]) -> bool:
    kind = item.get("type")
    return (
        is_schema(item)
        or (isinstance(kind, str) and kind in _TYPES)
        or (isinstance(kind, list) and set(map(str, kind)) <= _TYPES)
    )


def column_of(item: Any) -> list[Any] | None:
    """The cells of a column: a list, or what a data frame gives under its row labels, {"0": "yes", "1": "no"}."""
    if isinstance(item, list):
        return item
    if (
        isinstance(item, dict)
        and item
        and [*item] in ([*map(str, range(len(item)))], [*map(str, range(1, len(item) + 1))])
    ):
        return list(item.values())
    return None
