"""Stored verdicts and a policy -> a score and the bounds that missing verdicts leave."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from magistrate.scoring._policy import COUNTED, Cell, Extra, Missing, Policy, get_policy
from magistrate.verdict import StatementVerdict, Status, Verdict

_READABLE = frozenset({Status.SCORED, Status.PARTIAL})
_KNOWN = _READABLE | {Status.VACUOUS, Status.NO_CONTEXT, Status.NO_ANSWER}
"""Under these it is known that there is nothing more to judge; else whatever was lost could have had any score."""
_FEW = 32
"""Sets of so many verdicts and less are likely to come again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """What a policy makes of a set of verdicts.

    Args:
        policy: The versioned name of the policy.
        value: The score in [0, 1]; None where the policy gives none.
        lower: The lowest score that the statements without verdict leave possible, in [0, 1]. Equal to `upper` where
            none is missing; 0 and 1 where a policy gives a score though the statements were lost; None where there is
            neither a statement nor a score.
        upper: The highest one; lower <= value <= upper.
        raw: The score on the policy's own scale ([-1, 1] for "weighted"); None where no verdicts were counted.
        native: What the policy's framework gives in place of a score: "NaN", "error", "-1", "graderFail"; "" where it
            gives a score, or where the policy is ours.
        threshold: The threshold that `success` was decided with.
        success: The framework's own flag; None where it has none. It follows the framework's rule and not ours: use a
            result's `outcome` to decide anything.
        statements: How many statements there are.
        judged: How many of them have a verdict.
        extra: How many verdicts came beyond the statements.
    """

    policy: str
    value: float | None
    lower: float | None
    upper: float | None
    raw: float | None
    native: str
    threshold: float
    success: bool | None
    statements: int
    judged: int
    extra: int

    @property
    def bounds(self) -> tuple[float, float] | None:
        """Lowest and highest possible score, or None."""
        return None if self.lower is None or self.upper is None else (self.lower, self.upper)

    @property
    def coverage(self) -> float | None:
        """The share of the statements that has a verdict, in [0, 1]; None where there are no statements."""
        return self.judged / self.statements if self.statements else None


def score_verdicts(
    verdicts: Sequence[StatementVerdict],
    *,
    status: Status,
    policy: str | Policy = "strict",
    extra: Sequence[Verdict] = (),
    threshold: float | None = None,
) -> Score:
    """Score stored verdicts under a policy. Pure: equal arguments give equal scores, now and later.

    The order of the verdicts never matters, and turning one into `supported` never lowers the score.

    Args:
        verdicts: One per statement; a statement without verdict is there with verdict None.
        status: How the evaluation ended. Verdicts count only under `scored` and `partial`; every other status has a
            value of its own in the policy.
        policy: A policy, its name or its alias.
        extra: Verdicts that the judge gave beyond the statements asked about, in their order.
        threshold: The threshold for the framework's own flag, in [0, 1]; None for the policy's own.

    Returns:
        The score. Its bounds come from giving every statement without verdict the worst, then the best verdict.

    Raises:
        ConfigurationError: If no policy has that name.
    """
    policy = get_policy(policy)
    status = Status(status)
    # Any other status says that nothing could be read, whatever the verdicts say: then none of them counts.
    readable = verdicts if status in _READABLE else ()
    judged = [_credit(policy, v.verdict, v.probability) for v in readable if v.verdict is not None]
    return _score(policy, status, judged, n=len(verdicts), extra=extra, threshold=threshold)


def score_plain(
    found: Sequence[Verdict | None], *, status: Status, policy: str | Policy = "strict", extra: Sequence[Verdict] = ()
) -> Score:
    """Score verdicts that carry no probability, under the policy's own threshold: `score_verdicts` without the objects.

    Args:
        found: The verdict of each statement; None for a statement without.
        status: As for `score_verdicts`.
        policy: A policy, its name or its alias.
        extra: Verdicts that the judge gave beyond the statements asked about, in their order.

    Raises:
        ConfigurationError: If no policy has that name.
    """
    score = _kept_score if len(found) + len(extra) <= _FEW else _plain_score
    return score(policy, status, tuple(found), tuple(extra))


def _plain_score(
    policy: str | Policy, status: Status, found: tuple[Verdict | None, ...], extra: tuple[Verdict, ...]
) -> Score:
    policy, status = get_policy(policy), Status(status)
    readable = found if status in _READABLE else ()
    judged = [policy.credit[verdict] for verdict in readable if verdict is not None]
    return _score(policy, status, judged, n=len(found), extra=extra)


# Thousands of stored replies have few different sets of verdicts between them.
_kept_score = lru_cache(maxsize=1024)(_plain_score)


def _score(
    policy: Policy,
    status: Status,
    judged: list[float],
    *,
    n: int,
    extra: Sequence[Verdict],
    threshold: float | None = None,
) -> Score:
    """The score of the credits of n statements, as far as they were judged."""
    beyond = [policy.credit[verdict] for verdict in extra] if status in COUNTED else []
    cell, raw = policy.cell(status, statements=n), None
    if cell is None:
        cell, raw = _count(policy, judged, beyond, n)
    value = cell.value if raw is None else _rescale(policy, raw)
    lower, upper = _bounds(policy, judged, beyond, n) if n else (value, value)
    if not n and value is not None and status not in _KNOWN:
        lower, upper = 0.0, 1.0
    if value is not None and lower is not None and upper is not None:
        # Only a policy of the user's own can name a value that its credits cannot reach.
        lower, upper = min(lower, value), max(upper, value)
    limit = policy.default_threshold if threshold is None else threshold
    return Score(
        policy=policy.name,
        value=value,
        lower=lower,
        upper=upper,
        raw=raw,
        native=cell.native,
        threshold=limit,
        success=_flag(policy, cell, value, limit),
        statements=n,
        judged=len(judged),
        extra=len(extra),
    )


def tally(verdicts: Sequence[StatementVerdict]) -> dict[str, int]:
    """Count the statements by what became of them: every verdict, and "missing". The counts add up to all of them."""
    counts = dict.fromkeys([*(verdict.value for verdict in Verdict), "missing"], 0)
    for verdict in verdicts:
        counts["missing" if verdict.verdict is None else verdict.verdict.value] += 1
    return counts


def _credit(policy: Policy, verdict: Verdict, probability: float | None) -> float:
    if policy.entailment is not None and probability is not None:
        verdict = Verdict.SUPPORTED if probability >= policy.entailment else Verdict.UNSUPPORTED
    return policy.credit[verdict]


def _count(policy: Policy, judged: list[float], beyond: list[float], n: int) -> tuple[Cell, float | None]:
    """Count what there is: the raw score, or else the cell that stands in its place."""
    if not judged and (policy.extra is Extra.DROP or not beyond):
        return policy.no_verdicts, None
    if len(judged) < n and policy.missing is Missing.INCONCLUSIVE:
        return Cell(), None
    if len(judged) < n and policy.missing is Missing.ERROR:
        return Cell(native="error"), None
    return Cell(), _mean(policy, judged, beyond, n)


def _bounds(policy: Policy, judged: list[float], beyond: list[float], n: int) -> tuple[float, float]:
    """The scores with the worst and with the best verdict in every empty place."""
    absent = n - len(judged)
    worst, best = min(policy.credit.values()), policy.credit[Verdict.SUPPORTED]
    lower = _mean(policy, [*judged, *[worst] * absent], beyond, n)
    upper = _mean(policy, [*judged, *[best] * absent], beyond, n)
    return _rescale(policy, lower), _rescale(policy, upper)


def _mean(policy: Policy, judged: list[float], beyond: list[float], n: int) -> float:
    """The raw score of one or more credits, on the policy's own scale.

    `fsum` rounds once, so that the order of the statements cannot change the last bit.
    """
    counted = judged if policy.extra is Extra.DROP else [*judged, *beyond]
    if policy.extra is Extra.TRUNCATE:
        counted = counted[:n]
    if policy.extra is Extra.SUBTRACT:
        # Written as promptfoo computes it: one minus a ratio, which can differ from the ratio in the last bit.
        top = policy.credit[Verdict.SUPPORTED]
        short = [top - credit for credit in counted] + [top] * (n - len(counted))
        return max(policy.scale[0], top - math.fsum(short) / n)
    return math.fsum(counted) / (n if policy.missing is Missing.ZERO else len(counted))


def _rescale(policy: Policy, raw: float) -> float:
    # The mean of equal credits can round to just outside the scale, if the user's credits are odd enough.
    low, high = policy.scale
    return min(1.0, max(0.0, (raw - low) / (high - low)))


def _flag(policy: Policy, cell: Cell, value: float | None, threshold: float) -> bool | None:
    if policy.slack is None:
        return None
    return value is not None and not cell.fails and value >= threshold - policy.slack
