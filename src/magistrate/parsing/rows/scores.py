"""A score in data: which field of an object is the one that was asked for."""

import math
import re
from collections.abc import Callable
from typing import Any, Final

from magistrate.parsing.decode.nodes import Gap
from magistrate.parsing.rows.candidate import Candidate, Path
from magistrate.parsing.rows.walk import NO_ANSWER, Candidates, members, reason_of
from magistrate.parsing.switches import cached
from magistrate.parsing.wording.fold import compact
from magistrate.parsing.wording.keys import Role, is_named, is_own_name, role_of
from magistrate.parsing.wording.languages import group
from magistrate.verdict import IssueCode

_ENDS: Final = re.compile(r"\d{1,5}(?:\.\d{1,3})?(?=\D*$)")
_LONGEST_LIST: Final = 200
_LONGEST_KEY: Final = 64
_ROUNDED: Final = 0.006
_BARE: Final = frozenset({"score", "rating"})


@cached
def _score_names() -> frozenset[str]:
    return frozenset(compact(name) for name in group("score"))


@cached
def _overall_names() -> frozenset[str]:
    """Names of an overall score: the word alone where it is one, or with the name of a score."""
    overall = {compact(name) for name in group("overall")}
    return frozenset(over + name for over in overall for name in _score_names()) | frozenset(
        name + over for over in overall for name in _score_names()
    )


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
                rivals = self.walk(item, (), depth + 1) if isinstance(item, dict) and _may_rival(key) else []
                if any(rival.value != own.value for rival in rivals):
                    own.value = math.nan
            return [own]
        if any(role_of(key) is Role.REFUSAL and item for key, item in value.items()):
            return []  # {"error": {"code": 4}}
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


def _may_rival(key: str) -> bool:
    return role_of(key) in {Role.VERDICT, Role.WEAK_VERDICT}
