"""An audit for people: how many recorded scores stand, the means before and after, and the worst with their replies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from magistrate.audit import AuditSummary, Finding, Mean, Standing
from magistrate.report.console import print_indented
from magistrate.report.marks import Mark
from magistrate.report.reading_text import print_marked
from magistrate.report.terminal import VERDICT_STYLE
from magistrate.report.text import clip
from magistrate.verdict import StatementVerdict

__all__ = ["print_audit"]

_REASONS_SHOWN = 6
_LABELS_SHOWN = 12
_UNUSABLE_SHOWN = 4
_STATEMENTS_SHOWN = 8
_MARKS_SHOWN = 100
_STYLES = {"stands": "green", "wrong": "red", "undecided": "yellow"}


def print_audit(summary: AuditSummary, task: Mapping[str, Any], console: Console) -> None:
    """Print what an audit adds up to.

    Args:
        summary: What it adds up to.
        task: What the replies were read for, as the task describes it.
        console: Where to.
    """
    files = len(summary.sources)
    head = Text.assemble((f"{summary.total:,} {_plural(summary.total, 'reply', 'replies')}", "bold"))
    head.append(f" in {files} {_plural(files, 'file', 'files')}").append(f" ({_about(task)})")
    print_indented(console, head, 0)
    console.print()
    for line in (*_standings(summary), *_means(summary)):
        print_indented(console, line, 0)
    _print_unusable(summary, console)
    worst = summary.worst
    if worst:
        title = "The one that is wrong" if summary.wrong == 1 else f"The worst {len(worst)} of {summary.wrong:,} wrong"
        console.print(Text(f"\n{title}", style="bold"))
        for number, finding in enumerate(worst, 1):
            _print_finding(number, finding, console)


def _plural(count: int, one: str, many: str) -> str:
    return one if count == 1 else many


def _about(task: Mapping[str, Any]) -> str:
    match task.get("task"):
        case "score":
            low, high = task["range"]
            return f"scores from {low:g} to {high:g}"
        case "label":
            return clip("labels " + ", ".join(task["choices"]), 120)
        case _:
            return f"verdicts on the {clip(str(task.get('scale')), 40)} scale, policy {task.get('policy')}"


def _standings(summary: AuditSummary) -> Iterator[Text]:
    counts = summary.standings
    impossible = counts[Standing.IMPOSSIBLE]
    rows = [
        ("stands", counts[Standing.STANDS], "the reply says what was recorded"),
        ("wrong", summary.wrong, "the reply says something else" + _some(impossible, "as far as it can be read")),
        ("undecided", counts[Standing.UNDECIDED], "the reply does not decide it" + _listed(summary.reasons)),
    ]
    unrecorded, unusable = counts[Standing.UNRECORDED], counts[Standing.UNUSABLE]
    if unrecorded:
        rows.append(("no score", unrecorded, f"none was recorded; {summary.recovered:,} of the replies can be read"))
    if unusable:
        rows.append(("unusable", unusable, "the row does not hold what is needed"))
    width = max(len(f"{count:,}") for _, count, _ in rows)
    for name, count, told in rows:
        share = count / summary.total if summary.total else 0.0
        line = Text(f"  {name:<10}")
        line.append(f"{count:>{width},} {share:>7.1%}", style=_STYLES.get(name, "default") if count else "dim")
        yield line.append(f"  {told}", style="default" if count else "dim")
    if summary.reproduced:
        yield Text(
            f"\n  {summary.reproduced:,} of the undecided have just the score that the policy gives a reply "
            "that it cannot read"
        )


def _some(count: int, told: str) -> str:
    return f" ({count:,} of them {told})" if count else ""


def _listed(reasons: Counter[str]) -> str:
    if not reasons:
        return ""
    shown = [f"{count:,} {clip(reason, 40)}" for reason, count in reasons.most_common(_REASONS_SHOWN)]
    more = len(reasons) - len(shown)
    return ": " + ", ".join([*shown, f"{more} other reasons"] if more > 0 else shown)


def _means(summary: AuditSummary) -> Iterator[Text]:
    if summary.recorded.count or summary.read.count:
        yield Text()
        yield Text(f"  mean recorded  {_number(summary.recorded)}")
        yield Text(f"  mean as read   {_number(summary.read)}").append(_compared(summary))
        low, high = summary.lowest.value, summary.highest.value
        if low is not None and high is not None and high - low > 1e-12:  # noqa: PLR2004 - sums are not exact
            yield Text(f"  possible       {low:.4g} to {high:.4g}, whatever the undecided replies mean")
    if summary.labels:
        yield Text()
        width = max(len(clip(label, 30)) for label in summary.labels)
        yield Text(f"  {'label':<{max(width, 5)}}  {'recorded':>9}  {'read':>9}", style="dim")
        ordered = sorted(summary.labels.items(), key=lambda one: (-one[1][0], one[0]))
        for label, (recorded, read) in ordered[:_LABELS_SHOWN]:
            yield Text(f"  {clip(label, 30):<{max(width, 5)}}  {recorded:>9,}  {read:>9,}")


def _number(mean: Mean) -> str:
    return "none" if mean.value is None else f"{mean.value:.4g} over {mean.count:,}"


def _compared(summary: AuditSummary) -> str:
    """What was recorded for the very replies that were read: else two means over different replies are compared."""
    before, after = summary.both.value, summary.reread.value
    if before is None or after is None or summary.both.count == summary.recorded.count == summary.read.count:
        return ""
    return f"; where both are known {before:.4g} was recorded and {after:.4g} read, over {summary.both.count:,}"


def _print_unusable(summary: AuditSummary, console: Console) -> None:
    if not summary.unusable:
        return
    console.print(Text("\nUnusable", style="bold"))
    for why, count in summary.unusable.most_common(_UNUSABLE_SHOWN):
        place = clip(str(summary.first[why]), 200)
        print_indented(console, Text(f"{count:,} x {clip(why, 200)} ({'first ' if count > 1 else ''}{place})"), 2)
    if len(summary.unusable) > _UNUSABLE_SHOWN:
        console.print(f"  and {len(summary.unusable) - _UNUSABLE_SHOWN} other reasons")


def _print_finding(number: int, finding: Finding, console: Console) -> None:
    console.print(Text(f"\n{number}. {clip(str(finding.place), 200)}", style="bold"), soft_wrap=True)
    print_indented(console, Text(_said(finding)), 3)
    for line in _statement_lines(finding):
        print_indented(console, line, 3)
    if finding.reply is not None:
        marks = _marks(finding)
        print_marked(finding.reply, marks[:_MARKS_SHOWN], console, around=1, indent=3)
        if len(marks) > _MARKS_SHOWN:
            console.print(Text(f"   and {len(marks) - _MARKS_SHOWN:,} more verdicts"))


def _said(finding: Finding) -> str:
    recorded = "none" if finding.recorded is None else _value(finding.recorded)
    if finding.read is not None:
        return f"recorded {recorded}, the reply says {_value(finding.read)}"
    if finding.bounds is not None:
        low, high = finding.bounds
        return f"recorded {recorded}, the reply allows {low:.4g} to {high:.4g} ({finding.status})"
    return f"recorded {recorded}, the reply does not allow it ({finding.status})"


def _value(value: float | str) -> str:
    return clip(value, 60) if isinstance(value, str) else f"{value:.4g}"


def _statement_lines(finding: Finding) -> Iterator[Text]:
    listed = finding.recorded_verdicts
    for index in finding.wrong[:_STATEMENTS_SHOWN]:
        old = listed[index] if listed is not None and index < len(listed) else None
        new = finding.verdicts[index] if index < len(finding.verdicts) else None
        line = Text(f"s{index + 1} ").append(f"recorded {old.value if old else 'nothing'}, read ")
        verdict = new.verdict if new is not None else None
        line.append(verdict.value if verdict else "nothing", style=VERDICT_STYLE[verdict] if verdict else "default")
        yield line.append(f": {clip(new.statement, 160)}" if new is not None else "")
    if len(finding.wrong) > _STATEMENTS_SHOWN:
        yield Text(f"and {len(finding.wrong) - _STATEMENTS_SHOWN} more statements")


def _marks(finding: Finding) -> list[Mark]:
    """What to mark in the reply: of very many verdicts first those that were recorded otherwise."""
    marks = []
    for verdict in _first_wrong(finding):
        if verdict.span is not None and verdict.verdict is not None:
            label = f"{clip(verdict.id, 24)} {verdict.verdict.value}"
            marks.append(Mark(*verdict.span, label, VERDICT_STYLE[verdict.verdict]))
    reading = finding.reading
    if reading is not None and reading.span is not None and finding.read is not None:
        marks.append(Mark(*reading.span, _value(finding.read), "green"))
    return marks


def _first_wrong(finding: Finding) -> Sequence[StatementVerdict]:
    if len(finding.verdicts) <= _MARKS_SHOWN:
        return finding.verdicts
    wrong = set(finding.wrong)
    return sorted(finding.verdicts, key=lambda verdict: verdict.index not in wrong)
