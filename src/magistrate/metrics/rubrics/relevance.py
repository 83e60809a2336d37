"""Graded by rubrics of the package: relevance of answer and passages, and whether what can be answered is."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar, Literal

from magistrate.case import Case
from magistrate.judges import Judge, together
from magistrate.metrics._case_metric import Account, By, Choice, Finding, Option
from magistrate.metrics.base import is_blank
from magistrate.metrics.citations._attribution import without_marks
from magistrate.metrics.citations.scores import all_terms, comparable, terms_of
from magistrate.metrics.rubrics.metric import GradedMetric, grade, graded, load_rubric
from magistrate.text import says_what_is_missing, split_sentences, text_runs
from magistrate.verdict import Issue, IssueCode, Status

_AGGREGATES = {
    "mean": ("How far the passages help to answer the question, on average.", "sum of relevance / contexts"),
    "rank_weighted": (
        "How far the passages help to answer the question; the first count most.",
        "sum of relevance / rank over sum of 1 / rank",
    ),
    "any": ("How far the best of the passages helps to answer the question.", "greatest relevance of a context"),
}
_SHOWN = 6


class _RelevanceMetric(GradedMetric):
    """What both relevances share: a judge's grade by a rubric, or the share of the question's terms."""

    field: ClassVar[str]

    async def _relevance(self, question: str, text: str, judge: Judge) -> tuple[Finding, Account]:
        """How relevant one text is to the question, and what it cost."""
        account = Account()
        if self.method_for(judge) == "lexical":
            return _lexical(question, text, self.field, account), account
        rubric = load_rubric(self.rubric, judge)
        reply = account.add(await grade(judge, rubric, {"question": question, self.field: text}))
        return graded(reply, rubric, f"of {rubric.high:g}"), account


def _lexical(question: str, text: str, what: str, account: Account) -> Finding:
    """The share of the question's terms that a text holds: the coverage of citation scoring."""
    terms, there = dict.fromkeys(terms_of(question)), all_terms([text])
    if not terms:
        return Finding(status=Status.MISSING_INPUT, reason="the question holds no words")
    if not comparable(question, [text]):
        message = f"the question and the {what} are in different scripts: no terms can be shared"
        account.note(Issue(IssueCode.LANGUAGE_MISMATCH, message))
        return Finding(status=Status.REFUSED, reason=message)
    lacking = [term for term in terms if term not in there]
    held = len(terms) - len(lacking)
    reason = f"holds {held} of the question's {len(terms)} terms"
    if lacking:
        words = (next((run for run in text_runs(question) if terms_of(run) == (one,)), one) for one in lacking[:_SHOWN])
        reason += f"; not there: {', '.join(words)}{', ...' if len(lacking) > _SHOWN else ''}"
    return Finding.scored(held / len(terms), reason=reason)


class AnswerRelevance(_RelevanceMetric):
    """Whether the answer addresses the question, right or wrong: a grade from 0 to 4 by a rubric, as a share of 4.

    score = grade / 4, in [0, 1], more is better. Source: TruLens' answer relevance and VERA ADR-0036 (one score by a
    model for query and response; its target 0.85 is in the gate file `vera`); the rubric is
    `prompts/rubric-answer-relevance.md`. An answer that says the sources hold no answer addresses the question.

    A judge that cannot grade (offline, NLI) is not asked. Then the score is the share of the question's terms that the
    answer holds (term coverage, ADR 0003 of the citation scoring seed), and the result carries `method: lexical`.

    Default threshold 0.7. Empty input: `missing_input` without a question, `no_answer` without an answer.

    Cost per case: one call; none with `lexical`.
    """

    default_name = "answer_relevance"
    needs = ("question", "answer")
    field: ClassVar[str] = "answer"
    formula = "(grade - low) / (high - low)"

    async def find(self, case: Case, judge: Judge, account: Account) -> Finding:
        """Grade the answer."""
        method = self.method_for(judge)
        details = {"method": method}
        if is_blank(case.answer or ""):
            return Finding(status=Status.NO_ANSWER, details=details)
        found, cost = await self._relevance(case.question or "", case.answer or "", judge)
        account.add(cost)
        lexical = "lexical: the answer " if method == "lexical" and found.score is not None else ""
        return replace(found, reason=f"{lexical}{found.reason}" if found.reason else None, details=details)


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
        aggregate: "mean", "rank_weighted" or "any".

    Raises:
        ConfigurationError: If an option is out of range.
    """

    aggregate: Option[Literal["mean", "rank_weighted", "any"], str] = Choice(*_AGGREGATES)

    default_name = "context_relevance"
    needs = ("question", "contexts")
    cost = "1 a passage, lexically none"
    field: ClassVar[str] = "passage"

    default_description = By(lambda m: _AGGREGATES[m.aggregate][0])
    policy = By(lambda m: f"context-relevance-{m.aggregate.replace('_', '-')}")
    formula = By(lambda m: _AGGREGATES[m.aggregate][1])

    async def find(self, case: Case, judge: Judge, account: Account) -> Finding:
        """Grade each passage."""
        passages = [(index, text) for index, text in enumerate(case.contexts) if not is_blank(text)]
        measured = await together([self._relevance(case.question or "", text, judge) for _, text in passages])
        found = [one for one, _ in measured]
        for _, cost in measured:
            account.add(cost)
        method = self.method_for(judge)
        details = {
            "method": method,
            "aggregate": self.aggregate,
            "contexts": [
                {"context": index, "relevance": one.score, "status": one.status.value, "reason": one.reason}
                for (index, _), one in zip(passages, found, strict=True)
            ],
        }
        missing = [one for one in found if one.score is None]
        if len(missing) == len(found):
            return replace(missing[0], details=details)
        shown = ", ".join("none" if one.score is None else f"{one.score:.2f}" for one in found)
        return Finding.between(
            _put_together([one.score or 0.0 for one in found], self.aggregate),
            _put_together([1.0 if one.score is None else one.score for one in found], self.aggregate),
            missing=missing[0].status if missing else None,
            reason=f"{'lexical: ' if method == 'lexical' else ''}relevance by rank: {shown}",
            details=details,
        )


def _put_together(relevances: Sequence[float], aggregate: str) -> float:
    if aggregate == "any":
        return max(relevances)
    weights = [1.0 / rank if aggregate == "rank_weighted" else 1.0 for rank in range(1, len(relevances) + 1)]
    return math.fsum(map(float.__mul__, relevances, weights)) / math.fsum(weights)


UNANSWERABLE = "unanswerable"
"""The category whose cases have no answer in their sources (VERA ADR-0036)."""

_CELLS = {
    (True, True): "answered what can be answered",
    (True, False): "declined what can be answered",
    (False, True): "answered what cannot be answered",
    (False, False): "declined what cannot be answered",
}


class Abstention(GradedMetric):
    """Whether the answer answers exactly what can be answered.

    1 where an answerable question is answered or an unanswerable one declined, else 0; its mean over a dataset is the
    accuracy of the table answerable x answered, whose cell each result names. More is better. Source: the category
    `unanswerable` of VERA ADR-0036 ("unanswerable category detected"); accuracy over answerable and unanswerable
    questions as in Rajpurkar et al., "Know what you don't know" (SQuAD 2.0), 2018.

    Whether a question is answerable stands in the case: `answerable` (true or false) in its metadata, else its category
    `unanswerable`, else a reference answer. A case that does not say has no score (`missing_input`).

    Whether it is answered, a judge says by the rubric `prompts/rubric-abstention.md` (0 declines, 1 answers). A judge
    that cannot grade is not asked: then an answer declines whose first sentence says that the sources or the speaker do
    not have it, in one of twelve languages, and the result carries `method: lexical`.

    Default threshold 1. Empty input: `no_answer`, `missing_input`; neither passes.

    Cost per case: one call; none with `lexical`.
    """

    default_name = "abstention"
    default_threshold = 1.0
    needs = ("answer",)
    formula = "1 if answered = answerable else 0"

    async def find(self, case: Case, judge: Judge, account: Account) -> Finding:
        """See whether the case is answerable, and whether the answer answers."""
        if is_blank(case.answer or ""):
            return Finding(status=Status.NO_ANSWER)
        answerable = is_answerable(case)
        if answerable is None:
            would = f"metadata.answerable, a category {UNANSWERABLE!r} or a reference would"
            why = f"the case does not say whether its question can be answered: {would}"
            return Finding(status=Status.MISSING_INPUT, reason=why)
        method = self.method_for(judge)
        details: dict[str, object] = {"method": method, "answerable": answerable}
        prefix, answered, why = "lexical: ", not abstains(case.answer or ""), ""
        if method == "judge":
            rubric = load_rubric(self.rubric, judge)
            shown = {"question": case.question or "", "answer": case.answer or ""}
            reply = account.add(await grade(judge, rubric, shown))
            if reply.value is None:
                return Finding(status=reply.status, details=details)
            prefix, answered = "", reply.value >= (rubric.low + rubric.high) / 2
            why = f": {reply.reason}" if reply.reason else ""
        reason = f"{prefix}{_CELLS[answerable, answered]}{why}"
        return Finding.scored(float(answered == answerable), reason=reason, details={**details, "answered": answered})


def is_answerable(case: Case) -> bool | None:
    """Whether a case says that its question can be answered from its sources; None where it does not say."""
    given = case.metadata.get("answerable")
    if isinstance(given, bool):
        return given
    if (case.category or "").strip().casefold() == UNANSWERABLE:
        return False
    return True if not is_blank(case.reference or "") else None


def abstains(answer: str) -> bool:
    """Whether an answer begins by saying that the sources or the speaker do not have what was asked for."""
    return any(says_what_is_missing(without_marks(sentence)) for sentence in split_sentences(answer)[:1])
