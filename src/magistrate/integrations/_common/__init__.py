"""What the integrations share: what frameworks hand over, the judge behind one, a metric of ours inside one."""

import json
import re
import threading
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, requires, version
from inspect import signature
from itertools import chain
from typing import Any

from pydantic import BaseModel

from magistrate.case import TEXT_KEYS, Case
from magistrate.completion.schemas import inline_schema
from magistrate.completion.streams import listening
from magistrate.errors import ConfigurationError, MagistrateError, MissingExtraError, meant
from magistrate.judges import Judge, StructuredReply, makes_calls, resolve_judge
from magistrate.judges.llm import LLMJudge
from magistrate.judges.llm.itemized_schema import Rows
from magistrate.judges.resolve import OF_SEVERAL
from magistrate.metrics.base import Metric, MetricResult, apply_policy, span_attributes
from magistrate.metrics.faithfulness import Faithfulness
from magistrate.parsing.objects.target import target_of
from magistrate.records import Message, Usage
from magistrate.scoring import POLICIES
from magistrate.sync import on_background, run_sync
from magistrate.text import find_statement, sentences_outside
from magistrate.tracing import metric_span, set_attributes
from magistrate.verdict import IssueCode, StatementVerdict, Status

_ROLES = {"assistant": "assistant", "ai": "assistant", "model": "assistant", "system": "system", "developer": "system"}


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """Import a framework inside of this."""
    try:
        yield
    except ImportError as error:
        why = f"magistrate.integrations.{extra.replace('-', '_')}: {error}{_versions(extra)}"
        raise MissingExtraError.needed(why, extra) from None


def _versions(extra: str) -> str:
    """Which versions of a framework are here and which its extra asks for: another may be why it cannot be imported."""
    found = []
    for line in requires("magistrate-core") or ():
        wanted = line.partition(";")[0].strip()
        name = re.split(r"[^\w.-]", wanted)[0]
        with suppress(PackageNotFoundError):
            found += [f"{name} {version(name)} is here, needed is {wanted}"] if extra in name else []
    return f" ({'; '.join(found)})" if found else ""


def _checked(options: dict[str, Any]) -> dict[str, Any]:
    """The options of a judge that calls a model; one that it does not have is an error."""
    known = {"threshold", *OF_SEVERAL, *signature(LLMJudge).parameters}
    for name in options.keys() - known:
        near = meant(name, known) or f" It has: {', '.join(sorted(known))}"
        raise ConfigurationError(f"a judge has no option {name[:60]!r}.{near}")
    return options


def message_of(role: Any, content: Any) -> Message:
    """A message of a chat as OpenAI writes it; a role that is not known is the user's."""
    named = _ROLES.get(str(getattr(role, "value", role)), "user")
    return joined(named, [content] if isinstance(content, str) else map(_piece, content or ()))


def messages_of(given: Sequence[Mapping[str, Any]]) -> tuple[Message, ...]:
    return tuple(message_of(each["role"], each.get("content")) for each in given)


def joined(role: str, pieces: Iterable[str | tuple[str]]) -> Message:
    """A message of texts and images: a mark in the text says where each image stands."""
    texts: list[str] = []
    images: list[tuple[str, str]] = []
    for piece in pieces:
        if isinstance(piece, tuple):
            images.append((f"[[image {len(images) + 1} of this message]]", piece[0]))
        texts.append(images[-1][0] if isinstance(piece, tuple) else piece)
    return Message(role, "\n".join(texts), tuple(images))


def _piece(part: Any) -> str | tuple[str]:
    address = None if isinstance(part, str) else part.get("image_url")
    if address is not None:
        return (address["url"] if isinstance(address, Mapping) else str(address),)
    return part if isinstance(part, str) else str(part.get("text", ""))


def case_of(question: Any, answer: Any, contexts: str | Sequence[Any] | None, *, reference: Any = None) -> Case:
    """Make a case of what a framework has; what is no text becomes one, documents become their texts."""
    passages = [contexts] if isinstance(contexts, str) else list(contexts or ())
    return Case(
        question=_text(question),
        answer=_text(answer),
        contexts=tuple(text for text in map(_passage, passages) if text is not None),
        reference=_text(reference),
    )


def _text(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else str(value)


def _passage(value: Any) -> str | None:
    held = (value.get(name) if isinstance(value, dict) else getattr(value, name, None) for name in TEXT_KEYS)
    return _text(next((text for text in held if isinstance(text, str)), value))


_QUESTIONS = ("question", "input", "query")
_ANSWERS = ("answer", "output", "response", "content")
_CONTEXTS = ("context", "contexts", "documents", "retrieved_contexts")


def case_in(
    inputs: Any,
    outputs: Any,
    reference: Any,
    given: Mapping[str, Any],
    named: Sequence[str | None] = (None, None, None),
) -> Case:
    """The case in a user's inputs and outputs, under the keys named for question, answer, contexts, or usual ones."""
    usual = (_QUESTIONS, _ANSWERS, _CONTEXTS)
    questions, answers, contexts = ((name,) if name else keys for name, keys in zip(named, usual, strict=True))
    places = (given, outputs, inputs, reference)
    passages = next((found for place in places if (found := _held(place, contexts)) is not None), None)
    asked, answered = _part(inputs, questions, passages), _part(outputs, answers, passages)
    return case_of(asked, answered, passages, reference=_part(reference, answers, passages))


def _held(place: Any, keys: Sequence[str]) -> Any:
    held = place if isinstance(place, Mapping) else {}
    return next((held[key] for key in keys if held.get(key) is not None), None)


def _part(place: Any, keys: Sequence[str], passages: Any) -> Any:
    """The text that stands under one of some keys; else the only one there is, beside the passages."""
    if not isinstance(place, Mapping):
        return place
    found = _held(place, keys)
    if found is not None:
        return found
    messages = place.get("messages")
    if isinstance(messages, list) and messages:
        last = messages[-1]
        return last.get("content") if isinstance(last, Mapping) else getattr(last, "content", None)
    others = [value for value in place.values() if value is not None and value is not passages]
    return others[0] if len(others) == 1 and isinstance(others[0], str) else None


Model = type[BaseModel] | Mapping[str, Any]
Limits = Mapping[str, Mapping[str, Any]]


_STATED = {
    "description": "what the sentence states; null if nothing",
    "anyOf": [{"type": "array", "items": {"type": "string"}, "minItems": 1}, {"type": "null"}],
}


class Backend:
    """A judge that frameworks ask from any thread or loop; its calls share one loop, as theirs come and go.

    Attributes:
        name: The judge's name.
        usage: Calls, tokens and cost so far.
    """

    def __init__(self, model: str | LLMJudge, **options: Any) -> None:
        if options and not isinstance(model, str):
            raise TypeError(f"a judge is given already: {', '.join(sorted(options))} would have no effect")
        self.judge = LLMJudge(model, **_checked(options)) if isinstance(model, str) else model
        self.name = self.judge.name
        self.usage = Usage()
        self._lock = threading.Lock()

    async def ask(
        self,
        prompt: str | Sequence[Message],
        model: Model,
        rows: Rows | None = None,
        limits: Limits | None = None,
        said: tuple[str, str] | None = None,
    ) -> StructuredReply[Any]:
        """Ask for an object. `said`: the field that lists what a text says, and the text; none of it is passed over."""
        wanted = model
        if limits:
            schema = inline_schema(model)
            title = model.__name__ if isinstance(model, type) else schema.get("title", "reply")
            given = schema.get("properties", {})
            changed = {name: {**given[name], **limit} for name, limit in limits.items() if name in given}
            wanted = {**schema, "title": title, "properties": {**given, **changed}}
        reply = await self._counted(self.judge.structured(prompt, wanted, rows=rows))
        if said and reply.value is not None:
            return await self._with_all_said(reply, prompt, model, *said)
        if not limits or reply.value is None or not isinstance(model, type):
            return reply
        value, flaws = target_of(model).build(reply.value)
        errors = tuple(map(str, flaws))
        return replace(reply, value=value, errors=errors, status=Status.UNPARSEABLE if flaws else reply.status)

    async def _with_all_said(
        self, reply: StructuredReply[Any], prompt: str | Sequence[Message], model: Model, field: str, text: str
    ) -> StructuredReply[Any]:
        """The reply, and what those sentences of the text state that its list has nothing of: each is asked for."""
        value = dict(reply.value or ())
        listed = value.get(field)
        if not isinstance(listed, list) or not all(isinstance(one, str) for one in listed):
            return reply
        left = sentences_outside(text, [find_statement(one, text) for one in listed])
        if not left:
            return reply
        rows = Rows(
            field,
            tuple(one.text for one in left),
            noun="sentence",
            entry=lambda _: _STATED,
            build=lambda entries: {**value, field: [*listed, *chain.from_iterable(one or () for one in entries)]},
        )
        more = await self._counted(self.judge.structured(prompt, model, rows=rows))
        return replace(more, usage=reply.usage + more.usage, calls=(*reply.calls, *more.calls))

    async def text(
        self, prompt: str | Sequence[Message], hear: Callable[[str], None] | None = None
    ) -> StructuredReply[Any]:
        """Ask for plain text (see `LLMJudge.text`)."""
        with listening(hear):
            return await self._counted(self.judge.text(prompt))

    async def _counted(self, asking: Coroutine[Any, Any, StructuredReply[Any]]) -> StructuredReply[Any]:
        reply = await on_background(asking)
        with self._lock:
            self.usage += reply.usage
        return reply


_LONGEST = 300
_WHY = {
    Status.REFUSED: "refused",
    Status.TRUNCATED: "its reply was cut off",
    Status.OUT_OF_RANGE: "its reply has values that are not on offer",
    Status.JUDGE_ERROR: "the call failed",
}


def explain(reply: StructuredReply[Any], what: str = "an object") -> str:
    """Say in one line why a reply has no value."""
    why = _WHY.get(reply.status, "its reply is not whole" if reply.missing else "its reply could not be read")
    details = [*reply.errors[:2], *(issue.message for issue in reply.issues if issue.message)]
    detail = " ".join(details[0][: 4 * _LONGEST].split())[:_LONGEST] if details else ""
    asked = f"was asked {len(reply.calls)} times" if len(reply.calls) > 1 else "was asked"
    return f"{reply.status.value}: the judge {asked} for {what}, and {why}{': ' + detail if detail else ''}"


class UnusableReplyError(MagistrateError):
    """No reply is safe to use, also after asking again; each framework's module joins its own error to it."""

    status: Status | None = None

    def __init__(self, message: str, status: Status) -> None:
        super().__init__(message, status=status)

    @classmethod
    def value_of(cls, reply: StructuredReply[Any], what: str = "an object") -> Any:
        """Take the value of a reply."""
        if reply.value is None:
            raise cls(explain(reply, what), reply.status)
        return reply.value

    @classmethod
    def json_of(cls, reply: StructuredReply[Any], what: str = "an object") -> str:
        """Take the value of a reply as `value_of` does, as JSON."""
        value = cls.value_of(reply, what)
        return json.dumps(value if isinstance(value, dict) else value.model_dump(mode="json"), ensure_ascii=False)

    @classmethod
    def text_of(cls, reply: StructuredReply[Any]) -> str:
        """Take the text of a reply."""
        if reply.status is not Status.SCORED or not reply.text:
            raise cls(explain(reply, "a text"), reply.status)
        return reply.text


class Evaluator:
    """Evaluates cases with a metric and a judge, from whatever thread or event loop a framework runs on."""

    def __init__(
        self, judge: str | Judge, metric: Metric | None = None, *, threshold: float | None = None, **options: Any
    ) -> None:
        if metric is not None and threshold is not None:
            raise ConfigurationError("the metric has a threshold of its own: give it there")
        self.metric: Metric = Faithfulness(threshold=threshold) if metric is None else metric
        of_model = isinstance(judge, str) and makes_calls(judge)
        self.judge = resolve_judge(judge, **(_checked(options) if of_model else options))

    async def evaluate(self, case: Case) -> MetricResult:
        return await on_background(self._evaluated(case))

    def evaluate_sync(self, case: Case) -> MetricResult:
        return run_sync(self._evaluated(case))

    async def _evaluated(self, case: Case) -> MetricResult:
        with metric_span(self.metric.name, case.id) as span:
            result = _with_claims_missing(await self.metric.evaluate(case, self.judge), case.answer or "")
            set_attributes(span, span_attributes(result))
            return result


def _with_claims_missing(result: MetricResult, answer: str) -> MetricResult:
    """Let a sentence of the answer that no claim was taken from count as one without a verdict."""
    lost = tuple(issue for issue in result.issues if issue.code is IssueCode.SENTENCE_WITHOUT_STATEMENT)
    policy = POLICIES.get(result.policy)
    if not lost or policy is None or result.formula or result.status not in {Status.SCORED, Status.PARTIAL}:
        return result
    left = sentences_outside(answer, [find_statement(statement, answer) for statement in result.statements])
    missing = [StatementVerdict(index=0, id="", statement=sentence.text, issues=lost) for sentence in left]
    verdicts = (*result.verdicts, *missing)
    told = apply_policy(policy, result.threshold, status=Status.PARTIAL, verdicts=verdicts, extra=result.extra)
    return replace(result, status=Status.PARTIAL, bounds=told["bounds"], outcome=told["outcome"])


def details(result: MetricResult) -> dict[str, Any]:
    """What a framework can keep beside the score, as JSON holds it."""
    return {
        "status": result.status.value,
        "outcome": result.outcome.value,
        "bounds": result.bounds and list(result.bounds),
        "threshold": result.threshold,
        "policy": result.policy,
        "judge": result.judge,
        "verdicts": [
            {
                **verdict.model_dump(mode="json", include={"id", "statement", "verdict", "reason"}),
                "issues": [issue.code.value for issue in verdict.issues],
            }
            for verdict in result.verdicts
        ],
        "issues": [issue.code.value for issue in result.issues],
        "calls": result.usage.calls,
        "cost": result.usage.cost,
    }


def safe_score(result: MetricResult) -> float | None:
    """The score over all statements; None where there is none that is safe to use."""
    return result.score if result.status is Status.SCORED else None


def headline(result: MetricResult) -> str:
    reason = result.reason or "no reason was asked for"
    scored = result.status in {Status.SCORED, Status.PARTIAL}
    if scored and result.bounds is not None and result.bounds[0] < result.bounds[1]:
        reason += f", the score is between {result.bounds[0]:.3f} and {result.bounds[1]:.3f}"
    return reason if result.status is Status.SCORED else f"{result.status.value}: {reason}"
