"""A label in data: the field of an object that names the choice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from magistrate.parsing.rows.candidate import Candidate, Path
from magistrate.parsing.rows.walk import Walk, members, text_of
from magistrate.parsing.switches import cached
from magistrate.parsing.wording.fold import compact
from magistrate.parsing.wording.keys import Role, is_named, role_of
from magistrate.parsing.wording.languages import group
from magistrate.verdict import IssueCode

WIDEST: Final = 500
_LONGEST_KEY: Final = 64
_LONGEST: Final = 400


@cached
def _names() -> frozenset[str]:
    return frozenset(compact(name) for name in group("names", "winner"))


def is_label_name(key: str) -> bool:
    """Whether a key or a name in text stands before a label."""
    name = compact(key[:_LONGEST_KEY])
    return (
        role_of(key) in {Role.VERDICT, Role.WEAK_VERDICT}
        or name.removeprefix("final") in _names()
        or is_named(name.removeprefix("final"), "label", "score")
    )


class LabelFields(Walk[Candidate]):
    """Finds the label of a decoded value."""

    def __init__(self, read: Callable[[str], str | None], opposite: Callable[[str], str | None]) -> None:
        self._read = read
        self._opposite = opposite

    def placed(self, found: list[Candidate], path: Path) -> list[Candidate]:
        """What was decoded from a string stands where the string stands."""
        for one in found:
            one.path = path
        return found

    def in_list(self, values: list[Any], path: Path, depth: int) -> list[Candidate]:
        """What a list of one element holds; of more, nobody can tell which is meant."""
        if len(values) != 1:
            return []
        if isinstance(values[0], dict | list):
            return self.walk(values[0], (*path, 0), depth + 1)
        return self._leaf(values[0], (*path, 0), None)

    def in_object(self, value: dict[str, Any], path: Path, depth: int) -> list[Candidate]:
        """The labels among an object's own fields; else what its only telling member holds."""
        if len(value) > WIDEST:
            return []
        reason = next((text_of(item) for key, item in value.items() if role_of(key) is Role.REASON), None)
        named = [
            one
            for key, item in members(value)
            if is_label_name(key) and not isinstance(item, dict | list)
            for one in self._leaf(item, (*path, key), reason)
        ]
        telling = [one for one in named if not isinstance(one.value, IssueCode)]
        if telling:
            twice = len(named) > len({one.path for one in named})
            return named if twice else telling
        nested = [
            found
            for key, item in members(value)
            if isinstance(item, dict | list | str)
            and role_of(key) not in {Role.QUOTE, Role.ASIDE, Role.REASON}
            and (found := self.walk(item, (*path, key), depth + 1))
        ]
        if len(nested) == 1 or named:
            return nested[0] if len(nested) == 1 else named[:1]
        return [
            one
            for key, item in members(value)
            for one in (self._aspect(key, item, (*path, key), reason) if isinstance(item, str | bool) else ())
        ]

    def _aspect(self, key: str, item: str | bool, path: Path, reason: str | None) -> list[Candidate]:
        """What stands under the name of a quality, "correctness": "incorrect"; a choice that holds or does not."""
        if isinstance(item, str):
            found = self._leaf(item, path, reason) if is_named(key, "aspect", "quality") else []
            return [one for one in found if not isinstance(one.value, IssueCode)]
        choice = self._read(key[:_LONGEST_KEY])
        label = choice if item or choice is None else self._opposite(choice)
        return [] if label is None else [Candidate(label, item, path=path, reason=reason)]

    def _leaf(self, item: Any, path: Path, reason: str | None) -> list[Candidate]:
        if not isinstance(item, str | int):
            return []
        label = self._read(str(item)[:_LONGEST])
        if label is None and isinstance(item, bool):
            return []
        return [Candidate(IssueCode.UNKNOWN_LABEL if label is None else label, item, path=path, reason=reason)]
