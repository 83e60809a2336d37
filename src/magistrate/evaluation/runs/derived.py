"""Runs derived from a stored run without a call: other policy, other threshold, another reading."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, overload

from magistrate.evaluation.runs.results import CaseResult
from magistrate.evaluation.runs.run import Run
from magistrate.metrics.base import MetricResult, rescore


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
    """A run whose metric results went through a function, read from the old one as they are needed.

    Args:
        run: The stored run.
        function: Gives the new result for a case's old one.
        **changed: What to write over in the configuration of each metric.
    """

    def apply(result: CaseResult) -> CaseResult:
        return replace(result, metrics={name: function(result, metric) for name, metric in result.metrics.items()})

    metrics = [{**metric, **changed} for metric in run.header.config.get("metrics", ())]
    header = replace(
        run.header, config={**run.header.config, "metrics": metrics}, source=str(run.path) if run.path else None
    )
    return Run(_Mapped(run.results, apply), header, state=run.state, message=run.message)


def rescored(run: Run, policy: str | None = None, threshold: float | None = None) -> Run:
    """The same verdicts under another policy or threshold.

    Raises:
        ConfigurationError: If there is no such policy.
    """
    changed: dict[str, Any] = {}
    if policy is not None:
        from magistrate.scoring import get_policy  # noqa: PLC0415

        changed["policy"] = get_policy(policy).name
    if threshold is not None:
        changed["threshold"] = threshold
    return derive(run, lambda _, metric: rescore(metric, policy, threshold), **changed)
