"""A metric of ours, evaluated for a framework: one case in, one result out, and what its own channels can carry."""

from dataclasses import replace
from typing import Any

from magistrate.case import Case
from magistrate.errors import ConfigurationError
from magistrate.integrations._common.inputs import made
from magistrate.judges import Judge, resolve_judge
from magistrate.metrics.base import Metric, MetricResult, apply_policy, span_attributes
from magistrate.metrics.faithfulness import Faithfulness
from magistrate.scoring import POLICIES
from magistrate.sync import on_background, run_sync
from magistrate.text import find_statement, sentences_outside
from magistrate.tracing import metric_span, set_attributes
from magistrate.verdict import IssueCode, StatementVerdict, Status


class Evaluator:
    """Evaluates cases with a metric and a judge, from whatever thread or event loop a framework runs on."""

    def __init__(
        self, judge: str | Judge, metric: Metric | None = None, *, threshold: float | None = None, **options: Any
    ) -> None:
        if metric is not None and threshold is not None:
            raise ConfigurationError("the metric has a threshold of its own: give it there")
        self.metric: Metric = Faithfulness(threshold=threshold) if metric is None else metric
        self.judge = made(resolve_judge, judge, **options)

    async def evaluate(self, case: Case) -> MetricResult:
        return await on_background(self._evaluated(case))

    def evaluate_sync(self, case: Case) -> MetricResult:
        return run_sync(self._evaluated(case))

    async def _evaluated(self, case: Case) -> MetricResult:
        with metric_span(self.metric.name, case.id) as span:
            result = _with_claims_missing(await self.metric.evaluate(case, self.judge), case.answer or "")
            set_attributes(span, span_attributes(result))
            return result


def _with_claims_missing(result: MetricResult, answer: str) -> MetricResult:
    """Let a sentence of the answer that no claim was taken from count as one without a verdict."""
    lost = tuple(issue for issue in result.issues if issue.code is IssueCode.SENTENCE_WITHOUT_STATEMENT)
    policy = POLICIES.get(result.policy)
    if not lost or policy is None or result.formula or result.status not in {Status.SCORED, Status.PARTIAL}:
        return result
    spans = [find_statement(statement, answer) for statement in result.statements]
    left = sentences_outside(answer, spans)[spans.count(None) :]
    missing = [StatementVerdict(index=0, id="", statement=sentence.text, issues=lost) for sentence in left]
    verdicts = (*result.verdicts, *missing)
    told = apply_policy(policy, result.threshold, status=Status.PARTIAL, verdicts=verdicts, extra=result.extra)
    return replace(result, status=Status.PARTIAL, bounds=told["bounds"], outcome=told["outcome"])


def details(result: MetricResult) -> dict[str, Any]:
    """What a framework can keep beside the score, as JSON holds it."""
    return {
        "status": result.status.value,
        "outcome": result.outcome.value,
        "bounds": result.bounds and list(result.bounds),
        "threshold": result.threshold,
        "policy": result.policy,
        "judge": result.judge,
        "verdicts": [
            {
                "id": verdict.id,
                "statement": verdict.statement,
                "verdict": verdict.verdict and verdict.verdict.value,
                "reason": verdict.reason,
                "issues": [issue.code.value for issue in verdict.issues],
            }
            for verdict in result.verdicts
        ],
        "issues": [issue.code.value for issue in result.issues],
        "calls": result.usage.calls,
        "cost": result.usage.cost,
    }


def safe_score(result: MetricResult) -> float | None:
    """The score over all statements; None where there is none that is safe to use."""
    return result.score if result.status is Status.SCORED else None


def headline(result: MetricResult) -> str:
    reason = result.reason or "no reason was asked for"
    scored = result.status in {Status.SCORED, Status.PARTIAL}
    if scored and result.bounds is not None and result.bounds[0] < result.bounds[1]:
        reason += f", the score is between {result.bounds[0]:.3f} and {result.bounds[1]:.3f}"
    return reason if result.status is Status.SCORED else f"{result.status.value}: {reason}"
