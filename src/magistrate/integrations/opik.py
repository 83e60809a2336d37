"""Opik: its metrics on a judge of ours, and our metrics among its own."""

from collections.abc import Sequence
from typing import Any

from magistrate.completion.schemas import inline_schema
from magistrate.errors import ConfigurationError
from magistrate.integrations import _common as ours
from magistrate.integrations._prompts import stated_limits
from magistrate.metrics.base import MetricResult
from magistrate.records import Message
from magistrate.sync import run_sync

with ours.needs("opik"):
    from opik.evaluation.metrics.base_metric import BaseMetric
    from opik.evaluation.metrics.score_result import ScoreResult
    from opik.evaluation.models import OpikBaseModel
    from opik.exceptions import MetricComputationError

_SCALES = {"number": {"minimum": 0, "maximum": 1}, "integer": {"minimum": 0, "maximum": 10}}
"""Of Opik's own metrics; whole numbers are G-Eval's."""


class JudgeFailureError(ours.UnusableReplyError, MetricComputationError):
    """The judge gave no reply that is safe to use, also after asking again. In `evaluate()` the score has failed."""


class MagistrateModel(OpikBaseModel):
    """The model behind Opik's metrics: `Hallucination(model=MagistrateModel("gpt-4o"))`.

    Args:
        model: The model's name, or a judge.
        **options: Options of the judge: api_base, api_key, cache, budget, ...
    """

    def __init__(self, model: Any, **options: Any) -> None:
        self.backend = ours.Backend(model, **options)
        super().__init__(model_name=self.backend.name)

    def generate_string(self, input: str, response_format: Any = None, **options: Any) -> str:  # noqa: A002 - opik's name
        """Ask, from code that is not async: for an object of a schema as JSON, or for text."""
        return run_sync(self.agenerate_string(input, response_format, **options))

    async def agenerate_string(self, input: str, response_format: Any = None, **_options: Any) -> str:  # noqa: A002
        """Ask: for an object of a schema as JSON, or for text."""
        return await self._ask(input, response_format)

    def generate_chat_completion(self, messages: Any, response_format: Any = None, **options: Any) -> Any:
        """Ask with a conversation, from code that is not async."""
        return run_sync(self.agenerate_chat_completion(messages, response_format, **options))

    async def agenerate_chat_completion(self, messages: Any, response_format: Any = None, **_options: Any) -> Any:
        """Ask with a conversation."""
        return {"role": "assistant", "content": await self._ask(ours.messages_of(messages), response_format)}

    def generate_provider_response(self, messages: Any, **options: Any) -> Any:
        """Not offered: it is the raw reply of a provider that opik would read without us."""
        del messages, options
        raise ConfigurationError("a judge gives no provider's raw reply: use generate_string")

    async def _ask(self, asked: str | Sequence[Message], model: Any) -> str:
        if model is None:
            return JudgeFailureError.text_of(await self.backend.text(asked))
        return JudgeFailureError.json_of(await self.backend.ask(asked, model, None, _limits(model)))


def _limits(model: Any) -> ours.Limits | None:
    """What Opik's prompts say of a reply and its schemas leave open: any word but "no" would count as a yes."""
    schema = inline_schema(model)
    found = dict(stated_limits(schema) or {})
    if not getattr(model, "__module__", "").startswith("opik."):
        return found or None
    for name, node in schema.get("properties", {}).items():
        if name == "verdict" and node.get("type") == "string" and "enum" not in node:
            found[name] = {"enum": ["yes", "no"]}
        elif (name == "score" or name.endswith("_score")) and node.get("type") in _SCALES and "maximum" not in node:
            found[name] = _SCALES[node["type"]]
    return found or None


class MagistrateMetric(BaseMetric):
    """A metric of ours among Opik's. Without a score that is safe to use, `scoring_failed` is True and the value is 0.

    Args:
        model: A model's name, "offline", or a judge.
        metric: The metric; None for faithfulness.
        name: Its name in Opik; None for its own with "magistrate_" before it.
        track: Whether Opik traces it.
        **options: threshold, and options of the judge.
    """

    def __init__(
        self, model: Any, metric: Any = None, name: str | None = None, *, track: bool = False, **options: Any
    ) -> None:
        self.evaluator = ours.Evaluator(model, metric, **options)
        super().__init__(name=name or f"magistrate_{self.evaluator.metric.name}", track=track)

    def score(self, output: Any, input: Any = None, context: Any = None, **ignored: Any) -> Any:  # noqa: A002
        """Score one item."""
        return self._keep(self.evaluator.evaluate_sync(_case(input, output, context, ignored)))

    async def ascore(self, output: Any, input: Any = None, context: Any = None, **ignored: Any) -> Any:  # noqa: A002
        """Score one item."""
        return self._keep(await self.evaluator.evaluate(_case(input, output, context, ignored)))

    def _keep(self, result: MetricResult) -> Any:
        score = ours.safe_score(result)
        return ScoreResult(
            name=self.name,
            value=0.0 if score is None else score,
            reason=ours.headline(result),
            metadata=ours.details(result),
            scoring_failed=score is None,
        )


def _case(question: Any, answer: Any, contexts: Any, other: dict[str, Any]) -> Any:
    return ours.case_of(question, answer, contexts, reference=other.get("expected_output", other.get("reference")))
