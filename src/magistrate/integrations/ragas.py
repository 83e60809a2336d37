"""Ragas: its metrics on a judge of ours (each statement has exactly one entry, 0 or 1), and ours among its own."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

from pydantic import BaseModel

from magistrate.integrations import _common as ours
from magistrate.integrations._prompts.ragas import known_of, rating_of, schema_of
from magistrate.metrics.base import MetricResult as OurResult
from magistrate.records import Message
from magistrate.sync import run_sync

with ours.needs("ragas"):
    from langchain_core.outputs import Generation, LLMResult
    from ragas.exceptions import RagasException, RagasOutputParserException
    from ragas.llms.base import BaseRagasLLM, InstructorBaseRagasLLM
    from ragas.metrics.base import MetricType, SingleTurnMetric
    from ragas.metrics.collections.base import BaseMetric
    from ragas.metrics.result import MetricResult


class _ParserError(RagasOutputParserException):
    """Takes a message, which the error of ragas does not."""

    def __init__(self, message: str) -> None:
        RagasException.__init__(self, message)


class JudgeFailureError(ours.UnusableReplyError, _ParserError):
    """The judge gave no reply that is safe to use, also after asking again. `evaluate()` makes it a NaN and logs it."""


class MagistrateLLM(InstructorBaseRagasLLM):
    """The model behind ragas' metrics: those of `ragas.metrics.collections`, and the older ones in `evaluate(llm=...)`.

    Args:
        model: The model's name, or a judge.
        **options: Options of the judge: api_base, api_key, cache, budget, temperature, ...
    """

    is_async = True
    provider = "magistrate"

    def __init__(self, model: str, **options: Any) -> None:
        self.backend = ours.Backend(model, **options)
        self.model = self.backend.name
        # The multi-modal metrics go past `agenerate`, to the client that ragas expects inside.
        self.client = SimpleNamespace(chat=SimpleNamespace(completions=SimpleNamespace(create=self._create)))

    def generate(self, prompt: str, response_model: type[BaseModel]) -> Any:
        """Ask, from code that is not async."""
        return run_sync(self.agenerate(prompt, response_model))

    async def agenerate(self, prompt: str, response_model: type[BaseModel]) -> Any:
        """Ask."""
        name = response_model.__name__
        reply = await self.backend.ask(prompt, response_model, *known_of(name, prompt))
        return JudgeFailureError.value_of(reply, name)

    async def agenerate_text(self, prompt: Any, n: int = 1, **_options: Any) -> LLMResult:
        """Ask for text, as some of the older metrics do."""
        return LLMResult(generations=[[await _generation(self.backend, prompt) for _ in range(n)]])

    async def _create(self, *, messages: Any, response_model: type[BaseModel], **_options: Any) -> Any:
        reply = await self.backend.ask(ours.messages_of(messages), response_model)
        return JudgeFailureError.value_of(reply, response_model.__name__)

    def _map_provider_params(self) -> dict[str, Any]:
        return {}


class MagistrateLegacyLLM(BaseRagasLLM):
    """The same for what takes nothing but a `BaseRagasLLM`. The schema of a reply is read from ragas' prompt.

    Args:
        model: The model's name, or a judge.
        **options: Options of the judge: api_base, api_key, cache, budget, temperature, ...
    """

    def __init__(self, model: str, **options: Any) -> None:
        super().__init__()
        self.backend = ours.Backend(model, **options)

    def generate_text(self, prompt: Any, n: int = 1, *args: Any, **options: Any) -> LLMResult:
        """Ask, from code that is not async."""
        return run_sync(self.agenerate_text(prompt, n, *args, **options))

    async def agenerate_text(self, prompt: Any, n: int = 1, *_args: Any, **_options: Any) -> LLMResult:
        """Ask."""
        return LLMResult(generations=[[await _generation(self.backend, prompt) for _ in range(n)]])

    async def generate(self, prompt: Any, n: int = 1, *_args: Any, **_options: Any) -> LLMResult:
        """Ask, once: the judge has its own way of asking again. Ragas would wait, up to ten times, on any error."""
        return await self.agenerate_text(prompt, n)

    def is_finished(self, response: LLMResult) -> bool:
        """A reply that was cut off is none: it was raised already."""
        del response
        return True


async def _generation(backend: ours.Backend, given: Any) -> Generation:
    """Text that ragas' own parsers can only read right."""
    asked = _asked(given)
    prompt = asked if isinstance(asked, str) else asked[-1].content
    rating, schema = rating_of(prompt), schema_of(prompt)
    if rating is not None:
        reply = await backend.ask(asked, rating)
        return Generation(text=str(JudgeFailureError.value_of(reply, "a rating")["rating"]))
    if schema is None:
        return Generation(text=JudgeFailureError.text_of(await backend.text(asked)))
    name = str(schema.get("title") or "reply")
    reply = await backend.ask(asked, schema, *known_of(name, prompt))
    return Generation(text=JudgeFailureError.json_of(reply, name))


def _asked(prompt: Any) -> str | Sequence[Message]:
    """The prompt; as messages where it holds images, which its text has as mere letters."""
    messages = prompt.to_messages() if hasattr(prompt, "to_messages") else []
    if not any(isinstance(message.content, list) for message in messages):
        return str(prompt.to_string() if hasattr(prompt, "to_string") else prompt)
    return [ours.message_of(message.type, message.content) for message in messages]


class MagistrateMetric(BaseMetric):
    """A metric of ours among `ragas.metrics.collections`. The status and the verdicts are in `.reason` and `.traces`.

    Args:
        model: A model's name, "offline", or a judge.
        metric: The metric; None for faithfulness.
        name: Its name in ragas; None for its own with "magistrate_" before it.
        **options: threshold, and options of the judge.
    """

    def __init__(self, model: Any, metric: Any = None, name: str | None = None, **options: Any) -> None:
        self.evaluator = ours.Evaluator(model, metric, **options)
        super().__init__(name=name or f"magistrate_{self.evaluator.metric.name}", allowed_values=(0.0, 1.0))

    async def ascore(
        self, user_input: str | None = None, response: str | None = None, retrieved_contexts: Any = None, **other: Any
    ) -> MetricResult:
        """Score one sample. Without a score that is safe to use, `.value` is None and `.reason` says why."""
        case = ours.case_of(user_input, response, retrieved_contexts, reference=other.get("reference"))
        result = await self.evaluator.evaluate(case)
        value, told = ours.safe_score(result), {"output": ours.details(result)}
        return MetricResult(value=value, reason=ours.headline(result), traces=told)


class MagistrateLegacyMetric(SingleTurnMetric):
    """A metric of ours for `ragas.evaluate()`, which knows numbers only: no score is NaN there.

    Args:
        model: A model's name, "offline", or a judge.
        metric: The metric; None for faithfulness.
        name: Its name in ragas; None for its own with "magistrate_" before it.
        **options: threshold, and options of the judge.

    Attributes:
        results: The full results by (user_input, response), with status, verdicts and reasons.
    """

    def __init__(self, model: Any, metric: Any = None, name: str | None = None, **options: Any) -> None:
        self.evaluator = ours.Evaluator(model, metric, **options)
        self.results: dict[tuple[str, str], OurResult] = {}
        columns = {MetricType.SINGLE_TURN: {"user_input", "response", "retrieved_contexts"}}
        super().__init__(_required_columns=columns, name=name or f"magistrate_{self.evaluator.metric.name}")

    def init(self, run_config: Any) -> None:
        """Nothing is to be prepared."""

    async def _single_turn_ascore(self, sample: Any, callbacks: Any) -> float:
        del callbacks
        case = ours.case_of(sample.user_input, sample.response, sample.retrieved_contexts)
        result = await self.evaluator.evaluate(case)
        self.results[sample.user_input or "", sample.response or ""] = result
        score = ours.safe_score(result)
        return float("nan") if score is None else score
