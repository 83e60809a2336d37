"""Metrics that a judge grades by a rubric, and what words alone tell where it cannot."""

from magistrate.metrics.rubrics.abstention import Abstention
from magistrate.metrics.rubrics.metric import RubricMetric, load_rubric_metric
from magistrate.metrics.rubrics.relevance import AnswerRelevance, ContextRelevance

__all__ = ["Abstention", "AnswerRelevance", "ContextRelevance", "RubricMetric", "load_rubric_metric"]
