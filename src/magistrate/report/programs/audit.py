"""An audit for programs: what it adds up to, and each finding on a line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final

from magistrate.audit import AuditSummary, Finding, Mean, Standing

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
