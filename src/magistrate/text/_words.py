"""The words of each language: data/<language>.toml, every file with the same keys, read when they are first needed."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from magistrate.text._fold import fold

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
