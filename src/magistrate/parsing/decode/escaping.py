"""Layers of escaping around a container: told, taken off, found back through; the TeX commands of a string."""

import html
import re
from bisect import bisect_right
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Final

from magistrate.parsing.decode.repair_state import Note
from magistrate.parsing.switches import cached_for

_ENTITY: Final = re.compile(r"&(?:quot|amp|lt|gt|apos|nbsp|#\d{1,6}|#x[0-9a-fA-F]{1,5});")
_ONE_LEVEL: Final = re.compile(r"\\([\"\\/nrt])")
_ESCAPED: Final = {"n": "\n", "r": "\r", "t": "\t"}
WRAPPED: Final = re.compile(r"[\[{]\s{0,40}(?:[\[{]\s{0,40}){0,6}(?P<mark>&quot;|&#34;|\\{1,15}\")")
_LOST: Final = re.compile(
    r"[\f\b](?=[A-Za-z])"
    r"|\t(?=(?:heta|imes|au|ilde|riangle\w*|extbf|extit|extrm|frac|herefore)(?![A-Za-z])|ext\{)"
    r"|\r(?=(?:ho|ight\w{0,12}|angle|ceil|floor|brace|brack)(?![A-Za-z])|m\{)"
    r"|\n(?=(?:abla|eq|otin|subseteq|exists|parallel)(?![A-Za-z]))"
)
"""What stands for the backslash and the first letter, before the rest of the command."""
_LETTERS: Final = {"\f": "\\f", "\b": "\\b", "\t": "\\t", "\r": "\\r", "\n": "\\n"}


@dataclass(slots=True)
class Unwrapped:
    """A text with one layer of escaping taken off, and the way back."""

    text: str  # the text
    note: Note  # what was taken off, and where it begins
    original: str  # the text it was taken off
    start: int  # where in it the escaped part begins
    entity: bool  # whether the escapes are character references
    _ours: list[int] | None = None
    _theirs: list[int] = field(default_factory=list)

    def back(self, at: int) -> int:
        """The position in the original text."""
        if self._ours is None:
            pattern = _ENTITY if self.entity else _ONE_LEVEL
            spans = [found.span() for found in pattern.finditer(self.original, self.start)]
            self._theirs = [end for _, end in spans]
            # Each stands for one character.
            shrunk = accumulate(end - start - 1 for start, end in spans)
            self._ours = [end - less for end, less in zip(self._theirs, shrunk, strict=True)]
        step = bisect_right(self._ours, at) - 1
        return at if step < 0 else self._theirs[step] + at - self._ours[step]


@cached_for(1024)
def _character(entity: str) -> str:
    return (html.unescape(entity) or "\ufffd")[0]


def _resolve(found: re.Match[str]) -> str:
    if found.re is _ENTITY:
        return _character(found.group())
    return _ESCAPED.get(found[1], found[1])


def unwrap(text: str, start: int) -> Unwrapped | None:
    """Take off one layer of escaping; None where the container that opens at `start` is not escaped."""
    match = WRAPPED.match(text, start)
    if match is None:
        return None
    entity = match["mark"].startswith("&")
    inside = (_ENTITY if entity else _ONE_LEVEL).sub(_resolve, text[start:])
    note = ("html-entities" if entity else "over-escaped", match.start())
    return Unwrapped(text[:start] + inside, note, text, start, entity)


def with_commands(text: str) -> str:
    """A decoded string with the backslashes of its TeX commands; the same object where there are none."""
    mended = text if text.isprintable() else _LOST.sub(lambda found: _LETTERS[found.group()], text)
    return text if mended == text else mended
