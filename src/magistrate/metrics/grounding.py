"""Grounding precision, recall and F1: how much of the answer is grounded, and what of the reference that covers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from magistrate.case import Case
from magistrate.judges import Judge
from magistrate.metrics.base import MetricResult
from magistrate.metrics.faithfulness import Faithfulness
from magistrate.metrics.rescoring import check_threshold
from magistrate.metrics.template import CaseMetric, Finding, Ledger, Need, Range, ranged
from magistrate.scoring import DEFAULT_THRESHOLD
from magistrate.verdict import StatementVerdict, Status, Verdict

__all__ = ["ENTAILMENT", "GroundingF1", "GroundingPrecision", "GroundingRecall", "f1", "is_grounded"]

ENTAILMENT = 0.70
"""P(supported) from which a claim counts as grounded (VERA ADR-0036)."""

_JUDGED = (Status.SCORED, Status.PARTIAL)


def is_grounded(verdict: StatementVerdict, entailment: float = ENTAILMENT) -> bool | None:
    """Whether a claim is grounded: by its P(supported) where the judge gives one, else by its verdict.

    Returns:
        None for a claim without verdict.
    """
    if verdict.verdict is None:
        return None
    if verdict.probability is not None:
        return verdict.probability >= entailment
    return verdict.verdict is Verdict.SUPPORTED


def f1(precision: float, recall: float) -> float:
    """The harmonic mean of two shares: 2 P R / (P + R), and 0 where both are 0."""
    total = precision + recall
    return 2.0 * precision * recall / total if total else 0.0


@dataclass(frozen=True, slots=True)
class _Measured:
    """One of the two shares, and what it was read from."""

    status: Status
    score: float | None
    bounds: tuple[float, float] | None
    result: MetricResult | None
    reason: str | None = None


class _Grounding(CaseMetric):
    """What precision, recall and F1 share."""

    def __init__(
        self,
        threshold: float | None,
        *,
        entailment: float,
        judging: Faithfulness | None,
        include_reason: bool,
        name: str,
    ) -> None:
        self.entailment = check_threshold(entailment)
        self.judging = judging or Faithfulness()
        super().__init__(
            name=name,
            threshold=DEFAULT_THRESHOLD if threshold is None else threshold,
            include_reason=include_reason,
            options={"entailment": self.entailment, "judging": self.judging.describe_judging()},
        )

    async def _precision(self, case: Case, judge: Judge) -> _Measured:
        judged = await self.judging.evaluate(case, judge)
        if not judged.verdicts:
            return _Measured(judged.status, None, None, judged)
        flags = self._flags(judged)
        status, score, bounds = _share(flags, judged.status)
        said = f"grounded {flags.count(True)} of {len(flags)} claims" if judged.status in _JUDGED else None
        return _Measured(status, score, bounds, judged, said)

    async def _recall(self, case: Case, judge: Judge, judged: MetricResult) -> _Measured:
        """How much of the reference follows from the grounded claims of the answer."""
        if not judged.verdicts and judged.status is not Status.VACUOUS:
            return _Measured(judged.status, None, None, None)
        flags = self._flags(judged)
        grounded = [v.statement for v, flag in zip(judged.verdicts, flags, strict=True) if flag]
        # Blank statements have no verdict either, but there is nothing in them that could be grounded.
        unknown = None if None not in flags or judged.status is Status.VACUOUS else judged.status
        if not grounded:
            status, score, bounds = ranged(0.0, 1.0 if unknown else 0.0, missing=unknown, known=unknown in _JUDGED)
            said = "nothing of the answer is grounded" if judged.status in (*_JUDGED, Status.VACUOUS) else None
            return _Measured(status, score, bounds, None, said)
        reference = Case(id=case.id, question=case.question, answer=case.reference, contexts=("\n".join(grounded),))
        found = await self.judging.evaluate(reference, judge)
        if not found.verdicts:
            return _Measured(found.status, None, None, found)
        marks = self._flags(found)
        status, score, bounds = _share(marks, found.status)
        if unknown and status is Status.SCORED:
            # What was not judged may be grounded too, and then entail more of the reference.
            status, score, bounds = ranged(bounds[0], 1.0, missing=unknown)
        elif unknown:
            bounds = (bounds[0], 1.0)
        return _Measured(
            status, score, bounds, found, f"grounded claims entail {marks.count(True)} of {len(marks)} reference claims"
        )

    def _flags(self, judged: MetricResult) -> list[bool | None]:
        return [is_grounded(verdict, self.entailment) for verdict in judged.verdicts]

    def _details(self, **further: Any) -> dict[str, Any]:
        return {"entailment": self.entailment, **further}


class GroundingPrecision(_Grounding):
    """The share of the answer's claims that are grounded in the contexts.

    grounded claims / claims, in [0, 1], more is better; a claim is grounded where its P(supported) is at least 0.70,
    or, for a judge that gives no probability, where its verdict is `supported`. Source: VERA ADR-0036, grounding
    precision; its target 0.90 is in the gate file `vera`, and 0.60 to 0.70 is what it expects of naive RAG. On the same
    verdicts it equals faithfulness under the policy `vera`.

    Default threshold 0.7. Empty input: `no_answer`, `no_context`, `vacuous` where the answer states nothing; no score.
    Missing verdicts: `partial`, no score, bounds.

    Cost per case: the calls of faithfulness, and none where that is measured too.

    Args:
        threshold: The score needed to pass; None for 0.7.
        entailment: P(supported) from which a claim is grounded, in [0, 1].
        judging: How claims are found and judged; None for `Faithfulness()`.
        include_reason: Whether results carry a reason.
        name: The name in reports.

    Raises:
        ConfigurationError: If an option is out of range.
    """

    description = "Which share of the answer's claims is grounded in the contexts."
    cost = "extract + verify"
    needs: tuple[Need, ...] = ("answer", "contexts")
    policy = "grounding-precision"
    formula = "grounded claims / claims"

    def __init__(
        self,
        threshold: float | None = None,
        *,
        entailment: float = ENTAILMENT,
        judging: Faithfulness | None = None,
        include_reason: bool = True,
        name: str = "grounding_precision",
    ) -> None:
        super().__init__(threshold, entailment=entailment, judging=judging, include_reason=include_reason, name=name)

    async def find(self, case: Case, judge: Judge, ledger: Ledger) -> Finding:
        """Judge the claims as faithfulness does, and count those that are grounded."""
        found = await self._precision(case, judge)
        assert found.result is not None  # noqa: S101 - precision always has one
        ledger.add(found.result)
        return Finding(
            status=found.status,
            score=found.score,
            bounds=found.bounds,
            reason=found.reason,
            statements=found.result.statements,
            verdicts=found.result.verdicts,
            details=self._details(judging=found.result.details),
        )


class GroundingRecall(_Grounding):
    """The share of the reference answer's claims that the grounded part of the answer entails.

    entailed reference claims / reference claims, in [0, 1], more is better. Source: VERA ADR-0036 reports a
    grounding_recall without a formula; this one is recall in the sense of its precision: only what is grounded counts,
    so an answer cannot gain by guessing. A reference claim is entailed as in `GroundingPrecision`.

    Default threshold 0.7. Empty input: `missing_input` without a reference, `no_answer`, `no_context`; `vacuous` where
    the reference states nothing. An answer of which nothing is grounded, or that states nothing, scores 0. Missing
    verdicts: `partial`, no score, bounds.

    Cost per case: the calls of faithfulness (shared with it), one to extract the reference's claims, one to verify
    them.

    Args:
        threshold: The score needed to pass; None for 0.7.
        entailment: P(supported) from which a claim is grounded, in [0, 1].
        judging: How claims are found and judged; None for `Faithfulness()`.
        include_reason: Whether results carry a reason.
        name: The name in reports.

    Raises:
        ConfigurationError: If an option is out of range.
    """

    description = "Which share of the reference's claims the grounded part of the answer entails."
    cost = "2 extract + 2 verify"
    needs: tuple[Need, ...] = ("reference", "answer", "contexts")
    policy = "grounding-recall"
    formula = "reference claims entailed by grounded claims / reference claims"

    def __init__(
        self,
        threshold: float | None = None,
        *,
        entailment: float = ENTAILMENT,
        judging: Faithfulness | None = None,
        include_reason: bool = True,
        name: str = "grounding_recall",
    ) -> None:
        super().__init__(threshold, entailment=entailment, judging=judging, include_reason=include_reason, name=name)

    async def find(self, case: Case, judge: Judge, ledger: Ledger) -> Finding:
        """Judge the claims as faithfulness does, then the reference's claims against those that are grounded."""
        judged = await self.judging.evaluate(case, judge)
        ledger.add(judged, aside=True)
        found = await self._recall(case, judge, judged)
        if found.result is not None:
            ledger.add(found.result)
        return Finding(
            status=found.status,
            score=found.score,
            bounds=found.bounds,
            reason=found.reason,
            statements=found.result.statements if found.result else (),
            verdicts=found.result.verdicts if found.result else (),
            details=self._details(answer=_listed(judged.verdicts)),
        )


class GroundingF1(_Grounding):
    """The harmonic mean of grounding precision and grounding recall.

    2 P R / (P + R), in [0, 1], more is better; 0 where both are 0, undefined where either is. Source: VERA ADR-0036
    reports an f1_score without a formula, and its figures (0.92, 0.84, 0.88) agree with this one. In its JSON
    (`--format vera`) f1_score is taken of the two means; here it is taken case by case.

    Default threshold 0.7. Empty input and missing verdicts: as for `GroundingRecall`, and `vacuous` where the answer
    states nothing.

    Cost per case: the calls of grounding recall, and none where that is measured too.

    Args:
        threshold: The score needed to pass; None for 0.7.
        entailment: P(supported) from which a claim is grounded, in [0, 1].
        judging: How claims are found and judged; None for `Faithfulness()`.
        include_reason: Whether results carry a reason.
        name: The name in reports.

    Raises:
        ConfigurationError: If an option is out of range.
    """

    description = "The harmonic mean of grounding precision and grounding recall."
    cost = "2 extract + 2 verify"
    needs: tuple[Need, ...] = ("reference", "answer", "contexts")
    policy = "grounding-f1"
    formula = "2 P R / (P + R), P grounding precision, R grounding recall"

    def __init__(
        self,
        threshold: float | None = None,
        *,
        entailment: float = ENTAILMENT,
        judging: Faithfulness | None = None,
        include_reason: bool = True,
        name: str = "grounding_f1",
    ) -> None:
        super().__init__(threshold, entailment=entailment, judging=judging, include_reason=include_reason, name=name)

    async def find(self, case: Case, judge: Judge, ledger: Ledger) -> Finding:
        """Measure both, and put them together."""
        precision = await self._precision(case, judge)
        assert precision.result is not None  # noqa: S101 - precision always has one
        ledger.add(precision.result)
        recall = _Measured(precision.status, None, None, None)
        if precision.bounds is not None:
            recall = await self._recall(case, judge, precision.result)
        if recall.result is not None:
            ledger.add(recall.result, aside=True)
        status, score, bounds = _both(precision, recall)
        return Finding(
            status=status,
            score=score,
            bounds=bounds,
            reason="; ".join(filter(None, (precision.reason, recall.reason))) or None,
            statements=precision.result.statements,
            verdicts=precision.result.verdicts,
            details=self._details(
                precision=precision.score,
                recall=recall.score,
                reference=_listed(recall.result.verdicts) if recall.result else [],
            ),
        )


def _share(flags: Sequence[bool | None], status: Status) -> Range:
    """The share of flags that are set, where some may not be known for the reason `status`."""
    low, unknown = flags.count(True), flags.count(None)
    return ranged(
        low / len(flags),
        (low + unknown) / len(flags),
        missing=status if unknown else None,
        known=unknown < len(flags),
    )


def _both(precision: _Measured, recall: _Measured) -> tuple[Status, float | None, tuple[float, float] | None]:
    if precision.bounds is None or recall.bounds is None:
        failed = precision if precision.bounds is None else recall
        return failed.status, None, None
    low, high = (f1(p, r) for p, r in zip(precision.bounds, recall.bounds, strict=True))
    missing = next((part.status for part in (precision, recall) if part.status is not Status.SCORED), None)
    return ranged(low, high, missing=missing, known=missing is Status.PARTIAL or missing is None)


def _listed(verdicts: Sequence[StatementVerdict]) -> list[dict[str, Any]]:
    return [
        {"statement": v.statement, "verdict": v.verdict.value if v.verdict else None, "probability": v.probability}
        for v in verdicts
    ]
