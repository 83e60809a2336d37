"""TruLens: its feedback functions on a judge of ours, and a metric of ours for its records."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from inspect import signature
from typing import Any

from pydantic import PrivateAttr

from magistrate.integrations import _common as ours
from magistrate.judges.llm.itemized_schema import Rows
from magistrate.sync import run_sync
from magistrate.text import split_text

with ours.needs("trulens"):
    from trulens.core import Metric, Selector
    from trulens.core.feedback.endpoint import Endpoint
    from trulens.feedback import LLMProvider
    from trulens.feedback.llm_provider import UNPARSABLE_SCORE
    from trulens.feedback.templates.rag import Groundedness

_SCALE: ContextVar[ours.Limits | None] = ContextVar("_SCALE", default=None)
"""The scale of the score that is being asked for; TruLens checks it, and has no second try."""
_SCORING = signature(LLMProvider.generate_score)
_SIFT = (
    "Consider the following list of statements. Identify sentences that are stylistic, contain trivial pleasantries, "
    "or lack substantive information relevant to the main content. Say for each statement whether it is such a one "
    "(trivial: true) or is to be kept (trivial: false)."
)
_SIFTED: Mapping[str, Any] = json.loads("""
{"title": "Sifted", "type": "object", "required": ["statements"], "properties": {"statements": {"type": "array",
 "items": {"type": "object", "properties": {"trivial": {"type": "boolean"}}, "required": ["trivial"]}}}}
""")


class JudgeFailureError(ours.UnusableReplyError, RuntimeError):
    """The judge gave no reply that is safe to use, also after asking again: TruLens raises the same for an endpoint."""


class _Endpoint(Endpoint):
    """Calls once: the judge has its own way of asking again, and TruLens' would repeat a refusal."""

    def run_in_pace(self, func: Callable[..., Any], *args: Any, **options: Any) -> Any:
        self.pace_me()
        return func(*args, **options)


class MagistrateProvider(LLMProvider):
    """The provider behind TruLens' feedback: `MagistrateProvider("gpt-4o").relevance_with_cot_reasons`.

    Args:
        model: The model's name, or a judge.
        rpm: Calls a minute that TruLens lets through; None for its own 60.
        **options: Options of the judge: api_base, api_key, cache, budget, ...
    """

    _backend: ours.Backend = PrivateAttr()
    _failures: list[Exception] = PrivateAttr(default_factory=list)

    def __init__(self, model: Any, *, rpm: float | None = None, **options: Any) -> None:
        backend = ours.Backend(model, **options)
        super().__init__(endpoint=_Endpoint(name="magistrate", rpm=rpm), model_engine=backend.name)
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
        **_options: Any,
    ) -> str:
        asked = prompt if prompt is not None else ours.messages_of(messages or ())
        if response_format is None:
            reply = run_sync(self._backend.text(asked))
            # Where TruLens wants a text in sentences, one a line, they are to be all of it.
            if reply.text and messages and messages[0].get("content") == Groundedness.sentences_splitter_prompt:
                return "\n".join(_sentences(reply.text, str(messages[-1].get("content", ""))))
            return JudgeFailureError.text_of(reply)
        limits = _SCALE.get() if "score" in response_format.model_fields else None
        return JudgeFailureError.json_of(run_sync(self._backend.ask(asked, response_format, None, limits)))

    def generate_score(self, *args: Any, **options: Any) -> Any:
        """Ask for a score of TruLens' scale."""
        try:
            with _scale(*args, **options):
                return super().generate_score(*args, **options)
        except Exception as error:
            self._failures.append(error)
            raise

    def generate_score_and_reasons(self, *args: Any, **options: Any) -> Any:
        """Ask for a score of TruLens' scale, with reasons."""
        with _scale(*args, **options):
            return super().generate_score_and_reasons(*args, **options)

    def groundedness_measure_with_cot_reasons_consider_answerability(
        self, source: str, statement: str, question: str, *args: Any, **options: Any
    ) -> Any:
        """Score the statements, and those that abstain by whether the question can be answered.

        TruLens takes a statement for one that does not abstain where that question failed: its number would rest on an
        answer that nobody gave.
        """
        failures: list[Exception] = []
        measuring = self.model_copy()  # of its own: a provider may be measuring in several threads
        measuring._failures = failures  # noqa: SLF001
        found = super(MagistrateProvider, measuring).groundedness_measure_with_cot_reasons_consider_answerability(
            source, statement, question, *args, **options
        )
        if failures:
            raise failures[0]
        return found

    def _remove_trivial_statements(self, statements: list[str]) -> list[str]:
        """Keep the statements that are worth judging: TruLens' own runs the reply as a program, and takes any list."""
        listed = "\n".join(f"{at}: {json.dumps(text, ensure_ascii=False)}" for at, text in enumerate(statements, 1))
        rows = Rows("statements", tuple(statements), noun="statement")
        reply = run_sync(self._backend.ask(f"{_SIFT}\n\n{listed}", _SIFTED, rows))
        found = JudgeFailureError.value_of(reply, "a selection of statements")
        said = zip(statements, found["statements"], strict=True)
        return [text for text, row in said if not row["trivial"]]


@contextmanager
def _scale(*args: Any, **options: Any) -> Iterator[None]:
    given = _SCORING.bind(None, *args, **options)
    given.apply_defaults()
    low, high = given.arguments["min_score_val"], given.arguments["max_score_val"]
    token = _SCALE.set({"score": {"minimum": low, "maximum": high}})
    try:
        yield
    finally:
        _SCALE.reset(token)


def _sentences(reply: str, whole: str) -> list[str]:
    """The judge's sentences where they are all of the text and nothing else, else those of our own splitter."""
    lines = [re.sub(r"^\s{0,9}(?:[-*•]|\d{1,3}[.)])\s{1,9}", "", line).strip() for line in reply.splitlines()]
    said = [line for line in lines if line]
    if re.findall(r"\w+", " ".join(said)) == re.findall(r"\w+", whole):
        return said
    return [piece.text for piece in split_text(whole)] or [whole]


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
    evaluator = ours.Evaluator(model, metric, **options)

    def score(question: str, answer: str, contexts: Any) -> tuple[float, dict[str, Any]]:
        result = evaluator.evaluate_sync(ours.case_of(question, answer, contexts))
        told = {"reason": ours.headline(result), **ours.details(result)}
        score = ours.safe_score(result)
        return (UNPARSABLE_SCORE if score is None else score), told

    usual = {"question": Selector.select_record_input(), "answer": Selector.select_record_output()}
    usual["contexts"] = Selector.select_context(collect_list=True)
    chosen, shown = usual if selectors is None else dict(selectors), name or f"magistrate_{evaluator.metric.name}"
    return Metric(implementation=score, name=shown, higher_is_better=True, selectors=chosen)
