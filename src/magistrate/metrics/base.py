"""What a metric is, and what it returns: in the shapes of other frameworks, in a line, under another policy."""

import math
import sys
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, Protocol, runtime_checkable

from magistrate.case import Case
from magistrate.errors import ConfigurationError
from magistrate.judges import Judge
from magistrate.records import CallRecord, Usage
from magistrate.scoring import POLICIES, Policy, get_policy, score_verdicts, tally
from magistrate.verdict import Issue, IssueCode, Outcome, Share, StatementVerdict, Status, Verdict

TOLERANCE = 1e-9
"""How far below the threshold a score still passes: scores are ratios, and 0.7 is no binary fraction."""
_SCORED = (Status.SCORED, Status.PARTIAL)
_DEEPEVAL_WORDS: Mapping[Verdict | None, str] = {
    Verdict.SUPPORTED: "yes",
    Verdict.PARTIALLY_SUPPORTED: "idk",
    Verdict.CONTRADICTED: "no",
    Verdict.NOT_ENOUGH_INFO: "idk",
    Verdict.UNSUPPORTED: "no",
}
_RAGALIQ_WORDS: Mapping[Verdict | None, str] = {
    **{verdict: verdict.value.upper() for verdict in Verdict},
    Verdict.UNSUPPORTED: "NOT_ENOUGH_INFO",  # a binary judge's "no" does not say that the context contradicts the claim
}
_PROMPTFOO_FAILURES = {
    **dict.fromkeys((Status.VACUOUS, Status.NO_ANSWER), "No statements generated for faithfulness calculation"),
    **dict.fromkeys((Status.UNPARSEABLE, Status.TRUNCATED), "No faithfulness verdicts provided"),
    Status.REFUSED: "LLM refused to provide faithfulness verdicts",
    Status.OUT_OF_RANGE: "Faithfulness calculation error",
}
_UNSEEN = frozenset({"Cc", "Cf"})
_MOST_SHOWN = 3
_LONGEST = 200

_WHY_NONE = {
    Status.VACUOUS: "no statements to judge",
    Status.NO_CONTEXT: "no context to judge against",
    Status.NO_ANSWER: "no answer to judge",
    Status.REFUSED: "the judge refused",
    Status.TRUNCATED: "the judge's reply was cut off",
    Status.CONTEXT_TRUNCATED: "the judge may not have seen the whole prompt",
    Status.UNPARSEABLE: "the judge's reply could not be read",
    Status.OUT_OF_RANGE: "the judge's verdicts are off the scale",
    Status.JUDGE_ERROR: "the call to the judge failed",
    Status.OVER_BUDGET: "the budget was spent",
    Status.MISSING_INPUT: "the case lacks an input of the metric",
    Status.NOT_RUN: "the case was not reached",
    Status.PENDING: "a call waits in a provider's batch",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricResult:
    """What one metric found in one case.

    Attributes:
        metric: The metric's name.
        policy: The versioned name of the scoring policy; of the formula, where the score is no policy's.
        formula: How the score comes about where no policy makes it of the verdicts, in words or symbols; "" where one
            does. Only a policy's score can be scored again under another policy.
        status: How the evaluation ended.
        score: In [0, 1]; None where there is none that is safe to use.
        bounds: Lowest and highest score that the missing verdicts leave possible; equal where none is missing; None
            where nothing can be said.
        threshold: The score needed to pass.
        outcome: pass, fail or inconclusive.
        direction: "maximize" where a higher score is better, else "minimize".
        reason: One line composed from the verdicts, without a call; None with include_reason=False.
        statements: The statements that were judged.
        verdicts: One per statement, in order.
        extra: Verdicts beyond the statements asked about (see VerdictsReply).
        issues: What is to be known about the result as a whole.
        usage: Calls, tokens, cost of this metric on this case.
        latency_ms: Milliseconds from start to end of the metric.
        judge: Name of the judge.
        calls: The calls that were made, with their raw completions.
        earlier: Calls of earlier attempts at this result, of a run that went on later, which it does not ask for again:
            failed ones, and such as no cache kept. Without texts; `usage` counts them.
        details: What else the metric found (truths, options such as decompose), JSON-able.
    """

    metric: str
    policy: str
    formula: str = ""
    status: Status
    score: Share | None = None
    bounds: tuple[Share, Share] | None = None
    threshold: float
    outcome: Outcome
    direction: str = "maximize"
    reason: str | None = None
    statements: tuple[str, ...] = ()
    verdicts: tuple[StatementVerdict, ...] = ()
    extra: tuple[Verdict, ...] = ()
    issues: tuple[Issue, ...] = ()
    usage: Usage = field(default_factory=Usage)
    latency_ms: float = 0.0
    judge: str = ""
    calls: tuple[CallRecord, ...] = ()
    earlier: tuple[CallRecord, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)

    def to_deepeval(self) -> dict[str, Any]:
        """Return the result as DeepEval's faithfulness reports it, with DeepEval's own success flag.

        The score is the result's own, under its policy: `rescore` first for the framework's number. The flag follows
        the framework's rule (its tolerance, its failures), so it can differ from `outcome`; it appears only here.
        Verdicts are "yes", "no" and "idk"; a claim without verdict is listed with None. `success` is score >= threshold
        without tolerance, False without a score.

        Source: the result structure of DeepEvalEx, a port of deepeval/metrics/faithfulness/faithfulness.py.
        """
        truths = self.details.get("truths") or []
        return {
            "metric": self.metric.replace("_", " ").title(),
            "score": self.score,
            "success": self._passes("deepeval", 0.0)[0],
            "threshold": self.threshold,
            "reason": self.reason,
            "latency_ms": round(self.latency_ms),
            "metadata": {
                "truths": [truth for of_context in truths for truth in of_context],
                "claims": list(self.statements),
                "verdicts": [{"verdict": _DEEPEVAL_WORDS.get(v.verdict), "reason": v.reason} for v in self.verdicts],
                "truths_extraction_limit": self.details.get("truths_extraction_limit"),
            },
        }

    def to_ragaliq(self) -> dict[str, Any]:
        """Return the result as RagaliQ's `EvaluationResult` has it, with RagaliQ's own pass flag (see `to_deepeval`).

        Where there is no score, RagaliQ has a score of 0.0, `passed` False and an `error`; only then the key is there.

        Source: RagaliQ's design record, issue 6, and ragaliq 0.2.0, core/evaluator.py.
        """
        claims = [
            {
                "claim": v.statement,
                "verdict": _RAGALIQ_WORDS.get(v.verdict),
                "evidence": " … ".join(quote.quote for quote in v.evidence) or v.reason or "",
            }
            for v in self.verdicts
        ]
        exported: dict[str, Any] = {
            "evaluator_name": self.metric,
            "score": 0.0 if self.score is None else self.score,
            "passed": self._passes("ragaliq", 0.0)[0],
            "reasoning": self.reason or "",
            "raw_response": {
                "claims": claims,
                "total_claims": len(claims),
                "supported_claims": tally(self.verdicts)[Verdict.SUPPORTED],
            },
            "tokens_used": sum(self.usage.known_tokens),
        }
        if self.score is None:
            exported["error"] = self._why_no_score()
        return exported

    def to_promptfoo(self) -> dict[str, Any]:
        """Return the result as promptfoo's `GradingResult` has it, with promptfoo's own pass flag (see `to_deepeval`).

        promptfoo knows no missing score: where there is none, this fails with 0, and the reason says why.

        Source: the plan for promptfoo issue 2468; promptfoo 0.123.1, matchesContextFaithfulness.
        """
        passed, counted = self._passes("promptfoo", sys.float_info.epsilon)
        sent, received = self.usage.known_tokens
        if self.score is not None and counted:
            subject = self.metric.replace("_", " ").capitalize()
            # JavaScript's toFixed: a half goes up, where Python's format rounds it to even.
            shown = Decimal(self.score).quantize(Decimal("0.01"), ROUND_HALF_UP)
            threshold = str(Decimal(repr(self.threshold))).lower().removesuffix(".0")
            reason = f"{subject} {shown} is {'>=' if passed else '<'} {threshold}"
        else:
            reason = _PROMPTFOO_FAILURES.get(self.status) or self._why_no_score()
        return {
            "pass": passed,
            "score": 0.0 if self.score is None else self.score,
            "reason": reason,
            "tokensUsed": {
                "total": sent + received,
                "prompt": sent,
                "completion": received,
                "numRequests": self.usage.calls,
            },
        }

    def _passes(self, framework: str, slack: float) -> tuple[bool, bool]:
        """The framework's own flag, and whether the score was counted, not set by a policy for want of anything to."""
        policy, scored = POLICIES.get(self.policy), None
        if policy is not None and (self.verdicts or self.status not in _SCORED):
            scored = score_verdicts(
                self.verdicts, status=self.status, policy=policy, extra=self.extra, threshold=self.threshold
            )
        counted = self.status in _SCORED if scored is None else scored.raw is not None
        if scored is not None and self.policy.startswith(framework):  # its rule, applied to the score
            return bool(scored.success), counted
        return counted and is_passing(self.score, self.threshold, self.direction, slack=slack), counted

    def _why_no_score(self) -> str:
        return f"{self.status}: {compose_reason(self.status, self.verdicts, self.issues)}"


@runtime_checkable
class Metric(Protocol):
    """Anything that evaluates a case with a judge: an object with these, be they attributes or properties."""

    @property
    def name(self) -> str:
        """The metric's name in reports."""

    @property
    def threshold(self) -> float:
        """The score needed to pass."""

    async def evaluate(self, case: Case, judge: Judge) -> MetricResult:
        """Evaluate one case. What is wrong with the case's data or its replies is a status, never an exception."""
        ...


def decide(
    status: Status,
    score: float | None,
    bounds: tuple[float, float] | None,
    threshold: float,
    *,
    direction: str = "maximize",
) -> Outcome:
    """Say whether a result passes its threshold.

    A `scored` result passes when its score reaches the threshold; a `partial` one when even the worst score that its
    missing verdicts leave possible does, and it fails when even the best does not. All else is inconclusive.
    """
    if status is Status.SCORED and score is not None:
        bounds = (score, score)
    elif status is not Status.PARTIAL or bounds is None:
        return Outcome.INCONCLUSIVE
    lower, upper = bounds
    if direction == "minimize":
        lower, upper, threshold = -upper, -lower, -threshold
    if lower >= threshold - TOLERANCE:
        return Outcome.PASS
    if upper < threshold - TOLERANCE:
        return Outcome.FAIL
    return Outcome.INCONCLUSIVE


def is_passing(score: float | None, threshold: float, direction: str, *, slack: float = TOLERANCE) -> bool:
    """Whether a score reaches a threshold, or, where less is better, does not exceed it; no score never passes."""
    if score is None:
        return False
    return score <= threshold + slack if direction == "minimize" else score >= threshold - slack


def is_blank(text: str) -> bool:
    """Whether a text says nothing: only white space, punctuation, controls and invisible format characters."""
    return not text[:1].isalnum() and all(
        character.isspace() or unicodedata.category(character)[0] == "P" or unicodedata.category(character) in _UNSEEN
        for character in text
    )


def span_attributes(result: MetricResult) -> dict[str, Any]:
    """Return what the span of an evaluation tells of its result: how it ended, and numbers, no text."""
    return {
        "magistrate.status": result.status.value,
        "magistrate.outcome": result.outcome.value,
        "magistrate.score": result.score,
    }


def compose_reason(status: Status, verdicts: Sequence[StatementVerdict] = (), issues: Sequence[Issue] = ()) -> str:
    """Compose the reason of a result."""
    if status not in _SCORED:
        of_verdicts = [issue for verdict in verdicts for issue in verdict.issues]
        abstained = status is Status.REFUSED and all(
            issue.code is not IssueCode.REFUSAL for issue in (*issues, *of_verdicts)
        )
        telling = [one for one in of_verdicts if abstained or one.code is IssueCode.COUNT_MISMATCH]
        message = next((issue.message for issue in (*issues, *telling) if issue.message), "")
        why = "the judge cannot tell" if abstained and message else _WHY_NONE[status]
        return why + (f" ({_clipped(message)})" if message not in ("", why) else "")
    failing = [verdict for verdict in verdicts if verdict.verdict is not Verdict.SUPPORTED]
    parts = [f"supported {len(verdicts) - len(failing)} of {len(verdicts)}", *map(_line, failing[:_MOST_SHOWN])]
    if len(failing) > _MOST_SHOWN:
        parts.append(f"and {len(failing) - _MOST_SHOWN} more")
    parts += [_clipped(issue.message) for issue in issues if issue.code is IssueCode.SENTENCE_WITHOUT_STATEMENT]
    return "; ".join(parts)


def _line(verdict: StatementVerdict) -> str:
    if verdict.verdict is None:
        return f"{verdict.id} without verdict: {', '.join(dict.fromkeys(issue.code.value for issue in verdict.issues))}"
    line = f"{verdict.id} {verdict.verdict.value.replace('_', ' ')}"
    reason = _clipped(verdict.reason or "")
    return f"{line}: {reason}" if reason else line


def _clipped(text: str) -> str:
    # Only the start is split: a judge's reason can be a megabyte long.
    line = " ".join(text[: 4 * _LONGEST].split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1].rstrip() + "…"


def apply_policy(
    policy: Policy,
    threshold: float,
    *,
    status: Status,
    verdicts: Sequence[StatementVerdict],
    extra: Sequence[Verdict] = (),
) -> dict[str, Any]:
    """Return what follows from the verdicts: policy, score, bounds, threshold and outcome of a `MetricResult`."""
    score = score_verdicts(verdicts, status=status, policy=policy, extra=extra)
    return {
        "policy": policy.name,
        "score": score.value,
        "bounds": score.bounds,
        "threshold": threshold,
        "outcome": decide(status, score.value, score.bounds, threshold),
    }


def rescore(result: MetricResult, policy: str | Policy | None = None, threshold: float | None = None) -> MetricResult:
    """Score a stored result again, under another policy or threshold, without a call.

    A result whose score is a formula of its own, is not made of verdicts on statements, or is better the lower it is,
    keeps its score and policy; only its threshold and outcome change, where a threshold is given.

    Args:
        result: The result.
        policy: The policy, its name or alias; None for the result's own.
        threshold: The new threshold in [0, 1]; None for the new policy's own, or the result's where the policy has none
            or stays the same.

    Raises:
        ConfigurationError: If no policy has that name, or the threshold is no number in [0, 1].
    """
    limit = result.threshold if threshold is None else check_threshold(threshold)
    if policy is not None:
        policy = get_policy(policy)  # a wrong name is an error for every result alike
    with_verdicts = bool(result.verdicts) or result.status not in _SCORED
    foreign = policy is None and result.policy not in POLICIES  # a policy of the user's own: its score stands
    if result.formula or not with_verdicts or result.direction != "maximize" or foreign:
        outcome = decide(result.status, result.score, result.bounds, limit, direction=result.direction)
        return replace(result, threshold=limit, outcome=outcome)
    chosen = get_policy(result.policy if policy is None else policy)
    if threshold is None and chosen.name != result.policy and chosen.threshold is not None:
        limit = chosen.threshold
    fields = apply_policy(chosen, limit, status=result.status, verdicts=result.verdicts, extra=result.extra)
    return replace(result, **fields)


def check_threshold(threshold: float) -> float:
    """Return the threshold as a float."""
    number = isinstance(threshold, int | float) and not isinstance(threshold, bool) and math.isfinite(threshold)
    if not number or not 0.0 <= threshold <= 1.0:
        raise ConfigurationError(f"a threshold is a number from 0 to 1, not {threshold!r}")
    return float(threshold)
