"""A judge as the model behind another framework's metrics: an object that fits comes back, or why there is none."""

import json
import threading
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pydantic import BaseModel

from magistrate.completion.schemas import inline_schema
from magistrate.completion.streams import listening
from magistrate.errors import MagistrateError
from magistrate.integrations._common.inputs import made
from magistrate.judges import StructuredReply
from magistrate.judges.llm import LLMJudge
from magistrate.judges.llm.itemized_schema import Rows
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
        self.judge = made(LLMJudge, model, **options) if isinstance(model, str) else model
        self.name = self.judge.name
        self.usage = Usage()
        self._lock = threading.Lock()

    async def ask(
        self, prompt: str | Sequence[Message], model: Model, rows: Rows | None = None, limits: Limits | None = None
    ) -> StructuredReply[Any]:
        wanted = model
        if limits:
            schema = inline_schema(model)
            title = model.__name__ if isinstance(model, type) else schema.get("title", "reply")
            given = schema.get("properties", {})
            changed = {name: {**given[name], **limit} for name, limit in limits.items() if name in given}
            wanted = {**schema, "title": title, "properties": {**given, **changed}}
        reply = await self._counted(self.judge.structured(prompt, wanted, rows=rows))
        if not limits or reply.value is None or not isinstance(model, type):
            return reply
        value, flaws = target_of(model).build(reply.value)
        errors = tuple(map(str, flaws))
        return replace(reply, value=value, errors=errors, status=Status.UNPARSEABLE if flaws else reply.status)

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
    why = _WHY.get(reply.status, "its reply could not be read")
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
