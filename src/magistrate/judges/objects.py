"""Ask with a caller's own prompt: for an object of a model or schema, for a list about items, for plain text."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic import BaseModel

from magistrate.judges import requests
from magistrate.judges.base import StructuredReply
from magistrate.judges.collector import usage_of
from magistrate.judges.inline import close_schema, inline_schema
from magistrate.judges.requests import Asking, Attempt, next_attempt
from magistrate.judges.rows import MAX_ROWS, Rows, RowsCollector, rows_schema
from magistrate.judges.seen import CUT_PROMPT, noted_cut
from magistrate.judges.structured import read_structured
from magistrate.parsing.source import BLOCKED, CUT, REFUSED, ending
from magistrate.records import CallRecord, CompletionRequest, Message
from magistrate.verdict import Issue, IssueCode, ParseStatus, Status

__all__ = ["Asker", "ask_object", "ask_rows", "ask_text"]

_CUT_SHORT: Mapping[str | None, Status] = {CUT: Status.TRUNCATED, BLOCKED: Status.REFUSED, REFUSED: Status.REFUSED}
_TOKENS_PER_ROW = 160
"""What an entry about one item takes, its reason included."""

Model = type[BaseModel] | Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks, and how.

    Args:
        asking: What all requests have in common.
        call: Makes one call, about some items (0-based); a failure is a record without a completion.
        together: Awaits several jobs at the same time.
    """

    asking: Asking
    call: Callable[[CompletionRequest, tuple[int, ...]], Awaitable[CallRecord]]
    together: Callable[[Sequence[Any]], Awaitable[None]]

    def limit(self, tokens: int) -> int:
        """Most tokens of a reply that needs so many."""
        return self.asking.max_tokens or tokens + self.asking.spare_tokens


async def ask_object(
    asker: Asker, prompt: str | Sequence[Message], model: Model, *, max_tokens: int
) -> StructuredReply[Any]:
    """Ask for an object; again where the reply cannot be read, three times at most."""
    schema, name = close_schema(inline_schema(model)), _name_of(model)
    calls: list[CallRecord] = []
    attempt = asker.asking.first
    while True:
        request = requests.object_request(
            asker.asking, prompt, schema, name, max_tokens=asker.limit(max_tokens), attempt=attempt
        )
        reply = read_structured(noted_cut(await asker.call(request, ()), request), model)
        calls += reply.calls
        usable = reply.value is not None
        following = next_attempt(attempt, reply.calls[-1], usable=usable, limit=request.max_tokens)
        if following is None:
            return replace(reply, calls=tuple(calls), usage=usage_of(calls))
        attempt = following


async def ask_rows(
    asker: Asker, prompt: str | Sequence[Message], model: Model, rows: Rows, *, max_tokens: int
) -> StructuredReply[Any]:
    """Ask for an object that holds one entry per item; again only for the entries that are missing."""
    collector: RowsCollector[Any] = RowsCollector(model, rows)
    everything = range(len(rows.items))

    async def ask(pending: tuple[int, ...]) -> None:
        attempt: Attempt | None = asker.asking.first
        while attempt is not None:
            request = requests.object_request(
                asker.asking,
                prompt,
                rows_schema(collector.schema, rows, pending),
                _name_of(model),
                max_tokens=asker.limit(max(max_tokens, _TOKENS_PER_ROW * len(pending))),
                attempt=attempt,
                rows=(rows, pending),
            )
            call = collector.add(noted_cut(await asker.call(request, pending), request), pending)
            pending = collector.missing(pending)
            attempt = next_attempt(attempt, call, usable=not pending, limit=request.max_tokens)

    batches = [tuple(everything[at : at + MAX_ROWS]) for at in range(0, len(everything), MAX_ROWS)]
    await asker.together([ask(batch) for batch in batches])
    return collector.reply()


async def ask_text(asker: Asker, prompt: str | Sequence[Message], *, max_tokens: int) -> StructuredReply[BaseModel]:
    """Ask for plain text, once. One that was cut off or blocked on its way is there, with a status that says so."""
    request = requests.text_request(asker.asking, prompt, max_tokens=asker.limit(max_tokens))
    call = noted_cut(await asker.call(request, ()), request)
    completion, usage = call.completion, usage_of([call])
    if call.status == CUT_PROMPT:
        issue = Issue(IssueCode.CONTEXT_TRUNCATED, call.error or "")
        return StructuredReply(status=Status.CONTEXT_TRUNCATED, issues=(issue,), usage=usage, calls=(call,))
    if completion is None:
        issue = Issue(IssueCode.JUDGE_ERROR, call.error or "the call failed")
        status = Status.REFUSED if call.status == ParseStatus.REFUSAL.value else Status.JUDGE_ERROR
        return StructuredReply(status=status, issues=(issue,), usage=usage, calls=(call,))
    status = Status.SCORED if completion.text else Status.REFUSED if completion.refusal else Status.UNPARSEABLE
    status = _CUT_SHORT.get(ending(completion.finish_reason), status)
    return StructuredReply(text=completion.text, status=status, usage=usage, calls=(call,))


def _name_of(model: Model) -> str:
    """A name for a schema, in the characters that providers take."""
    name = model.__name__ if isinstance(model, type) else str(model.get("title") or "")
    return re.sub(r"[^a-zA-Z0-9_-]", "_", name)[:64] or "reply"
