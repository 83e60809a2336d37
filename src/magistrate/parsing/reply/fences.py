"""Fenced blocks: where they stand, and which of them hold program code, in which nothing is an answer."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

Span = tuple[int, int]
_FENCE: Final = re.compile(r"(?P<mark>``+|~~~+)[ \t]*(?P<language>[\w+#.-]{0,20})[^\n]*$", re.MULTILINE)
_BEGINS: Final = re.compile(
    r"(?:^|(?<=\|>)|(?<=think>)|(?<=[\ufeff\u200b\u2060\x00]))[ \t>]*+\Z",
    re.MULTILINE,
)
"""A fence begins its line, or follows a mark of no width or the one that opens the answer."""
_CODE: Final = frozenset(
    "python py csharp cs c cpp c++ java javascript js typescript ts go rust sql bash sh shell ruby php kotlin swift "
    "r html css vue jsx tsx think thinking thought thoughts reasoning scratchpad draft".split()
)
"""Languages in which nothing is an answer: program code, and thinking in a fence of its own."""


def fence_lines(text: str, spans: Sequence[Span]) -> list[re.Match[str]]:
    """The fence lines in some parts of a text, in order."""
    return [fence for start, end in spans for fence in fences_in(text, start, end)]


def fences_in(text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    """The fence lines between two places."""
    for fence in _FENCE.finditer(text, start, end):
        if _BEGINS.search(text, max(start, text.rfind("\n", start, fence.start()) + 1), fence.start()):
            yield fence


def ends_open(fences: Sequence[re.Match[str]]) -> bool:
    """Whether the last block is never closed."""
    opened = False
    for fence in fences:
        opened = not opened or bool(fence["language"])
    return opened


def program_blocks(fences: Sequence[re.Match[str]]) -> list[Span]:
    """Where blocks of program code stand, without their fences."""
    blocks: list[Span] = []
    opened: re.Match[str] | None = None
    for fence in fences:
        if opened is None or fence["language"]:
            opened = fence
        else:
            if opened["language"].casefold() in _CODE:
                blocks.append((opened.end(), fence.start()))
            opened = None
    return blocks


def language_of(fences: Sequence[re.Match[str]]) -> str:
    """The language of the first fence that names one."""
    return next((fence["language"].casefold() for fence in fences if fence["language"]), "")
