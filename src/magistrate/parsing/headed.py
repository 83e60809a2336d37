"""Statements listed under headings that are words of the scale: "Supported:", and below it "1", "- Statement 3"."""

from __future__ import annotations

import re
from typing import Final

from magistrate.parsing.prose import DROPPED, ECHO, Line, Prose
from magistrate.parsing.rows import Row, Table
from magistrate.parsing.sentences import LIST, NOUN, expand
from magistrate.parsing.vocabulary import MARKS, Vocabulary
from magistrate.verdict import IssueCode, Verdict

__all__ = ["read_headed"]

MOST_LINES: Final = 200
"""Lines of one text, and eight more a statement; a longer one is no such list."""
_HEADING: Final = re.compile(
    rf"[\s*_`#>-]*+(?P<head>[^\d:：\n({ECHO}]{{1,40}}?)(?:\s{{1,8}}(?:statements|claims|items|facts|sentences))?"
    r"(?:\s{0,8}\(\d{1,3}\))?[*_`]{0,8}\s{0,8}[:：]?[*_`\s]{0,40}+",
    re.IGNORECASE,
)
_NUMBERS: Final = re.compile(
    rf"[\s*_`>]*+(?:[-*•+][ \t]+)?[*_`\"(\[]*+(?:{NOUN}\s*#?\s*)?(?P<list>{LIST})[*_`\")\].,;\s]*", re.IGNORECASE
)
_REPEATED: Final = re.compile(
    rf"[\s*_`>]*+(?:[-*•+][ \t]+|[(\[#]?\d{{1,4}}[)\].:]+[ \t]+)?[^\w{ECHO}\n]{{0,6}}{ECHO}[^\w{ECHO}\n]{{0,6}}"
)


_TICKS: Final = "".join(sorted(MARKS)) + "\ufe0f "
"""Marks before a heading, which its word repeats."""


def read_headed(prose: Prose, words: Vocabulary, count: int) -> tuple[Table | None, int, int] | None:
    """Read headings with the statements below them, with where the first begins and the last list ends.

    Returns:
        None where the text is not of that form; no table where it is, and the numbers may be counts.
    """
    if len(prose.lines()) > MOST_LINES + 8 * count:
        return None
    beside = _beside(prose, words)
    if beside is not None:
        return beside
    heads: list[tuple[Verdict | IssueCode, str]] = []
    rows: list[Row] = []
    start = end = -1
    for line in prose.lines():
        if not line.text.strip(" \t\r" + DROPPED):
            continue
        about = _statements(line, prose)
        if about is not None and not heads:
            return None  # numbers first, and their words below them
        if about is not None:
            rows += [Row(*heads[-1], id=number, echo_index=echo, span=(line.start, line.end)) for number, echo in about]
            end = line.end
            continue
        heading = _HEADING.fullmatch(line.text.rstrip("\r"))
        reading = words.word(heading["head"].lstrip(_TICKS)) if heading else None
        if heading is not None and reading is not None:
            heads.append((reading, heading["head"].strip()))
            start = line.start if start < 0 else start
        elif heads:
            break  # what follows is something else
    if not rows:
        return None
    named = [row.id if row.echo_index is None else row.echo_index + 1 for row in rows]
    whole = sorted(number for number in named if isinstance(number, int)) == list(range(1, count + 1))
    by_text = len(heads) > 1 and all(row.echo_index is not None for row in rows)
    if not whole and not by_text:
        return None, start, len(prose.text)  # what follows may be a heading that was cut off
    return Table(rows, "groups", orderly=False), start, end


def _beside(prose: Prose, words: Vocabulary) -> tuple[Table, int, int] | None:
    """Read lines that each repeat a statement behind its verdict, "Yes: ...", "[No] ..."; None where there are none."""
    rows: list[Row] = []
    for line in prose.lines():
        match = _BESIDE.fullmatch(line.text) if ECHO in line.text else None
        reading = words.word(match["head"].lstrip(_TICKS)) if match else None
        if match is None and ECHO in line.text:
            return None
        if match is not None and reading is None:
            return None
        if match is not None and reading is not None:
            echo = prose.echo_at(line.start + line.text.index(ECHO))
            rows.append(Row(reading, match["head"].strip(), echo_index=echo, span=(line.start, line.end)))
    if len(rows) < 2 or any(row.echo_index is None for row in rows):  # noqa: PLR2004 - one line may be anything
        return None
    spans = [row.span for row in rows if row.span is not None]
    return Table(rows, "groups", orderly=False), spans[0][0], spans[-1][1]


_BESIDE: Final = re.compile(
    rf"[\s*_`>]*+(?:[-*•+][ \t]+)?[\[(*_`]{{0,3}}(?P<head>[^\d:：\n\[\]({ECHO}]{{1,40}}?)[\])*_`]{{0,4}}"
    rf"\s*(?:[:：]|(?<=[\])])|\s[-–—])[\s*_`\"']*+{ECHO}[.\"'\s*_`]*+"
)


def _statements(line: Line, prose: Prose) -> list[tuple[int | None, int | None]] | None:
    """The statements that a line names and nothing else: by number, or repeated; None where it says something else."""
    if _REPEATED.fullmatch(line.text):
        return [(None, prose.echo_at(line.start + line.text.index(ECHO)))]
    match = _NUMBERS.fullmatch(line.text)
    numbers = expand(match["list"]) if match else None
    return None if numbers is None else [(number, None) for number in numbers]
