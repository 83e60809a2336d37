"""A judge whose probabilities were held against people's labels: they mean what they say, and part yes from no best."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, replace
from typing import Any

from magistrate.errors import ConfigurationError
from magistrate.judges._questions import ExtractAndVerify, Question, Verify
from magistrate.judges._replies import VerdictsReply
from magistrate.judges.base import Judge, WrappedJudge
from magistrate.trust import Calibration
from magistrate.verdict import Issue, IssueCode, Scale, StatementVerdict, Verdict, Vote


class CalibratedJudge(WrappedJudge):
    """Gives each verdict its calibrated P(supported), and the side of the threshold that it is on.

    What the judge said stays in the verdict's `votes`. A verdict without a confidence stays as it is.

    Args:
        judge: The judge that the calibration is of.
        calibration: From `magistrate.trust.calibrate`.
        cases: Ids of the cases whose labels made it: they never correct what it gives.
        models: Models that answered then; empty for any.
    """

    def __init__(
        self, judge: Judge, calibration: Calibration, *, cases: Collection[str] = (), models: Collection[str] = ()
    ) -> None:
        super().__init__(judge)
        self.members = (judge,)
        self.calibration, self.cases, self.models = calibration, tuple(cases), frozenset(models)

    def describe(self) -> dict[str, Any]:
        """What identifies it, beside its judge."""
        return {"name": self.name, "calibration": {**asdict(self.calibration), "cases": list(self.cases)}}

    def repeated(self, number: int) -> CalibratedJudge:
        """The same for another repetition."""
        again = getattr(self._judge, "repeated", None)
        judge = self._judge if again is None else again(number)
        return CalibratedJudge(judge, self.calibration, cases=self.cases, models=self.models)

    async def ask(self, question: Question[Any], /) -> Any:
        """Answer a question; verdicts are calibrated.

        Raises:
            ConfigurationError: If another model answers than the calibration was made for.
        """
        reply = await super().ask(question)
        if isinstance(question, Verify):
            return self._calibrated(reply, question.scale)
        if isinstance(question, ExtractAndVerify):
            return replace(reply, verdicts=self._calibrated(reply.verdicts, question.scale))
        return reply

    def _calibrated(self, reply: VerdictsReply, scale: Scale) -> VerdictsReply:
        served = {call.completion.model for call in reply.calls if call.completion and call.completion.model}
        if self.models and (others := served - self.models):
            raise ConfigurationError(
                f"the calibration is of {', '.join(sorted(self.models))}, and {', '.join(sorted(others))} answers now: "
                "calibrate anew"
            )
        return replace(reply, verdicts=tuple(self._one(verdict, scale) for verdict in reply.verdicts))

    def _one(self, said: StatementVerdict, scale: Scale) -> StatementVerdict:
        sure = said.sureness
        if said.verdict is None or sure is None:
            return said
        raw = sure if said.verdict is Verdict.SUPPORTED else 1.0 - sure
        chance, verdict = self.calibration.apply(raw), said.verdict
        if (raw >= self.calibration.threshold) != (verdict is Verdict.SUPPORTED):
            # What the scale calls the other side: the mildest no, where it was a yes.
            noes = (one for one in (Verdict.NOT_ENOUGH_INFO, Verdict.UNSUPPORTED) if one in scale.verdicts)
            verdict = next(noes, verdict) if verdict is Verdict.SUPPORTED else Verdict.SUPPORTED
        issues = said.issues
        if verdict is not said.verdict:
            side = "below" if said.verdict is Verdict.SUPPORTED else "not below"
            note = (
                f"the judge said {said.verdict.value}, but its P(supported) of {raw:.2f} is {side} its calibration's "
                f"threshold of {self.calibration.threshold:.2f}"
            )
            issues = (*issues, Issue(IssueCode.LOW_CONFIDENCE, note, said.index))
        return said.model_copy(
            update={
                "verdict": verdict,
                "probability": chance,
                "confidence": None,
                "votes": (*said.votes, Vote(self.name, said.verdict, sure)),
                "issues": issues,
            }
        )
