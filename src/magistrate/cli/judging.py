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
from magistrate.evaluation.plan import Plan, make_plan
from magistrate.evaluation.run import Run
from magistrate.evaluation.store import default_folder
from magistrate.evaluation.systems import open_source, user_function

if TYPE_CHECKING:
    from magistrate.evaluation.dataset import Dataset
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
        return self.offline or self.model.startswith("nli:")


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
    *,
    run: str | None,
    resume: bool,
    system: str | None = None,
    baselines: Sequence[str] = (),
    estimate: bool = False,
    **options: Any,
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
    mapping = options.pop("mapping")
    if options.get("redact") is not None:
        options["redact"] = user_function(options["redact"], "one that takes a text and returns a text")
    dataset = open_source(source, system=system, format=options.pop("format"), mapping=mapping)
    metrics = _metrics(metric)
    if estimate:
        judge = replace(judge, budget=None, max_calls=None)  # nothing is spent
    # Where the run is kept follows from its configuration, and where completions are kept from that: so the judge is
    # made twice, the first time only to say what it is.
    plan = make_plan(dataset, metrics, make_judge(judge, cache=None), **options)
    plan.folder = Path(run) if run else default_folder(dataset.name, plan.header.config)
    plan.resume = resume
    if not judge.local and not judge.no_cache:
        cache = Path(judge.cache) if judge.cache else plan.folder
        if not estimate or is_cache(cache):
            plan.judge = make_judge(judge, cache=cache)
    found: list[tuple[str, Run | Plan]] = []
    for text in baselines:
        name = baseline_name(text)
        opened = open_baseline(text, dataset, mapping=mapping)
        found.append((name, opened if isinstance(opened, Run) else _plan_baseline(plan, opened, name, options)))
    return plan, found


def _plan_baseline(plan: Plan, dataset: Dataset, name: str, options: Mapping[str, Any]) -> Plan:
    """The plan that judges a baseline like the run, with the same judge: one budget, one cache."""
    other = make_plan(dataset, plan.metrics, plan.judge, **options)
    if plan.folder is not None:
        other.folder = plan.folder / "baselines" / re.sub(r"[^\w.-]+", "-", name)[:60]
    other.resume = plan.resume
    return other


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
        return _local(options)
    from magistrate.completion.budget import Budget  # noqa: PLC0415 - loads a provider library
    from magistrate.judges.llm import LLMJudge  # noqa: PLC0415

    further: dict[str, Any] = {} if options.batch_size is None else {"batch_size": options.batch_size}
    limited = options.budget is not None or options.max_calls is not None
    return LLMJudge(
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


def _local(options: JudgeOptions) -> Judge:
    for given, name in ((options.api_base, "--api-base"), (options.params, "--model-arg")):
        if given:
            raise ConfigurationError(f"{name} needs a model behind an API: the judge {options.model} makes no calls")
    if options.offline:
        from magistrate.judges.offline import OfflineJudge  # noqa: PLC0415

        return OfflineJudge()
    from magistrate.judges.nli import nli_judge  # noqa: PLC0415

    return nli_judge(options.model)
