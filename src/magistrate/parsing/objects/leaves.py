"""The leaves of a caller's schema: what a reply wrote in another way than the schema asks, where one reading exists.

Nothing is coerced: a number in quotation marks is that number, a label in capitals is that label; half a label, a
number between two whole ones, or one in place of a truth value is nothing.
"""

import math
import re
from collections.abc import Sequence
from typing import Any, Final

from magistrate.parsing.wording.fold import fold

NOTHING: Final = object()
"""No reading; None is a value."""
LONGEST_LABEL: Final = 200
LONGEST_NUMBER: Final = 40
_NUMBER: Final = re.compile(r"[-+\u2212]?\d+(?:\.\d+)?(?:[eE][-+]?\d{1,3})?")
_TRUTHS: Final = {"true": True, "false": False, "yes": True, "no": False}
_MARKS: Final = " \t\r\n*_`\"'.,;:!()[]<>#\u201c\u201d\u2018\u2019"
_SAFE_WHOLE: Final = 2**53
"""Whole numbers up to here are told apart as floats."""


def kind_of(value: Any) -> str:
    """The JSON type of a value; "gap" where there is none, "nonfinite" for a number that JSON does not have."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer"
    if isinstance(value, float):
        return "number" if math.isfinite(value) else "nonfinite"
    if isinstance(value, str):
        return "string"
    if isinstance(value, list):
        return "array"
    return "object" if isinstance(value, dict) else "gap"


def same(left: Any, right: Any) -> bool:
    """Whether two JSON values are equal: 1 and 1.0 are, 1 and true are not."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(item, right[key]) for key, item in left.items())
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(same(one, two) for one, two in zip(left, right, strict=True))
    return bool(left == right)


def choose(value: Any, choices: Sequence[Any]) -> Any:
    """The one choice that a value names as a whole, case, width, decoration and quotation marks aside; else NOTHING."""
    if isinstance(value, str) and len(value) <= LONGEST_LABEL:
        name = _plain(value)
        found = [choice for choice in choices if isinstance(choice, str) and _plain(choice) == name] if name else []
        if len(found) == 1:
            return found[0]
        number = _number(value)
        if not found and number is not NOTHING and all(not isinstance(choice, str) for choice in choices):
            return next((choice for choice in choices if same(choice, number)), NOTHING)
        return NOTHING
    if isinstance(value, int):
        names = {choice for choice in choices if isinstance(choice, str) and _plain(choice) == str(value).lower()}
        return names.pop() if len(names) == 1 else NOTHING
    return NOTHING


def as_type(value: Any, kinds: Sequence[str]) -> tuple[Any, str]:
    """Read a value as one of some types, and say what that took; NOTHING where it is none of them or unclear."""
    found: list[tuple[Any, str]] = []
    for kind in kinds:
        if kind in {"number", "integer"} and isinstance(value, str):
            number = _number(value)
            if number is not NOTHING and (kind == "number" or isinstance(number, int)):
                found.append((number, "quoted-number"))
        elif kind == "boolean" and isinstance(value, str) and len(value) <= LONGEST_LABEL:
            truth = _TRUTHS.get(_plain(value))
            if truth is not None:
                found.append((truth, "quoted-boolean"))
        elif kind == "string" and isinstance(value, int) and not isinstance(value, bool) and abs(value) < _SAFE_WHOLE:
            found.append((str(value), "unquoted-string"))
    if not found or any(not same(other, found[0][0]) for other, _ in found[1:]):
        return NOTHING, ""
    return found[0]


def _plain(text: str) -> str:
    return fold(fold(text).strip(_MARKS))


def _number(text: str) -> Any:
    """The number that a text is, whole and nothing else; NOTHING where it is none."""
    text = text.strip().strip("*`\"'")
    if len(text) > LONGEST_NUMBER or not text.isascii() or _NUMBER.fullmatch(text) is None:
        return NOTHING
    number = float(text)
    if not math.isfinite(number):
        return NOTHING
    if number.is_integer():
        return int(text) if text.lstrip("+-").isdigit() else (int(number) if abs(number) < _SAFE_WHOLE else NOTHING)
    return number
