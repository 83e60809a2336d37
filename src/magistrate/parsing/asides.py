"""Values for other people's words, in notations of their own: a quoted reason of YAML, an element for a reason."""

from __future__ import annotations

import re
from typing import Final

from magistrate.parsing.keys import Role, compact, role_of

__all__ = ["aside_end", "in_scalar"]

_LONGEST: Final = 4_000
"""Characters of a value that are looked at, before a place and behind it."""
_SCALAR: Final = re.compile(
    r"[ \t]*+(?:[-*][ \t]++)?+(?P<mark>[\"']?)(?P<key>[^\W\d_][\w -]{0,39}+)(?P=mark)[ \t]*+:[ \t]++"
    r"(?P<value>\"(?:[^\"\\\n]|\\.)*+\"|'(?:[^'\n]|'')*+')[ \t\r,]*+(?=\n|\Z)"
)
_TAG: Final = re.compile(r"<(?P<name>[A-Za-z_][\w-]{0,40})>")
_STATEMENTS: Final = frozenset({"statement", "claim", "sentence", "assertion", "fact"})
_ANALYSIS: Final = "analy"
"""How names begin that some judges give to their list of verdicts."""


def aside_end(text: str, at: int) -> int | None:
    """Where the value ends in which a place stands and in which nothing is an answer; None where it stands in none.

    Args:
        text: The reply.
        at: The place, such as a bracket that may open an object.
    """
    floor = max(0, at - _LONGEST)
    line = text.rfind("\n", floor, at) + 1 or floor
    scalar = _SCALAR.match(text, line, at + _LONGEST) if text[line:at].strip() else None
    if scalar is not None and scalar.start("value") < at < scalar.end("value") and _is_aside(scalar["key"]):
        return scalar.end("value") - 1
    tag = _TAG.match(text, begun) if (begun := text.rfind("<", floor, at)) >= 0 else None
    if tag is None or tag.end() > at or not _is_aside(tag["name"]):
        return None
    end = text.find(f"</{tag['name']}>", at, at + _LONGEST)
    return end if end >= 0 else None


def _is_aside(name: str) -> bool:
    role, plain = role_of(name, near=False), compact(name)
    if plain.startswith(_ANALYSIS):
        return False
    return role in {Role.REASON, Role.QUOTE} or plain in _STATEMENTS


def in_scalar(text: str, line: int, mark: re.Match[str]) -> bool:
    """Whether a mark stands in a value in quotes that its line is: `reason: "... </think> ..."` of YAML."""
    begun = _BEGUN.match(text, line, mark.start())
    if begun is None:
        return False
    end = text.find("\n", mark.end(), mark.end() + _LONGEST)
    rest = text[mark.end() : end if end >= 0 else mark.end() + _LONGEST]
    return rest.rstrip(" \t\r,}]").endswith(begun["quote"])


_BEGUN: Final = re.compile(r"[ \t]*+(?:[-*][ \t]++)?+[\"']?[\w -]{1,40}+[\"']?[ \t]*+[:=][ \t]*+(?P<quote>[\"'])")
