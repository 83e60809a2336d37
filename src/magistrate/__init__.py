"""Magistrate turns what an LLM judge said into verdicts that can be trusted.

The public names load on first use, so that `import magistrate` costs next to nothing and never loads a provider
library.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from magistrate.case import Case, Citation
    from magistrate.completion.budget import Budget
    from magistrate.completion.retry import RetryPolicy
    from magistrate.evaluation.api import aevaluate, evaluate
    from magistrate.evaluation.runs.results import CaseResult
    from magistrate.evaluation.runs.run import Run, load_run
    from magistrate.integrations.openai_client import as_async_openai_client, as_openai_client
    from magistrate.judges import (
        BaseJudge,
        Extract,
        ExtractAndVerify,
        Grade,
        Judge,
        ScoreReply,
        SingleReply,
        StatementsReply,
        Structured,
        StructuredReply,
        VerdictsReply,
        Verify,
    )
    from magistrate.judges.llm import LLMJudge
    from magistrate.judges.nli import NLIJudge
    from magistrate.judges.offline import OfflineJudge
    from magistrate.metrics import (
        Abstention,
        AnswerCorrectness,
        AnswerRelevance,
        CitationAccuracy,
        CitationPrecision,
        CitationRecall,
        ContextRelevance,
        ContextualPrecision,
        ContextualRecall,
        CrossDocumentFaithfulness,
        Faithfulness,
        GroundingF1,
        GroundingPrecision,
        GroundingRecall,
        Hallucination,
        MetricResult,
        RubricMetric,
        SourceConflict,
        metric,
        rescore,
    )
    from magistrate.records import Usage
    from magistrate.scoring import POLICIES, Policy, Score, get_policy, score_verdicts
    from magistrate.verdict import (
        BINARY,
        GRADED,
        TERNARY,
        Evidence,
        Issue,
        IssueCode,
        Outcome,
        ParseStatus,
        Repair,
        Scale,
        StatementVerdict,
        Status,
        Verdict,
    )

_HOMES = {
    "magistrate.case": ("Case", "Citation"),
    "magistrate.completion.budget": ("Budget",),
    "magistrate.completion.retry": ("RetryPolicy",),
    "magistrate.judges": (
        "BaseJudge",
        "Extract",
        "ExtractAndVerify",
        "Grade",
        "Judge",
        "ScoreReply",
        "SingleReply",
        "StatementsReply",
        "Structured",
        "StructuredReply",
        "VerdictsReply",
        "Verify",
    ),
    "magistrate.records": ("Usage",),
    "magistrate.evaluation.api": ("aevaluate", "evaluate"),
    "magistrate.evaluation.runs.results": ("CaseResult",),
    "magistrate.evaluation.runs.run": ("Run", "load_run"),
    "magistrate.integrations.openai_client": ("as_async_openai_client", "as_openai_client"),
    "magistrate.judges.llm": ("LLMJudge",),
    "magistrate.judges.nli": ("NLIJudge",),
    "magistrate.judges.offline": ("OfflineJudge",),
    "magistrate.metrics": (
        "Abstention",
        "AnswerCorrectness",
        "AnswerRelevance",
        "CitationAccuracy",
        "CitationPrecision",
        "CitationRecall",
        "ContextRelevance",
        "ContextualPrecision",
        "ContextualRecall",
        "CrossDocumentFaithfulness",
        "Faithfulness",
        "GroundingF1",
        "GroundingPrecision",
        "GroundingRecall",
        "Hallucination",
        "MetricResult",
        "RubricMetric",
        "SourceConflict",
        "metric",
        "rescore",
    ),
    "magistrate.scoring": ("POLICIES", "Policy", "Score", "get_policy", "score_verdicts"),
    "magistrate.verdict": (
        "BINARY",
        "GRADED",
        "TERNARY",
        "Evidence",
        "Issue",
        "IssueCode",
        "Outcome",
        "ParseStatus",
        "Repair",
        "Scale",
        "StatementVerdict",
        "Status",
        "Verdict",
    ),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "BINARY",
    "GRADED",
    "POLICIES",
    "TERNARY",
    "Abstention",
    "AnswerCorrectness",
    "AnswerRelevance",
    "BaseJudge",
    "Budget",
    "Case",
    "CaseResult",
    "Citation",
    "CitationAccuracy",
    "CitationPrecision",
    "CitationRecall",
    "ContextRelevance",
    "ContextualPrecision",
    "ContextualRecall",
    "CrossDocumentFaithfulness",
    "Evidence",
    "Extract",
    "ExtractAndVerify",
    "Faithfulness",
    "Grade",
    "GroundingF1",
    "GroundingPrecision",
    "GroundingRecall",
    "Hallucination",
    "Issue",
    "IssueCode",
    "Judge",
    "LLMJudge",
    "MetricResult",
    "NLIJudge",
    "OfflineJudge",
    "Outcome",
    "ParseStatus",
    "Policy",
    "Repair",
    "RetryPolicy",
    "RubricMetric",
    "Run",
    "Scale",
    "Score",
    "ScoreReply",
    "SingleReply",
    "SourceConflict",
    "StatementVerdict",
    "StatementsReply",
    "Status",
    "Structured",
    "StructuredReply",
    "Usage",
    "Verdict",
    "VerdictsReply",
    "Verify",
    "aevaluate",
    "as_async_openai_client",
    "as_openai_client",
    "evaluate",
    "get_policy",
    "load_run",
    "metric",
    "rescore",
    "score_verdicts",
]

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    module = _HOME_OF.get(name)
    if module is None:
        raise AttributeError(f"module 'magistrate' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(module), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
