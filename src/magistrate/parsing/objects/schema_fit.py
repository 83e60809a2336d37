"""Whether a value fits a caller's schema, and what it takes to make it fit.

First exactly as it stands. Where that fails, once more with the liberties a careful reader takes (see `schema_leaf`,
and keys in another spelling), each of them noted. What was cut off, left out or given twice never fits.

The vocabulary of JSON Schema is that of 2020-12, without remote and dynamic references and without `unevaluated...`.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any, Final

from magistrate.parsing.decode.nodes import Arr, Gap, Obj
from magistrate.parsing.keys import compact
from magistrate.parsing.objects.schema_flaws import Fit, Flaw, Path, matches, repeats
from magistrate.parsing.objects.schema_leaf import NOTHING, as_type, choose, kind_of, same

__all__ = ["fit", "follow", "resolve"]

Schema = Mapping[str, Any]

_BOUNDS: Final = {
    "minimum": (operator.lt, "less than"),
    "maximum": (operator.gt, "more than"),
    "exclusiveMinimum": (operator.le, "not more than"),
    "exclusiveMaximum": (operator.ge, "not less than"),
}
MOST_FLAWS: Final = 20
MOST_REFERENCES: Final = 60
DEEPEST: Final = 60
_WORK_PER_VALUE: Final = 40
_LEAST_WORK: Final = 20_000
_LONGEST_KEY: Final = 64
_LONGEST_INDEX: Final = 9
MOST_STRANGE: Final = 200
"""Unknown keys of an object that may be properties in another spelling; no answer has as many."""


def fit(value: Any, schema: Schema | bool, root: Schema | None = None) -> Fit:
    """Fit a value to a schema: as it stands if possible, else with liberties.

    Args:
        value: The decoded value.
        schema: The schema.
        root: The schema that its references are looked up in; itself by default.
    """
    base = root if root is not None else (schema if isinstance(schema, Mapping) else {})
    work = [_LEAST_WORK + _WORK_PER_VALUE * _size(value)]
    exact = _Fitter(base, work, lenient=False)
    plain = exact.read(value, schema, ())
    if not exact.flaws:
        return Fit(plain)
    free = _Fitter(base, work, lenient=True)
    plain = free.read(value, schema, ())
    return Fit(plain, free.flaws[:MOST_FLAWS], free.liberties)


def resolve(schema: Any, root: Schema) -> Any:
    """Follow the references of a schema; False, which nothing fits, where they lead nowhere."""
    for _ in range(MOST_REFERENCES):
        if not (isinstance(schema, Mapping) and isinstance(schema.get("$ref"), str)):
            return schema
        target = follow(schema["$ref"], root)
        if target is NOTHING:
            return False
        rest = {key: item for key, item in schema.items() if key != "$ref" and key not in _NOTES}
        if rest:
            return {"allOf": [target], **rest}
        schema = target
    return False


def follow(reference: str, root: Schema) -> Any:
    """What a reference points at, one step on; NOTHING where it is no place in the schema."""
    if reference != "#" and not reference.startswith("#/"):
        return NOTHING
    target: Any = root
    for step in reference.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~").replace("%25", "%").replace("%24", "$")
        if isinstance(target, list) and name.isdecimal() and len(name) <= _LONGEST_INDEX and int(name) < len(target):
            target = target[int(name)]
        elif isinstance(target, Mapping) and name in target:
            target = target[name]
        else:
            return NOTHING
    return target


_PLAIN_WORDS: Final = frozenset({"type", "title", "description", "default", "examples"})
_PLAIN_TYPES: Final = {
    "string": frozenset({str}),
    "integer": frozenset({int}),
    "boolean": frozenset({bool}),
    "number": frozenset({int}),
}
_SCALARS: Final[frozenset[type]] = frozenset({str, int, bool, type(None)})
_NOTES: Final = frozenset(
    {"title", "description", "default", "examples", "$defs", "definitions", "$comment", "deprecated"}
)


def _size(value: Any) -> int:
    count, pending = 0, [value]
    while pending:
        item = pending.pop()
        count += 1
        if isinstance(item, dict):
            pending.extend(item.values())
        elif isinstance(item, list):
            pending.extend(item)
    return count


class _Fitter:
    def __init__(self, root: Schema, work: list[int], *, lenient: bool) -> None:
        self.root = root
        self.work = work
        self.lenient = lenient
        self.flaws: list[Flaw] = []
        self.liberties: list[tuple[str, Path]] = []
        self._plain: dict[int, frozenset[type]] = {}

    def _flaw(self, path: Path, kind: str, text: str) -> None:
        if len(self.flaws) <= MOST_FLAWS:
            self.flaws.append(Flaw(path, kind, text))

    def _plain_types(self, schema: Any) -> frozenset[type]:
        """The types of values that fit a schema whatever they are; the fast way for most leaves."""
        known = self._plain.get(id(schema))
        if known is None:
            known = frozenset[type]()
            if schema is True or schema == {}:
                known = _SCALARS
            elif isinstance(schema, Mapping) and schema.keys() <= _PLAIN_WORDS and isinstance(schema.get("type"), str):
                known = _PLAIN_TYPES.get(schema["type"], known)
            self._plain[id(schema)] = known
        return known

    def _trial(self, *, lenient: bool) -> _Fitter:
        return _Fitter(self.root, self.work, lenient=lenient)

    def read(self, value: Any, schema: Any, path: Path) -> Any:
        self.work[0] -= 1
        if self.work[0] < 0:
            self._flaw(path, "other", "too many ways to read it")
            return None
        if len(path) > DEEPEST:
            self._flaw(path, "other", "nests too deep")
            return None
        schema = resolve(schema, self.root)
        if schema is False:
            self._flaw(path, "other", "the schema allows nothing here")
            return None
        if isinstance(value, Gap):
            kind = "cut" if value is Gap.CUT else "missing"
            self._flaw(path, kind, "cut off" if kind == "cut" else "nothing stands here")
            return None
        if not isinstance(schema, Mapping):
            schema = {}
        value = self._leaf(value, schema, path)
        if value is NOTHING:
            return None
        value = self._branches(value, schema, path)
        if isinstance(value, str):
            self._text(value, schema, path)
        elif isinstance(value, list):
            value = self._array(value, schema, path)
        elif isinstance(value, dict):
            value = self._object(value, schema, path)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            self._number(value, schema, path)
        return value

    # -- types and labels -----------------------------------------------------------

    def _leaf(self, value: Any, schema: Schema, path: Path) -> Any:
        kind = kind_of(value)
        if kind == "nonfinite":
            self._flaw(path, "range", "not a finite number")
            return NOTHING
        choices = [schema["const"]] if "const" in schema else schema.get("enum")
        if isinstance(choices, list | tuple):
            return self._label(value, choices, path)
        kinds = schema.get("type")
        if kinds is None:
            return value
        allowed = [kinds] if isinstance(kinds, str) else [str(one) for one in kinds]
        if schema.get("nullable") is True:
            allowed.append("null")
        if kind in allowed or (kind == "integer" and "number" in allowed):
            return value
        if kind == "number" and "integer" in allowed and float(value).is_integer():
            return int(value)
        if self.lenient:
            read, code = as_type(value, allowed)
            if read is not NOTHING:
                self.liberties.append((code, path))
                return read
        self._flaw(path, "other", f"{' or '.join(allowed)} expected, not {kind}")
        return NOTHING

    def _label(self, value: Any, choices: Any, path: Path) -> Any:
        for choice in choices:
            if same(choice, value):
                return value
        if self.lenient:
            read = choose(value, choices)
            if read is not NOTHING:
                self.liberties.append(("label-spelling", path))
                return read
        number = isinstance(value, int | float) and not isinstance(value, bool)
        shown = ", ".join(f"{choice!r:.30}" for choice in list(choices)[:6])
        self._flaw(path, "range" if number else "label", f"{value!r:.60} is none of {shown}")
        return NOTHING

    def _branches(self, value: Any, schema: Schema, path: Path) -> Any:
        for part in schema.get("allOf") or ():
            value = self.read(value, part, path)
        for word in ("anyOf", "oneOf"):
            if schema.get(word):
                value = self._any(value, schema[word], path, single=word == "oneOf")
        if "not" in schema and self._holds(value, schema["not"]):
            self._flaw(path, "other", "is what the schema excludes")
        if "if" in schema:
            branch = "then" if self._holds(value, schema["if"]) else "else"
            value = self.read(value, schema.get(branch, True), path)
        return value

    def _holds(self, value: Any, schema: Any) -> bool:
        trial = self._trial(lenient=False)
        trial.read(value, schema, ())
        return not trial.flaws

    def _any(self, value: Any, branches: Any, path: Path, *, single: bool) -> Any:
        """The branch that the value fits as it stands, else the one reading that liberties allow."""
        failed: list[_Fitter] = []
        for lenient in (False, True) if self.lenient else (False,):
            fits: list[tuple[Any, _Fitter]] = []
            failed = []
            for branch in branches:
                trial = self._trial(lenient=lenient)
                read = trial.read(value, branch, path)
                if trial.flaws:
                    failed.append(trial)
                    continue
                fits.append((read, trial))
                if not lenient and not single:
                    break
            if fits and (len(fits) == 1 or (lenient and all(same(fits[0][0], other) for other, _ in fits[1:]))):
                self.liberties += fits[0][1].liberties
                return fits[0][0]
            if fits:
                self._flaw(path, "other", "fits more than one form of the schema")
                return value
        closest = min(
            failed, key=lambda trial: (min(len(flaw.path) for flaw in trial.flaws) == len(path), len(trial.flaws))
        )
        for flaw in closest.flaws:
            self._flaw(flaw.path, flaw.kind, flaw.text)
        return value

    # -- what each type may hold -----------------------------------------------------------

    def _number(self, value: float, schema: Schema, path: Path) -> None:
        for word, (breaks, text) in _BOUNDS.items():
            bound = schema.get(word)
            if isinstance(bound, int | float) and not isinstance(bound, bool) and breaks(value, bound):
                self._flaw(path, "range", f"{value:g} is {text} {bound:g}")
        step = schema.get("multipleOf")
        if isinstance(step, int | float) and step > 0:
            times = value / step
            if abs(times - round(times)) > 1e-9 * max(1.0, abs(times)):
                self._flaw(path, "range", f"{value:g} is no multiple of {step:g}")

    def _text(self, value: str, schema: Schema, path: Path) -> None:
        if len(value) < schema.get("minLength", 0):
            self._flaw(path, "other", f"shorter than {schema['minLength']} characters")
        if len(value) > schema.get("maxLength", len(value)):
            self._flaw(path, "other", f"longer than {schema['maxLength']} characters")
        pattern = schema.get("pattern")
        if isinstance(pattern, str) and not matches(pattern, value):
            self._flaw(path, "other", "not of the pattern that the schema asks for")

    def _array(self, value: list[Any], schema: Schema, path: Path) -> list[Any]:
        if isinstance(value, Arr) and value.open:
            self._flaw(path, "cut", "the list was cut off")
        if len(value) < schema.get("minItems", 0):
            self._flaw(path, "count", f"fewer than {schema['minItems']} items")
        if len(value) > schema.get("maxItems", len(value)):
            self._flaw(path, "count", f"more than {schema['maxItems']} items")
        firsts, rest = schema.get("prefixItems") or (), schema.get("items", True)
        if isinstance(rest, list):  # how drafts before 2020-12 write it
            firsts, rest = rest, schema.get("additionalItems", True)
        plain = self._plain_types(rest) if not firsts else frozenset()
        made = (
            list(value)
            if plain.issuperset(map(type, value))
            else [
                self.read(item, firsts[at] if at < len(firsts) else rest, (*path, at)) for at, item in enumerate(value)
            ]
        )
        if schema.get("uniqueItems") is True and repeats(made):
            self._flaw(path, "other", "an item is there twice")
        if "contains" in schema and not any(self._holds(item, schema["contains"]) for item in made):
            self._flaw(path, "other", "no item of the kind that the schema asks for")
        return made

    def _object(self, value: dict[str, Any], schema: Schema, path: Path) -> dict[str, Any]:
        declared = schema.get("properties")
        names: Mapping[str, Any] = declared if isinstance(declared, Mapping) else {}
        extra = schema.get("additionalProperties", None)
        patterns: Mapping[str, Any] = schema.get("patternProperties") or {}
        closed = extra in (None, False) and not patterns
        twice = value.twice if isinstance(value, Obj) else {}
        for key, items in twice.items():
            if (key in names or not (closed and names)) and any(not same(item, items[0]) for item in items):
                self._flaw((*path, key), "conflict", "given twice, with different values")
        spelled = self._spelled(value, names, path) if names and closed else {}
        required = schema.get("required") or ()
        made: dict[str, Any] = {}
        for key, item in value.items():
            name = spelled.get(key, key)
            if name in made and name is not key:
                continue
            if name in names:
                if type(item) in self._plain_types(names[name]):
                    made[name] = item
                    continue
                if item is None and self.lenient and name not in required and not self._holds(None, names[name]):
                    self.liberties.append(("null-left-out", (*path, key)))
                    continue
                made[name] = self.read(item, names[name], (*path, key))
                continue
            plain_types = _SCALARS if extra is None or isinstance(extra, bool) else self._plain_types(extra)
            if not patterns and (extra is not False or not names) and type(item) in plain_types:
                made[name] = item
                continue
            fitting = [part for pattern, part in patterns.items() if matches(pattern, key)]
            for part in fitting:
                item = self.read(item, part, (*path, key))  # noqa: PLW2901 - each part reads what the last one made
            if not fitting and extra is False:
                self._flaw((*path, key), "other", "no key of the schema")
            if fitting:
                made[name] = item
            elif names and closed:  # nobody asked for it: it may be anything, broken too
                trial = self._trial(lenient=False)
                plain = trial.read(item, True, (*path, key))
                if not trial.flaws:
                    made[name] = plain
            else:
                made[name] = self.read(item, True if extra in (None, False) else extra, (*path, key))
        self._complete(value, made, schema, names, path)
        return made

    def _spelled(self, value: dict[str, Any], names: Mapping[str, Any], path: Path) -> dict[str, str]:
        """Keys in another spelling ("Overall Score"), and the properties they name."""
        strange = [key for key in value if key not in names and len(key) <= _LONGEST_KEY]
        if not strange or len(strange) > MOST_STRANGE:
            return {}
        forms: dict[str, str | None] = {}
        for name in names:
            form = compact(name)
            forms[form] = None if form in forms else name
        found: dict[str, str] = {}
        for key in strange:
            meant = forms.get(compact(key))
            if meant is None:
                continue
            other = next((one for one in (meant, *(k for k, n in found.items() if n == meant)) if one in value), None)
            if other is not None and not same(value[other], value[key]):
                self._flaw((*path, key), "conflict", f"{meant} is given twice, with different values")
            elif other is None and not self.lenient:
                self._flaw((*path, key), "other", f"{meant} in another spelling")
            elif other is None:
                self.liberties.append(("key-spelling", (*path, key)))
                found[key] = meant
        return found

    def _complete(
        self, value: dict[str, Any], made: dict[str, Any], schema: Schema, names: Mapping[str, Any], path: Path
    ) -> None:
        cut = isinstance(value, Obj) and value.open and any(name not in made for name in names)
        if cut or (isinstance(value, Obj) and value.open and not names):
            self._flaw(path, "cut", "the object was cut off")
        for name in schema.get("required") or ():
            if name not in made:
                self._flaw((*path, str(name)), "missing", "required")
        for name, needed in (schema.get("dependentRequired") or {}).items():
            if name in made:
                for other in needed:
                    if other not in made:
                        self._flaw((*path, str(other)), "missing", f"required beside {name}")
        if len(made) < schema.get("minProperties", 0) or len(made) > schema.get("maxProperties", len(made)):
            self._flaw(path, "count", "not as many keys as the schema asks for")
        if "propertyNames" in schema and not all(self._holds(name, schema["propertyNames"]) for name in made):
            self._flaw(path, "other", "a key that the schema does not allow")
