"""Whether a judge has changed: fixed labelled cases, judged again and again."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from magistrate.statistics import mcnemar_test


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
