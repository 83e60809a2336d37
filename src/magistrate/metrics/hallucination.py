"""Hallucination: which share of the answer's statements do the contexts not bear out?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from magistrate.case import Case
from magistrate.errors import ConfigurationError
from magistrate.judges import Judge, never_says
from magistrate.metrics.faithfulness import Faithfulness
from magistrate.metrics.reason import compose_reason
from magistrate.metrics.template import CaseMetric, Finding, Ledger, Need, ranged
from magistrate.verdict import Issue, IssueCode, StatementVerdict, Status, Verdict

__all__ = ["Hallucination"]

_SAID = {
    ("unsupported", "minimize"): "Which share of the answer's statements no context supports.",
    ("unsupported", "maximize"): "Which share of the answer's statements is left once the unsupported are taken off.",
    ("contradicted", "minimize"): "Which share of the answer's statements the contexts contradict.",
    ("contradicted", "maximize"): "Which share of the answer's statements no context contradicts.",
}
"""What is measured, by rate and direction, in a line."""
_DEFAULT = 0.2


class Hallucination(CaseMetric):
    """The share of the answer's statements that are hallucinated. Two rates go by that name, so each has its own here.

    - `rate="unsupported"`: unsupported_rate = (statements - supported) / statements, whatever the context does not
      support: 1 - faithfulness under the policy `strict`.
    - `rate="contradicted"`: contradiction_rate = contradicted / statements, only what the context rules out. A binary
      judge's "no" leaves open which it is, so it counts as missing; a judge that never says `contradicted` (offline)
      cannot measure this at all: status `refused`, and no score.

    `direction="minimize"` (default) reports the rate: more is worse, as DeepEval, VERA and Opik have it.
    `direction="maximize"` reports 1 - rate: more is better, as RagaliQ has it.

    Source: VERA ADR-0036 reports a hallucination_rate without a formula; DeepEval's Hallucination counts contradicted
    contexts; RagaliQ's hallucination is supported / claims. Default threshold: RagaliQ's 0.8, which as a rate is 0.2.

    Empty input: no answer, no context and an answer without statements have no score (`no_answer`, `no_context`,
    `vacuous`) and never pass. Missing verdicts: status `partial`, no score, bounds.

    Cost per case: the calls of faithfulness, and none where that is measured too.

    Args:
        threshold: The highest rate that passes; with `direction="maximize"` the least score that does. None for 0.2,
            and 0.8 respectively.
        rate: "unsupported" or "contradicted".
        direction: "minimize" or "maximize".
        judging: How statements are found and judged; None for `Faithfulness()`.
        include_reason: Whether results carry a reason.
        name: The name in reports; None for "unsupported_rate" or "contradiction_rate", and for 1 - rate
            "not_unsupported" or "not_contradicted".

    Raises:
        ConfigurationError: If an option is out of range.
    """

    cost = "extract + verify"
    needs: tuple[Need, ...] = ("answer", "contexts")

    def __init__(
        self,
        threshold: float | None = None,
        *,
        rate: Literal["unsupported", "contradicted"] = "unsupported",
        direction: Literal["minimize", "maximize"] = "minimize",
        judging: Faithfulness | None = None,
        include_reason: bool = True,
        name: str | None = None,
    ) -> None:
        if rate not in ("unsupported", "contradicted"):
            raise ConfigurationError(f"rate is 'unsupported' or 'contradicted', not {rate!r}")
        if direction not in ("minimize", "maximize"):
            raise ConfigurationError(f"direction is 'minimize' or 'maximize', not {direction!r}")
        self.rate = rate
        self.direction = direction
        self.judging = judging or Faithfulness()
        self.description = _SAID[rate, direction]
        self.policy = "unsupported-rate" if rate == "unsupported" else "contradiction-rate"
        self.formula = "(statements - supported) / statements" if rate == "unsupported" else "contradicted / statements"
        if direction == "maximize":
            self.policy, self.formula = f"1-{self.policy}", f"1 - {self.formula}"
        own_name = self.policy.replace("-", "_") if direction == "minimize" else f"not_{rate}"
        if threshold is None:
            threshold = _DEFAULT if direction == "minimize" else 1.0 - _DEFAULT
        super().__init__(
            name=name or own_name,
            threshold=threshold,
            include_reason=include_reason,
            options={"rate": rate, "direction": direction, "judging": self.judging.describe_judging()},
        )

    async def find(self, case: Case, judge: Judge, ledger: Ledger) -> Finding:
        """Judge the statements as faithfulness does, and count."""
        if self.rate == "contradicted" and Verdict.CONTRADICTED in never_says(judge):
            return self._cannot(judge, ledger)
        judged = await self.judging.evaluate(case, judge)
        ledger.add(judged)
        details = {"judging": judged.details}
        if not judged.verdicts:
            return Finding(status=judged.status, statements=judged.statements, details=details)
        status, score, bounds = self._count(judged.verdicts, judged.status)
        return Finding(
            status=status,
            score=score,
            bounds=bounds,
            reason=self._reason(judged.verdicts, judged.status),
            statements=judged.statements,
            verdicts=judged.verdicts,
            details=details,
        )

    def _cannot(self, judge: Judge, ledger: Ledger) -> Finding:
        message = f"the judge {judge.name!r} never says contradicted, so it cannot tell how much is; choose a model"
        ledger.note(Issue(IssueCode.REFUSAL, message))
        return Finding(status=Status.REFUSED, reason=message)

    def _count(
        self, verdicts: Sequence[StatementVerdict], status: Status
    ) -> tuple[Status, float | None, tuple[float, float]]:
        bad = sum(self._is_bad(verdict.verdict) is True for verdict in verdicts)
        unknown = sum(self._is_bad(verdict.verdict) is None for verdict in verdicts)
        low, high = bad / len(verdicts), (bad + unknown) / len(verdicts)
        if self.direction == "maximize":
            low, high = 1.0 - high, 1.0 - low
        if not unknown:
            return ranged(low, high)
        return ranged(low, high, missing=status, known=unknown < len(verdicts) or status is Status.SCORED)

    def _is_bad(self, verdict: Verdict | None) -> bool | None:
        """Whether a statement counts for the rate; None where the verdict does not say."""
        if verdict is None:
            return None
        if self.rate == "unsupported":
            return verdict is not Verdict.SUPPORTED
        return None if verdict is Verdict.UNSUPPORTED else verdict is Verdict.CONTRADICTED

    def _reason(self, verdicts: Sequence[StatementVerdict], status: Status) -> str | None:
        if status not in (Status.SCORED, Status.PARTIAL):
            return None
        counted = [verdict for verdict in verdicts if self._is_bad(verdict.verdict)]
        head = f"{self.rate} {len(counted)} of {len(verdicts)}"
        return f"{head}; {compose_reason(status, verdicts)}"
