"""Metrics of citations: do the passages that an answer cites stand behind what it says?"""

from magistrate.metrics.citations.accuracy import CitationAccuracy, CitationPrecision, CitationRecall
from magistrate.metrics.citations.scores import CitationScore, CitationScores, score_citations

__all__ = [
    "CitationAccuracy",
    "CitationPrecision",
    "CitationRecall",
    "CitationScore",
    "CitationScores",
    "score_citations",
]
