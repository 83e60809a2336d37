"""Runs derived from a stored run without a call: other policy, other threshold, another reading.

A large one is derived in parts, each by a process of its own (`Part`), which are then put together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, overload

from magistrate.evaluation.runs.results import CaseResult
from magistrate.evaluation.runs.run import Run, load_run
from magistrate.evaluation.runs.store import RESULTS, RunWriter
from magistrate.metrics.base import MetricResult, rescore


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a derived run.

    Args:
        run: The stored run.
        make: Derives it; it must pickle.
        first: Place of the first result.
        last: Behind the last one.
        folder: Where to keep the part, a run of its own.
    """

    run: str
    make: Callable[[Run], Run]
    first: int
    last: int
    folder: Path


def parts_of(run: str, make: Callable[[Run], Run], folder: Path, count: int) -> list[Part]:
    """Cut a stored run into so many parts, to be kept below a folder."""
    rows = len(load_run(run))
    bounds = [rows * number // count for number in range(count + 1)]
    return [
        Part(run, make, first, last, folder / f"{number:06d}") for number, (first, last) in enumerate(pairwise(bounds))
    ]


def derive_part(part: Part, _stopped: Callable[[], bool] | None = None) -> Path:
    """Derive a part and keep it."""
    whole = part.make(load_run(part.run))
    results = whole.results[part.first : part.last]
    return Run(results, whole.header, state=whole.state, message=whole.message).save(part.folder)


def put_together(parts: Sequence[Part], folder: Path) -> Run:
    """Make one run of the parts of a derived one, in a folder of its own."""
    first = load_run(parts[0].folder)
    with closing(RunWriter(folder, first.header)) as writer:
        for part in parts:
            with (part.folder / RESULTS).open("rb") as lines:
                for line in lines:
                    writer.append_line(line)
        writer.end(first.state, message=first.message)
    made = load_run(folder)
    return Run(made.results, made.header, state=made.state, message=made.message)


class _Mapped(Sequence[CaseResult]):
    """Results, each put through a function when it is read."""

    def __init__(self, results: Sequence[CaseResult], function: Callable[[CaseResult], CaseResult]) -> None:
        self._results = results
        self._function = function

    def __len__(self) -> int:
        return len(self._results)

    @overload
    def __getitem__(self, index: int) -> CaseResult: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[CaseResult]: ...
    def __getitem__(self, index: int | slice) -> CaseResult | Sequence[CaseResult]:
        if isinstance(index, slice):
            return _Mapped(self._results[index], self._function)
        return self._function(self._results[index])

    def __iter__(self) -> Iterator[CaseResult]:
        return map(self._function, self._results)


def derive(run: Run, function: Callable[[CaseResult, MetricResult], MetricResult], **changed: Any) -> Run:
    """A run whose metric results went through a function, read from the old one as they are needed."""

    def apply(result: CaseResult) -> CaseResult:
        return replace(result, metrics={name: function(result, metric) for name, metric in result.metrics.items()})

    metrics = [{**metric, **changed} for metric in run.header.config.get("metrics", ())]
    header = replace(
        run.header, config={**run.header.config, "metrics": metrics}, source=str(run.path) if run.path else None
    )
    return Run(_Mapped(run.results, apply), header, state=run.state, message=run.message)


def rescored(run: Run, policy: str | None = None, threshold: float | None = None) -> Run:
    """The same verdicts under another policy or threshold."""
    changed: dict[str, Any] = {}
    if policy is not None:
        from magistrate.scoring import get_policy  # noqa: PLC0415

        changed["policy"] = get_policy(policy).name
    if threshold is not None:
        changed["threshold"] = threshold
    return derive(run, lambda _, metric: rescore(metric, policy, threshold), **changed)
