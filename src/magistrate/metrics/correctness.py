"""Answer correctness: does the answer say what the reference says, and nothing else?"""

from __future__ import annotations

from typing import Any, Literal

from magistrate.case import Case
from magistrate.errors import ConfigurationError
from magistrate.judges import Judge
from magistrate.metrics.asking import gather
from magistrate.metrics.base import MetricResult
from magistrate.metrics.faithfulness import Faithfulness
from magistrate.metrics.template import CaseMetric, Finding, Ledger, Need, ranged
from magistrate.metrics.verification import is_blank
from magistrate.scoring import DEFAULT_THRESHOLD
from magistrate.verdict import Status, Verdict

__all__ = ["AnswerCorrectness"]


class AnswerCorrectness(CaseMetric):
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
        threshold: The score needed to pass; None for 0.7.
        measure: "f" for F_beta, or "precision" or "recall" alone.
        beta: How much recall weighs against precision, above 0.
        judging: How claims are found and judged; None for `Faithfulness()`.
        include_reason: Whether results carry a reason.
        name: The name in reports.

    Raises:
        ConfigurationError: If an option is out of range.
    """

    description = "How far the answer and the reference answer say the same."
    cost = "2 extract + 2 verify"
    needs: tuple[Need, ...] = ("reference", "answer")

    def __init__(
        self,
        threshold: float | None = None,
        *,
        measure: Literal["f", "precision", "recall"] = "f",
        beta: float = 1.0,
        judging: Faithfulness | None = None,
        include_reason: bool = True,
        name: str = "answer_correctness",
    ) -> None:
        if measure not in ("f", "precision", "recall"):
            raise ConfigurationError(f"measure is 'f', 'precision' or 'recall', not {measure!r}")
        if not isinstance(beta, int | float) or isinstance(beta, bool) or not 0.0 < beta <= 1000.0:  # noqa: PLR2004
            raise ConfigurationError(f"beta is a number above 0, such as 1, not {beta!r}")
        self.measure = measure
        self.beta = float(beta)
        self.judging = judging or Faithfulness()
        self.policy = f"answer-correctness-{measure}"
        self.formula = {
            "f": "(1 + b²) P R / (b² P + R), P and R of the claims of answer and reference",
            "precision": "claims of the answer that the reference supports / claims of the answer",
            "recall": "claims of the reference that the answer supports / claims of the reference",
        }[measure]
        super().__init__(
            name=name,
            threshold=DEFAULT_THRESHOLD if threshold is None else threshold,
            include_reason=include_reason,
            options={"measure": measure, "beta": self.beta, "judging": self.judging.describe_judging()},
        )

    async def find(self, case: Case, judge: Judge, ledger: Ledger) -> Finding:
        """Judge the answer by the reference and the reference by the answer."""
        answer = case.answer if not is_blank(case.answer or "") else "\n".join(case.statements or ())
        said = case.model_copy(update={"contexts": (case.reference or "",)})
        wanted = Case(id=case.id, question=case.question, answer=case.reference, contexts=(answer or "",))
        cases = {"precision": [said], "recall": [wanted]}.get(self.measure, [said, wanted])
        results: list[MetricResult] = await gather(*(self.judging.evaluate(one, judge) for one in cases))
        shown = 0 if self.measure != "recall" else None
        for place, result in enumerate(results):
            ledger.add(result, aside=place != shown and len(results) > 1)
        first = results[0]
        details: dict[str, Any] = {"measure": self.measure, "beta": self.beta}
        names = ("precision", "recall") if self.measure == "f" else (self.measure,)
        spans: list[tuple[float, float]] = []
        for name, result in zip(names, results, strict=True):
            details[name] = _listed(result)
            if not result.verdicts or result.status is Status.VACUOUS:
                return Finding(status=result.status, reason=_why(name, result), details=details)
            spans.append(_span(result))
        lows, highs = [span[0] for span in spans], [span[1] for span in spans]
        missing = next((result.status for result, span in zip(results, spans, strict=True) if span[0] != span[1]), None)
        known = any(verdict.verdict is not None for result in results for verdict in result.verdicts)
        status, score, bounds = ranged(self._score(lows), self._score(highs), missing=missing, known=known)
        if missing is not None and known:
            status = Status.PARTIAL
        reason = "; ".join(_said(name, result) for name, result in zip(names, results, strict=True))
        return Finding(
            status=status,
            score=score,
            bounds=bounds,
            reason=reason,
            statements=first.statements,
            verdicts=first.verdicts,
            details=details,
        )

    def _score(self, shares: list[float]) -> float:
        if len(shares) == 1:
            return shares[0]
        precision, recall = shares
        weight = self.beta * self.beta
        below = weight * precision + recall
        return (1.0 + weight) * precision * recall / below if below else 0.0


def _span(result: MetricResult) -> tuple[float, float]:
    supported = sum(verdict.verdict is Verdict.SUPPORTED for verdict in result.verdicts)
    unknown = sum(verdict.verdict is None for verdict in result.verdicts)
    return supported / len(result.verdicts), (supported + unknown) / len(result.verdicts)


def _listed(result: MetricResult) -> list[dict[str, Any]]:
    return [{"statement": v.statement, "verdict": v.verdict.value if v.verdict else None} for v in result.verdicts]


def _why(name: str, result: MetricResult) -> str | None:
    if result.status is not Status.VACUOUS:
        return None
    return f"the {'answer' if name == 'precision' else 'reference'} states nothing"


def _said(name: str, result: MetricResult) -> str:
    supported = sum(verdict.verdict is Verdict.SUPPORTED for verdict in result.verdicts)
    n = len(result.verdicts)
    if name == "precision":
        return f"the reference supports {supported} of the answer's {n} claims"
    return f"the answer supports {supported} of the reference's {n} claims"
