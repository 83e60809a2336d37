r"""TeX commands in JSON strings, whose backslash a decoder takes for an escape: "\frac" as a form feed and "rac"."""

from __future__ import annotations

import re
from typing import Final

_LOST: Final = re.compile(
    r"(?P<never>[\f\b])(?=[A-Za-z])"
    r"|(?P<tab>\t)(?=(?:heta|imes|au|ilde|riangle\w*|extbf|extit|extrm|frac|herefore)(?![A-Za-z])|ext\{)"
    r"|(?P<return>\r)(?=(?:ho|ight\w{0,12}|angle|ceil|floor|brace|brack)(?![A-Za-z])|m\{)"
    r"|(?P<line>\n)(?=(?:abla|eq|otin|subseteq|exists|parallel)(?![A-Za-z]))"
    r"|(?P<maths>[\n\t])(?=(?:u|i|e|eg|leq|geq|an|anh|o|op)(?![A-Za-z]))"
)
"""What stands for the backslash and the first letter, before the rest of the command.

A form feed or a backspace before a letter is never meant. What may as well begin a line of prose counts in formulas
only.
"""
_LETTERS: Final = {"\f": "\\f", "\b": "\\b", "\t": "\\t", "\r": "\\r", "\n": "\\n"}


def with_commands(text: str) -> str:
    """A decoded string with the backslashes of its TeX commands; the same object where there are none."""
    mended = text if text.isprintable() else _LOST.sub(_command, text)
    return text if mended == text else mended


def _command(match: re.Match[str]) -> str:
    sign = match.group()
    if match.lastgroup == "maths" and not _in_formula(match.string, match.start()):
        return sign
    return _LETTERS[sign]


_FAR: Final = 300
"""How far back the opening of a formula is looked for."""


def _in_formula(text: str, at: int) -> bool:
    r"""Whether a place is inside $...$ or \(...\)."""
    before = text[max(0, at - _FAR) : at]
    return before.count("$") % 2 == 1 or before.rfind("\\(") > before.rfind("\\)")
