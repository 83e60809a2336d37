"""Inspect: `magistrate/...` as the model of its graders, and our metrics among its scorers."""

import json
from dataclasses import replace
from typing import Any

from magistrate.errors import ConfigurationError
from magistrate.integrations import _common as ours
from magistrate.integrations._prompts import grade_in, letters_offered
from magistrate.judges import StructuredReply
from magistrate.records import Message
from magistrate.verdict import Status

with ours.needs("inspect-ai"):
    from inspect_ai.model import (
        ChatCompletionChoice,
        ChatMessageAssistant,
        ContentImage,
        ContentText,
        GenerateConfig,
        ModelAPI,
        ModelOutput,
        ModelUsage,
        modelapi,
    )
    from inspect_ai.scorer import Score, mean, scorer, stderr

_AGAIN = "Your last reply gives no grade that can be read, or more than one. Reply with one line only: GRADE: $LETTER"
_ATTEMPTS = 3
_STOPS = {Status.TRUNCATED: "max_tokens", Status.REFUSED: "content_filter", Status.SCORED: "stop"}
_UNSCORED = {Status.NO_ANSWER: "no_response"} | dict.fromkeys(
    (Status.NO_CONTEXT, Status.MISSING_INPUT, Status.VACUOUS, Status.NOT_RUN, Status.OVER_BUDGET, Status.PENDING),
    "scoring_failed",
)


@modelapi(name="magistrate")
class MagistrateAPI(ModelAPI):
    """The model behind Inspect's graders: `model_graded_qa(model="magistrate/gpt-4o")`.

    They look for `GRADE: C` in a text. One that says two grades, was cut off or refuses is asked for again where that
    helps; else it is empty, so that the sample stays unscored, and the output's `error` says why.

    Args:
        model_name: The judge's model.
        base_url: Its API's address.
        api_key: Its key.
        config: Inspect's options for generation; only a response schema is heeded.
        **options: Options of the judge: cache, budget, temperature, ...
    """

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: Any = None,
        **options: Any,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config or GenerateConfig())
        given = {"api_base": base_url, "api_key": api_key}
        self.backend = ours.Backend(model_name, **{k: v for k, v in given.items() if v is not None}, **options)

    async def generate(self, input: list[Any], tools: list[Any], tool_choice: Any, config: Any) -> Any:  # noqa: A002
        """Answer a conversation. Without an answer that is safe to use the text is empty and `error` says why."""
        del tool_choice
        if tools:
            raise ConfigurationError("magistrate/... is a model for graders, and calls no tools")
        messages = [
            ours.joined(one.role, [one.content] if isinstance(one.content, str) else map(_piece, one.content))
            for one in input
        ]
        wanted = config.response_schema
        if wanted is not None:
            schema = {**wanted.json_schema.model_dump(exclude_none=True, by_alias=True), "title": wanted.name}
            reply = await self.backend.ask(messages, schema)
            text = None if reply.value is None else json.dumps(reply.value, ensure_ascii=False)
            return _output(self.model_name, [reply], text, ours.explain(reply, wanted.name))
        if letters := letters_offered(messages[-1].content):
            return await self._grade(messages, letters)
        reply = await self.backend.text(messages)
        text = reply.text if reply.status is Status.SCORED else None
        return _output(self.model_name, [reply], text, ours.explain(reply, "a text"))

    async def _grade(self, messages: list[Message], letters: str) -> Any:
        asked, replies = messages, []
        while True:
            replies.append(reply := await self.backend.text(asked))
            completion = reply.calls[-1].completion if reply.calls else None
            if completion is None or reply.status not in {Status.SCORED, Status.TRUNCATED}:
                return _output(self.model_name, replies, None, ours.explain(reply, "a grade"), reply.status)
            text = (completion.text or "").rstrip()
            grade, status = grade_in(text, letters, completion.finish_reason)
            if grade is not None:
                line = f"GRADE: {grade}"
                return _output(self.model_name, replies, text if text.endswith(line) else f"{text}\n\n{line}", "")
            if status is Status.REFUSED or len(replies) == _ATTEMPTS:
                why = ours.explain(replace(reply, status=status), "a grade")
                return _output(self.model_name, replies, None, why, status)
            asked = [*messages, Message("assistant", text), Message("user", _AGAIN)]


def _piece(part: Any) -> str | tuple[str]:
    if isinstance(part, ContentImage) and part.image.startswith("data:"):
        return (part.image,)
    if isinstance(part, ContentText):
        return str(part.text)
    raise ConfigurationError(f"a grader is shown texts and images, and no {part.type}")


def _output(
    model: str, replies: list[StructuredReply[Any]], text: str | None, why: str, status: Status | None = None
) -> Any:
    usage = sum((reply.usage for reply in replies[1:]), replies[0].usage)
    sent, received = usage.known_tokens
    ended = Status.SCORED if text is not None else status or replies[-1].status
    told = {"status": ended.value, "calls": usage.calls, "cost": usage.cost}
    if text is None:
        told |= {"why": why, "raw": replies[-1].text}
    message = ChatMessageAssistant(content=text or "", model=model, source="generate", metadata={"magistrate": told})
    return ModelOutput(
        model=model,
        choices=[ChatCompletionChoice(message=message, stop_reason=_STOPS.get(ended, "unknown"))],
        usage=ModelUsage(input_tokens=sent, output_tokens=received, total_tokens=sent + received),
        metadata={"magistrate": told},
        error=why if text is None else None,
    )


@scorer(metrics=[mean(), stderr()])
def magistrate_scorer(model: Any, metric: Any = None, context: str = "context", **options: Any) -> Any:
    """Make a scorer of a metric of ours. Without a score that is safe to use the sample is unscored, with the reason.

    Args:
        model: A model's name, "offline", or a judge.
        metric: The metric; None for faithfulness.
        context: The key of the sample's metadata that holds the passages, or the one passage.
        **options: threshold, and options of the judge.
    """
    evaluator = ours.Evaluator(model, metric, **options)

    async def score(state: Any, target: Any) -> Any:
        passages, said = state.metadata.get(context), state.output.completion
        result = await evaluator.evaluate(ours.case_of(state.input_text, said, passages, reference=target.text or None))
        told = {"answer": said, "explanation": ours.headline(result), "metadata": ours.details(result)}
        value = ours.safe_score(result)
        if value is None:
            return Score.unscored(reason=_UNSCORED.get(result.status, "grader_failed"), **told)
        return Score(value=value, **told)

    return score
