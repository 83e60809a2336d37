"""Tokens in any script: words where a script puts spaces between them, characters where it does not.

A token is a word, a number with its inner separators ("1,234.5", "1.2.3"), a percent or currency sign, or one
character (with its marks) of a script written without spaces, and of Korean, whose spacing varies. Words end where
digits begin, at apostrophes and at hyphens: "10km" is "10 km", "well-known" is "well known".
"""

import re
from itertools import islice
from typing import NamedTuple

from magistrate.text._fold import TABLES, fold_token

_MARKS, _MARKS_DENSE, _DENSE = (TABLES["tokens"][name] for name in ("marks", "dense_marks", "dense"))
_HALF_KATAKANA = "\uff66-\uff9d"
_SPACED = r"\d{1,3}(?: \d{3})+(?![.,']?\d)"
_NUMBER = r"\d+(?:[.,'’٫٬．，]\d+)*"
_SIGN = "[%٪％‰$€£¥₩₹₽￥≤≥≠±]"
_DENSE_CHARACTER = f"[{_DENSE}][{_MARKS_DENSE}\u3099\u309a]*|[{_HALF_KATAKANA}][ﾞﾟ]?"
_LETTER = f"[^\\W\\d_{_DENSE}{_HALF_KATAKANA}]"
_WORD = f"{_LETTER}+(?:[{_MARKS}]+{_LETTER}*)*"
_TOKEN = re.compile(f"{_NUMBER}|{_DENSE_CHARACTER}|{_WORD}|{_SIGN}")
_ASCII_TOKEN = re.compile(r"[a-zA-Z]+|[0-9]+(?:[.,'][0-9]+)*|[%$]")

# On folded text, a run of characters of a dense script is one match; the caller pairs its characters. Thousands set
# apart by spaces stay together.
_RUN = re.compile(f"{_SPACED}|{_NUMBER}|(?:[{_DENSE}][{_MARKS_DENSE}]*)+|{_WORD}|{_SIGN}")
_PLAIN_RUN = re.compile(rf"[^\W\d_]+|{_SPACED}|{_NUMBER}|{_SIGN}")
_ASCII_RUN = re.compile(rf"[a-z]+|{_SPACED}|[0-9]+(?:[.,'][0-9]+)*|[%$]")
_NOT_PLAIN = re.compile("[\u0300-\u036f\u0483-\u0489\u0591-\u1fff\u20d0-\u20f0\u2c00-\u2dff\u3005-\U0010ffff]")
_DENSE_START = re.compile(f"[{_DENSE}]")
_DENSE_SPLIT = re.compile(f"[{_DENSE}][{_MARKS_DENSE}]*")


class Token(NamedTuple):
    """A folded token, its first character in the text, and one past its last."""

    text: str
    start: int
    end: int


def token_texts(text: str) -> list[str]:
    """Split a text into folded tokens; `token_spans` says where they are."""
    if text.isascii():
        return _ASCII_TOKEN.findall(text.lower())
    return list(map(fold_token, _TOKEN.findall(text)))


def token_spans(text: str, first: int = 0, last: int | None = None) -> list[Token]:
    """The tokens of `token_texts` from `first` to before `last`, with their places in the text as it is."""
    matches = islice((_ASCII_TOKEN if text.isascii() else _TOKEN).finditer(text), first, last)
    return [Token(fold_token(match.group()), match.start(), match.end()) for match in matches]


def token_runs(folded: str) -> list[str]:
    """Split a folded text into words, numbers, signs, and whole runs of a script without spaces."""
    if folded.isascii():
        return _ASCII_RUN.findall(folded)
    return (_RUN if _NOT_PLAIN.search(folded) else _PLAIN_RUN).findall(folded)


def is_dense(run: str) -> bool:
    """Whether a run is of a script written without spaces between words (or of Korean)."""
    return _DENSE_START.match(run) is not None


def dense_characters(run: str) -> list[str]:
    """The characters of such a run, each with its marks."""
    return _DENSE_SPLIT.findall(run)
