"""The request token in a reply: which values carry it, and which texts could be planted answers where none does."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from typing import Final

from magistrate.parsing.decode.parts import parts_of
from magistrate.parsing.rows.fields import token_of

_LONGEST: Final = 60
"""Most characters of a value that carries a token."""
_RUNS: Final = re.compile(r"[^\W_]+")


def _runs(text: str) -> list[str]:
    """The runs of letters and digits, without regard to case, width and what is invisible."""
    if not text.isascii():
        text = "".join(char for char in unicodedata.normalize("NFKC", text) if unicodedata.category(char) != "Cf")
    return _RUNS.findall(text.casefold())


def carries(held: str | None, token: str) -> bool:
    """Whether the value of a token's field holds every word of a token whole, in any order, case and wrapping."""
    if held is None or len(held) > _LONGEST:
        return False
    words, runs = _runs(token), _runs(held)
    joined = "".join(runs)
    return bool(words) and (set(words) <= set(runs) or joined in {"".join(words), "".join(reversed(words))})


def carries_in_line(text: str, token: str) -> bool:
    """Whether a line of a text is the token."""
    return any(carries(line, token) for line in text.split("\n"))


def is_another(held: str | None, token: str) -> bool:
    """Whether a value is the token of another request: as long, and without a word of ours. A placeholder is none."""
    words, runs = _runs(token), _runs(held[:_LONGEST]) if held else []
    return len("".join(runs)) == len("".join(words)) and not set(runs) & set(words)


def may_hold_answer(text: str) -> bool:
    """Whether a text holds data, which could be an answer."""
    return any(part.overrun or part.documents for part in parts_of(text))


def may_be_planted(
    token: str | None, text: str, place: int | None, given: Iterable[str], answers: Callable[[str], bool]
) -> bool | None:
    """Whether an answer may have been planted: the one rule for scores and lists."""
    if token is None:
        return None
    documents = [one for part in parts_of(text) for one in part.documents]
    around = [one for one in documents if place is None or one.start <= place < one.end]
    if not documents:
        carried, held = carries_in_line(text, token), None
    else:
        held = token_of(around[0].value) if len(around) == 1 else None
        carried = carries(held, token)
    return None if carried else is_another(held, token) or any(may_hold_answer(one) or answers(one) for one in given)
