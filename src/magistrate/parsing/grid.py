"""Tables of text: Markdown pipes, tabs, commas; with a header that says what the columns are, or without."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from magistrate.parsing.hints import MOST_HINTS, is_hint, is_of_ids
from magistrate.parsing.item_wording import VERDICT_NAMES, Names
from magistrate.parsing.keys import Role, role_of
from magistrate.parsing.prose import DROPPED, ECHO, Line, Prose
from magistrate.parsing.questions import asks_the_contrary, is_bare_answer
from magistrate.parsing.rows import Row, Table, read_id
from magistrate.parsing.sentences import LIST, expand
from magistrate.parsing.vocabulary import Vocabulary
from magistrate.verdict import IssueCode, Verdict

__all__ = ["read_grids"]

_RULE: Final = re.compile(r"[\s|:+=\-\u2500-\u257f\x00]*")
_CELL: Final = re.compile(r"(?<!\\)[|\u2502\uff5c]")
_TABS: Final = re.compile(r"\t+")
_COMMAS: Final = re.compile(r"[,;]")
_BLANKS: Final = re.compile(r"[ ]{2,}")
_OTHERS: Final = re.compile(r"[,;]|[^\s][ ]{2,}[^\s]")
_PIPES: Final = re.compile(r"[|\t\u2502\uff5c]")
_NAMES: Final = Names(VERDICT_NAMES)
MOST_ROWS: Final = 100
"""Rows of one table, plus four a statement; a table with more is none of verdicts."""
_LONGEST_HEADER: Final = 200
_WORDS_OF_A_NAME: Final = 3
_TRIM: Final = " \t\r*_`\"'" + DROPPED

Cells = list[tuple[str, int]]


def read_grids(prose: Prose, words: Vocabulary, count: int) -> list[tuple[Table | None, int, int]]:
    """Read every table that has a column of verdicts, with where it begins and ends.

    A table that has such a column and no verdict in it is given as None: its head says nothing of a statement.
    """
    tables: list[tuple[Table | None, int, int]] = []
    if not _PIPES.search(prose.text) and not (_NAMES.within(prose.text) and _OTHERS.search(prose.text)):
        return tables
    block: list[Cells] = []
    separator, start, end = "", 0, 0
    for line in [*prose.lines(), Line("", len(prose.text))]:
        cells, kind = _cells(line, separator)
        if cells is None or (block and kind != separator):
            if block and len(block) <= MOST_ROWS + 4 * count:
                table = _table(block, separator, prose, words, count)
                if table is not None or _asks(block, words):
                    tables.append((table, start, end))
            block, separator = [], ""
            cells, kind = _cells(line, "")
        if cells is not None:
            start = start if block else line.start
            separator, end = kind, line.end
            block.append(cells)
    return tables


def _asks(block: list[Cells], words: Vocabulary) -> bool:
    """Whether lines are a table with a rule below its head, and that names a column of verdicts, or two verdicts."""
    if role_of(block[0][0][0].strip(_TRIM)) in {Role.ID, Role.ECHO} and any(
        asks_the_contrary(text.strip(_TRIM)) for text, _ in block[0][1:]
    ):
        return True
    if len(block) < 2 or not all(_RULE.fullmatch(text) for text, _ in block[1]):  # noqa: PLR2004 - a head and its rule
        return False
    named = {words.word(text.strip(_TRIM)) for text, _ in block[0]} - {None}
    if any(asks_the_contrary(text.strip(_TRIM)) for text, _ in block[0][1:]):
        return True
    return _header(block[0]) is not None or len(named) > 1


def _cells(line: Line, separator: str) -> tuple[Cells | None, str]:
    text = line.text
    if separator and text.strip() and _RULE.fullmatch(text):
        return [], separator
    if separator in {"", "|"} and len(_CELL.findall(text)) >= (1 if separator else 2):
        return _split(text, line.start, _CELL), "|"
    if separator in {"", "\t"} and "\t" in text.strip():
        return _split(text, line.start, _TABS), "\t"
    for kind, pattern in ((",", _COMMAS), ("  ", _BLANKS)):
        if separator in {"", kind} and pattern.search(text.strip()) and (separator or _is_header(text, pattern)):
            return _split(text, line.start, pattern), kind
    return None, ""


def _is_header(text: str, pattern: re.Pattern[str]) -> bool:
    """Whether a line names columns, one of them the verdict."""
    names = [part.strip(_TRIM) for part in pattern.split(text.strip())]
    roles = [role_of(name) for name in names]
    return (
        len(text) < _LONGEST_HEADER
        and all(name and len(name.split()) <= _WORDS_OF_A_NAME for name in names)
        and Role.VERDICT in roles
        and (len(roles) - roles.count(None) > 1 or any(is_of_ids(name.casefold()) for name in names))
    )


def _split(text: str, start: int, pattern: re.Pattern[str]) -> Cells:
    cells, at = [], 0
    for mark in [*pattern.finditer(text), None]:
        end = mark.start() if mark else len(text)
        cells.append((text[at:end], start + at))
        at = mark.end() if mark else end
    if cells and not cells[0][0].strip(_TRIM):
        cells.pop(0)
    if len(cells) > 1 and not cells[-1][0].strip(_TRIM) and (pattern is not _CELL or text.rstrip().endswith("|")):
        cells.pop()
    return cells


def _table(block: list[Cells], separator: str, prose: Prose, words: Vocabulary, count: int) -> Table | None:
    lines = _upright([cells for cells in block if not all(_RULE.fullmatch(text) for text, _ in cells)])
    if not lines:
        return None
    ticked = _ticked(lines, prose, words)
    if ticked is not None:
        return ticked
    grouped = _grouped(lines, words, count)
    if grouped is not None:
        return grouped
    columns = _header(lines[0])
    if columns is not None and _offers(lines, words):
        return Table([Row(IssueCode.CONFLICTING_VERDICTS, cells[0][0].strip()) for cells in lines], "table")
    body = lines[1:] if columns is not None else lines
    if columns is None:
        columns = _guess(lines, words) if separator == "|" else None
    if columns is None or not body:
        return None
    rows = [_row(cells, columns, prose, words) for cells in body]
    if not any(isinstance(row.reading, Verdict) for row in rows):
        return None
    _mind_rivals(rows, body, lines[0], columns, words)
    if not any(row.id is not None or row.echo or row.echo_index is not None for row in rows):
        _hint(rows, body, lines[0], columns, prose)
    return Table(rows, "csv" if separator == "," else "table")


def _offers(lines: list[Cells], words: Vocabulary) -> bool:
    """Whether a table lists the verdicts one below the other, a mark beside each: what it drops as a head is one."""
    if min(len(cells) for cells in lines) < 2 or any(_names_column(text) for text, _ in lines[0][1:]):  # noqa: PLR2004
        return False
    offered = [cells[0][0].strip(_TRIM) for cells in lines]
    said = [words.word(text) for text in offered]
    return len(said) == len(set(said)) > 1 and all(
        isinstance(word, Verdict) and not is_bare_answer(text) for word, text in zip(said, offered, strict=True)
    )


def _names_column(text: str) -> bool:
    name = text.strip(_TRIM + "?")
    return name in {"#", "№"} or (bool(name) and role_of(name) is not None)


def _upright(lines: list[Cells]) -> list[Cells]:
    """A table whose rows run across, turned: the first cells of its lines are the names."""
    if len(lines) < 2 or len({len(cells) for cells in lines}) != 1 or _header(lines[0]) is not None:  # noqa: PLR2004
        return lines
    if not lines[0][0][0].strip(_TRIM) and all(isinstance(read_id(text.strip(_TRIM)), int) for text, _ in lines[0][1:]):
        lines = [
            [("#", lines[0][0][1]), *lines[0][1:]],
            *lines[1:],
        ]  # numbers under nothing are those of the statements
    names = [(cells[0][0], cells[0][1]) for cells in lines]
    columns = _header(names)
    if columns is None or not columns.keys() & {Role.ID, Role.ECHO} or len(lines) > len(Role):
        return lines
    return [list(column) for column in zip(*lines, strict=True)]


def _ticked(lines: list[Cells], prose: Prose, words: Vocabulary) -> Table | None:
    """A table with a column for each verdict, and one tick in each row; None where it is another."""
    heads = {at: words.word(text.strip(_TRIM)) for at, (text, _) in enumerate(lines[0])}
    ticks = {at: reading for at, reading in heads.items() if isinstance(reading, Verdict)}
    if len(ticks) < 2 or len(set(ticks.values())) != len(ticks) or len(lines) < 2:  # noqa: PLR2004 - a choice of two
        return None
    columns = {Role.ECHO: 0} if 0 not in ticks else {}
    crosses = _crosses(lines[1:], ticks)
    rows = []
    for cells in lines[1:]:
        marked = [at for at in ticks if at < len(cells) and cells[at][0].strip(_TRIM)]
        if any(cells[at][0].strip(_TRIM).casefold() not in _TICKS for at in marked):
            return None
        row = _row(cells, columns, prose, words)
        if len(cells) != len(lines[0]):
            marked = []  # which column a tick stands in is not known
        true = [at for at in marked if cells[at][0].strip(_TRIM) not in crosses]
        denied = bool(marked) and not true and (len(marked) > 1 or ticks[marked[0]] is not Verdict.UNSUPPORTED)
        marked = true or marked
        row.reading = ticks[marked[0]] if len(marked) == 1 and not denied else IssueCode.CONFLICTING_VERDICTS
        row.value = lines[0][marked[0]][0].strip() if marked else None
        if not marked:
            row.reading = IssueCode.MISSING_VERDICT
        rows.append(row)
    return Table(rows, "table")


def _crosses(body: list[Cells], ticks: Mapping[int, Verdict]) -> frozenset[str]:
    """The marks that deny: any cross beside a tick, and a slanted one that stands in one column alone."""
    marks = {(at, cells[at][0].strip(_TRIM)) for cells in body for at in ticks if at < len(cells)}
    if any(mark in _CHECKS for _, mark in marks):
        return _CROSSES
    return _SLANTED if len({at for at, mark in marks if mark in _SLANTED}) == 1 else frozenset()


def _grouped(lines: list[Cells], words: Vocabulary, count: int) -> Table | None:
    """A table that lists the statements of each verdict, beside its word or below it: all of them, each once."""
    pairs = [(cells[0], cells[1]) for cells in lines if len(cells) == 2]  # noqa: PLR2004 - a word and a list
    second = pairs[0][1][0].strip(_TRIM) if pairs else ""
    if len(pairs) != len(lines) or (not second.isdigit() and words.word(second) is not None):
        pairs = []
    if not pairs and len(lines) == 2 and len(lines[0]) == len(lines[1]):  # noqa: PLR2004 - heads, and lists below them
        pairs = list(zip(*lines, strict=True))
    rows: list[Row] = []
    for (head, start), (text, at) in pairs:
        reading = words.word(head.strip(_TRIM))
        numbers = expand(text.strip(_TRIM)) if _LIST.fullmatch(text.strip(_TRIM)) else None
        if numbers is None and not text.strip(_TRIM + "-—–"):
            numbers = []  # none of them
        if reading is None or numbers is None:
            return None
        rows += [Row(reading, head.strip(), id=number, span=(min(start, at), at + len(text))) for number in numbers]
    whole = sorted(row.id for row in rows if isinstance(row.id, int)) == list(range(1, count + 1))
    several = len(rows) != len(pairs)  # one number beside each word is a table of ids
    return Table(rows, "groups", orderly=False) if several and whole and count > 1 else None


_LIST: Final = re.compile(LIST)
_TICKS: Final = frozenset(
    {"x", "\u2713", "\u2714", "\u2705", "\u2611", "\u2612", "\u2717", "\u2718", "+", "*", "\u25cf", "\u2022", "1"}
)
_CHECKS: Final = frozenset("\u2713\u2714\u2705\u2611")
_SLANTED: Final = frozenset("\u2717\u2718")
_CROSSES: Final = _SLANTED | frozenset("xX\u2612")


_ASKS: Final = frozenset({"ok", "okay", "true", "yes/no", "y/n", "pass", "pass/fail", "check"})
"""Headers that ask for a yes or a no."""


def _mind_rivals(rows: list[Row], body: list[Cells], head: Cells, columns: dict[Role, int], words: Vocabulary) -> None:
    """Where another column is named a verdict, too, the two must not disagree."""
    rivals = [
        at
        for at, (text, _) in enumerate(head)
        if at not in columns.values() and _RIVAL.search(text) and not _DRAFT.search(text)
    ]
    for row, cells in zip(rows, body, strict=True):
        said = {words.word(cells[at][0].strip(_TRIM)) for at in rivals if at < len(cells)}
        if isinstance(row.reading, Verdict) and {one for one in said if isinstance(one, Verdict)} - {row.reading}:
            row.reading = IssueCode.CONFLICTING_VERDICTS


_DRAFT: Final = re.compile(r"draft|initial|first|preliminary|tentative", re.IGNORECASE)
_RIVAL: Final = re.compile(r"verdict|judge|judgment|decision|ruling|label", re.IGNORECASE)


def _hint(rows: list[Row], body: list[Cells], head: Cells, columns: dict[Role, int], prose: Prose) -> None:
    """Keep what stands in columns of unknown name: it may say which statement a row is about."""
    for row, cells in zip(rows, body, strict=True):
        for at, (text, start) in enumerate(cells):
            if at in columns.values() or at >= len(head):
                continue
            inside = text.find(ECHO)
            if inside >= 0 and row.echo_index is None:
                row.echo_index = prose.echo_at(start + inside)
            elif is_hint(bare := text.strip(_TRIM)):
                row.hints = (*row.hints, (head[at][0].strip(_TRIM).casefold(), bare))[: MOST_HINTS + 1]


def _header(cells: Cells) -> dict[Role, int] | None:
    """Which column is which, by the words of the first line; None where no column is called a verdict."""
    columns: dict[Role, int] = {}
    for at, (text, _) in enumerate(cells):
        name = text.strip(_TRIM + "?")
        role = role_of(name) if name else None
        if name in {"#", "№"}:
            role = Role.ID
        elif name.casefold() in _ASKS:
            role = Role.WEAK_VERDICT
        if role is not None:
            columns.setdefault(role, at)
    if Role.VERDICT not in columns and Role.WEAK_VERDICT in columns:
        columns[Role.VERDICT] = columns[Role.WEAK_VERDICT]
    return columns if Role.VERDICT in columns else None


def _guess(lines: list[Cells], words: Vocabulary) -> dict[Role, int] | None:
    """Which column is which, by what stands in it: the one column that holds nothing but words of the scale."""
    width = {len(cells) for cells in lines}
    if len(width) != 1 or len(lines) < 2:  # noqa: PLR2004 - one line is no table
        return None
    holds = [
        at
        for at in range(width.pop())
        if all(
            words.word(cells[at][0].strip(_TRIM)) is not None and not cells[at][0].strip(_TRIM).isdigit()
            for cells in lines
        )
    ]
    if len(holds) != 1:
        return None
    columns = {Role.VERDICT: holds[0]}
    for at in range(len(lines[0])):
        ids = [read_id(cells[at][0].strip(_TRIM)) for cells in lines]
        if at != holds[0] and all(isinstance(identity, int) for identity in ids) and len(set(ids)) == len(ids):
            columns.setdefault(Role.ID, at)
    return columns


def _row(cells: Cells, columns: dict[Role, int], prose: Prose, words: Vocabulary) -> Row:
    def cell(role: Role) -> tuple[str, int] | None:
        at = columns.get(role)
        return cells[at] if at is not None and at < len(cells) else None

    verdict, identity, echo, reason = cell(Role.VERDICT), cell(Role.ID), cell(Role.ECHO), cell(Role.REASON)
    span = (cells[0][1], cells[-1][1] + len(cells[-1][0])) if cells else None
    row = Row(IssueCode.MISSING_VERDICT, span=span)
    if verdict is not None:
        row.value = verdict[0].strip()
        row.reading = words.read(row.value)
    if identity is not None:
        row.id = read_id(identity[0].strip(_TRIM))
    if echo is not None:
        text, at = echo
        inside = text.find(ECHO)
        row.echo_index = prose.echo_at(at + inside) if inside >= 0 else None
        number = read_id(text.strip(_TRIM))
        if row.echo_index is None and isinstance(number, int):
            row.id = number if row.id is None else row.id
        elif row.echo_index is None and text.strip(_TRIM):
            row.echo = text.strip(_TRIM)
    if reason is not None and reason[0].strip():
        lead = len(reason[0]) - len(reason[0].lstrip())
        row.reason_span = (reason[1] + lead, reason[1] + len(reason[0].rstrip()))
    return row
