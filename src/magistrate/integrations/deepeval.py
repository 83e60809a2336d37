"""DeepEval: its metrics on a judge of ours (exactly one verdict a claim), and our metrics among its own."""

import re
from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel

from magistrate.integrations import _common as ours
from magistrate.integrations._prompts import deepeval as prompts
from magistrate.judges import as_judge, resolve_judge
from magistrate.judges.llm import LLMJudge
from magistrate.metrics.base import MetricResult
from magistrate.records import Message
from magistrate.sync import on_background, run_sync
from magistrate.verdict import Outcome, Status

with ours.needs("deepeval"):
    from deepeval.errors import DeepEvalError
    from deepeval.metrics import BaseMetric
    from deepeval.models import DeepEvalBaseLLM, DeepEvalBaseSystemOneModel
    from deepeval.models.system_one import SystemOneAnswers
    from deepeval.models.utils import EvaluationCost
    from deepeval.test_case import LLMTestCase
    from deepeval.test_case.llm_test_case import _MLLM_IMAGE_REGISTRY

_IMAGE = re.compile(r"\[DEEPEVAL:(?:IMAGE|PDF):([0-9a-f]{32})\]")


class JudgeFailureError(ours.UnusableReplyError, DeepEvalError):
    """The judge gave no reply that is safe to use, also after asking again.

    With `ErrorConfig(ignore_errors=True)` it becomes the metric's `error`, without a score.
    """


class _Named:
    """What DeepEval asks of each model beside answers."""

    judge: Any

    def load_model(self, *_args: Any, **_options: Any) -> Any:
        """Nothing is to be loaded."""
        return self.judge

    def get_model_name(self, *_args: Any, **_options: Any) -> str:
        """The judge's name."""
        return str(self.judge.name)


class MagistrateModel(_Named, DeepEvalBaseLLM):
    """The model behind DeepEval's metrics: `FaithfulnessMetric(model=MagistrateModel("gpt-4o"))`.

    DeepEval knows no cost of a model that is not its own: `.usage` has it.

    Args:
        model: The model's name, or a judge.
        **options: Options of the judge: api_base, api_key, cache, budget, temperature, ...
    """

    def __init__(self, model: Any, **options: Any) -> None:
        self.backend = ours.Backend(model, **options)
        self.judge = self.backend.judge
        super().__init__(self.judge.name)

    @property
    def usage(self) -> Any:
        """Calls, tokens and cost so far."""
        return self.backend.usage

    def supports_multimodal(self) -> bool:
        """Images are sent along; a model that cannot see says so."""
        return True

    def generate(self, prompt: Any, schema: type[BaseModel] | None = None) -> Any:
        """Ask, from code that is not async: for an object of a schema, or for text."""
        return run_sync(self.a_generate(prompt, schema))

    async def a_generate(self, prompt: Any, schema: type[BaseModel] | None = None) -> Any:
        """Ask: for an object of a schema, or for text."""
        asked = _with_images(str(prompt))
        if schema is None:
            return JudgeFailureError.text_of(await self.backend.text(asked))
        reply = await self.backend.ask(asked, schema, *prompts.known_of(schema, str(prompt)))
        return JudgeFailureError.value_of(reply, schema.__name__)


def _with_images(prompt: str) -> str | Sequence[Message]:
    """The prompt with its images, which DeepEval keeps elsewhere and marks in the text."""
    images = []
    for match in dict.fromkeys(found.group() for found in _IMAGE.finditer(prompt)):
        image = _MLLM_IMAGE_REGISTRY.get(match.rpartition(":")[2].rstrip("]"))
        if image is not None:
            image.ensure_images_loaded()
            address = image.url if image.dataBase64 is None else f"data:{image.mimeType};base64,{image.dataBase64}"
            images.append((match, address))
    return (Message("user", prompt, tuple(images)),) if images else prompt


class MagistrateSystemOne(_Named, DeepEvalBaseSystemOneModel):
    """What decides in `eval_mode="hybrid"` and `"system_one"`: `FaithfulnessMetric(system_one_model=...)`.

    A language model states its probabilities, and none of them is made up: what does not agree with itself raises
    `JudgeFailureError`. An entailment model ("nli:PATH") or "offline" measures P(supported) where a claim or a sentence
    is held against a text. It cannot answer other questions and raises; in "hybrid" DeepEval asks the LLM instead.

    Args:
        model: A model's name, "nli:PATH", "offline", or a judge.
        **options: Options of the judge.
    """

    def __init__(self, model: Any, **options: Any) -> None:
        self.judge = resolve_judge(model, **options)
        self.backend = ours.Backend(self.judge) if isinstance(self.judge, LLMJudge) else None
        super().__init__(self.judge.name)

    def decide(self, state: Any, questions: dict[str, Any]) -> Any:
        """Answer questions about a state, from code that is not async."""
        return run_sync(self._decided(state, questions))

    async def a_decide(self, state: Any, questions: dict[str, Any]) -> Any:
        """Answer questions about a state: with the answers comes what they cost."""
        return await on_background(self._decided(state, questions))

    async def _decided(self, state: Any, questions: dict[str, Any]) -> Any:
        if self.backend is None:
            return await self._measured(state, questions)
        prompt = prompts.asked(state, questions, self.backend.judge)
        rows = prompts.rows_of_questions(questions)
        reply = await self.backend.ask(prompt, prompts.DECISIONS, rows)
        answers = prompts.answers_of(questions, JudgeFailureError.value_of(reply, "a decision")["answers"])
        usage = reply.usage
        cost = None if usage.cost is None else EvaluationCost(usage.cost, usage.prompt_tokens, usage.completion_tokens)
        return SystemOneAnswers.model_validate(answers), cost

    async def _measured(self, state: Any, questions: dict[str, Any]) -> Any:
        by_text: dict[tuple[str, ...], dict[str, str]] = {}
        for key, question in questions.items():
            grounding = prompts.grounding_of(state, question)
            if grounding is None:
                said = f"{self.judge.name} tells what follows from a text, and {key} asks for something else"
                raise JudgeFailureError(f"{Status.REFUSED.value}: {said}: give a language model", Status.REFUSED)
            by_text.setdefault(grounding.contexts, {})[key] = grounding.statement
        nouls = {}
        for contexts, statements in by_text.items():
            reply = await as_judge(self.judge).verify(list(statements.values()), contexts)
            for key, verdict in zip(statements, reply.verdicts, strict=True):
                if verdict.verdict is None or verdict.probability is None:
                    why = next((issue.message for issue in verdict.issues if issue.message), "no probability")
                    raise JudgeFailureError(f"{Status.UNPARSEABLE.value}: {key}: {why}", Status.UNPARSEABLE)
                nouls[key] = {"probability": verdict.probability}
        return SystemOneAnswers.model_validate({"nouls": nouls}), 0.0


class MagistrateMetric(BaseMetric):
    """A metric of ours among DeepEval's. Without a score that is safe to use, `error` says why and `success` is False.

    Args:
        model: A model's name, "offline", or a judge.
        metric: The metric; None for faithfulness.
        threshold: The score needed to pass, where faithfulness is the metric.
        **options: Options of the judge.
    """

    def __init__(self, model: Any, metric: Any = None, threshold: float | None = None, **options: Any) -> None:
        own = metric is not None and threshold == metric.threshold
        self.evaluator = ours.Evaluator(model, metric, threshold=None if own else threshold, **options)
        # DeepEval copies a metric by the attributes that are named as its arguments.
        self.model, self.metric, self.threshold = self.evaluator.judge, metric, self.evaluator.metric.threshold
        self.evaluation_model = self.evaluator.judge.name
        self.async_mode, self.include_reason, self.strict_mode = True, True, False

    @property
    def __name__(self) -> str:
        return f"Magistrate {self.evaluator.metric.name}"

    def measure(self, test_case: LLMTestCase, *_args: Any, **_options: Any) -> Any:
        """Judge a test case."""
        return self._keep(self.evaluator.evaluate_sync(_case(test_case)))

    async def a_measure(self, test_case: LLMTestCase, *_args: Any, **_options: Any) -> Any:
        """Judge a test case."""
        return self._keep(await self.evaluator.evaluate(_case(test_case)))

    def is_successful(self) -> bool:
        """Whether the score was enough; never without one."""
        return bool(self.success)

    def _keep(self, result: MetricResult) -> float | None:
        self.score = ours.safe_score(result)
        self.reason = ours.headline(result)
        self.error = self.reason if self.score is None else None
        self.success = self.score is not None and result.outcome is Outcome.PASS
        self.score_breakdown = ours.details(result)
        self.evaluation_cost = result.usage.cost
        return self.score


def _case(test_case: LLMTestCase) -> Any:
    contexts = test_case.retrieval_context or test_case.context
    return ours.case_of(test_case.input, test_case.actual_output, contexts, reference=test_case.expected_output)
