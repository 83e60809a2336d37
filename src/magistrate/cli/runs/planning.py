"""From options to the plan of a run: its judge, metrics, baselines, and what follows from its gates."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

import typer

from magistrate.cli import late
from magistrate.cli.options import DatasetOptions, JudgeOptions, MetricOptions, RunFlags
from magistrate.completion.cache import is_cache
from magistrate.errors import ConfigurationError
from magistrate.evaluation.cases.answer_sources import open_source, user_function
from magistrate.evaluation.cases.columns import no_column
from magistrate.evaluation.comparison import baseline_name, judged_otherwise, open_baseline, refused_differences
from magistrate.evaluation.plan import Plan, RunOptions, make_plan
from magistrate.evaluation.runs.run import Run
from magistrate.evaluation.runs.store import default_folder
from magistrate.judges import makes_calls
from magistrate.report.text import printable

if TYPE_CHECKING:
    from magistrate.completion.batches.client import Batching
    from magistrate.evaluation.cases.dataset import Dataset
    from magistrate.evaluation.gate import Gate
    from magistrate.metrics.base import Metric


def run_options(flags: RunFlags, reading: DatasetOptions) -> RunOptions:
    """The options of the run that the command line asks for."""
    redact = flags.redact and user_function(flags.redact, "one that takes a text and returns a text")
    alike = ("run", "resume", "concurrency", "quick", "seed", "repeat", "swap")
    return RunOptions(
        **{name: getattr(flags, name) for name in alike},
        limit=reading.limit,
        mapping=reading.map_,
        format=None if reading.format_ == "vera" else reading.format_,
        store_text=not flags.no_store,
        redact=redact or None,
    )


def plan_run(
    source: str,
    model: str,
    judging: JudgeOptions,
    metrics: Sequence[Metric],
    options: RunOptions,
    *,
    system: str | None = None,
    baselines: Sequence[str] = (),
    estimate: bool = False,
    batching: Batching | None = None,
) -> tuple[Plan, list[tuple[str, Run | Plan]]]:
    """Put judge, metrics and dataset together. Nothing is called or written yet, save the folder of a cache."""
    dataset = open_source(source, system=system, format=options.format, mapping=options.mapping)
    if estimate:
        judging = replace(judging, budget=None, max_calls=None)  # nothing is spent
    # Where the run is kept follows from its configuration, and where completions are kept from that: so the judge is
    # made twice, the first time only to say what it is.
    first = judging.cached_judge(model, None, called=not estimate, batching=batching)
    plan = make_plan(dataset, metrics, first, options)
    folder = Path(options.run) if options.run else default_folder(dataset.name, plan.header.config)
    plan = replace(plan, options=replace(options, run=folder))
    if batching is not None and not estimate:
        batching.open(folder)
    if makes_calls(model) and not judging.no_cache and options.store_text:
        cache = Path(judging.cache) if judging.cache else folder
        if not estimate or is_cache(cache):
            judge = judging.cached_judge(model, cache, called=not estimate, batching=batching)
            plan = replace(plan, judge=judge)
    found: list[tuple[str, Run | Plan]] = []
    for text in baselines:
        name = baseline_name(text)
        opened = open_baseline(text, dataset, mapping=options.mapping)
        if isinstance(opened, Run):
            found.append((name, opened))
        elif batching is not None:
            raise ConfigurationError(
                f"--batch judges one dataset: judge the baseline {name} first, then give its run: --baseline RUN"
            )
        else:  # judged like the run, with the same judge: one budget, one cache
            inside = folder / "baselines" / re.sub(r"[^\w.-]+", "-", name)[:60]
            found.append((name, make_plan(opened, plan.metrics, plan.judge, replace(options, run=inside))))
    return plan, found


def chosen_metrics(
    options: MetricOptions, names: Sequence[str], batch_size: int | None, threshold: float | None
) -> list[Metric]:
    """The metrics of these names, judged as the options say."""
    judging = late.Faithfulness(
        policy=options.policy,
        decompose=cast("Literal['claims', 'sentences']", options.decompose),  # checked there
        mode=cast("Literal['batched', 'single']", options.mode),
        truths_extraction_limit=options.truths_limit,
        scale=options.scale,
        batch_size=batch_size or late.DEFAULT_BATCH_SIZE,
    )
    return late.make_metrics(names, threshold, judging=judging, include_reason=options.reason)


def note_columns(dataset: Dataset) -> None:
    """Say which column is not there, before anything is spent."""
    missing, columns = ([], []) if dataset.system is not None else dataset.missing_columns()
    if missing:
        typer.echo(printable(f"magistrate: {no_column(dataset.name, missing, columns)}"), err=True)


def default_metrics(source: str, gates: Sequence[Gate], *, vera: bool) -> list[str]:
    """What is measured where nothing is said: what the gates are about; the metrics of VERA's report."""
    gated = [gate.metric for gate in gates if gate.metric]
    wanted = ["vera"] if vera or (source.startswith("bundled:") and not gated) else []
    return [*wanted, *gated] or ["faithfulness"]


def baselines_of(given: list[str] | None, source: str, system: str | None, gates: Sequence[Gate]) -> list[str]:
    """What a run is compared with: the bundled cases, which have several systems' answers, with naive RAG."""
    drops = any(gate.max_drop is not None for gate in gates)
    if given or not source.startswith("bundled:") or system is not None:
        return given or []
    return ["naive-rag"] if not gates or drops else []


def check_drops(gates: Sequence[Gate], plan: Plan, baselines: list[tuple[str, Run | Plan]]) -> None:
    """Refuse, before anything is spent, a gate on a drop that cannot be measured."""
    measured = {metric.name for metric in plan.metrics}
    for gate in gates:
        if gate.metric is not None and gate.metric not in measured:
            raise ConfigurationError(f"the gate asks for {gate.metric}, which is not measured: --metric {gate.metric}")
        if gate.max_drop is None:
            continue
        if not baselines:
            raise ConfigurationError(
                f"the gate allows {gate.metric} a drop of {gate.max_drop:g}, but against what? Give a --baseline"
            )
        name, first = baselines[0]
        if isinstance(first, Run) and (found := refused_differences(first.header.config, plan.header.config)):
            what = judged_otherwise(first.header.config, plan.header.config, found)
            raise ConfigurationError(f"{name} was judged differently, so a drop cannot be measured against it: {what}")
