"""Shares of claims: grounding precision, recall and F1, and the share that is hallucinated."""

from dataclasses import replace
from typing import Any, Literal

from magistrate.case import Case
from magistrate.judges import Judge, never_says
from magistrate.metrics._case_metric import Account, By, Choice, Direction, Finding, Option, listed
from magistrate.metrics.base import MetricResult, check_threshold, compose_reason
from magistrate.metrics.faithfulness import JudgedMetric
from magistrate.metrics.grounding.references import f_score
from magistrate.verdict import StatementVerdict, Status, Verdict

ENTAILMENT = 0.70
"""P(supported) from which a claim counts as grounded (VERA ADR-0036)."""

_JUDGED = (Status.SCORED, Status.PARTIAL)


def is_grounded(verdict: StatementVerdict, entailment: float = ENTAILMENT) -> bool | None:
    """Whether a claim is grounded: by its P(supported) where the judge gives one, else by its verdict."""
    if verdict.verdict is None:
        return None
    if verdict.probability is not None:
        return verdict.probability >= entailment
    return verdict.verdict is Verdict.SUPPORTED


class _Grounding(JudgedMetric):
    """What precision, recall and F1 share."""

    entailment: Option[float, float] = Option(ENTAILMENT, lambda _, given: check_threshold(given))

    def _share(self, judged: MetricResult, reason: str) -> Finding:
        """The share of claims that are grounded, or why there is none."""
        if not judged.verdicts:
            return Finding(status=judged.status, statements=judged.statements)
        flags = [is_grounded(verdict, self.entailment) for verdict in judged.verdicts]
        told = reason.format(flags.count(True), len(flags)) if judged.status in _JUDGED else None
        return Finding.share_of(
            flags, judged.status, reason=told, statements=judged.statements, verdicts=judged.verdicts
        )

    def _precision(self, judged: MetricResult) -> Finding:
        return self._share(judged, "grounded {} of {} claims")

    async def _recall(self, case: Case, judge: Judge, judged: MetricResult) -> tuple[Finding, MetricResult | None]:
        """How much of the reference follows from the grounded claims of the answer, and what that was read from."""
        if not judged.verdicts and judged.status is not Status.VACUOUS:
            return Finding(status=judged.status), None
        flags = [is_grounded(verdict, self.entailment) for verdict in judged.verdicts]
        grounded = [v.statement for v, flag in zip(judged.verdicts, flags, strict=True) if flag]
        # Blank statements have no verdict either, but there is nothing in them that could be grounded.
        unknown = None if None not in flags or judged.status is Status.VACUOUS else judged.status
        if not grounded:
            reason = "nothing of the answer is grounded" if judged.status in (*_JUDGED, Status.VACUOUS) else None
            top = 1.0 if unknown else 0.0
            return Finding.between(0.0, top, missing=unknown, known=unknown in _JUDGED, reason=reason), None
        reference = Case(id=case.id, question=case.question, answer=case.reference, contexts=("\n".join(grounded),))
        found = await self.judging.evaluate(reference, judge)
        share = self._share(found, "grounded claims entail {} of {} reference claims")
        if unknown and share.bounds is not None:
            # What was not judged may be grounded too, and then entail more of the reference.
            status = Status.PARTIAL if share.status is Status.SCORED else share.status
            share = replace(share, status=status, score=None, bounds=(share.bounds[0], 1.0))
        return share, found


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
        entailment: P(supported) from which a claim is grounded, in [0, 1].
    """

    default_name = "grounding_precision"
    formula = "grounded claims / claims"

    async def find(self, case: Case, judge: Judge, account: Account) -> Finding:
        """Judge the claims as faithfulness does, and count those that are grounded."""
        judged = account.add(await self.judging.evaluate(case, judge))
        details = {"entailment": self.entailment, "judging": judged.details}
        return replace(self._precision(judged), statements=judged.statements, details=details)


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
        entailment: P(supported) from which a claim is grounded, in [0, 1].
    """

    default_name = "grounding_recall"
    needs = ("reference", "answer", "contexts")
    cost = "2 extract + 2 verify"
    formula = "reference claims entailed by grounded claims / reference claims"

    async def find(self, case: Case, judge: Judge, account: Account) -> Finding:
        """Judge the claims as faithfulness does, then the reference's claims against those that are grounded."""
        judged = account.add(await self.judging.evaluate(case, judge), aside=True)
        found, read = await self._recall(case, judge, judged)
        if read is not None:
            account.add(read)
        return replace(found, details={"entailment": self.entailment, "answer": listed(judged.verdicts, "probability")})


class GroundingF1(_Grounding):
    """The harmonic mean of grounding precision and grounding recall.

    2 P R / (P + R), in [0, 1], more is better; 0 where both are 0, undefined where either is. Source: VERA ADR-0036
    reports an f1_score without a formula, and its figures (0.92, 0.84, 0.88) agree with this one. In its JSON
    (`--format vera`) f1_score is taken of the two means; here it is taken case by case.

    Default threshold 0.7. Empty input and missing verdicts: as for `GroundingRecall`, and `vacuous` where the answer
    states nothing.

    Cost per case: the calls of grounding recall, and none where that is measured too.

    Args:
        entailment: P(supported) from which a claim is grounded, in [0, 1].
    """

    default_name = "grounding_f1"
    needs = ("reference", "answer", "contexts")
    cost = "2 extract + 2 verify"
    formula = "2 P R / (P + R), P grounding precision, R grounding recall"

    async def find(self, case: Case, judge: Judge, account: Account) -> Finding:
        """Measure both, and put them together."""
        judged = account.add(await self.judging.evaluate(case, judge))
        precision = self._precision(judged)
        recall, read = Finding(status=precision.status), None
        if precision.bounds is not None:
            recall, read = await self._recall(case, judge, judged)
        if read is not None:
            account.add(read, aside=True)
        details: dict[str, Any] = {
            "entailment": self.entailment,
            "precision": precision.score,
            "recall": recall.score,
            "reference": listed(read.verdicts, "probability") if read else [],
        }
        if precision.bounds is None or recall.bounds is None:
            both = Finding(status=(precision if precision.bounds is None else recall).status)
        else:
            low, high = (f_score(p, r) for p, r in zip(precision.bounds, recall.bounds, strict=True))
            missing = next((one.status for one in (precision, recall) if one.status is not Status.SCORED), None)
            both = Finding.between(low, high, missing=missing, known=missing in (Status.PARTIAL, None))
        return replace(
            both,
            reason="; ".join(filter(None, (precision.reason, recall.reason))) or None,
            statements=judged.statements,
            verdicts=judged.verdicts,
            details=details,
        )


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

    rate: Option[Literal["unsupported", "contradicted"], str] = Choice(*_RATES)
    direction: Option[Direction, str] = Choice("minimize", "maximize")

    default_name = By(lambda m: _RATES[m.rate][0].replace("-", "_") if m.direction == "minimize" else f"not_{m.rate}")
    default_description = By(lambda m: _DESCRIPTIONS[m.rate, m.direction])
    default_threshold = By(lambda m: _DEFAULT if m.direction == "minimize" else 1.0 - _DEFAULT)
    policy = By(lambda m: f"{'1-' if m.direction == 'maximize' else ''}{_RATES[m.rate][0]}")
    formula = By(lambda m: f"{'1 - ' if m.direction == 'maximize' else ''}{_RATES[m.rate][1]}")
    offline = By(lambda m: "yes" if m.rate == "unsupported" else "no: it never says contradicted")

    async def find(self, case: Case, judge: Judge, account: Account) -> Finding:
        """Judge the statements as faithfulness does, and count."""
        if self.rate == "contradicted" and Verdict.CONTRADICTED in never_says(judge):
            return account.refused(judge, "never says contradicted, so it cannot tell how much is")
        judged = account.add(await self.judging.evaluate(case, judge))
        found = Finding(status=judged.status)
        if judged.verdicts:
            fine, unsure = set(Verdict) - {Verdict.CONTRADICTED, Verdict.UNSUPPORTED}, {None, Verdict.UNSUPPORTED}
            if self.rate == "unsupported":
                fine, unsure = {Verdict.SUPPORTED}, {None}
            bad = [None if one.verdict in unsure else one.verdict not in fine for one in judged.verdicts]
            why = Status.PARTIAL if judged.status is Status.SCORED else judged.status
            counted = f"{self.rate} {bad.count(True)} of {len(bad)}; {compose_reason(judged.status, judged.verdicts)}"
            reason = counted if judged.status in _JUDGED else None
            found = Finding.share_of(bad, why, reason=reason, verdicts=judged.verdicts)
            if self.direction == "maximize" and found.bounds is not None:
                low, high = (1.0 - bound for bound in reversed(found.bounds))
                found = replace(found, score=None if found.score is None else low, bounds=(low, high))
        return replace(found, statements=judged.statements, details={"judging": judged.details})
