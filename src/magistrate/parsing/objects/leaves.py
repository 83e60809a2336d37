"""JSON values as a caller's schema asks for them: read in another way where one reading exists, and validated.

Nothing is coerced: a number in quotation marks is that number, a label in capitals is that label; half a label, a
number between two whole ones, or one in place of a truth value is nothing. The validator of JSON Schema 2020-12 is that
of `jsonschema`, with numbers, patterns and limits of our own.
"""

from __future__ import annotations

import math
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, Final

from pydantic import StringConstraints, TypeAdapter

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
BRANCHES: Final = ("allOf", "anyOf", "oneOf")
MOST_NESTED: Final = 80
"""Branches and references within each other that are followed: far from where the interpreter's own stack ends."""


class _Work(threading.local):
    left = 0  # how many branches may still be followed
    nested = 0  # how many are being followed within each other


WORK: Final = _Work()


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


if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError


class TooMuchError(Exception):
    """A value can be read in too many ways."""


@lru_cache(maxsize=256)
def matcher(pattern: str) -> TypeAdapter[str] | None:
    """What matches a pattern in linear time; None where nothing does."""
    try:
        return TypeAdapter(Annotated[str, StringConstraints(pattern=pattern)])
    except Exception:  # noqa: BLE001 - whatever the engine says of it, it is no pattern of its language
        return None


def matches(pattern: str, text: str) -> bool:
    """Whether a text holds what a pattern of a schema asks for."""
    found = matcher(pattern)
    try:
        return found is not None and found.validate_python(text) is not None
    except ValueError:
        return False


def _counted(check: Any) -> Any:
    def counted(validator: Any, asked: Any, value: Any, schema: Any) -> Iterator[ValidationError]:
        WORK.left -= 1
        if WORK.left < 0 or WORK.nested >= MOST_NESTED:
            raise TooMuchError
        WORK.nested += 1
        try:
            yield from check(validator, asked, value, schema)
        finally:
            WORK.nested -= 1

    return counted


@lru_cache(maxsize=1)
def validator_class() -> Any:
    """The validator of 2020-12, with our numbers, patterns and limits."""
    from jsonschema import Draft202012Validator, validators  # noqa: PLC0415 - 0.1 s, which only objects need
    from jsonschema.exceptions import ValidationError  # noqa: PLC0415

    words: Mapping[str, Any] = Draft202012Validator.VALIDATORS

    def type_(validator: Any, kinds: Any, value: Any, schema: Any) -> Iterator[ValidationError]:
        if not (value is None and isinstance(schema, Mapping) and schema.get("nullable") is True):
            yield from words["type"](validator, kinds, value, schema)

    def multiple(_: Any, step: Any, value: Any, __: Any) -> Iterator[ValidationError]:
        if isinstance(value, int | float) and not isinstance(value, bool):
            times = (value if isinstance(value, int) else Fraction(repr(value))) / Fraction(repr(step))
            if times.denominator != 1:
                yield ValidationError(f"{value:.6g} is no multiple of {step:g}")

    def pattern(_: Any, asked: Any, value: Any, __: Any) -> Iterator[ValidationError]:
        if isinstance(value, str) and not matches(asked, value):
            yield ValidationError(f"not of the pattern {asked!r:.100}")

    def by_pattern(validator: Any, asked: Any, value: Any, _: Any) -> Iterator[ValidationError]:
        for one, schema in asked.items() if isinstance(value, dict) else ():
            for key, item in value.items():
                if matches(one, key):
                    yield from validator.descend(item, schema, path=key, schema_path=one)

    def extra(validator: Any, asked: Any, value: Any, schema: Any) -> Iterator[ValidationError]:
        named, patterns = schema.get("properties") or {}, schema.get("patternProperties") or {}
        for key, item in value.items() if isinstance(value, dict) else ():
            if key in named or any(matches(one, key) for one in patterns):
                continue
            if asked is False:
                yield ValidationError(f"{key!r:.60} is no key of the schema")
            elif asked is not True:
                yield from validator.descend(item, asked, path=key)

    def unique(_: Any, asked: Any, value: Any, __: Any) -> Iterator[ValidationError]:
        if asked and isinstance(value, list) and len({_mark(item) for item in value}) < len(value):
            yield ValidationError("an item is there twice")

    checker = Draft202012Validator.TYPE_CHECKER.redefine("integer", lambda _, value: kind_of(value) == "integer")
    return validators.extend(  # type: ignore[no-untyped-call]
        Draft202012Validator,
        {
            **{word: _counted(words[word]) for word in (*BRANCHES, "$ref", "$dynamicRef", "if", "not")},
            "type": type_,
            "multipleOf": multiple,
            "pattern": pattern,
            "patternProperties": by_pattern,
            "additionalProperties": extra,
            "uniqueItems": unique,
        },
        type_checker=checker,
    )


def _mark(value: Any) -> str:
    """What equal JSON values have in common."""
    if isinstance(value, dict):
        return "{" + ",".join(sorted(f"{key!r}:{_mark(item)}" for key, item in value.items())) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_mark, value)) + "]"
    return repr(Fraction(value)) if isinstance(value, int | float) and not isinstance(value, bool) else repr(value)
