"""A case judged several times: the majority's result, and what each repetition would have said."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from magistrate.evaluation.comparison import keyed
from magistrate.metrics.base import MetricResult
from magistrate.statistics import NoiseFloor, RunStability, flip_rate, noise_floor, run_stability

if TYPE_CHECKING:
    from magistrate.evaluation.runs.run import Run

REPEATS = "repeats"
"""Where a result's details hold what the repetitions said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricStability:
    """How far a metric's results depend on the judge's chance, measured by repetitions."""

    repeats: int
    outcomes: RunStability
    verdict_flip_rate: float | None
    noise: NoiseFloor

    @property
    def half_width(self) -> float | None:
        """How much the mean changes between two single runs by chance, with 95 % confidence; None where unknown."""
        return self.noise.half_width_within


def with_repeats(result: MetricResult, repeats: Sequence[MetricResult]) -> MetricResult:
    """A majority's result, with what each repetition would have said and what all of them cost."""
    columns = zip(*(one.verdicts for one in repeats), strict=False)
    flips = [flip_rate([verdict.verdict for verdict in column]) for column in columns]
    rates = [rate for rate in flips if rate is not None]
    details = {
        **result.details,
        REPEATS: {
            "n": len(repeats),
            "scores": [one.score for one in repeats],
            "statuses": [one.status.value for one in repeats],
            "outcomes": [one.outcome.value for one in repeats],
            "flip_rate": flip_rate([one.outcome.value for one in repeats]),
            "verdict_flip_rate": math.fsum(rates) / len(rates) if rates else None,
        },
    }
    usage, calls = result.usage, result.calls
    for one in repeats:  # what the majority asked is counted there; a repetition may have gone its own way after that
        usage += one.usage
        calls += tuple(call for call in one.calls if not call.shared)
    return replace(result, details=details, usage=usage, calls=calls)


def stability(run: Run) -> dict[str, MetricStability]:
    """Name of the metric -> its stability; empty for a run without repetitions."""
    if run.header.config.get("repeat", 1) == 1:
        return {}
    found: dict[str, dict[str, Mapping[str, Any]]] = {}
    for key, result in keyed(run.results):
        for name, metric in result.metrics.items():
            if isinstance(said := metric.details.get(REPEATS), Mapping):
                found.setdefault(name, {})[key] = said
    return {name: _stability(said) for name, said in found.items()}


def _stability(cases: Mapping[str, Mapping[str, Any]]) -> MetricStability:
    n = max(len(said["scores"]) for said in cases.values())
    scores, outcomes = (
        [{key: said[what][at] for key, said in cases.items() if at < len(said[what])} for at in range(n)]
        for what in ("scores", "outcomes")
    )
    flips = [float(rate) for said in cases.values() if (rate := said.get("verdict_flip_rate")) is not None]
    return MetricStability(
        repeats=n,
        outcomes=run_stability(outcomes),
        verdict_flip_rate=math.fsum(flips) / len(flips) if flips else None,
        noise=noise_floor(scores),
    )


def noise_of(run: Run) -> dict[str, float]:
    """Name of the metric -> how much its mean changes by the judge's chance, where that was measured."""
    return {name: found.half_width for name, found in stability(run).items() if found.half_width is not None}
