"""Keeps keys out of what is written down: logs, errors, runs, reports."""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

HIDDEN = "[redacted]"
_SHORTEST = 8
"""Characters below which a value is no key: it may be any word."""
_LONGEST = 20_000
_KEYS = re.compile(
    r"(?i:\bbearer)[ :=]{1,4}[^\s\"',;]{4,4096}"
    r"|\b(?i:authorization|api[-_ ]?key|access[_-]?token|secret|password)[\"']?[ ]{0,4}[:=][ ]{0,4}"
    r"(?:(?i:basic|bearer)[ ])?[\"']?[^\s\"',;&]{1,4096}"
    r"|\b(?:sk|pk|rk|gsk|xai|r8|hf|pplx|nvapi|csk|fw|key|ghp|gho|glpat)[-_][A-Za-z0-9*_-]{6,4096}"
    r"|\bAIza[0-9A-Za-z_-]{10,64}"  # Google
    r"|\bA(?:KI|SI)A[0-9A-Z]{12,32}"  # AWS
    r"|\bey[A-Za-z0-9_-]{8,4096}\.[A-Za-z0-9_-]{6,4096}[A-Za-z0-9._-]{0,4096}"  # JSON web tokens
    r"|(?<=://)[^/@\s]{1,400}(?=@)"  # user:password@ in an address
)
_NAMED = re.compile(r"key$|secret|passw|authorization|cookie|credential|(^|[_-])(auth|token)$|^bearer", re.IGNORECASE)
_NOT_SECRET = frozenset({"cache_key", "key"})
_USERINFO = re.compile(r"(?<=://)([^/@\s]{1,400})@")
_IN_QUERY = re.compile(r"(?<=[?&])([\w.-]{1,60})=([^&\s\"'#]{1,4096})")
_QUERY_KEYS = frozenset({"key", "sig"})
_VARIABLES = ("_API_KEY", "_TOKEN", "_SECRET", "_SECRET_KEY", "_ACCESS_KEY", "_PASSWORD")


def names_secret(name: str) -> bool:
    """Whether a field of that name holds a secret."""
    return name not in _NOT_SECRET and _NAMED.search(name) is not None


def _keys_in_queries(text: str) -> Iterator[re.Match[str]]:
    """The parameters of addresses in a text that are keys, by their names."""
    return (one for one in _IN_QUERY.finditer(text) if one[1].casefold() in _QUERY_KEYS or names_secret(one[1]))


def _without_queries(text: str) -> str:
    for found in reversed([*_keys_in_queries(text)]):
        text = f"{text[: found.start(2)]}{HIDDEN}{text[found.end(2) :]}"
    return text


def redact_text(text: str, secrets: Iterable[str | None] = ()) -> str:
    """Replace keys in a text: the ones given, those in this process's environment, and whatever looks like one."""
    if len(text) > _LONGEST:
        text = text[:_LONGEST] + f"... [{len(text) - _LONGEST} more characters]"
    known = {value for name, value in os.environ.items() if name.upper().endswith(_VARIABLES)}
    for secret in sorted(known.union(filter(None, secrets)), key=len, reverse=True):
        if len(secret) >= _SHORTEST:
            text = text.replace(secret, HIDDEN)
    return _KEYS.sub(HIDDEN, _without_queries(text))


def secret_values(value: Any, *, secret: bool = False) -> Iterator[str]:
    """Find the keys in the parameters of a call: what is named like one, every header, user and query of an address."""
    match value:
        case str():
            if secret:
                yield value
                yield value.removeprefix("Bearer ").removeprefix("Basic ")
            for userinfo in _USERINFO.findall(value):
                yield userinfo
                yield userinfo.partition(":")[2]
            yield from (found[2] for found in _keys_in_queries(value))
        case Mapping():
            for name, item in value.items():
                named = names_secret(str(name)) or "headers" in str(name).casefold()
                yield from secret_values(item, secret=secret or named)
        case list() | tuple():
            for item in value:
                yield from secret_values(item, secret=secret)


def without_secrets(value: Any) -> Any:
    """A configuration as it may be shown: headers by their names, without keys, addresses without a user and keys."""
    match value:
        case str():
            return _without_queries(_USERINFO.sub("", value))
        case Mapping():
            return {
                name: sorted(map(str, item))
                if "headers" in str(name).casefold() and isinstance(item, Mapping)
                else without_secrets(item)
                for name, item in value.items()
                if not names_secret(str(name))
            }
        case list() | tuple():
            return [without_secrets(item) for item in value]
        case _:
            return value
