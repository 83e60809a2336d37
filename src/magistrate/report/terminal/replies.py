"""Replies for people: how one was read and where its verdicts stand; what an audit of many adds up to.

A reply is shown with marks under it: its lines begin with a number or ":", those of marks with neither: it draws none.
"""

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any, Final, NamedTuple

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from magistrate.audit import AuditSummary, Standing
from magistrate.evaluation.files import write_text
from magistrate.parsing import LabelReading, ObjectReading, ScoreReading, StatementsReading, VerdictReading
from magistrate.report.phrasing import VERDICT_STYLE, words_of
from magistrate.report.programs.replies import AnyReading, Lines, ReadReply, audit_dict, excerpt
from magistrate.report.rendering import render
from magistrate.report.terminal import make_console, print_template
from magistrate.report.text import clip, inert
from magistrate.verdict import ParseStatus, StatementVerdict, Verdict

_ID_WIDTH = 24
_WORD_WIDTH = max(len(verdict.value) for verdict in Verdict)
_REPAIR_STYLE = "bold magenta"
_MARKS_SHOWN = 100
_NEARLY = 0.9
_PAGE_WIDTH = 110
_PAGE_STYLE = "body { margin: 2em; background: #fff } pre { overflow-x: auto }"
_READABLE = {"#808000": "#8a6100", "#7f7f7f": "#57606a"}
"""Colours of the terminal that are too light on white (WCAG AA) -> darker ones."""
_PLAIN: Final = re.compile(r"[ -~]*")
_TAB: Final = 4
_NARROWEST: Final = 16
_UNMARKED: Final = 12
"""Lines to show of a text without marks."""


class Mark(NamedTuple):
    """A part of a text and what is to be said of it."""

    start: int
    end: int
    label: str
    style: str = "bold"


def marked_text(text: str, marks: Sequence[Mark], *, width: int, around: int | None = 2) -> Iterator[Text]:
    """Yield the lines of a text, each with the marks that begin on it below; all, or those near an end of a mark."""
    lines = Lines(text)
    ordered = sorted(marks, key=lambda mark: (mark.start, mark.end))
    if len(lines) > 1 and lines.starts[-1] == len(text) and not (ordered and ordered[-1].start == len(text)):
        lines.starts.pop(), lines.ends.pop()  # what follows the last line break is nothing
    yield from _Page(text, lines, ordered, width, around).shown()


def _kept(total: int, near: set[int], around: int | None) -> Iterator[tuple[int, int | None]]:
    """Which of so many to show, each with how many are left out before it; last how many are behind."""
    kept = set(range(total if around is None or total <= _UNMARKED else _UNMARKED))
    if around is not None and total > _UNMARKED and near:
        kept = {at for one in near for at in range(one - around, one + around + 1) if 0 <= at < total}
        kept.update(at + 1 for at in list(kept) if at + 2 in kept or at + 2 == total)  # a gap of one is no gain
    last = -1
    for at in sorted(kept):
        yield at - last - 1, at
        last = at
    yield total - last - 1, None


class _Piece(NamedTuple):
    """As much of a line as fits beside its number."""

    start: int
    end: int
    shown: str
    cells: Sequence[int]
    indices: Sequence[int]

    def local(self, offset: int) -> int:
        """A place in the text as a place in the piece."""
        return min(max(offset, self.start), self.end) - self.start


class _Page:
    def __init__(self, text: str, lines: Lines, marks: Sequence[Mark], width: int, around: int | None) -> None:
        self.text, self.lines, self.marks, self.around = text, lines, marks, around
        self.starts = [mark.start for mark in marks]
        self.places = sorted(place for mark in marks for place in (mark.start, max(mark.start, mark.end - 1)))
        self.longest = max((mark.end - mark.start for mark in marks), default=0)
        self.gutter = len(str(len(lines)))
        self.room = max(_NARROWEST, width - self.gutter - 3)

    def shown(self) -> Iterator[Text]:
        for left_out, number in _kept(len(self.lines), set(map(self.lines.number, self.places)), self.around):
            yield from self._note(left_out, "line")
            if number is not None:
                yield from self._line(number)

    def _note(self, count: int, what: str) -> Iterator[Text]:
        if count:
            yield Text(f"{'':{self.gutter}}   ({count:,} {what}{'' if count == 1 else 's'} left out)", style="dim")

    def _line(self, number: int) -> Iterator[Text]:
        """Draw a line and the marks that begin on it; of a long one the pieces near an end of a mark."""
        start = self.lines.starts[number]
        pieces = list(self._pieces(start, self.lines.ends[number]))
        begins = [piece.start for piece in pieces]
        stop = self.lines.starts[number + 1] if number + 1 < len(self.lines) else len(self.text) + 1
        places = self.places[bisect_left(self.places, start) : bisect_left(self.places, stop)]
        near = {bisect_right(begins, place) - 1 for place in places}
        for left_out, at in _kept(len(pieces), near, self.around):
            yield from self._note(left_out, "piece")
            if at is None:
                continue
            gutter = f"{'':{self.gutter}} : " if at else f"{number + 1:>{self.gutter}} | "
            yield Text.assemble((gutter, "dim"), self._styled(pieces[at]))
            beyond = stop if at + 1 == len(pieces) else pieces[at].end
            for mark in self.marks[bisect_left(self.starts, pieces[at].start) : bisect_left(self.starts, beyond)]:
                yield self._pointer(pieces[at], mark)

    def _pieces(self, start: int, end: int) -> Iterator[_Piece]:
        if _PLAIN.fullmatch(self.text, start, end):
            for low in range(start, max(end, start + 1), self.room):
                high = min(end, low + self.room)
                yield _Piece(low, high, self.text[low:high], range(high - low + 1), range(high - low + 1))
            return
        shown, cells, indices = "", [0], [0]
        for at in range(start, end):
            char = self.text[at]
            more = " " * (_TAB - cells[-1] % _TAB) if char == "\t" else inert(char)
            if cells[-1] + cell_len(more) > self.room and len(cells) > 1:
                yield _Piece(start, at, shown, cells, indices)
                start, shown, cells, indices = at, "", [0], [0]
            shown += more
            cells.append(cells[-1] + cell_len(more))
            indices.append(len(shown))
        yield _Piece(start, end, shown, cells, indices)

    def _styled(self, piece: _Piece) -> Text:
        body = Text(piece.shown)
        low, high = bisect_left(self.starts, piece.start - self.longest), bisect_left(self.starts, piece.end)
        for mark in self.marks[low:high]:
            if mark.end > piece.start:
                body.stylize(mark.style, piece.indices[piece.local(mark.start)], piece.indices[piece.local(mark.end)])
        return body

    def _pointer(self, piece: _Piece, mark: Mark) -> Text:
        column = piece.cells[piece.local(mark.start)]
        length = max(1, piece.cells[piece.local(mark.end)] - column)
        beyond = " (to {}:{})".format(*self.lines.place(mark.end - 1)) if mark.end - 1 > piece.end else ""
        label = f"{mark.label}{beyond}"
        if column + length + 1 + len(label) <= self.room or column < len(label) + 1:
            length = max(1, min(length, self.room - column - 1 - len(label)))
            blanks, arrow, words = " " * column, "^" * length, f" {label}"
        else:  # no room to the right of it
            blanks, arrow, words = " " * (column - len(label) - 1) + f"{label} ", "^" * length, ""
        return Text.assemble((f"{'':{self.gutter}} | ", "dim"), (f"{blanks}{arrow}{words}", mark.style))


def print_reading(read: ReadReply, console: Console, *, everything: bool = False) -> None:
    """Print a reading."""
    reading = read.reading
    print_template(console, "reading", read=read, reading=reading)
    console.print()
    print_template(console, "reading_answer", read=read, reading=reading)
    if isinstance(reading, VerdictReading):
        width = max((len(clip(verdict.id, _ID_WIDTH)) for verdict in reading.verdicts), default=0)
        for verdict in reading.verdicts:
            shown = Text(f"  {clip(verdict.id, _ID_WIDTH):<{width}}  ")
            shown.append(f"{words_of(verdict.verdict, '_'):<{_WORD_WIDTH}}", style=VERDICT_STYLE[verdict.verdict])
            console.print(shown.append(f"  {clip(verdict.statement, 300)}"), soft_wrap=True)
            print_template(console, "reading_verdict", verdict=verdict)
    if isinstance(reading, ObjectReading) and reading.value is not None:
        for line in json.dumps(reading.value, indent=2, ensure_ascii=False, default=str).split("\n"):
            console.print(Text(f"  {inert(line)}"), soft_wrap=True)
    console.print(Text("\nThe reply", style="bold"))
    _print_marked(read.text, _marks(reading), console, around=None if everything else 2)
    lines = Lines(read.text)
    repairs = [(fix.code, lines.place(fix.offset), excerpt(read.text, fix.offset)) for fix in reading.repairs]
    issues = [issue for issue in reading.issues if issue.index is None]  # those of a statement stand beside it
    print_template(console, "reading_end", repairs=repairs, issues=issues)


def _print_marked(
    text: str, marks: Sequence[Mark], console: Console, *, around: int | None = 2, indent: int = 2
) -> None:
    if not text:
        console.print(Text(" " * indent + "(empty)", style="dim"))
    for line in marked_text(text, marks, width=console.width - indent, around=around) if text else ():
        shown = Text(" " * indent)
        shown.append_text(line).rstrip()
        console.print(shown, no_wrap=True, overflow="ignore", crop=False)


def _verdict_marks(verdicts: Iterable[StatementVerdict]) -> list[Mark]:
    return [
        Mark(*one.span, f"{clip(one.id, _ID_WIDTH)} {words_of(one.verdict, '_')}", VERDICT_STYLE[one.verdict])
        for one in verdicts
        if one.span is not None
    ]


def _marks(reading: AnyReading) -> list[Mark]:
    """What to mark in a reply: where each part of the answer stands, and each repair."""
    marks = [Mark(repair.offset, repair.offset, f"repair: {repair.code}", _REPAIR_STYLE) for repair in reading.repairs]
    style = "green" if reading.status is ParseStatus.OK else "yellow"
    match reading:
        case VerdictReading():
            marks += _verdict_marks(reading.verdicts)
        case ScoreReading() if reading.span is not None:
            label = "score" if reading.value is None else f"score {reading.value:g}"
            marks.append(Mark(*reading.span, label, style))
        case LabelReading() if reading.span is not None:
            marks.append(Mark(*reading.span, f"label {clip(reading.label or '', 40)}", style))
        case StatementsReading():
            spans = enumerate(reading.spans, 1)
            marks += [Mark(*span, f"s{number}", "cyan") for number, span in spans if span is not None]
        case _:
            pass
    return marks


def print_audit(summary: AuditSummary, task: Mapping[str, Any], console: Console) -> None:
    """Print what an audit adds up to."""
    print_template(console, "audit", summary=summary, task=task, value=_value, hints=list(_hints(summary, task)))
    for number, finding in enumerate(summary.worst, 1):
        # More digits where what was recorded would look like what was read.
        others = {finding.read, *(finding.bounds or ())} - {finding.recorded}
        value = partial(_value, digits=9 if _value(finding.recorded) in map(_value, others) else 4)
        print_template(console, "finding", number=number, finding=finding, value=value)
        if finding.reply is not None:
            wrong = set(finding.wrong)  # of very many verdicts first those that were recorded otherwise
            verdicts = [one for one in finding.verdicts if one.verdict]
            if len(finding.verdicts) > _MARKS_SHOWN:
                verdicts.sort(key=lambda one: one.index not in wrong)
            marks = _verdict_marks(verdicts)
            span = getattr(finding.reading, "span", None)
            if span is not None and finding.read is not None:
                marks.append(Mark(span[0], span[1], _value(finding.read), "green"))
            _print_marked(finding.reply, marks[:_MARKS_SHOWN], console, around=1, indent=3)
            if len(marks) > _MARKS_SHOWN:
                console.print(Text(f"   and {len(marks) - _MARKS_SHOWN:,} more verdicts"))


def write_audit(summary: AuditSummary, task: Mapping[str, Any], path: Path) -> None:
    """Write what an audit adds up to: as it is printed (.html, .md), or for programs (.json)."""
    console = make_console(StringIO(), record=True, width=_PAGE_WIDTH)
    console.print(Text(f"Audit of {clip(', '.join(summary.sources), 300)}\n", style="bold"))
    print_audit(summary, task, console)
    if path.suffix == ".json":
        text = json.dumps(audit_dict(summary, task), indent=2, allow_nan=False)
    elif path.suffix == ".md":
        text = f"~~~~~~~~text\n{console.export_text()}~~~~~~~~\n"
    else:
        style, _, code = console.export_html(code_format="{stylesheet}\0{code}").partition("\0")
        style = re.sub("|".join(_READABLE), lambda found: _READABLE[found[0]], style)
        body = f"<pre>{code}</pre>\n</body>\n</html>\n"
        text = render("page.html", title="Audit", style=_PAGE_STYLE + style, script="", further="", body=body)
    write_text(path, text)


def _field_hints(summary: AuditSummary) -> Iterator[str]:
    """What the fields that were named leave open."""
    for name in (name for name, rows in summary.lacking.items() if rows == summary.total - summary.unusable.total()):
        yield f"No row has the field {clip(name, 60)!r}."
    yield from (clip(note, 300) for note in summary.notes)
    if summary.reasons["unknown-statement"] > summary.total / 2:
        yield "Most replies judge other statements than the row has: is the field of --statements the right one?"
    elif summary.judged and not summary.read.count and not summary.labels:
        yield "No reply could be read: is the field of --reply the one with the judge's own words?"


def _hints(summary: AuditSummary, task: Mapping[str, Any]) -> Iterator[str]:
    """What may be meant otherwise, and the option that says so."""
    yield from _field_hints(summary)
    if summary.rounded:
        yield f"Of the wrong, {summary.rounded:,} are the score read, but rounded: if all were, say --tolerance 0.005"
    low, high = (not task.get("normalized") and task.get("range")) or (0.0, 1.0)
    if task.get("range") and summary.divided and summary.divided >= _NEARLY * summary.standings[Standing.WRONG]:
        top = f"{task['range'][1]:g}"
        yield f"Nearly all of the wrong are the number divided by {top}: then say --range 0 {top} --normalized"
        return
    below, above = ({one for one in summary.scores if one < low}, {one for one in summary.scores if one > high})
    several = {one for side in (below, above) if len(side) > 1 for one in side}
    ends = several | {one for one in summary.scores if low <= one <= high}
    if several and task.get("normalized"):
        yield f"A score of {max(several, key=abs):g} was not brought to 0 to 1: leave --normalized out."
    elif several and task.get("range") and all(0 <= one <= 1 for one in ends):
        yield "All recorded scores are within 0 to 1: if they were brought there, say --normalized."
    elif several:
        span = min(ends), max(ends)
        yield "Recorded were {:g} to {:g}: if the judge was asked for those, say --range {:g} {:g}".format(*span, *span)
        if not task.get("range"):
            yield "If they are percentages, divide them by 100 first: a score of verdicts is within 0 to 1."
    for value in sorted((below | above) - several):
        yield f"No reply can be scored {value:g}: if it marks a score that is missing, say --missing {value:g}"


def _value(value: float | str | None, digits: int = 4) -> str:
    return "none" if value is None else clip(value, 60) if isinstance(value, str) else f"{value:.{digits}g}"
