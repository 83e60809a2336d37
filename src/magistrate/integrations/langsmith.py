"""LangSmith and openevals: metrics as evaluator functions; the judge behind openevals' own is `as_openai_client`."""

from collections.abc import Callable, Coroutine
from typing import Any

from magistrate.integrations import _common as ours
from magistrate.sync import run_sync


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
    judged = as_async_evaluator(model, metric, question=question, answer=answer, context=context, **options)

    def evaluate(
        inputs: Any = None, outputs: Any = None, reference_outputs: Any = None, **given: Any
    ) -> dict[str, Any]:
        return run_sync(judged(inputs, outputs, reference_outputs, **given))

    evaluate.__name__ = judged.__name__  # the key of the feedback where the evaluator fails
    return evaluate


def as_async_evaluator(
    model: Any, metric: Any = None, **options: Any
) -> Callable[..., Coroutine[Any, Any, dict[str, Any]]]:
    """Make an asynchronous evaluator function of a metric, for `aevaluate` (with the arguments of `as_evaluator`)."""
    named = [options.pop(name, None) for name in ("question", "answer", "context")]
    evaluator = ours.Evaluator(model, metric, **options)

    async def evaluate(
        inputs: Any = None, outputs: Any = None, reference_outputs: Any = None, **given: Any
    ) -> dict[str, Any]:
        result = await evaluator.evaluate(ours.case_in(inputs, outputs, reference_outputs, given, named))
        return {
            "key": result.metric,
            "score": ours.safe_score(result),
            "value": result.status.value,
            "comment": ours.headline(result),
            "metadata": ours.details(result),
        }

    evaluate.__name__ = evaluator.metric.name
    return evaluate
