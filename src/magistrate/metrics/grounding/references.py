"""Measured by a reference answer: contextual precision and recall of the passages, correctness of the answer."""

from collections.abc import Sequence
from itertools import product
from typing import Any, Literal

from magistrate.case import Case
from magistrate.errors import ConfigurationError
from magistrate.judges import Judge, VerdictsReply, together
from magistrate.metrics._case_metric import Account, By, Choice, Finding, Option, listed, supported
from magistrate.metrics.base import is_blank
from magistrate.metrics.faithfulness import JudgedMetric
from magistrate.verdict import Status, Verdict

_MOST_TRIED = 12
"""Passages of unknown relevance up to which every possibility is tried; 4,096 then."""


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
    needs = ("reference", "contexts")
    formula = "supported reference claims / reference claims"

    async def find(self, case: Case, judge: Judge, account: Account) -> Finding:
        """Judge the reference as faithfulness judges an answer."""
        judged = account.add(await self.judging.evaluate(_reference(case), judge))
        if not judged.verdicts:
            return Finding(status=judged.status)
        flags = supported(judged.verdicts)
        return Finding.share_of(
            flags,
            judged.status,
            reason=f"the contexts support {flags.count(True)} of {len(flags)} reference claims",
            statements=judged.statements,
            verdicts=judged.verdicts,
            details={"judging": judged.details},
        )


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
    needs = ("reference", "contexts")
    cost = "extract + 1 a passage"
    formula = "sum of precision@k over the relevant ranks k / relevant passages"

    async def find(self, case: Case, judge: Judge, account: Account) -> Finding:
        """Judge the reference's claims against each passage."""
        claims = account.add(await self.judging.statements_of(_reference(case), judge))
        if claims.status is not Status.SCORED or all(map(is_blank, claims.statements)):
            return Finding(status=Status.VACUOUS if claims.status is Status.SCORED else claims.status)
        passages = {index: [text] for index, text in enumerate(case.contexts) if not is_blank(text)}
        replies = await self.judging.verify_each(judge, claims.statements, passages.values(), case.question, account)
        relevant = [_is_relevant(reply) for reply in replies]
        missing = next((reply.status for reply, known in zip(replies, relevant, strict=True) if known is None), None)
        shown = ", ".join({True: "yes", False: "no", None: "unknown"}[flag] for flag in relevant)
        details = {
            "claims": list(claims.statements),
            "contexts": [
                {
                    "context": index,
                    "relevant": flag,
                    "verdicts": [v.verdict and v.verdict.value for v in reply.verdicts],
                }
                for index, flag, reply in zip(passages, relevant, replies, strict=True)
            ],
        }
        known = any(flag is not None for flag in relevant)
        reason = f"relevant by rank: {shown}"
        return Finding.between(*_range(relevant), missing=missing, known=known, reason=reason, details=details)


def average_precision(relevant: Sequence[bool]) -> float:
    """The mean of precision@k over the ranks k of the relevant items; 0 where none is relevant."""
    ranks = [rank for rank, flag in enumerate(relevant, 1) if flag]
    return sum(hits / rank for hits, rank in enumerate(ranks, 1)) / len(ranks) if ranks else 0.0


def f_score(precision: float, recall: float, beta: float = 1.0) -> float:
    """The weighted harmonic mean of two shares: (1 + b²) P R / (b² P + R), and 0 where both are 0."""
    weight = beta * beta
    below = weight * precision + recall
    return (1.0 + weight) * precision * recall / below if below else 0.0


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
    unknown = list(relevant).count(None)
    if unknown > _MOST_TRIED:
        return 0.0, 1.0
    values = []
    for choice in product((False, True), repeat=unknown):
        tried = iter(choice)
        values.append(average_precision([next(tried) if flag is None else flag for flag in relevant]))
    return min(values), max(values)


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

    measure: Option[Literal["f", "precision", "recall"], str] = Choice(*_FORMULAS)
    beta: Option[float, float] = Option(1.0, _beta)

    default_name = "answer_correctness"
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
        results = await together([self.judging.evaluate(cases[name], judge) for name in names])
        for place, result in enumerate(results):
            account.add(result, aside=place > 0)
        details: dict[str, Any] = {"measure": self.measure, "beta": self.beta}
        reasons, spans = [], []
        for name, result in zip(names, results, strict=True):
            details[name] = listed(result.verdicts)
            if not result.verdicts or result.status is Status.VACUOUS:
                reason = _STATES_NOTHING[name] if result.status is Status.VACUOUS else None
                return Finding(status=result.status, reason=reason, details=details)
            flags = supported(result.verdicts)
            reasons.append(_REASONS[name].format(flags.count(True), len(flags)))
            spans.append((flags.count(True) / len(flags), (flags.count(True) + flags.count(None)) / len(flags)))
        lows, highs = zip(*spans, strict=True)
        missing = next((result.status for result, span in zip(results, spans, strict=True) if span[0] != span[1]), None)
        known = any(verdict.verdict is not None for result in results for verdict in result.verdicts)
        return Finding.between(
            *(span[0] if len(span) == 1 else f_score(span[0], span[1], self.beta) for span in (lows, highs)),
            missing=missing,
            known=known,
            reason="; ".join(reasons),
            statements=results[0].statements,
            verdicts=results[0].verdicts,
            details=details,
        )
