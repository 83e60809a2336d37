"""Options that several commands share: each is declared once, as a field of a group, and read there too."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from magistrate.cli import late
from magistrate.cli.arguments import checked_pairs, checked_prices, model_arguments, model_prices, unit_interval

if TYPE_CHECKING:
    from magistrate.case import Case
    from magistrate.completion.batches.client import Batching
    from magistrate.evaluation.cases.dataset import Dataset
    from magistrate.judges import Judge

T = TypeVar("T")
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
    str | None, typer.Option("--truth", metavar="FIELD", help="Labels: this metadata key, a list with one a statement.")
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

    def limit(self) -> late.Budget | None:
        """What may be spent; None where nothing is said."""
        if self.budget is None and self.max_calls is None:
            return None

        return late.Budget(max_cost=self.budget, max_calls=self.max_calls)

    def judge(self, name: str, **options: Any) -> Judge:
        """Make the judge of that name."""
        params = model_arguments(self.model_arg)
        if not late.makes_calls(name):
            of_models = [(one, options.get(one)) for one in ("prompts", "instructions", "examples")]
            for option, given in (("api-base", self.api_base), ("model-arg", self.model_arg), *of_models):
                if given:
                    raise late.ConfigurationError(
                        f"--{option} needs a model behind an API: the judge {name} makes no calls"
                    )
            return late.resolve_judge(name, **{key: options[key] for key in late.OF_SEVERAL if key in options})
        return late.resolve_judge(
            name, **{"api_base": self.api_base, "params": params, "budget": self.limit(), **options}
        )

    def with_judge(self, name: str, work: Callable[[Judge], Coroutine[Any, Any, T]]) -> T:
        """Do a piece of work with the judge of that name, and close it."""
        import asyncio  # noqa: PLC0415 - `--help` does without it

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

        return late.calibrated_judge(made, self.calibration)

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
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeError) as error:
        raise late.ConfigurationError(f"--instructions {path}: cannot be read: {error}") from None


@cache
def _shared_limits(
    path: Path, rpm: float | None, tpm: float | None, budget: float | None, max_calls: int | None
) -> dict[str, Any]:
    """Limits that processes share; in one process all judges have the same."""
    file = late.LimitsFile(path)
    found: dict[str, Any] = {
        name: late.SharedPace(file, name, value) for name, value in (("rpm", rpm), ("tpm", tpm)) if value is not None
    }
    if budget is not None or max_calls is not None:
        found["budget"] = late.SharedBudget(file, max_cost=budget, max_calls=max_calls)
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

    def open(self, source: str) -> Dataset:
        """The dataset, its mapping checked."""
        dataset = late.open_source(source, format=self.format_, mapping=self.map_)
        dataset.check_mapping()
        return dataset

    def cases(self, source: str) -> list[Case]:
        """The cases that can be judged; at least one."""
        found = [record.case for record in islice(self.open(source), self.limit) if not record.blocked]
        if not found:
            raise late.DatasetError("the dataset holds no case that can be judged")
        return found
