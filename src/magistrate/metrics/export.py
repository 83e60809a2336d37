"""A result in the shape of another framework: exactly its fields, its words and its own pass flag.

The score is the result's own, under the result's policy: `rescore` first for the framework's number. The flag follows
the framework's rule (its tolerance, its failures), so it can differ from the result's `outcome`; it appears only here.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal
from types import MappingProxyType
from typing import Any

from magistrate.metrics.base import MetricResult
from magistrate.metrics.reason import compose_reason
from magistrate.scoring import POLICIES, Score, score_verdicts, tally
from magistrate.verdict import StatementVerdict, Status, Verdict

__all__ = ["to_deepeval", "to_promptfoo", "to_ragaliq"]

_SCORED = (Status.SCORED, Status.PARTIAL)

_DEEPEVAL_WORDS: Mapping[Verdict | None, str | None] = MappingProxyType(
    {
        Verdict.SUPPORTED: "yes",
        Verdict.PARTIALLY_SUPPORTED: "idk",
        Verdict.CONTRADICTED: "no",
        Verdict.NOT_ENOUGH_INFO: "idk",
        Verdict.UNSUPPORTED: "no",
        None: None,
    }
)
_RAGALIQ_WORDS: Mapping[Verdict | None, str | None] = MappingProxyType(
    {
        Verdict.SUPPORTED: "SUPPORTED",
        Verdict.PARTIALLY_SUPPORTED: "PARTIALLY_SUPPORTED",
        Verdict.CONTRADICTED: "CONTRADICTED",
        # A binary judge's "no" does not say that the context contradicts the claim.
        Verdict.NOT_ENOUGH_INFO: "NOT_ENOUGH_INFO",
        Verdict.UNSUPPORTED: "NOT_ENOUGH_INFO",
        None: None,
    }
)


def to_deepeval(result: MetricResult) -> dict[str, Any]:
    """Return the result as DeepEval's faithfulness reports it.

    Verdicts are "yes", "no" and "idk"; a claim without verdict is listed with None. `success` is score >= threshold
    without tolerance, False without a score.

    Source: the result structure of DeepEvalEx, a port of deepeval/metrics/faithfulness/faithfulness.py.
    """
    truths = result.details.get("truths") or []
    return {
        "metric": result.metric.replace("_", " ").title(),
        "score": result.score,
        "success": _flag(result, "deepeval", slack=0.0),
        "threshold": result.threshold,
        "reason": result.reason,
        "latency_ms": round(result.latency_ms),
        "metadata": {
            "truths": [truth for of_context in truths for truth in of_context],
            "claims": list(result.statements),
            "verdicts": [{"verdict": _DEEPEVAL_WORDS[v.verdict], "reason": v.reason} for v in result.verdicts],
            "truths_extraction_limit": result.details.get("truths_extraction_limit"),
        },
    }


def to_ragaliq(result: MetricResult) -> dict[str, Any]:
    """Return the result as RagaliQ's `EvaluationResult` has it.

    Where there is no score, RagaliQ has a score of 0.0, `passed` False and an `error`; only then the key is there.

    Source: RagaliQ's design record, issue 6, and ragaliq 0.2.0, core/evaluator.py.
    """
    exported: dict[str, Any] = {
        "evaluator_name": result.metric,
        "score": 0.0 if result.score is None else result.score,
        "passed": _flag(result, "ragaliq", slack=0.0),
        "reasoning": result.reason or "",
        "raw_response": {
            "claims": [
                {"claim": v.statement, "verdict": _RAGALIQ_WORDS[v.verdict], "evidence": _evidence(v)}
                for v in result.verdicts
            ],
            "total_claims": len(result.verdicts),
            "supported_claims": tally(result.verdicts)[Verdict.SUPPORTED],
        },
        "tokens_used": _tokens(result),
    }
    if result.score is None:
        exported["error"] = _why_no_score(result)
    return exported


def to_promptfoo(result: MetricResult) -> dict[str, Any]:
    """Return the result as promptfoo's `GradingResult` has it, without the assertion.

    promptfoo knows no missing score: where there is none, this fails with 0, and the reason says why.

    Source: the plan for promptfoo issue 2468; promptfoo 0.123.1, matchesContextFaithfulness.
    """
    passed = _flag(result, "promptfoo", slack=sys.float_info.epsilon)
    if result.score is not None and _counted(result):
        relation = ">=" if passed else "<"
        subject = result.metric.replace("_", " ").capitalize()
        reason = f"{subject} {_to_fixed(result.score)} is {relation} {_js_number(result.threshold)}"
    else:
        reason = _PROMPTFOO_FAILURES.get(result.status) or _why_no_score(result)
    return {
        "pass": passed,
        "score": 0.0 if result.score is None else result.score,
        "reason": reason,
        "tokensUsed": {
            "total": _tokens(result),
            "prompt": result.usage.prompt_tokens or 0,
            "completion": result.usage.completion_tokens or 0,
            "numRequests": result.usage.calls,
        },
    }


_PROMPTFOO_FAILURES: Mapping[Status, str] = MappingProxyType(
    {
        Status.VACUOUS: "No statements generated for faithfulness calculation",
        Status.NO_ANSWER: "No statements generated for faithfulness calculation",
        Status.REFUSED: "LLM refused to provide faithfulness verdicts",
        Status.UNPARSEABLE: "No faithfulness verdicts provided",
        Status.TRUNCATED: "No faithfulness verdicts provided",
        Status.OUT_OF_RANGE: "Faithfulness calculation error",
    }
)


def _flag(result: MetricResult, framework: str, *, slack: float) -> bool:
    """The framework's own flag; under another framework's policy, its rule applied to the score."""
    own = _own_score(result) if result.policy.startswith(framework) else None
    if own is not None:
        return bool(own.success)
    if result.score is None or not _counted(result):
        return False
    if result.direction == "minimize":
        return result.score <= result.threshold + slack
    return result.score >= result.threshold - slack


def _own_score(result: MetricResult) -> Score | None:
    """The score as the result's policy gives it, with its flag; None where the score is not made of verdicts."""
    policy = POLICIES.get(result.policy)
    if policy is None or (not result.verdicts and result.status in _SCORED):
        return None
    return score_verdicts(
        result.verdicts, status=result.status, policy=policy, extra=result.extra, threshold=result.threshold
    )


def _counted(result: MetricResult) -> bool:
    """Whether the score was counted, and not set by a policy for want of anything to count."""
    own = _own_score(result)
    return result.status in _SCORED if own is None else own.raw is not None


def _why_no_score(result: MetricResult) -> str:
    return f"{result.status}: {compose_reason(result.status, result.verdicts, result.issues)}"


def _evidence(verdict: StatementVerdict) -> str:
    return " … ".join(quote.quote for quote in verdict.evidence) or verdict.reason or ""


def _tokens(result: MetricResult) -> int:
    return (result.usage.prompt_tokens or 0) + (result.usage.completion_tokens or 0)


def _to_fixed(score: float) -> str:
    """Two digits as JavaScript's toFixed gives them: a half goes up, where Python's format rounds it to even."""
    return str(Decimal(score).quantize(Decimal("0.01"), ROUND_HALF_UP))


def _js_number(number: float) -> str:
    return str(Decimal(repr(number))).lower().removesuffix(".0")
