"""What a judge's questions would cost, without asking them: every request is made as ever, and none is sent."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from magistrate.completion.cache import CompletionCache, cache_key, reused
from magistrate.completion.tokens import likely_tokens
from magistrate.judges._questions import Extract, ExtractAndVerify, Question
from magistrate.judges.base import WrappedJudge
from magistrate.records import Completion, CompletionRequest, Usage
from magistrate.text import split_statements

if TYPE_CHECKING:
    from magistrate.completion.providers._client import LiteLLMClient
    from magistrate.judges.llm._judge import LLMJudge

_USED = 0.4
"""Part of the longest reason that the schema allows which a reason has: it allows 16 characters a word."""
_PLAIN_CHARS = 60
"""Characters of a text that no limit is known for."""
_DEEPEST = 12

_expected: ContextVar[tuple[str, ...]] = ContextVar("magistrate_expected_statements", default=())
"""The statements that the reply to an extraction is taken to name."""


@dataclass(eq=False)
class EstimatingClient:
    """Answers each request with a reply of the likely form and length, and adds up the cost."""

    pricer: LiteLLMClient | None
    cache: CompletionCache | None
    api_base: str | None
    once: bool
    usage: Usage = field(default_factory=Usage, init=False)
    made: set[str] = field(default_factory=set, init=False)

    async def complete(self, request: CompletionRequest) -> Completion:
        key = cache_key(request, self.api_base)
        found = None if self.cache is None else await self.cache.get(key)
        if found is not None:
            self.usage += Usage(cached=1)
            return reused(*found, request)
        text = "A short answer in plain words." if request.schema is None else _reply(request)
        tokens = likely_tokens(text)
        sent = [*(message.content for message in request.messages), request.hint]
        sent += [] if request.schema is None else [_compact(request.schema)]
        prompt, cost = sum(map(likely_tokens, sent)), None
        if self.pricer is not None:
            prompt, cost = self.pricer.likely(request, tokens)
        usage = Usage(1, 0, prompt, tokens, cost)
        if self.once and key in self.made:
            usage = Usage(cached=1)
        self.made.add(key)
        self.usage += usage
        return Completion(text, "stop", usage=replace(usage, prompt_tokens=None))  # no provider counted them

    async def close(self) -> None:
        """Do nothing: there is no connection."""


class EstimatingJudge(WrappedJudge):
    """Asks what a judge would ask, if every sentence is one statement and every reply right at once."""

    def __init__(self, judge: LLMJudge, client: EstimatingClient) -> None:
        super().__init__(judge)
        self._client = client

    @property
    def usage(self) -> Usage:
        return self._client.usage

    def repeated(self, number: int) -> EstimatingJudge:
        return EstimatingJudge(self._judge.repeated(number), self._client)

    async def ask(self, question: Question[Any], /) -> Any:
        """Ask, and take the answer to have a statement a sentence."""
        match question:
            case Extract(text=text, limit=limit):
                _expected.set(tuple(part.text for part in split_statements(text))[:limit])
            case ExtractAndVerify(answer=answer):
                _expected.set(tuple(part.text for part in split_statements(answer)))
        return await super().ask(question)


def _reply(request: CompletionRequest) -> str:
    value = _instance(request.schema or {}, 0)
    if isinstance(value, dict):
        if request.token is not None:
            value["token"] = request.token
        named = list(_expected.get())
        if request.purpose == "extract":
            value["statements"] = named
        elif request.purpose == "single" and value.get("rows"):
            value["rows"] = [{**value["rows"][0], "claim": statement} for statement in named]
    return _compact(value)


def _instance(schema: Mapping[str, Any], depth: int) -> Any:  # noqa: C901, PLR0911 - one return a kind of schema
    """A value of a schema without references, of the usual length."""
    if depth > _DEEPEST:
        return None
    if "const" in schema:
        return schema["const"]
    if schema.get("enum"):
        return schema["enum"][0]
    for key in ("anyOf", "oneOf", "allOf"):
        if schema.get(key):
            return _instance(schema[key][0], depth + 1)
    kind = schema.get("type")
    match kind[0] if isinstance(kind, list) and kind else kind:
        case "object":
            return {name: _instance(part, depth + 1) for name, part in schema.get("properties", {}).items()}
        case "array":
            return [_instance(schema.get("items") or {}, depth + 1)] * max(1, schema.get("minItems", 0))
        case "string":
            length = round(schema["maxLength"] * _USED) if "maxLength" in schema else _PLAIN_CHARS
            return ("the passage says so in words " * (length // 28 + 1))[: max(length, schema.get("minLength", 1))]
        case "integer" | "number":
            return schema.get("minimum", schema.get("maximum", 0))
        case "boolean":
            return True
        case _:
            return None


def _compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False, default=dict)
