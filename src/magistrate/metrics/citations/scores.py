"""Citations scored by their words: faithfulness, coverage, redundancy, and the three weighed together."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from magistrate.case import Case
from magistrate.errors import ConfigurationError
from magistrate.judges import Judge
from magistrate.metrics._case_metric import (
    Account,
    By,
    Choice,
    Finding,
    Need,
    Option,
    between,
    scored,
    supported,
)
from magistrate.metrics._lexical import all_terms, among, redundancy, terms_of
from magistrate.metrics.citations._attribution import read_citations, statements_with_marks, without_marks
from magistrate.metrics.faithfulness import JudgedMetric
from magistrate.metrics.verification import is_blank
from magistrate.scoring import DEFAULT_THRESHOLD
from magistrate.verdict import Status

WEIGHTS = (0.4, 0.4, 0.2)
"""Of faithfulness, coverage and 1 - redundancy (ADR 0003)."""

Weights = tuple[float, float, float]


class _Part(NamedTuple):
    name: str
    description: str
    formula: str


_PARTS = {
    "overall": _Part(
        "citation_overall",
        "How good the citations are by their words: faithfulness, coverage and little redundancy, weighted.",
        "wf faithfulness + wc coverage + wr (1 - redundancy)",
    ),
    "faithfulness": _Part(
        "lexical_faithfulness",
        "How far the words of the claims stand in the passages that the answer cites.",
        "mean over claims of terms in the cited passages / terms",
    ),
    "coverage": _Part(
        "citation_coverage",
        "How many of the question's words stand in the passages that the answer cites.",
        "terms of the question in the cited passages / terms of the question",
    ),
    "redundancy": _Part(
        "citation_redundancy",
        "How much the cited passages say the same, by their words.",
        "mean cosine similarity of the pairs of cited passages, TF-IDF",
    ),
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


@dataclass(kw_only=True, eq=False, repr=False)
class CitationScore(JudgedMetric):
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
        name: The name in reports; None for "citation_overall", "lexical_faithfulness", "citation_coverage",
            "citation_redundancy", and "cited_faithfulness" for a judged faithfulness.
        part: "overall", "faithfulness", "coverage" or "redundancy".
        weights: Of faithfulness, coverage and 1 - redundancy in the overall score.
        method: "lexical" or "judge".

    Raises:
        ConfigurationError: If an option is out of range.
    """

    part: Option[Literal["overall", "faithfulness", "coverage", "redundancy"], str] = Choice(*_PARTS)
    weights: Option[Weights, Weights] = Option(WEIGHTS, lambda _, given: _normalised(given))
    method: Option[Literal["lexical", "judge"], str] = Choice("lexical", "judge")

    cost = "none"
    offline = "lexical"

    default_name = By(
        lambda m: "cited_faithfulness" if (m.part, m.method) == ("faithfulness", "judge") else _PARTS[m.part].name
    )

    default_description = By(lambda m: _PARTS[m.part].description)
    default_threshold = By(lambda m: _MOST_REDUNDANT if m.part == "redundancy" else DEFAULT_THRESHOLD)
    direction = By(lambda m: "minimize" if m.part == "redundancy" else "maximize")
    needs = By[tuple[Need, ...]](lambda m: ("contexts",) if m.part == "redundancy" else ("answer", "contexts"))
    policy = By(lambda m: _PARTS[m.part].name.replace("_", "-"))
    formula = By(lambda m: _PARTS[m.part].formula)

    async def find(self, case: Case, judge: Judge, account: Account) -> Finding:
        """Look up what is cited, and compare words."""
        statements = statements_with_marks(case)
        places = {place for citation in read_citations(case, statements) for place in citation.contexts}
        passages = [case.contexts[place] for place in sorted(places)]
        claims = [without_marks(statement) for statement in statements]
        scores = score_citations(claims, case.question, passages, weights=self.weights)
        faithful, status = scores.faithfulness, Status.SCORED
        span = None if faithful is None else (faithful, faithful)
        if self.method == "judge" and passages and self.part in ("overall", "faithfulness"):
            cited = Case(id=case.id, question=case.question, statements=tuple(claims), contexts=tuple(passages))
            judged = await self.judging.evaluate(cited, judge)
            account.add(judged)
            flags = supported(judged.verdicts)
            low, unknown, n = flags.count(True), flags.count(None), len(flags)
            span = (low / n, (low + unknown) / n) if flags else None
            status = Status.SCORED if flags and not unknown else judged.status
        return self._finding(scores, status, span, len(passages))

    def _finding(
        self, scores: CitationScores, status: Status, faithful: tuple[float, float] | None, cited: int
    ) -> Finding:
        details = {
            "method": self.method,
            "faithfulness": faithful[0] if faithful and status is Status.SCORED else None,
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
        if self.part != "coverage" and faithful is None:
            why = "the answer states nothing in words" if self.method == "lexical" else None
            empty = Status.VACUOUS if status is Status.SCORED else status
            return Finding(status=empty, reason=why, details=details)
        shown = ", ".join(
            f"{name} {'unknown' if value is None else format(value, '.2f')}"
            for name, value in list(details.items())[1:4]
            if value is None or isinstance(value, float)
        )
        reason = f"{self.method}: {shown}; {cited} cited passage{'' if cited == 1 else 's'}"
        if self.part == "coverage" or faithful is None:
            return scored(scores.coverage or 0.0, reason=reason, details=details)
        low, high = (self._weighed(share, scores) for share in faithful)
        missing = None if status is Status.SCORED else status
        return between(low, high, missing=missing, known=status is Status.PARTIAL, reason=reason, details=details)

    def _weighed(self, faithful: float, scores: CitationScores) -> float:
        if self.part == "faithfulness":
            return faithful
        parts = (faithful, scores.coverage or 0.0, 1.0 - (scores.redundancy or 0.0))
        return math.fsum(map(float.__mul__, self.weights, parts))


def _redundancy(value: float, cited: int, details: Mapping[str, Any]) -> Finding:
    if cited == 1:
        reason = "one cited passage repeats no other"
        return Finding(status=Status.VACUOUS, score=0.0, bounds=(0.0, 0.0), reason=reason, details=details)
    reason = f"lexical: mean similarity of {cited * (cited - 1) // 2} pairs of cited passages {value:.2f}"
    return scored(value, reason=reason, details=details)


def _normalised(weights: Sequence[float]) -> tuple[float, float, float]:
    try:
        first, second, third = (float(weight) for weight in weights)
    except (TypeError, ValueError):
        raise ConfigurationError(f"weights are three numbers, such as 0.4, 0.4, 0.2, not {weights!r}") from None
    total = first + second + third
    if not (min(first, second, third) >= 0.0 and 0.0 < total < math.inf):
        raise ConfigurationError(f"weights are three numbers from 0 up, one of them above 0, not {weights!r}")
    return first / total, second / total, third / total
