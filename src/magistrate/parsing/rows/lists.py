"""Lists of statements in decoded data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from magistrate.parsing.decode.nodes import Arr, Gap
from magistrate.parsing.rows.candidate import Path, read_id
from magistrate.parsing.rows.walk import DEEPEST, Walk, inner_of, is_dots, members
from magistrate.parsing.wording.keys import Role, is_wrapper, parts_of_key, role_of


@dataclass(slots=True)
class StatementList:
    """The statements of one list."""

    items: list[tuple[str, Path]] = field(default_factory=list)  # the texts, each with its place in the decoded value
    open: bool = False  # whether more are known to have been meant: dots, a cut
    whole: bool = True  # whether it is a list; else it is one statement, and several of them are one list
    unread: bool = False  # whether it holds something that is no statement

    def take(self, other: StatementList) -> None:
        """Add what another list holds."""
        self.items += other.items
        self.open, self.unread = self.open or other.open, self.unread or other.unread


class StatementLists(Walk[StatementList]):
    """Finds the one list of statements of a decoded value."""

    def placed(self, found: list[StatementList], path: Path) -> list[StatementList]:
        """What was decoded from a string stands where the string stands."""
        for one in found:
            one.items = [(text, path) for text, _ in one.items]
        return found

    def in_list(self, values: list[Any], path: Path, depth: int) -> list[StatementList]:
        """The statements of a list."""
        found = StatementList(open=isinstance(values, Arr) and values.open)
        for at, value in enumerate(values):
            place = (*path, at)
            if value is Gap.CUT or is_dots(value):
                found.open = True
            elif isinstance(value, str | dict):
                self._element(found, value, place, depth)
            elif isinstance(value, list) and depth < DEEPEST:
                for nested in self.in_list(value, place, depth + 1):
                    found.take(nested)
            elif value is not None and value is not Gap.MISSING:
                found.unread = True
        return [found]

    def _element(self, found: StatementList, value: str | dict[str, Any], path: Path, depth: int) -> None:
        inner = inner_of(value) if isinstance(value, str) else value
        if isinstance(inner, dict):
            listed = [item for key, item in inner.items() if isinstance(item, list) and role_of(key) is Role.ECHO]
            if len(listed) == 1 and depth < DEEPEST:  # the claims of one sentence: the sentence itself is none
                for nested in self.in_list(listed[0], path, depth + 1):
                    found.take(nested)
                return
        text = _text_of(inner) if isinstance(inner, dict) else value if isinstance(value, str) else None
        found.unread = found.unread or text is None
        found.items += [] if text is None else [(text, path)]

    def in_object(self, value: dict[str, Any], path: Path, depth: int) -> list[StatementList]:
        """The list under the name of statements, or under ids; else the only one there is."""
        if value and all(isinstance(read_id(key), int) for key in value):
            texts = [
                item if isinstance(item, str) else _text_of(item) if isinstance(item, dict) else None
                for item in value.values()
            ]
            pairs = zip(texts, value, strict=True)
            return [
                StatementList([(text, (*path, key)) for text, key in pairs if text is not None], unread=None in texts)
            ]
        for wanted in (True, False):
            lists = [
                one
                for key, item in members(value)
                if (role_of(key) is Role.ECHO) is wanted
                and role_of(key) not in {Role.ASIDE, Role.REASON, Role.QUOTE}
                and (wanted or is_wrapper(key))
                and isinstance(item, list | dict | str)
                for one in self.walk(item, (*path, key), depth + 1)
            ]
            if lists:
                return lists
        texts_here = [
            (item, (*path, key)) for key, item in value.items() if role_of(key) is Role.ECHO and isinstance(item, str)
        ]
        return [StatementList(texts_here, whole=False)] if len(texts_here) == 1 else []


def _text_of(value: dict[str, Any]) -> str | None:
    """The statement of an object: its field of that name, else its only text, under a key that means nothing else.

    None where the object says that it is none: {"text": "It is lovely.", "is_claim": false}.
    """
    if any(item is False and Role.ECHO in map(role_of, parts_of_key(key)) for key, item in value.items()):
        return None
    texts = [(role_of(key), item) for key, item in value.items() if isinstance(item, str)]
    named = [item for role, item in texts if role is Role.ECHO]
    others = [item for role, item in texts if role is None] if {role for role, _ in texts} <= {None, Role.ID} else []
    found = named or others
    return found[0] if len(found) == 1 else None
