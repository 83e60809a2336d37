"""One form for what is written in many: case, full-width forms, quote marks, dashes, vowel marks.

Folding is for comparing, never for showing: whatever a reader sees is cut from the original text.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_ZEROS = (
    *(0x0660, 0x06F0, 0x07C0, 0x0966, 0x09E6, 0x0A66, 0x0AE6, 0x0B66, 0x0BE6, 0x0C66, 0x0CE6, 0x0D66, 0x0E50, 0x0ED0),
    *(0x0F20, 0x1040, 0x1090, 0x17E0, 0x1810),
)
# Single characters that mean the same to a reader. NFKC does full-width and half-width forms, but not these.
_SAME = {
    **dict.fromkeys("‘’‚‛ʼʹ′`´＇", "'"),
    **dict.fromkeys("“”„‟«»″「」『』〝〞〟＂", '"'),
    **dict.fromkeys("‐‑‒–—―−﹘﹣－", "-"),
    # Soft hyphens, zero-width characters, direction marks and the Arabic stretching stroke are not part of a word.
    **dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u0640", ""),
    # Arabic short vowels are written in some texts and left out in most.
    **dict.fromkeys(map(chr, (*range(0x064B, 0x0653), 0x0670)), ""),
    # The carriers of the same Arabic letter, as search engines fold them.
    **dict.fromkeys("أإآٱ", "ا"),
    "ى": "ي",
    "ی": "ي",
    "ک": "ك",
    "ة": "ه",
    # Decimal digits of every script, and the Arabic signs that go with them.
    **{chr(zero + digit): str(digit) for zero in _ZEROS for digit in range(10)},
    "٪": "%",
    "٫": ".",
    "٬": ",",
    # A Russian text may write ё or е.
    "ё": "е",
    # The Devanagari nukta is often left out.
    "\u093c": "",
}
_SAME_ANY = re.compile(f"[{''.join(map(re.escape, _SAME))}]")


def _same(match: re.Match[str]) -> str:
    return _SAME[match.group()]


def fold(text: str) -> str:
    """Fold a text for comparing: NFKC, no case, one kind of quote mark and dash, no invisible characters.

    Accents stay: they tell words apart ("année" from "annee" only by a slip, "año" from "ano" by meaning).

    Args:
        text: Any text.

    Returns:
        The folded text; its length may differ. Folding twice changes nothing.
    """
    if text.isascii():
        return text.lower().replace("`", "'")
    folded = _round(text)
    # Case folding takes some characters apart ("İ" becomes "i" and a dot above), and NFKC brings characters into being
    # that fold again. A second round ends that (Unicode, section 3.13, D147: fold, normalise, fold, normalise).
    return folded if folded.isascii() else _round(folded)


def _round(text: str) -> str:
    return unicodedata.normalize("NFKC", _SAME_ANY.sub(_same, text)).casefold().replace("`", "'")


@lru_cache(maxsize=8192)
def fold_token(token: str) -> str:
    """`fold`, remembered: texts repeat their words."""
    return fold(token)
