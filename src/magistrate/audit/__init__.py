"""Audit stored judge replies: which recorded scores stand, which are silently wrong, which the reply does not decide.

No key, no model, no call: replies that any framework stored are read again with this package's parser, and held against
what was recorded.

    from magistrate.audit import AuditSummary, VerdictsTask, audit_files

    task = VerdictsTask(scale="binary", policy="ragas")
    fields = {"reply": "raw", "statements": "claims", "score": "score"}
    summary = AuditSummary.of(audit_files(["replies.jsonl"], task, fields))
    print(summary.wrong, "of", summary.judged)
"""

from magistrate.audit._audit import AuditPart, audit_files, audit_part, audit_parts
from magistrate.audit._findings import Finding, Standing
from magistrate.audit._recorded import Recorded
from magistrate.audit._stored import FIELDS, Place
from magistrate.audit._summary import AuditSummary, Mean
from magistrate.audit._tasks import AuditTask, LabelTask, ScoreTask, VerdictsTask
from magistrate.audit.sources import SourceKind

__all__ = [
    "FIELDS",
    "AuditPart",
    "AuditSummary",
    "AuditTask",
    "Finding",
    "LabelTask",
    "Mean",
    "Place",
    "Recorded",
    "ScoreTask",
    "SourceKind",
    "Standing",
    "VerdictsTask",
    "audit_files",
    "audit_part",
    "audit_parts",
]
