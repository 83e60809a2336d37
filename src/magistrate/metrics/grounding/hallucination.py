"""Hallucination: which share of the answer's statements do the contexts not bear out?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from magistrate.case import Case
from magistrate.judges import Judge, name_of, never_says
from magistrate.metrics._case_metric import Account, By, Direction, Finding, Option, one_of, share_of
from magistrate.metrics.base import compose_reason
from magistrate.metrics.faithfulness import JudgedMetric
from magistrate.verdict import Issue, IssueCode, Status, Verdict

_DESCRIPTIONS = {
    ("unsupported", "minimize"): "Which share of the answer's statements no context supports.",
    ("unsupported", "maximize"): "Which share of the answer's statements is left once the unsupported are taken off.",
    ("contradicted", "minimize"): "Which share of the answer's statements the contexts contradict.",
    ("contradicted", "maximize"): "Which share of the answer's statements no context contradicts.",
}
_RATES = {
    "unsupported": ("unsupported-rate", "(statements - supported) / statements"),
    "contradicted": ("contradiction-rate", "contradicted / statements"),
}
_DEFAULT = 0.2


@dataclass(kw_only=True, eq=False, repr=False)
class Hallucination(JudgedMetric):
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
        name: The name in reports; None for "unsupported_rate" or "contradiction_rate", and for 1 - rate
            "not_unsupported" or "not_contradicted".
        threshold: The highest rate that passes; with `direction="maximize"` the least score that does. None for 0.2,
            and 0.8 respectively.
        rate: "unsupported" or "contradicted".
        direction: "minimize" or "maximize".

    Raises:
        ConfigurationError: If an option is out of range.
    """

    rate: Option[Literal["unsupported", "contradicted"], str] = Option("unsupported", one_of("rate", *_RATES))
    direction: Option[Direction, str] = Option("minimize", one_of("direction", "minimize", "maximize"))

    needs = ("answer", "contexts")
    cost = "extract + verify"

    default_name = By(lambda m: _RATES[m.rate][0].replace("-", "_") if m.direction == "minimize" else f"not_{m.rate}")
    default_description = By(lambda m: _DESCRIPTIONS[m.rate, m.direction])
    default_threshold = By(lambda m: _DEFAULT if m.direction == "minimize" else 1.0 - _DEFAULT)
    policy = By(lambda m: f"{'1-' if m.direction == 'maximize' else ''}{_RATES[m.rate][0]}")
    formula = By(lambda m: f"{'1 - ' if m.direction == 'maximize' else ''}{_RATES[m.rate][1]}")
    offline = By(lambda m: "yes" if m.rate == "unsupported" else "no: it never says contradicted")

    async def find(self, case: Case, judge: Judge, account: Account) -> Finding:
        """Judge the statements as faithfulness does, and count."""
        if self.rate == "contradicted" and Verdict.CONTRADICTED in never_says(judge):
            message = (
                f"the judge {name_of(judge)!r} never says contradicted, so it cannot tell how much is; choose a model"
            )
            account.note(Issue(IssueCode.REFUSAL, message))
            return Finding(status=Status.REFUSED, reason=message)
        judged = await self.judging.evaluate(case, judge)
        account.add(judged)
        found = Finding(status=judged.status)
        if judged.verdicts:
            bad = [self._is_bad(verdict.verdict) for verdict in judged.verdicts]
            why = Status.PARTIAL if judged.status is Status.SCORED else judged.status
            reason = None
            if judged.status in (Status.SCORED, Status.PARTIAL):
                counted = f"{self.rate} {bad.count(True)} of {len(bad)}"
                reason = f"{counted}; {compose_reason(judged.status, judged.verdicts)}"
            found = share_of(bad, why, reason=reason, verdicts=judged.verdicts)
            if self.direction == "maximize" and found.bounds is not None:
                low, high = (1.0 - bound for bound in reversed(found.bounds))
                found = replace(found, score=None if found.score is None else low, bounds=(low, high))
        return replace(found, statements=judged.statements, details={"judging": judged.details})

    def _is_bad(self, verdict: Verdict | None) -> bool | None:
        """Whether a statement counts for the rate; None where the verdict does not say."""
        if verdict is None:
            return None
        if self.rate == "unsupported":
            return verdict is not Verdict.SUPPORTED
        return None if verdict is Verdict.UNSUPPORTED else verdict is Verdict.CONTRADICTED
