"""Verdicts under their name, one a line or in running text: "verdict: yes", "Explanation: ... Verdict: Yes."."""

from __future__ import annotations

import re
from typing import Final

from magistrate.parsing.hints import MOST_HINTS
from magistrate.parsing.prose import Prose
from magistrate.parsing.rows import Row, Table
from magistrate.parsing.sequence import MOST_LINES, led_row
from magistrate.parsing.vocabulary import Vocabulary
from magistrate.parsing.wording import VERDICT_NAMES, either
from magistrate.verdict import Verdict

__all__ = ["read_labels"]


def read_labels(prose: Prose, words: Vocabulary, count: int) -> Table | None:
    """Read lines that each give a verdict under its name, and no statement: "verdict: yes"."""
    rows: list[Row] = []
    others: dict[str, list[str]] = {}
    for line in prose.lines():
        match = _LABEL_LINE.match(line.text)
        other = _OTHER_LINE.fullmatch(line.text) if match is None else None
        if other is not None and len(others) <= MOST_HINTS:
            others.setdefault(other["key"].casefold(), []).append(other["value"])
        row = led_row(line.text[match.end() :], line.start + match.end(), words) if match else None
        if row is not None:
            rows.append(row)
    for key, values in others.items():
        for row, value in zip(rows, values, strict=True) if len(values) == len(rows) else ():
            row.hints = (*row.hints, (key, value))
    if len(rows) < 2:  # noqa: PLR2004 - one is no list
        rows = _marked(prose, words, count)
    return Table(rows, "key-value") if len(rows) > 1 and len(rows) <= MOST_LINES else None


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
