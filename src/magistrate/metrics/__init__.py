"""Metrics: what is measured in a case, with an injected judge."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from magistrate.metrics.abstention import Abstention
    from magistrate.metrics.base import Metric, MetricResult, decide
    from magistrate.metrics.citation_scores import CitationScore, CitationScores, score_citations
    from magistrate.metrics.citations import CitationAccuracy, CitationPrecision, CitationRecall
    from magistrate.metrics.contextual import ContextualPrecision, ContextualRecall
    from magistrate.metrics.correctness import AnswerCorrectness
    from magistrate.metrics.cross_document import CrossDocumentFaithfulness, SourceConflict
    from magistrate.metrics.custom import FunctionMetric, metric
    from magistrate.metrics.faithfulness import Faithfulness
    from magistrate.metrics.grounding import GroundingF1, GroundingPrecision, GroundingRecall
    from magistrate.metrics.hallucination import Hallucination
    from magistrate.metrics.registry import GROUPS, METRICS, MetricInfo, make_metric, make_metrics, metric_infos
    from magistrate.metrics.relevance import AnswerRelevance, ContextRelevance
    from magistrate.metrics.rescoring import rescore
    from magistrate.metrics.rubric import RubricMetric, load_rubric_metric
    from magistrate.metrics.template import Finding

_HOME_OF = {
    "Abstention": "magistrate.metrics.abstention",
    "AnswerCorrectness": "magistrate.metrics.correctness",
    "AnswerRelevance": "magistrate.metrics.relevance",
    "CitationAccuracy": "magistrate.metrics.citations",
    "CitationPrecision": "magistrate.metrics.citations",
    "CitationRecall": "magistrate.metrics.citations",
    "CitationScore": "magistrate.metrics.citation_scores",
    "CitationScores": "magistrate.metrics.citation_scores",
    "ContextRelevance": "magistrate.metrics.relevance",
    "ContextualPrecision": "magistrate.metrics.contextual",
    "ContextualRecall": "magistrate.metrics.contextual",
    "CrossDocumentFaithfulness": "magistrate.metrics.cross_document",
    "Faithfulness": "magistrate.metrics.faithfulness",
    "Finding": "magistrate.metrics.template",
    "FunctionMetric": "magistrate.metrics.custom",
    "GROUPS": "magistrate.metrics.registry",
    "GroundingF1": "magistrate.metrics.grounding",
    "GroundingPrecision": "magistrate.metrics.grounding",
    "GroundingRecall": "magistrate.metrics.grounding",
    "Hallucination": "magistrate.metrics.hallucination",
    "METRICS": "magistrate.metrics.registry",
    "Metric": "magistrate.metrics.base",
    "MetricInfo": "magistrate.metrics.registry",
    "MetricResult": "magistrate.metrics.base",
    "RubricMetric": "magistrate.metrics.rubric",
    "SourceConflict": "magistrate.metrics.cross_document",
    "decide": "magistrate.metrics.base",
    "load_rubric_metric": "magistrate.metrics.rubric",
    "make_metric": "magistrate.metrics.registry",
    "make_metrics": "magistrate.metrics.registry",
    "metric": "magistrate.metrics.custom",
    "metric_infos": "magistrate.metrics.registry",
    "rescore": "magistrate.metrics.rescoring",
    "score_citations": "magistrate.metrics.citation_scores",
}

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


def __getattr__(name: str) -> Any:
    module = _HOME_OF.get(name)
    if module is None:
        raise AttributeError(f"module 'magistrate.metrics' has no attribute {name!r}")
    return getattr(import_module(module), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
