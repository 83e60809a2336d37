"""Citations, scored by their words, blind to denials and swapped subjects: faithfulness, coverage, redundancy."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, Literal

from magistrate.case import Case
from magistrate.errors import ConfigurationError
from magistrate.judges import Judge
from magistrate.metrics._case_metric import Account, By, Choice, Finding, Need, Option, supported
from magistrate.metrics.base import is_blank
from magistrate.metrics.citations._attribution import read_citations, statements_with_marks, without_marks
from magistrate.metrics.faithfulness import JudgedMetric
from magistrate.scoring import DEFAULT_THRESHOLD
from magistrate.text import content_terms, detect_language, main_script, text_runs
from magistrate.verdict import Status

WEIGHTS = (0.4, 0.4, 0.2)
"""Of faithfulness, coverage and 1 - redundancy (ADR 0003)."""

Weights = tuple[float, float, float]


# The part of a score -> its name, what it measures, and its formula.
_PARTS = {
    "overall": (
        "citation_overall",
        "How good the citations are by their words: faithfulness, coverage and little redundancy, weighted.",
        "wf faithfulness + wc coverage + wr (1 - redundancy)",
    ),
    "faithfulness": (
        "lexical_faithfulness",
        "How far the words of the claims stand in the passages that the answer cites.",
        "mean over claims of terms in the cited passages / terms",
    ),
    "coverage": (
        "citation_coverage",
        "How many of the question's words stand in the passages that the answer cites.",
        "terms of the question in the cited passages / terms of the question",
    ),
    "redundancy": (
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
        lambda m: "cited_faithfulness" if (m.part, m.method) == ("faithfulness", "judge") else _PARTS[m.part][0]
    )
    default_description = By(lambda m: _PARTS[m.part][1])
    default_threshold = By(lambda m: _MOST_REDUNDANT if m.part == "redundancy" else DEFAULT_THRESHOLD)
    direction = By(lambda m: "minimize" if m.part == "redundancy" else "maximize")
    needs = By[tuple[Need, ...]](lambda m: ("contexts",) if m.part == "redundancy" else ("answer", "contexts"))
    policy = By(lambda m: _PARTS[m.part][0].replace("_", "-"))
    formula = By(lambda m: _PARTS[m.part][2])

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
            judged = account.add(await self.judging.evaluate(cited, judge))
            found = Finding.share_of(supported(judged.verdicts), judged.status) if judged.verdicts else None
            span, status = (None, judged.status) if found is None else (found.bounds, found.status)
        details = {
            "method": self.method,
            "faithfulness": span[0] if span and status is Status.SCORED else None,
            "coverage": scores.coverage,
            "redundancy": scores.redundancy,
            "weights": list(self.weights),
            "cited": len(passages),
        }
        return replace(self._weighed(scores, status, span, len(passages)), details=details)

    def _weighed(  # noqa: PLR0911 - one return a reason
        self, scores: CitationScores, status: Status, faithful: tuple[float, float] | None, cited: int
    ) -> Finding:
        coverage, repeated = scores.coverage, scores.redundancy or 0.0
        if not cited:
            return Finding(status=Status.VACUOUS, reason="the answer cites no passage")
        if self.part == "redundancy" and cited == 1:
            reason = "one cited passage repeats no other"
            return Finding(status=Status.VACUOUS, score=0.0, bounds=(0.0, 0.0), reason=reason)
        if self.part == "redundancy":
            pairs = cited * (cited - 1) // 2
            return Finding.scored(
                repeated, reason=f"lexical: mean similarity of {pairs} pairs of cited passages {repeated:.2f}"
            )
        if self.part != "faithfulness" and coverage is None:
            return Finding(status=Status.MISSING_INPUT, reason="the question holds no words")
        if self.part != "coverage" and faithful is None:
            why = "the answer states nothing in words" if self.method == "lexical" else None
            return Finding(status=Status.VACUOUS if status is Status.SCORED else status, reason=why)
        parts = {"faithfulness": faithful[0] if faithful and status is Status.SCORED else None}
        parts |= {"coverage": coverage, "redundancy": repeated}
        shown = ", ".join(f"{name} {'unknown' if part is None else f'{part:.2f}'}" for name, part in parts.items())
        reason = f"{self.method}: {shown}; {cited} cited passage{'' if cited == 1 else 's'}"
        if self.part == "coverage" or faithful is None:
            return Finding.scored(coverage or 0.0, reason=reason)
        low, high = faithful
        if self.part == "overall":
            rest = (coverage or 0.0, 1.0 - repeated)
            low, high = (math.fsum(map(float.__mul__, self.weights, (share, *rest))) for share in faithful)
        missing = None if status is Status.SCORED else status
        return Finding.between(low, high, missing=missing, known=status is Status.PARTIAL, reason=reason)


def _normalised(weights: Sequence[float]) -> tuple[float, float, float]:
    try:
        first, second, third = (float(weight) for weight in weights)
    except (TypeError, ValueError):
        raise ConfigurationError(f"weights are three numbers, such as 0.4, 0.4, 0.2, not {weights!r}") from None
    total = first + second + third
    if not (min(first, second, third) >= 0.0 and 0.0 < total < math.inf):
        raise ConfigurationError(f"weights are three numbers from 0 up, one of them above 0, not {weights!r}")
    return first / total, second / total, third / total


_SAMPLE: Final = 60
_ROUNDING: Final = 1e-12
_SAME_WRITING: Final = ({"han", "kana"},)


@lru_cache(maxsize=1024)
def terms_of(text: str) -> tuple[str, ...]:
    """The terms of a text that carry content, in its order, with repeats; () for a text without words."""
    runs = text_runs(text)
    if not runs:
        return ()
    return tuple(content_terms(runs, detect_language(main_script(text), runs[:_SAMPLE])))


def comparable(text: str, others: Iterable[str]) -> bool:
    """Whether a text is written in a script that one of the others is written in: else no term can be shared."""
    script = main_script(text)
    scripts = {main_script(other) for other in others}
    if script is None or None in scripts or script in scripts or not scripts:
        return True
    return any(script in same and not same.isdisjoint(scripts) for same in _SAME_WRITING)


def among(terms: Iterable[str], others: AbstractSet[str]) -> float | None:
    """The share of the different terms that are among others, in [0, 1]; None where there is no term."""
    wanted = set(terms)
    return len(wanted & others) / len(wanted) if wanted else None


def all_terms(texts: Sequence[str]) -> frozenset[str]:
    """The terms of several texts together."""
    return frozenset().union(*map(terms_of, texts))


def redundancy(texts: Sequence[str]) -> float:
    """How alike texts are: the mean cosine similarity of all pairs of their TF-IDF vectors, in [0, 1].

    A term weighs its count in the text times ln((1 + n) / (1 + d)) + 1, with d of the n texts holding it (the smoothed
    idf of Salton and Buckley, 1988, as scikit-learn has it), so that a term which all texts hold still counts.
    """
    if len(texts) < 2:  # noqa: PLR2004 - a pair
        return 0.0
    counts = [Counter(terms_of(text)) for text in texts]
    texts_with = Counter(term for count in counts for term in count)
    weight = [0.0, *(math.log((1 + len(texts)) / (1 + d)) + 1.0 for d in range(1, len(texts) + 1))]
    idf = {term: weight[d] for term, d in texts_with.items()}
    # Of unit vectors, the sum of all pairs' products is half of |sum|^2 less their own: no pair is looked at.
    total: dict[str, float] = dict.fromkeys(idf, 0.0)
    units = 0
    for count in counts:
        length = math.sqrt(math.fsum((n * idf[term]) ** 2 for term, n in count.items()))
        units += bool(length)
        for term, n in count.items():
            total[term] += n * idf[term] / length
    pairs = len(texts) * (len(texts) - 1)
    mean = (math.fsum(value * value for value in total.values()) - units) / pairs
    return min(1.0, mean) if mean > _ROUNDING else 0.0
