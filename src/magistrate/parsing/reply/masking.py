"""The judge's own wording, at its places in the reply: everything else is covered, sign by sign, and no place moves."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from magistrate.parsing.reply.marks import SPECIAL, fence_lines, program_blocks
from magistrate.parsing.wording.fold import DATA, DROPPED, ECHO, QUOTED
from magistrate.parsing.wording.patterns import AnyPattern

Span = tuple[int, int]
LONGEST_PROSE: Final = 30_000
PROSE_PER_STATEMENT: Final = 600
"""Characters of plain text that are read: well above any reply that is an answer."""
_MOST_WORK: Final = 40_000_000
_SHORTEST_ECHO: Final = 4
_SHORTEST_COVERED: Final = 12
_STRUCTURE: Final = re.compile(r"[<\[{|\n]|``|~~~")
_STOPS: Final = ".。!！?？"
_FEW_WORDS: Final = 4
_NOTHING: Final = " \t\r\n\ufeff\u200b\x00\u00a0"
_QUOTATION: Final = re.compile(
    r"\"[^\"\n]*\"|“[^“”\n]*”|„[^„“”\n]*[“”]|«[^«»\n]*»|「[^「」\n]*」|『[^『』\n]*』|(?<![\w'])'[^'\n]{6,}'(?![\w'])"
)
_MARKED: Final = re.compile(r"[\s.]*(?:\w{1,20}\s*[:：])?\s*\[\[[^\[\]]{1,20}\]\][\s.]*")
_ENDS: Final = frozenset({"", ".", "。", "!", "！", "?", "？"})
_ITEM: Final = re.compile(r"\W*\d{1,4}[.):]\s*\w")
_MULTILINE_QUOTATION: Final = re.compile(r"(?<![^\s(:])(?:\"(?=[^\"]*\n)[^\"]{1,2000}\"|“[^“”]{1,2000}”)(?![^\s).,;])")
_BLOCK_QUOTE: Final = re.compile(r"^[ \t]*>[^\n]*$", re.MULTILINE)
_TAG: Final = re.compile(r"</?[A-Za-z_\uff5c][\w.:\uff5c=-]{0,40}(?:\s[^<>]{0,200})?/?>")
_CELL: Final = re.compile(r"</?t[dh](?:\s[^<>]{0,100})?>", re.IGNORECASE)
_RUN: Final = re.compile(r"\s{40,}")
"""A long run of blanks: no pattern walks over it again and again."""
_STRUCK: Final = re.compile(r"~~[^~\n]{1,200}~~|<(?P<tag>del|s|strike)>[^<>]{1,200}</(?P=tag)>", re.IGNORECASE)
_COMMENT: Final = re.compile(r"<!--(?:[^-]|-(?!->))*+-->")
_BREAK: Final = re.compile(r"<(?:br|/p|/li|/div|/tr)\s{0,4}/?>", re.IGNORECASE)
_INVISIBLE: Final = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
_OVERRIDDEN: Final = re.compile("[\u202d\u202e][^\u202c\n]*\u202c?")
"""What is shown in another order than it is written."""
_WIDE: Final = {code: code - 0xFEE0 for code in (*range(0xFF10, 0xFF1B), *range(0xFF21, 0xFF5B))}
"""Digits, letters and the colon in their wide form, one for one."""


def mask(
    text: str,
    prose: Sequence[Span],
    data: Sequence[Span] = (),
    statements: Sequence[str] = (),
    *,
    announced: AnyPattern | None = None,
    quotes: bool = True,
) -> str:
    """Cover what is not the judge's own wording; "" where there is more text than is read."""
    total = sum(end - start for start, end in prose)
    if total > LONGEST_PROSE + PROSE_PER_STATEMENT * len(statements):
        return ""
    if not any(text[start:end].strip(_NOTHING) for start, end in prose):
        return ""  # nothing is said
    pieces, at = [], 0
    for start, end, fill in sorted([(*span, "") for span in prose] + [(*span, DATA) for span in data]):
        if start > at:
            pieces += [_over(text[at : start - 1], DROPPED), "\n"]
        pieces.append(_over(text[start:end], fill) if fill else text[start:end])
        at = max(at, end)
    masked = "".join([*pieces, _over(text[at:], DROPPED)])
    if not text.isascii():
        masked = _INVISIBLE.sub(" ", _OVERRIDDEN.sub(_quotation, masked.translate(_WIDE).replace("\u2019", "'")))
    masked = _RUN.sub(lambda m: m.group()[:4] + DROPPED * (len(m.group()) - 8) + m.group()[-4:], masked)
    masked = _without_markup(masked)
    masked = _without_fences(masked, prose)
    given = {one.strip().rstrip(_STOPS).replace("\u2019", "'") for one in statements}
    if ">" in masked:
        masked = _BLOCK_QUOTE.sub(lambda m: m.group() if _repeats(m.group(), given) else _quotation(m), masked)
    if total * len(statements) < _MOST_WORK:
        for statement in sorted(given, key=len, reverse=True):
            if len(statement) >= _SHORTEST_ECHO and statement in masked:
                masked = masked.replace(statement, ECHO * len(statement))
    if quotes:
        masked = _QUOTATION.sub(lambda m: m.group() if _is_own(m, announced) else _quotation(m), masked)
        whole = masked.strip()
        if "\n" in whole or "“" in whole:
            masked = _MULTILINE_QUOTATION.sub(lambda m: m.group() if m.group() == whole else _quotation(m), masked)
    return masked


def _repeats(line: str, given: set[str]) -> bool:
    """Whether a line of a block quote is a statement, perhaps behind its number: "> Statement 1: ..."."""
    said = line.strip(" \t>").rstrip(_STOPS)
    return said in given or (any(map(str.isdigit, said[:20])) and said.partition(": ")[2] in given)


def cover_echoes(text: str, statements: Sequence[str]) -> str:
    """Cover what repeats a statement that could be taken for marks, tags, fences or data; line breaks too."""
    for statement in sorted(statements, key=len, reverse=True):
        said = statement.strip().rstrip(_STOPS)
        if len(said) >= _SHORTEST_COVERED and said in text and _STRUCTURE.search(statement) is not None:
            text = text.replace(said, ECHO * len(said))
    return text


def cover(text: str, spans: Sequence[Span], fill: str) -> str:
    """Cover parts of a text, given in order."""
    pieces, at = [], 0
    for start, end in spans:
        if start >= at:
            pieces += [text[at:start], _over(text[start:end], fill)]
            at = end
    return "".join([*pieces, text[at:]])


def comments(text: str) -> Iterator[re.Match[str]]:
    """The comments of a text; one that is never closed is none, and is not looked for again and again."""
    return _COMMENT.finditer(text, 0, text.rfind("-->") + len("-->") if "<!--" in text else 0)


def without_comments(text: str, replaced: Callable[[re.Match[str]], str]) -> str:
    """A text with its comments replaced."""
    pieces, at = [], 0
    for note in comments(text):
        pieces += [text[at : note.start()], replaced(note)]
        at = note.end()
    return "".join([*pieces, text[at:]])


def _over(text: str, fill: str) -> str:
    """Cover a text; its line breaks stay, so that lines remain lines."""
    return "\n".join(fill * len(line) for line in text.split("\n")) if "\n" in text else fill * len(text)


def _dropped(match: re.Match[str]) -> str:
    return _over(match.group(), DROPPED)


def _quotation(match: re.Match[str]) -> str:
    """Cover a quotation; the end of a sentence that stands within its marks stays one."""
    covered = _over(match.group(), QUOTED)
    return covered[:-1] + "." if match.group()[-2:-1] in {".", "!"} else covered


def _without_markup(text: str) -> str:
    if "<" in text:
        text = _STRUCK.sub(_dropped, without_comments(text, _dropped))
        text = _BREAK.sub(lambda m: "\n" + " " * (len(m.group()) - 1), text)
        text = _CELL.sub(lambda m: "|" + " " * (len(m.group()) - 1), text)
        text = _TAG.sub(_dropped, text)
    if "<" in text or "[" in text or "functions." in text:
        text = SPECIAL.sub(_dropped, text)
    return _STRUCK.sub(_dropped, text) if "~~" in text else text


def _without_fences(text: str, prose: Sequence[Span]) -> str:
    """Cover fence lines, and blocks of program code with what is in them."""
    fences = fence_lines(text, prose)
    if not fences:
        return text
    spans = program_blocks(fences)
    spans += [
        (fence.start(), fence.end()) for fence in fences if not any(low <= fence.start() < high for low, high in spans)
    ]
    return cover(text, sorted(spans), DROPPED)


def _is_own(match: re.Match[str], announced: AnyPattern | None) -> bool:
    """Whether what stands in quotation marks may be the judge's value: a few words, or announced as its answer."""
    inside = match.group()[1:-1]
    if _ITEM.match(inside):
        return False
    few = len(inside.split(None, _FEW_WORDS)) <= _FEW_WORDS and ":" not in inside and "：" not in inside
    if (few and _MARKED.fullmatch(inside) is None) or set(inside) <= {ECHO, " ", "."}:
        return True
    before = match.string[max(0, match.start() - 80) : match.start()]
    if _MARKED.fullmatch(inside):
        lead, behind = before.rstrip(" *_\n"), match.string[match.end() : match.end() + 3].split("\n")[0]
        if lead[-1:] in {":", "："} or (lead[-1:] in _ENDS and not behind.strip(" .。")):
            return True
    return announced is not None and announced.search(before) is not None
