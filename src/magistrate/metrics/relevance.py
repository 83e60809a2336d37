"""Relevance: does the answer address the question, and do the passages help to answer it?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from magistrate.case import Case
from magistrate.errors import ConfigurationError
from magistrate.judges import Judge, ScoreReply, can_grade
from magistrate.metrics.asking import gather
from magistrate.metrics.lexical import comparable, held, missing_terms, terms_of
from magistrate.metrics.rubrics import grade, load_rubric, share
from magistrate.metrics.template import CaseMetric, Finding, Ledger, Need, ranged
from magistrate.metrics.verification import is_blank
from magistrate.scoring import DEFAULT_THRESHOLD
from magistrate.verdict import Issue, IssueCode, Status

__all__ = ["AnswerRelevance", "ContextRelevance"]

Method = Literal["auto", "judge", "lexical"]
Aggregate = Literal["mean", "rank_weighted", "any"]

_SAID: dict[Aggregate, str] = {
    "mean": "How far the passages help to answer the question, on average.",
    "rank_weighted": "How far the passages help to answer the question; the first count most.",
    "any": "How far the best of the passages helps to answer the question.",
}
_FORMULAS: dict[str, str] = {
    "mean": "sum of relevance / contexts",
    "rank_weighted": "sum of relevance / rank over sum of 1 / rank",
    "any": "greatest relevance of a context",
}
_SHOWN = 6


@dataclass(frozen=True, slots=True)
class _Relevance:
    """How relevant one text is to the question.

    Args:
        value: In [0, 1]; None where it is not known.
        status: `scored`, or why it is not.
        reason: Why.
        reply: The judge's reply; None where no judge was asked.
        issue: What else is to be known.
    """

    value: float | None
    status: Status = Status.SCORED
    reason: str | None = None
    reply: ScoreReply | None = None
    issue: Issue | None = None

    def enter(self, ledger: Ledger) -> None:
        """Count what it cost."""
        if self.reply is not None:
            ledger.add(self.reply)
        if self.issue is not None:
            ledger.note(self.issue)


class _RelevanceMetric(CaseMetric):
    """What both relevances share: a judge's grade by a rubric, or the share of the question's terms."""

    rubric: ClassVar[str]
    field: ClassVar[str]

    def __init__(self, *, method: Method, threshold: float | None, options: dict[str, Any], **further: Any) -> None:
        if method not in ("auto", "judge", "lexical"):
            raise ConfigurationError(f"method is 'auto', 'judge' or 'lexical', not {method!r}")
        self.method = method
        super().__init__(
            threshold=DEFAULT_THRESHOLD if threshold is None else threshold,
            options={
                "method": method,
                **options,
                **({} if method == "lexical" else {"rubric": load_rubric(self.rubric).name}),
            },
            **further,
        )

    def _method(self, judge: Judge) -> str:
        if self.method == "auto":
            return "judge" if can_grade(judge) else "lexical"
        return self.method

    async def _relevance(self, question: str, text: str, judge: Judge) -> _Relevance:
        if self._method(judge) == "lexical":
            return _lexical(question, text, self.field)
        rubric = load_rubric(self.rubric)
        reply = await grade(judge, rubric, {"question": question, self.field: text})
        if reply.value is None:
            return _Relevance(None, reply.status, reply=reply)
        said = f"graded {reply.value:g} of {rubric.high:g}"
        reason = f"{said}: {reply.reason}" if reply.reason else said
        return _Relevance(share(rubric, reply.value), reason=reason, reply=reply)


def _lexical(question: str, text: str, what: str) -> _Relevance:
    """The share of the question's terms that a text holds: the coverage of citation scoring."""
    terms = terms_of(question)
    value = held(terms, [text])
    if value is None:
        return _Relevance(None, Status.MISSING_INPUT, "the question holds no words")
    if not comparable(question, [text]):
        message = f"the question and the {what} are in different scripts: no terms can be shared"
        return _Relevance(None, Status.REFUSED, message, issue=Issue(IssueCode.LANGUAGE_MISMATCH, message))
    lacking = missing_terms(terms, [text])
    reason = f"holds {len(set(terms)) - len(lacking)} of the question's {len(set(terms))} terms"
    if lacking:
        reason += f"; not there: {', '.join(lacking[:_SHOWN])}{', ...' if len(lacking) > _SHOWN else ''}"
    return _Relevance(value, reason=reason)


class AnswerRelevance(_RelevanceMetric):
    """Whether the answer addresses the question, right or wrong: a grade from 0 to 4 by a rubric, as a share of 4.

    score = grade / 4, in [0, 1], more is better. Source: TruLens' answer relevance and VERA ADR-0036 (one score by a
    model for query and response; its target 0.85 is in the gate file `vera`); the rubric is
    `prompts/rubric-answer-relevance.md`. An answer that says the sources hold no answer addresses the question.

    A judge that cannot grade (offline, NLI) is not asked. Then the score is the share of the question's terms that the
    answer holds (term coverage, ADR 0003 of the citation scoring seed), and the result carries `method: lexical`.

    Default threshold 0.7. Empty input: `missing_input` without a question, `no_answer` without an answer.

    Cost per case: one call; none with `lexical`.

    Args:
        threshold: The score needed to pass; None for 0.7.
        method: "judge" asks the judge; "lexical" compares terms; "auto" asks the judge if it can grade.
        include_reason: Whether results carry a reason.
        name: The name in reports.

    Raises:
        ConfigurationError: If an option is out of range.
    """

    description = "Whether the answer addresses the question."
    cost = "1, lexically none"
    needs: tuple[Need, ...] = ("question", "answer")
    rubric = "answer-relevance"
    field = "answer"
    policy = "answer-relevance"
    formula = "(grade - low) / (high - low)"

    def __init__(
        self,
        threshold: float | None = None,
        *,
        method: Method = "auto",
        include_reason: bool = True,
        name: str = "answer_relevance",
    ) -> None:
        super().__init__(method=method, threshold=threshold, options={}, name=name, include_reason=include_reason)

    async def find(self, case: Case, judge: Judge, ledger: Ledger) -> Finding:
        """Grade the answer."""
        method = self._method(judge)
        details = {"method": method}
        if is_blank(case.answer or ""):
            return Finding(status=Status.NO_ANSWER, details=details)
        found = await self._relevance(case.question or "", case.answer or "", judge)
        found.enter(ledger)
        if found.value is None:
            return Finding(status=found.status, reason=found.reason, details=details)
        status, score, bounds = ranged(found.value, found.value)
        reason = found.reason if method == "judge" else f"lexical: the answer {found.reason}"
        return Finding(status=status, score=score, bounds=bounds, reason=reason, details=details)


class ContextRelevance(_RelevanceMetric):
    """Whether the passages help to answer the question: each is graded from 0 to 4; the shares of 4 are put together.

    - `aggregate="mean"`: sum of relevance / contexts (VERA ADR-0036, TruLens; VERA's target 0.80 is in its gate file);
    - `aggregate="rank_weighted"`: sum(relevance / rank) / sum(1 / rank), rank from 1 (ragaliq 0.2.0,
      evaluators/context_precision.py), so that a useless passage costs more the higher it stands;
    - `aggregate="any"`: the greatest relevance: is there a passage that helps?

    Source: as above. In [0, 1], more is better; default threshold 0.7; the rubric is
    `prompts/rubric-context-relevance.md`. Blank passages are left out, and keep no rank. A judge that cannot grade is
    not asked: then each passage's relevance is the share of the question's terms that it holds, and the result carries
    `method: lexical`.

    Empty input: `missing_input` without a question, `no_context` without a passage. If grades are missing: `partial`,
    no score, bounds.

    Cost per case: one call for each passage; none with `lexical`.

    Args:
        threshold: The score needed to pass; None for 0.7.
        aggregate: "mean", "rank_weighted" or "any".
        method: "judge" asks the judge; "lexical" compares terms; "auto" asks the judge if it can grade.
        include_reason: Whether results carry a reason.
        name: The name in reports.

    Raises:
        ConfigurationError: If an option is out of range.
    """

    cost = "1 a passage, lexically none"
    needs: tuple[Need, ...] = ("question", "contexts")
    rubric = "context-relevance"
    field = "passage"

    def __init__(
        self,
        threshold: float | None = None,
        *,
        aggregate: Aggregate = "mean",
        method: Method = "auto",
        include_reason: bool = True,
        name: str = "context_relevance",
    ) -> None:
        if aggregate not in _FORMULAS:
            raise ConfigurationError(f"aggregate is {', '.join(map(repr, _FORMULAS))}, not {aggregate!r}")
        self.aggregate = aggregate
        self.description = _SAID[aggregate]
        self.policy = f"context-relevance-{aggregate.replace('_', '-')}"
        self.formula = _FORMULAS[aggregate]
        super().__init__(
            method=method,
            threshold=threshold,
            options={"aggregate": aggregate},
            name=name,
            include_reason=include_reason,
        )

    async def find(self, case: Case, judge: Judge, ledger: Ledger) -> Finding:
        """Grade each passage."""
        passages = [(index, text) for index, text in enumerate(case.contexts) if not is_blank(text)]
        found: list[_Relevance] = await gather(
            *(self._relevance(case.question or "", text, judge) for _, text in passages)
        )
        for one in found:
            one.enter(ledger)
        details = {
            "method": self._method(judge),
            "aggregate": self.aggregate,
            "contexts": [
                {"context": index, "relevance": one.value, "status": one.status.value, "reason": one.reason}
                for (index, _), one in zip(passages, found, strict=True)
            ],
        }
        missing = [one for one in found if one.value is None]
        known = len(missing) < len(found)
        if not known:
            return Finding(status=missing[0].status, reason=missing[0].reason, details=details)
        status, score, bounds = ranged(
            _put_together([one.value or 0.0 for one in found], self.aggregate),
            _put_together([1.0 if one.value is None else one.value for one in found], self.aggregate),
            missing=missing[0].status if missing else None,
        )
        return Finding(status=status, score=score, bounds=bounds, reason=self._reason(found, judge), details=details)

    def _reason(self, found: Sequence[_Relevance], judge: Judge) -> str:
        shown = ", ".join("none" if one.value is None else f"{one.value:.2f}" for one in found)
        return f"{'lexical: ' if self._method(judge) == 'lexical' else ''}relevance by rank: {shown}"


def _put_together(relevances: Sequence[float], aggregate: str) -> float:
    if aggregate == "any":
        return max(relevances)
    weights = [1.0 / rank for rank in range(1, len(relevances) + 1)] if aggregate == "rank_weighted" else None
    if weights is None:
        return math.fsum(relevances) / len(relevances)
    return math.fsum(map(float.__mul__, relevances, weights)) / math.fsum(weights)
