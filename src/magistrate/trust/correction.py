"""A rate and a mean score as people would give them: the judge's verdicts on all, corrected by labels of a few."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, variance
from typing import TypeAlias

from magistrate.statistics import Interval, wilson_limits
from magistrate.statistics.intervals import CONFIDENCE, normal_quantile, percent, t_quantile
from magistrate.trust.records import Judgement, Key

NO_VERDICT = "no verdict"
_Labelled: TypeAlias = tuple[str, str, bool]
"""Case, stratum, label."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stratum:
    """The statements on which the judge gave one verdict.

    Attributes:
        verdict: The judge's word, or "no verdict".
        share: Their share of all statements, in (0, 1].
        labelled: How many of them people labelled.
        yes: How many of those people said yes to.
    """

    verdict: str
    share: float
    labelled: int
    yes: int

    @property
    def rate(self) -> float:
        """Share of yes among the labelled ones; one half where none is labelled."""
        return self.yes / self.labelled if self.labelled else 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class RateCorrection:
    """A corrected rate and what it rests on.

    Attributes:
        judge: The judge's own rate over the statements it gave a verdict on; None where it gave none.
        judge_n: How many these are.
        people: Rate among the labelled statements alone, with its interval.
        corrected: The corrected rate, in [0, 1].
        interval: Its interval.
        n: Statements.
        labelled: Statements with a label.
        cases: Cases with a label.
        all_cases: Cases in all.
        design_effect: How much wider the interval is squared because statements of a case hang together; 1 or more.
        phi: Correlation of judge and people over the labelled statements, in [-1, 1]; None where it is not defined.
        effective_n: How many statements that do not hang together would tell as much of the verdicts' shares.
        worth: How many labels without the judge would say as much; as many as they are where it does not help.
        strata: The statements by verdict.
    """

    judge: float | None
    judge_n: int
    people: float
    people_interval: Interval
    corrected: float
    interval: Interval
    n: int
    labelled: int
    cases: int
    all_cases: int
    design_effect: float
    effective_n: float
    phi: float | None
    worth: float
    strata: tuple[Stratum, ...]


def correct(judgements: Iterable[Judgement], labels: Mapping[Key, bool]) -> RateCorrection | None:
    """The rate of yes that people would give over all statements.

    Post-stratification by the judge's verdict: the sum over verdicts c of w_c p_c, with w_c the share of the statements
    that got the verdict and p_c the share of yes among its labelled ones. The limits are recovered from Wilson's limits
    l_c, u_c of each verdict (MOVER; Zou and Donner, Statistics in Medicine 27, 2008): the lower one is
    t - sqrt(sum w_c^2 (p_c - l_c)^2 + z^2 s), the upper one likewise, where s = sum w_c (p_c - t)^2 / N is what the
    shares themselves vary by. People label cases, so statements are clusters: Wilson's limits take n_c / D labels, with
    the design effect D of Rao and Scott (Annals of Statistics 15, 1987) by linearisation over cases, and Student's
    quantile for their number; the shares have a design effect of their own over all cases. Where people and judge never
    differ, D is that of the labels alone. Where every statement is labelled, so are the limits.

    Args:
        judgements: One for each statement of the run, whether or not it has a verdict.
        labels: What people said; labels of statements that are not in the run are left out.

    Returns:
        The correction; None where no statement of the run is labelled.
    """
    rows = list(judgements)
    known = [row for row in rows if row.key in labels]
    if not known:
        return None
    labelled = [(row.case_id, verdict_of(row), labels[row.key]) for row in known]
    strata = _strata(list(map(verdict_of, rows)), labelled)
    cases, all_cases = len({row.case_id for row in known}), len({row.case_id for row in rows})
    clustered = len(known) > cases
    alone = [(case, "", label) for case, _, label in labelled]
    whole = _strata([""], alone)
    rate = whole[0].rate
    plain = (_design_effect(alone, whole) or len(known) / cases) if clustered else 1.0
    effect = (_design_effect(labelled, strata) or plain) if clustered else 1.0
    size = _effective_n(rows, strata)
    parts = [(s.share, s.rate, s.labelled) for s in strata]
    z = quantile(cases, clustered=clustered)
    of = f"{percent(CONFIDENCE)}" + (", by cases" if clustered else "")
    people = Interval(*wilson_limits(rate, len(known) / plain, z), f"Wilson score interval, {of}", CONFIDENCE)
    limits = rate_limits(parts, effect=effect, z=z, effective_n=size)
    by_verdict = Interval(*limits, f"post-stratified by verdict, MOVER-Wilson, {of}", CONFIDENCE)
    interval = people if len(known) == len(rows) else by_verdict
    width = interval.high - interval.low
    judged = [row.positive for row in rows if row.positive is not None]
    return RateCorrection(
        judge=sum(judged) / len(judged) if judged else None,
        judge_n=len(judged),
        people=rate,
        people_interval=people,
        corrected=math.fsum(share * rate for share, rate, _ in parts),
        interval=interval,
        n=len(rows),
        labelled=len(known),
        cases=cases,
        all_cases=all_cases,
        design_effect=effect,
        effective_n=size,
        phi=phi([(row.positive, labels[row.key]) for row in known if row.positive is not None]),
        worth=len(known) * max(1.0, ((people.high - people.low) / width) ** 2 if width else 1.0),
        strata=tuple(strata),
    )


def quantile(cases: int, *, clustered: bool) -> float:
    """Student's for labels that hang together in more than one case, else the normal one."""
    share = (1 + CONFIDENCE) / 2
    return t_quantile(share, cases - 1) if clustered and cases > 1 else normal_quantile(share)


def rate_limits(
    parts: Sequence[tuple[float, float, float]], *, effect: float, z: float, effective_n: float
) -> tuple[float, float]:
    """The limits of `correct`, from (share of all, rate, labels) of each verdict."""
    estimate = math.fsum(share * rate for share, rate, _ in parts)
    low = high = z * z * math.fsum(share * (rate - estimate) ** 2 for share, rate, _ in parts) / effective_n
    for share, rate, labels in parts:
        least, most = wilson_limits(rate, labels / effect, z)
        low += (share * (rate - least)) ** 2
        high += (share * (most - rate)) ** 2
    return max(0.0, estimate - math.sqrt(low)), min(1.0, estimate + math.sqrt(high))


def verdict_of(row: Judgement) -> str:
    """The stratum of a judgement: its verdict, or that there is none."""
    return NO_VERDICT if row.verdict is None else row.verdict


def _strata(verdicts: Sequence[str], labelled: Sequence[_Labelled]) -> list[Stratum]:
    said = {verdict: [label for _, of, label in labelled if of == verdict] for verdict in sorted(set(verdicts))}
    return [
        Stratum(verdict=one, share=verdicts.count(one) / len(verdicts), labelled=len(found), yes=sum(found))
        for one, found in said.items()
    ]


def _design_effect(labelled: Sequence[_Labelled], strata: Sequence[Stratum]) -> float | None:
    """Variance of the estimate over cases, divided by the one of independent statements; None where nothing varies."""
    found = {stratum.verdict: stratum for stratum in strata}
    scores = []
    for case, verdict, label in labelled:
        stratum = found[verdict]
        scores.append((case, stratum.share * (label - stratum.rate) / stratum.labelled))
    return _by_cases(scores, math.fsum(s.share**2 * s.rate * (1 - s.rate) / s.labelled for s in strata if s.labelled))


def _effective_n(rows: Sequence[Judgement], strata: Sequence[Stratum]) -> float:
    """Statements over the design effect of their verdicts' shares; as many as cases where nothing varies."""
    rates = {stratum.verdict: stratum.rate for stratum in strata}
    middle = math.fsum(stratum.share * stratum.rate for stratum in strata)
    independent = math.fsum(s.share * (s.rate - middle) ** 2 for s in strata) / len(rows)
    effect = _by_cases([(row.case_id, (rates[verdict_of(row)] - middle) / len(rows)) for row in rows], independent)
    return len(rows) / effect if effect else len({row.case_id for row in rows})


def _by_cases(scores: Sequence[tuple[str, float]], independent: float) -> float | None:
    """Variance of the sum of scores that add up to 0 over cases, divided by the independent one, at least 1."""
    sums: dict[str, float] = {}
    for case, score in scores:
        sums[case] = sums.get(case, 0.0) + score
    n = len(sums)
    if n < 2 or independent == 0.0:
        return None
    return max(1.0, n / (n - 1) * math.fsum(value * value for value in sums.values()) / independent)


def phi(pairs: Sequence[tuple[bool, bool]]) -> float | None:
    """Pearson's correlation of two yes-or-no answers, in [-1, 1]; None where one of them never varies."""
    n, one, other = len(pairs), sum(p for p, _ in pairs), sum(q for _, q in pairs)
    spread = one * (n - one) * other * (n - other)
    return (n * sum(p and q for p, q in pairs) - one * other) / math.sqrt(spread) if spread else None


LEAST_CASES = 30
"""Labelled cases below which the interval of a corrected mean holds the truth too seldom: none is given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanCorrection:
    """A corrected mean and what it rests on.

    Attributes:
        judge: Mean of the judge's scores; None where it scored nothing.
        people: Mean of people's scores.
        corrected: The corrected mean, in [0, 1].
        interval: Its interval, by the jackknife over labelled cases and Student's quantile.
        weight: How much of the judge is believed, in [0, 1].
        labelled: Labelled cases.
        n: All cases.
    """

    judge: float | None
    people: float
    corrected: float
    interval: Interval
    weight: float
    labelled: int
    n: int


def correct_mean(judge: Mapping[str, float | None], people: Mapping[str, float]) -> MeanCorrection | None:
    """The mean score of all cases as people would give it.

    PPI++ (Angelopoulos, Duchi and Zrnic, arXiv 2311.01453): mean_n y + w (mean_N f - mean_n f), N the cases without a
    label and w = cov_n(y, f) / ((1 + n/N) var f), cut to [0, 1]; its error by leaving out one labelled case at a time,
    w fitted anew each time, and Student's quantile. A case that the judge could not score has the mean of the others as
    its f, which keeps the estimate unbiased: f may be anything that does not look at the label.

    Args:
        judge: The judge's score of each case, in [0, 1]; None where it gave none.
        people: People's score of the labelled cases, in [0, 1].

    Returns:
        The correction; None with fewer than 30 labelled cases, or with equal scores alone, where it would claim more
        than it knows.

    Raises:
        ValueError: If a score is outside [0, 1].
    """
    scored = [score for score in judge.values() if score is not None]
    if any(not 0.0 <= score <= 1.0 for score in (*scored, *people.values())):
        raise ValueError("scores lie in [0, 1]")
    keys = [key for key in people if key in judge]
    n = len(keys)
    if n < LEAST_CASES or len({people[key] for key in keys}) == 1:
        return None
    middle = math.fsum(scored) / len(scored) if scored else 0.5
    everything = {key: middle if score is None else score for key, score in judge.items()}
    spread = variance(everything.values())
    others = [score for key, score in everything.items() if key not in people]
    total, size = fmean(others or [middle]), len(others)
    terms = [(1, y, f, y * f) for y, f in ((people[key], everything[key]) for key in keys)]
    sums = [math.fsum(column) for column in zip(*terms, strict=True)]
    estimate, weight = _estimate(sums, total, size, spread)
    without = ([a - b for a, b in zip(sums, one, strict=True)] for one in terms)
    left_out = [_estimate(rest, total, size, spread)[0] for rest in without]
    error = (n - 1) ** 2 / n * variance(left_out) + weight * weight * spread / max(1, size)
    half = t_quantile((1 + CONFIDENCE) / 2, n - 1) * math.sqrt(error)
    corrected = min(1.0, max(0.0, estimate))
    return MeanCorrection(
        judge=math.fsum(scored) / len(scored) if scored else None,
        people=sums[1] / n,
        corrected=corrected,
        interval=Interval(
            max(0.0, min(corrected, estimate - half)),
            min(1.0, max(corrected, estimate + half)),
            f"PPI++ with jackknife, Student's t, {percent(CONFIDENCE)}",
            CONFIDENCE,
        ),
        weight=weight,
        labelled=n,
        n=len(judge),
    )


def _estimate(sums: Sequence[float], total: float, size: int, spread: float) -> tuple[float, float]:
    """The corrected mean and the weight of the judge, from n and the sums of y, f and y f."""
    n, y, f, yf = sums
    covariance = (yf - y * f / n) / (n - 1)
    weight = min(1.0, max(0.0, covariance * size / ((size + n) * spread))) if spread > 0.0 else 0.0
    return y / n + weight * (total - f / n), weight
