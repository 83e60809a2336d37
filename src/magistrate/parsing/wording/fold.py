"""The form in which words are compared."""

import re
import unicodedata
from typing import Final

DROPPED: Final = "\x00"
"""Covers what says nothing: thinking, fences, tags, tokens of a model's own, what was struck out."""
DATA: Final = "\ue000"
"""Covers decoded data."""
ECHO: Final = "\ue001"
"""Covers a statement that is repeated word for word."""
QUOTED: Final = "\ue002"
"""Covers quotations, block quotes and examples."""
COVERS: Final = {"DROPPED": DROPPED, "DATA": DATA, "ECHO": ECHO, "QUOTED": QUOTED}
DECORATION: Final = (
    " \t\r\n*_'\"“”„«»‹›「」『』【】〔〕（）()[]{}<>.,;:!?。，、；：！？،؛؟।۔|#~=\u2014\u2013-\u2022\u00b7\x00`´"
)
"""What may stand around a word without changing it."""
_INVISIBLE: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202c\u2060-\u206f\ufe00-\ufe0f\ufeff]"
)
_APOSTROPHES: Final = str.maketrans({"\u2019": "'", "\u02bc": "'", "\u00b4": "'", "`": "'"})
_HYPHENS: Final = frozenset("-\u2010\u2011\u2012\u2013")
_JOINS: Final = re.compile(r"(?<=\w)[_\u2010-\u2013-](?=\w)|[\s_]+")


def fold(text: str) -> str:
    """Bring a word to the one form it has in the tables: width, case, invisible marks, hyphens and blanks aside."""
    if not text.isascii():
        text = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text)).translate(_APOSTROPHES)
    if _HYPHENS.isdisjoint(text):
        return " ".join(text.casefold().replace("`", "'").replace("_", " ").split())
    return _JOINS.sub(" ", text.casefold().replace("`", "'")).strip()


def compact(key: str) -> str:
    """Bring a key to its compact form: letters, digits and "#", "$" of any script, in lower case."""
    if key.isascii() and key.isalnum():
        return key.lower()
    return "".join(char for char in fold(key) if char.isalnum() or char in "#$" or "\u0900" <= char <= "\u0dff")


def clean(text: str) -> str:
    """A text that every encoder takes: lone halves of characters are replaced."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
