"""A caller's JSON Schema of 2020-12: whether it is one, and whether a value fits it.

`jsonschema` checks; nothing is ever fetched. Where a value does not fit, the liberties that a careful reader takes (see
`leaves`, and keys in another spelling) are taken at the places of the errors, and each is told. What was cut off, left
out or given twice never fits. Patterns are matched in linear time, so one that needs to look around is refused.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from magistrate.parsing.decode.nodes import Arr, Gap, Obj
from magistrate.parsing.objects.leaves import (
    BRANCHES,
    NOTHING,
    WORK,
    TooMuchError,
    as_type,
    choose,
    matcher,
    same,
    validator_class,
)
from magistrate.parsing.wording.fold import compact

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError
    from jsonschema.protocols import Validator

MOST_FLAWS: Final = 20
MOST_FORMS: Final = 40
"""Branches of a schema that are looked at in one place."""
MOST_STRANGE: Final = 200
"""Unknown keys of an object that may be properties in another spelling; no answer has as many."""
LONGEST_KEY: Final = 64
DEEPEST: Final = 60
MOST_PASSES: Final = 12
MOST_WORK: Final = 60_000
"""Branches and references that are followed for one value."""
_KINDS: Final = {
    **dict.fromkeys(("enum", "const"), "label"),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"), "range"),
    **dict.fromkeys(("required", "dependentRequired"), "missing"),
    **dict.fromkeys(("minItems", "maxItems", "minProperties", "maxProperties"), "count"),
}
_NAMED: Final = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"})
_HOLDING: Final = frozenset(
    "items prefixItems additionalProperties contains propertyNames allOf anyOf oneOf not if then else unevaluatedItems "
    "unevaluatedProperties".split()
)
"""Keywords whose value is a schema, or a list of them."""
_SAYING: Final = frozenset(
    "$schema $id $comment $anchor $dynamicAnchor $vocabulary $defs definitions title description default examples "
    "example deprecated readOnly writeOnly contentEncoding contentMediaType contentSchema minContains maxContains then "
    "else discriminator propertyOrdering nullable".split()
)
"""Keywords that check nothing by themselves, and "nullable", which is checked apart.

Any other word has to be one that is checked, or begin with "x-".
"""
Path = tuple[str | int, ...]
Forms = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Flaw:
    """Why a value does not fit."""

    path: Path  # where in the value
    kind: str  # "range", "label", "missing", "cut", "conflict", "count" or "other"
    text: str  # what is wrong

    def __str__(self) -> str:
        place = ".".join(map(str, self.path))[:120]
        return f"{place or 'the object'}: {self.text:.300}"


@dataclass(slots=True)
class Fit:
    """A value and whether it fits."""

    value: Any  # the value in plain containers; of use only if there are no flaws
    flaws: list[Flaw] = field(default_factory=list)  # what is wrong
    # what was done to make it fit, and where in the value as it was given
    liberties: list[tuple[str, Path]] = field(default_factory=list)


class Schema:
    """A JSON schema.

    Args:
        root: The schema, in containers of its own.
        strict: Whether it has to be right; else what cannot be checked is left out.

    Raises:
        ValueError: If it is no schema, or asks for what is not checked; the message says where and what.
    """

    def __init__(self, root: dict[str, Any], *, strict: bool = True) -> None:
        from referencing import Registry  # noqa: PLC0415 - what needs it asks for objects
        from referencing.jsonschema import DRAFT202012  # noqa: PLC0415

        self.root = root
        self.resolver = Registry().with_resource("", DRAFT202012.create_resource(root)).resolver("")
        self._check(strict=strict)
        self.validator: Validator = validator_class()(root, registry=Registry())

    def _check(self, *, strict: bool) -> None:
        """Check what the schema says, and write what earlier drafts call otherwise as 2020-12 does."""
        known = _SAYING | validator_class().VALIDATORS.keys()
        pending: list[tuple[Any, str]] = [(self.root, "#")]
        while pending:
            part, place = pending.pop()
            if isinstance(part, list):
                pending += [(one, f"{place}/{at}") for at, one in enumerate(part)]
            if not isinstance(part, dict):
                continue
            if isinstance(part.get("items"), list):
                part["prefixItems"] = part.pop("items")
                part["items"] = part.pop("additionalItems", True)
            for name, needed in part.pop("dependencies", {}).items() if "dependencies" in part else ():
                word = "dependentRequired" if isinstance(needed, list) else "dependentSchemas"
                part.setdefault(word, {})[name] = needed
            refused = next((word for word in part if not (word in known or word.startswith("x-"))), None)
            patterns = part.get("patternProperties")
            patterns = [*(patterns if isinstance(patterns, dict) else ()), part.get("pattern")]
            unfit = [one for one in patterns if isinstance(one, str) and matcher(one) is None]
            if strict and refused:
                why = f"at {place:.200} stands {refused!r:.100} (words of your own begin with x-)"
                raise ValueError(f"this is no JSON schema of 2020-12: {why}")
            if strict and "unevaluatedProperties" in part and isinstance(part.get("patternProperties"), dict):
                raise ValueError(f"at {place:.200} stand 'unevaluatedProperties' beside 'patternProperties'")
            if strict and unfit:
                raise ValueError(f"at {place:.200} stands a 'pattern' that no linear time allows: {unfit[0]!r:.200}")
            for word in ("pattern", "patternProperties") if unfit else ():
                part.pop(word, None)
            for word in ("$ref", "$dynamicRef") if strict else ():
                self._follow_all(part, word, place)
            for word, value in part.items():
                if word in _NAMED and isinstance(value, dict):
                    pending += [(one, f"{place}/{word}/{name}") for name, one in value.items()]
                elif word in _HOLDING:
                    pending.append((value, f"{place}/{word}"))
        if strict:
            from jsonschema.exceptions import SchemaError  # noqa: PLC0415

            try:
                validator_class().check_schema(self.root)
            except SchemaError as error:
                where = "/".join(["#", *map(str, error.absolute_path)])
                raise ValueError(f"this is no JSON schema: at {where:.200}: {error.message:.200}") from None

    def _follow_all(self, part: Any, word: str, place: str) -> None:
        seen: list[Any] = []
        while isinstance(part, dict) and word in part:
            part = self.follow(part[word])
            if part is NOTHING or any(part is one for one in seen):
                raise ValueError(f"this is no JSON schema: at {place:.200}/{word} stands no place in this schema")
            seen.append(part)

    def follow(self, reference: Any) -> Any:
        """What a reference points at; NOTHING where it is no place in the schema."""
        from referencing.exceptions import Unresolvable  # noqa: PLC0415

        try:
            return self.resolver.lookup(reference).contents
        except (Unresolvable, ValueError, TypeError, AttributeError):
            return NOTHING

    def forms(self, schemas: Sequence[Any]) -> list[Mapping[str, Any]]:
        """The forms that a value may have: references followed, branches laid side by side."""
        found: list[Mapping[str, Any]] = []
        pending = list(schemas)[::-1]
        for _ in range(MOST_FORMS):
            if not pending:
                break
            schema = pending.pop()
            schema = {} if schema is True else schema
            if not isinstance(schema, Mapping):
                continue
            parts = [part for word in BRANCHES for part in schema.get(word) or ()]
            parts += [schema[word] for word in ("then", "else") if word in schema]
            parts += [self.follow(schema["$ref"])] if "$ref" in schema else []
            pending += parts
            if not parts or schema.keys() & {"type", "enum", "const", "properties", "items"}:
                found.append(schema)
        return found

    def fit(self, value: Any, schema: Any = None) -> Fit:
        """Fit a value to the schema, or to a part of it: as it stands if possible, else with liberties."""
        made = Fit(None)
        schema = self.root if schema is None else schema
        try:
            made.value = self._plain(value, (), [schema], made)
        except RecursionError:
            return Fit(None, [Flaw((), "other", "nests too deep")])
        validator = self.validator if schema is self.root else self.validator.evolve(schema=schema)
        for _ in range(MOST_PASSES):
            WORK.left, WORK.nested = MOST_WORK, 0
            try:
                errors = [leaf for error in validator.iter_errors(made.value) for leaf in _leaves(error)]
            except (TooMuchError, RecursionError):
                return Fit(None, [Flaw((), "other", "too many ways to read it")])
            repaired = [self._repair(made, error, schema) for error in errors[:MOST_STRANGE]]
            if not any(repaired):
                break
        known = {flaw.path for flaw in made.flaws}
        made.flaws += [flaw for error in errors[:MOST_FLAWS] if (flaw := _flaw(error)).path not in known]
        del made.flaws[MOST_FLAWS:]
        return made

    def _plain(self, value: Any, path: Path, schemas: Sequence[Any], made: Fit) -> Any:
        """The value in plain containers, its keys spelled as the schema has them, and what is wrong with it as data."""
        if isinstance(value, Gap):
            kind, text = ("cut", "cut off") if value is Gap.CUT else ("missing", "nothing stands here")
            made.flaws.append(Flaw(path, kind, text))
            return None
        if isinstance(value, float) and not math.isfinite(value):
            made.flaws.append(Flaw(path, "range", "not a finite number"))
            return None
        if len(path) > DEEPEST:
            made.flaws.append(Flaw(path, "other", "nests too deep"))
            return None
        if isinstance(value, list):
            if isinstance(value, Arr) and value.open:
                made.flaws.append(Flaw(path, "cut", "the list was cut off"))
            if not any(isinstance(item, dict | list | Gap | float) for item in value):
                return list(value)
            forms = self.forms(schemas)
            return [self._plain(item, (*path, at), items_of(forms, at), made) for at, item in enumerate(value)]
        return self._object(value, path, self.forms(schemas), made) if isinstance(value, dict) else value

    def _object(self, value: dict[str, Any], path: Path, forms: Forms, made: Fit) -> dict[str, Any]:
        names = {name: None for form in forms for name in form.get("properties") or ()}
        closed = bool(names) and not any(
            form.get("additionalProperties") not in (None, False) or form.get("patternProperties") for form in forms
        )
        spelled = _spelled(value, names, path, made) if closed else {}
        twice = value.twice if isinstance(value, Obj) else {}
        plain: dict[str, Any] = {}
        for key, item in value.items():
            name = spelled.get(key, key)
            if name is None:
                continue
            asked = not closed or name in names
            if asked and any(not same(one, item) for one in twice.get(key, ())):
                made.flaws.append(Flaw((*path, key), "conflict", "given twice, with different values"))
            before = len(made.flaws)
            read = self._plain(item, (*path, key), members_of(forms, name), made)
            if not asked and len(made.flaws) > before:  # nobody asked for it: it may be anything, broken too
                del made.flaws[before:]
                continue
            plain[name] = read
        if isinstance(value, Obj) and value.open and not (names and names.keys() <= plain.keys()):
            made.flaws.append(Flaw(path, "cut", "the object was cut off"))
        return plain

    def _repair(self, made: Fit, error: ValidationError, schema: Any) -> bool:
        """Take the liberty that there is to take where an error is; whether there is one."""
        path, value = tuple(error.absolute_path), error.instance
        asked: Any = error.validator_value
        code, new = "", NOTHING
        if error.validator in {"enum", "const"}:
            code, new = "label-spelling", choose(value, asked if error.validator == "enum" else [asked])
        elif (
            error.validator == "type" and isinstance(value, float) and value.is_integer() and "integer" in _kinds(asked)
        ):
            new = int(value)
        elif error.validator == "type" and value is not None:
            new, code = as_type(value, _kinds(asked))
        if new is NOTHING:
            if value is None and error.validator in {"type", "enum", "const"} and self._may_lack(schema, path):
                made.liberties.append(("null-left-out", path))
                return _holder(made.value, path).pop(path[-1], NOTHING) is not NOTHING
            return False
        if code:
            made.liberties.append((code, path))
        if path:
            _holder(made.value, path)[path[-1]] = new
        else:
            made.value = new
        return True

    def _may_lack(self, schema: Any, path: Path) -> bool:
        """Whether an object may do without the member at a path."""
        if not path or not isinstance(path[-1], str):
            return False
        forms = self.forms([schema])
        for step in path[:-1]:
            forms = self.forms(members_of(forms, step) if isinstance(step, str) else items_of(forms, step))
        return not any(path[-1] in (form.get("required") or ()) for form in forms)


def items_of(forms: Forms, at: int) -> list[Any]:
    """What the forms of a list say of its item at a place."""
    firsts = [form.get("prefixItems") or () for form in forms]
    return [one[at] if at < len(one) else form.get("items", True) for one, form in zip(firsts, forms, strict=True)]


def members_of(forms: Forms, name: str) -> list[Any]:
    """What the forms of an object say of a member."""
    return [(form.get("properties") or {}).get(name, form.get("additionalProperties", True)) for form in forms]


def _spelled(value: dict[str, Any], names: Mapping[str, Any], path: Path, made: Fit) -> dict[str, str | None]:
    """Keys in another spelling ("Overall Score"), and the properties they name; None for those that say it again."""
    strange = [key for key in value if key not in names and len(key) <= LONGEST_KEY]
    found: dict[str, str | None] = {}
    if not strange or len(strange) > MOST_STRANGE:
        return found
    forms: dict[str, str | None] = {}
    for name in names:
        forms[compact(name)] = None if compact(name) in forms else name
    holder: dict[str, str] = {name: name for name in names if name in value}
    for key in strange:
        meant = forms.get(compact(key))
        if meant is None:
            continue
        if meant not in holder:
            holder[meant], found[key] = key, meant
            made.liberties.append(("key-spelling", (*path, key)))
            continue
        found[key] = None
        if not same(value[holder[meant]], value[key]):
            made.flaws.append(Flaw((*path, key), "conflict", f"{meant} is given twice, with different values"))
    return found


def _leaves(error: ValidationError) -> Iterator[ValidationError]:
    """What is wrong in the end: of branches of which one has to fit, that which comes closest."""
    if not error.context:
        yield error
        return
    branches: dict[Any, list[ValidationError]] = {}
    for inner in error.context:
        branches.setdefault(inner.schema_path[0], []).append(inner)
    depth = len(error.absolute_path)
    heads = [one[0] for one in branches.values()]
    if all(one.validator == "type" and len(one.absolute_path) == depth for one in heads):
        heads[0].validator_value = [kind for one in heads for kind in _kinds(one.validator_value)]
        yield heads[0]
        return

    def distance(one: list[ValidationError]) -> tuple[bool, bool, int]:
        here = min(len(each.absolute_path) for each in one) == depth
        return here, one[0].validator == "type", len(one)

    for inner in min(branches.values(), key=distance):
        yield from _leaves(inner)


def _kinds(asked: Any) -> list[str]:
    return [asked] if isinstance(asked, str) else list(asked)


def _flaw(error: ValidationError) -> Flaw:
    word, value = str(error.validator), error.instance
    path = tuple(error.absolute_path)
    if word == "required":
        path += tuple(name for name in _kinds(error.validator_value) if error.message.startswith(repr(name)))[:1]
    kind = _KINDS.get(word, "other")
    if kind == "label" and isinstance(value, int | float) and not isinstance(value, bool):
        kind = "range"
    text = error.message if len(error.message) < 2 * MOST_STRANGE else f"{error.message:.100}... ({word})"
    return Flaw(path, kind, text)


def _holder(value: Any, path: Path) -> Any:
    for step in path[:-1]:
        value = value[step]
    return value
