"""How far a run's figures depend on the judge's chance: for the terminal, and as JSON holds it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.text import Text

from magistrate.evaluation.repeats import MetricStability
from magistrate.report.text import clip, printable

__all__ = ["print_stability", "stability_dict"]

_SHOWN = 5


def print_stability(found: Mapping[str, MetricStability], console: Console) -> None:
    """Print per metric how often outcomes and verdicts flip, and how much the mean moves by chance."""
    for name, metric in found.items():
        parts = [f"judged {metric.repeats} times"]
        if metric.outcomes.flip_rate is not None:
            parts.append(f"outcomes flip {metric.outcomes.flip_rate:.1%}")
        if metric.verdict_flip_rate is not None:
            parts.append(f"verdicts flip {metric.verdict_flip_rate:.1%}")
        if metric.half_width is not None:
            parts.append(f"noise of the mean ±{metric.half_width:.4f}")
        console.print(Text(f"{printable(name)}: {', '.join(parts)}"))
        flipped = metric.outcomes.flipped
        if flipped:
            more = f" and {len(flipped) - _SHOWN} more" if len(flipped) > _SHOWN else ""
            names = ", ".join(clip(key, 60) for key in flipped[:_SHOWN])
            console.print(Text(f"  unstable: {names}{more}", style="yellow"))


def stability_dict(found: Mapping[str, MetricStability]) -> dict[str, Any]:
    """The same as JSON holds it; what is unknown is null."""
    return {
        name: {
            "repeats": metric.repeats,
            "outcome_flip_rate": metric.outcomes.flip_rate,
            "verdict_flip_rate": metric.verdict_flip_rate,
            "unstable_cases": {key: metric.outcomes.cases[key].flip_rate for key in metric.outcomes.flipped},
            "noise": asdict(metric.noise),
        }
        for name, metric in found.items()
    }
