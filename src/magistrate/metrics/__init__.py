"""Metrics: what is measured in a case, with an injected judge."""

from magistrate.metrics._case_metric import Finding
from magistrate.metrics.base import Metric, MetricResult, decide, rescore
from magistrate.metrics.citations import (
    CitationAccuracy,
    CitationPrecision,
    CitationRecall,
    CitationScore,
    CitationScores,
    score_citations,
)
from magistrate.metrics.custom import FunctionMetric, metric
from magistrate.metrics.faithfulness import Faithfulness
from magistrate.metrics.grounding import (
    AnswerCorrectness,
    ContextualPrecision,
    ContextualRecall,
    CrossDocumentFaithfulness,
    GroundingF1,
    GroundingPrecision,
    GroundingRecall,
    Hallucination,
    SourceConflict,
)
from magistrate.metrics.registry import GROUPS, METRICS, MetricInfo, make_metric, make_metrics, metric_infos
from magistrate.metrics.rubrics import (
    Abstention,
    AnswerRelevance,
    ContextRelevance,
    RubricMetric,
    load_rubric_metric,
)

__all__ = [
    "GROUPS",
    "METRICS",
    "Abstention",
    "AnswerCorrectness",
    "AnswerRelevance",
    "CitationAccuracy",
    "CitationPrecision",
    "CitationRecall",
    "CitationScore",
    "CitationScores",
    "ContextRelevance",
    "ContextualPrecision",
    "ContextualRecall",
    "CrossDocumentFaithfulness",
    "Faithfulness",
    "Finding",
    "FunctionMetric",
    "GroundingF1",
    "GroundingPrecision",
    "GroundingRecall",
    "Hallucination",
    "Metric",
    "MetricInfo",
    "MetricResult",
    "RubricMetric",
    "SourceConflict",
    "decide",
    "load_rubric_metric",
    "make_metric",
    "make_metrics",
    "metric",
    "metric_infos",
    "rescore",
    "score_citations",
]
