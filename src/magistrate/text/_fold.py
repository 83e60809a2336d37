"""One form for what is written in many: case, full-width forms, quote marks, dashes, vowel marks; and words, folded.

Folding is for comparing, never for showing: whatever a reader sees is cut from the original text. The words of each
language stand in data/<language>.toml, every file with the same keys, read when they are first needed.
"""

import re
import tomllib
import unicodedata
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

TABLES: Final[dict[str, dict[str, Any]]] = tomllib.loads(
    Path(__file__).with_name("scripts.toml").read_text(encoding="utf-8")
)
"""What holds in all languages of a script: scripts.toml."""
_SAME = {
    **{character: same for same, characters in TABLES["same"].items() for character in characters},
    # Decimal digits of every script.
    **{digit: str(unicodedata.decimal(digit)) for digit in map(chr, range(0x0660, 0x1820)) if digit.isdecimal()},
}
_SAME_ANY = re.compile(f"[{''.join(map(re.escape, _SAME))}]")


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
    return (
        unicodedata.normalize("NFKC", _SAME_ANY.sub(lambda match: _SAME[match[0]], text)).casefold().replace("`", "'")
    )


@lru_cache(maxsize=8192)
def fold_token(token: str) -> str:
    """`fold`, remembered: texts repeat their words."""
    return fold(token)


_DATA: Final = Path(__file__).with_name("data")
EAST_ASIAN: Final = ("zh", "ja", "ko")
"""Languages whose words are not told apart here: what their files call words are strings of characters."""


@cache
def languages() -> Mapping[str, Mapping[str, Any]]:
    """ISO 639-1 code -> what the language's file holds."""
    return {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(_DATA.glob("*.toml"))}


def entry(language: str | None, key: str) -> Any:
    """What a language's file has under a key ("negations", "abstention.sources"); "" for an unknown language."""
    found: Any = languages().get(language or "", {})
    for part in key.split("."):
        found = found.get(part, "") if found else ""
    return found


@cache
def words(language: str | None, key: str) -> frozenset[str]:
    """The folded words of a language under a key; empty for a language that has no file."""
    return frozenset(fold(entry(language, key)).split())


@cache
def all_words(key: str) -> frozenset[str]:
    """The folded words of all languages under a key, save those of scripts without spaces."""
    return frozenset().union(*(words(code, key) for code in languages() if code not in EAST_ASIAN))


def lines(key: str) -> list[str]:
    """The lines of all languages under a key, as they are written."""
    return [line for code in languages() for line in entry(code, key).splitlines() if line]
