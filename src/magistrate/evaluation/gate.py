"""Gates: from the figures of a run to an exit code."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum

from magistrate.evaluation.aggregate import Aggregate, RunSummary
from magistrate.evaluation.store import State
from magistrate.metrics.base import TOLERANCE
from magistrate.verdict import Outcome

__all__ = ["Check", "ExitCode", "Gate", "check", "exit_code"]


class ExitCode(IntEnum):
    """What the command line answers with."""

    OK = 0
    """Completed, and every gate passed, if there is one."""
    GATE_FAILED = 1
    """A gated figure fails, whatever the missing scores would be."""
    USAGE = 2
    """A wrong option, configuration or input."""
    UNDECIDED = 3
    """A gated figure passes or fails depending on scores that are missing."""
    STOPPED = 4
    """The budget was spent, or the run was interrupted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """What the figures of one metric must reach.

    Attributes:
        metric: Name of the metric; None for every metric of the run.
        threshold: Least mean (greatest, where less is better); None for the metric's own threshold, if `gate_mean`.
        min_coverage: Least share of cases with a score, in [0, 1]; None to ask for none.
        gate_mean: Whether the mean is gated.
    """

    metric: str | None = None
    threshold: float | None = None
    min_coverage: float | None = None
    gate_mean: bool = True


@dataclass(frozen=True, slots=True)
class Check:
    """One gated figure: what was asked, what came out, in words."""

    metric: str
    figure: str
    outcome: Outcome
    message: str


def check(summary: RunSummary, gates: Iterable[Gate]) -> list[Check]:
    """Hold the figures of a run against its gates.

    The mean is taken over all cases. Where a score is missing, the lowest and highest possible mean are used: the
    gate passes if even the lowest passes, fails if even the highest fails, and is undecided between. The coverage is
    known, so it passes or fails.
    """
    checks: list[Check] = []
    for gate in gates:
        for name, figures in summary.metrics.items():
            if gate.metric not in (None, name):
                continue
            if gate.min_coverage is not None:
                checks.append(_coverage(figures, gate.min_coverage))
            if gate.gate_mean:
                checks.append(_mean(figures, figures.threshold if gate.threshold is None else gate.threshold))
    return checks


def _coverage(figures: Aggregate, least: float) -> Check:
    passed = figures.coverage >= least - TOLERANCE
    message = (
        f"coverage {figures.coverage:.3f} ({figures.n_scored} of {figures.n} cases scored), at least {least:g} asked"
    )
    return Check(figures.metric, "coverage", Outcome.PASS if passed else Outcome.FAIL, message)


def _mean(figures: Aggregate, threshold: float) -> Check:
    if figures.bounds is None:
        return Check(figures.metric, "mean", Outcome.INCONCLUSIVE, "no case was judged")
    worst, best = figures.bounds
    word = "at least"
    passes, fails = worst >= threshold - TOLERANCE, best < threshold - TOLERANCE
    if figures.direction == "minimize":
        word = "at most"
        passes, fails = best <= threshold + TOLERANCE, worst > threshold + TOLERANCE
    if figures.n_scored == figures.n and best - worst <= TOLERANCE:
        value = f"mean {worst:.3f} over {figures.n} cases"
    else:
        missing = f"{figures.n - figures.n_scored} of {figures.n} cases have no score"
        value = f"mean between {worst:.3f} and {best:.3f}: {missing}"
    message = f"{value}, {word} {threshold:g} asked"
    outcome = Outcome.PASS if passes else Outcome.FAIL if fails else Outcome.INCONCLUSIVE
    return Check(figures.metric, "mean", outcome, message)


def exit_code(state: State, checks: Sequence[Check] | None) -> ExitCode:
    """The exit code of a run that could be started.

    Args:
        state: How the run ended.
        checks: The gated figures; None where nothing is gated.
    """
    if state == "failed":
        return ExitCode.USAGE
    if state != "complete":
        return ExitCode.STOPPED
    if checks is None:
        return ExitCode.OK
    outcomes = {item.outcome for item in checks}
    if Outcome.FAIL in outcomes:
        return ExitCode.GATE_FAILED
    if Outcome.INCONCLUSIVE in outcomes or not checks:
        return ExitCode.UNDECIDED
    return ExitCode.OK
