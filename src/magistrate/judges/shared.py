"""A judge that answers each question once, however many metrics ask it."""

from dataclasses import replace
from typing import Any

from magistrate.completion.base import Shared
from magistrate.judges._questions import Question, Structured
from magistrate.judges._replies import ScoreReply, SingleReply, StatementsReply, VerdictsReply
from magistrate.judges.base import Judge, WrappedJudge
from magistrate.records import Usage


class SharedJudge(WrappedJudge):
    """Answers each question about one case once: metrics that ask the same share the reply, and no call is made twice.

    Equal questions share a reply, also while it is under way, also if it is an error. The first to ask gets the reply
    as it is. The others get it without usage, and their call records are marked `shared`: summed over the metrics of a
    case, usage and calls count once. Prompts of a caller's own are not shared.

    One such judge serves one case: it remembers every reply.
    """

    def __init__(self, judge: Judge) -> None:
        super().__init__(judge)
        self._pending: dict[Question[Any], Shared[Any]] = {}

    async def ask(self, question: Question[Any], /) -> Any:
        """Answer a question, once."""
        if isinstance(question, Structured):
            return await super().ask(question)
        pending = self._pending.get(question)
        if pending is not None:
            return _already_counted(await pending.result())
        self._pending[question] = pending = Shared(super().ask(question))
        return await pending.result()


def _already_counted(reply: Any) -> Any:
    """The reply for those who did not pay for it."""
    if isinstance(reply, SingleReply):
        return SingleReply(_already_counted(reply.statements), _already_counted(reply.verdicts))
    if not isinstance(reply, StatementsReply | VerdictsReply | ScoreReply):
        return reply  # no reply of the protocol: whoever asked will say so
    return replace(reply, usage=Usage(), calls=tuple(replace(c, completion=None, shared=True) for c in reply.calls))
