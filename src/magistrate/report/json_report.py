"""report.json: everything a run found, for programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from magistrate.evaluation.comparison import Baseline
from magistrate.evaluation.gate import Check, exit_code
from magistrate.evaluation.laws import LawResult
from magistrate.evaluation.repeats import stability
from magistrate.evaluation.runs.run import Run, write_report
from magistrate.report.comparison_report import baseline_dict
from magistrate.report.laws_report import laws_dict
from magistrate.report.notices import notices
from magistrate.report.stability_report import stability_dict

__all__ = ["write_json_report"]


def write_json_report(
    run: Run,
    path: Path,
    *,
    checks: Sequence[Check] | None = None,
    baselines: Sequence[Baseline] = (),
    laws: Sequence[LawResult] = (),
    raw: bool = True,
) -> Path:
    """Write report.json: header, notices, figures, gates, and every case with all that was found in it.

    That is its statements, verdicts, reasons, completions, models, prompts, tokens, cost and latency.

    Args:
        run: The run.
        path: The file. It is readable by its owner only, and appears whole or not at all.
        checks: The gated figures; None where nothing was gated.
        baselines: The runs it is compared with.
        laws: The laws that were checked.
        raw: Whether to include the raw completions.

    Raises:
        StoreError: If it cannot be written.
    """
    gate: dict[str, Any] | None = None
    if checks is not None:
        gate = {"exit_code": int(exit_code(run.state, checks)), "checks": [asdict(item) for item in checks]}
    extra: dict[str, Any] = {
        "notices": notices(run),
        "gate": gate,
        "baselines": [baseline_dict(item) for item in baselines],
    }
    extra["stability"] = stability_dict(stability(run)) or None
    extra["categorical_tests"] = laws_dict(laws) if laws else None
    return write_report(run, path, raw=raw, extra=extra)
