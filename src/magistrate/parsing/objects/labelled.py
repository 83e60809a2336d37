"""An object that a reply gives without JSON: one tag a property, or one labelled line."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from magistrate.parsing.decode.documents import Document
from magistrate.parsing.decode.nodes import Arr, Gap, Obj
from magistrate.parsing.decode.parts import Part
from magistrate.parsing.objects.target import Target
from magistrate.parsing.reply.marks import ends_open, fence_lines
from magistrate.parsing.settle.masks import masked
from magistrate.parsing.wording.courtesy import withdraws
from magistrate.parsing.wording.fold import DATA, DROPPED, QUOTED, compact
from magistrate.parsing.wording.hedges import hedges
from magistrate.parsing.wording.keys import Role, role_of

_LINE: Final = re.compile(
    r"^(?P<indent>[ \t]{0,20})(?:[-*+\u2022][ \t]{1,4}|\d{1,3}[.)][ \t]{1,4}|#{1,6}[ \t])?[*_`\"']{0,4}"
    r"(?P<name>[^\W\d][\w /-]{0,60}?)[*_`\"']{0,4}[ \t]{0,4}[:\uff1a=][*_`]{0,4}(?:[ \t]+|$)(?P<value>[^\n]*)$",
    re.MULTILINE,
)
_TABLE: Final = re.compile(
    r"^\|[^|\n]+\|(?P<name>[^|\n]+)\|[ \t]*\n\|[ :|-]+\|[ \t]*\n"
    r"(?P<rows>(?:\|[^|\n]+\|[^|\n]+\|[ \t]*(?:\n|$))+)",
    re.MULTILINE,
)
"""A table of two columns."""
_CELLS: Final = re.compile(r"^\|([^|\n]+)\|([^|\n]+)\|", re.MULTILINE)
_RATED: Final = re.compile(
    r"(?P<number>\d{1,4})(?:/(?P<top>\d{1,4}))?[*_]*(?:[ \t]+[\u2013\u2014-][ \t]+(?P<remark>[^\d\n]+))?"
)
"""A number with its top, and a remark on it: "3/5 – one wrong date"."""
_NO_REMARK: Final = re.compile(r"(?:or|no|not)\b|\w+\W*$", re.IGNORECASE)
_ITEM: Final = re.compile(r"[ \t]*(?:[-*+\u2022]|\d{1,3}[.)])[ \t]+(?P<text>[^\n]+)")
_DECORATION: Final = " \t\r\n*_`\"'"


def own_text(part: Part, *, data: bool = False) -> str:
    """The judge's own wording in a part, quotations and all, each sign in its place; "" where it is too long."""
    if data:
        prose = sorted([*part.prose, *((one.start, one.end) for one in part.documents)])
        part = replace(part, shown=part.text, prose=prose, documents=[], quoted=[])
    return masked(part, quotes=False).replace(DROPPED, " ").replace(QUOTED, " ")


def _unquoted(text: str) -> str:
    """A text without the quotation marks that a YAML scalar has."""
    whole = len(text) > 1 and text[0] in "\"'" and text[-1] == text[0] and text.count(text[0]) == 2  # noqa: PLR2004 - one pair
    return text[1:-1] if whole else text


def read_lines(part: Part, target: Target, *, cut: bool) -> Document | None:
    """The labelled lines of a reply as one object: "score: 4", "**Reason:** ..."; None where no label is a property."""
    forms: dict[str, str] = {compact(name): name for name in target.names}
    text = own_text(part)
    table = _TABLE.search(text) if "|" in text else None
    if table is not None and role_of(table["name"].strip(_DECORATION)) in {Role.VERDICT, Role.WEAK_VERDICT}:
        text = text[: table.start("rows")] + _CELLS.sub(r" \1:\2 ", table["rows"]) + text[table.end("rows") :]
    found = [(line, forms[name]) for line in _LINE.finditer(text) if (name := compact(line["name"])) in forms]
    if not found or len({line["indent"] for line, _ in found}) > 1:  # what is inside of something else is not beside it
        return None
    cut = cut or ends_open(fence_lines(part.text, part.prose))
    others = (line for line in _LINE.finditer(text, found[0][0].end()) if compact(line["name"]) not in forms)
    if any(withdraws(line.group()[:2_000]) for line in others):
        return None  # "Correction: ..."
    value = Obj(min(found[0][0].start(), table.start() if table is not None else len(text)))
    for at, (line, name) in enumerate(found):
        last = at + 1 == len(found)
        stop = len(text) if last else found[at + 1][0].start()
        item = _value(text, line, stop, target.schema.forms([target.names[name]]), last=last)
        if isinstance(item, str) and DATA in item:
            item = Gap.MISSING  # what stands there is not said in words
        if cut and last:
            item = Gap.CUT
        if name in value:
            value.twice.setdefault(name, [value[name]]).append(item)
            continue
        value[name] = item
        value.spans[name] = line.span("value")
    line = found[-1][0]
    end = text.find("\n\n", line.end()) if line["value"].strip() else -1
    value.span = (value.span[0], len(text) if end < 0 else end)
    value.open = False
    return Document(part.text, value.span[0], value.span[1], value, ())


def _value(text: str, line: re.Match[str], stop: int, forms: Sequence[Mapping[str, Any]], *, last: bool) -> Any:
    """What follows a label: the rest of the line, or a list under it, or, for free text, all up to the next label."""
    first = line["value"].strip()
    rest = text[line.end() : stop]
    if any(form.get("type") == "array" for form in forms):
        lines = [one for one in rest.split("\n") if one.strip()]
        items = [item for one in lines if (item := _ITEM.fullmatch(one.rstrip()))]
        if first or len(items) != len(lines):
            return Gap.MISSING
        listed = Arr(line.start())
        listed.extend(_unquoted(item["text"].strip()) for item in items)
        listed.open = False
        return listed
    free = any(form.get("type") == "string" and "enum" not in form for form in forms)
    if not first and not rest.strip():
        return Gap.MISSING
    if not free:
        said = (first or next((one for one in rest.split("\n") if one.strip()), "")).strip(_DECORATION)
        rated = _RATED.fullmatch(said) if {form.get("type") for form in forms} & {"integer", "number"} else None
        remark = (rated and rated["remark"]) or ""
        if rated is None or hedges(remark) or withdraws(remark) or _NO_REMARK.match(remark):
            return said
        of = {form.get("maximum") for form in forms}
        return rated["number"] if rated["top"] is None or int(rated["top"]) in of else said
    if last:  # what comes after a blank line need not belong to it
        rest = rest.split("\n\n")[0] if first else rest
    return f"{first}{rest}".strip()  # the rest begins with its line break
