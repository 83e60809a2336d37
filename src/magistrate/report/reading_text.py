"""A reading for people: the verdicts, the reply with the places they were read from, and what was done to read it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from magistrate.parsing import LabelReading, ObjectReading, ScoreReading, StatementsReading, VerdictReading
from magistrate.report.console import print_indented
from magistrate.report.marks import Lines, Mark, excerpt, marked_text
from magistrate.report.reading_json import AnyReading, ReadReply
from magistrate.report.terminal import VERDICT_STYLE
from magistrate.report.text import clip, inert
from magistrate.verdict import Issue, ParseStatus, StatementVerdict, Verdict

__all__ = ["marks_of", "print_marked", "print_reading"]

_LONGEST = 300
_MOST_ISSUES = 20
_MOST_REPAIRS = 40
_WORD_WIDTH = max(len(verdict.value) for verdict in Verdict)
_REPAIR_STYLE = "bold magenta"
_NO_VERDICT_STYLE = "yellow"
_Indented = tuple[Text, int]
"""A line, and the columns to indent it by."""


def print_reading(read: ReadReply, console: Console, *, everything: bool = False) -> None:
    """Print a reading.

    Args:
        read: The reply and its reading.
        console: Where to.
        everything: Whether to print all of the reply, also where there is nothing to mark.
    """
    print_indented(console, _headline(read), 0)
    console.print()
    for line, indent in _answer_lines(read.reading):
        print_indented(console, line, indent)
    console.print(Text("\nThe reply", style="bold"))
    print_marked(read.text, marks_of(read.reading), console, around=None if everything else 2)
    _print_repairs(read, console)
    _print_issues(read.reading.issues, console)


def print_marked(
    text: str, marks: Sequence[Mark], console: Console, *, around: int | None = 2, indent: int = 2
) -> None:
    """Print a text with its marks."""
    if not text:
        console.print(Text(" " * indent + "(empty)", style="dim"))
        return
    for line in marked_text(text, marks, width=console.width - indent, around=around):
        shown = Text(" " * indent)
        shown.append_text(line).rstrip()
        console.print(shown, no_wrap=True, overflow="ignore", crop=False)


def marks_of(reading: AnyReading) -> list[Mark]:
    """What to mark in a reply: where each part of the answer stands, and each repair."""
    marks = [Mark(repair.offset, repair.offset, f"repair: {repair.code}", _REPAIR_STYLE) for repair in reading.repairs]
    match reading:
        case VerdictReading():
            marks += [_verdict_mark(verdict) for verdict in reading.verdicts if verdict.span is not None]
        case ScoreReading() if reading.span is not None:
            label = "score" if reading.value is None else f"score {reading.value:g}"
            marks.append(Mark(*reading.span, label, _style(reading.status)))
        case LabelReading() if reading.span is not None:
            marks.append(Mark(*reading.span, f"label {clip(reading.label or '', 40)}", _style(reading.status)))
        case StatementsReading():
            spans = enumerate(reading.spans, 1)
            marks += [Mark(*span, f"s{number}", "cyan") for number, span in spans if span is not None]
        case _:
            pass
    return marks


def _verdict_mark(verdict: StatementVerdict) -> Mark:
    assert verdict.span is not None  # noqa: S101 - the caller has seen to it
    word, style = "no verdict", _NO_VERDICT_STYLE
    if verdict.verdict is not None:
        word, style = verdict.verdict.value, VERDICT_STYLE[verdict.verdict]
    return Mark(*verdict.span, f"{clip(verdict.id, 24)} {word}", style)


def _style(status: ParseStatus) -> str:
    return "green" if status is ParseStatus.OK else _NO_VERDICT_STYLE


def _headline(read: ReadReply) -> Text:
    reading = read.reading
    line = Text(reading.status.value, style="bold green" if read.complete else "bold yellow")
    match reading:
        case VerdictReading():
            known = len(reading.verdicts) - len(reading.missing)
            line.append(f": {known} of {len(reading.verdicts)} statements have a verdict", style="default")
            if reading.extra:
                line.append(f", {len(reading.extra)} verdicts beyond them", style="default")
        case StatementsReading():
            line.append(f": {len(reading.statements)} statements", style="default")
        case _:
            line.append("" if read.complete else ": nothing that is safe to use", style="default")
    notes = [reading.format] if reading.format else []
    if reading.repairs:
        notes.append(f"{len(reading.repairs)} {'repair' if len(reading.repairs) == 1 else 'repairs'}")
    if notes:
        line.append(f" ({', '.join(notes)})", style="default")
    return line


def _answer_lines(reading: AnyReading) -> Iterator[_Indented]:
    match reading:
        case VerdictReading():
            width = max((len(clip(verdict.id, 24)) for verdict in reading.verdicts), default=0)
            for verdict in reading.verdicts:
                yield from _verdict_lines(verdict, width)
        case ScoreReading():
            yield Text(f"score  {'none' if reading.value is None else format(reading.value, '.12g')}"), 2
            yield from _reason(reading.reason, 2)
        case LabelReading():
            yield Text(f"label  {'none' if reading.label is None else clip(reading.label, _LONGEST)}"), 2
            yield from _reason(reading.reason, 2)
        case StatementsReading():
            for number, text in enumerate(reading.statements, 1):
                yield Text(f"s{number}  {clip(text, _LONGEST)}"), 2
        case ObjectReading():
            yield from _object_lines(reading)


def _verdict_lines(verdict: StatementVerdict, width: int) -> Iterator[_Indented]:
    line = Text(f"{clip(verdict.id, 24):<{width}}  ")
    if verdict.verdict is None:
        line.append(f"{'no verdict':<{_WORD_WIDTH}}", style=_NO_VERDICT_STYLE)
    else:
        line.append(f"{verdict.verdict.value:<{_WORD_WIDTH}}", style=VERDICT_STYLE[verdict.verdict])
    line.append(f"  {clip(verdict.statement, _LONGEST)}")
    line.rstrip()
    yield line, 2
    yield from _reason(verdict.reason, width + 4)
    for quote in verdict.evidence:
        where = f"context {quote.context}" if quote.context is not None else "not found word for word"
        yield Text(f'quote: "{clip(quote.quote, _LONGEST)}" ({where})', style="dim"), width + 4
    for issue in verdict.issues:
        yield Text(_issue_text(issue), style=_NO_VERDICT_STYLE), width + 4


def _reason(reason: str | None, indent: int) -> Iterator[_Indented]:
    if reason:
        yield Text(f"reason: {clip(reason, _LONGEST)}", style="dim"), indent


def _object_lines(reading: ObjectReading[Any]) -> Iterator[_Indented]:
    if reading.value is not None:
        for line in json.dumps(reading.value, indent=2, ensure_ascii=False, default=str).split("\n"):
            yield Text(inert(line)), 2
    for error in reading.errors:
        yield Text(clip(error, _LONGEST), style=_NO_VERDICT_STYLE), 2


def _print_repairs(read: ReadReply, console: Console) -> None:
    repairs = read.reading.repairs
    if not repairs:
        return
    lines = Lines(read.text)
    console.print(Text("\nRepairs", style="bold"))
    width = max(len(repair.code) for repair in repairs[:_MOST_REPAIRS])
    for repair in repairs[:_MOST_REPAIRS]:
        line, column = lines.place(repair.offset)
        place = f"{line}:{column}"
        found = Text.assemble((f"{repair.code:<{width}}", _REPAIR_STYLE), f"  {place:<7}")
        found.append(f"  {excerpt(read.text, repair.offset)}", style="dim")
        print_indented(console, found, 2)
    if len(repairs) > _MOST_REPAIRS:
        console.print(f"  and {len(repairs) - _MOST_REPAIRS} more")


def _print_issues(issues: Sequence[Issue], console: Console) -> None:
    """Print the issues of the reply as a whole; those of a statement stand beside it."""
    whole = [issue for issue in issues if issue.index is None]
    if not whole:
        return
    console.print(Text("\nIssues", style="bold"))
    for issue in whole[:_MOST_ISSUES]:
        print_indented(console, Text(_issue_text(issue)), 2)
    if len(whole) > _MOST_ISSUES:
        console.print(f"  and {len(whole) - _MOST_ISSUES} more")


def _issue_text(issue: Issue) -> str:
    return f"{issue.code.value}: {clip(issue.message, _LONGEST)}" if issue.message else issue.code.value
