"""What a run is asked to do, checked and completed before anything is spent; and texts that are changed before that."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypedDict, TypeVar

from pydantic import BaseModel

import magistrate
from magistrate.case import Problem
from magistrate.errors import ConfigurationError, DatasetError
from magistrate.evaluation.cases.columns import FieldMap, field_of
from magistrate.evaluation.cases.dataset import Dataset, Record
from magistrate.evaluation.runs.results import bare_case
from magistrate.evaluation.runs.store import RunHeader, describe
from magistrate.judges import Judge, resolve_judge
from magistrate.metrics.base import Metric
from magistrate.metrics.registry import make_metrics
from magistrate.user_code import USER_FAULTS

M = TypeVar("M", bound=BaseModel)
Redact = Callable[[str], str]
"""Takes a text of a case, gives what may be seen of it."""
Metrics = Metric | str | Sequence[Metric | str] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """How a run is carried out. The keywords of `evaluate` are these; so are the options of `magistrate eval`.

    Args:
        run: A folder to keep the run in, as it goes; None to hold it in memory.
        resume: Go on with the run in that folder; no finished case is judged again.
        concurrency: Cases judged at a time.
        limit: Take only the first cases.
        quick: Take ten cases, some of every category.
        seed: Another seed takes other cases with `quick`.
        mapping: Columns for fields with another name: {"answer": "claim"}, or {"contexts": ["first", "second"]}.
        format: The format of a file whose name does not tell it.
        repeat: Judge each case so many times: a statement gets the verdict of the majority, and the results say how
            often the repetitions disagree.
        swap: Whether every second repetition gets statements and passages in the other order; needs `repeat` from 2.
        store_text: Whether results keep the texts of cases and replies; False keeps ids, verdicts and numbers alone.
        redact: Takes each text of a case before any call, and gives what the judge and the run may see of it. A case
            that it fails on is not judged.

    Raises:
        ConfigurationError: If a number is below 1, `swap` has no repetition, or `redact` is no function.
    """

    run: str | Path | None = None
    resume: bool = False
    concurrency: int = 16
    limit: int | None = None
    quick: bool = False
    seed: int = 0
    mapping: FieldMap | Sequence[str] | None = None
    format: str | None = None
    repeat: int = 1
    swap: bool = False
    store_text: bool = True
    redact: Redact | None = None

    def __post_init__(self) -> None:
        for name in ("concurrency", "limit", "repeat"):
            value = getattr(self, name)
            if value is not None and (not isinstance(value, int) or isinstance(value, bool) or value < 1):
                raise ConfigurationError(f"{name} is a whole number from 1 up, not {value!r}")
        if self.swap and self.repeat == 1:
            raise ConfigurationError("swap needs repeat=2 or more: every second repetition has the other order")
        if self.redact is not None and not callable(self.redact):
            raise ConfigurationError(f"redact is a function that takes a text and returns a text, not {self.redact!r}")


class RunKeywords(TypedDict, total=False):
    """The fields of `RunOptions` as keywords, for type checkers."""

    run: str | Path | None
    resume: bool
    concurrency: int
    limit: int | None
    quick: bool
    seed: int
    mapping: FieldMap | Sequence[str] | None
    format: str | None
    repeat: int
    swap: bool
    store_text: bool
    redact: Redact | None


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything a run needs, checked, before anything is spent."""

    dataset: Dataset
    metrics: Sequence[Metric]
    judge: Judge
    options: RunOptions
    header: RunHeader
    owns_judge: bool = False

    @property
    def folder(self) -> Path | None:
        """Where to keep it; None for memory."""
        return None if self.options.run is None else Path(self.options.run)


_IDENTITY = ("repeat", "swap", "store_text")
"""Options that tell one run from another, where they are not as usual."""


def make_plan(
    cases: Any,
    metrics: Metrics = None,
    judge: Judge | str | None = None,
    options: RunOptions | None = None,
) -> Plan:
    """Check what a run is asked to do, and fill in the defaults.

    Raises:
        ConfigurationError: If something does not fit together, or the mapping names a column that no row has.
        DatasetError: If there is no such file, it cannot be read, or no row has an answer under a known name.
    """
    options = options or RunOptions()
    dataset = cases if isinstance(cases, Dataset) else Dataset(cases, format=options.format, mapping=options.mapping)
    dataset.check_mapping()
    chosen = _metrics(metrics)
    missing, columns = ([], []) if dataset.system is not None else dataset.missing_columns()
    statements = any(field_of(column) == "statements" for column in columns)
    if "answer" in missing and not statements and all("answer" in getattr(one, "needs", ()) for one in chosen):
        raise DatasetError(dataset.no_column(missing, columns))
    owns_judge = judge is None or isinstance(judge, str)
    judge = resolve_judge(judge)
    if not options.store_text and getattr(judge, "caches", False):
        raise ConfigurationError("a cache keeps the texts of replies: make the judge without one to store no text")
    config = {
        "dataset": {
            "name": dataset.name,
            "path": str(dataset.path.resolve()) if dataset.path else None,
            "format": dataset.format,
            "mapping": dict(dataset.mapping),
            **({} if dataset.system is None else {"system": dataset.system}),
        },
        "judge": describe(judge),
        "metrics": [describe(metric) for metric in chosen],
    }
    plain = RunOptions()
    config |= {name: value for name in _IDENTITY if (value := getattr(options, name)) != getattr(plain, name)}
    if (redact := options.redact) is not None:
        module = getattr(redact, "__module__", None) or type(redact).__module__
        config["redact"] = f"{module}:{getattr(redact, '__qualname__', type(redact).__qualname__)}"
    header = RunHeader(config=config, magistrate=magistrate.__version__, created=now(), id=secrets.token_hex(8))
    return Plan(dataset, chosen, judge, options, header, owns_judge)


def _metrics(metrics: Metrics) -> Sequence[Metric]:
    chosen: list[Metric] = []
    given = "faithfulness" if metrics is None else metrics
    for one in [given] if isinstance(given, Metric | str) else given:
        chosen += make_metrics([one]) if isinstance(one, str) else [one]
    if not chosen:
        raise ConfigurationError("no metric to evaluate: leave metrics out for faithfulness")
    for metric in chosen:
        if isinstance(metric, type) or not hasattr(metric, "evaluate") or not hasattr(metric, "name"):
            raise ConfigurationError(f"{metric!r} is no metric: expected an object such as Faithfulness()")
    names = [metric.name for metric in chosen]
    if repeated := sorted({name for name in names if names.count(name) > 1}):
        raise ConfigurationError(f"several metrics are called {', '.join(repeated)}: give each its own name")
    return chosen


class _NoTextError(TypeError):
    """Its message holds nothing of the case, unlike what a function of the user's may raise."""


def redacted(records: Iterable[Record], redact: Redact, source: str = "") -> Iterator[Record]:
    """Run every text of the cases through a function; ids, categories and names stay as they are.

    The texts are question, answer, contexts, statements, reference, citations, those in the metadata, and the messages
    about the row. A row that the function fails on is not judged: nothing that was not redacted is sent or stored.
    """
    for record in records:
        try:
            case = _applied(
                record.case, redact, "question", "answer", "contexts", "reference", "statements", "metadata"
            )
            cited = tuple(_applied(one, redact, "quote", "statement", *one.model_extra or ()) for one in case.citations)
            problems = tuple(replace(problem, message=redact(problem.message)) for problem in record.problems)
        except USER_FAULTS as error:
            what = str(error) if isinstance(error, _NoTextError) else type(error).__name__
            message = f"the redact function failed: {what}"
            number = record.index + 1
            problem = Problem(message=message, source=source, line=record.line, row=number, blocking=True)
            yield Record(record.index, bare_case(record.case), (problem,), record.line)
        else:
            yield replace(record, case=case.model_copy(update={"citations": cited}), problems=problems)


def _applied(model: M, redact: Redact, *names: str) -> M:
    return model.model_copy(update={name: _apply(getattr(model, name), redact) for name in names})


def _apply(value: Any, redact: Redact) -> Any:
    match value:
        case str():
            text = redact(value)
            if not isinstance(text, str):
                raise _NoTextError(f"it returned {type(text).__name__}, not a text")
            return text
        case tuple():
            return tuple(_apply(item, redact) for item in value)
        case list():
            return [_apply(item, redact) for item in value]
        case Mapping():
            return {key: _apply(item, redact) for key, item in value.items()}
        case _:
            return value


def now() -> str:
    """The time as runs write it: ISO 8601, UTC, whole seconds."""
    return datetime.now(UTC).isoformat(timespec="seconds")
