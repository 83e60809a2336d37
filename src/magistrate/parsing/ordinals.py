"""Ordinals in words."""

from __future__ import annotations

from typing import Final

__all__ = ["ORDINALS"]

ORDINALS: Final = {
    word: number
    for number, word in enumerate("first second third fourth fifth sixth seventh eighth ninth tenth".split(), start=1)
}
