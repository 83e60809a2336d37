"""Metrics of the user's own: a function, and a decorator that makes a metric of it."""

from __future__ import annotations

import inspect
import math
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import field
from typing import Any, TypeAlias, overload

from magistrate.case import Case
from magistrate.errors import ConfigurationError
from magistrate.judges import Judge, Question, SingleReply, WrappedJudge
from magistrate.metrics._case_metric import NEEDS, Account, By, CaseMetric, Choice, Direction, Finding, Need, Option
from magistrate.scoring import DEFAULT_THRESHOLD
from magistrate.user_code import takes
from magistrate.verdict import Status

Measured: TypeAlias = float | bool | Finding | None
MetricFunction: TypeAlias = Callable[..., Measured | Awaitable[Measured]]


def _needs(metric: FunctionMetric, given: Sequence[Need]) -> tuple[Need, ...]:
    if any(need not in NEEDS for need in given):
        raise ConfigurationError(f"metric {metric.name!r}: needs are {', '.join(NEEDS)}, not {given}")
    return tuple(given)


class FunctionMetric(CaseMetric):
    """A metric whose score a function finds. `@metric` makes one.

    Args:
        function: Takes the case, and the judge if it has a second parameter; may be a coroutine function. It returns
            a score in [0, 1], a bool, None for "cannot be measured", or a `Finding`.
        name: The name in reports; None for the function's.
        direction: "maximize" or "minimize".
        needs: Fields of a case without which the function is not called: "question", "answer", "contexts",
            "reference". Such a case gets a status and no score.
        description: What it measures, in a line; None for the first line of the function's docstring.
        cost: What it costs in calls, in words, for `magistrate metrics`.

    Raises:
        ConfigurationError: If an option is out of range.
    """

    function: MetricFunction = field(kw_only=False)
    direction: Option[Direction, str] = Choice("maximize", "minimize")
    needs: Option[Sequence[Need], tuple[Need, ...]] = Option((), _needs)
    cost: str = ""

    policy = "custom"

    def __post_init__(self) -> None:
        if not callable(self.function) or not self.name:
            raise ConfigurationError("a metric is made of a function with a name")
        super().__post_init__()
        vars(self)["__doc__"] = getattr(self.function, "__doc__", None)
        if not takes(self.function, 1, 2):
            raise ConfigurationError(f"metric {self.name!r}: the function takes a case, and a judge if it needs one")

    default_name = By(lambda m: str(getattr(m.function, "__name__", "")))
    default_description = By(lambda m: (inspect.getdoc(m.function) or "").partition("\n")[0])
    formula = By(lambda m: f"{getattr(m.function, '__module__', '')}:{getattr(m.function, '__qualname__', m.name)}")

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        """Call the function itself."""
        return self.function(*arguments, **options)

    async def find(self, case: Case, judge: Judge, account: Account) -> Finding:
        """Call the function, and await it where it is a coroutine function. What it asks the judge is counted."""
        counted = _CountedJudge(judge, account)
        found = self.function(case, counted) if takes(self.function, 2) else self.function(case)
        return _finding(await found if inspect.isawaitable(found) else found, self.name)


class _CountedJudge(WrappedJudge):
    """A judge that enters each of its replies in an account, so that what a function asks is part of its result."""

    def __init__(self, judge: Judge, account: Account) -> None:
        super().__init__(judge)
        self._account = account

    async def ask(self, question: Question[Any], /) -> Any:
        reply = await super().ask(question)
        self._account.add(reply.verdicts if isinstance(reply, SingleReply) else reply, aside=True)
        return reply


@overload
def metric(function: MetricFunction, /) -> FunctionMetric: ...
@overload
def metric(
    function: None = None,
    /,
    *,
    name: str | None = None,
    threshold: float = DEFAULT_THRESHOLD,
    direction: Direction = "maximize",
    needs: Sequence[Need] = (),
    description: str | None = None,
    cost: str = "",
) -> Callable[[MetricFunction], FunctionMetric]: ...
def metric(function: MetricFunction | None = None, /, **options: Any) -> Any:
    """Make a metric of a function; use it as a decorator, with or without options.

    The function takes a case, and a judge if it has a second parameter; it may be a coroutine function. It returns a
    score in [0, 1] (or a bool), None where the case cannot be measured, or a `Finding`, which also carries a status, a
    reason, bounds and details. A number outside [0, 1], NaN or another type raises: it is never made to fit.

        @metric(threshold=1.0, needs=["answer"])
        def no_apology(case):
            \"\"\"The answer does not apologise.\"\"\"
            return "sorry" not in case.answer.lower()

    `evaluate(cases, metrics=[no_apology])` measures it; on the command line it is `--metric module:no_apology`.

    Args:
        function: The function, where the decorator has no options.
        **options: As for `FunctionMetric`.

    Raises:
        ConfigurationError: If an option is out of range.
    """
    if function is not None:
        return FunctionMetric(function, **options)
    return lambda decorated: FunctionMetric(decorated, **options)


def _finding(found: Any, name: str) -> Finding:
    if found is None:
        return Finding(status=Status.VACUOUS, reason="the metric found nothing to measure")
    if not isinstance(found, Finding | int | float):
        raise TypeError(f"metric {name!r} returned {type(found).__name__}: a score in [0, 1], None or a Finding is due")
    given = found if isinstance(found, Finding) else Finding.scored(float(found), reason=f"{name} {float(found):g}")
    for value in filter(lambda one: one is not None, (given.score, *(given.bounds or ()))):
        if not (math.isfinite(value) and 0.0 <= value <= 1.0):
            raise ValueError(f"metric {name!r} returned {value}: a score is a number in [0, 1]")
    return given
