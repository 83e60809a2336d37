"""Audit stored judge replies: which recorded scores stand, which are silently wrong, which the reply does not decide.

No key, no model, no call: replies that any framework stored are read again with this package's parser, and held against
what was recorded.

    from magistrate.audit import AuditSummary, VerdictsTask, audit_files

    task = VerdictsTask(scale="binary", policy="ragas")
    fields = {"reply": "raw", "statements": "claims", "score": "score"}
    summary = AuditSummary.of(audit_files(["replies.jsonl"], task, fields))
    print(summary.wrong, "of", summary.judged)
"""

from magistrate._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
