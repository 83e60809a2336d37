"""Answer correctness: does the answer say what the reference says, and nothing else?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from magistrate.case import Case
from magistrate.errors import ConfigurationError
from magistrate.judges import Judge
from magistrate.metrics._case_metric import Account, By, Finding, Option, between, one_of, supported
from magistrate.metrics.base import MetricResult
from magistrate.metrics.faithfulness import JudgedMetric
from magistrate.metrics.verification import gather, is_blank
from magistrate.verdict import Status

_FORMULAS = {
    "f": "(1 + b²) P R / (b² P + R), P and R of the claims of answer and reference",
    "precision": "claims of the answer that the reference supports / claims of the answer",
    "recall": "claims of the reference that the answer supports / claims of the reference",
}
_REASONS = {
    "precision": "the reference supports {} of the answer's {} claims",
    "recall": "the answer supports {} of the reference's {} claims",
}
_STATES_NOTHING = {"precision": "the answer states nothing", "recall": "the reference states nothing"}


def _beta(_: Any, given: float) -> float:
    if not isinstance(given, int | float) or isinstance(given, bool) or not 0.0 < given <= 1000.0:  # noqa: PLR2004
        raise ConfigurationError(f"beta is a number above 0, such as 1, not {given!r}")
    return float(given)


@dataclass(kw_only=True, eq=False, repr=False)
class AnswerCorrectness(JudgedMetric):
    """How far the answer and a reference answer say the same.

    precision = claims of the answer that the reference supports / claims of the answer; recall = claims of the
    reference that the answer supports / claims of the reference; score = F_beta = (1 + b²) P R / (b² P + R), 0 where
    both are 0. In [0, 1], more is better. Source: RAGAS factual correctness (TP, FP, FN of claims and their F score);
    F_beta: van Rijsbergen, "Information retrieval", 1979. The contexts are not looked at.

    Default threshold 0.7. Empty input: `missing_input` without a reference, `no_answer`; `vacuous` where answer or
    reference states nothing that the measure needs; no score. Missing verdicts: `partial`, no score, bounds.

    Cost per case: two calls to extract the claims of answer and reference (shared with the metrics that need them), two
    to verify them; two in all for precision or recall alone.

    Args:
        measure: "f" for F_beta, or "precision" or "recall" alone.
        beta: How much recall weighs against precision, above 0.

    Raises:
        ConfigurationError: If an option is out of range.
    """

    measure: Option[Literal["f", "precision", "recall"], str] = Option("f", one_of("measure", *_FORMULAS))
    beta: Option[float, float] = Option(1.0, _beta)

    default_name = "answer_correctness"
    default_description = "How far the answer and the reference answer say the same."
    needs = ("reference", "answer")
    cost = "2 extract + 2 verify"

    policy = By(lambda m: f"answer-correctness-{m.measure}")
    formula = By(lambda m: _FORMULAS[m.measure])

    async def find(self, case: Case, judge: Judge, account: Account) -> Finding:
        """Judge the answer by the reference and the reference by the answer."""
        answer = case.answer if not is_blank(case.answer or "") else "\n".join(case.statements or ())
        cases = {
            "precision": case.model_copy(update={"contexts": (case.reference or "",)}),
            "recall": Case(id=case.id, question=case.question, answer=case.reference, contexts=(answer or "",)),
        }
        names = ("precision", "recall") if self.measure == "f" else (self.measure,)
        results = await gather(*(self.judging.evaluate(cases[name], judge) for name in names))
        for place, result in enumerate(results):
            account.add(result, aside=place > 0)
        details: dict[str, Any] = {"measure": self.measure, "beta": self.beta}
        reasons, spans = [], []
        for name, result in zip(names, results, strict=True):
            details[name] = _listed(result)
            if not result.verdicts or result.status is Status.VACUOUS:
                reason = _STATES_NOTHING[name] if result.status is Status.VACUOUS else None
                return Finding(status=result.status, reason=reason, details=details)
            flags = supported(result.verdicts)
            reasons.append(_REASONS[name].format(flags.count(True), len(flags)))
            spans.append((flags.count(True) / len(flags), (flags.count(True) + flags.count(None)) / len(flags)))
        lows, highs = zip(*spans, strict=True)
        missing = next((result.status for result, span in zip(results, spans, strict=True) if span[0] != span[1]), None)
        known = any(verdict.verdict is not None for result in results for verdict in result.verdicts)
        return between(
            self._score(lows),
            self._score(highs),
            missing=missing,
            known=known,
            reason="; ".join(reasons),
            statements=results[0].statements,
            verdicts=results[0].verdicts,
            details=details,
        )

    def _score(self, shares: Sequence[float]) -> float:
        if len(shares) == 1:
            return shares[0]
        precision, recall = shares
        weight = self.beta * self.beta
        below = weight * precision + recall
        return (1.0 + weight) * precision * recall / below if below else 0.0


def _listed(result: MetricResult) -> list[dict[str, Any]]:
    return [{"statement": v.statement, "verdict": v.verdict.value if v.verdict else None} for v in result.verdicts]
