"""TruLens: its feedback functions on a judge of ours, and a metric of ours for its records.

TruLens averages what it can read and skips -1, its mark of a reply without a score. Here a reply is read whole or
raises `JudgeFailureError`, and a metric without a score that is safe to use is -1 with the reason beside it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pydantic import PrivateAttr

from magistrate.integrations.backend import Backend, explain
from magistrate.integrations.evaluator import Evaluator, case_of, details, headline, why_no_score
from magistrate.integrations.extras import needs
from magistrate.integrations.messages import messages_of
from magistrate.verdict import Status

with needs("trulens"):
    from trulens.core import Metric, Selector
    from trulens.core.feedback.endpoint import Endpoint
    from trulens.feedback import LLMProvider
    from trulens.feedback.llm_provider import UNPARSABLE_SCORE

__all__ = ["JudgeFailureError", "MagistrateProvider", "magistrate_metric"]


class JudgeFailureError(RuntimeError):
    """The judge gave no reply that is safe to use, also after asking again: TruLens raises the same for an endpoint.

    Attributes:
        status: Why: "refused", "truncated", "unparseable", "out_of_range", "judge_error".
    """

    def __init__(self, message: str, status: Status) -> None:
        super().__init__(message)
        self.status = status

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.status)


class _Endpoint(Endpoint):
    """Calls once: the judge has its own way of asking again, and TruLens' would repeat a refusal."""

    def run_in_pace(self, func: Callable[..., Any], *args: Any, **options: Any) -> Any:
        self.pace_me()
        return func(*args, **options)


class MagistrateProvider(LLMProvider):
    """The provider behind TruLens' feedback: `MagistrateProvider("gpt-4o").relevance_with_cot_reasons`.

    Args:
        model: The model's name, or a judge.
        **options: Options of the judge: api_base, api_key, cache, budget, ...
    """

    _backend: Backend = PrivateAttr()

    def __init__(self, model: Any, **options: Any) -> None:
        backend = Backend(model, **options)
        super().__init__(endpoint=_Endpoint(name="magistrate"), model_engine=backend.name)
        self._backend = backend

    @property
    def usage(self) -> Any:
        """Calls, tokens and cost so far."""
        return self._backend.usage

    def _create_chat_completion(
        self,
        prompt: str | None = None,
        messages: Sequence[Mapping[str, Any]] | None = None,
        response_format: Any = None,
        **options: Any,
    ) -> str:
        del options
        asked = prompt if prompt is not None else messages_of(messages or ())
        if response_format is None:
            reply = self._backend.text_sync(asked)
            if reply.status is not Status.SCORED or not reply.text:
                raise JudgeFailureError(explain(reply, "text"), reply.status)
            return reply.text
        reply = self._backend.ask_sync(asked, response_format)
        if reply.value is None:
            raise JudgeFailureError(explain(reply, "reply"), reply.status)
        value = reply.value if isinstance(reply.value, dict) else reply.value.model_dump(mode="json")
        return json.dumps(value, ensure_ascii=False)


def magistrate_metric(
    model: Any, metric: Any = None, name: str | None = None, selectors: Mapping[str, Any] | None = None, **options: Any
) -> Any:
    """Make a metric of ours one of TruLens'. It gives the score and, as metadata, status, verdicts and reasons.

    Args:
        model: A model's name, "offline", or a judge.
        metric: The metric; None for faithfulness.
        name: Its name in TruLens; None for its own with "magistrate_" before it.
        selectors: What of a record is `question`, `answer` and `contexts`; None for its input, output and contexts.
        **options: threshold, and options of the judge.

    Returns:
        A `trulens.core.Metric`.
    """
    evaluator = Evaluator(model, metric, **options)

    def score(question: str, answer: str, contexts: Any) -> tuple[float, dict[str, Any]]:
        result = evaluator.evaluate_sync(case_of(question, answer, contexts))
        told = {"reason": headline(result), **details(result)}
        return (UNPARSABLE_SCORE if why_no_score(result) or result.score is None else result.score), told

    return Metric(
        implementation=score,
        name=name or f"magistrate_{evaluator.metric.name}",
        higher_is_better=True,
        selectors=dict(selectors)
        if selectors is not None
        else {
            "question": Selector.select_record_input(),
            "answer": Selector.select_record_output(),
            "contexts": Selector.select_context(collect_list=True),
        },
    )
