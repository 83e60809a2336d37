"""Options of the commands that judge or report a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import typer

from magistrate.cli import late

if TYPE_CHECKING:
    from magistrate.evaluation.gate import Gate


@dataclass(frozen=True, kw_only=True)
class MetricOptions:
    """What is measured, and how statements are judged."""

    metric: list[str] | None = None
    policy: str = "strict"
    decompose: str = "claims"
    mode: str = "batched"
    scale: str = "ternary"
    truths_limit: int | None = None
    reason: bool = True


@dataclass(frozen=True, kw_only=True)
class RunFlags:
    """How a run is carried out and where it is kept."""

    quick: bool = False
    seed: int = 0
    concurrency: int = 16
    repeat: int = 1
    swap: bool = False
    run: str | None = None
    resume: bool = False
    no_store: bool = False
    redact: str | None = None


@dataclass(frozen=True, kw_only=True)
class Bars:
    """What the figures of a run must reach."""

    threshold: float | None = None
    min_coverage: float | None = None

    def gates(self) -> list[late.Gate]:
        """The gate that the options are, if they are given."""
        if self.threshold is None and self.min_coverage is None:
            return []
        return [
            late.Gate(threshold=self.threshold, min_coverage=self.min_coverage, gate_mean=self.threshold is not None)
        ]


@dataclass(frozen=True, kw_only=True)
class GateOptions(Bars):
    """What a run must reach, from a file too."""

    gate: str | None = None
    regression: bool = False

    def gates(self) -> list[Gate]:
        """The gates of the file and that of the options."""
        if self.regression and self.threshold is None:
            raise typer.BadParameter(
                "needs --threshold, such as --regression --threshold 0.85", param_hint="--regression"
            )
        return [*([] if self.gate is None else late.load_gates(self.gate)), *super().gates()]


@dataclass(frozen=True, kw_only=True)
class ReportOptions:
    """The reports that are written."""

    output: list[str] | None = None
    no_raw: bool = False

    @property
    def paths(self) -> list[str]:
        """The files."""
        return self.output or []


@dataclass(frozen=True, kw_only=True)
class LogOptions:
    """What is logged and traced."""

    verbose: bool = False
    log_level: str | None = None
    log_json: bool = False
    trace: bool = False

    def start(self) -> None:
        """Log and trace as the options say. Without a level warnings are counted, for `warnings_text`."""
        late.warned.clear()
        try:
            late.configure(self.log_level or ("info" if self.verbose else "error"), json=self.log_json)
        except ValueError as error:
            raise typer.BadParameter(str(error), param_hint="--log-level") from None
        if self.trace:
            late.require_provider()
            late.enable()

    def warnings_text(self) -> str | None:
        """What went differently and was handled, in one line; None where nothing did or each was logged."""
        if not late.warned or self.verbose or self.log_level or self.log_json:
            return None
        parts = (f"{_WARNINGS.get(event, event)} ({count:,}x)" for event, count in late.warned.most_common())
        return f"warnings: {', '.join(parts)}; --log-level warning shows each"


_WARNINGS = {
    "verdicts.mismatch": "replies without a verdict for every statement",
    "verdicts.refused": "refused",
    "verdicts.truncated": "replies or prompts cut off",
    "verdicts.out_of_range": "answers off the scale",
    "verdicts.context_split": "contexts judged in parts",
    "metric.failed": "faults in a metric or judge",
    "provider.suspected": "several faults of the provider in a row",
}
"""Event -> what happened."""
