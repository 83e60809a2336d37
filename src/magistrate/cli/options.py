"""Groups of options that commands share: each is declared once, as a field, and read there too; help: options.json."""

from __future__ import annotations

import sys
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from magistrate.cli import late
from magistrate.cli.app import declared, model_arguments, model_prices, say, wrong

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class CallOptions:
    """How a model is called."""

    api_base: str | None = None
    model_arg: list[str] | None = None
    budget: float | None = None
    max_calls: int | None = None

    def limit(self) -> late.Budget | None:
        """What may be spent; None where nothing is said."""
        if self.budget is None and self.max_calls is None:
            return None
        return late.Budget(max_cost=self.budget, max_calls=self.max_calls)

    def judge(self, name: str, **options: Any) -> late.Judge:
        """Make the judge of that name."""
        params = model_arguments(self.model_arg)
        if late.makes_calls(name):
            options = {"api_base": self.api_base, "params": params, "budget": self.limit(), **options}
            return late.resolve_judge(name, **options)
        of_models = {one: options.get(one) for one in ("prompts", "instructions", "examples")}
        for option, given in {"api-base": self.api_base, "model-arg": self.model_arg, **of_models}.items():
            if given:
                wrong(f"--{option}", f"needs a model behind an API: the judge {name} makes no calls")
        return late.resolve_judge(name, **{key: options[key] for key in late.OF_SEVERAL if key in options})

    def with_judge(self, name: str, work: Callable[[late.Judge], Coroutine[Any, Any, T]]) -> T:
        """Do a piece of work with the judge of that name, and close it."""
        import asyncio  # noqa: PLC0415 - `--help` does without it

        if late.makes_calls(name) and "litellm" not in sys.modules and find_spec("litellm"):
            say("loading what calls models, which takes a few seconds")
        judge = self.judge(name)

        async def carry_out() -> T:
            try:
                return await work(judge)
            finally:
                await late.close_judge(judge)

        return asyncio.run(carry_out())


@dataclass(frozen=True, kw_only=True)
class JudgeOptions(CallOptions):
    """How a model judges the cases of a run."""

    batch_size: int | None = None
    quotes: bool = False
    rpm: float | None = None
    tpm: float | None = None
    prices: str | None = None
    prompts: str | None = None
    instructions: str | None = None
    examples: str | None = None
    token: bool = True
    rephrase_refusals: bool = False
    cache: str | None = None
    no_cache: bool = False

    panel_rule: str | None = None
    risk: float | None = None
    pairs: int | None = None
    against: str | None = None

    calibration: str | None = None

    def judge(self, name: str, **options: Any) -> late.Judge:
        """Make the judge of that name, a panel or cascade and calibrated as the options say."""
        kind = name.partition(":")[0]
        wanted = {"panel": ("panel_rule",), "cascade": ("risk", "pairs", "against")}.get(kind, ())
        for option in ("panel_rule", "risk", "pairs", "against"):
            if (value := getattr(self, option)) is not None:
                if option not in wanted:
                    wrong(f"--{option.replace('_', '-')}", f"is not for the judge {name}")
                options[option.removeprefix("panel_")] = value
        made = super().judge(name, **options)
        if self.calibration is not None and kind == "cascade":
            wrong("--calibration", "is not for cascades")
        return made if self.calibration is None else late.calibrated_judge(made, self.calibration)

    def cached_judge(
        self,
        name: str,
        cache: Path | None,
        limits: late.Limits | None = None,
        *,
        called: bool = True,
        batching: late.Batching | None = None,
    ) -> late.Judge:
        """Make the judge of that name as the options of a run say."""
        maybe = {
            "batch_size": self.batch_size,
            "prompts": self.prompts,
            "examples": self.examples,
            "instructions": late.read_text(Path(self.instructions)) if self.instructions is not None else None,
            "token": None if self.token else False,
            "api_key": None if called else "unused",
            "batching": batching,
        }
        given: dict[str, Any] = {option: value for option, value in maybe.items() if value is not None}
        given |= {"rpm": self.rpm, "tpm": self.tpm, "prices": model_prices(self.prices), "cache": cache}
        if limits is not None:
            given |= _shared_limits(limits, self.rpm, self.tpm, self.budget, self.max_calls)
        return self.judge(name, quotes=self.quotes, rephrase_refusals=self.rephrase_refusals, **given)


@cache
def _shared_limits(
    limits: late.Limits, rpm: float | None, tpm: float | None, budget: float | None, max_calls: int | None
) -> dict[str, Any]:
    """Limits that processes share; in one process all judges have the same."""
    paces = {name: value for name, value in (("rpm", rpm), ("tpm", tpm)) if value is not None}
    found: dict[str, Any] = {name: late.SharedPace(limits, name, value) for name, value in paces.items()}
    if budget is not None or max_calls is not None:
        found["budget"] = late.SharedBudget(limits, max_cost=budget, max_calls=max_calls)
    return found


@dataclass(frozen=True, kw_only=True)
class DatasetOptions:
    """How a dataset is read."""

    map_: list[str] | None = None
    format_: str | None = None
    limit: int | None = None

    def open(self, source: str) -> late.Dataset:
        """The dataset, its mapping checked; what no row has a column for is said."""
        dataset = late.open_source(source, format=self.format_, mapping=self.map_)
        dataset.check_mapping()
        missing, columns = dataset.missing_columns()
        if missing:
            say(late.printable(dataset.no_column(missing, columns)))
        return dataset

    def cases(self, source: str) -> list[late.Case]:
        """The cases that can be judged; at least one."""
        found = [record.case for record in islice(self.open(source), self.limit) if not record.blocked]
        if not any(case.answer or case.statements for case in found):
            raise late.DatasetError("the dataset holds no case that can be judged")
        return found


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
        mean = self.threshold is not None
        return [late.Gate(threshold=self.threshold, min_coverage=self.min_coverage, gate_mean=mean)]


@dataclass(frozen=True, kw_only=True)
class GateOptions(Bars):
    """What a run must reach, from a file too."""

    gate: str | None = None
    regression: bool = False

    def gates(self) -> list[late.Gate]:
        """The gates of the file and that of the options."""
        if self.regression and self.threshold is None:
            wrong("--regression", "needs --threshold, such as --regression --threshold 0.85")
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
            wrong("--log-level", str(error))
        if self.trace:
            late.require_provider()
            late.enable()

    def warnings_text(self) -> str | None:
        """What went differently and was handled, in one line; None where nothing did or each was logged."""
        if not late.warned or self.verbose or self.log_level or self.log_json:
            return None
        words = declared()["warnings"]
        parts = (f"{words.get(event, event)} ({count:,}x)" for event, count in late.warned.most_common())
        return f"warnings: {', '.join(parts)}; --log-level warning shows each"
