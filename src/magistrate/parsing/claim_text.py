"""Statements in plain text: bulleted and numbered lists, one sentence a line, or the finding that there are none."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from magistrate.parsing.decode.nodes import Span
from magistrate.parsing.keys import Role, role_of
from magistrate.parsing.prose import DROPPED, JSON, Prose

__all__ = ["Listed", "list_statements", "names_none", "says_none", "says_something", "tidy"]

_ITEM: Final = re.compile(
    r"(?P<indent>[ \t\x00]*)(?:(?:(?P<bullet>[-*•‣◦▪●○■□·–—+✓✔])[ \t]+|(?P<dot>[・･●○■□▪])[ \t]*)(?:\[[ xX✓]?\][ \t]+)?"
    r"|\[(?P<boxed>\d{1,4})\][ \t]+"
    r"|(?P<open>[*_(\[#]{0,3})(?:(?:claim|statement|fact"
    r"|sentence|aussage|behauptung|afirmación|affirmation|affermazione|afirmação|утверждение|陈述|主張|진술)[ "
    r"\t]*)?(?P<number>\d{1,4})"
    r"[*_)\]]{0,3}(?:[.):：、．）](?!\d)|\.-|[ \t]+[-–—])[-*_)]{0,3}[ \t]*)(?P<text>[^\n]*)",
    re.IGNORECASE,
)
_BLANK_BULLET: Final = re.compile(r"[ \t\x00]*(?:[-*•+]|\d{1,4}[.)])[ \t]*")
_SENTENCE: Final = re.compile(r"[^\n.!?。]{6,300}[.。]")
_TALK: Final = re.compile(
    r"\b(?:i|i'm|i'll|i've|you|your|sure|certainly|here|please|let me|hope|sorry|gern|gerne|ich|du|dir|sie|yo|usted"
    r"|tú|je|vous|tu|io|eu|você|я|вы)\b|我|您|你|私|あなた|저는|당신|أنا|मैं|आप",
    re.IGNORECASE,
)
_NONE: Final = re.compile(
    r"\b(?:do(?:es)? not|doesn't|don't|did not)\s+(?:seem to\s+)?(?:contain|hold|include|have|make|state|present"
    r"|provide|express)\s+(?:any\s+)?(?:\w+[\s,-]+){0,3}(?:facts?|claims?|statements?|assertions?|information)\b"
    r"|\b(?:contains?|holds?|includes?|has|have|makes?|states?|presents?|there (?:are|is|were)|i (?:found|find|see)"
    r"|found)\s+(?:no|not any|none|zero)\s*(?:\w+[\s,-]+){0,3}(?:facts?|claims?|statements?|assertions?)\b"
    r"|^\W*(?:no|none|zero)\s+(?:\w+[\s,-]+){0,3}(?:facts?|claims?|statements?|assertions?)\b|^\W*(?:(?:claims?|facts?"
    r"|statements?)\s*[:：]\s*)?(?:none|n/a|nothing"
    r"|no facts|no claims|aucune?s?(?:\s+(?:affirmation|fait)s?)?)\W*$"
    r"|\bnothing (?:to extract|that could be extracted|factual)\b"
    r"|\bkeine\s+(?:\w+\s+){0,3}(?:fakten|aussagen|behauptungen|tatsachen)\b|\bno (?:contiene"
    r"|hay)\s+(?:ning\w+\s+)?(?:\w+\s+){0,2}(?:hechos|afirmaciones|datos)\b|\bne contient (?:aucune?|pas "
    r"d[e'])\s*(?:\w+\s+){0,2}(?:faits?|affirmations?)\b"
    r"|\bnon contiene\s+(?:\w+\s+){0,3}(?:fatti|affermazioni)\b|\bnão (?:contém|há)\s+(?:\w+\s+){0,3}(?:fatos|factos"
    r"|afirmações)\b|не содержит\s+(?:\w+\s+){0,3}(?:фактов|утверждений)|нет\s+(?:\w+\s+){0,2}(?:фактов|утверждений)"
    r"|没有(?:任何)?(?:事实|陈述|声明|可提取)|不包含(?:任何)?(?:事实|陈述)|沒有(?:任何)?(?:事實|陳述)|事実(?:は"
    r"|が)?(?:含まれて|あり)(?:い)?ません|主張は(?:含まれて"
    r"|あり)(?:い)?ません|사실(?:이|은)?\s*(?:포함되어 있지|없)|주장이\s*없|لا (?:يحتوي"
    r"|توجد)\s+(?:\S+\s+){0,3}(?:حقائق|ادعاءات)"
    r"|कोई\s+(?:\S+\s+){0,2}(?:तथ्य|दावा)\s*नहीं",
    re.IGNORECASE | re.MULTILINE,
)
_QUOTES: Final = {'"': '"', "'": "'", "“": "”", "«": "»", "„": "“", "「": "」", "`": "`", "‘": "’"}


@dataclass(frozen=True, slots=True)
class Listed:
    """A list found in text.

    Args:
        statements: The statements, blank ones left out.
        spans: Where each stands.
        format: "numbered", "bullets" or "lines".
        last_at: Where the last one ends.
        left_out: Whether a sentence stands between two of them that belongs to neither.
    """

    statements: list[str]
    spans: list[Span]
    format: str
    last_at: int
    left_out: bool = False


def list_statements(prose: Prose, raw: str) -> Listed | None:
    """The list of statements in a text; None where there is none."""
    listed = _listed(prose, raw)
    texts = listed.statements if listed is not None else []
    bare = _unmarked(texts)
    if listed is None or bare == texts:
        return listed
    spans = [(max(span[0], raw.find(text, *span)), span[1]) for text, span in zip(bare, listed.spans, strict=True)]
    return replace(listed, statements=bare, spans=spans)


def _unmarked(texts: list[str]) -> list[str]:
    """Statements without the letters that count them, or the name that stands before each: "a) ...", "claim: ..."."""
    lettered = [_LETTER.match(text) for text in texts]
    counted = [match["letter"].casefold() if match else "" for match in lettered]
    if counted != [chr(ord("a") + at) for at in range(len(texts))]:
        lettered = [_NAMED.match(text) for text in texts]
    if len(texts) < 2 or None in lettered:  # noqa: PLR2004 - one alone counts nothing
        return texts
    return [text[match.end() :] if match else text for text, match in zip(texts, lettered, strict=True)]


_LETTER: Final = re.compile(r"\(?(?P<letter>[a-z](?=[.)])|[A-Z](?=\)))[.)]\s+(?=\S)")
_NAMED: Final = re.compile(
    r"(?:(?:(?:claim|statement|fact|sentence)\s*#?\d{0,3}|[SCF]\d{1,3})\s*[:：]|\[[SCF]?\d{1,3}\](?=\s)|[\u2460-\u2473\u2776-\u277f])\s*(?=\S)",
    re.IGNORECASE,
)


def _listed(prose: Prose, raw: str) -> Listed | None:
    items = [part for item in _items(prose) for part in _parted(prose, *item)]
    if items:
        found = [(tidy(raw[slice(*span)]), span) for start, end, _ in items if (span := prose.span(start, end))]
        kept = [
            (text, span)
            for text, span in found
            if (says_something(text) or _is_dots(text)) and not text.endswith((":", "："))
        ]
        numbered = any(kind == "numbered" for _, _, kind in items)
        return Listed(
            [text for text, _ in kept],
            [span for _, span in kept],
            "numbered" if numbered else "bullets",
            prose.span(*items[-1][:2])[1],
            any(_holds_sentence(prose.text[one[1] : two[0]]) for one, two in pairwise(items)),
        )
    for way in (_inline, _tabled, _lettered_lines, _beside_source, _sentence_lines, _quoted_lines):
        listed = way(prose, raw)
        if listed is not None:
            return listed
    return None


def _holds_sentence(between: str) -> bool:
    """Whether a line between two items is a sentence, and no talk to the reader."""
    lines = [line.strip(" \t\r" + DROPPED) for line in between.split("\n")[1:-1]]
    return any(_SENTENCE.fullmatch(line) and not _TALK.search(line) for line in lines)


def _inline(prose: Prose, raw: str) -> Listed | None:
    """Items on one line, each with its number, after a lead-in: "The claims: (1) ... (2) ..."."""
    lines = [line for line in prose.lines() if line.text.strip(" \t\r" + DROPPED)]
    if len(lines) != 1:
        return None
    line = lines[0]
    marks = list(_INLINE.finditer(line.text))
    if len(marks) < 2 or [int(mark["number"]) for mark in marks] != list(range(1, len(marks) + 1)):  # noqa: PLR2004
        return None
    lead = line.text[: marks[0].start()].strip()
    if lead and lead[-1] not in ":：":
        return None
    stops = [mark.start() for mark in marks[1:]] + [len(line.text)]
    spans = [prose.span(line.start + mark.end(), line.start + stop) for mark, stop in zip(marks, stops, strict=True)]
    texts = [tidy(raw[slice(*span)]) for span in spans]
    return Listed(texts, spans, "numbered", spans[-1][1]) if all(texts) else None


_INLINE: Final = re.compile(r"(?:(?<=\s)|^)(?:\((?P<number>\d{1,3})\))[ \t]+")


def _items(prose: Prose) -> list[tuple[int, int, str]]:
    """Start, end and kind of each list item; lines that go on with one belong to it."""
    items: list[tuple[int, int, str]] = []
    gap = True
    for line in prose.lines():
        match = _ITEM.fullmatch(line.text)
        bare = line.text.strip(" \t\r" + DROPPED + JSON)
        if match and not _BLANK_BULLET.fullmatch(line.text) and bare.strip("*_-—= "):
            items.append(
                (
                    line.start + match.start("text"),
                    line.end,
                    "bullets" if match["bullet"] or match["dot"] else "numbered",
                )
            )
            gap = False
        elif not bare or _BLANK_BULLET.fullmatch(line.text):
            gap = True
        elif items and not gap and _goes_on(prose.text[items[-1][0] : items[-1][1]], line.text):
            start, _, kind = items[-1]
            items[-1] = (start, line.end, kind)
        else:
            gap = True
    return items


def _parted(prose: Prose, start: int, end: int, kind: str) -> list[tuple[int, int, str]]:
    """The items of one line: "1. Bees make wax. 2. Wax melts.", "- Bees make wax. - Wax melts."."""
    text = prose.text[start:end]
    line = prose.text[prose.text.rfind("\n", 0, start) + 1 : start]
    if kind == "bullets":
        bullet = line.strip()[:1]
        marks = [(mark.start(), mark.end()) for mark in _NEXT_BULLET.finditer(text) if mark["bullet"] == bullet]
    else:
        number = next((int(digits) for digits in re.findall(r"\d{1,4}", line)), 0)
        marks = []
        for mark in _NEXT_ITEM.finditer(text):
            if int(mark["number"]) == number + 1 and mark["close"] == line.rstrip(" \t*_")[-1:]:
                number += 1
                marks.append((mark.start(), mark.end()))
    starts = [start, *(start + stop for _, stop in marks)]
    stops = [*(start + first for first, _ in marks), end]
    return [(first, last, kind) for first, last in zip(starts, stops, strict=True)]


_NEXT_ITEM: Final = re.compile(
    r"(?<=[.!?;。！？])[ \t]+[*_]{0,2}\(?(?P<number>\d{1,4})(?P<close>[.):])[*_]{0,2}[ \t]+(?=\S)"
)
_NEXT_BULLET: Final = re.compile(r"(?<=[.!?。！？])[ \t]+(?P<bullet>[-*•‣◦▪●])[ \t]+(?=\S)")


def _goes_on(item: str, line: str) -> bool:
    return (
        line[:1] in " \t"
        or line.lstrip()[:1].islower()
        or not item.rstrip().endswith((".", "!", "?", "。", ":", "”", '"'))
    )


def _tabled(prose: Prose, raw: str) -> Listed | None:
    """A table with a column of statements, under its name."""
    lines = [line for line in prose.lines() if line.text.strip(" \t\r" + DROPPED)]
    rows = [line for line in lines if line.text.strip()[:1] == "|"]
    heads = [cell.strip(" *_`") for cell in _CELL.findall(rows[0].text)] if len(rows) > 2 else []  # noqa: PLR2004 - head, rule, rows
    columns = [at for at, head in enumerate(heads) if role_of(head) is Role.ECHO]
    if len(columns) != 1 or not _RULE.fullmatch(rows[1].text) or len(lines) > len(rows) + 1:
        return None
    spans = []
    for row in rows[2:]:
        cells = list(_CELL.finditer(row.text))
        if len(cells) != len(heads):
            return None
        spans.append(prose.span(row.start + cells[columns[0]].start(1), row.start + cells[columns[0]].end(1)))
    texts = [tidy(raw[slice(*span)]) for span in spans]
    return Listed(texts, spans, "table", spans[-1][1]) if all(map(says_something, texts)) else None


_CELL: Final = re.compile(r"\|((?:[^|\\\n]|\\.)*)(?=\|)")
_RULE: Final = re.compile(r"[\s|:=-]+")


def _lettered_lines(prose: Prose, raw: str) -> Listed | None:
    """Items that letters or Roman numbers count: "A. ...", "ii. ..."; at least two of them, and nothing else."""
    lines = [line for line in prose.lines() if line.text.strip(" \t\r" + DROPPED)]
    if lines and lines[0].text.rstrip().endswith((":", "：")):
        lines = lines[1:]
    marks = [_COUNTER.match(line.text) for line in lines]
    counted = [mark["mark"].casefold() if mark else "" for mark in marks]
    orders = ([chr(ord("a") + at) for at in range(len(lines))], _ROMANS[: len(lines)])
    if len(lines) < 2 or counted not in orders:  # noqa: PLR2004 - one alone counts nothing
        return None
    spans = [prose.span(line.start + mark.end(), line.end) for line, mark in zip(lines, marks, strict=True) if mark]
    return Listed([tidy(raw[slice(*span)]) for span in spans], spans, "numbered", spans[-1][1])


_COUNTER: Final = re.compile(r"[ \t]*\(?(?P<mark>[A-Za-z]|[ivx]{1,5}|[IVX]{1,5})[.):][ \t]+(?=\S)")
_ROMANS: Final = "i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx".split()


def _beside_source(prose: Prose, raw: str) -> Listed | None:
    """Claims on lines that say so, beside what they were taken from: "Original: ...", and "Claim: ..." below it."""
    lines = [line for line in prose.lines() if line.text.strip(" \t\r" + DROPPED)]
    marks = [_LABEL.match(line.text) for line in lines]
    if not any(mark and _SOURCE.fullmatch(mark["name"]) for mark in marks):
        return None
    named = [(line, mark) for line, mark in zip(lines, marks, strict=True) if mark and _CLAIM.fullmatch(mark["name"])]
    if not named or not all(
        mark and (_SOURCE.fullmatch(mark["name"]) or _CLAIM.fullmatch(mark["name"])) for mark in marks
    ):
        return None
    spans = [prose.span(line.start + mark.end(), line.end) for line, mark in named]
    texts = [tidy(raw[slice(*span)]) for span in spans]
    return Listed(texts, spans, "lines", spans[-1][1]) if all(_SENTENCE.fullmatch(text) for text in texts) else None


_LABEL: Final = re.compile(
    r"[\s*_`>#-]{0,8}(?P<name>[^\W\d_][^:\uff1a\n.]{0,30}?)[*_`]{0,3}[ ]?[:\uff1a][*_`]{0,3}[ \t]+(?=\S)"
)
_SOURCE: Final = re.compile(
    r"(?:original|source|input|given|full)(?:[ ](?:sentence|text|passage|answer|statement|paragraph|response))?"
    r"|sentence|text|passage|answer|paragraph|question|context|document|response",
    re.IGNORECASE,
)
_CLAIM: Final = re.compile(
    r"(?:(?:extracted|atomic|simple|factual|single)[ ])?(?:claims?|facts?|statements?|propositions?)(?:[ ]?#?\d{1,3})?",
    re.IGNORECASE,
)


def _sentence_lines(prose: Prose, raw: str) -> Listed | None:
    """One sentence a line, without talk to the reader: at least two of them."""
    lines = [line for line in prose.lines() if line.text.strip(" \t\r" + DROPPED)]
    if lines and lines[0].text.rstrip().endswith((":", "：")):
        lines = lines[1:]
    if len(lines) < 2:  # noqa: PLR2004 - one sentence may be anything
        return None
    if any((label := _LABEL.match(line.text)) and _SOURCE.fullmatch(label["name"]) for line in lines):
        return None  # what the claims were taken from is none
    if any(not _SENTENCE.fullmatch(line.text.strip()) or _TALK.search(line.text) for line in lines):
        return None
    spans = [prose.span(line.start, line.end) for line in lines]
    return Listed([tidy(raw[slice(*span)]) for span in spans], spans, "lines", spans[-1][1])


def _quoted_lines(prose: Prose, raw: str) -> Listed | None:
    """One quoted sentence a line, after at most one line that leads in to them: at least two of them."""
    lines = [line for line in prose.lines() if line.text.strip(" \t\r" + DROPPED)]
    if lines and lines[0].text.rstrip().endswith((":", "：")):
        lines = lines[1:]
    if len(lines) < 2 or not all(_QUOTED_LINE.fullmatch(line.text) for line in lines):  # noqa: PLR2004 - as above
        return None
    spans = [prose.span(line.start, line.end) for line in lines]
    texts = [tidy(raw[slice(*span)]) for span in spans]
    kept = [(text, span) for text, span in zip(texts, spans, strict=True) if says_something(text)]
    return Listed([text for text, _ in kept], [span for _, span in kept], "lines", spans[-1][1])


_QUOTED_LINE: Final = re.compile(
    r"[ \t]*(?:\"[^\"\n]+\"|“[^“”\n]+”|«[^«»\n]+»|„[^„“”\n]+[“”]|「[^「」\n]+」)[ \t]*[,;]?[ \t]*"
)


def says_something(text: str) -> bool:
    """Whether a text is more than marks: a claim has words or numbers."""
    return any(char.isalnum() for char in text)


def _is_dots(text: str) -> bool:
    """Whether a text is dots and no more: the list goes on."""
    return bool(text) and not text.strip(" .\u2026")


def tidy(text: str) -> str:
    """A statement without the marks around it: blanks, bold, one pair of quotation marks, a comma after them."""
    text = " ".join(text.split()) if "\n" in text else text.strip()
    if len(text) > 2 and text[0] in _QUOTES and text.rstrip(",")[-1] == _QUOTES[text[0]] and text.count(text[0]) <= 2:  # noqa: PLR2004
        text = text.rstrip(",")[1:-1].strip()
    for mark in ("**", "__", "*"):
        if len(text) > 2 * len(mark) and text.startswith(mark) and text.endswith(mark) and text.count(mark) == 2:  # noqa: PLR2004
            text = text[len(mark) : -len(mark)].strip()
    return text


def says_none(text: str) -> bool:
    """Whether a text says that there is nothing to extract."""
    return len(text) <= 1_000 and _NONE.search(text) is not None  # noqa: PLR2004 - a finding, not an essay


def names_none(text: str) -> bool:
    """Whether a text that stands where a statement would says that there is none, and nothing else: "None"."""
    return _NONE_AT_ALL.fullmatch(text) is not None


_NONE_AT_ALL: Final = re.compile(
    r"\W*(?:none|n/?a|nothing|null|(?:there\s+(?:are|were)\s+)?no\s+(?:\w+\s+){0,3}(?:facts?|claims?|statements?|assertions?)"
    r"(?:\s+(?:(?:are|were|was|is)\s+)?(?:found|present|made|identified|available|extracted))?"
    r"(?:\s+(?:in|from)\s+(?:the|this)\s+\w+)?)\W*",
    re.IGNORECASE,
)
