"""From a raw row to a case: what a value must be."""

import contextlib
import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from magistrate.case import ALIASES, TEXT_KEYS, Case, Problem, document_text
from magistrate.evaluation.cases.columns import JUDGED, FieldMap, assign, field_of, how_to_name, is_blank, note
from magistrate.evaluation.readers.base import kind, printed_list
from magistrate.parsing.wording.fold import clean

_TEXTS = ("id", "question", "answer", "category", "reference")
_CELLS = ("contexts", "citations", "statements", "metadata")
_MAX_DEPTH = 64
_INNER = _MAX_DEPTH - 1
"""From here on only one level of lists is taken apart."""
_NO_VALUE = "read as no value"
_NOT_FINITE = "is no finite number, read as null"
_LIKE_A_LIST = re.compile(r"\s*(?:[\[({]\s*[\"']|\[\w+\()")
_EXPECTED = {
    "contexts": "a list of texts, or one text",
    "citations": "a list of citations (objects with marker, document, span, quote)",
    "expected_score": "a number from 0 to 1",
    "statements": "a list of texts",
    "metadata": "an object",
}


def build_case(
    row: Mapping[str, Any], number: int, mapping: FieldMap, *, cells: bool = False
) -> tuple[Case, list[Problem]]:
    """Build the case of a row; what is wrong with it is listed, and the rest of the case is kept."""
    problems: list[Problem] = []
    raw, rest = assign(row, mapping, problems)
    values: dict[str, Any] = {"id": f"case-{number}"}
    for field, value in raw.items():
        several = not isinstance(mapping.get(field, ""), str)
        parts = [one for one in value if not is_blank(one)] if several else [value]
        read = [_cell(field, one, problems) if cells and isinstance(one, str) else one for one in parts]
        plain = (list(_flat([one for one in read if one is not None], _INNER)) or None) if several else read[0]
        if (converted := _convert(field, plain, problems)) is not None:
            values[field] = converted
    metadata = values.get("metadata", {})
    further = {key: _jsonable(value, key, problems) for key, value in rest.items() if key not in metadata}
    values["metadata"] = metadata | further
    _note_missing(row, values, mapping, problems)
    return _validated(values, problems), problems


def _cell(field: str, text: str, problems: list[Problem]) -> Any:
    """Read a cell of a table: an empty one is a missing value (save for an answer), a list or object is JSON."""
    stripped = text.strip()
    if stripped and is_blank(stripped) and field not in ("id", "category", "metadata"):
        return note(problems, field, f"is {stripped!r}, {_NO_VALUE}", severity="warning")
    if field in _CELLS and stripped:
        return _list_cell(field, text, stripped, problems)
    if field == "answer" or (stripped and field in ("question", "reference")):
        return text
    return stripped or None


def _list_cell(field: str, text: str, stripped: str, problems: list[Problem]) -> Any:
    if not stripped.startswith(("[", "array(", "(") if field in ("contexts", "statements") else ("[", "{", "array(")):
        return {"metadata": {"metadata": text}, "citations": [text]}.get(field, text)
    with contextlib.suppress(ValueError, RecursionError):
        return json.loads(stripped)
    literal = printed_list(stripped)
    if literal is not None and repr(literal) != stripped:
        note(problems, field, "is a list as Python printed it, read as its texts", severity="warning")
    if literal is None and (stripped[0] == "(" or (field == "contexts" and not re.match(r"\[\s*[\"'{\[]", stripped))):
        return text  # "[1] A passage ...": a text that begins with a bracket
    if literal is None:
        note(problems, field, "begins like a JSON list but is none", f"{_EXPECTED[field]}, as JSON")
    return literal


def _convert(field: str, value: Any, problems: list[Problem]) -> Any:
    if field in _TEXTS:
        return _text(value, field, problems)
    if field in ("contexts", "statements"):
        return _texts(value, field, problems)
    if value is None:
        return None
    if field == "metadata" and not isinstance(value, Mapping):
        _wrong(field, value, problems)
        return {"metadata": _jsonable(value, field, problems)}
    if field == "expected_score" and isinstance(value, bool):
        return _wrong(field, value, problems)
    if field == "citations" and isinstance(value, str | list | tuple):
        items = [value] if isinstance(value, str) else value
        value = [{"marker": item} if isinstance(item, str) else item for item in items]
    return _jsonable(value, field, problems)


def _texts(value: Any, field: str, problems: list[Problem]) -> Any:
    if isinstance(value, str):
        value = _from_text(value, field, problems)
    if not isinstance(value, list | tuple):
        return None if value is None else _wrong(field, value, problems)
    if field == "contexts" and any(isinstance(item, list | tuple) for item in value):
        note(problems, field, "holds lists inside the list, read as one list of texts", severity="warning")
        value = [item for item in _flat(value) if isinstance(item, bool) or not isinstance(item, int | float)]  # scores
    texts = []
    for index, item in enumerate(value):
        text = _text(document_text(item), f"{field}[{index}]", problems)
        if text is not None:
            texts.append(text)
        elif item is None:
            note(problems, f"{field}[{index}]", "is null", "a text")
    return texts


def _from_text(text: str, field: str, problems: list[Problem]) -> Any:
    """What one text holds: for contexts itself, for statements a list or a statement a line."""
    listed = text if field == "contexts" else _list_cell(field, text, text.strip(), problems)
    if listed is not text:
        return listed
    if _LIKE_A_LIST.match(text):
        message = "is one text that looks like a list, read as one text"
        note(problems, field, message, _EXPECTED[field], severity="warning")
    lines = [text] if field == "contexts" else [line for line in text.splitlines() if line.strip()] or [text]
    if len(lines) > 1:
        note(problems, field, "is one text, read as a statement a line", severity="warning")
    return lines


def _flat(value: Any, depth: int = 0) -> Iterator[Any]:
    for item in value:
        yield from _flat(item, depth + 1) if isinstance(item, list | tuple) and depth < _MAX_DEPTH else (item,)


def _text(value: Any, field: str, problems: list[Problem]) -> str | None:
    if value is None or isinstance(value, str):
        return value and _encodable(value, field, problems)
    if not isinstance(value, bool | int | float):
        _wrong(field, value, problems)
        return None
    if isinstance(value, float) and not math.isfinite(value):
        note(problems, field, _NOT_FINITE, severity="warning")
        return None
    text = str(value).lower() if isinstance(value, bool) else str(value)
    if field not in ("id", "category"):
        note(problems, field, f"is {kind(value)}, read as the text {text!r}", "a text", severity="warning")
    return text


def _encodable(text: str, field: str, problems: list[Problem]) -> str:
    """Replace half surrogate pairs, which no encoding can write, by U+FFFD, and say so."""
    if "\0" in text:
        note(problems, field, "holds a NUL character", severity="warning")
    if (whole := clean(text)) != text:
        message = "holds half of a surrogate pair (a cut emoji), replaced by U+FFFD"
        note(problems, field, message, "whole characters", severity="warning")
    return whole


def _wrong(field: str, value: Any, problems: list[Problem]) -> None:
    name = field.partition("[")[0]
    expected = "a text" if name in _TEXTS or "[" in field else _EXPECTED[name]
    texts = value if isinstance(value, Mapping) else {}
    key = next((key for key in TEXT_KEYS if isinstance(texts.get(key), str)), None)
    hint = f"call its text one of {', '.join(TEXT_KEYS)}" if texts and "[" in field else None
    if key and "[" not in field:
        place = f"COLUMN.{key}"
        hint = f"--map {name}={place}, in Python mapping={ {name: place}!r}, reads a text inside it"
    note(problems, field, f"is {kind(value)}", expected, hint=hint)


def _jsonable(value: Any, field: str, problems: list[Problem], depth: int = 0) -> Any:
    """Keep what JSON can hold, with the same care for texts as elsewhere."""
    match value:
        case float() if not math.isfinite(value):
            return note(problems, field, _NOT_FINITE, severity="warning")
        case None | bool() | int() | float():
            return value
        case Mapping() | list() | tuple() if depth >= _MAX_DEPTH:
            return note(problems, field, f"is nested deeper than {_MAX_DEPTH} levels, cut off", blocking=False)
        case Mapping():
            return {
                _encodable(str(key), field, problems): _jsonable(item, field, problems, depth + 1)
                for key, item in value.items()
            }
        case list() | tuple():
            return [_jsonable(item, field, problems, depth + 1) for item in value]
        case _:
            return _encodable(value, field, problems) if isinstance(value, str) else str(value)


def _note_missing(
    row: Mapping[str, Any], values: Mapping[str, Any], mapping: FieldMap, problems: list[Problem]
) -> None:
    told = (one for one in problems if one.severity == "error" or one.message.endswith(_NO_VALUE))
    known = {(one.field or "").partition("[")[0] for one in told}
    for field in ("answer", "contexts"):
        if field in values or field in known:
            continue
        expected = _EXPECTED.get(field, "a text")
        if field in mapping or any(field_of(column) == field for column in row):
            note(problems, field, "has no value", expected, severity="warning")
            continue
        hint = f"name another column with {how_to_name([field], [c for c in row if field_of(c) is None])}"
        expected = f"{expected} under one of {', '.join(ALIASES[field])}"
        note(problems, field, "missing", expected, hint=hint, blocking=False)


def _validated(values: dict[str, Any], problems: list[Problem]) -> Case:
    try:
        return Case(**values)
    except ValidationError as error:
        for detail in error.errors(include_url=False, include_context=False):
            field = str(detail["loc"][0]) if detail["loc"] else ""
            if field not in values:
                continue
            del values[field]
            path = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in detail["loc"]).lstrip(".")
            message = str(detail["msg"]).lower().replace("tuple", "list")
            if field not in JUDGED and isinstance(detail["input"], str):
                message = f"{message.partition(',')[0]}, not {detail['input'][:60]!r}"
            note(problems, path, message, _EXPECTED.get(field), blocking=field in JUDGED)
        return Case(**values)
