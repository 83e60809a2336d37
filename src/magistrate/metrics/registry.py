"""The metrics by name: what each measures, what it needs, what it costs, and how one is made."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeVar

from magistrate.errors import ConfigurationError
from magistrate.metrics.abstention import Abstention
from magistrate.metrics.base import Metric
from magistrate.metrics.citation_scores import CitationScore
from magistrate.metrics.citations import CitationAccuracy, CitationPrecision, CitationRecall
from magistrate.metrics.contextual import ContextualPrecision, ContextualRecall
from magistrate.metrics.correctness import AnswerCorrectness
from magistrate.metrics.cross_document import CrossDocumentFaithfulness, SourceConflict
from magistrate.metrics.faithfulness import Faithfulness
from magistrate.metrics.grounding import GroundingF1, GroundingPrecision, GroundingRecall
from magistrate.metrics.hallucination import Hallucination
from magistrate.metrics.relevance import AnswerRelevance, ContextRelevance
from magistrate.metrics.rubric import load_rubric_metric
from magistrate.user_code import load_object

__all__ = ["GROUPS", "METRICS", "MetricInfo", "make_metric", "make_metrics", "metric_infos"]

M = TypeVar("M", Hallucination, Faithfulness)

Maker = Callable[[Faithfulness, "float | None", bool], Metric]
"""Makes a metric of: how statements are judged, the threshold (None for its own), whether results carry a reason."""


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
    """

    name: str
    description: str
    needs: tuple[str, ...]
    direction: str
    threshold: float
    formula: str
    cost: str
    offline: str


def _faithfulness(judging: Faithfulness, threshold: float | None, reason: bool) -> Faithfulness:
    return judging.variant(threshold=threshold, include_reason=reason)


def _groundedness(judging: Faithfulness, threshold: float | None, reason: bool) -> Faithfulness:
    metric = judging.variant(threshold=threshold, include_reason=reason, name="groundedness")
    return _said(metric, "The groundedness of the RAG triad: the same share as faithfulness, under its own name.")


def _said(metric: M, description: str) -> M:
    """A metric under a name of its own says what that name stands for."""
    metric.description = description
    return metric


_NO_CONTRADICTION = "no: it never says contradicted"
_ENTRIES: Sequence[tuple[str, Maker, str]] = (
    ("faithfulness", _faithfulness, "yes"),
    ("groundedness", _groundedness, "yes"),
    (
        "hallucination_rate",
        lambda j, t, r: _said(
            Hallucination(t, judging=j, include_reason=r, name="hallucination_rate"),
            "Which share of the answer is hallucinated: unsupported_rate under the name of VERA's report.",
        ),
        "yes",
    ),
    ("unsupported_rate", lambda j, t, r: Hallucination(t, judging=j, include_reason=r), "yes"),
    (
        "contradiction_rate",
        lambda j, t, r: Hallucination(t, rate="contradicted", judging=j, include_reason=r),
        _NO_CONTRADICTION,
    ),
    (
        "hallucination",
        lambda j, t, r: _said(
            Hallucination(t, direction="maximize", judging=j, include_reason=r, name="hallucination"),
            "How free of hallucination the answer is: 1 - unsupported_rate, RagaliQ's direction.",
        ),
        "yes",
    ),
    ("answer_relevance", lambda _, t, r: AnswerRelevance(t, include_reason=r), "lexical"),
    ("context_relevance", lambda _, t, r: ContextRelevance(t, include_reason=r), "lexical"),
    (
        "context_relevance_ranked",
        lambda _, t, r: ContextRelevance(
            t, aggregate="rank_weighted", include_reason=r, name="context_relevance_ranked"
        ),
        "lexical",
    ),
    (
        "context_relevance_any",
        lambda _, t, r: ContextRelevance(t, aggregate="any", include_reason=r, name="context_relevance_any"),
        "lexical",
    ),
    ("grounding_precision", lambda j, t, r: GroundingPrecision(t, judging=j, include_reason=r), "yes"),
    ("grounding_recall", lambda j, t, r: GroundingRecall(t, judging=j, include_reason=r), "yes"),
    ("grounding_f1", lambda j, t, r: GroundingF1(t, judging=j, include_reason=r), "yes"),
    ("contextual_precision", lambda j, t, r: ContextualPrecision(t, judging=j, include_reason=r), "yes"),
    ("contextual_recall", lambda j, t, r: ContextualRecall(t, judging=j, include_reason=r), "yes"),
    ("citation_accuracy", lambda j, t, r: CitationAccuracy(t, judging=j, include_reason=r), "yes"),
    ("citation_precision", lambda j, t, r: CitationPrecision(t, judging=j, include_reason=r), "yes"),
    ("citation_recall", lambda j, t, r: CitationRecall(t, judging=j, include_reason=r), "yes"),
    ("citation_overall", lambda j, t, r: CitationScore(t, judging=j, include_reason=r), "lexical"),
    (
        "lexical_faithfulness",
        lambda j, t, r: CitationScore(t, part="faithfulness", judging=j, include_reason=r),
        "lexical",
    ),
    ("citation_coverage", lambda j, t, r: CitationScore(t, part="coverage", judging=j, include_reason=r), "lexical"),
    (
        "citation_redundancy",
        lambda j, t, r: CitationScore(t, part="redundancy", judging=j, include_reason=r),
        "lexical",
    ),
    (
        "cross_document_faithfulness",
        lambda j, t, r: CrossDocumentFaithfulness(t, judging=j, include_reason=r),
        _NO_CONTRADICTION,
    ),
    ("source_conflict", lambda j, t, r: SourceConflict(t, judging=j, include_reason=r), _NO_CONTRADICTION),
    ("abstention", lambda _, t, r: Abstention(t, include_reason=r), "lexical"),
    ("answer_correctness", lambda j, t, r: AnswerCorrectness(t, judging=j, include_reason=r), "yes"),
)

METRICS: Mapping[str, Maker] = MappingProxyType({name: maker for name, maker, _ in _ENTRIES})
"""Name -> what makes the metric."""

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

_OFFLINE = {name: offline for name, _, offline in _ENTRIES}


def make_metric(
    name: str,
    threshold: float | None = None,
    *,
    judging: Faithfulness | None = None,
    include_reason: bool = True,
) -> Metric:
    """Make a metric by its name.

    Args:
        name: A name of `METRICS`; "rubric:FILE.toml" for a rubric of your own; "module:name" for a metric, or for what
            makes one when called without arguments.
        threshold: The score needed to pass; None for the metric's own. A metric of your own keeps its own.
        judging: How statements are found and judged; metrics with equal judging share their calls.
        include_reason: Whether results carry a reason.

    Raises:
        ConfigurationError: If there is no such metric, or it cannot be made.
    """
    maker = METRICS.get(name)
    if maker is not None:
        return maker(judging or Faithfulness(), threshold, include_reason)
    kind, colon, rest = name.partition(":")
    if colon and kind == "rubric":
        return load_rubric_metric(rest)
    if colon and rest:
        return _imported(kind, rest)
    known = [*METRICS, *GROUPS]
    near = difflib.get_close_matches(name.replace("-", "_"), known, n=1)
    hint = f"Did you mean {near[0]!r}? " if near else ""
    raise ConfigurationError(
        f"unknown metric {name[:100]!r}. {hint}See `magistrate metrics`; rubric:FILE.toml and module:name work too"
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
    return [_info(name) for name in METRICS]


def _info(name: str) -> MetricInfo:
    metric: Any = make_metric(name)
    policy = getattr(metric, "policy", "")
    return MetricInfo(
        name=name,
        description=metric.description,
        needs=tuple(metric.needs),
        direction=metric.direction,
        threshold=metric.threshold,
        formula=getattr(metric, "formula", "") or getattr(policy, "formula", ""),
        cost=metric.cost,
        offline=_OFFLINE[name],
    )


def _imported(module: str, name: str) -> Metric:
    found = load_object(f"{module}:{name}", what="metric")
    if isinstance(found, Metric) and not isinstance(found, type):
        return found
    if callable(found):
        try:
            made = found()
        except TypeError as error:
            raise ConfigurationError(
                f"metric {module}:{name}: decorate a function with @magistrate.metric, or name what makes a metric "
                f"when called without arguments ({error})"
            ) from None
        if isinstance(made, Metric) and not isinstance(made, type):
            return made
    raise ConfigurationError(f"{module}:{name} is no metric: expected an object such as Faithfulness()")
