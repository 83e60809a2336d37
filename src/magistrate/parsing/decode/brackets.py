"""Brackets in a text: which may open JSON, which are part of a sentence, which open and hold nothing."""

import re
from typing import Final

from magistrate.parsing.decode.documents import Document
from magistrate.parsing.decode.nodes import Gap

_SHORT: Final = 200
_QUOTE: Final = "\"'\u201c\u201d\u201e\u2018\u2019\uff02`\u300c\u300e"
OPENER: Final = re.compile(
    rf"[{{\uff5b\[\uff3b\u3010](?:(?<=[{{\uff5b])\s*+(?:[{_QUOTE}}}\uff5d{{\uff5b]|\\{{1,15}}+\"|&quot;|&#34;|//|/\*"
    rf"|(?:[^\W\d]\w{{0,39}}|\d{{1,9}})[{_QUOTE}]?\s*[:\uff1a])"
    rf"|(?<=[\[\uff3b\u3010])\s*+(?:[{_QUOTE}\[\uff3b{{\uff5b\]]|\\{{1,15}}+\"|&quot;|&#34;|//|/\*|-?\.?\d[\d.]{{0,20}}(?:[eE][+-]?\d{{1,4}})?\s*[,\]]"
    rf"|(?:true|false|null|True|False|None)\s*\]|[^\W\d]\w{{0,39}}\s*,))"
)


def is_blank(text: str) -> bool:
    """Whether a text says nothing: blanks, byte order marks, NUL characters."""
    if not text or text.isspace():
        return True
    return not text.strip().strip(" \t\r\n\ufeff\u200b\x00\u00a0")


_REST_OF_LINE: Final = re.compile(r"[^\S\n]*+(?:[\ufeff\u200b\x00]++[^\S\n]*+)*+(?!\n|\Z)")


def goes_on(text: str, at: int) -> bool:
    """Whether anything but blanks, as `is_blank` has them, follows on a line."""
    return _REST_OF_LINE.match(text, at) is not None


_LEAD_IN: Final = re.compile(r"[^\n.!?]{0,80}[:=][*_`]{0,3}\s*|\s*(?:`{1,3}\w*\s*)?|data:\s*")
_TRAIL: Final = re.compile(r"[\s.;`]*(?:\n|$)")


def is_hollow(document: Document) -> bool:
    """Whether brackets opened and nothing came: code, formulas, garbage."""
    if not document.cut or document.end - document.start > _SHORT:
        return False
    pending = [document.value]
    while pending:
        value = pending.pop()
        for item in value.values() if isinstance(value, dict) else value:
            if isinstance(item, dict | list):
                pending.append(item)
            elif not isinstance(item, Gap):
                return False
    return True


def stands_alone(text: str, start: int, end: int, *, words: bool) -> bool:
    """Whether a bracket stands apart from sentences: alone on its line, or after a lead-in."""
    line = text.rfind("\n", 0, start) + 1
    before = text[max(line, start - 120) : start].rpartition("|>")[2]
    return bool(_LEAD_IN.fullmatch(before)) and (words or _TRAIL.match(text, end) is not None)
