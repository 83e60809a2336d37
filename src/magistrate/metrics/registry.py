"""The metrics by name: what each measures, what it needs, what it costs, and how one is made."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Any

from magistrate.errors import ConfigurationError, meant
from magistrate.metrics._case_metric import CaseMetric, described
from magistrate.metrics.base import Metric
from magistrate.metrics.citations.accuracy import CitationAccuracy, CitationPrecision, CitationRecall
from magistrate.metrics.citations.scores import CitationScore
from magistrate.metrics.faithfulness import Faithfulness, JudgedMetric
from magistrate.metrics.grounding.cross_document import CrossDocumentFaithfulness, SourceConflict
from magistrate.metrics.grounding.references import AnswerCorrectness, ContextualPrecision, ContextualRecall
from magistrate.metrics.grounding.shares import GroundingF1, GroundingPrecision, GroundingRecall, Hallucination
from magistrate.metrics.rubrics.metric import load_rubric_metric
from magistrate.metrics.rubrics.relevance import Abstention, AnswerRelevance, ContextRelevance
from magistrate.user_code import load_object

_VERA_RATE = "Which share of the answer is hallucinated: unsupported_rate under the name of VERA's report."
_RAGALIQ = "How free of hallucination the answer is: 1 - unsupported_rate, RagaliQ's direction."
_TRIAD = "The groundedness of the RAG triad: the same share as faithfulness, under its own name."
METRICS: Mapping[str, tuple[type[CaseMetric], Mapping[str, Any]]] = MappingProxyType(
    {
        "faithfulness": (Faithfulness, {}),
        "groundedness": (Faithfulness, {"description": _TRIAD}),
        "hallucination_rate": (Hallucination, {"description": _VERA_RATE}),
        "unsupported_rate": (Hallucination, {}),
        "contradiction_rate": (Hallucination, {"rate": "contradicted"}),
        "hallucination": (Hallucination, {"direction": "maximize", "description": _RAGALIQ}),
        "answer_relevance": (AnswerRelevance, {}),
        "context_relevance": (ContextRelevance, {}),
        "context_relevance_ranked": (ContextRelevance, {"aggregate": "rank_weighted"}),
        "context_relevance_any": (ContextRelevance, {"aggregate": "any"}),
        "grounding_precision": (GroundingPrecision, {}),
        "grounding_recall": (GroundingRecall, {}),
        "grounding_f1": (GroundingF1, {}),
        "contextual_precision": (ContextualPrecision, {}),
        "contextual_recall": (ContextualRecall, {}),
        "citation_accuracy": (CitationAccuracy, {}),
        "citation_precision": (CitationPrecision, {}),
        "citation_recall": (CitationRecall, {}),
        "citation_overall": (CitationScore, {}),
        "lexical_faithfulness": (CitationScore, {"part": "faithfulness"}),
        "citation_coverage": (CitationScore, {"part": "coverage"}),
        "citation_redundancy": (CitationScore, {"part": "redundancy"}),
        "cross_document_faithfulness": (CrossDocumentFaithfulness, {}),
        "source_conflict": (SourceConflict, {}),
        "abstention": (Abstention, {}),
        "answer_correctness": (AnswerCorrectness, {}),
    }
)
"""Name -> the class of the metric, and the options that make it this one."""

GROUPS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "rag_triad": ("context_relevance", "groundedness", "answer_relevance"),
        "vera": (
            "grounding_precision",
            "grounding_recall",
            "grounding_f1",
            "citation_accuracy",
            "faithfulness",
            "hallucination_rate",
            "context_relevance",
            "answer_relevance",
        ),
        "citations": ("citation_accuracy", "citation_precision", "citation_recall", "citation_overall"),
    }
)
"""Names that stand for several metrics: the RAG triad of TruLens, the metrics of VERA ADR-0036, those of citations."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricInfo:
    """What a table of metrics says of one.

    Attributes:
        name: Its name.
        description: What it measures.
        needs: Fields of a case without which it has no score.
        direction: "maximize" or "minimize".
        threshold: The score needed to pass by default.
        formula: How the score comes about.
        cost: Calls a case, in words; calls that another metric of the run makes too are made once.
        offline: What the offline judge makes of it: "yes", "lexical", or "no" with the reason.
        options: Its options beside those that every metric has, with their defaults.
    """

    name: str
    description: str
    needs: tuple[str, ...]
    direction: str
    threshold: float
    formula: str
    cost: str
    offline: str
    options: Mapping[str, Any]


def make_metric(
    name: str,
    threshold: float | None = None,
    *,
    judging: Faithfulness | None = None,
    include_reason: bool = True,
    **options: Any,
) -> Metric:
    """Make a metric by its name.

    Args:
        name: A name of `METRICS`; "rubric:FILE.toml" for a rubric of your own; "module:name" for a metric, or for what
            makes one when called without arguments.
        threshold: The score needed to pass; None for the metric's own. A metric of your own keeps its own.
        judging: How statements are found and judged; metrics with equal judging share their calls.
        include_reason: Whether results carry a reason.
        **options: Further options of a metric of `METRICS`: its fields.

    Raises:
        ConfigurationError: If there is no such metric, or it cannot be made.
    """
    if name in METRICS:
        cls, fixed = METRICS[name]
        options = {"name": name, "threshold": threshold, "include_reason": include_reason, **fixed, **options}
        if issubclass(cls, Faithfulness):
            judging = judging or Faithfulness()
            kept = judging.threshold if threshold is None else threshold
            return replace(judging, **{"description": None, **options, "threshold": kept})
        return cls(**options, judging=judging) if issubclass(cls, JudgedMetric) else cls(**options)
    kind, colon, rest = name.partition(":")
    if colon and kind == "rubric":
        return load_rubric_metric(rest)
    if colon and rest:
        return _imported(name)
    known = [*METRICS, *GROUPS]
    hint = meant(name.replace("-", "_"), known)
    raise ConfigurationError(
        f"unknown metric {name[:100]!r}.{hint} See `magistrate metrics`; rubric:FILE.toml and module:name work too"
    )


def make_metrics(
    names: Sequence[str],
    threshold: float | None = None,
    *,
    judging: Faithfulness | None = None,
    include_reason: bool = True,
) -> list[Metric]:
    """Make metrics by their names and those of groups, each once, with the same judging, so that calls are shared.

    The threshold holds for the metrics of which more is better, and the others keep their own; where there are only
    others, for those.

    Raises:
        ConfigurationError: If there is no such metric, or two of different origin have the same name.
    """
    wanted = list(dict.fromkeys(one for name in names for one in GROUPS.get(name.replace("-", "_"), (name,))))
    shared = judging or Faithfulness()
    made = [make_metric(name, judging=shared, include_reason=include_reason) for name in wanted]
    directions = [getattr(metric, "direction", "maximize") for metric in made]
    held = "maximize" if "maximize" in directions else "minimize"
    for at, name in enumerate(wanted):
        if threshold is not None and name in METRICS and directions[at] == held:
            made[at] = make_metric(name, threshold, judging=shared, include_reason=include_reason)
    called = [metric.name for metric in made]
    if repeated := sorted({name for name in called if called.count(name) > 1}):
        raise ConfigurationError(f"several metrics are called {', '.join(repeated)}: give each its own name")
    return made


def metric_infos() -> list[MetricInfo]:
    """What a table of the metrics says, in the order of `METRICS`."""
    common = {part.name for part in fields(JudgedMetric)}
    alike = ("description", "needs", "direction", "threshold", "cost", "offline")
    found = []
    for name, (_, fixed) in METRICS.items():
        metric: Any = make_metric(name)
        given = {one: getattr(metric, one) for one in alike}
        options = described(metric, leave_out=(*common, *fixed))
        found.append(MetricInfo(name=name, formula=metric.formula or metric.policy.formula, options=options, **given))
    return found


def _imported(name: str) -> Metric:
    made = load_object(name, what="metric")
    if callable(made) and not (isinstance(made, Metric) and not isinstance(made, type)):
        try:
            made = made()
        except TypeError as error:
            raise ConfigurationError(
                f"metric {name}: decorate a function with @magistrate.metric, or name what makes a metric when called "
                f"without arguments ({error})"
            ) from None
    if isinstance(made, Metric) and not isinstance(made, type):
        return made
    raise ConfigurationError(f"{name} is no metric: expected an object such as Faithfulness()")
