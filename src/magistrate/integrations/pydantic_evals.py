"""Pydantic Evals: its `LLMJudge` on a judge of ours, and our metrics among its evaluators."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from magistrate.completion.schemas import inline_schema
from magistrate.integrations import _common as ours
from magistrate.integrations._prompts import stated_limits
from magistrate.judges import StructuredReply
from magistrate.records import Message
from magistrate.verdict import Outcome

with ours.needs("pydantic-evals"):
    from pydantic_ai.exceptions import UnexpectedModelBehavior, UserError
    from pydantic_ai.messages import (
        ImageUrl,
        ModelResponse,
        RetryPromptPart,
        SystemPromptPart,
        TextPart,
        ToolCallPart,
        UserPromptPart,
    )
    from pydantic_ai.models import Model
    from pydantic_ai.profiles import ModelProfile
    from pydantic_ai.usage import RequestUsage
    from pydantic_evals.evaluators import EvaluationReason, Evaluator, EvaluatorContext

_GRADING = {"reason", "pass", "score"}
"""The fields of its `GradingOutput`: the prompt's examples score 0.0 and 1.0, the model takes any number."""
_INTEGERS = re.compile(r"^Produce a single integer score between (-?\d{1,9}) and (-?\d{1,9}) inclusive,$", re.MULTILINE)


class JudgeFailureError(ours.UnusableReplyError, UnexpectedModelBehavior):
    """The judge gave no reply that is safe to use, also after asking again: a failure that the averages leave out."""


class NoScoreError(ValueError):
    """The metric has no score that is safe to use: a failure of the evaluator, with the status and the reason."""


class MagistrateModel(Model):
    """The model behind an `LLMJudge`: `LLMJudge("It is polite.", model=MagistrateModel("gpt-4o"))`.

    Args:
        model: The model's name, or a judge.
        **options: Options of the judge: api_base, api_key, cache, budget, temperature, ...
    """

    def __init__(self, model: Any, **options: Any) -> None:
        self.backend = ours.Backend(model, **options)
        profile = ModelProfile(supports_json_schema_output=True, default_structured_output_mode="native")
        super().__init__(profile=profile)

    @property
    def model_name(self) -> str:
        """The judge's model."""
        return self.backend.name

    @property
    def system(self) -> str:
        """Who provides it."""
        return "magistrate"

    async def request(self, messages: Any, model_settings: Any, model_request_parameters: Any) -> Any:
        """Answer a conversation: with an object of the one schema that is wanted, or with text."""
        _, wanted = self.prepare_request(model_settings, model_request_parameters)
        if wanted.function_tools or len(wanted.output_tools) > 1:
            raise UserError("a judge calls no tools, and gives one kind of output")
        asked = [Message("system", part.content) for part in wanted.instruction_parts or ()]
        asked += [message for given in messages for part in given.parts for message in _messages(part)]
        schema, tool = _schema(wanted)
        if schema is None:
            reply = await self.backend.text(asked)
            return self._response(reply, TextPart(JudgeFailureError.text_of(reply)))
        reply = await self.backend.ask(asked, schema, limits=_limits(schema, asked[-1].content))
        text = JudgeFailureError.json_of(reply, str(schema["title"]))
        return self._response(reply, TextPart(text) if tool is None else ToolCallPart(tool, text))

    def _response(self, reply: StructuredReply[Any], part: Any) -> Any:
        sent, received = reply.usage.known_tokens
        tokens = RequestUsage(input_tokens=sent, output_tokens=received)
        told = {"status": reply.status.value, "calls": reply.usage.calls, "cost": reply.usage.cost}
        return ModelResponse([part], usage=tokens, model_name=self.model_name, provider_details={"magistrate": told})


def _schema(wanted: Any) -> tuple[dict[str, Any] | None, str | None]:
    if wanted.output_tools:
        (tool,) = wanted.output_tools
        return {**inline_schema(tool.parameters_json_schema), "title": tool.name}, tool.name
    if wanted.output_object is None:
        return None, None
    given = inline_schema(wanted.output_object.json_schema)
    return {**given, "title": wanted.output_object.name or given.get("title") or "reply"}, None


def _limits(schema: Mapping[str, Any], prompt: str) -> ours.Limits | None:
    fields = set(schema.get("properties", {}))
    if fields == _GRADING:
        return {"score": {"minimum": 0, "maximum": 1}}
    # The prompt ends with what it asks for: whatever stands above may come from the output under judgement.
    stated = list(_INTEGERS.finditer(prompt)) if fields == {"reason", "score"} else []
    return (
        {"score": {"minimum": int(stated[-1][1]), "maximum": int(stated[-1][2])}} if stated else stated_limits(schema)
    )


def _messages(part: Any) -> list[Message]:
    if isinstance(part, SystemPromptPart):
        return [Message("system", part.content)]
    if isinstance(part, RetryPromptPart):
        return [Message("user", part.model_response())]
    if isinstance(part, TextPart | ToolCallPart):
        return [Message("assistant", part.content if isinstance(part, TextPart) else part.args_as_json_str())]
    if not isinstance(part, UserPromptPart):
        raise UserError(f"a judge is shown no {type(part).__name__}")
    pieces = [part.content] if isinstance(part.content, str) else part.content
    return [ours.joined("user", map(_piece, pieces))]


def _piece(piece: Any) -> str | tuple[str]:
    address = piece.url if isinstance(piece, ImageUrl) else getattr(piece, "data_uri", None)
    if address is not None:
        return (address,)
    return piece if isinstance(piece, str) else str(piece.content)


@dataclass(repr=False)
class MagistrateEvaluator(Evaluator[Any, Any, Any]):
    """A metric of ours among Pydantic Evals' evaluators: a score, an assertion and a label with the status.

    Without a score that is safe to use it fails, as evaluators do: the report has it under `evaluator_failures`, and
    the averages leave the case out.

    Args:
        model: A model's name, "offline", or a judge.
        metric: The metric; None for faithfulness.
        threshold: The score needed to pass, where faithfulness is the metric.
        context: The key of the case's metadata or inputs that holds the passages.
        options: Options of the judge.
    """

    model: Any
    metric: Any = None
    threshold: float | None = None
    context: str = "context"
    options: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Make the judge."""
        self._evaluator = ours.Evaluator(self.model, self.metric, threshold=self.threshold, **self.options)

    async def evaluate(self, ctx: EvaluatorContext[Any, Any, Any]) -> Any:
        """Evaluate a case.

        Raises:
            NoScoreError: If there is no score that is safe to use.
        """
        held = [one for one in (ctx.metadata, ctx.inputs) if isinstance(one, dict) and self.context in one]
        passages = held[0][self.context] if held else None
        asked = ctx.inputs.get("question") if isinstance(ctx.inputs, dict) else ctx.inputs
        case = ours.case_of(asked, ctx.output, passages, reference=ctx.expected_output)
        result = await self._evaluator.evaluate(case)
        score = ours.safe_score(result)
        if score is None:
            raise NoScoreError(ours.headline(result))
        return {
            result.metric: EvaluationReason(score, ours.headline(result)),
            f"{result.metric}_pass": result.outcome is Outcome.PASS,
            f"{result.metric}_status": result.status.value,
        }
