"""Phoenix evals: our metrics among its evaluators; importing this makes `LLM(provider="magistrate", ...)` known."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from magistrate.completion.schemas import inline_schema
from magistrate.integrations import _common as ours
from magistrate.integrations._prompts import stated_limits
from magistrate.metrics.base import MetricResult
from magistrate.records import Message
from magistrate.sync import run_sync

with ours.needs("phoenix"):
    from phoenix.evals.evaluators import Evaluator as PhoenixEvaluator
    from phoenix.evals.evaluators import Score
    from phoenix.evals.exceptions import PhoenixException
    from phoenix.evals.llm.registries import register_provider
    from phoenix.evals.llm.types import BaseLLMAdapter


class JudgeFailureError(ours.UnusableReplyError, PhoenixException):
    """The judge gave no reply that is safe to use, also after asking again."""


def _client(model: Any, is_async: bool = False, **options: Any) -> ours.Backend:
    del is_async  # one client does both
    return ours.Backend(model, **options)


@register_provider(provider="magistrate", client_factory=_client)
class MagistrateAdapter(BaseLLMAdapter):
    """What Phoenix talks to behind `LLM(provider="magistrate", model="gpt-4o")`; options of the judge go beside."""

    @classmethod
    def client_name(cls) -> str:
        """The client's name in Phoenix's registry."""
        return "magistrate"

    @property
    def model_name(self) -> str:
        """The model's name."""
        return str(self.client.name)

    def generate_text(self, prompt: Any, **options: Any) -> str:
        """Ask for text, from code that is not async."""
        return run_sync(self.async_generate_text(prompt, **options))

    async def async_generate_text(self, prompt: Any, **_options: Any) -> str:
        """Ask for text."""
        return JudgeFailureError.text_of(await self.client.text(_asked(prompt)))

    def generate_object(self, prompt: Any, schema: Any, *args: Any, **options: Any) -> dict[str, Any]:
        """Ask for an object, from code that is not async."""
        return run_sync(self.async_generate_object(prompt, schema, *args, **options))

    async def async_generate_object(self, prompt: Any, schema: Any, *_args: Any, **_options: Any) -> dict[str, Any]:
        """Ask for an object."""
        wanted = {**inline_schema(schema), "title": schema.get("title") or "reply"}
        reply = await self.client.ask(_asked(prompt), wanted, None, stated_limits(wanted))
        return dict(JudgeFailureError.value_of(reply))


def _asked(prompt: Any) -> str | tuple[Message, ...]:
    return prompt if isinstance(prompt, str) else ours.messages_of(prompt)


class _Input(BaseModel):
    """What a record must have; its fields can be named otherwise by Phoenix's own mapping."""

    input: Any = None
    output: Any
    context: Any = None


class MagistrateEvaluator(PhoenixEvaluator):
    """A metric of ours among Phoenix's evaluators. The label is the outcome: "pass", "fail" or "inconclusive".

    Without a score that is safe to use, `score` is None; `explanation` and `metadata` say why.

    Args:
        model: A model's name, "offline", or a judge.
        metric: The metric; None for faithfulness.
        name: Its name in Phoenix; None for its own with "magistrate_" before it.
        **options: threshold, and options of the judge.
    """

    def __init__(self, model: Any, metric: Any = None, name: str | None = None, **options: Any) -> None:
        self.evaluator = ours.Evaluator(model, metric, **options)
        shown = name or f"magistrate_{self.evaluator.metric.name}"
        super().__init__(name=shown, kind="llm", direction="maximize", input_schema=_Input)

    def _evaluate(self, eval_input: Mapping[str, Any]) -> list[Any]:
        return [self._score(self.evaluator.evaluate_sync(_case(eval_input)))]

    async def _async_evaluate(self, eval_input: Mapping[str, Any]) -> list[Any]:
        return [self._score(await self.evaluator.evaluate(_case(eval_input)))]

    def _score(self, result: MetricResult) -> Any:
        return Score(
            name=self.name,
            score=ours.safe_score(result),
            label=result.outcome.value,
            explanation=ours.headline(result),
            metadata=ours.details(result),
            kind="llm",
            direction="maximize",
        )


def _case(given: Mapping[str, Any]) -> Any:
    return ours.case_of(given.get("input"), given.get("output"), given.get("context"))
