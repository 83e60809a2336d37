"""A label in data: the field of an object that names the choice."""

import re
from collections.abc import Callable
from typing import Any, Final

from magistrate.parsing.rows.candidate import Candidate, Path
from magistrate.parsing.rows.walk import Candidates, members, reason_of
from magistrate.parsing.switches import cached
from magistrate.parsing.wording.fold import compact
from magistrate.parsing.wording.keys import Role, is_named, is_own_name, may_wrap, polarity_of, role_of
from magistrate.parsing.wording.languages import group
from magistrate.verdict import IssueCode

_LONGEST_KEY: Final = 64
_LONGEST: Final = 400


@cached
def _names() -> frozenset[str]:
    return frozenset(compact(name) for name in group("winner"))


def is_label_name(key: str) -> bool:
    """Whether a key or a name in text stands before a label."""
    name = compact(key[:_LONGEST_KEY]).removeprefix("final").removeprefix("overall")
    return role_of(key) in {Role.VERDICT, Role.WEAK_VERDICT} or name in _names() or is_named(name, "label", "score")


_SAYS_WHY: Final = frozenset({Role.REASON, Role.QUOTE, Role.ASIDE})


def _is_general(key: str) -> bool:
    """Whether a key names the answer as such, not one quality: "verdict", no "is_correct"."""
    general = role_of(key) is Role.WEAK_VERDICT or is_named(key, "verdict") or compact(key[:_LONGEST_KEY]) in _names()
    return general and not is_named(key, "aspect", "quality")


def _asks(key: str) -> bool:
    """Whether a key asks for a quality by its last word: "answer_is_grounded", no "valid_json"."""
    last = re.split(r"[\W_]", key[:_LONGEST_KEY])[-1]
    return role_of(last) is Role.VERDICT or is_named(last, "aspect", "quality")


class LabelFields(Candidates):
    """Finds the label of a decoded value."""

    def __init__(
        self,
        read: Callable[[str], str | None],
        opposite: Callable[[str], str | None],
        truth: Callable[[bool], str | None],
    ) -> None:
        self._read = read
        self._opposite = opposite
        self._truth = truth

    def in_list(self, values: list[Any], path: Path, depth: int) -> list[Candidate]:
        """What a list of one element holds; of more, nobody can tell which is meant."""
        if len(values) != 1:
            return []
        if isinstance(values[0], dict | list):
            return self.walk(values[0], (*path, 0), depth + 1)
        return self._leaf(values[0], (*path, 0), None)

    def in_object(self, value: dict[str, Any], path: Path, depth: int) -> list[Candidate]:
        """The labels among an object's own fields; else what its only telling member holds."""
        reason = reason_of(value)
        whole = [(key, item) for key, item in members(value) if is_named(key, "overall") and isinstance(item, str)]
        label = self._read(whole[0][1][:_LONGEST]) if len(whole) == 1 and not is_label_name(whole[0][0]) else None
        if label is not None and not any(is_named(key, "verdict") for key in value):
            return [Candidate(label, whole[0][1], path=(*path, whole[0][0]), reason=reason)]
        held = self._held(value, path, reason)
        if (
            sum(isinstance(item, bool) and self._read(key[:_LONGEST_KEY]) is not None for key, item in members(value))
            > 1
        ):
            return held
        named = [
            one
            for key, item in members(value)
            if is_label_name(key) and not isinstance(item, dict | list)
            if not (isinstance(item, bool) and any(map(polarity_of, value)))
            for one in self._leaf(item, (*path, key), reason)
        ]
        telling = [one for one in named if not isinstance(one.value, IssueCode)]
        if telling:
            twice = len(named) > len({one.path for one in named})
            found = self._of_one_quality(value, named if twice else telling)
            if {one.value for one in self._rivals(value, depth)} - {one.value for one in found}:
                found[0].value = IssueCode.CONFLICTING_VERDICTS
            return found
        nested = [
            found
            for key, item in members(value)
            if isinstance(item, dict | list | str)
            and role_of(key) not in {Role.QUOTE, Role.ASIDE, Role.REASON}
            and (isinstance(item, str) or may_wrap(key))
            and (found := self.walk(item, (*path, key), depth + 1))
        ]
        if len(nested) == 1 or named:
            return nested[0] if len(nested) == 1 else named[:1]
        return held or self._aspects(value, path, reason) or self._flag(value, path, reason)

    def _rivals(self, value: dict[str, Any], depth: int) -> list[Candidate]:
        """What stands in an object under further names of the judge's own answer: "corrected_winner", "final"."""
        named = [(key, item) for key, item in members(value) if is_own_name(key[:_LONGEST_KEY], _names())]
        found = [one for _, item in named if isinstance(item, dict) for one in self.walk(item, (), depth + 1)]
        found += [one for key, item in named if isinstance(item, str) for one in self._leaf(item, (key,), None)]
        return [one for one in found if not isinstance(one.value, IssueCode)]

    def _flag(self, value: dict[str, Any], path: Path, reason: str | None) -> list[Candidate]:
        """The one yes or no of an object that holds nothing else but reasons, where the choices are called so."""
        flags = [(key, item) for key, item in members(value) if isinstance(item, bool)]
        rest = [key for key, item in members(value) if not isinstance(item, bool)]
        flags = [one for one in flags if is_label_name(one[0]) or _asks(one[0])]
        if len(flags) != 1 or any(role_of(key) not in {Role.REASON, Role.QUOTE} for key in rest):
            return []
        ((key, item),) = flags
        label = self._read(str(item)) or (self._truth(item) if is_label_name(key) else None)
        return [] if label is None else [Candidate(label, item, path=(*path, key), reason=reason)]

    def _held(self, value: dict[str, Any], path: Path, reason: str | None) -> list[Candidate]:
        """The choices that are keys, and hold: {"pass": false}."""
        said = [(key, item, self._read(key[:_LONGEST_KEY])) for key, item in members(value) if isinstance(item, bool)]
        said = [one for one in said if one[2] is not None]
        if len(said) == 1 and not said[0][1]:
            said = [(said[0][0], True, self._opposite(said[0][2] or ""))]
        return [Candidate(one, key, path=(*path, key), reason=reason) for key, item, one in said if item and one]

    def _aspects(self, value: dict[str, Any], path: Path, reason: str | None) -> list[Candidate]:
        """What stands under the name of a quality: "correctness": "incorrect"."""
        found = [
            one
            for key, item in members(value)
            if isinstance(item, str) and is_named(key, "aspect", "quality")
            for one in self._leaf(item, (*path, key), reason)
        ]
        return self._of_one_quality(value, [one for one in found if not isinstance(one.value, IssueCode)])

    def _of_one_quality(self, value: dict[str, Any], found: list[Candidate]) -> list[Candidate]:
        """Candidates, void where they are about one quality, and another quality has another label."""
        keys = {str(one.path[-1]) for one in found}
        if not found or any(map(_is_general, keys)):
            return found
        beside = [item for key, item in members(value) if key not in keys and role_of(key) not in _SAYS_WHY]
        kind = bool if isinstance(found[0].raw, bool) else str
        alike = [item for item in beside if isinstance(item, kind)]
        said = {self._truth(item) if isinstance(item, bool) else self._read(item) for item in alike}
        if said - {None, *(one.value for one in found)}:
            found[0].value = IssueCode.CONFLICTING_VERDICTS
            return found[:1]
        return found

    def _leaf(self, item: Any, path: Path, reason: str | None) -> list[Candidate]:
        if not isinstance(item, str | int):
            return []
        label = self._read(str(item)[:_LONGEST])
        if label is None and isinstance(item, bool):
            label = self._truth(item) if role_of(str(path[-1])) is Role.VERDICT else None
            return [] if label is None else [Candidate(label, item, path=path, reason=reason)]
        return [Candidate(IssueCode.UNKNOWN_LABEL if label is None else label, item, path=path, reason=reason)]
