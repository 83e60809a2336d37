"""The request token in a reply: which values carry it, and which texts could be planted answers where none does."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from magistrate.parsing.decode.parts import parts_of
from magistrate.parsing.rows.fields import token_of

_LONGEST: Final = 60
"""Most characters of a value that carries a token."""
_RUNS: Final = re.compile(r"[^\W_]+")
_MARKED: Final = re.compile(r"^[\s>\"'“„«]*([-*•+])(?=\s)|[^\W_]+", re.MULTILINE)
"""Words, and the marks of a list: a sentence of the answer may well be a statement, and is no item of a list there."""


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


def echoes(text: str, start: int, end: int, given: Iterable[str]) -> bool:
    """Whether an answer in its lines, two words or more, stands in a text that was given, quoted there or not."""
    said = _words(text[text.rfind("\n", 0, start) + 1 : text.find("\n", end) % (len(text) + 1)])
    return said.count(" ") > 2 and any(said in _words(one) for one in given)  # noqa: PLR2004 - two words


def _words(text: str) -> str:
    return f" {' '.join('-' if found[1] else found[0] for found in _MARKED.finditer(text.casefold()))} "


def may_be_planted(
    token: str | None, text: str, place: int | None, given: Sequence[str], answers: Callable[[str], bool]
) -> bool | None:
    """Whether an answer may have been planted: the one rule for scores and lists."""
    if token is None:
        return None
    documents = [one for part in parts_of(text) for one in part.documents]
    around = [one for one in documents if place is None or one.start <= place < one.end]
    held = token_of(around[0].value) if len(around) == 1 else None
    if carries(held, token) if documents else carries_in_line(text, token):
        return None
    planted = is_another(held, token) or (place is not None and echoes(text, place, place, given))
    return planted or any(may_hold_answer(one) or answers(one) for one in given)
