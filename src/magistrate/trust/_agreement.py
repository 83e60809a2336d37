"""How far judge and people agree: sensitivity, kappa, AC1; what a panel is worth; whether a judge has changed."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean, stdev

from magistrate.statistics import mcnemar_test
from magistrate.statistics.intervals import CONFIDENCE, Interval, normal_quantile, t_cdf, t_quantile, wilson_limits
from magistrate.trust.correction import phi
from magistrate.trust.records import Judgement, Key


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Judge against people over the statements that both answered.

    Attributes:
        n: These statements.
        without_verdict: Labelled statements the judge gave no verdict on; they are in none of the figures.
        accuracy: Share on which they agree.
        sensitivity: Share of the people's yes that the judge gave a yes; None without one.
        specificity: Share of the people's no that the judge gave a no; None without one.
        kappa: Cohen's kappa; None where it is not defined.
        ac1: Gwet's AC1, which one frequent answer does not spoil; None without statements.
        false_yes: Statements the judge gave a yes and people a no.
        false_no: The other way round.
    """

    n: int
    without_verdict: int
    accuracy: float | None
    sensitivity: float | None
    sensitivity_interval: Interval | None
    specificity: float | None
    specificity_interval: Interval | None
    kappa: float | None
    ac1: float | None
    false_yes: tuple[Key, ...]
    false_no: tuple[Key, ...]


def agreement(judgements: Sequence[Judgement], labels: Mapping[Key, bool]) -> Agreement:
    """Compare the judge's verdicts with people's labels.

    Kappa: (a - e) / (1 - e) with a the share of agreement and e = sum of products of both rates (Cohen 1960). AC1 with
    e = 2 q (1 - q), q the mean of both rates of yes (Gwet, British Journal of Mathematical and Statistical Psychology
    61, 2008). Limits of sensitivity and specificity: Wilson's.

    Args:
        judgements: One for each statement.
        labels: What people said.
    """
    labelled = [row for row in judgements if row.key in labels]
    pairs = [(row.key, row.positive, labels[row.key]) for row in labelled if row.positive is not None]
    n = len(pairs)
    false_yes = tuple(key for key, judge, people in pairs if judge and not people)
    false_no = tuple(key for key, judge, people in pairs if people and not judge)
    yes = sum(people for _, _, people in pairs)
    agreed = 1 - (len(false_yes) + len(false_no)) / n if n else None
    judge_rate, rate = ((yes + len(false_yes) - len(false_no)) / n, yes / n) if n else (0.0, 0.0)
    q = (judge_rate + rate) / 2
    sensitivity = _share(yes, len(false_no), "sensitivity")
    specificity = _share(n - yes, len(false_yes), "specificity")
    return Agreement(
        n=n,
        without_verdict=len(labelled) - n,
        accuracy=agreed,
        sensitivity=sensitivity[0],
        sensitivity_interval=sensitivity[1],
        specificity=specificity[0],
        specificity_interval=specificity[1],
        kappa=_beyond_chance(agreed, judge_rate * rate + (1 - judge_rate) * (1 - rate)),
        ac1=_beyond_chance(agreed, 2 * q * (1 - q)),
        false_yes=false_yes,
        false_no=false_no,
    )


def _share(of: int, wrong: int, what: str) -> tuple[float | None, Interval | None]:
    if not of:
        return None, None
    rate, z = 1 - wrong / of, normal_quantile((1 + CONFIDENCE) / 2)
    return rate, Interval(*wilson_limits(rate, of, z), f"Wilson score interval of {what}", CONFIDENCE)


def _beyond_chance(agreed: float | None, chance: float) -> float | None:
    return None if agreed is None or chance >= 1.0 else (agreed - chance) / (1 - chance)


def krippendorff_alpha(units: Iterable[Sequence[bool]]) -> float | None:
    """How far people agree beyond chance: 1 - observed / expected disagreement, at most 1 (Krippendorff 2011).

    Args:
        units: Of each statement the answers of those who gave one.

    Returns:
        Alpha for labels without an order; None where no statement has two answers or all answers are the same.
    """
    shared = [unit for unit in units if len(unit) > 1]
    n, yes = sum(map(len, shared)), sum(map(sum, shared))
    differing = math.fsum(sum(unit) * (len(unit) - sum(unit)) / (len(unit) - 1) for unit in shared)
    return 1 - differing * (n - 1) / (yes * (n - yes)) if 0 < yes < n else None


@dataclass(frozen=True, slots=True, kw_only=True)
class AltTest:
    """Whether the judge may stand in for an annotator.

    Attributes:
        winning_rate: Share of annotators that the judge is shown to be as good as, in [0, 1]; it passes from 0.5 on.
        advantage: Probability that the judge agrees with the others at least as well as an annotator does.
        p_values: One for each annotator, in the order given.
    """

    winning_rate: float
    advantage: float
    p_values: tuple[float, ...]

    @property
    def passes(self) -> bool:
        """Whether the judge wins against half of the annotators or more."""
        return self.winning_rate >= 0.5


LEAST_ITEMS = 30


def alt_test(
    judge: Sequence[str], annotators: Sequence[Sequence[str | None]], *, epsilon: float = 0.2, alpha: float = 0.05
) -> AltTest:
    """The alternative annotator test (Calderon, Reichart and Dror, ACL 2025, arXiv 2501.10970).

    Each annotator j is left out in turn. On each item the judge and j are compared with the others by how many of them
    they agree with; with d = [S_j >= S_judge] - [S_judge >= S_j], a one-sided t test asks whether the mean of d is
    below epsilon; the p values are held to `alpha` together by Benjamini and Yekutieli.

    Args:
        judge: The judge's label of each item.
        annotators: Each annotator's labels of the items, None where one gave none; two annotators or more.
        epsilon: The cost of an annotator: 0.2 for experts, 0.15 for skilled ones, 0.1 for a crowd.
        alpha: False discoveries allowed, in (0, 1).

    Raises:
        ValueError: If there are fewer than two annotators, the lengths differ, or an annotator shares fewer than 30
            items with others.
    """
    if len(annotators) < 2:
        raise ValueError("the alternative annotator test takes two annotators or more")
    if any(len(labels) != len(judge) for labels in annotators):
        raise ValueError("every annotator has one label, or None, for each item")
    p_values, advantages = [], []
    for j, own in enumerate(annotators):
        differences, wins = [], 0
        for i, label in enumerate(own):
            others = [each[i] for k, each in enumerate(annotators) if k != j and each[i] is not None]
            if label is None or not others:
                continue
            theirs, ours = others.count(label), others.count(judge[i])
            wins += ours >= theirs
            differences.append((theirs >= ours) - (ours >= theirs))
        if len(differences) < LEAST_ITEMS:
            raise ValueError(f"annotator {j + 1} shares {len(differences)} items with others: {LEAST_ITEMS} are needed")
        advantages.append(wins / len(differences))
        p_values.append(_below(differences, epsilon))
    return AltTest(
        winning_rate=sum(benjamini_yekutieli(p_values, alpha)) / len(p_values),
        advantage=fmean(advantages),
        p_values=tuple(p_values),
    )


def _below(differences: Sequence[int], epsilon: float) -> float:
    """One-sided p value of Student's test that their mean is below epsilon."""
    n, excess, spread = len(differences), fmean(differences) - epsilon, stdev(differences)
    return t_cdf(excess / (spread / math.sqrt(n)), n - 1) if spread else float(excess >= 0.0)


def benjamini_yekutieli(p_values: Sequence[float], alpha: float) -> list[bool]:
    """Which hypotheses are rejected, with false discoveries held to a share (Annals of Statistics 29, 2001).

    Args:
        p_values: One for each.
        alpha: The share, in (0, 1).
    """
    m = len(p_values)
    harmonic = math.fsum(1 / k for k in range(1, m + 1))
    ordered = sorted(p_values)
    most = max((k for k in range(1, m + 1) if ordered[k - 1] <= k * alpha / (m * harmonic)), default=0)
    return [most > 0 and p <= ordered[most - 1] for p in p_values]


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelWorth:
    """A panel against its members and people's labels.

    Attributes:
        judges: Its members, in the order given.
        n: Labelled statements on which every member gave a verdict.
        accuracy: Share of them on which each member agrees with people.
        majority: Share on which the majority does; a tie counts half.
        error_correlation: Mean correlation of two members' errors; None where a member made none or nothing but errors.
        effective: How many independent judges the panel is worth, 1 to its size; None without a correlation.
        unanimous: Share of statements on which all members agree.
        unanimous_accuracy: Share of those on which they agree with people; None without any.
        best: The member that agrees with people most.
        gain: Limits of majority minus best member with 95 % confidence, in [-1, 1].
        better: Whether both limits lie above 0. Where not, the panel is no better than `best` alone.
    """

    judges: tuple[str, ...]
    n: int
    accuracy: Mapping[str, float]
    majority: float
    error_correlation: float | None
    effective: float | None
    unanimous: float
    unanimous_accuracy: float | None
    best: str
    gain: tuple[float, float]

    @property
    def better(self) -> bool:
        """Whether the labels show that the panel is better than its best member."""
        return self.gain[0] > 0.0


def panel_worth(verdicts: Mapping[str, Sequence[bool | None]], labels: Sequence[bool]) -> PanelWorth | None:
    """Compare a panel with its best member; without labels nothing is said of accuracy.

    The number of effective judges is Kish's K / (1 + (K - 1) r) with r the mean correlation of errors, taken as 0 where
    it is negative. The gain is the mean of the paired differences with Student's limits.

    Args:
        verdicts: Each member's yes or no for each labelled statement, None where it gave none.
        labels: People's yes or no for the same statements.

    Returns:
        The comparison; None where fewer than two statements have a verdict of every member.

    Raises:
        ValueError: If there are fewer than two members or the lengths differ.
    """
    names = tuple(verdicts)
    if len(names) < 2:
        raise ValueError("a panel has two judges or more")
    if any(len(given) != len(labels) for given in verdicts.values()):
        raise ValueError("every judge has one verdict, or None, for each label")
    rows = [
        (tuple(bool(v) for v in row), label)
        for *row, label in zip(*verdicts.values(), labels, strict=True)
        if all(v is not None for v in row)
    ]
    n = len(rows)
    if n < 2:
        return None
    right = {name: [row[k] == label for row, label in rows] for k, name in enumerate(names)}
    agreeing = [sum(vote == label for vote in row) for row, label in rows]
    votes = [0.5 if 2 * k == len(names) else float(2 * k > len(names)) for k in agreeing]
    accuracy = {name: sum(hits) / n for name, hits in right.items()}
    best = max(names, key=lambda name: accuracy[name])
    together = [(row[0] == label) for row, label in rows if len(set(row)) == 1]
    correlations = [phi(list(zip(a, b, strict=True))) for a, b in combinations(right.values(), 2)]
    known = [r for r in correlations if r is not None]
    correlation = fmean(known) if known else None
    differences = [vote - hit for vote, hit in zip(votes, right[best], strict=True)]
    mean = fmean(differences)
    half = t_quantile((1 + CONFIDENCE) / 2, n - 1) * stdev(differences) / math.sqrt(n)
    return PanelWorth(
        judges=names,
        n=n,
        accuracy=accuracy,
        majority=fmean(votes),
        error_correlation=correlation,
        effective=None if correlation is None else effective_judges(len(names), correlation),
        unanimous=len(together) / n,
        unanimous_accuracy=sum(together) / len(together) if together else None,
        best=best,
        gain=(mean - half, mean + half),
    )


def effective_judges(members: int, correlation: float) -> float:
    """Kish's effective number: members / (1 + (members - 1) correlation), at most the members.

    Args:
        members: 1 or more.
        correlation: Mean correlation of two members' errors, in [-1, 1].
    """
    return members / (1 + (members - 1) * max(0.0, correlation))


@dataclass(frozen=True, slots=True, kw_only=True)
class DriftEvidence:
    """What the looks so far say.

    Attributes:
        looks: Looks so far, the first one included.
        canaries: Statements with a verdict at the last look and an earlier one.
        to_yes: How many of them turned to yes against the look they are compared with.
        to_no: How many turned to no.
        p_value: McNemar's exact test of the last look against the first, in [0, 1]; None where nothing is shared.
        e_value: Evidence over all looks that the judge has changed: under no change it reaches 1 / a with probability
            a at most, however often one looks.
        alarm: Whether it reached 1 / alpha at any look.
        first_alarm: The look, from 1, at which it first did; None where it did not.
        accuracy_first: Share of the first look's verdicts that agree with people.
        accuracy_last: The same at the last look.
    """

    looks: int
    canaries: int
    to_yes: int
    to_no: int
    p_value: float | None
    e_value: float
    alarm: bool
    first_alarm: int | None
    accuracy_first: float | None
    accuracy_last: float | None


def drift_evidence(
    looks: Sequence[Mapping[str, bool | None]], labels: Mapping[str, bool] | None = None, *, alpha: float = 0.05
) -> DriftEvidence:
    """Watch a judge over looks at the same statements.

    While the judge stays as it is, two looks are exchangeable: a statement whose verdict differs between them has
    turned to yes or to no with equal probability. Each look is compared with the one at half its number, so that no
    look is the measure of all later ones, and the turned statements of all looks together are bet on: with u turns to
    yes of d, the e-value is 2^d / ((d + 1) C(d, u)), a bet spread evenly over all leanings (Ville's inequality bounds
    how often it reaches 1 / alpha). Measured with 40 statements over 60 quiet looks: false alarms in .025 of series at
    a noise of 6 %, .01 at 3 %; a fifth of the verdicts gone one way is found after a median of 3 to 5 looks.

    Args:
        looks: The verdict of each statement at each look, oldest first; None where there was none.
        labels: What people said, for the accuracies.
        alpha: Probability of a false alarm over all looks, in (0, 1).

    Raises:
        ValueError: If there is no look or alpha is no share.
    """
    if not looks:
        raise ValueError("drift is seen between looks: there is none")
    if not 0.0 < alpha < 1.0:
        raise ValueError(f"alpha is a share between 0 and 1, not {alpha!r}")
    evidence, first_alarm = 0.0, None
    yes = all_turned = to_yes = to_no = 0
    for number in range(2, len(looks) + 1):
        earlier = looks[number // 2 - 1]
        turned = [new for key, new in looks[number - 1].items() if new is not None and earlier.get(key) is (not new)]
        to_yes, to_no = sum(turned), len(turned) - sum(turned)
        yes, all_turned = yes + to_yes, all_turned + len(turned)
        evidence = all_turned * math.log(2) - math.log(all_turned + 1) - math.log(math.comb(all_turned, yes))
        if first_alarm is None and evidence >= -math.log(alpha):
            first_alarm = number
    first, last = looks[0], looks[-1]
    both = [(old, new) for key, new in last.items() if new is not None and (old := first.get(key)) is not None]
    return DriftEvidence(
        looks=len(looks),
        canaries=len(both),
        to_yes=to_yes,
        to_no=to_no,
        p_value=mcnemar_test([old for old, _ in both], [new for _, new in both]).p_value if both else None,
        e_value=math.exp(min(700.0, evidence)),
        alarm=first_alarm is not None,
        first_alarm=first_alarm,
        accuracy_first=_accuracy(first, labels),
        accuracy_last=_accuracy(last, labels),
    )


def _accuracy(look: Mapping[str, bool | None], labels: Mapping[str, bool] | None) -> float | None:
    pairs = [
        (verdict, labels[key]) for key, verdict in look.items() if labels and verdict is not None and key in labels
    ]
    return sum(verdict == label for verdict, label in pairs) / len(pairs) if pairs else None
