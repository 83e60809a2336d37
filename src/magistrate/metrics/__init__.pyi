# The names and their homes: what `__init__.py` loads on first use.

from magistrate.metrics._case_metric import Finding as Finding
from magistrate.metrics.base import Metric as Metric, MetricResult as MetricResult, decide as decide, rescore as rescore
from magistrate.metrics.citations.accuracy import CitationAccuracy as CitationAccuracy
from magistrate.metrics.citations.accuracy import CitationPrecision as CitationPrecision
from magistrate.metrics.citations.accuracy import CitationRecall as CitationRecall
from magistrate.metrics.citations.scores import CitationScore as CitationScore, CitationScores as CitationScores
from magistrate.metrics.citations.scores import score_citations as score_citations
from magistrate.metrics.custom import FunctionMetric as FunctionMetric, metric as metric
from magistrate.metrics.faithfulness import Faithfulness as Faithfulness
from magistrate.metrics.grounding.cross_document import CrossDocumentFaithfulness as CrossDocumentFaithfulness
from magistrate.metrics.grounding.cross_document import SourceConflict as SourceConflict
from magistrate.metrics.grounding.references import AnswerCorrectness as AnswerCorrectness
from magistrate.metrics.grounding.references import ContextualPrecision as ContextualPrecision
from magistrate.metrics.grounding.references import ContextualRecall as ContextualRecall
from magistrate.metrics.grounding.shares import GroundingF1 as GroundingF1, GroundingPrecision as GroundingPrecision
from magistrate.metrics.grounding.shares import GroundingRecall as GroundingRecall, Hallucination as Hallucination
from magistrate.metrics.registry import GROUPS as GROUPS, METRICS as METRICS, MetricInfo as MetricInfo
from magistrate.metrics.registry import make_metric as make_metric, make_metrics as make_metrics
from magistrate.metrics.registry import metric_infos as metric_infos
from magistrate.metrics.rubrics.relevance import Abstention as Abstention
from magistrate.metrics.rubrics.metric import RubricMetric as RubricMetric, load_rubric_metric as load_rubric_metric
from magistrate.metrics.rubrics.relevance import AnswerRelevance as AnswerRelevance
from magistrate.metrics.rubrics.relevance import ContextRelevance as ContextRelevance

__all__: list[str]
