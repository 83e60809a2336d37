"""Judges: what answers a metric's questions about statements and contexts."""

from __future__ import annotations

from magistrate.judges.base import (
    BaseJudge,
    Extract,
    ExtractAndVerify,
    Grade,
    Judge,
    Question,
    ScoreReply,
    SingleReply,
    StatementsReply,
    Structured,
    StructuredReply,
    VerdictsReply,
    Verify,
    WrappedJudge,
    as_judge,
)
from magistrate.judges.resolve import resolve_judge

__all__ = [
    "BaseJudge",
    "Extract",
    "ExtractAndVerify",
    "Grade",
    "Judge",
    "Question",
    "ScoreReply",
    "SingleReply",
    "StatementsReply",
    "Structured",
    "StructuredReply",
    "VerdictsReply",
    "Verify",
    "WrappedJudge",
    "as_judge",
    "resolve_judge",
]
