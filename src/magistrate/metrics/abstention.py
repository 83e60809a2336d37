"""Abstention: does the answer answer what can be answered, and decline what cannot?"""

from __future__ import annotations

from typing import Literal

from magistrate.case import Case
from magistrate.errors import ConfigurationError
from magistrate.judges import Judge, can_grade
from magistrate.metrics.cited import without_marks
from magistrate.metrics.rubrics import grade, load_rubric
from magistrate.metrics.template import CaseMetric, Finding, Ledger, Need, ranged
from magistrate.metrics.verification import is_blank
from magistrate.text import detect_language, is_about_the_source, main_script, split_sentences, text_runs
from magistrate.verdict import Status

__all__ = ["Abstention", "abstains", "is_answerable"]

UNANSWERABLE = "unanswerable"
"""The category whose cases have no answer in their sources (VERA ADR-0036)."""

_CELLS = {
    (True, True): "answered what can be answered",
    (True, False): "declined what can be answered",
    (False, True): "answered what cannot be answered",
    (False, False): "declined what cannot be answered",
}


class Abstention(CaseMetric):
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

    Args:
        threshold: The score needed to pass; None for 1.
        method: "judge" asks the judge; "lexical" knows the phrases; "auto" asks the judge if it can grade.
        include_reason: Whether results carry a reason.
        name: The name in reports.

    Raises:
        ConfigurationError: If an option is out of range.
    """

    description = "Whether the answer answers what can be answered, and declines what cannot."
    cost = "1, lexically none"
    needs: tuple[Need, ...] = ("answer",)
    policy = "abstention"
    formula = "1 if answered = answerable else 0"

    def __init__(
        self,
        threshold: float | None = None,
        *,
        method: Literal["auto", "judge", "lexical"] = "auto",
        include_reason: bool = True,
        name: str = "abstention",
    ) -> None:
        if method not in ("auto", "judge", "lexical"):
            raise ConfigurationError(f"method is 'auto', 'judge' or 'lexical', not {method!r}")
        self.method = method
        rubric = {} if method == "lexical" else {"rubric": load_rubric("abstention").name}
        super().__init__(
            name=name,
            threshold=1.0 if threshold is None else threshold,
            include_reason=include_reason,
            options={"method": method, **rubric},
        )

    async def find(self, case: Case, judge: Judge, ledger: Ledger) -> Finding:
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
        asks = self.method == "judge" or (self.method == "auto" and can_grade(judge))
        method = "judge" if asks else "lexical"
        details: dict[str, object] = {"method": method, "answerable": answerable}
        if asks:
            rubric = load_rubric("abstention")
            reply = await grade(judge, rubric, {"question": case.question or "", "answer": case.answer or ""})
            ledger.add(reply)
            if reply.value is None:
                return Finding(status=reply.status, details=details)
            answered = reply.value >= (rubric.low + rubric.high) / 2
            said = f": {reply.reason}" if reply.reason else ""
        else:
            answered = not abstains(case.answer or "")
            said = ""
        value = float(answered == answerable)
        status, score, bounds = ranged(value, value)
        return Finding(
            status=status,
            score=score,
            bounds=bounds,
            reason=f"{'lexical: ' if not asks else ''}{_CELLS[answerable, answered]}{said}",
            details={**details, "answered": answered},
        )


def is_answerable(case: Case) -> bool | None:
    """Whether a case says that its question can be answered from its sources; None where it does not say."""
    said = case.metadata.get("answerable")
    if isinstance(said, bool):
        return said
    if (case.category or "").strip().casefold() == UNANSWERABLE:
        return False
    return True if not is_blank(case.reference or "") else None


def abstains(answer: str) -> bool:
    """Whether an answer begins by saying that the sources or the speaker do not have what was asked for."""
    for sentence in split_sentences(answer)[:1]:
        runs = text_runs(without_marks(sentence))
        return is_about_the_source(runs, detect_language(main_script(sentence), runs))
    return False
