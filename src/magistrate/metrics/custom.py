"""Metrics of the user's own: a function, and a decorator that makes a metric of it."""

from __future__ import annotations

import inspect
import math
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Literal, TypeAlias, overload

from magistrate.case import Case
from magistrate.errors import ConfigurationError
from magistrate.judges import Judge, Question, SingleReply, WrappedJudge
from magistrate.metrics.template import CaseMetric, Finding, Ledger, Need, ranged
from magistrate.scoring import DEFAULT_THRESHOLD
from magistrate.verdict import Status

__all__ = ["FunctionMetric", "metric"]

Measured: TypeAlias = "float | bool | Finding | None"
Function: TypeAlias = "Callable[..., Measured | Awaitable[Measured]]"


class FunctionMetric(CaseMetric):
    """A metric whose score a function finds. `@metric` makes one.

    Args:
        function: Takes the case, and the judge if it has a second parameter; may be a coroutine function. It returns
            a score in [0, 1], a bool, None for "cannot be measured", or a `Finding`.
        name: The name in reports; None for the function's.
        threshold: The score needed to pass.
        direction: "maximize" or "minimize".
        needs: Fields of a case without which the function is not called: "question", "answer", "contexts",
            "reference". Such a case gets a status and no score.
        description: What it measures, in a line; None for the first line of the function's docstring.
        cost: What it costs in calls, in words, for `magistrate metrics`.
        include_reason: Whether results carry a reason.

    Raises:
        ConfigurationError: If an option is out of range.
    """

    def __init__(
        self,
        function: Function,
        *,
        name: str | None = None,
        threshold: float = DEFAULT_THRESHOLD,
        direction: Literal["maximize", "minimize"] = "maximize",
        needs: Sequence[Need] = (),
        description: str | None = None,
        cost: str = "",
        include_reason: bool = True,
    ) -> None:
        called = name or getattr(function, "__name__", "")
        if not callable(function) or not called:
            raise ConfigurationError("a metric is made of a function with a name")
        if direction not in ("maximize", "minimize"):
            raise ConfigurationError(f"metric {called!r}: direction is 'maximize' or 'minimize', not {direction!r}")
        if any(need not in ("question", "answer", "contexts", "reference") for need in needs):
            raise ConfigurationError(f"metric {called!r}: needs are question, answer, contexts, reference, not {needs}")
        self.function = function
        self.direction = direction
        self.needs = tuple(needs)
        self.cost = cost
        self.description = description or (inspect.getdoc(function) or "").partition("\n")[0]
        self.policy = "custom"
        self.formula = f"{getattr(function, '__module__', '')}:{getattr(function, '__qualname__', called)}"
        self._with_judge = _takes_judge(function, called)
        super().__init__(
            name=called,
            threshold=threshold,
            include_reason=include_reason,
            options={"direction": direction, "function": self.formula, "needs": list(self.needs)},
        )
        self.__doc__ = getattr(function, "__doc__", None)

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        """Call the function itself."""
        return self.function(*arguments, **options)

    async def find(self, case: Case, judge: Judge, ledger: Ledger) -> Finding:
        """Call the function, and await it where it is a coroutine function. What it asks the judge is counted."""
        counted = _CountedJudge(judge, ledger)
        found = self.function(case, counted) if self._with_judge else self.function(case)
        return _finding(await found if inspect.isawaitable(found) else found, self.name)


class _CountedJudge(WrappedJudge):
    """A judge that enters each of its replies in a ledger, so that what a function asks is part of its result."""

    def __init__(self, judge: Judge, ledger: Ledger) -> None:
        super().__init__(judge)
        self._ledger = ledger

    async def ask(self, question: Question[Any], /) -> Any:
        reply = await super().ask(question)
        self._ledger.add(reply.verdicts if isinstance(reply, SingleReply) else reply, aside=True)
        return reply


@overload
def metric(function: Function, /) -> FunctionMetric: ...
@overload
def metric(
    function: None = None,
    /,
    *,
    name: str | None = None,
    threshold: float = DEFAULT_THRESHOLD,
    direction: Literal["maximize", "minimize"] = "maximize",
    needs: Sequence[Need] = (),
    description: str | None = None,
    cost: str = "",
) -> Callable[[Function], FunctionMetric]: ...
def metric(function: Function | None = None, /, **options: Any) -> Any:
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


def _takes_judge(function: Callable[..., Any], name: str) -> bool:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return True
    places = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    required = [p for p in parameters if p.default is p.empty and p.kind in (p.KEYWORD_ONLY, *_kinds(places))]
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        return True
    if not places or len(required) > 2 or any(p.kind is p.KEYWORD_ONLY for p in required):  # noqa: PLR2004
        raise ConfigurationError(f"metric {name!r}: the function takes a case, and a judge if it needs one")
    return len(places) > 1


def _kinds(parameters: Sequence[inspect.Parameter]) -> set[Any]:
    return {parameter.kind for parameter in parameters}


def _finding(found: Any, name: str) -> Finding:
    if isinstance(found, Finding):
        for value in (found.score, *(found.bounds or ())):
            if value is not None:
                _checked(value, name)
        return found
    if found is None:
        return Finding(status=Status.VACUOUS, reason="the metric found nothing to measure")
    if isinstance(found, Mapping) or not isinstance(found, int | float):
        raise TypeError(f"metric {name!r} returned {type(found).__name__}: a score in [0, 1], None or a Finding is due")
    value = _checked(float(found), name)
    status, score, bounds = ranged(value, value)
    return Finding(status=status, score=score, bounds=bounds, reason=f"{name} {value:g}")


def _checked(value: float, name: str) -> float:
    if not (math.isfinite(value) and 0.0 <= value <= 1.0):
        raise ValueError(f"metric {name!r} returned {value}: a score is a number in [0, 1]")
    return value
