"""What a run is asked to do, checked and completed before anything is spent."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import magistrate
from magistrate.errors import ConfigurationError
from magistrate.evaluation.columns import FieldMap
from magistrate.evaluation.dataset import Dataset, open_dataset
from magistrate.evaluation.describe import describe
from magistrate.evaluation.privacy import Redact
from magistrate.evaluation.store import RunHeader
from magistrate.metrics.base import Metric

if TYPE_CHECKING:
    from magistrate.judges.base import Judge

__all__ = ["DEFAULT_CONCURRENCY", "Plan", "make_plan", "now"]

DEFAULT_CONCURRENCY = 16


@dataclass(slots=True)
class Plan:
    """Everything a run needs, checked, before anything is spent.

    Attributes:
        dataset: Where the cases come from.
        metrics: What to measure.
        judge: Who judges.
        header: What the run's first line will say.
        folder: Where to keep it; None for memory.
        resume: Whether to go on with what the folder holds.
        concurrency: Cases judged at a time.
        limit: Most rows to take; None for all.
        quick: Take a small sample of every category instead.
        seed: Seed of the sample.
        owns_judge: Whether to close the judge at the end.
        repeat: How many times to judge each case.
        store_text: Whether results keep the texts of cases and replies.
        redact: Runs over every text of the cases before anything is made of them.
    """

    dataset: Dataset
    metrics: Sequence[Metric]
    judge: Judge
    header: RunHeader
    folder: Path | None = None
    resume: bool = False
    concurrency: int = DEFAULT_CONCURRENCY
    limit: int | None = None
    quick: bool = False
    seed: int = 0
    owns_judge: bool = False
    repeat: int = 1
    store_text: bool = True
    redact: Redact | None = None


def make_plan(
    cases: Any,
    metrics: Sequence[Metric] | None = None,
    judge: Judge | str | None = None,
    *,
    run: str | Path | None = None,
    resume: bool = False,
    concurrency: int = DEFAULT_CONCURRENCY,
    limit: int | None = None,
    quick: bool = False,
    seed: int = 0,
    mapping: FieldMap | Sequence[str] | None = None,
    format: str | None = None,  # noqa: A002 - the word of the command line
    repeat: int = 1,
    store_text: bool = True,
    redact: Redact | None = None,
) -> Plan:
    """Check what a run is asked to do, and fill in the defaults.

    Raises:
        ConfigurationError: If something does not fit together, or the mapping names a column that no row has.
        DatasetError: If there is no such file, or it cannot be read.
    """
    for name, value, least in (("concurrency", concurrency, 1), ("limit", limit, 1), ("repeat", repeat, 1)):
        if value is not None and (not isinstance(value, int) or isinstance(value, bool) or value < least):
            raise ConfigurationError(f"{name} is a whole number from {least} up, not {value!r}")
    if resume and run is None:
        raise ConfigurationError("resume needs the run's folder: run=PATH")
    if redact is not None and not callable(redact):
        raise ConfigurationError(f"redact is a function that takes a text and returns a text, not {redact!r}")
    dataset = open_dataset(cases, format=format, mapping=mapping)
    dataset.check_mapping()
    chosen = _metrics(metrics)
    owns_judge = judge is None or isinstance(judge, str)
    judge = _judge(judge)
    if not store_text and getattr(judge, "caches", False):
        raise ConfigurationError("a cache keeps the texts of replies: make the judge without one to store no text")
    config = {
        "dataset": _describe_dataset(dataset),
        "judge": describe(judge),
        "metrics": [describe(metric) for metric in chosen],
        **({"repeat": repeat} if repeat > 1 else {}),
        **({} if store_text else {"store_text": False}),
        **({} if redact is None else {"redact": _name_of(redact)}),
    }
    header = RunHeader(config=config, magistrate=magistrate.__version__, created=now(), id=secrets.token_hex(8))
    folder = Path(run) if run is not None else None
    return Plan(
        dataset,
        chosen,
        judge,
        header,
        folder,
        resume,
        concurrency,
        limit,
        quick,
        seed,
        owns_judge,
        repeat,
        store_text,
        redact,
    )


def _name_of(function: Redact) -> str:
    module = getattr(function, "__module__", None) or type(function).__module__
    return f"{module}:{getattr(function, '__qualname__', type(function).__qualname__)}"


def _metrics(metrics: Sequence[Metric] | None) -> Sequence[Metric]:
    if metrics is None:
        from magistrate.metrics.faithfulness import Faithfulness  # noqa: PLC0415 - only as the default

        return [Faithfulness()]
    chosen: list[Metric] = [metrics] if isinstance(metrics, Metric) else list(metrics)
    if not chosen:
        raise ConfigurationError("no metric to evaluate: leave metrics out for faithfulness")
    for metric in chosen:
        if isinstance(metric, type) or not hasattr(metric, "evaluate") or not hasattr(metric, "name"):
            raise ConfigurationError(f"{metric!r} is no metric: expected an object such as Faithfulness()")
    names = [metric.name for metric in chosen]
    if repeated := sorted({name for name in names if names.count(name) > 1}):
        raise ConfigurationError(f"several metrics are called {', '.join(repeated)}: give each its own name")
    return chosen


def _judge(judge: Judge | str | None) -> Judge:
    if judge is None or (isinstance(judge, str) and judge.strip().casefold() == "offline"):
        from magistrate.judges.offline import OfflineJudge  # noqa: PLC0415 - only as the default

        return OfflineJudge()
    if isinstance(judge, str):
        from magistrate.judges.llm import LLMJudge  # noqa: PLC0415 - loads a provider library

        return LLMJudge(judge)
    if isinstance(judge, type) or not hasattr(judge, "verify") or not hasattr(judge, "name"):
        raise ConfigurationError(f"{judge!r} is no judge: expected an object such as LLMJudge(...), or a model's name")
    return judge


def _describe_dataset(dataset: Dataset) -> dict[str, Any]:
    return {
        "name": dataset.name,
        "path": str(dataset.path.resolve()) if dataset.path else None,
        "format": dataset.format,
        "mapping": dict(dataset.mapping),
        **({} if dataset.system is None else {"system": dataset.system}),
    }


def now() -> str:
    """The time as runs write it: ISO 8601, UTC, whole seconds."""
    return datetime.now(UTC).isoformat(timespec="seconds")
