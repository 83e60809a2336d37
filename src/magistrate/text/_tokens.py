"""Tokens in any script: words where a script puts spaces between them, characters where it does not.

A token is a word, a number with its inner separators ("1,234.5", "1.2.3"), a percent or currency sign, or one
character (with its marks) of a script written without spaces, and of Korean, whose spacing varies. Words end where
digits begin, at apostrophes and at hyphens: "10km" is "10 km", "well-known" is "well known".
"""

from __future__ import annotations

import re
from itertools import islice
from typing import NamedTuple

from magistrate.text._fold import fold_token

# Combining marks, which \w leaves out. In the Indic blocks everything but the dandas and the abbreviation signs belongs
# to a word.
_MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u07a6-\u07b0\u08d3-\u08e1\u08e3-\u0903"
    "\u093a-\u094f\u0951-\u0957\u0962\u0963\u0981-\u0983\u09bc-\u09cd\u09d7\u09e2\u09e3\u0a01-\u0a03\u0a3c-\u0a51"
    "\u0a70\u0a71\u0a75\u0a81-\u0a83\u0abc-\u0acd\u0ae2\u0ae3\u0b01-\u0b03\u0b3c-\u0b57\u0b82\u0bbe-\u0bcd\u0bd7"
    "\u0c00-\u0c04\u0c3c-\u0c56\u0c62\u0c63\u0c81-\u0c83\u0cbc-\u0cd6\u0d00-\u0d03\u0d3b-\u0d4d\u0d57\u0d62\u0d63"
    "\u0d81-\u0d83\u0dca-\u0ddf\u0df2\u0df3\u0f71-\u0f84\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0\ufe20-\ufe2f"
)
_MARKS_DENSE = "\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ecd\u102b-\u103e\u1056-\u1059\u17b4-\u17d3"
# Scripts whose words are not told apart by spaces, or not reliably: Thai, Lao, Burmese, Khmer, Hangul, kana, Han.
_DENSE = (
    "\u0e01-\u0e30\u0e32\u0e33\u0e40-\u0e46\u0e81-\u0eb0\u0eb2\u0eb3\u0ebd-\u0ec6\u0edc-\u0edf"
    "\u1000-\u102a\u103f\u1050-\u1055\u1780-\u17b3\u17d7\u17dc"
    "\u1100-\u11ff\u3130-\u318f\uac00-\ud7ff"
    "\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
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
