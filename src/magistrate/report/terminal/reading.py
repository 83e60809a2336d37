"""A reading for people: the verdicts, the reply with the places they were read from, and what was done to read it."""

from __future__ import annotations

import json
from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from magistrate.parsing import LabelReading, ObjectReading, ScoreReading, StatementsReading, VerdictReading
from magistrate.report import labels
from magistrate.report.labels import VERDICT_STYLE
from magistrate.report.programs.replies import AnyReading, ReadReply
from magistrate.report.terminal import print_template
from magistrate.report.terminal.source_excerpt import Lines, Mark, excerpt, marked_text
from magistrate.report.text import clip, inert
from magistrate.verdict import ParseStatus, StatementVerdict, Verdict

_ID_WIDTH = 24
_WORD_WIDTH = max(len(verdict.value) for verdict in Verdict)
_REPAIR_STYLE = "bold magenta"


def print_reading(read: ReadReply, console: Console, *, everything: bool = False) -> None:
    """Print a reading."""
    reading = read.reading
    print_template(console, "reading", read=read, reading=reading, words=labels)
    console.print()
    print_template(console, "reading_answer", read=read, reading=reading)
    if isinstance(reading, VerdictReading):
        width = max((len(clip(verdict.id, _ID_WIDTH)) for verdict in reading.verdicts), default=0)
        for verdict in reading.verdicts:
            _print_verdict(verdict, width, console)
    if isinstance(reading, ObjectReading) and reading.value is not None:
        for line in json.dumps(reading.value, indent=2, ensure_ascii=False, default=str).split("\n"):
            console.print(Text(f"  {inert(line)}"), soft_wrap=True)
    console.print(Text("\nThe reply", style="bold"))
    print_marked(read.text, _marks(reading), console, around=None if everything else 2)
    lines = Lines(read.text)
    repairs = [(fix.code, lines.place(fix.offset), excerpt(read.text, fix.offset)) for fix in reading.repairs]
    issues = [issue for issue in reading.issues if issue.index is None]  # those of a statement stand beside it
    print_template(console, "reading_end", repairs=repairs, issues=issues, words=labels)


def _print_verdict(verdict: StatementVerdict, width: int, console: Console) -> None:
    word = verdict.verdict.value if verdict.verdict else "no verdict"
    line = Text(f"  {clip(verdict.id, _ID_WIDTH):<{width}}  ")
    line.append(f"{word:<{_WORD_WIDTH}}", style=VERDICT_STYLE[verdict.verdict])
    console.print(line.append(f"  {clip(verdict.statement, 300)}"), soft_wrap=True)
    print_template(console, "reading_verdict", verdict=verdict, words=labels)


def print_marked(
    text: str, marks: Sequence[Mark], console: Console, *, around: int | None = 2, indent: int = 2
) -> None:
    """Print a text with its marks."""
    if not text:
        console.print(Text(" " * indent + "(empty)", style="dim"))
    for line in marked_text(text, marks, width=console.width - indent, around=around) if text else ():
        shown = Text(" " * indent)
        shown.append_text(line).rstrip()
        console.print(shown, no_wrap=True, overflow="ignore", crop=False)


def verdict_mark(verdict: StatementVerdict, span: tuple[int, int]) -> Mark:
    """Mark the place that a verdict was read from."""
    word = verdict.verdict.value if verdict.verdict else "no verdict"
    return Mark(*span, f"{clip(verdict.id, _ID_WIDTH)} {word}", VERDICT_STYLE[verdict.verdict])


def _marks(reading: AnyReading) -> list[Mark]:
    """What to mark in a reply: where each part of the answer stands, and each repair."""
    marks = [Mark(repair.offset, repair.offset, f"repair: {repair.code}", _REPAIR_STYLE) for repair in reading.repairs]
    style = "green" if reading.status is ParseStatus.OK else "yellow"
    match reading:
        case VerdictReading():
            marks += [verdict_mark(verdict, verdict.span) for verdict in reading.verdicts if verdict.span is not None]
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
