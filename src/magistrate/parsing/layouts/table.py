"""Tables: pipes with or without a head, comma-separated values, rows that stand in columns."""

import csv
import re
from dataclasses import dataclass
from typing import Final

from magistrate.parsing.layouts.view import View
from magistrate.parsing.rows.candidate import Answer, Candidate, read_id
from magistrate.parsing.rows.fields import polar, under_key
from magistrate.parsing.wording.fold import ECHO
from magistrate.parsing.wording.keys import Role, may_wrap, names_others, polarity_of, role_of
from magistrate.parsing.wording.patterns import WordPattern
from magistrate.parsing.wording.scales import is_plain
from magistrate.verdict import IssueCode, Verdict

_STRIP: Final = ' \t*_`\r\x00"'
_FEWEST_LINES: Final = 2
_GLANCE: Final = 8
_SHORT: Final = 2
_IN_BRACKETS: Final = re.compile(r"\s*\((?:y|yes|true)\s*/\s*(?:n|no|false)\)$", re.IGNORECASE)
"""How a column is filled in: "Supported (Y/N)"."""
_OVERALL: Final = WordPattern("{overall}")
_NO_NAME: Final = re.compile(rf"[:：{ECHO}]|\.\s*$")
"""No line with one of these is a head: a colon, a statement, the end of a sentence."""
_ROW: Final = re.compile(r"\s*\d{1,4}\s*[,;\t]\s*[^\W\d]+\s*(?:[,;\t]|$)")
"""A row of a number, a word, and perhaps more."""


@dataclass(slots=True)
class _Line:
    cells: list[str]  # as they are masked
    texts: list[str]  # as they stand in the reply
    start: int
    end: int

    @property
    def is_rule(self) -> bool:
        return all(set(cell) <= set("-:= ") for cell in self.cells)


def read_tables(view: View) -> list[Answer]:
    """The tables of a text."""
    lines = view.text.split("\n")
    sign = "|" if any(line.count("|") > 1 or line.count("|") == 1 for line in lines) else _separator(lines)
    if sign is None:
        return []
    answers: list[Answer] = []
    block: list[_Line] = []
    at = 0
    for line in [*lines, ""]:
        if sign in line:
            block.append(_cells(line, view.raw, at, sign))
        else:
            answers += _table(
                block, view, "table" if sign == "|" or all(_ROW.match(one) for one in lines if sign in one) else "csv"
            )
            block = []
        at += len(line) + 1
    return answers


def _separator(lines: list[str]) -> str | None:
    """The sign between the cells of a table without pipes: one whose first lines name a verdict between them."""
    for sign in (",", "\t", ";"):
        head = [line for line in lines[:_GLANCE] if sign in line and _NO_NAME.search(line) is None]
        rows = [line for line in lines if sign in line]
        if len(rows) > 1 and all(_ROW.match(line) for line in rows) and sum(map(len, lines)) == sum(map(len, rows)):
            return sign
        if len(rows) > 1 and any(
            role_of(name) is Role.VERDICT or polarity_of(name) is not None
            for line in head
            for name in (cell.strip(_STRIP) for cell in line.split(sign))
        ):
            return sign
    return None


def _cells(line: str, raw: str, at: int, sign: str) -> _Line:
    if sign == "," and '"' in line:
        cells = next(csv.reader([line]), [])
        texts = next(csv.reader([raw[at : at + len(line)]]), [])
        if len(cells) == len(texts):
            return _Line(
                [cell.strip(_STRIP) for cell in cells], [text.strip(_STRIP) for text in texts], at, at + len(line)
            )
    cells, texts, place = [], [], at
    for part in line.split(sign):
        cells.append(part.strip(_STRIP))
        texts.append(raw[place : place + len(part)].strip(_STRIP))
        place += len(part) + 1
    if sign == "|":
        begin, end = int(not cells[0]), len(cells) - (not cells[-1])
        cells, texts = cells[begin:end], texts[begin:end]
    return _Line(cells, texts, at, at + len(line))


def _table(block: list[_Line], view: View, form: str) -> list[Answer]:
    lines = [line for line in block if not line.is_rule]
    if len(lines) < _FEWEST_LINES and not (len(lines) == 1 and view.count == 1 and len(lines[0].cells) > 1):
        return []
    words = [view.words.whole(line.cells[0]) for line in lines if len(line.cells) == 2]  # noqa: PLR2004
    counted = len(words) == len(lines) and not lines[0].cells[0].isdecimal()
    if counted and all(isinstance(one, Verdict) for one in words):
        return []  # how many there are of each verdict
    heads = [_IN_BRACKETS.sub("", cell) for cell in lines[0].cells]
    roles = [role_of(cell) or (Role.ID if cell in {"#", "№"} else None) for cell in heads]
    if not {Role.VERDICT, Role.WEAK_VERDICT} & {*roles}:
        roles = [
            Role.VERDICT if polarity_of(cell) or _is_menu(cell, view) else role
            for cell, role in zip(lines[0].cells, roles, strict=True)
        ]
    named = any(role in {Role.VERDICT, Role.WEAK_VERDICT} for role in roles)
    readings = [view.words.whole(cell) for cell in lines[0].cells]
    if len({one for one in readings if isinstance(one, Verdict)}) > 1 and lines[0].cells[0] and readings[0] is None:
        return []  # a column for each verdict, with marks in them
    numbered = isinstance(read_id(lines[0].texts[0]) if lines[0].texts else None, int)
    if named and not numbered:
        rows = _with_head(lines, roles, view)
    elif len(block) > len(lines) and block[1].is_rule and not any(isinstance(one, Verdict) for one in readings):
        rows = _transposed(lines, view)  # no column is called a verdict
        if not rows and (len(lines[0].cells) > _FEWEST_LINES or not any(lines[0].cells[1:])):
            rows = _without_head(lines[1:], view, lines[0].cells)
        if not any(isinstance(row.value, Verdict) for row in rows):
            view.taken.append((block[0].start, block[-1].end))  # what its columns hold is not known to be a verdict
    else:
        rows = _transposed(lines, view) or (_without_head(lines, view) if form == "table" else [])
    last = rows[-1] if rows else None
    if last is not None and view.cut and block[-1].end >= view.last:
        last.value = IssueCode.TRUNCATED
    if not any(isinstance(row.value, Verdict) for row in rows):
        return []
    return [Answer(rows, block[0].start, block[-1].end, form, data=False)]


def _is_menu(head: str, view: View) -> bool:
    """Whether a head offers the verdicts themselves: "True/False"."""
    offered = {view.words.whole(part) for part in head.split("/")}
    return len(offered) > 1 and all(isinstance(one, Verdict) for one in offered)


def _with_head(lines: list[_Line], roles: list[Role | None], view: View) -> list[Candidate]:
    column = _only(roles, Role.VERDICT)
    column = _only(roles, Role.WEAK_VERDICT) if column is None else column
    if column is None:
        return []
    identity, rows = _only(roles, Role.ID), list[Candidate]()
    head, free = lines[0].cells, {None, Role.VERDICT, Role.WEAK_VERDICT}
    final = _OVERALL.match(head[column].strip(" *_")) is not None
    others = {
        at
        for at, role in enumerate(roles)
        if at and role in free and not final and polarity_of(head[at]) is None
        if role_of(head[at].split(" ")[0]) is not Role.ASIDE
    }
    for line in lines[1:]:
        if len(line.cells) != len(roles):  # a row of another width explains none of its cells
            identity_here = read_id(line.texts[0]) if line.texts else None
            rows.append(Candidate(IssueCode.UNKNOWN_LABEL, id=identity_here, span=(line.start, line.end)))
            continue
        cell = line.cells[column]
        said = polar({head[column]: cell}, view.words) if polarity_of(head[column]) else None
        value = under_key(view.words.read(cell), head[column], cell, view.words) if said is None else said
        row = Candidate(value, line.texts[column], span=(line.start, line.end))
        row.id = read_id(line.texts[identity]) if identity is not None else None
        for at, text in enumerate(line.texts):
            if at in {column, identity}:
                continue
            index = view.echo_of(text)
            row.echo_index = index if row.echo_index is None else row.echo_index
            number = read_id(text)
            named = roles[at] is Role.ECHO or (roles[at] is None and not head[at].strip(" *_"))
            if named and isinstance(number, int) and index is None and at == 0:
                row.id = number if row.id is None else row.id
            elif roles[at] is Role.ECHO and index is None:
                row.echo = text
            row.reason = text if roles[at] is Role.REASON else row.reason
            few = text.casefold().split(None, _SHORT)
            other = names_others(few) or (polarity_of(text) is not None and is_plain(row.raw))
            if index is None and roles[at] is not Role.REASON and len(few) <= _SHORT and other:
                row.value = (
                    IssueCode.CONFLICTING_VERDICTS
                )  # whose verdict it is, or on what: "previous", "contradiction"
            beside = view.words.whole(line.cells[at]) if at in others else None
            if isinstance(beside, Verdict) and not text.isdecimal() and len(text) > 1 and beside is not row.value:
                row.value = IssueCode.CONFLICTING_VERDICTS  # each cell counts
        apart = row.id is None and row.echo is None and row.echo_index is None
        if apart and roles[0] is None and head[0].strip(" *_"):
            row.value = IssueCode.CONFLICTING_VERDICTS  # one row for each of something else: "Rater"
        rows.append(row)
    return rows


def _without_head(lines: list[_Line], view: View, heads: list[str] | None = None) -> list[Candidate]:
    """Rows of a number or a statement, and cells of which one, or all that are one, are the verdict."""
    rows = []
    for line in lines:
        if len(line.cells) < 2:  # noqa: PLR2004 - which statement, and the verdict
            return []
        row = Candidate(IssueCode.MISSING_VERDICT, span=(line.start, line.end))
        said = []
        for at, (cell, text) in enumerate(zip(line.cells, line.texts, strict=True)):
            index = view.echo_of(text)
            number = read_id(text)
            if index is not None:
                row.echo_index = index
            elif at == 0 and isinstance(number, int):
                row.id = number
            elif (reading := view.words.whole(cell)) is not None and not cell.isdecimal():
                known = heads is None or at >= len(heads) or not heads[at] or may_wrap(heads[at])
                said.append(reading if known else IssueCode.UNKNOWN_LABEL)
                row.raw = text
            elif cell:
                row.reason = text
        if row.id is None and row.echo_index is None:
            return []
        if said:
            row.value = said[0] if len(set(said)) == 1 else IssueCode.CONFLICTING_VERDICTS
        rows.append(row)
    return rows if len(lines) > 1 or view.count == 1 else []


def _transposed(lines: list[_Line], view: View) -> list[Candidate]:
    """A table whose rows are "Statement | 1 | 2" and "Verdict | yes | no"."""
    ids = [read_id(text) for text in lines[0].texts[1:]]
    said = [
        line
        for line in lines[1:]
        if line.cells and role_of(line.cells[0]) is Role.VERDICT and len(line.cells) == len(ids) + 1
    ]
    if len(said) != 1 or len(ids) < 2 or not all(isinstance(one, int) for one in ids):  # noqa: PLR2004
        return []
    span = (said[0].start, said[0].end)
    cells = said[0].cells[1:]
    return [Candidate(view.words.read(cell), cell, span, one) for one, cell in zip(ids, cells, strict=True)]


def _only(roles: list[Role | None], role: Role) -> int | None:
    return roles.index(role) if roles.count(role) == 1 else None
