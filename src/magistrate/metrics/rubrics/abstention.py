"""Abstention: does the answer answer what can be answered, and decline what cannot?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from magistrate.case import Case
from magistrate.judges import Judge
from magistrate.metrics._case_metric import Account, Finding, scored
from magistrate.metrics.citations._attribution import without_marks
from magistrate.metrics.rubrics.metric import GradedMetric, grade, load_rubric
from magistrate.metrics.verification import is_blank
from magistrate.text import detect_language, is_about_the_source, main_script, split_sentences, text_runs
from magistrate.verdict import Status

UNANSWERABLE = "unanswerable"
"""The category whose cases have no answer in their sources (VERA ADR-0036)."""

_CELLS = {
    (True, True): "answered what can be answered",
    (True, False): "declined what can be answered",
    (False, True): "answered what cannot be answered",
    (False, False): "declined what cannot be answered",
}


@dataclass(kw_only=True, eq=False, repr=False)
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
    default_description = "Whether the answer answers what can be answered, and declines what cannot."
    default_threshold = 1.0
    needs = ("answer",)
    rubric: ClassVar[str] = "abstention"
    policy = "abstention"
    formula = "1 if answered = answerable else 0"

    async def find(self, case: Case, judge: Judge, account: Account) -> Finding:
        """See whether the case is answerable, and whether the answer answers."""
        if is_blank(case.answer or ""):
            return Finding(status=Status.NO_ANSWER)
        answerable = is_answerable(case)
        if answerable is None:
            reason = (
                "the case does not say whether its question can be answered: metadata.answerable, a category "
                f"{UNANSWERABLE!r} or a reference would"
            )
            return Finding(status=Status.MISSING_INPUT, reason=reason)
        method = self.method_for(judge)
        details: dict[str, object] = {"method": method, "answerable": answerable}
        prefix, answered, why = "lexical: ", not abstains(case.answer or ""), ""
        if method == "judge":
            rubric = load_rubric(self.rubric, judge)
            reply = await grade(judge, rubric, {"question": case.question or "", "answer": case.answer or ""})
            account.add(reply)
            if reply.value is None:
                return Finding(status=reply.status, details=details)
            prefix, answered = "", reply.value >= (rubric.low + rubric.high) / 2
            why = f": {reply.reason}" if reply.reason else ""
        reason = f"{prefix}{_CELLS[answerable, answered]}{why}"
        return scored(float(answered == answerable), reason=reason, details={**details, "answered": answered})


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
    for sentence in split_sentences(answer)[:1]:
        runs = text_runs(without_marks(sentence))
        return is_about_the_source(runs, detect_language(main_script(sentence), runs))
    return False
