"""Autoevals: our metrics among its scorers; as the judge behind its own, give them `as_openai_client(...)`."""

from typing import Any

from magistrate.integrations import _common as ours
from magistrate.metrics.base import MetricResult

with ours.needs("autoevals"):
    from autoevals.score import Score, Scorer


class MagistrateScorer(Scorer):
    """A metric of ours among autoevals' scorers; Braintrust's `Eval(scores=[...])` takes it too.

    Without a score that is safe to use, `score` is None, which counts as skipped; the metadata say why.

    Args:
        model: A model's name, "offline", or a judge.
        metric: The metric; None for faithfulness.
        context: The argument (or the key of the case's metadata) that holds the passages.
        **options: threshold, and options of the judge.
    """

    def __init__(self, model: Any, metric: Any = None, context: str = "context", **options: Any) -> None:
        self.evaluator = ours.Evaluator(model, metric, **options)
        self.context = context

    def _name(self) -> str:
        return self.evaluator.metric.name

    def _run_eval_sync(self, output: Any, expected: Any = None, **given: Any) -> Any:
        return self._score(self.evaluator.evaluate_sync(self._case(output, expected, given)))

    async def _run_eval_async(self, output: Any, expected: Any = None, **given: Any) -> Any:
        return self._score(await self.evaluator.evaluate(self._case(output, expected, given)))

    def _case(self, output: Any, expected: Any, given: dict[str, Any]) -> Any:
        metadata = given.get("metadata")
        held = metadata.get(self.context) if isinstance(metadata, dict) else None
        return ours.case_of(given.get("input"), output, given.get(self.context, held), reference=expected)

    def _score(self, result: MetricResult) -> Any:
        told = {"rationale": ours.headline(result), **ours.details(result)}
        return Score(self._name(), ours.safe_score(result), metadata=told)
