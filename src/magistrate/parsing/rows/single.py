"""A score or a label in data: which field of an object is the one that was asked for."""

import math
import re
from collections.abc import Callable
from typing import Any, Final

from magistrate.parsing.decode.nodes import Gap
from magistrate.parsing.rows.candidate import Candidate, Path
from magistrate.parsing.rows.walk import NO_ANSWER, Candidates, members, reason_of
from magistrate.parsing.switches import kept
from magistrate.parsing.wording.choices import Choices
from magistrate.parsing.wording.fold import compact
from magistrate.parsing.wording.keys import Role, is_named, is_own_name, may_wrap, polarity_of, role_of
from magistrate.parsing.wording.languages import group
from magistrate.verdict import IssueCode

_LONGEST_KEY: Final = 64
_LONGEST: Final = 400
_VERDICTS: Final = frozenset({Role.VERDICT, Role.WEAK_VERDICT})
_SAYS_WHY: Final = frozenset({Role.REASON, Role.QUOTE, Role.ASIDE})
_ENDS: Final = re.compile(r"\d{1,5}(?:\.\d{1,3})?(?=\D*$)")
_LONGEST_LIST: Final = 200
_ROUNDED: Final = 0.006
_BARE: Final = frozenset({"score", "rating"})
_label_names: Final = kept(lambda: frozenset(map(compact, group("winner"))))
_corrected_names: Final = kept(lambda: frozenset(map(compact, group("corrected"))))
_score_names: Final = kept(lambda: frozenset(map(compact, group("score"))))
_overall_names: Final = kept(
    lambda: frozenset(
        name
        for over in map(compact, group("overall"))
        for score in _score_names()
        for name in (over + score, score + over)
    )
)
"""Names of an overall score: the word for it with the name of a score."""


def is_label_name(key: str) -> bool:
    """Whether a key or a name in text stands before a label."""
    name = compact(key[:_LONGEST_KEY]).removeprefix("final").removeprefix("overall")
    return role_of(key) in _VERDICTS or name in _label_names() or is_named(name, "label", "score")


def _is_general(key: str) -> bool:
    """Whether a key names the answer as such, not one quality: "verdict", no "is_correct"."""
    general = (
        role_of(key) is Role.WEAK_VERDICT or is_named(key, "verdict") or compact(key[:_LONGEST_KEY]) in _label_names()
    )
    return general and not is_named(key, "aspect", "quality")


def _asks(key: str) -> bool:
    """Whether a key asks for a quality by its last word: "answer_is_grounded", no "valid_json"."""
    last = re.split(r"[\W_]", key[:_LONGEST_KEY])[-1]
    return role_of(last) is Role.VERDICT or is_named(last, "aspect", "quality")


class LabelFields(Candidates):
    """Finds the label of a decoded value."""

    def __init__(self, choices: Choices) -> None:
        self._read, self._opposite, self._truth = choices.read, choices.opposite, choices.truth

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
        named = [(key, item) for key, item in members(value) if is_own_name(key[:_LONGEST_KEY], _label_names())]
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


def is_overall(key: str) -> bool:
    """Whether a key names the score of the whole."""
    name = compact(key[:_LONGEST_KEY])
    return is_named(key, "overall") or name in _overall_names()


def is_score(key: str) -> bool:
    """Whether a key names a score; "score_0_100" is one with its scale."""
    name = compact(key[:_LONGEST_KEY])
    return is_named(key, "score") or name in _score_names() or name.rstrip("0123456789") in _score_names()


class ScoreFields(Candidates):
    """Finds the score of a decoded value.

    Args:
        numeral: Reads a text that is one number; NaN or infinite where it is on another scale, None where it is none.
        top: The top of the scale.
    """

    no_answer = NO_ANSWER - {Role.QUOTE} | {Role.REASON}  # "sources" may be a quality, with a score of its own

    def __init__(self, numeral: Callable[[str], float | None], top: float) -> None:
        self._numeral = numeral
        self._top = top

    def in_list(self, values: list[Any], path: Path, depth: int) -> list[Candidate]:
        """A list of one number, or what the objects in it hold."""
        if len(values) == 1 and not isinstance(values[0], dict | list):
            number = self._number(values[0])
            return [] if number is None else [Candidate(number, path=(*path, 0))]
        inside = [(at, item) for at, item in enumerate(values[:_LONGEST_LIST]) if isinstance(item, dict | list)]
        return [one for at, item in inside for one in self.walk(item, (*path, at), depth + 1)]

    def in_object(self, value: dict[str, Any], path: Path, depth: int) -> list[Candidate]:
        """The score among an object's own fields; else the one that a member holds, an overall one first."""
        own = self._own(value, path)
        if own is not None:
            if self._other_top(value):
                own.value = math.inf
            for key, item in members(value):
                rivals = self.walk(item, (), depth + 1) if isinstance(item, dict) and role_of(key) in _VERDICTS else []
                if compact(key[:_LONGEST_KEY]) in _corrected_names() and self._number(item) not in {None, own.value}:
                    own.value = math.nan
                if any(rival.value != own.value for rival in rivals):
                    own.value = math.nan
            return [own]
        whole = [key for key, item in value.items() if isinstance(item, dict) and is_overall(key)]
        if len(whole) == 1:
            found = self.walk(value[whole[0]], (*path, whole[0]), depth + 1)
            for one in found if self._other_top(value) else ():
                one.value = math.inf
            return found
        return self.wrapped(value, path, depth)

    def _other_top(self, value: dict[str, Any]) -> bool:
        """Whether an object names another top than that of the scale: {"max": 10}, {"scale": "1-10"}, a "total"."""
        tops = [item for key, item in value.items() if is_named(key, "top")]
        tops += [item for key, item in value.items() if compact(key) == "total" and len(value) > 1 and "score" in value]
        if _is_share(value):
            return False
        unit = [str(item) for key, item in value.items() if compact(key) in {"unit", "units"}]
        if any("percent" in one or "%" in one for one in unit) and self._top != 100:  # noqa: PLR2004 - per cent
            return True
        for item in tops:
            if isinstance(item, dict) and self._other_top(item):
                return True
            last = item[-1] if isinstance(item, list) and item else item
            ends = _ENDS.findall(last) if isinstance(last, str) else []
            top = float(ends[-1]) if ends and isinstance(last, str) else self._number(last)
            if top is not None and top != self._top:
                return True
        return False

    def _own(self, value: dict[str, Any], path: Path) -> Candidate | None:
        """The score among an object's own fields: an overall one, else those called score."""
        reason = reason_of(value)
        scalars = [(key, item) for key, item in members(value) if not isinstance(item, dict | list)]
        for tier in (is_overall, is_score, _is_own_score, _is_of_aspect, _is_aspect):
            named = [(key, item) for key, item in scalars if tier(key)]
            if tier is _is_aspect and (len(named) > 1 or len(scalars) < len(value) or getattr(value, "open", False)):
                continue
            if tier is _is_own_score and named:
                named += [(key, item) for key, item in scalars if _is_of_aspect(key) and not tier(key)]
            if tier is is_overall and "score" in value:  # "total" beside it is what there was to get
                named = [(key, item) for key, item in named if compact(key) != "total"]
            numbers = [(key, number) for key, item in named if (number := self._number(item)) is not None]
            if numbers:
                alike = len({number for _, number in numbers}) == 1
                twice = {key for key, _ in named if sum(other == key for other, _ in named) > 1}
                broken = any(self._number(item) is None for key, item in named if key in twice)
                bare = {self._number(item) for key, item in scalars if compact(key) in _BARE}
                alike = alike and bare <= {numbers[0][1], None}
                value_ = numbers[0][1] if alike and not broken else IssueCode.CONFLICTING_VERDICTS
                return Candidate(value_, path=(*path, numbers[0][0]), reason=reason)
            if any(item is Gap.CUT for _, item in named):
                return Candidate(math.nan, path=(*path, named[0][0]), reason=reason)
        return None

    def _number(self, item: Any) -> float | None:
        if isinstance(item, bool | Gap) or item is None:
            return None
        if isinstance(item, int):
            return float(item) if abs(item) < 10**300 else math.inf
        return item if isinstance(item, float) else self._numeral(item) if isinstance(item, str) else None


def _is_share(value: dict[str, Any]) -> bool:
    """Whether a score is a count over the total beside it: {"score": 0.667, "matched": 2, "total": 3}."""
    score, total = value.get("score"), value.get("total")
    counts = [item for key, item in value.items() if type(item) is int and key not in {"score", "total"}]
    if not isinstance(score, float) or type(total) is not int or total <= 0:
        return False
    return any(abs(count / total - score) < _ROUNDED for count in counts if 0 <= count <= total)


def _is_of_aspect(key: str) -> bool:
    name = compact(key[:_LONGEST_KEY])
    return name.endswith("score") and is_named(name.removesuffix("score"), "aspect")


def _is_own_score(key: str) -> bool:
    return compact(key[:_LONGEST_KEY]).endswith(("score", "rating", "grade")) and is_own_name(key[:_LONGEST_KEY])


def _is_aspect(key: str) -> bool:
    return is_named(key, "aspect")
