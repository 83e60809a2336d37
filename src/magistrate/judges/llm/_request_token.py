"""The request token: two words, one at the head of what the judge is given and one at its end; a reply repeats both.

Neither stands in the data, so an answer that was planted there cannot carry them. And a judge that repeats the last
word but not the first never saw the head of its prompt: a provider whose window is too small drops it without a word,
and what it counts is no sign where the prompt is short.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Sequence

from magistrate.prompts import feed

_CHARS = 5
_JOIN = "-"


def request_token(key: bytes, parts: Sequence[str]) -> str:
    """Make the token that a reply must repeat: two words of five letters and digits, of an HMAC over what is asked.

    Nothing in the contexts can know it, so an answer planted there does not carry it. Requests about the same contexts
    share it, which keeps the beginning of their prompts equal and so in the provider's prompt cache.
    """
    digest = hmac.new(key, digestmod=hashlib.sha256)
    for part in parts:
        feed(digest, part)
    text = base64.b32encode(digest.digest()).decode().lower()
    return _JOIN.join((text[:_CHARS], text[_CHARS : 2 * _CHARS]))


def first_and_last(token: str) -> tuple[str, str]:
    """The word that stands at the head of the data, and the one at the end; the same one for a token of one word."""
    first, _, last = token.partition(_JOIN)
    return first, last or first


def head_unseen(token: str | None, text: str | None) -> bool:
    """Whether a reply repeats the last word of its token and not the first: the judge did not see where that stands."""
    if token is None or not text:
        return False
    first, last = first_and_last(token)
    text = text.casefold()
    return last in text and first not in text
