"""An audit for people: how many recorded scores stand, the means before and after, and the worst with their replies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from rich.console import Console
from rich.text import Text

from magistrate.audit import AuditSummary, Finding, Standing
from magistrate.report.terminal import print_template
from magistrate.report.terminal.reading import print_marked, verdict_mark
from magistrate.report.terminal.source_excerpt import Mark
from magistrate.report.text import clip
from magistrate.verdict import StatementVerdict

_REASONS_SHOWN = 6
_MARKS_SHOWN = 100
_NEARLY = 0.9
_STYLES = {"stands": "green", "wrong": "red", "undecided": "yellow"}


def print_audit(summary: AuditSummary, task: Mapping[str, Any], console: Console) -> None:
    """Print what an audit adds up to."""
    print_template(
        console,
        "audit",
        summary=summary,
        about=_about(task),
        standings=list(_standings(summary)),
        value=_value,
        hints=list(_hints(summary, task)),
    )
    for number, finding in enumerate(summary.worst, 1):
        print_template(
            console, "finding", number=number, finding=finding, value=partial(_value, digits=_digits(finding))
        )
        if finding.reply is not None:
            marks = _marks(finding)
            print_marked(finding.reply, marks[:_MARKS_SHOWN], console, around=1, indent=3)
            if len(marks) > _MARKS_SHOWN:
                console.print(Text(f"   and {len(marks) - _MARKS_SHOWN:,} more verdicts"))


def _about(task: Mapping[str, Any]) -> str:
    match task.get("task"):
        case "score":
            low, high = task["range"]
            return f"scores from {low:g} to {high:g}"
        case "label":
            return clip("labels " + ", ".join(task["choices"]), 120)
        case _:
            return f"verdicts on the {clip(str(task.get('scale')), 40)} scale, policy {task.get('policy')}"


def _standings(summary: AuditSummary) -> Iterator[tuple[str, str, str]]:
    """Style, figures and meaning of each kind of recorded score."""
    counts = summary.standings
    impossible = counts[Standing.IMPOSSIBLE]
    partly = f" ({impossible:,} of them as far as it can be read)" if impossible else ""
    rows = [
        ("stands", counts[Standing.STANDS], "the reply says what was recorded"),
        ("wrong", summary.wrong, f"the reply says something else{partly}"),
        ("undecided", counts[Standing.UNDECIDED], f"the reply does not decide it{_reasons(summary)}"),
    ]
    unrecorded, unusable = counts[Standing.UNRECORDED], counts[Standing.UNUSABLE]
    if unrecorded:
        rows.append(("no score", unrecorded, f"none was recorded; {summary.recovered:,} of the replies can be read"))
    if unusable:
        rows.append(("unusable", unusable, "the row does not hold what is needed"))
    width = max(len(f"{count:,}") for _, count, _ in rows)
    for name, count, meaning in rows:
        share = count / summary.total if summary.total else 0.0
        style = _STYLES.get(name, "default") if count else "dim"
        yield style, f"{name:<10}{count:>{width},} {share:>7.1%}", meaning


def _hints(summary: AuditSummary, task: Mapping[str, Any]) -> Iterator[str]:
    """What may be meant otherwise, and the option that says so."""
    if summary.reasons.get("no-statements"):
        yield "Where a reply names no statements, --statements FIELD says which the judge was asked about."
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
        yield "Recorded were {:g} to {:g}: if replies give such numbers, say --range {:g} {:g}".format(*span, *span)
        if not task.get("range"):
            yield "If they are percentages, divide them by 100 first: a score of verdicts is within 0 to 1."
    for value in sorted((below | above) - several):
        yield f"No reply can be scored {value:g}: if it marks a score that is missing, say --missing {value:g}"


def _reasons(summary: AuditSummary) -> str:
    shown = [f"{count:,} {clip(reason, 40)}" for reason, count in summary.reasons.most_common(_REASONS_SHOWN)]
    more = len(summary.reasons) - len(shown)
    listed = ", ".join([*shown, f"{more} other reasons"] if more > 0 else shown)
    return f": {listed}" if listed else ""


def _value(value: float | str | None, digits: int = 4) -> str:
    """A recorded value in a few characters."""
    return "none" if value is None else clip(value, 60) if isinstance(value, str) else f"{value:.{digits}g}"


def _digits(finding: Finding) -> int:
    """More where what was recorded would look like what was read."""
    others = {finding.read, *(finding.bounds or ())} - {finding.recorded}
    return 9 if _value(finding.recorded) in map(_value, others) else 4


def _marks(finding: Finding) -> list[Mark]:
    """What to mark in the reply: of very many verdicts first those that were recorded otherwise."""
    marks = [verdict_mark(verdict, verdict.span) for verdict in _ordered(finding) if verdict.verdict and verdict.span]
    reading = finding.reading
    if reading is not None and reading.span is not None and finding.read is not None:
        marks.append(Mark(*reading.span, _value(finding.read), "green"))
    return marks


def _ordered(finding: Finding) -> Sequence[StatementVerdict]:
    if len(finding.verdicts) <= _MARKS_SHOWN:
        return finding.verdicts
    wrong = set(finding.wrong)
    return sorted(finding.verdicts, key=lambda verdict: verdict.index not in wrong)
