"""Audits and readings for programs: what an audit adds up to, each finding on a line; what a reply says, and where."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from magistrate.audit import AuditSummary, Finding, Mean, Standing
from magistrate.parsing import LabelReading, ObjectReading, ScoreReading, StatementsReading, VerdictReading
from magistrate.report.terminal.source_excerpt import Lines, excerpt
from magistrate.verdict import Issue, IssueCode, ParseStatus, StatementVerdict

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
        "recovered": summary.recovered,
        "reproduced": summary.reproduced,
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
    found: dict[str, Any] = {
        "source": place.source,
        "row": place.row,
        "line": place.line,
        "part": list(place.part),
        "id": place.id,
        "standing": finding.standing.value,
        "recorded": finding.recorded,
        "read": finding.read,
        **({} if finding.truth is None else {"truth": finding.truth}),
        "bounds": finding.bounds and list(finding.bounds),
        "difference": finding.difference,
        "why": finding.why,
        "reproduced": finding.reproduced,
        "status": finding.status,
        "issues": [asdict(issue) for issue in finding.issues],
        "repairs": [asdict(repair) for repair in finding.repairs],
        "span": list(span) if finding.reading is not None and (span := finding.reading.span) else None,
        "reply": finding.reply,
    }
    if finding.verdicts or finding.recorded_verdicts is not None:
        found["verdicts"] = [
            {"id": one.id, "statement": one.statement, "verdict": one.verdict and one.verdict.value, "span": one.span}
            for one in finding.verdicts
        ]
        listed = finding.recorded_verdicts
        found["recorded_verdicts"] = None if listed is None else [one and one.value for one in listed]
        found["wrong"] = list(finding.wrong)
    return found


def finding_line(finding: Finding) -> str:
    """A finding as one line of JSON Lines, ASCII throughout, so that a lone surrogate can be written too."""
    return json.dumps(finding_dict(finding), allow_nan=False, separators=(",", ":")) + "\n"


READING_KIND: Final = "magistrate-reading"
READING_SCHEMA: Final = 1

AnyReading = VerdictReading | ScoreReading | LabelReading | StatementsReading | ObjectReading[Any]
_TASKS: Final[tuple[tuple[type, str], ...]] = (
    (VerdictReading, "verdicts"),
    (ScoreReading, "score"),
    (LabelReading, "label"),
    (StatementsReading, "statements"),
    (ObjectReading, "object"),
)


@dataclass(frozen=True, slots=True)
class ReadReply:
    """A reply and its reading."""

    text: str
    reading: AnyReading
    request: Mapping[str, Any] = field(default_factory=dict)

    @property
    def task(self) -> str:
        """What was read: "verdicts", "score", "label", "statements" or "object"."""
        return next(name for kind, name in _TASKS if isinstance(self.reading, kind))

    @property
    def complete(self) -> bool:
        """Whether nothing that was asked for is missing."""
        match self.reading:
            case VerdictReading():
                whole = self.request.get("statements") is not None or not _was_cut(self.reading.issues)
                return self.reading.status is ParseStatus.OK and not self.reading.missing and whole
            case StatementsReading():
                blank = any(issue.code is IssueCode.EMPTY_REPLY for issue in self.reading.issues)
                return self.reading.status in {ParseStatus.OK, ParseStatus.EMPTY} and not blank
            case _:
                return self.reading.status is ParseStatus.OK


def _was_cut(issues: Sequence[Issue]) -> bool:
    """Whether statements that come from the reply itself may be lacking at its end."""
    return any(issue.code in {IssueCode.TRUNCATED, IssueCode.UNCERTAIN_END} for issue in issues)


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
            return {
                "verdicts": [_verdict(verdict, lines) for verdict in reading.verdicts],
                "extra": [verdict.value for verdict in reading.extra],
            }
        case ScoreReading():
            return {"score": reading.value, "reason": reading.reason, **_place(reading.span, lines)}
        case LabelReading():
            return {"label": reading.label, "reason": reading.reason, **_place(reading.span, lines)}
        case StatementsReading():
            spans = reading.spans or (None,) * len(reading.statements)
            found = zip(reading.statements, spans, strict=True)
            return {"statements": [{"statement": text, **_place(span, lines)} for text, span in found]}
        case _:
            return {"value": _finite(reading.value), "errors": list(reading.errors)}


def _verdict(verdict: StatementVerdict, lines: Lines) -> dict[str, Any]:
    named = ("id", "index", "statement", "verdict", "reason", "probability", "format")
    return {
        **{name: getattr(verdict, name) for name in named},
        "evidence": [asdict(quote) for quote in verdict.evidence],
        **_place(verdict.span, lines),
        "issues": [asdict(issue) for issue in verdict.issues],
        "repairs": [asdict(repair) for repair in verdict.repairs],
    }


def _place(span: tuple[int, int] | None, lines: Lines) -> dict[str, Any]:
    return {"span": span and list(span), **({"line": None, "column": None} if span is None else lines.where(span[0]))}


def _finite(value: Any) -> Any:
    """A decoded value as strict JSON holds it: a number beyond all doubles is none."""
    return json.loads(json.dumps(value), parse_constant=lambda _: None)
