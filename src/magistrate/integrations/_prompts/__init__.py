"""What frameworks' prompts say about a reply that their schemas leave open: how many entries, which values."""

import ast
import json
import re
from collections.abc import Mapping
from typing import Any

from magistrate.integrations._common import Limits
from magistrate.parsing import parse_label
from magistrate.verdict import ParseStatus, Status

_LONGEST_LIST = 1_000_000


def printed_list(text: str | None, *, texts: bool = False) -> list[str]:
    """The items of a list as Python prints it; none where it is no such list, or not of texts and it must be."""
    if text is None or len(text) > _LONGEST_LIST:
        return []
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return []
    if not isinstance(value, list) or (texts and not all(isinstance(item, str) for item in value)):
        return []
    return [item if isinstance(item, str) else repr(item) for item in value]


def first_object(text: str) -> dict[str, Any] | None:
    """The JSON object that a text begins with; None where it begins with none."""
    try:
        value, _ = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


_NUMBER = r"(-?\d{1,6}(?:\.\d{1,6})?)"
_RANGE = re.compile(rf"\b(?:from|between) {_NUMBER} (?:to|and) {_NUMBER}(?![\d%]|\.\d)")
_BOUNDS = frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "enum", "const"})
_LONGEST = 4000


def stated_limits(schema: Mapping[str, Any]) -> Limits | None:
    """Property -> the one range that its description states: "from 0.0 to 1.0", "between 1 and 5"."""
    properties = schema.get("properties")
    if not isinstance(properties, Mapping):
        return None
    return {name: limits for name, node in properties.items() if (limits := _limits(node)) is not None} or None


def _limits(node: Any) -> dict[str, float] | None:
    if not isinstance(node, Mapping) or node.get("type") not in {"number", "integer"} or _BOUNDS & set(node):
        return None
    described = node.get("description")
    ranges = set(_RANGE.findall(described[:_LONGEST])) if isinstance(described, str) else set()
    if len(ranges) != 1:
        return None
    low, high = map(float, ranges.pop())
    return {"minimum": low, "maximum": high} if low < high else None


_OFFERED = re.compile(r"'GRADE: \$LETTER' \(without quotes\) where LETTER is one of ([A-Z]{2,26})\b")
_SAID = r"GRADE[*_`]{0,3}[ \t]{0,3}:[ \t]{0,3}[*_`'\"\[(]{0,5}(\w{1,20})"
_MENTIONED = re.compile(rf"\b{_SAID}", re.IGNORECASE)
_ALONE = re.compile(rf"^[ \t>*_#`'\"]{{0,9}}{_SAID}[ \t\r*_`'\".\])]{{0,9}}$", re.IGNORECASE | re.MULTILINE)
_LETTERS = {"correct": "C", "incorrect": "I", "partial": "P"}


def letters_offered(prompt: str) -> str:
    """The grades that a prompt offers; "" where it asks for none."""
    found = _OFFERED.search(prompt)
    return found[1] if found else ""


def grade_in(text: str, letters: str, finish_reason: str | None) -> tuple[str | None, Status]:
    """Read the grade that a grader's reply ends with; None, and why, where there is none or more than one."""
    if finish_reason in {"length", "content_filter"}:
        return None, Status.TRUNCATED if finish_reason == "length" else Status.REFUSED
    mentioned, alone = list(_MENTIONED.finditer(text)), list(_ALONE.finditer(text))
    if not mentioned:
        refused = parse_label(text, list(letters), finish_reason=finish_reason).status is ParseStatus.REFUSAL
        return None, Status.REFUSED if refused else Status.UNPARSEABLE
    if alone and alone[-1].end(1) != mentioned[-1].end(1):
        return None, Status.UNPARSEABLE
    said = {_LETTERS.get(match[1].lower(), match[1].upper()) for match in alone or mentioned}
    grade = said.pop()
    return (grade, Status.SCORED) if not said and grade in set(letters) else (None, Status.UNPARSEABLE)
