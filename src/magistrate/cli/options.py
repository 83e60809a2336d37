"""Options that several commands share: each is declared once, as a field of a group, and read there too."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from magistrate.cli.arguments import checked_pairs, checked_prices, model_arguments, model_prices, unit_interval

if TYPE_CHECKING:
    from magistrate.completion.batches.client import Batching
    from magistrate.completion.budget import Budget
    from magistrate.evaluation.gate import Gate
    from magistrate.judges import Judge


RunArgument = Annotated[
    str, typer.Argument(help="A run: its folder, its results.jsonl, or a report.json.", metavar="RUN")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
LabelsFile = Annotated[
    str | None,
    typer.Option(
        "--labels",
        metavar="FILE",
        help="Labels: JSON Lines, or CSV with case_id, statement_id and label; else the run's own.",
    ),
]
TruthField = Annotated[
    str | None, typer.Option("--truth", metavar="FIELD", help="Labels stand in this key of the cases' metadata.")
]
MetricName = Annotated[str | None, typer.Option("--metric", help="The metric; needed where several give verdicts.")]
Policy = Annotated[str, typer.Option(help="How verdicts become a score; see `magistrate policies`.")]
ScaleName = Annotated[str, typer.Option(help="Verdicts to choose from: ternary, binary or graded.")]
ModelName = Annotated[
    str | None,
    typer.Option(
        help="The judge: offline (default: word overlap, no key needed), a LiteLLM model name, "
        "local:/path/model.gguf, nli:/path/folder (an entailment model), panel:a+b+c (they vote), or cascade:a,b,c "
        "(cheap judges first).",
    ),
]


@dataclass(frozen=True, kw_only=True)
class CallOptions:
    """How a model is called."""

    api_base: Annotated[
        str | None, typer.Option(help="Address of the provider, if not its usual one.", metavar="URL")
    ] = None
    model_arg: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=VALUE",
            help="A parameter for LiteLLM, such as seed=7 or api_version=2026-01-01; the value may be JSON.",
            callback=checked_pairs,
        ),
    ] = None
    budget: Annotated[
        float | None, typer.Option(help="Most US dollars to spend in this invocation.", metavar="USD", min=0)
    ] = None
    max_calls: Annotated[int | None, typer.Option(help="Most calls to make in this invocation.", min=0)] = None

    def limit(self) -> Budget | None:
        """What may be spent; None where nothing is said."""
        if self.budget is None and self.max_calls is None:
            return None
        from magistrate.completion.budget import Budget  # noqa: PLC0415 - loads a provider library

        return Budget(max_cost=self.budget, max_calls=self.max_calls)

    def judge(self, name: str, **options: Any) -> Judge:
        """Make the judge of that name."""
        from magistrate.errors import ConfigurationError  # noqa: PLC0415
        from magistrate.judges import makes_calls, resolve_judge  # noqa: PLC0415
        from magistrate.judges.resolve import OF_SEVERAL  # noqa: PLC0415

        params = model_arguments(self.model_arg)
        if not makes_calls(name):
            of_models = [(one, options.get(one)) for one in ("prompts", "instructions", "examples")]
            for option, given in (("api-base", self.api_base), ("model-arg", self.model_arg), *of_models):
                if given:
                    raise ConfigurationError(f"--{option} needs a model behind an API: the judge {name} makes no calls")
            return resolve_judge(name, **{key: options[key] for key in OF_SEVERAL if key in options})
        return resolve_judge(name, **{"api_base": self.api_base, "params": params, "budget": self.limit(), **options})


@dataclass(frozen=True, kw_only=True)
class JudgeOptions(CallOptions):
    """How a model judges the cases of a run."""

    batch_size: Annotated[
        int | None, typer.Option(help="Statements per call; 1 asks about each on its own.", min=1)
    ] = None
    quotes: Annotated[
        bool, typer.Option("--quotes/--no-quotes", help="Ask the model for quotes, and look them up in the contexts.")
    ] = False
    rpm: Annotated[float | None, typer.Option(help="Most calls a minute.", metavar="N", min=0.01)] = None
    tpm: Annotated[
        float | None, typer.Option(help="Most tokens a minute, prompt and reply together.", metavar="N", min=1)
    ] = None
    prices: Annotated[
        str | None,
        typer.Option(
            help="US dollars per million prompt and completion tokens, such as 2.5,10; default: what LiteLLM knows.",
            metavar="IN,OUT",
            callback=checked_prices,
        ),
    ] = None
    prompts: Annotated[
        str | None,
        typer.Option(metavar="FOLDER", help="Prompts that stand for ours of the same names: see `magistrate prompts`."),
    ] = None
    instructions: Annotated[
        str | None, typer.Option(metavar="FILE", help="Rules of your domain, added to the prompts.")
    ] = None
    examples: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Labelled examples for the judge: JSONL with statement, verdict, contexts."),
    ] = None
    token: Annotated[
        bool,
        typer.Option(
            "--token/--no-token",
            help="Ask for a request token; without it, planted answers and cut prompts are no longer told from others.",
        ),
    ] = True
    rephrase_refusals: Annotated[
        bool, typer.Option("--rephrase-refusals", help="Put a refused question once more, in other words.")
    ] = False
    cache: Annotated[
        str | None, typer.Option(metavar="FOLDER", help="Share raw completions here, not in the run's folder.")
    ] = None
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Keep no raw completions for reuse.")] = False

    panel_rule: Annotated[
        str | None, typer.Option(help="Of a panel: majority (default) or unanimous.", metavar="RULE")
    ] = None
    risk: Annotated[
        float | None,
        typer.Option(
            help="Of a cascade: share of the verdicts that may differ from the last judge's (default 0.05).",
            callback=unit_interval,
        ),
    ] = None
    pairs: Annotated[
        int | None, typer.Option(help="Of a cascade: cases that all judges judge first (default 200).", min=1)
    ] = None
    against: Annotated[
        str | None,
        typer.Option(
            metavar="last|labels|FILE",
            help="Of a cascade: what its risk is held against, the last judge or people's labels.",
        ),
    ] = None

    calibration: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Calibrate the judge as `magistrate calibrate` found out from labels."),
    ] = None

    def judge(self, name: str, **options: Any) -> Judge:
        """Make the judge of that name, a panel or cascade and calibrated as the options say."""
        given = {"rule": self.panel_rule, "risk": self.risk, "pairs": self.pairs, "against": self.against}
        kind = name.partition(":")[0]
        wanted = {"panel": ("rule",), "cascade": ("risk", "pairs", "against")}.get(kind, ())
        for option, value in given.items():
            if value is not None and option not in wanted:
                flag = "--panel-rule" if option == "rule" else f"--{option}"
                raise typer.BadParameter(f"is not for the judge {name}", param_hint=flag)
        made = super().judge(name, **options, **{one: given[one] for one in wanted if given[one] is not None})
        if self.calibration is None:
            return made
        if kind == "cascade":
            raise typer.BadParameter("is not for cascades", param_hint="--calibration")
        from magistrate.evaluation.believing.calibrating import calibrated_judge  # noqa: PLC0415

        return calibrated_judge(made, self.calibration)

    def cached_judge(
        self,
        name: str,
        cache: Path | None,
        limits: Path | None = None,
        *,
        called: bool = True,
        batching: Batching | None = None,
    ) -> Judge:
        """Make the judge of that name."""
        given = {"batch_size": self.batch_size, "prompts": self.prompts, "examples": self.examples}
        further: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
        if self.instructions is not None:
            further["instructions"] = _text_of(self.instructions)
        if not self.token:
            further["token"] = False
        if not called:
            further["api_key"] = "unused"
        if batching is not None:
            further["batching"] = batching
        if limits is not None:
            further |= _shared_limits(limits, self.rpm, self.tpm, self.budget, self.max_calls)
        return self.judge(
            name,
            quotes=self.quotes,
            **{
                "cache": cache,
                "rpm": self.rpm,
                "tpm": self.tpm,
                "prices": model_prices(self.prices),
                "rephrase_refusals": self.rephrase_refusals,
                **further,
            },
        )


def _text_of(path: str) -> str:
    from magistrate.errors import ConfigurationError  # noqa: PLC0415

    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeError) as error:
        raise ConfigurationError(f"--instructions {path}: cannot be read: {error}") from None


@cache
def _shared_limits(
    path: Path, rpm: float | None, tpm: float | None, budget: float | None, max_calls: int | None
) -> dict[str, Any]:
    """Limits that processes share; in one process all judges have the same."""
    from magistrate.completion.shared_limits import LimitsFile, SharedBudget, SharedPace  # noqa: PLC0415

    file = LimitsFile(path)
    found: dict[str, Any] = {
        name: SharedPace(file, name, value) for name, value in (("rpm", rpm), ("tpm", tpm)) if value is not None
    }
    if budget is not None or max_calls is not None:
        found["budget"] = SharedBudget(file, max_cost=budget, max_calls=max_calls)
    return found


@dataclass(frozen=True, kw_only=True)
class DatasetOptions:
    """How a dataset is read."""

    map_: Annotated[
        list[str] | None,
        typer.Option("--map", metavar="FIELD=COLUMN", help="Read a field from a column of another name."),
    ] = None
    format_: Annotated[
        str | None,
        typer.Option(
            "--format",
            help="Of the dataset: jsonl, json, csv, tsv, yaml, parquet (default: from the name). "
            "Of the report of eval: vera.",
        ),
    ] = None
    limit: Annotated[int | None, typer.Option(help="Take only the first cases.", min=1)] = None


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

    def gates(self) -> list[Gate]:
        """The gate that the options are, if they are given."""
        from magistrate.evaluation.gate import Gate  # noqa: PLC0415

        if self.threshold is None and self.min_coverage is None:
            return []
        return [Gate(threshold=self.threshold, min_coverage=self.min_coverage, gate_mean=self.threshold is not None)]


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
        from magistrate.evaluation.gate import load_gates  # noqa: PLC0415

        if self.regression and self.threshold is None:
            raise typer.BadParameter(
                "needs --threshold, such as --regression --threshold 0.85", param_hint="--regression"
            )
        return [*([] if self.gate is None else load_gates(self.gate)), *super().gates()]


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
        from magistrate.log import configure, warned  # noqa: PLC0415

        warned.clear()
        try:
            configure(self.log_level or ("info" if self.verbose else "error"), json=self.log_json)
        except ValueError as error:
            raise typer.BadParameter(str(error), param_hint="--log-level") from None
        if self.trace:
            from magistrate.tracing import enable, require_provider  # noqa: PLC0415

            require_provider()
            enable()

    def warnings_text(self) -> str | None:
        """What went differently and was handled, in one line; None where nothing did or each was logged."""
        from magistrate.log import warned  # noqa: PLC0415

        if not warned or self.verbose or self.log_level or self.log_json:
            return None
        parts = (f"{_WARNINGS.get(event, event)} ({count:,}x)" for event, count in warned.most_common())
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
