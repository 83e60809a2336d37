"""What printing gives instead of JSON: Python objects, enumerations, tuples, event streams, DSPy's headings.

The text is rewritten to one of the same length, so that positions stay those of the reply.
"""

from __future__ import annotations

import re
from typing import Final

from magistrate.parsing.wording.keys import Role, role_of

FIELD: Final = re.compile(r"\[\[ ## (?P<name>\w{1,40}) ## \]\]")
"""The heading of a field, as DSPy writes it; "completed" closes the last one."""
_CALL: Final = re.compile(r"\b[A-Z_a-z][\w.]{0,60}\(\s*(?:[a-z_]\w{0,40}=|\[\()")
_ENUM: Final = re.compile(r":\s*<[A-Za-z_][\w.]{0,60}: ")
_STREAM: Final = re.compile(r"(?:^|\n)data: ?[{\[\"]")
_STREAM_LINE: Final = re.compile(
    r"^(?:data|event|id|retry)?:[ ]?(?:\[DONE\]|(?<=event: )[^\n]*|(?<=id: )[^\n]*)?", re.MULTILINE
)
_TOKEN: Final = re.compile(
    r"(?P<text>'(?:[^'\\\n]|\\.)*+'|\"(?:[^\"\\\n]|\\.)*+\")"
    r"|(?P<enum><[A-Za-z_][\w.]{0,60}:\s*)(?P<member>'[^'\n]{0,80}'|\"[^\"\n]{0,80}\"|-?\d{1,9})(?P<end>>)"
    r"|(?P<call>[A-Za-z_][\w.]{0,60})?(?P<open>\()|(?P<key>[A-Za-z_]\w{0,60})(?P<is>=)(?!=)|(?P<other>[\[{])"
    r"|(?P<close>[)\]}])"
)
DEEPEST: Final = 64
"""Levels of nesting of a printed object that are followed."""
MOST_ANCHORS: Final = 20
"""Places at which printed objects may begin."""


def may_be_python(text: str) -> bool:
    """A quick look whether a text may hold what only looks like JSON: printed objects, the headings of DSPy."""
    if "#" in text and "[[ ##" in text:
        return True
    if "(" in text and ("[(" in text or ("=" in text and _CALL.search(text) is not None)):
        return True
    return "<" in text and _ENUM.search(text) is not None


def as_json(text: str) -> str | None:
    """Write printed Python objects and event streams as (almost) JSON; None where there are none."""
    if (
        "data:" in text
        and _STREAM.search(text)
        and all(line.startswith(("data:", "event:", "id:", "retry:", ":")) for line in text.split("\n") if line.strip())
    ):
        return _STREAM_LINE.sub(blank, text)
    fields = FIELD.sub(as_label, text) if "[[ ##" in text else None
    if not may_be_python(text):
        return fields
    text = text if fields is None else fields
    out = list(text)
    at = changed = 0
    for _ in range(MOST_ANCHORS):
        anchors = [match.start() for pattern in (_CALL, _TUPLES) if (match := pattern.search(text, at))]
        anchors += [] if (holder := _holds_enum(text, at)) is None else [holder]
        if not anchors:
            break
        start = min(anchors)
        stop = _rewrite(text, start, out)
        if stop is None:
            break  # looking on would mean to walk to the end again and again
        if not _may_answer(text, start, stop):
            out[start:stop] = text[start:stop]
        else:
            changed += 1
        at = stop
    return "".join(out) if changed else fields


def _may_answer(text: str, start: int, stop: int) -> bool:
    """Whether a printed object may be an answer: it is all there is, or one of its keys names a part of an answer."""
    if not text[:start].strip(" \t\r\n`") and not text[stop:].strip(" \t\r\n`"):
        return True
    if text.startswith("[(", start):
        return True
    keys = (match["key"] or match["quoted"] for match in _KEYS.finditer(text, start, stop))
    return any(role_of(key) in _TELLING_ROLES for key in keys)


_KEYS: Final = re.compile(r"(?P<key>[A-Za-z_]\w{0,40})=(?!=)|['\"](?P<quoted>[A-Za-z_]\w{0,40})['\"]\s*:")
_TELLING_ROLES: Final = frozenset({Role.VERDICT, Role.WEAK_VERDICT, Role.ECHO})
_TUPLES: Final = re.compile(r"\[\(")
_HOLDER: Final = re.compile(r"[\[{]")
_FARTHEST: Final = 400
"""Characters between the bracket of a printed object and its first member of an enumeration."""


def _holds_enum(text: str, at: int) -> int | None:
    """Where the next printed object opens in which a member of an enumeration stands."""
    for member in _ENUM.finditer(text, at):
        first = max(at, member.start() - _FARTHEST - 1, text.rfind("<", at, member.start()) + 1)
        if holder := _HOLDER.search(text, first, member.start()):
            return holder.start()
    return None


def _rewrite(text: str, start: int, out: list[str]) -> int | None:
    """Rewrite the printed object that begins here; return where it ends, None where it does not."""
    closers: list[str] = []
    edits: list[tuple[int, str]] = []
    for token in _TOKEN.finditer(text, start):
        if token["enum"]:
            edits += [(place, " ") for place in (*range(token.start("enum"), token.end("enum")), token.start("end"))]
        elif token["open"]:
            edits += [(place, " ") for place in range(token.start(), token.start("open"))]
            keyed = _KEYWORD.match(text, token.end()) is not None
            named = token["call"] is not None
            opener, closer = ("{", "}") if named and keyed else (" ", " ") if named else ("[", "]")
            edits.append((token.start("open"), opener))
            closers.append(closer)
        elif token["is"] and closers and closers[-1] == "}":
            edits.append((token.start("is"), ":"))
        elif token["other"]:
            closers.append("")
        if len(closers) > DEEPEST:
            return None
        if token["close"]:
            if not closers:
                return None
            closer = closers.pop()
            if closer:
                edits.append((token.start("close"), closer))
            if not closers:
                for place, char in edits:
                    out[place] = char
                return token.end()
    return None


_KEYWORD: Final = re.compile(r"\s*[A-Za-z_]\w{0,60}=(?!=)")


def blank(match: re.Match[str]) -> str:
    """As many blanks."""
    return " " * len(match.group())


def as_label(match: re.Match[str]) -> str:
    """A heading as a label."""
    name = "" if match["name"] == "completed" else match["name"] + ":"
    return name.ljust(len(match.group()))
