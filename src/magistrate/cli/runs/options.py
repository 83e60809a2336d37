"""Options of the commands that judge or report a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from magistrate.cli import late
from magistrate.cli.arguments import unit_interval
from magistrate.cli.options import Policy, ScaleName

if TYPE_CHECKING:
    from magistrate.evaluation.gate import Gate


@dataclass(frozen=True, kw_only=True)
class MetricOptions:
    """What is measured, and how statements are judged."""

    metric: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="What to measure: faithfulness (default) or others, see `magistrate metrics`. Repeatable. Also "
            "rubric:FILE.toml and module:name.",
        ),
    ] = None
    policy: Policy = "strict"
    decompose: Annotated[
        str, typer.Option(help="Statements to judge: claims (a judge extracts them) or sentences.")
    ] = "claims"
    mode: Annotated[str, typer.Option(help="batched, or single: one call extracts and judges.")] = "batched"
    scale: ScaleName = "ternary"
    truths_limit: Annotated[
        int | None, typer.Option(help="Extract at most so many truths per context first, as DeepEval does.", min=1)
    ] = None
    reason: Annotated[bool, typer.Option("--reason/--no-reason", help="Compose a reason for each score (no call).")] = (
        True
    )


@dataclass(frozen=True, kw_only=True)
class RunFlags:
    """How a run is carried out and where it is kept."""

    quick: Annotated[
        bool, typer.Option("--quick", help="Take ten cases, some of every category (with --limit, of the first ones).")
    ] = False
    seed: Annotated[int, typer.Option(help="Seed of the choice of --quick.")] = 0
    concurrency: Annotated[int, typer.Option(help="Cases judged at a time.", min=1)] = 16
    repeat: Annotated[
        int, typer.Option(metavar="N", help="Judge each case N times: the majority counts; the noise is shown.", min=1)
    ] = 1
    swap: Annotated[
        bool,
        typer.Option("--swap", help="With --repeat: every second time in the other order of statements and passages."),
    ] = False
    run: Annotated[str | None, typer.Option(metavar="FOLDER", help="Keep the run here, not in .magistrate/runs.")] = (
        None
    )
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the run of this configuration; judge nothing twice.")
    ] = False
    no_store: Annotated[
        bool, typer.Option("--no-store", help="Keep no text: ids, verdicts and numbers alone; no cache.")
    ] = False
    redact: Annotated[
        str | None,
        typer.Option(
            metavar="MODULE:FUNCTION", help="Runs over every text of a case before any call: takes a text, gives one."
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class Bars:
    """What the figures of a run must reach."""

    threshold: Annotated[
        float | None,
        typer.Option(
            help="Score a case needs to pass; the mean over all cases must reach it too, or the exit code says so.",
            callback=unit_interval,
        ),
    ] = None
    min_coverage: Annotated[
        float | None,
        typer.Option(
            help="Least share of cases that must have a score, from 0 to 1; below it the exit code is 1.",
            callback=unit_interval,
        ),
    ] = None

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

    gate: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Gates from a TOML file, or vera or seeds; see docs/gates.md."),
    ] = None
    regression: Annotated[bool, typer.Option("--regression", help="Fail if the mean is below --threshold.")] = False

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

    output: Annotated[
        list[str] | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write a report; its name says which: .html, .json, .xml (JUnit), .md, .csv, .parquet "
            "(.statements.csv: a row for each statement), .svg (a badge). Repeatable.",
        ),
    ] = None
    no_raw: Annotated[bool, typer.Option("--no-raw", help="Leave the raw completions out of the report.")] = False

    @property
    def paths(self) -> list[str]:
        """The files."""
        return self.output or []


@dataclass(frozen=True, kw_only=True)
class LogOptions:
    """What is logged and traced."""

    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Log what happens (same as --log-level info).")] = (
        False
    )
    log_level: Annotated[
        str | None,
        typer.Option(help="Log to stderr from this level on: debug, info, warning or error.", metavar="LEVEL"),
    ] = None
    log_json: Annotated[bool, typer.Option("--log-json", help="Log as JSON, one object a line.")] = False
    trace: Annotated[
        bool,
        typer.Option(
            "--trace", help="Make OpenTelemetry spans, for the tracer provider of the process; see docs/tracing.md."
        ),
    ] = False

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
