"""A judge as the model behind another framework's own metrics.

The framework hands over a prompt and what the reply should be. What comes back is an object that fits, with one entry
for each item that the prompt lists, in its order; or the reason why there is none, for the framework's own error.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pydantic import BaseModel

from magistrate.completion.streams import Listener, listening
from magistrate.judges import StructuredReply
from magistrate.judges.llm import LLMJudge
from magistrate.judges.llm.itemized_schema import Rows
from magistrate.judges.llm.schema_refs import inline_schema
from magistrate.parsing.objects.target import target_of
from magistrate.records import Message, Usage
from magistrate.sync import on_background
from magistrate.verdict import Status

Model = type[BaseModel] | Mapping[str, Any]
Limits = Mapping[str, Mapping[str, Any]]


class Backend:
    """A judge that frameworks ask from any thread or loop; its calls share one loop, as theirs come and go.

    Attributes:
        name: The judge's name.
        usage: Calls, tokens and cost so far.
    """

    def __init__(self, model: str | LLMJudge, **options: Any) -> None:
        if options and not isinstance(model, str):
            raise TypeError(f"a judge is given already: {', '.join(sorted(options))} would have no effect")
        self.judge = LLMJudge(model, **options) if isinstance(model, str) else model
        self.name = self.judge.name
        self.usage = Usage()
        self._lock = threading.Lock()

    async def ask(
        self, prompt: str | Sequence[Message], model: Model, rows: Rows | None = None, limits: Limits | None = None
    ) -> StructuredReply[Any]:
        return self._count(await on_background(self._ask(prompt, model, rows, limits)))

    async def text(
        self, prompt: str | Sequence[Message], hear: Callable[[str], None] | None = None
    ) -> StructuredReply[Any]:
        """Ask for plain text (see `LLMJudge.text`)."""
        with listening(None if hear is None else Listener(hear)):
            return self._count(await on_background(self.judge.text(prompt)))

    async def _ask(
        self, prompt: str | Sequence[Message], model: Model, rows: Rows | None, limits: Limits | None
    ) -> StructuredReply[Any]:
        if not limits:
            return await self.judge.structured(prompt, model, rows=rows)
        reply = await self.judge.structured(prompt, _limited(model, limits), rows=rows)
        if reply.value is None or not isinstance(model, type):
            return reply
        value, flaws = target_of(model).build(reply.value)
        errors = tuple(map(str, flaws))
        return replace(reply, value=value, errors=errors, status=Status.UNPARSEABLE if flaws else reply.status)

    def _count(self, reply: StructuredReply[Any]) -> StructuredReply[Any]:
        with self._lock:
            self.usage += reply.usage
        return reply


def _limited(model: Model, limits: Limits) -> Mapping[str, Any]:
    schema = inline_schema(model)
    title = model.__name__ if isinstance(model, type) else schema.get("title", "reply")
    properties = schema.get("properties", {})
    changed = {name: {**properties[name], **limit} for name, limit in limits.items() if name in properties}
    return {**schema, "title": title, "properties": {**properties, **changed}}
