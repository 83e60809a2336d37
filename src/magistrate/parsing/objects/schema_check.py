"""Whether a caller's JSON schema can be one. A wrong schema is a wrong configuration: no reply would ever fit it.

Only what this package reads is checked: the vocabulary of 2020-12 that `schema_fit` names.
"""

from __future__ import annotations

import re
import reprlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from magistrate.parsing.objects.schema_fit import MOST_REFERENCES, follow
from magistrate.parsing.objects.schema_leaf import NOTHING

__all__ = ["check_schema"]

TYPES: Final = ("string", "number", "integer", "boolean", "array", "object", "null")
Place = tuple[Any, ...]
"""Where in the schema: what holds it, and the step from there; empty for the whole. Written out in an error only."""
Parts = Iterable[tuple[Any, Place]]


def check_schema(schema: Mapping[str, Any]) -> None:
    """Check that a JSON schema can be one, its references included.

    Raises:
        ValueError: If it cannot: it says where, what stands there and what is asked for.
    """
    pending: list[tuple[Any, Place]] = [(schema, ())]
    seen: set[int] = set()
    while pending:
        part, place = pending.pop()
        if part is True or part is False:
            continue
        if not isinstance(part, Mapping):
            raise _error(place, part, "a schema (an object, true or false)")
        if id(part) in seen:
            continue
        seen.add(id(part))
        for word, value in part.items():
            check = _CHECKS.get(word)
            if check is not None:
                pending.extend(check(value, (place, word)))
        if "$ref" in part:
            pending.append((_referred(part, schema, (place, "$ref")), (place, "$ref")))


def _error(place: Place, value: Any, asked: str) -> ValueError:
    steps: list[str] = []
    at = place
    while at:
        at, step = at
        steps.append(str(step).replace("~", "~0").replace("/", "~1"))
    where = "/".join(["#", *reversed(steps)])
    shown = reprlib.repr(value)  # it may nest deeper than can be written out
    return ValueError(f"this is no JSON schema: at {where:.200} stands {shown}, where {asked} is asked for")


def _referred(part: Mapping[str, Any], root: Mapping[str, Any], place: Place) -> Any:
    """What a reference leads to at last."""
    target: Any = part
    for _ in range(MOST_REFERENCES):
        if not (isinstance(target, Mapping) and "$ref" in target):
            return target
        reference = target["$ref"]
        target = follow(reference, root) if isinstance(reference, str) else NOTHING
        if target is NOTHING:
            raise _error(place, reference, 'a reference to a place in this schema ("#/$defs/name")')
    raise _error(place, part["$ref"], "a reference that does not lead back to itself")


def _schema(value: Any, place: Place) -> Parts:
    return ((value, place),)


def _schemas(value: Any, place: Place) -> Parts:
    if not isinstance(value, list | tuple) or not value:
        raise _error(place, value, "a list of schemas")
    return [(one, (place, at)) for at, one in enumerate(value)]


def _items(value: Any, place: Place) -> Parts:
    """One schema; drafts before 2020-12 have a list here too."""
    return [(one, (place, at)) for at, one in enumerate(value)] if isinstance(value, list) else ((value, place),)


def _named(value: Any, place: Place) -> Parts:
    if not isinstance(value, Mapping):
        raise _error(place, value, "an object of schemas by name")
    return [(one, (place, name)) for name, one in value.items()]


def _by_pattern(value: Any, place: Place) -> Parts:
    parts = _named(value, place)
    for name in value:
        _pattern(name, place)
    return parts


def _type(value: Any, place: Place) -> Parts:
    kinds = [value] if isinstance(value, str) else value
    if not isinstance(kinds, list | tuple) or not kinds or any(kind not in TYPES for kind in kinds):
        raise _error(place, value, f"one of {', '.join(TYPES)}, or a list of these,")
    return ()


def _choices(value: Any, place: Place) -> Parts:
    if not isinstance(value, list | tuple):
        raise _error(place, value, "a list of values")
    return ()


def _names(value: Any, place: Place) -> Parts:
    if not isinstance(value, list | tuple) or not all(isinstance(name, str) for name in value):
        raise _error(place, value, "a list of property names")
    return ()


def _needed(value: Any, place: Place) -> Parts:
    if not isinstance(value, Mapping):
        raise _error(place, value, "an object of lists of property names")
    for name, others in value.items():
        _names(others, (place, name))
    return ()


def _number(value: Any, place: Place) -> Parts:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise _error(place, value, "a number")
    return ()


def _step(value: Any, place: Place) -> Parts:
    if not isinstance(value, int | float) or isinstance(value, bool) or not value > 0:
        raise _error(place, value, "a number above 0")
    return ()


def _count(value: Any, place: Place) -> Parts:
    if not isinstance(value, int | float) or isinstance(value, bool) or value < 0 or value != value // 1:
        raise _error(place, value, "a whole number from 0")
    return ()


def _pattern(value: Any, place: Place) -> Parts:
    try:
        re.compile(value)
    except (re.error, TypeError, RecursionError, OverflowError):
        raise _error(place, value, "a regular expression that Python knows") from None
    return ()


_CHECKS: Final[Mapping[Any, Callable[[Any, Place], Parts]]] = {
    "type": _type,
    "enum": _choices,
    "required": _names,
    "dependentRequired": _needed,
    "pattern": _pattern,
    "patternProperties": _by_pattern,
    "multipleOf": _step,
    **dict.fromkeys(("properties", "$defs", "definitions"), _named),
    **dict.fromkeys(("anyOf", "oneOf", "allOf", "prefixItems"), _schemas),
    "items": _items,
    **dict.fromkeys(
        (*("not", "if", "then", "else", "contains", "propertyNames"), "additionalProperties", "additionalItems"),
        _schema,
    ),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), _number),
    **dict.fromkeys(
        ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"),
        _count,
    ),
}
