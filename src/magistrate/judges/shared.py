"""A judge that answers each question once, however many metrics ask it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, TypeVar

from magistrate.judges.base import Judge, ScoreReply, SingleReply, StatementsReply, VerdictsReply
from magistrate.records import Usage
from magistrate.verdict import TERNARY, Scale

__all__ = ["SharedJudge"]

Reply = TypeVar("Reply")


class SharedJudge:
    """Answers each question about one case once: metrics that ask the same share the reply, and no call is made twice.

    Equal questions share a reply, also while it is under way, also if it is an error. The first to ask gets the reply
    as it is. The others get it without usage, and their call records are marked `shared`: summed over the metrics of a
    case, usage and calls count once.

    One such judge serves one case: it remembers every reply.

    Args:
        judge: Who answers. Whatever else it can do (`structured`, `text`, ...) is passed on and not shared.
    """

    def __init__(self, judge: Judge) -> None:
        self.name = judge.name
        self._judge = judge
        self._asked: dict[Hashable, _Question] = {}

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._judge, name)
        if name != "extract_and_verify":
            return value

        async def extract_and_verify(
            answer: str, contexts: Sequence[str], *, question: str | None = None, scale: Scale = TERNARY
        ) -> SingleReply:
            key = ("single", answer, tuple(contexts), question, scale)
            return await self._once(key, lambda: value(answer, contexts, question=question, scale=scale))

        return extract_and_verify

    async def extract(
        self,
        text: str,
        *,
        question: str | None = None,
        kind: Literal["claims", "truths"] = "claims",
        limit: int | None = None,
    ) -> StatementsReply:
        """Take the statements out of a text, once."""
        return await self._once(
            ("extract", text, question, kind, limit),
            lambda: self._judge.extract(text, question=question, kind=kind, limit=limit),
        )

    async def verify(
        self,
        statements: Sequence[str],
        contexts: Sequence[str],
        *,
        question: str | None = None,
        scale: Scale = TERNARY,
    ) -> VerdictsReply:
        """Judge statements against contexts, once."""
        return await self._once(
            ("verify", tuple(statements), tuple(contexts), question, scale),
            lambda: self._judge.verify(statements, contexts, question=question, scale=scale),
        )

    async def grade(self, rubric: str, fields: Mapping[str, str], *, low: float, high: float) -> ScoreReply:
        """Grade fields by a rubric, once."""
        return await self._once(
            ("grade", rubric, tuple(fields.items()), low, high),
            lambda: self._judge.grade(rubric, fields, low=low, high=high),
        )

    async def _once(self, key: Hashable, ask: Callable[[], Awaitable[Reply]]) -> Reply:
        question = self._asked.get(key)
        if question is not None:
            shared: Reply = _already_counted(await question.reply())
            return shared
        self._asked[key] = question = _Question(ask)
        reply: Reply = await question.reply()
        return reply


class _Question:
    """A question that was put to the judge, and how many wait for the answer."""

    def __init__(self, ask: Callable[[], Awaitable[Any]]) -> None:
        self._task = asyncio.ensure_future(_awaited(ask))
        self._waiting = 0

    async def reply(self) -> Any:
        """Wait for the reply. If everybody stops waiting for it, the call is cancelled."""
        self._waiting += 1
        try:
            return await asyncio.shield(self._task)
        finally:
            self._waiting -= 1
            if not self._waiting and not self._task.done():
                self._task.cancel()
                await asyncio.gather(self._task, return_exceptions=True)


async def _awaited(ask: Callable[[], Awaitable[Any]]) -> Any:
    return await ask()


def _already_counted(reply: Any) -> Any:
    """The reply for those who did not pay for it."""
    if isinstance(reply, SingleReply):
        return SingleReply(_already_counted(reply.statements), _already_counted(reply.verdicts))
    if not isinstance(reply, StatementsReply | VerdictsReply | ScoreReply):
        return reply  # no reply of the protocol: whoever asked will say so
    return replace(reply, usage=Usage(), calls=tuple(replace(c, completion=None, shared=True) for c in reply.calls))
