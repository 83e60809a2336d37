"""Contextual precision and recall: did the retriever find what the reference answer needs, and rank it first?"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from magistrate.case import Case
from magistrate.judges import Judge, VerdictsReply
from magistrate.metrics.faithfulness import Faithfulness
from magistrate.metrics.per_context import verify_against_each
from magistrate.metrics.template import CaseMetric, Finding, Ledger, Need, ranged
from magistrate.metrics.verification import is_blank
from magistrate.scoring import DEFAULT_THRESHOLD
from magistrate.verdict import Status, Verdict

__all__ = ["ContextualPrecision", "ContextualRecall", "average_precision"]

_MOST_TRIED = 12
"""Passages of unknown relevance up to which every possibility is tried; 4,096 then."""


class _Contextual(CaseMetric):
    """What both share: they judge the claims of the reference, not those of the answer."""

    needs: tuple[Need, ...] = ("reference", "contexts")

    def __init__(
        self, threshold: float | None, *, judging: Faithfulness | None, include_reason: bool, name: str
    ) -> None:
        self.judging = judging or Faithfulness()
        super().__init__(
            name=name,
            threshold=DEFAULT_THRESHOLD if threshold is None else threshold,
            include_reason=include_reason,
            options={"judging": self.judging.describe_judging()},
        )


class ContextualRecall(_Contextual):
    """The share of the reference answer's claims that the contexts support.

    supported reference claims / reference claims, in [0, 1], more is better. Source: RAGAS context recall (attributed
    reference sentences / reference sentences); DeepEval ContextualRecallMetric.

    Default threshold 0.7. Empty input: `missing_input` without a reference, `no_context`, `vacuous` where the reference
    states nothing; no score. Missing verdicts: `partial`, no score, bounds. The answer is not looked at.

    Cost per case: one call to extract the reference's claims (shared with the other metrics that need them), one to
    verify them.

    Args:
        threshold: The score needed to pass; None for 0.7.
        judging: How claims are found and judged; None for `Faithfulness()`.
        include_reason: Whether results carry a reason.
        name: The name in reports.
    """

    description = "Which share of the reference's claims the contexts support."
    cost = "extract + verify"
    policy = "contextual-recall"
    formula = "supported reference claims / reference claims"

    def __init__(
        self,
        threshold: float | None = None,
        *,
        judging: Faithfulness | None = None,
        include_reason: bool = True,
        name: str = "contextual_recall",
    ) -> None:
        super().__init__(threshold, judging=judging, include_reason=include_reason, name=name)

    async def find(self, case: Case, judge: Judge, ledger: Ledger) -> Finding:
        """Judge the reference as faithfulness judges an answer."""
        judged = await self.judging.evaluate(_reference(case), judge)
        ledger.add(judged)
        verdicts = judged.verdicts
        if not verdicts:
            return Finding(status=judged.status)
        supported = sum(verdict.verdict is Verdict.SUPPORTED for verdict in verdicts)
        unknown = sum(verdict.verdict is None for verdict in verdicts)
        status, score, bounds = ranged(
            supported / len(verdicts),
            (supported + unknown) / len(verdicts),
            missing=judged.status if unknown else None,
            known=unknown < len(verdicts),
        )
        reason = f"the contexts support {supported} of {len(verdicts)} reference claims"
        return Finding(
            status=status,
            score=score,
            bounds=bounds,
            reason=reason,
            statements=judged.statements,
            verdicts=verdicts,
            details={"judging": judged.details},
        )


class ContextualPrecision(_Contextual):
    """Whether the passages that the reference answer needs are ranked above those that it does not.

    The average precision of the ranking: sum over ranks k of precision@k * v_k / sum of v_k, with v_k = 1 where passage
    k, on its own, supports at least one claim of the reference, else 0; 0 where no passage does. In [0, 1], more is
    better. Source: RAGAS context precision and DeepEval ContextualPrecisionMetric, whose judges are asked for v_k
    directly; here it follows from verdicts, so that the claim which makes a passage relevant can be seen.

    Default threshold 0.7. Empty input: `missing_input` without a reference, `no_context`, `vacuous` where the reference
    states nothing; no score. If it is not known whether a passage is relevant: `partial`, no score, and the bounds over
    all possibilities. Blank passages are left out, and keep no rank. The answer is not looked at.

    Cost per case: one call to extract the reference's claims (shared with the other metrics that need them), one for
    each passage to verify them.

    Args:
        threshold: The score needed to pass; None for 0.7.
        judging: How claims are found and judged; None for `Faithfulness()`.
        include_reason: Whether results carry a reason.
        name: The name in reports.
    """

    description = "Whether the passages that the reference needs are ranked first."
    cost = "extract + 1 a passage"
    policy = "contextual-precision"
    formula = "sum of precision@k over the relevant ranks k / relevant passages"

    def __init__(
        self,
        threshold: float | None = None,
        *,
        judging: Faithfulness | None = None,
        include_reason: bool = True,
        name: str = "contextual_precision",
    ) -> None:
        super().__init__(threshold, judging=judging, include_reason=include_reason, name=name)

    async def find(self, case: Case, judge: Judge, ledger: Ledger) -> Finding:
        """Judge the reference's claims against each passage."""
        claims = await self.judging.statements_of(_reference(case), judge)
        ledger.add(claims)
        if claims.status is not Status.SCORED or all(map(is_blank, claims.statements)):
            return Finding(status=Status.VACUOUS if claims.status is Status.SCORED else claims.status)
        passages = [(index, text) for index, text in enumerate(case.contexts) if not is_blank(text)]
        replies = await verify_against_each(
            self.judging, judge, claims.statements, [[text] for _, text in passages], case.question
        )
        for reply in replies:
            ledger.add(reply, aside=True)
        relevant = [_is_relevant(reply) for reply in replies]
        low, high = _range(relevant)
        missing = next((reply.status for reply, known in zip(replies, relevant, strict=True) if known is None), None)
        status, score, bounds = ranged(low, high, missing=missing, known=any(flag is not None for flag in relevant))
        shown = ", ".join({True: "yes", False: "no", None: "unknown"}[flag] for flag in relevant)
        details = {
            "claims": list(claims.statements),
            "contexts": [
                {
                    "context": index,
                    "relevant": flag,
                    "verdicts": [verdict.verdict.value if verdict.verdict else None for verdict in reply.verdicts],
                }
                for (index, _), flag, reply in zip(passages, relevant, replies, strict=True)
            ],
        }
        return Finding(status=status, score=score, bounds=bounds, reason=f"relevant by rank: {shown}", details=details)


def average_precision(relevant: Sequence[bool]) -> float:
    """The mean of precision@k over the ranks k of the relevant items; 0 where none is relevant."""
    hits = 0
    total = 0.0
    for rank, flag in enumerate(relevant, 1):
        if flag:
            hits += 1
            total += hits / rank
    return total / hits if hits else 0.0


def _reference(case: Case) -> Case:
    """The case with its reference in place of its answer."""
    return Case(id=case.id, question=case.question, answer=case.reference, contexts=case.contexts)


def _is_relevant(reply: VerdictsReply) -> bool | None:
    """Whether a passage supports a claim; None where only a missing verdict could say so."""
    verdicts = [verdict.verdict for verdict in reply.verdicts]
    if Verdict.SUPPORTED in verdicts:
        return True
    return None if None in verdicts or not verdicts else False


def _range(relevant: Sequence[bool | None]) -> tuple[float, float]:
    """Least and greatest average precision: one passage more can raise it or lower it, so possibilities are tried."""
    unknown = [index for index, flag in enumerate(relevant) if flag is None]
    if len(unknown) > _MOST_TRIED:
        return 0.0, 1.0
    values = []
    for choice in product((False, True), repeat=len(unknown)):
        flags = [bool(flag) for flag in relevant]
        for index, flag in zip(unknown, choice, strict=True):
            flags[index] = flag
        values.append(average_precision(flags))
    return min(values), max(values)
