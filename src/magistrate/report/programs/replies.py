"""Audits and readings for programs: what an audit adds up to, each finding on a line; what a reply says, and where."""

import json
import re
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from magistrate.audit import AuditSummary, Finding, Mean, Standing
from magistrate.parsing import LabelReading, ObjectReading, ScoreReading, StatementsReading, VerdictReading
from magistrate.report.text import inert
from magistrate.verdict import IssueCode, ParseStatus

AUDIT_KIND: Final = "magistrate-audit"
AUDIT_SCHEMA: Final = 1


def audit_dict(summary: AuditSummary, task: Mapping[str, Any]) -> dict[str, Any]:
    """What an audit adds up to, as JSON holds it."""
    return {
        "kind": AUDIT_KIND,
        "schema": AUDIT_SCHEMA,
        **task,
        "replies": summary.total,
        "recorded": summary.judged,
        "standings": {standing.value: summary.standings[standing] for standing in Standing},
        "wrong": summary.wrong,
        "undecided": dict(summary.reasons.most_common()),
        "unusable": dict(summary.unusable.most_common()),
        "unusable_first": {why: str(place) for why, place in summary.first.items()},
        "unfinished": list(summary.unfinished),
        "notes": list(summary.notes),
        "recovered": summary.recovered,
        "reproduced": summary.reproduced,
        "too_high": summary.too_high,
        "too_low": summary.too_low,
        "means": {
            "recorded": _mean(summary.recorded),
            "read": _mean(summary.read),
            "recorded_where_read": _mean(summary.both),
            "read_where_recorded": _mean(summary.reread),
            "lowest_possible": summary.lowest.value,
            "highest_possible": summary.highest.value,
        },
        "labels": {label: {"recorded": old, "read": new} for label, (old, new) in sorted(summary.labels.items())},
        **({"against_people": {k: asdict(v) for k, v in found.items()}} if (found := summary.against_people()) else {}),
        "files": dict(summary.sources),
        "worst": [finding_dict(finding) for finding in summary.worst],
    }


def _mean(mean: Mean) -> dict[str, Any]:
    return {"mean": mean.value, "count": mean.count}


def finding_dict(finding: Finding) -> dict[str, Any]:
    """A finding as JSON holds it."""
    place = finding.place
    placed = {name: getattr(place, name) for name in ("source", "row", "line", "part", "id")}
    alike = ("recorded", "read", "bounds", "difference", "why", "reproduced", "status", "reply")
    found: dict[str, Any] = {
        **placed,
        "standing": finding.standing.value,
        **{name: getattr(finding, name) for name in alike},
        **({} if finding.truth is None else {"truth": finding.truth}),
        "issues": [asdict(issue) for issue in finding.issues],
        "repairs": [asdict(repair) for repair in finding.repairs],
        "span": getattr(finding.reading, "span", None),
    }
    if finding.verdicts or finding.recorded_verdicts is not None:
        kept = {"id", "statement", "verdict", "span"}
        found["verdicts"] = [verdict.model_dump(include=kept) for verdict in finding.verdicts]
        found["recorded_verdicts"] = finding.recorded_verdicts
        found["wrong"] = finding.wrong
    return found


def finding_line(finding: Finding) -> str:
    """A finding as one line of JSON Lines, ASCII throughout, so that a lone surrogate can be written too."""
    return json.dumps(finding_dict(finding), allow_nan=False, separators=(",", ":")) + "\n"


FINDING_COLUMNS = ("source", "line", "row", "id", "standing", "recorded", "read", "lowest", "highest", "why", "reply")


def finding_row(finding: Finding) -> dict[str, Any]:
    """A finding as a row of a table, with more than `FINDING_COLUMNS`."""
    low, high = finding.bounds or (None, None)
    return {**finding.place._asdict(), **finding._asdict(), "lowest": low, "highest": high}


_BREAK: Final = re.compile(r"\r\n|\n|\r")


class Lines:
    r"""Where the lines of a text begin and end; a line ends at \n, \r\n or \r."""

    def __init__(self, text: str) -> None:
        breaks = [match.span() for match in _BREAK.finditer(text)]
        self.starts = [0, *(end for _, end in breaks)]
        self.ends = [*(start for start, _ in breaks), len(text)]

    def __len__(self) -> int:
        return len(self.starts)

    def number(self, offset: int) -> int:
        """The line (0-based) on which a character stands."""
        return bisect_right(self.starts, offset) - 1

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of a character, both from 1 on."""
        line = self.number(offset)
        return line + 1, offset - self.starts[line] + 1

    def where(self, offset: int) -> dict[str, int]:
        """The same as JSON holds it."""
        return dict(zip(("line", "column"), self.place(offset), strict=True))


def excerpt(text: str, offset: int, around: int = 20) -> str:
    """A few characters on either side of a place, inert, on one line."""
    start, end = max(0, offset - around), min(len(text), offset + around)
    shown = " ".join(inert(text[start:end]).split())
    return f"{'...' if start else ''}{shown}{'...' if end < len(text) else ''}"


READING_KIND: Final = "magistrate-reading"
READING_SCHEMA: Final = 1

AnyReading = VerdictReading | ScoreReading | LabelReading | StatementsReading | ObjectReading[Any]
_TASKS: Final = {
    VerdictReading: "verdicts",
    ScoreReading: "score",
    LabelReading: "label",
    StatementsReading: "statements",
    ObjectReading: "object",
}


@dataclass(frozen=True, slots=True)
class ReadReply:
    """A reply and its reading."""

    text: str
    reading: AnyReading
    request: Mapping[str, Any] = field(default_factory=dict)

    @property
    def task(self) -> str:
        """What was read: "verdicts", "score", "label", "statements" or "object"."""
        return next(name for kind, name in _TASKS.items() if isinstance(self.reading, kind))

    @property
    def complete(self) -> bool:
        """Whether nothing that was asked for is missing."""
        reading, codes = self.reading, {issue.code for issue in self.reading.issues}
        if isinstance(reading, StatementsReading):
            return reading.status in {ParseStatus.OK, ParseStatus.EMPTY} and IssueCode.EMPTY_REPLY not in codes
        if reading.status is not ParseStatus.OK or not isinstance(reading, VerdictReading):
            return reading.status is ParseStatus.OK
        # Statements that come from the reply itself may be lacking at its end.
        cut = self.request.get("statements") is None and codes & {IssueCode.TRUNCATED, IssueCode.UNCERTAIN_END}
        return not reading.missing and not cut


def reading_dict(read: ReadReply) -> dict[str, Any]:
    """Everything that is known of a reading. Characters count from 0, lines and columns from 1."""
    reading, lines = read.reading, Lines(read.text)
    repairs = [
        {**asdict(fix), **lines.where(fix.offset), "excerpt": excerpt(read.text, fix.offset)} for fix in reading.repairs
    ]
    return {
        "kind": READING_KIND,
        "schema": READING_SCHEMA,
        "task": read.task,
        "status": reading.status.value,
        "complete": read.complete,
        "format": reading.format,
        **_answer(reading, lines),
        "issues": [asdict(issue) for issue in reading.issues],
        "repairs": repairs,
        "request": dict(read.request),
        "reply": read.text,
    }


def _answer(reading: AnyReading, lines: Lines) -> dict[str, Any]:
    match reading:
        case VerdictReading():
            listed = [
                {**one.model_dump(mode="json", exclude={"votes", "confidence"}), **_place(one.span, lines)}
                for one in reading.verdicts
            ]
            return {"verdicts": listed, "extra": list(reading.extra)}
        case ScoreReading():
            return {"score": reading.value, "reason": reading.reason, **_place(reading.span, lines)}
        case LabelReading():
            return {"label": reading.label, "reason": reading.reason, **_place(reading.span, lines)}
        case StatementsReading():
            spans = reading.spans or (None,) * len(reading.statements)
            found = zip(reading.statements, spans, strict=True)
            return {"statements": [{"statement": text, **_place(span, lines)} for text, span in found]}
        case _:
            finite = json.loads(json.dumps(reading.value), parse_constant=lambda _: None)  # as strict JSON holds it
            return {"value": finite, "errors": list(reading.errors)}


def _place(span: tuple[int, int] | None, lines: Lines) -> dict[str, Any]:
    return {"span": span and list(span), **({"line": None, "column": None} if span is None else lines.where(span[0]))}
