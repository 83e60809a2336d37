"""A run for programs: report.json, and the parts that other formats share with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from magistrate.evaluation.comparison import Baseline
from magistrate.evaluation.laws import LAWS, LawResult, categorical
from magistrate.evaluation.runs.run import write_report
from magistrate.report.view import RunView
from magistrate.statistics import Comparison, Interval, McNemarTest, Pair


def write_json_report(view: RunView, path: Path) -> Path:
    """Write report.json: header, notices, figures, gates, and every case with all that was found in it."""
    parts = parts_dict(view)
    return write_report(view.run, path, raw=view.raw, extra={**parts, "categorical_tests": parts.pop("laws")})


def parts_dict(view: RunView) -> dict[str, Any]:
    """What a report holds besides header, figures and cases: notices, gate, baselines, stability, laws."""
    gate = None
    if view.checks is not None:
        gate = {"exit_code": view.exit_code, "checks": [asdict(item) for item in view.checks]}
    return {
        "notices": view.caveats,
        "gate": gate,
        "baselines": [baseline_dict(item) for item in view.baselines],
        "stability": _stability(view) or None,
        "laws": laws_dict(view.laws) if view.laws else None,
    }


def baseline_dict(baseline: Baseline) -> dict[str, Any]:
    """A comparison as JSON holds it; what is undefined is null and `notes` says why."""
    return {
        "name": baseline.name,
        "notes": list(baseline.notes),
        "metrics": {name: _comparison(found) for name, found in baseline.comparisons.items()},
    }


def _comparison(found: Comparison) -> dict[str, Any]:
    flips = found.flips
    return {
        "direction": found.direction,
        "cases": found.n_ids,
        "compared": found.n,
        "coverage": found.coverage,
        "mean_baseline": found.mean_a,
        "mean": found.mean_b,
        "change": found.change,
        "change_interval": _interval(found.change_interval),
        "change_bounds": list(found.change_bounds) if found.change_bounds else None,
        "relative_change": found.relative_change,
        "relative_change_interval": _interval(found.relative_change_interval),
        "confidence": found.confidence,
        "test": "mcnemar" if isinstance(found.test, McNemarTest) else "wilcoxon",
        "p_value": found.test.p_value,
        "minimum_detectable_effect": found.minimum_detectable_effect,
        "wins": _pairs(found.wins),
        "losses": _pairs(found.losses),
        "ties": len(found.ties),
        "now_passes": _pairs(flips.gained) if flips else None,
        "now_fails": _pairs(flips.lost) if flips else None,
        "unscored_in_baseline": list(found.unscored_in_a),
        "unscored": list(found.unscored_in_b),
        "unscored_in_both": list(found.unscored_in_both),
        "only_in_baseline": list(found.only_in_a),
        "only_in_run": list(found.only_in_b),
        "notes": list(found.notes),
    }


def _interval(interval: Interval | None) -> list[float] | None:
    return [interval.low, interval.high] if interval else None


def _pairs(pairs: tuple[Pair, ...]) -> list[dict[str, Any]]:
    return [{"id": pair.id, "baseline": pair.a, "score": pair.b} for pair in pairs]


def laws_dict(laws: Sequence[LawResult]) -> dict[str, Any]:
    """The laws as `categorical_tests` of a report: each with its status, its rate and the offending cases."""
    return {
        name: {"status": status, "law": LAWS[name], **{law.kind: _law(law) for law in laws if law.law == name}}
        for name, status in categorical(laws).items()
    }


def _law(law: LawResult) -> dict[str, Any]:
    return {
        "status": law.status,
        "checked": law.checked,
        "violations": law.violations,
        "unknown": law.unknown,
        "rate": law.rate,
        "tolerance": law.tolerance,
        "offending": [asdict(offence) for offence in law.offending],
    }


def _stability(view: RunView) -> dict[str, Any]:
    return {
        name: {
            "repeats": metric.repeats,
            "outcome_flip_rate": metric.outcomes.flip_rate,
            "verdict_flip_rate": metric.verdict_flip_rate,
            "unstable_cases": {key: metric.outcomes.rates[key] for key in metric.outcomes.flipped},
            "noise": asdict(metric.noise),
        }
        for name, metric in view.stability.items()
    }
