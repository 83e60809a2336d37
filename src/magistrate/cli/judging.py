"""From options to judge, metrics and plan."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

from magistrate.completion.cache import is_cache
from magistrate.errors import ConfigurationError
from magistrate.evaluation.baselines import baseline_name, open_baseline
from magistrate.evaluation.cases.answer_sources import open_source
from magistrate.evaluation.plan import Plan, RunOptions, make_plan
from magistrate.evaluation.runs.run import Run
from magistrate.evaluation.runs.store import default_folder
from magistrate.judges.resolve import makes_calls, resolve_judge

if TYPE_CHECKING:
    from magistrate.judges.base import Judge
    from magistrate.metrics.base import Metric

__all__ = ["JudgeOptions", "MetricOptions", "make_judge", "plan_run"]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeOptions:
    """What the command line says about the judge."""

    model: str
    api_base: str | None
    params: Mapping[str, Any]
    quotes: bool
    batch_size: int | None
    cache: str | None
    no_cache: bool
    budget: float | None
    max_calls: int | None
    rpm: float | None = None
    tpm: float | None = None
    prices: tuple[float, float] | None = None
    rephrase_refusals: bool = False

    @property
    def offline(self) -> bool:
        """Whether no model is asked for."""
        return self.model.strip().casefold() == "offline"

    @property
    def local(self) -> bool:
        """Whether the judge makes no calls: the offline one, or an entailment model in a folder."""
        return not makes_calls(self.model)


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricOptions:
    """What the command line says about the metrics."""

    names: Sequence[str]
    threshold: float | None
    policy: str
    decompose: str
    mode: str
    batch_size: int | None
    scale: str
    truths_limit: int | None
    reason: bool


def plan_run(
    source: str,
    judge: JudgeOptions,
    metric: MetricOptions,
    options: RunOptions,
    *,
    system: str | None = None,
    baselines: Sequence[str] = (),
    estimate: bool = False,
) -> tuple[Plan, list[tuple[str, Run | Plan]]]:
    """Put judge, metrics and dataset together. Nothing is called or written yet, save the folder of a cache.

    With `estimate` nothing at all is written: a cache is used only if it is there.

    Returns:
        The plan of the run, and for each baseline its name with the stored run or the plan to make one.

    Raises:
        ConfigurationError: If options do not fit together, or the judge cannot be used.
        DatasetError: If there is no such dataset.
        StoreError: If a baseline's run cannot be read.
    """
    dataset = open_source(source, system=system, format=options.format, mapping=options.mapping)
    metrics = _metrics(metric)
    if estimate:
        judge = replace(judge, budget=None, max_calls=None)  # nothing is spent
    # Where the run is kept follows from its configuration, and where completions are kept from that: so the judge is
    # made twice, the first time only to say what it is.
    plan = make_plan(dataset, metrics, make_judge(judge, cache=None), options)
    folder = Path(options.run) if options.run else default_folder(dataset.name, plan.header.config)
    plan = replace(plan, options=replace(options, run=folder))
    if not judge.local and not judge.no_cache:
        cache = Path(judge.cache) if judge.cache else folder
        if not estimate or is_cache(cache):
            plan = replace(plan, judge=make_judge(judge, cache=cache))
    found: list[tuple[str, Run | Plan]] = []
    for text in baselines:
        name = baseline_name(text)
        opened = open_baseline(text, dataset, mapping=options.mapping)
        if isinstance(opened, Run):
            found.append((name, opened))
        else:  # judged like the run, with the same judge: one budget, one cache
            inside = folder / "baselines" / re.sub(r"[^\w.-]+", "-", name)[:60]
            found.append((name, make_plan(opened, plan.metrics, plan.judge, replace(options, run=inside))))
    return plan, found


def _metrics(options: MetricOptions) -> list[Metric]:
    from magistrate.metrics.faithfulness import DEFAULT_BATCH_SIZE, Faithfulness  # noqa: PLC0415 - loads pydantic
    from magistrate.metrics.registry import make_metrics  # noqa: PLC0415

    judging = Faithfulness(
        policy=options.policy,
        decompose=cast("Literal['claims', 'sentences']", options.decompose),  # checked there
        mode=cast("Literal['batched', 'single']", options.mode),
        truths_extraction_limit=options.truths_limit,
        scale=options.scale,
        batch_size=options.batch_size or DEFAULT_BATCH_SIZE,
    )
    return make_metrics(options.names, options.threshold, judging=judging, include_reason=options.reason)


def make_judge(options: JudgeOptions, *, cache: Path | None = None) -> Judge:
    """Make the judge that the options ask for.

    Raises:
        ConfigurationError: If it cannot be used.
    """
    if options.local:
        for given, name in ((options.api_base, "--api-base"), (options.params, "--model-arg")):
            if given:
                raise ConfigurationError(
                    f"{name} needs a model behind an API: the judge {options.model} makes no calls"
                )
        return resolve_judge(options.model)
    from magistrate.completion.budget import Budget  # noqa: PLC0415 - loads a provider library

    further: dict[str, Any] = {} if options.batch_size is None else {"batch_size": options.batch_size}
    limited = options.budget is not None or options.max_calls is not None
    return resolve_judge(
        options.model,
        api_base=options.api_base,
        params=options.params,
        quotes=options.quotes,
        cache=cache,
        rpm=options.rpm,
        tpm=options.tpm,
        prices=options.prices,
        rephrase_refusals=options.rephrase_refusals,
        **further,
        budget=Budget(max_cost=options.budget, max_calls=options.max_calls) if limited else None,
    )
