"""Verdicts under their name, one a line or in running text: "verdict: yes", "Explanation: ... Verdict: Yes."."""

from __future__ import annotations

import re
from typing import Final

from magistrate.parsing.hints import MOST_HINTS
from magistrate.parsing.item_text import echo_alone
from magistrate.parsing.item_wording import VERDICT_NAMES, either
from magistrate.parsing.prose import Prose
from magistrate.parsing.rows import Row, Table
from magistrate.parsing.sequence import MOST_LINES, led_row
from magistrate.parsing.vocabulary import Vocabulary
from magistrate.verdict import IssueCode, Verdict

__all__ = ["read_labels"]


def read_labels(prose: Prose, words: Vocabulary, count: int) -> Table | None:
    """Read lines that each give a verdict under its name, and no statement: "verdict: yes"."""
    rows: list[Row] = []
    others: dict[str, list[tuple[str, int | None]]] = {}
    for line in prose.lines():
        match = _LABEL_LINE.match(line.text)
        other = _OTHER_LINE.fullmatch(line.text) if match is None else None
        if other is not None:
            told = echo_alone(prose, line.start + other.start("value"))
            others.setdefault(other["key"].casefold(), []).append((other["value"], told))
        row = led_row(line.text[match.end() :], line.start + match.end(), words) if match else None
        if row is not None:
            rows.append(row)
    for key, values in others.items():
        if len(values) == len(rows):
            _place(rows, [told for _, told in values])
            for row, (value, _) in zip(rows, values, strict=True):
                row.hints = (*row.hints, (key, value))[: MOST_HINTS + 1]
    if len(rows) < 2:  # noqa: PLR2004 - one is no list
        rows = _marked(prose, words, count)
    return Table(rows, "key-value") if len(rows) > 1 and len(rows) <= MOST_LINES else None


def _place(rows: list[Row], told: list[int | None]) -> None:
    """Give rows the statements that stand beside them; one that stands beside another's row takes its verdict away."""
    if None not in told and all(row.echo_index is None for row in rows):
        for row, index in zip(rows, told, strict=True):
            row.echo_index = index
        return
    for at, (row, index) in enumerate(zip(rows, told, strict=True)):
        if index not in {None, at if row.echo_index is None else row.echo_index}:
            row.reading = IssueCode.CONFLICTING_VERDICTS


def _marked(prose: Prose, words: Vocabulary, count: int) -> list[Row]:
    """Verdicts under their name in running text, as many as statements: "Explanation: ... Verdict: Yes."."""
    marks = [mark for mark, _ in zip(_MARK.finditer(prose.text), range(count + 1), strict=False)]
    if len(marks) != count:
        return []
    rows = []
    for mark in marks:
        stop = _WORD_END.search(prose.text, mark.end())
        row = led_row(prose.text[mark.end() : stop.start() if stop else None], mark.end(), words)
        if row is None or not isinstance(words.word(str(row.value)), Verdict):
            return []
        rows.append(row)
    floors = [0, *(mark.end() for mark in marks[:-1])]
    between = [
        [index for at, index in prose.echoes.items() if floor <= at < mark.start()]
        for floor, mark in zip(floors, marks, strict=True)
    ]
    if len({*map(tuple, between)}) == len(rows) and all(len(one) == 1 for one in between):
        _place(rows, [one[0] for one in between])
    return rows


_MARK: Final = re.compile(
    r"(?:^|(?<=[.;\n|]))[ \t*_`]*(?:(?:the|my|final)[ ])?(?:verdict|judge?ment|urteil|veredicto|verdetto|veredito"
    r"|вердикт"
    r"|判定|结论|판정)[*_`]*[ \t]*[:：][ \t*_`]*",
    re.IGNORECASE,
)
_WORD_END: Final = re.compile(r"[.;\n。；]")
_OTHER_LINE: Final = re.compile(
    r"[ \t]*(?:[-*•+][ \t]+)?[\"']?(?P<key>[^\W\d][\w -]{0,24})[\"']?[ \t]*[:=][ \t]*"
    r"[\"']?(?P<value>[^\n\"']{1,80}?)[\"']?[ \t]*"
)
"""A line under another name: it may say which statement the verdict beside it is about."""
_LABEL_LINE: Final = re.compile(
    rf"[ \t]*+(?:[-*•+][ \t]++)?[*_`\"']*+(?:{either(VERDICT_NAMES)})[*_`\"']*+[ \t]*+[:：=][ \t]*+", re.IGNORECASE
)
