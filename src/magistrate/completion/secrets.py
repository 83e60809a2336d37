"""Keeps keys out of what is written down."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

__all__ = ["HIDDEN", "scrub", "secret_values", "without_secrets"]

HIDDEN = "[hidden]"
_SHORTEST = 6
_KEYS = re.compile(
    r"(?:\b(?:sk|pk|rk|gsk|xai|r8|hf|pplx|nvapi|csk|fw|key)[-_][A-Za-z0-9*_-]{6,}"  # keys by their vendors' prefixes
    r"|\bAIza[0-9A-Za-z_-]{10,}"  # Google
    r"|\bA(?:KI|SI)A[0-9A-Z]{12,}"  # AWS
    r"|\bey[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{6,}[A-Za-z0-9._-]*"  # JSON web tokens
    r"|(?<=://)[^/\s:@]{1,200}:[^/\s@]{1,200}(?=@))"  # user:password@ in an address
)
_NAMED = re.compile(r"key$|secret|passw|authorization|cookie|credential|(^|[_-])(auth|token)$|^bearer", re.IGNORECASE)
_USERINFO = re.compile(r"(?<=://)([^/@\s]{1,400})@")
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


def secret_values(value: Any, *, secret: bool = False) -> Iterator[str]:
    """Find the keys in the parameters of a call: what is named like a key, every header, the user of an address.

    Args:
        value: The parameters, or a part of them.
        secret: Whether all texts in it are keys.
    """
    match value:
        case str():
            if secret:
                yield value
                yield value.removeprefix("Bearer ").removeprefix("Basic ")
            for userinfo in _USERINFO.findall(value):
                yield userinfo
                yield userinfo.partition(":")[2]
        case Mapping():
            for name, item in value.items():
                named = _NAMED.search(str(name)) is not None or "headers" in str(name).casefold()
                yield from secret_values(item, secret=secret or named)
        case list() | tuple():
            for item in value:
                yield from secret_values(item, secret=secret)


def without_secrets(value: Any) -> Any:
    """The parameters of a call as they may be shown: headers by their names, without keys, addresses without a user."""
    match value:
        case str():
            return _USERINFO.sub("", value)
        case Mapping():
            return {
                name: sorted(map(str, item))
                if "headers" in str(name).casefold() and isinstance(item, Mapping)
                else without_secrets(item)
                for name, item in value.items()
                if not _NAMED.search(str(name))
            }
        case list() | tuple():
            return [without_secrets(item) for item in value]
        case _:
            return value
