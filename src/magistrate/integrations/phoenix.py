"""Phoenix evals: its evaluators on a judge of ours, and our metrics among them.

Importing this registers the provider: `LLM(provider="magistrate", model="gpt-4o")`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from magistrate.integrations.backend import Backend
from magistrate.integrations.evaluator import Evaluator, case_of, details, headline, why_no_score
from magistrate.integrations.extras import needs
from magistrate.integrations.failure import UnusableReplyError
from magistrate.integrations.messages import messages_of
from magistrate.integrations.stated import stated_limits
from magistrate.judges.inline import inline_schema
from magistrate.metrics.base import MetricResult
from magistrate.records import Message

with needs("phoenix"):
    from phoenix.evals.evaluators import Evaluator as PhoenixEvaluator
    from phoenix.evals.evaluators import Score
    from phoenix.evals.exceptions import PhoenixException
    from phoenix.evals.llm.registries import register_provider
    from phoenix.evals.llm.types import BaseLLMAdapter


class JudgeFailureError(UnusableReplyError, PhoenixException):
    """The judge gave no reply that is safe to use, also after asking again.

    Attributes:
        status: Why: "refused", "truncated", "unparseable", "out_of_range", "judge_error".
    """


def _client(model: Any, is_async: bool = False, **options: Any) -> Backend:
    del is_async  # one client does both
    return Backend(model, **options)


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
        del options
        return JudgeFailureError.text_of(self.client.text_sync(_asked(prompt)))

    async def async_generate_text(self, prompt: Any, **options: Any) -> str:
        """Ask for text."""
        del options
        return JudgeFailureError.text_of(await self.client.text(_asked(prompt)))

    def generate_object(self, prompt: Any, schema: Any, *args: Any, **options: Any) -> dict[str, Any]:
        """Ask for an object, from code that is not async."""
        del args, options
        wanted = _schema(schema)
        reply = self.client.ask_sync(_asked(prompt), wanted, None, stated_limits(wanted))
        return dict(JudgeFailureError.value_of(reply))

    async def async_generate_object(self, prompt: Any, schema: Any, *args: Any, **options: Any) -> dict[str, Any]:
        """Ask for an object."""
        del args, options
        wanted = _schema(schema)
        reply = await self.client.ask(_asked(prompt), wanted, None, stated_limits(wanted))
        return dict(JudgeFailureError.value_of(reply))


def _asked(prompt: Any) -> str | tuple[Message, ...]:
    return prompt if isinstance(prompt, str) else messages_of(prompt)


def _schema(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**inline_schema(schema), "title": schema.get("title") or "reply"}


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
        self.evaluator = Evaluator(model, metric, **options)
        shown = name or f"magistrate_{self.evaluator.metric.name}"
        super().__init__(name=shown, kind="llm", direction="maximize", input_schema=_Input)

    def _evaluate(self, eval_input: Mapping[str, Any]) -> list[Any]:
        return [self._score(self.evaluator.evaluate_sync(_case(eval_input)))]

    async def _async_evaluate(self, eval_input: Mapping[str, Any]) -> list[Any]:
        return [self._score(await self.evaluator.evaluate(_case(eval_input)))]

    def _score(self, result: MetricResult) -> Any:
        return Score(
            name=self.name,
            score=None if why_no_score(result) else result.score,
            label=result.outcome.value,
            explanation=headline(result),
            metadata=details(result),
            kind="llm",
            direction="maximize",
        )


def _case(given: Mapping[str, Any]) -> Any:
    return case_of(given.get("input"), given.get("output"), given.get("context"))
