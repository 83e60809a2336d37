"""What the plain scalars of block YAML are, by what a schema asks for in their place.

"4" is a number where one may stand and a text where only a text may; "yes" and "off" are truth values only where the
schema asks for nothing but one. Nothing else is decided here: whether the value fits is for `schema_fit`.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any, Final

from magistrate.parsing.decode.nodes import Arr, Obj
from magistrate.parsing.decode.yaml_block import BlockText, Plain
from magistrate.parsing.objects.leaves import kind_of, same
from magistrate.parsing.objects.schema import Schema, items_of, members_of
from magistrate.parsing.wording.fold import compact

_WHOLE: Final = re.compile(r"[-+]?\d{1,18}")
_NUMBER: Final = re.compile(r"[-+]?(?:\d{1,18}(?:\.\d{0,18})?|\.\d{1,18})(?:[eE][-+]?\d{1,3})?")
_WORDS: Final = {
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys(("null", "Null", "NULL", "~"), None),
}
_TRUTHS: Final = {"yes": True, "no": False, "on": True, "off": False}
_MARKS: Final = "*_`"


def as_asked(value: Any, schema: Schema, text: str) -> Any:
    """The value with its scalars as the schema has them.

    Args:
        value: What `read_block` read.
        schema: The schema.
        text: The text it was read from.
    """
    return _settled(value, [schema.root], schema, text)


def _settled(value: Any, schemas: Sequence[Any], root: Schema, text: str) -> Any:
    if not isinstance(value, Plain | BlockText | Obj | Arr):
        return value  # quoted, in brackets, or nothing: it says itself what it is
    forms = root.forms(schemas)
    kinds = _kinds(forms)
    if isinstance(value, BlockText):
        return str(value)
    if isinstance(value, Plain):
        return _scalar(value, forms, kinds)
    if kinds and not kinds & {"object", "array"} and "string" in kinds:
        return _as_text(value, text)
    if isinstance(value, Arr):
        merged = _merged(value) if kinds and "array" not in kinds and "object" in kinds else None
        if merged is None:
            return _list(value, forms, root, text)
        value = merged
    return _map(value, forms, root, text)


def _as_text(value: Obj | Arr, text: str) -> str:
    """What stands there, line by line, where a text is asked for."""
    start, end = value.span
    line = text.rfind("\n", 0, start) + 1
    lead = text[line:start]
    return textwrap.dedent((" " * len(lead)) + text[start:end]).strip()


def _list(value: Arr, forms: Sequence[Any], root: Schema, text: str) -> Arr:
    for at, item in enumerate(value):
        value[at] = _settled(item, items_of(forms, at), root, text)
    return value


def _map(value: Obj, forms: Sequence[Any], root: Schema, text: str) -> Obj:
    spelled = {compact(name): name for form in forms for name in form.get("properties") or ()}
    for key in list(value):
        inner = members_of(forms, spelled.get(compact(key), key))
        value[key] = _settled(value[key], inner, root, text)
        if key in value.twice:
            value.twice[key] = [_settled(item, inner, root, text) for item in value.twice[key]]
    return value


def _merged(value: Arr) -> Obj | None:
    """A list of maps as one map, as in "- tone: dry" and "- length: short"; None where it is another list."""
    if not value or not all(isinstance(item, Obj) for item in value):
        return None
    made = Obj(value.span[0])
    made.span, made.open = value.span, value.open
    for item in value:
        for key, one in item.items():
            every = item.twice.get(key, [one])
            if key in made:
                made.twice.setdefault(key, [made[key]]).extend(every)
                continue
            made[key], made.spans[key] = one, item.spans[key]
            if len(every) > 1:
                made.twice[key] = list(every)
    return made


def _scalar(value: Plain, forms: Sequence[Any], kinds: set[str]) -> Any:
    said = str(value)
    typed = _typed(said)
    choices = [one for form in forms for one in _choices(form)]
    if any(isinstance(one, str) and one == said for one in choices):
        return said
    if any(same(one, typed) for one in choices):
        return typed
    kind = kind_of(typed)
    if not kinds or kind in kinds or (kind == "integer" and "number" in kinds) or kind == "null":
        return typed
    if "string" in kinds:
        return said
    bare = said.strip(_MARKS).strip()
    if "boolean" in kinds and bare.casefold() in _TRUTHS:
        return _TRUTHS[bare.casefold()]
    return _typed(bare)


def _typed(text: str) -> Any:
    """A plain scalar as YAML has it: numbers, truth values, nothing; else a text."""
    if text in _WORDS:
        return _WORDS[text]
    if _WHOLE.fullmatch(text) and text.isascii():
        return int(text)
    if _NUMBER.fullmatch(text) and text.isascii():
        return float(text)
    return text


def _choices(form: Mapping[str, Any]) -> Sequence[Any]:
    if "const" in form:
        return [form["const"]]
    choices = form.get("enum")
    return choices if isinstance(choices, list | tuple) else ()


def _said(form: Mapping[str, Any]) -> set[str]:
    """The kinds that one form asks for."""
    kind = form.get("type")
    if kind is not None:
        kinds = {kind} if isinstance(kind, str) else {str(one) for one in kind}
        return kinds | {"null"} if form.get("nullable") is True else kinds
    choices = _choices(form)
    if choices:
        return {kind_of(one) for one in choices}
    return {"object"} if "properties" in form else {"array"} if "items" in form else set()


def _kinds(forms: Sequence[Mapping[str, Any]]) -> set[str]:
    """The kinds of values that may stand in a place; empty where anything may."""
    found: set[str] = set()
    for form in forms:
        said = _said(form)
        if not said:
            return set()
        found |= said
    return found
