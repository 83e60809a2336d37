"""The validator of JSON Schema 2020-12 that `jsonschema` has, with numbers, patterns and limits of our own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, Final

from pydantic import StringConstraints, TypeAdapter

from magistrate.parsing.objects.leaves import kind_of

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

BRANCHES: Final = ("allOf", "anyOf", "oneOf")
WORK_LEFT = [0]
"""How many branches may still be followed."""


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
        WORK_LEFT[0] -= 1
        if WORK_LEFT[0] < 0:
            raise TooMuchError
        yield from check(validator, asked, value, schema)

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
