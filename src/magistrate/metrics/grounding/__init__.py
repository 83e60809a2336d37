"""Metrics that count claims borne out by passages or by a reference answer."""

from magistrate.metrics.grounding.cross_document import CrossDocumentFaithfulness, SourceConflict
from magistrate.metrics.grounding.references import AnswerCorrectness, ContextualPrecision, ContextualRecall
from magistrate.metrics.grounding.shares import GroundingF1, GroundingPrecision, GroundingRecall, Hallucination, f1

__all__ = [
    "AnswerCorrectness",
    "ContextualPrecision",
    "ContextualRecall",
    "CrossDocumentFaithfulness",
    "GroundingF1",
    "GroundingPrecision",
    "GroundingRecall",
    "Hallucination",
    "SourceConflict",
    "f1",
]
