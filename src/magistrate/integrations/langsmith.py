"""LangSmith and openevals: our metrics as evaluator functions. None of their files is imported.

    evaluate(target, data="trams", evaluators=[as_evaluator("gpt-4o")])

As the judge behind openevals' own, give them a client: `create_llm_as_judge(judge=as_openai_client("gpt-4o"), ...)`.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any

from magistrate.integrations.evaluator import Evaluator, case_of, details, headline, why_no_score
from magistrate.metrics.base import MetricResult

__all__ = ["as_async_evaluator", "as_evaluator"]

_QUESTIONS = ("question", "input", "query")
_ANSWERS = ("answer", "output", "response", "content")
_CONTEXTS = ("context", "contexts", "documents", "retrieved_contexts")


def as_evaluator(
    model: Any,
    metric: Any = None,
    *,
    question: str | None = None,
    answer: str | None = None,
    context: str | None = None,
    **options: Any,
) -> Callable[..., dict[str, Any]]:
    """Make an evaluator function of a metric.

    Its result has the metric's name as `key`, `score` (None where there is none that is safe to use), the status as
    `value`, a line as `comment`, and the verdicts in `metadata`.

    Args:
        model: A model's name, "offline", or a judge.
        metric: The metric; None for faithfulness.
        question: The key of the inputs that holds the question; None for the usual ones, or the inputs' only one.
        answer: The key of the outputs that holds the answer; likewise.
        context: The key of the passages in the outputs, the inputs or the reference outputs, or the argument.
        **options: threshold, and options of the judge.
    """
    evaluator = Evaluator(model, metric, **options)
    keys = _Keys(question, answer, context)

    def evaluate(
        inputs: Any = None, outputs: Any = None, reference_outputs: Any = None, **given: Any
    ) -> dict[str, Any]:
        return _feedback(evaluator.evaluate_sync(keys.case(inputs, outputs, reference_outputs, given)))

    evaluate.__name__ = evaluator.metric.name  # the key of the feedback where the evaluator fails
    return evaluate


def as_async_evaluator(
    model: Any,
    metric: Any = None,
    *,
    question: str | None = None,
    answer: str | None = None,
    context: str | None = None,
    **options: Any,
) -> Callable[..., Coroutine[Any, Any, dict[str, Any]]]:
    """Make an asynchronous evaluator function of a metric, for `aevaluate` (see `as_evaluator`)."""
    evaluator = Evaluator(model, metric, **options)
    keys = _Keys(question, answer, context)

    async def evaluate(
        inputs: Any = None, outputs: Any = None, reference_outputs: Any = None, **given: Any
    ) -> dict[str, Any]:
        return _feedback(await evaluator.evaluate(keys.case(inputs, outputs, reference_outputs, given)))

    evaluate.__name__ = evaluator.metric.name
    return evaluate


def _feedback(result: MetricResult) -> dict[str, Any]:
    return {
        "key": result.metric,
        "score": None if why_no_score(result) else result.score,
        "value": result.status.value,
        "comment": headline(result),
        "metadata": details(result),
    }


class _Keys:
    """Where the parts of a case are."""

    def __init__(self, question: str | None, answer: str | None, context: str | None) -> None:
        self._question = (question,) if question else _QUESTIONS
        self._answer = (answer,) if answer else _ANSWERS
        self._context = (context,) if context else _CONTEXTS

    def case(self, inputs: Any, outputs: Any, reference: Any, given: Mapping[str, Any]) -> Any:
        places = (given, outputs, inputs, reference)
        passages = next((found for place in places if (found := _held(place, self._context)) is not None), None)
        return case_of(
            _part(inputs, self._question, passages),
            _part(outputs, self._answer, passages),
            passages,
            reference=_part(reference, self._answer, passages),
        )


def _held(place: Any, keys: Sequence[str]) -> Any:
    held = place if isinstance(place, Mapping) else {}
    return next((held[key] for key in keys if held.get(key) is not None), None)


def _part(place: Any, keys: Sequence[str], passages: Any) -> Any:
    """The text that stands under one of some keys; else the only one there is, beside the passages."""
    if not isinstance(place, Mapping):
        return place
    found = _held(place, keys)
    if found is not None:
        return found
    messages = place.get("messages")
    if isinstance(messages, list) and messages:
        last = messages[-1]
        return last.get("content") if isinstance(last, Mapping) else getattr(last, "content", None)
    others = [value for value in place.values() if value is not None and value is not passages]
    return others[0] if len(others) == 1 and isinstance(others[0], str) else None
