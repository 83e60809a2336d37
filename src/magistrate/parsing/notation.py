"""Other ways to write the same: terminal colours, struck-out words, boxed answers, counters; Python's own notation.

Everything here rewrites a text to one of the same length, so that positions stay those of the reply.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from magistrate.parsing.decode.python_literals import FIELD, as_label, blank
from magistrate.parsing.ordinals import ORDINALS

_NUMERALS: Final = {
    sign: number for signs in ("①②③④⑤⑥⑦⑧⑨", "一二三四五六七八九") for number, sign in enumerate(signs, 1)
}
_ROMANS: Final = "i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx".split()
_TELLING: Final = ("[[ ##", "\x1b[", "~~", "<!--", "\\", "$", "\u20e3", "<|")
_COLOUR: Final = re.compile(r"\x1b\[[0-9;]{0,16}[A-Za-z]")
_STRUCK: Final = re.compile(r"~~[^~\n]{1,200}~~")
_BOX: Final = re.compile(r"[ \t$]?\\(?:boxed|fbox)\{(?P<inside>(?:(?![ \t$]?\\(?:boxed|fbox)\{)[^\n]){0,400})")
_MATHS: Final = re.compile(
    r"(?:\$\$?|\\\(|\\\[)\s{0,2}(?:\\(?:text|mathrm|mathbf|textbf)\{)?(?P<inside>[A-Za-z]{1,20}|\d{1,4}(?:\.\d{1,4})?)\}?"
    r"\s{0,2}(?:\$\$?|\\\)|\\\])|\\(?:text|mathrm|mathbf|textbf)\{(?P<word>[A-Za-z]{1,20}|\d{1,4}(?:\.\d{1,4})?)\}"
)
"""One word or number set as a formula: $B$, \\(4\\), \\text{yes}."""
_MARKED: Final = re.compile(
    r"<\|(?P<name>[a-z]{1,12})\|>(?P<body>[ \t\n]{0,4}[^\s<>]{1,24}[ \t\n]{0,4})<\|/?(?P=name)\|>"
)
"""One word or number between marks of its own: <|score|>4<|/score|>."""
_TEX: Final = re.compile(r"\\(?:text|mathrm|mathbf|textbf|mathsf)\{|\\[,;:! ]|[{}$]")
_TAG: Final = re.compile(r"<[A-Za-z][\w.:-]{0,40}\s+[\w:-]{1,40}\s*=[^<>\n]{0,300}>?")
"""A tag with attributes: what stands in it is no wording."""
_CELL_TAG: Final = re.compile(r"<t[dh]\b[^<>]{0,80}>", re.IGNORECASE)
_ROW_TAG: Final = re.compile(r"</?(?P<name>table|thead|tbody|tr|td|th)\b[^<>]{0,80}>", re.IGNORECASE)
_KEYCAP: Final = re.compile(r"([0-9])\ufe0f?\u20e3")
_LINE: Final = re.compile(
    r"^[ \t]*(?:[-*•][ \t]+)?(?P<mark>[①-⑨][ \t]|[一二三四五六七八九][、．.:：]|[(\[]?(?P<at>\d{1,3})[ ]?/[ "
    r"]?(?P<top>\d{1,3})[)\]]?"
    r"|(?:the[ ])?(?P<ordinal>first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)(?:[ ](?:statement"
    r"|claim|item"
    r"|sentence|fact|one))?[ ]?[-–—:.)]|(?P<section>\d{1,3})\.(?P<item>\d{1,3})(?=[.:)]?[ \t])"
    r"|[(\[]?(?P<word>[ivxIVX]{1,5}|[a-zA-Z])[.):\]])",
    re.MULTILINE | re.IGNORECASE,
)
_YAML_COMMENT: Final = re.compile(
    r"^([ \t-]*[\w ]{1,40}:[ ](?:'[^'\n]*'|\"[^\"\n]*\"|\w+))[ \t]+#[ ][^\n]*$", re.MULTILINE
)
MOST_BOXES: Final = 50
"""Boxed results; a text with more runs in a circle."""
MOST_CELLS: Final = 2_000
"""Cells of tables in tags; a text with more is no answer."""
MOST_COUNTERS: Final = 2_000
"""Lines that begin with a counter; a text with more is no answer."""


def plain(text: str, count: int = 0) -> str:
    """Blank out what a reply shows and does not say, and write its counters in figures.

    Args:
        text: The text.
        count: How many statements were asked about; letters and the like count them only if there are as many.
    """
    if any(mark in text for mark in _TELLING):
        text = _comments(text)
        text = _COLOUR.sub(blank, text)
        text = _STRUCK.sub(blank, text)
        text = _BOX.sub(_unboxed, text) if text.count("boxed{") <= MOST_BOXES else text
        text = FIELD.sub(as_label, text)
        text = _MATHS.sub(_set_plain, text)
        text = _MARKED.sub(_unmarked, text)
        text = _KEYCAP.sub(lambda match: f"{match[1]}. "[: len(match.group())], text)
    if "<" in text:
        text = _ROW_TAG.sub(_as_row, text) if _CELL_TAG.search(text) and text.count("<t") <= MOST_CELLS else text
        text = _TAG.sub(blank, text)
    if "#" in text:
        text = _YAML_COMMENT.sub(lambda match: match[1] + " " * (len(match.group()) - len(match[1])), text)
    return _counted(text, count) if count > 1 else text


def _comments(text: str) -> str:
    """Blank out <!-- comments -->, an unclosed one to the end of the text."""
    pieces, at = [], 0
    while (start := text.find("<!--", at)) >= 0:
        stop = text.find("-->", start)
        stop = len(text) if stop < 0 else stop + 3
        pieces += [text[at:start], "".join("\n" if char == "\n" else " " for char in text[start:stop])]
        at = stop
    return "".join([*pieces, text[at:]])


def _as_row(match: re.Match[str]) -> str:
    """The tags of a table as the bars between its cells."""
    name, width = match["name"].casefold(), len(match.group())
    opens, own_line = match.group()[1] != "/", match.string[: match.start()].rstrip(" \t")[-1:] in {"", "\n"}
    if name in {"td", "th"}:
        return ("|" if opens else " ") + " " * (width - 1)
    if name == "tr":
        return ("|" if not opens else " " if own_line else "\n") + " " * (width - 1)
    return ("\n" if name == "table" and not own_line else " ") + " " * (width - 1)


def _set_plain(match: re.Match[str]) -> str:
    """A formula of one word, as that word."""
    group = "inside" if match["inside"] else "word"
    start, end = match.span(group)
    return " " * (start - match.start()) + match[group] + " " * (match.end() - end)


def _unmarked(match: re.Match[str]) -> str:
    """A word between marks is a line of its own."""
    before, after = match.start("body") - match.start(), match.end() - match.end("body")
    return "\n" + " " * (before - 1) + match["body"] + " " * (after - 1) + "\n"


def _unboxed(match: re.Match[str]) -> str:
    r"""\boxed{\text{no}} is a line that gives the result."""
    inside = _TEX.sub(blank, match["inside"])
    head = len(match.group()) - len(inside)
    return "\nresult:".ljust(head)[-head:] + inside


def _counted(text: str, count: int) -> str:
    """Write the counters at the heads of lines in figures, where they count one by one from the first."""
    lines = [match for match, _ in zip(_LINE.finditer(text), range(MOST_COUNTERS + 1), strict=False)]
    if not lines or len(lines) > MOST_COUNTERS:
        return text
    kinds: tuple[Callable[[re.Match[str]], int | None], ...] = (_sign, _of_total, _ordinal, _roman, _letter, _item)
    for kind in kinds:
        numbered = [(match, number) for match in lines if (number := kind(match)) is not None]
        found = [number for _, number in numbered]
        if found != list(range(1, len(found) + 1)) or len(found) < (1 if kind is _sign else count):
            continue
        if not found or (kind is not _sign and len(found) != count):
            continue
        pieces, at = [], 0
        for match, number in numbered:
            pieces += [text[at : match.start("mark")], f"{number}.".rjust(len(match["mark"]))[-len(match["mark"]) :]]
            at = match.end("mark")
        return "".join([*pieces, text[at:]])
    return text


def _sign(match: re.Match[str]) -> int | None:
    return _NUMERALS.get(match["mark"][0])


def _of_total(match: re.Match[str]) -> int | None:
    return int(match["at"]) if match["at"] else None


def _ordinal(match: re.Match[str]) -> int | None:
    return ORDINALS[match["ordinal"].lower()] if match["ordinal"] else None


def _roman(match: re.Match[str]) -> int | None:
    word = (match["word"] or "").lower()
    return _ROMANS.index(word) + 1 if word in _ROMANS else None


def _letter(match: re.Match[str]) -> int | None:
    word = (match["word"] or "").lower()
    return ord(word) - ord("a") + 1 if len(word) == 1 else None


def _item(match: re.Match[str]) -> int | None:
    return int(match["item"]) if match["item"] else None
