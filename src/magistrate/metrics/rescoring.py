"""Read the same verdicts under a policy and a threshold: what a metric does first, and what can be done again later."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from magistrate.errors import ConfigurationError
from magistrate.metrics.base import MetricResult, decide
from magistrate.scoring import POLICIES, Policy, get_policy, score_verdicts
from magistrate.verdict import StatementVerdict, Status, Verdict


def apply_policy(
    policy: Policy,
    threshold: float,
    *,
    status: Status,
    verdicts: Sequence[StatementVerdict],
    extra: Sequence[Verdict] = (),
) -> dict[str, Any]:
    """Return what follows from the verdicts: policy, score, bounds, threshold and outcome of a `MetricResult`."""
    score = score_verdicts(verdicts, status=status, policy=policy, extra=extra)
    return {
        "policy": policy.name,
        "score": score.value,
        "bounds": score.bounds,
        "threshold": threshold,
        "outcome": decide(status, score.value, score.bounds, threshold),
    }


def rescore(result: MetricResult, policy: str | Policy | None = None, threshold: float | None = None) -> MetricResult:
    """Score a stored result again, under another policy or threshold, without a call.

    A result whose score is a formula of its own, is not made of verdicts on statements, or is better the lower it is,
    keeps its score and policy; only its threshold and outcome change, where a threshold is given.

    Args:
        result: The result.
        policy: The policy, its name or alias; None for the result's own.
        threshold: The new threshold in [0, 1]; None for the new policy's own, or the result's where the policy has none
            or stays the same.

    Raises:
        ConfigurationError: If no policy has that name, or the threshold is no number in [0, 1].
    """
    limit = result.threshold if threshold is None else check_threshold(threshold)
    if policy is not None:
        policy = get_policy(policy)  # a wrong name is an error for every result alike
    with_verdicts = bool(result.verdicts) or result.status not in (Status.SCORED, Status.PARTIAL)
    own = policy is None and result.policy not in POLICIES  # a policy of the user's own: its score stands
    if result.formula or not with_verdicts or result.direction != "maximize" or own:
        outcome = decide(result.status, result.score, result.bounds, limit, direction=result.direction)
        return replace(result, threshold=limit, outcome=outcome)
    chosen = get_policy(result.policy if policy is None else policy)
    if threshold is None and chosen.name != result.policy and chosen.threshold is not None:
        limit = chosen.threshold
    fields = apply_policy(chosen, limit, status=result.status, verdicts=result.verdicts, extra=result.extra)
    return replace(result, **fields)


def check_threshold(threshold: float) -> float:
    """Return the threshold as a float.

    Raises:
        ConfigurationError: If it is no number in [0, 1].
    """
    number = isinstance(threshold, int | float) and not isinstance(threshold, bool) and math.isfinite(threshold)
    if not number or not 0.0 <= threshold <= 1.0:
        raise ConfigurationError(f"a threshold is a number from 0 to 1, not {threshold!r}")
    return float(threshold)
