"""Judges: what answers a metric's questions about statements and contexts."""

from __future__ import annotations

from magistrate.judges._questions import Extract, ExtractAndVerify, Grade, Question, Structured, Verify, list_of_texts
from magistrate.judges._replies import (
    ScoreReply,
    SingleReply,
    StatementsReply,
    StructuredReply,
    VerdictsReply,
    placed,
    status_of,
    unjudged,
    usage_of,
)
from magistrate.judges.base import BaseJudge, Judge, WrappedJudge, as_judge, can_grade, name_of, never_says, together
from magistrate.judges.resolve import makes_calls, resolve_judge

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
    "can_grade",
    "list_of_texts",
    "makes_calls",
    "name_of",
    "never_says",
    "placed",
    "resolve_judge",
    "status_of",
    "together",
    "unjudged",
    "usage_of",
]
