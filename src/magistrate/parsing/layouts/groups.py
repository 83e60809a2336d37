"""Statements grouped by verdict: "Supported: 1-3, 5", those under "## Supported", "Statements 1 and 2: yes"."""

import re
from collections.abc import Iterator
from typing import Final

from magistrate.parsing.layouts.view import COVERED, EMPHASIS, View, matches
from magistrate.parsing.rows.candidate import Answer, Candidate, Span
from magistrate.parsing.wording.fold import DROPPED, ECHO
from magistrate.parsing.wording.patterns import WordPattern
from magistrate.verdict import IssueCode, Verdict

_HIGHEST: Final = 500
_NUMBER: Final = re.compile(r"\d{1,4}")
_ENTRY: Final = re.compile(rf"(?:(?P<number>\d{{1,4}})[.):\]]*[ \t*_]*[\"'\u201c]?)?(?P<echo>{ECHO}+)")
_ROW: Final = re.compile(rf"^[ \t*_#>-]*(?:\d{{1,4}}[.):]|[\"'\u201c]?{ECHO})", re.MULTILINE)
_ANY: Final = re.compile(rf"\d|{ECHO}")
_HEAD: Final = WordPattern(
    r"(?:^|(?<=[.;]\s))[ \t*_•#>\[{DROPPED}-]*+(?P<word>[^:：\n\d\[\]{ECHO}]{1,80}?)[*_ \t]*+(?:\(\d{1,4}\)[*_ \t]*+)?"
    r"(?:[:：][ \t*_]*+|(?<![.!?,;])(?P<line>\n)(?=\s*(?:[-*•]|\d{1,4}[.)]|{ECHO}))"
    r"|\][*_]*[:：]?[ \t]*(?=[\"'\u201c]?{ECHO})|[-–—][ \t]+(?=[\"'\u201c]?{ECHO}))",
    re.MULTILINE,
)
"""The name of a group, up to its list: behind a colon, under a heading, or in brackets before a statement."""
_LIST: Final = WordPattern(
    r"(?:[\s,;&–—*•.()\[\]#\"'\u201c\u201d{DROPPED}-]|\b(?:{and}|{to}|{ITEMS})\b|\d{1,4}+|{ECHO}++[.!?]?)++|\W*none\W*",
)
"""What the list of a group is made of."""
_NUMBERS_FIRST: Final = WordPattern(
    r"(?m)^[ \t*_•#>{DROPPED}-]*{ITEMS}[ \t]*(?P<list>\d{1,4}"
    r"(?:(?:[ \t]*+(?:[,&–-]|\b{and}\b|\b{to}\b))++[ \t]*+\d{1,4}+){0,200})[*_]*[ \t]*[:：–—=]"
    r"[ \t*_]*(?P<word>[^:：\n]{1,60})$",
)
_ABOUT: Final = WordPattern(
    r"\s*{ITEMS}\s*$|^\s*(?:the\s+)?(?:following\s+)?(?:{ITEMS}\s+)?(?:(?:that\s+)?{is}\s+|judged\s+)?"
)
"""What stands around the verdict in the name of a group: "The following statements are ... "."""
_BETWEEN_NUMBERS: Final = WordPattern(r"[,;&、\n]|\bnor\b|(?<![^\W\d_]){and}(?![^\W\d_])")
_RANGE: Final = WordPattern(r"\d\s*(?:[–-]|{to})\s*#?\d")
_WHY: Final = re.compile(r"(?<=\d)[ \t]*\([^()\d]{1,200}\)\s*$")
"""The reason behind the one statement of a group."""
_ITEM_NAME: Final = WordPattern(r"\b{ITEMS}\b")


def numbers_of(text: str) -> list[int] | None:
    """The numbers of a list, "1-3, 5 and 7"; None where two stand together and nothing says how."""
    found: list[int] = []
    for part in _BETWEEN_NUMBERS.split(text):
        ends = [int(one) for one in _NUMBER.findall(part)]
        if len(ends) > 2 or (len(ends) > 1 and not _RANGE.search(part)):  # noqa: PLR2004 - from, to
            return None
        if ends and not ends[0] <= ends[-1] < ends[0] + _HIGHEST:
            return None
        found += range(ends[0], ends[-1] + 1) if ends else ()
    return found


def read_groups(view: View) -> list[Answer]:
    """The statements that a reply lists under each verdict, by number or word for word."""
    if _ANY.search(view.text) is None:
        return []
    rows: list[Candidate] = []
    spans: list[Span] = []
    for word, reading, span, listed in _groups(view):
        found = _entries(view, listed)
        if found is None:
            return []
        spans.append(span)
        group = [Candidate(reading, word, span, number, echo_index=echo) for number, echo in found]
        if view.cut and span[1] >= view.last:  # its last number may go on, or the word behind its numbers
            for row in group[-1:] if listed[1] == span[1] else group:
                row.value = IssueCode.TRUNCATED
        rows += group
    if not rows or (len(rows) < 2 and len(spans) < 2):  # noqa: PLR2004 - one number is no list
        return []
    counted = len(rows) == len(spans) and all(row.echo_index is None for row in rows)
    if counted and {row.id for row in rows} != set(range(1, view.count + 1)) and not view.cut:
        return []  # "Supported: 2, unsupported: 1" of three: how many there are of each
    return [Answer(rows, spans[0][0], max(end for _, end in spans), "groups", orderly=False)]


def _groups(view: View) -> Iterator[tuple[str, Verdict, Span, Span]]:
    """Each group: its name, the verdict of that name, where the group stands, and where its list does."""
    text = view.text
    heads = [
        (one, said)
        for one in matches(_HEAD, text)
        if (said := _verdict(one["word"], view)) is not None and (not one["line"] or _is_heading(one, text))
    ]
    if heads and _ROW.search(text, 0, heads[0][0].start()):
        heads = []  # rows that stand above their verdicts
    for at, (head, reading) in enumerate(heads):
        end = heads[at + 1][0].start() if at + 1 < len(heads) else view.last
        ends = (end, *(text.find(sign, head.end(), end) for sign in ("\n\n", "\n", ". ")))
        for stop in ends:
            body = text[head.end() : stop] if stop >= 0 else ""
            body = _WHY.sub("", body) if len(_NUMBER.findall(body)) == 1 else body
            if body.strip() and _LIST.fullmatch(body) and not view.is_taken(head.start(), stop):
                yield head["word"], reading, (head.start(), stop), (head.end(), stop)
                break
    lists = [(one, _verdict(one["word"], view)) for one in matches(_NUMBERS_FIRST, text)]
    several = any(len(_NUMBER.findall(one["list"])) > 1 for one, _ in lists)
    for one, said in lists if several and all(said for _, said in lists) else ():
        if said is not None:
            yield one["word"], said, one.span(), one.span("list")


def _is_heading(head: re.Match[str], text: str) -> bool:
    """Whether the name of a group without a colon is a heading: no word on a line between two statements."""
    before = text[text.rfind("\n", 0, head.start("word")) + 1 : head.start("word")].strip(" \t" + DROPPED)
    return before[:1] == "#" or (not before.strip("*_") and _ITEM_NAME.search(head["word"]) is not None)


def _verdict(name: str, view: View) -> Verdict | None:
    bare = name.strip(EMPHASIS + COVERED + " .")
    for said in (view.words.whole(bare), view.words.whole(_ABOUT.sub("", bare))):
        if isinstance(said, Verdict):
            return said
    return None


def _entries(view: View, span: Span) -> list[tuple[int | None, int | None]] | None:
    """The numbers of a list, or the statements that it repeats, each with the number before it; None if unclear."""
    text = view.text[span[0] : span[1]]
    if ECHO not in text:
        numbers = numbers_of(text)
        return None if numbers is None else [(one, None) for one in numbers]
    found: list[tuple[int | None, int | None]] = []
    for match in _ENTRY.finditer(text):
        start = span[0] + match.start("echo")
        echo = view.echo_of(view.raw[start : span[0] + match.end("echo")])
        number = int(match["number"]) if match["number"] else None
        if echo is None and number is None:
            return None
        found.append((number, echo))
    return found if sum(map(len, _NUMBER.findall(_ENTRY.sub("", text)))) == 0 else None
