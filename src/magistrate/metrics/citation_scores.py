"""Citations scored by their words: faithfulness, coverage, redundancy, and the three weighed together."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from magistrate.case import Case
from magistrate.errors import ConfigurationError
from magistrate.judges import Judge
from magistrate.metrics.cited import read_citations, statements_with_marks, without_marks
from magistrate.metrics.faithfulness import Faithfulness
from magistrate.metrics.lexical import all_terms, among, redundancy, terms_of
from magistrate.metrics.template import CaseMetric, Finding, Ledger, Need, Range, ranged
from magistrate.metrics.verification import is_blank
from magistrate.scoring import DEFAULT_THRESHOLD
from magistrate.verdict import Status, Verdict

__all__ = ["WEIGHTS", "CitationScore", "CitationScores", "score_citations"]

Part = Literal["overall", "faithfulness", "coverage", "redundancy"]

WEIGHTS = (0.4, 0.4, 0.2)
"""Of faithfulness, coverage and 1 - redundancy (ADR 0003)."""

_NAMES: dict[str, str] = {
    "overall": "citation_overall",
    "faithfulness": "lexical_faithfulness",
    "coverage": "citation_coverage",
    "redundancy": "citation_redundancy",
}
_SAID: dict[Part, str] = {
    "overall": "How good the citations are by their words: faithfulness, coverage and little redundancy, weighted.",
    "faithfulness": "How far the words of the claims stand in the passages that the answer cites.",
    "coverage": "How many of the question's words stand in the passages that the answer cites.",
    "redundancy": "How much the cited passages say the same, by their words.",
}
_FORMULAS: dict[str, str] = {
    "overall": "wf faithfulness + wc coverage + wr (1 - redundancy)",
    "faithfulness": "mean over claims of terms in the cited passages / terms",
    "coverage": "terms of the question in the cited passages / terms of the question",
    "redundancy": "mean cosine similarity of the pairs of cited passages, TF-IDF",
}
_MOST_REDUNDANT = 0.5


@dataclass(frozen=True, slots=True)
class CitationScores:
    """The three axes and their weighted sum, each in [0, 1]; None where an axis is undefined.

    Args:
        faithfulness: How much of the answer's claims the cited passages hold. More is better.
        coverage: How much of the question they hold. More is better.
        redundancy: How alike they are. Less is better.
        overall: The weighted sum. More is better.
    """

    faithfulness: float | None
    coverage: float | None
    redundancy: float | None
    overall: float | None


def score_citations(
    claims: Sequence[str],
    question: str | None,
    cited: Sequence[str],
    *,
    weights: tuple[float, float, float] = WEIGHTS,
) -> CitationScores:
    """Score an answer's citations by terms, without a judge, an API or a model.

    Source: ADR 0003, Citation Scoring Framework. A term is a word without its ending, stop words left out.

    - faithfulness: mean over the claims of (terms of the claim that stand in a cited passage / terms of the claim);
    - coverage: terms of the question that stand in a cited passage / terms of the question;
    - redundancy: mean cosine similarity of all pairs of cited passages, as TF-IDF vectors; 0 for fewer than two;
    - overall: 0.4 faithfulness + 0.4 coverage + 0.2 (1 - redundancy).

    Words are a proxy: a denial, a swapped subject or a wrong number that stands elsewhere in the passage passes unseen.

    Args:
        claims: The answer's statements, without citation marks.
        question: The question.
        cited: The texts of the cited passages; blank ones count as none.
        weights: Of faithfulness, coverage and 1 - redundancy; not negative, made to add up to 1.

    Returns:
        The scores. Without a cited passage or without terms in the claims there is no faithfulness, without a passage
        or terms in the question no coverage, and without one of them no overall score.

    Raises:
        ConfigurationError: If the weights are no three numbers from 0 up of which one is above 0.
    """
    shares = _normalised(weights)
    passages = [text for text in cited if not is_blank(text)]
    repeated = redundancy(passages)
    faithful = coverage = overall = None
    if passages:
        there = all_terms(passages)
        kept = [share for share in (among(terms_of(claim), there) for claim in claims) if share is not None]
        faithful = math.fsum(kept) / len(kept) if kept else None
        coverage = among(terms_of(question or ""), there)
    if faithful is not None and coverage is not None:
        overall = math.fsum(map(float.__mul__, shares, (faithful, coverage, 1.0 - repeated)))
    return CitationScores(faithful, coverage, repeated, overall)


class CitationScore(CaseMetric):
    """One axis of the lexical citation scoring of ADR 0003, or the three weighed together; `score_citations` says how.

    Source: ADR 0003, Citation Scoring Framework. In [0, 1]; more is better, save for redundancy (`direction` minimize).
    No judge is asked, and the result carries `method: lexical`; `method="judge"` has a judge verify the statements
    against the cited passages for the faithfulness, and keeps the rest (`method: judge`).

    Cited passages are those that the case's citations, or the marks in its answer, point to, each once; statements are
    those of the case, else its sentences.

    Default threshold: 0.7, and at most 0.5 for redundancy. Empty input: `no_answer`, `no_context`; without a citation
    every axis is `vacuous`, and so is the redundancy of a single one, whose score is 0; an empty question is
    `missing_input` for coverage and overall. None of these passes.

    Cost per case: none; with `method="judge"` one call for each `batch_size` statements.

    Args:
        threshold: The score needed to pass; None for the default.
        part: "overall", "faithfulness", "coverage" or "redundancy".
        weights: Of faithfulness, coverage and 1 - redundancy in the overall score.
        method: "lexical" or "judge".
        judging: Scale and batch size of the judgements; None for those of `Faithfulness()`.
        include_reason: Whether results carry a reason.
        name: The name in reports; None for "citation_overall", "lexical_faithfulness", "citation_coverage",
            "citation_redundancy", and "cited_faithfulness" for a judged faithfulness.

    Raises:
        ConfigurationError: If an option is out of range.
    """

    cost = "none"

    def __init__(
        self,
        threshold: float | None = None,
        *,
        part: Part = "overall",
        weights: tuple[float, float, float] = WEIGHTS,
        method: Literal["lexical", "judge"] = "lexical",
        judging: Faithfulness | None = None,
        include_reason: bool = True,
        name: str | None = None,
    ) -> None:
        if part not in _NAMES:
            raise ConfigurationError(f"part is {', '.join(map(repr, _NAMES))}, not {part!r}")
        if method not in ("lexical", "judge"):
            raise ConfigurationError(f"method is 'lexical' or 'judge', not {method!r}")
        self.part = part
        self.method = method
        self.weights = _normalised(weights)
        self.judging = judging or Faithfulness()
        self.description = _SAID[part]
        self.policy = _NAMES[part].replace("_", "-")
        self.formula = _FORMULAS[part]
        if part == "redundancy":
            self.direction = "minimize"
        self.needs: tuple[Need, ...] = ("contexts",) if part == "redundancy" else ("answer", "contexts")
        if threshold is None:
            threshold = _MOST_REDUNDANT if part == "redundancy" else DEFAULT_THRESHOLD
        own = "cited_faithfulness" if (part, method) == ("faithfulness", "judge") else _NAMES[part]
        super().__init__(
            name=name or own,
            threshold=threshold,
            include_reason=include_reason,
            options={"part": part, "method": method, "weights": list(self.weights)},
        )

    async def find(self, case: Case, judge: Judge, ledger: Ledger) -> Finding:
        """Look up what is cited, and compare words."""
        statements = statements_with_marks(case)
        places = {place for citation in read_citations(case, statements) for place in citation.contexts}
        passages = [case.contexts[place] for place in sorted(places)]
        claims = [without_marks(statement) for statement in statements]
        scores = score_citations(claims, case.question, passages, weights=self.weights)
        status, faithful = Status.SCORED, _span(scores.faithfulness)
        if self.method == "judge" and passages and self.part in ("overall", "faithfulness"):
            status, faithful = await self._judged(case, claims, passages, judge, ledger)
        return self._settle(scores, status, faithful, len(passages))

    async def _judged(
        self, case: Case, claims: Sequence[str], passages: Sequence[str], judge: Judge, ledger: Ledger
    ) -> tuple[Status, tuple[float, float] | None]:
        cited = Case(id=case.id, question=case.question, statements=tuple(claims), contexts=tuple(passages))
        judged = await self.judging.evaluate(cited, judge)
        ledger.add(judged)
        if not judged.verdicts:
            return judged.status, None
        supported = sum(verdict.verdict is Verdict.SUPPORTED for verdict in judged.verdicts)
        unknown = sum(verdict.verdict is None for verdict in judged.verdicts)
        n = len(judged.verdicts)
        known = Status.SCORED if not unknown else judged.status
        return known, (supported / n, (supported + unknown) / n)

    def _settle(
        self, scores: CitationScores, status: Status, faithful: tuple[float, float] | None, cited: int
    ) -> Finding:
        low, high = faithful if faithful is not None else (None, None)
        details = {
            "method": self.method,
            "faithfulness": low if status is Status.SCORED else None,
            "coverage": scores.coverage,
            "redundancy": scores.redundancy,
            "weights": list(self.weights),
            "cited": cited,
        }
        if not cited:
            return Finding(status=Status.VACUOUS, reason="the answer cites no passage", details=details)
        if self.part == "redundancy":
            return _redundancy(scores.redundancy or 0.0, cited, details)
        if self.part != "faithfulness" and scores.coverage is None:
            return Finding(status=Status.MISSING_INPUT, reason="the question holds no words", details=details)
        if self.part != "coverage" and (low is None or high is None):
            why = "the answer states nothing in words" if self.method == "lexical" else None
            empty = Status.VACUOUS if status is Status.SCORED else status
            return Finding(status=empty, reason=why, details=details)
        found: Range
        if self.part == "coverage":
            found = ranged(scores.coverage or 0.0, scores.coverage or 0.0)
        else:
            missing = None if status is Status.SCORED else status
            ends = [self._weigh(share, scores) for share in (low, high) if share is not None]
            found = ranged(ends[0], ends[-1], missing=missing, known=status in (Status.SCORED, Status.PARTIAL))
        status, score, bounds = found
        shown = ", ".join(
            f"{name} {'unknown' if value is None else format(value, '.2f')}"
            for name, value in list(details.items())[1:4]
            if value is None or isinstance(value, float)
        )
        reason = f"{self.method}: {shown}; {cited} cited passage{'' if cited == 1 else 's'}"
        return Finding(status=status, score=score, bounds=bounds, reason=reason, details=details)

    def _weigh(self, faithful: float, scores: CitationScores) -> float:
        if self.part == "faithfulness":
            return faithful
        parts = (faithful, scores.coverage or 0.0, 1.0 - (scores.redundancy or 0.0))
        return math.fsum(map(float.__mul__, self.weights, parts))


def _redundancy(value: float, cited: int, details: Mapping[str, object]) -> Finding:
    if cited == 1:
        return Finding(
            status=Status.VACUOUS,
            score=0.0,
            bounds=(0.0, 0.0),
            reason="one cited passage repeats no other",
            details=details,
        )
    status, score, bounds = ranged(value, value)
    reason = f"lexical: mean similarity of {cited * (cited - 1) // 2} pairs of cited passages {value:.2f}"
    return Finding(status=status, score=score, bounds=bounds, reason=reason, details=details)


def _span(value: float | None) -> tuple[float, float] | None:
    return None if value is None else (value, value)


def _normalised(weights: Sequence[float]) -> tuple[float, float, float]:
    try:
        first, second, third = (float(weight) for weight in weights)
    except (TypeError, ValueError):
        raise ConfigurationError(f"weights are three numbers, such as 0.4, 0.4, 0.2, not {weights!r}") from None
    total = first + second + third
    if not (min(first, second, third) >= 0.0 and 0.0 < total < math.inf):
        raise ConfigurationError(f"weights are three numbers from 0 up, one of them above 0, not {weights!r}")
    return first / total, second / total, third / total
