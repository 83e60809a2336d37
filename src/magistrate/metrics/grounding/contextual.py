"""Contextual precision and recall: did the retriever find what the reference answer needs, and rank it first?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from magistrate.case import Case
from magistrate.judges import Judge, VerdictsReply
from magistrate.metrics._case_metric import Account, Finding, between, share_of, supported
from magistrate.metrics.faithfulness import JudgedMetric
from magistrate.metrics.verification import is_blank
from magistrate.verdict import Status, Verdict

_MOST_TRIED = 12
"""Passages of unknown relevance up to which every possibility is tried; 4,096 then."""


@dataclass(kw_only=True, eq=False, repr=False)
class ContextualRecall(JudgedMetric):
    """The share of the reference answer's claims that the contexts support.

    supported reference claims / reference claims, in [0, 1], more is better. Source: RAGAS context recall (attributed
    reference sentences / reference sentences); DeepEval ContextualRecallMetric.

    Default threshold 0.7. Empty input: `missing_input` without a reference, `no_context`, `vacuous` where the reference
    states nothing; no score. Missing verdicts: `partial`, no score, bounds. The answer is not looked at.

    Cost per case: one call to extract the reference's claims (shared with the other metrics that need them), one to
    verify them.
    """

    default_name = "contextual_recall"
    default_description = "Which share of the reference's claims the contexts support."
    needs = ("reference", "contexts")
    cost = "extract + verify"
    policy = "contextual-recall"
    formula = "supported reference claims / reference claims"

    async def find(self, case: Case, judge: Judge, account: Account) -> Finding:
        """Judge the reference as faithfulness judges an answer."""
        judged = await self.judging.evaluate(_reference(case), judge)
        account.add(judged)
        if not judged.verdicts:
            return Finding(status=judged.status)
        flags = supported(judged.verdicts)
        return share_of(
            flags,
            judged.status,
            reason=f"the contexts support {flags.count(True)} of {len(flags)} reference claims",
            statements=judged.statements,
            verdicts=judged.verdicts,
            details={"judging": judged.details},
        )


@dataclass(kw_only=True, eq=False, repr=False)
class ContextualPrecision(JudgedMetric):
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
    """

    default_name = "contextual_precision"
    default_description = "Whether the passages that the reference needs are ranked first."
    needs = ("reference", "contexts")
    cost = "extract + 1 a passage"
    policy = "contextual-precision"
    formula = "sum of precision@k over the relevant ranks k / relevant passages"

    async def find(self, case: Case, judge: Judge, account: Account) -> Finding:
        """Judge the reference's claims against each passage."""
        claims = await self.judging.statements_of(_reference(case), judge)
        account.add(claims)
        if claims.status is not Status.SCORED or all(map(is_blank, claims.statements)):
            return Finding(status=Status.VACUOUS if claims.status is Status.SCORED else claims.status)
        passages = [(index, text) for index, text in enumerate(case.contexts) if not is_blank(text)]
        groups = [[text] for _, text in passages]
        replies = await self.judging.verify_each(judge, claims.statements, groups, case.question)
        for reply in replies:
            account.add(reply, aside=True)
        relevant = [_is_relevant(reply) for reply in replies]
        missing = next((reply.status for reply, known in zip(replies, relevant, strict=True) if known is None), None)
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
        known = any(flag is not None for flag in relevant)
        reason = f"relevant by rank: {shown}"
        return between(*_range(relevant), missing=missing, known=known, reason=reason, details=details)


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
