"""Keeps keys out of what is written down."""

from __future__ import annotations

import re
from collections.abc import Iterable

__all__ = ["HIDDEN", "scrub"]

HIDDEN = "[hidden]"
_SHORTEST = 6
_KEYS = re.compile(
    r"(?:\b(?:sk|pk|rk|gsk|xai|r8|hf|pplx|nvapi|csk|fw|key)[-_][A-Za-z0-9*_-]{6,}"  # keys by their vendors' prefixes
    r"|\bAIza[0-9A-Za-z_-]{10,}"  # Google
    r"|\bA(?:KI|SI)A[0-9A-Z]{12,}"  # AWS
    r"|\bey[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{6,}[A-Za-z0-9._-]*"  # JSON web tokens
    r"|(?<=://)[^/\s:@]{1,200}:[^/\s@]{1,200}(?=@))"  # user:password@ in an address
)
_BEARER = re.compile(r"(?i)\b((?:bearer|api[-_ ]?key['\"]?\s?[:=])\s*['\"]?)[^\s'\",]{6,}")


def scrub(text: str, secrets: Iterable[str | None] = ()) -> str:
    """Replace keys in a text: the ones given, and whatever looks like one.

    Args:
        text: A provider's message, or anything else that is about to be written down.
        secrets: Keys known to be in use. Ones shorter than six characters are no keys, and are left alone.
    """
    for secret in secrets:
        if secret and len(secret) >= _SHORTEST:
            text = text.replace(secret, HIDDEN)
    return _BEARER.sub(rf"\g<1>{HIDDEN}", _KEYS.sub(HIDDEN, text))
